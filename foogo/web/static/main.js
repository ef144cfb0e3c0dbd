// The page: connects, switches between the views, opens files that are dropped or pasted.

import {winShare} from './colors.js';
import {Connection} from './connection.js';
import {Laboratory} from './laboratory.js';
import {LEVELS, Play} from './play.js';
import {Studies} from './studies.js';
import {byId, keep, kept, make} from './page.js';

const VIEWS = ['play', 'laboratory', 'studies'];

const LOST = 'foogo web does not answer. This page keeps the game and tries again. If foogo web has ended, start it '
  + 'again and open its address here.';

let lost = false;

function notice(text) {
  if (lost) return; // that the connection is lost stays on the page: nothing works without it
  byId('notice').textContent = text;
  byId('notice').hidden = !text;
}

function show(view) {
  for (const one of VIEWS) {
    byId(one).hidden = one !== view;
    byId(`tab-${one}`).setAttribute('aria-selected', String(one === view));
    byId(`tab-${one}`).tabIndex = one === view ? 0 : -1;
  }
}

function wireTheme() {
  const set = theme => { if (theme) document.documentElement.dataset.theme = theme; };
  set(kept('foogo-theme', 'localStorage'));
  byId('theme').onclick = () => {
    const dark = getComputedStyle(document.documentElement).colorScheme.includes('dark');
    set(dark ? 'light' : 'dark');
    keep('foogo-theme', dark ? 'light' : 'dark', 'localStorage');
  };
}

function wireTabs(turnTo) {
  for (const view of VIEWS) byId(`tab-${view}`).onclick = () => turnTo(view);
  byId('tabs').onkeydown = event => {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!step) return;
    event.preventDefault();
    const tabs = VIEWS.map(view => byId(`tab-${view}`)).filter(tab => !tab.hidden);
    const tab = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
    tab.focus();
    tab.click();
  };
}

function wireFiles(play, turnTo) {
  const over = event => {
    event.preventDefault();
    document.body.classList.toggle('dropping', event.type === 'dragover');
  };
  document.addEventListener('dragover', over);
  document.addEventListener('dragleave', over);
  document.addEventListener('drop', event => {
    over(event);
    if (!event.dataTransfer?.files[0]) return;
    turnTo('play');
    play.openFile(event.dataTransfer.files[0]);
  });
  document.addEventListener('paste', event => {
    const text = event.clipboardData?.getData('text') ?? '';
    if (!/\(\s*;/.test(text)) return;
    turnTo('play');
    play.openText(text);
  });
  document.addEventListener('keydown', event => {
    const fields = 'input:not([type="checkbox"]), select, dialog, .board';
    const typing = event.target instanceof Element && event.target.closest(fields);
    const command = event.ctrlKey || event.metaKey || event.altKey;
    if (!typing && !command && !byId('play').hidden && play.press(event.key)) event.preventDefault();
  });
}

function wireSetup(connection, play, hello) {
  const form = byId('setup').querySelector('form');
  const {size, level, color, handicap, komi, rules} = form.elements;
  const fill = (select, choices, chosen) => select.replaceChildren(...choices.map(([value, textContent]) =>
    make('option', {value, textContent, selected: value === chosen})));
  fill(size, Array.from({length: 18}, (_, i) => [i + 2, `${i + 2}x${i + 2}`]), hello.size);
  fill(level, LEVELS.map((one, i) => [i, one.name]), 3);
  fill(rules, hello.rules.map(one => [one, one]), 'chinese');
  const suggest = () => { komi.value = Number(handicap.value) ? 0.5 : 7; };
  const offer = () => {
    const hadHandicap = Number(handicap.value) > 0;
    const points = Number(size.value);
    const most = points < 7 ? 0 : points % 2 && points > 7 ? 9 : 4;
    const counts = Array.from({length: Math.max(0, most - 1)}, (_, i) => [i + 2, `${i + 2} stones`]);
    fill(handicap, [[0, 'none'], ...counts], 0);
    if (hadHandicap) suggest();
  };
  size.onchange = offer;
  handicap.onchange = suggest;
  offer();
  byId('new').onclick = () => {
    byId('setup').returnValue = ''; // which Escape leaves as it is in some browsers
    byId('setup').showModal();
  };
  byId('setup').onclose = async () => {
    if (byId('setup').returnValue !== 'start') return;
    const stones = Number(handicap.value);
    try {
      const points = stones ? await connection.ask('handicap', {size: Number(size.value), stones}) : {vertices: []};
      play.level = LEVELS[Number(level.value)];
      play.human = color.value;
      await play.begin({size: Number(size.value), komi: Number(komi.value), rules: rules.value,
        stones: points.vertices.map(vertex => ['B', vertex]), to_play: stones ? 'W' : 'B', moves: []});
      play.board.focus();
    } catch (error) {
      notice(error.message);
    }
  };
}

async function main() {
  wireTheme();
  const views = [];
  const connection = new Connection(isOpen => {
    lost = false;
    notice(isOpen ? '' : LOST);
    lost = !isOpen;
    if (isOpen) for (const view of views) if (view.visible) view.refresh();
  });
  await connection.open();
  const hello = await connection.ask('hello');
  const play = new Play(connection, hello, notice);
  const laboratory = new Laboratory(connection, hello, () => play.record.game(), notice);
  const studies = new Studies(connection, notice);
  views.push(play, studies);
  byId('tab-studies').hidden = !hello.stores;
  const turnTo = view => {
    show(view);
    studies.show(view === 'studies');
    play.show(view === 'play');
  };
  wireTabs(turnTo);
  wireFiles(play, turnTo);
  wireSetup(connection, play, hello);
  Object.assign(window, {foogo: {play, laboratory, studies, winShare}}); // for a browser's console and for tests
  document.documentElement.dataset.ready = 'true';
}

main();
