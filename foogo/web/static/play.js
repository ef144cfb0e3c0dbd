// The view "Play": a game against foogo or alone, with its end, its variations and its record.

import {Analysis, ownershipShades} from './analysis.js';
import {Board} from './board.js';
import {nameOf, opponent, pointOf, stringAt, vertexOf} from './points.js';
import {Record} from './record.js';
import {Review} from './review.js';
import {Welcome} from './welcome.js';
import {byId, grouped, keep, kept, save, showButtons} from './page.js';

/** foogo's levels: the limits of its search for a move. */
export const LEVELS = [
  ...[16, 64, 250, 1000, 4000, 16000].map((simulations, i) => (
    {name: `Level ${i + 1}: ${grouped(simulations)} simulations per move`, limits: {simulations}})),
  {name: '1 second per move', limits: {seconds: 1}},
  {name: '5 seconds per move', limits: {seconds: 5}},
  {name: 'Nobody: I play both sides', limits: null},
];

export class Play {
  /**
   * @param {import('./connection.js').Connection} connection
   * @param {{size: number, foogo: string}} hello
   * @param {(text: string) => void} notice shows an error
   */
  constructor(connection, hello, notice) {
    this.connection = connection;
    this.notice = notice;
    this.board = new Board(byId('board'), {
      play: point => this.click(point), hover: point => this.hover(point), key: key => this.press(key)});
    this.analysis = new Analysis(connection, byId('search'), () => this.draw());
    this.welcome = new Welcome(connection, () => this.draw());
    this.review = new Review(connection, node => this.go(node), notice);
    this.level = LEVELS[3];
    this.human = 'B';
    this.moment = 0;
    this.visible = true;
    this.keptAs = `foogo-game-${hello.foogo}`;
    const {size} = hello;
    this.restore() || this.begin({size, komi: 7, rules: 'chinese', stones: [], to_play: 'B', moves: []});
    this.wire();
  }

  wire() {
    const actions = {
      pass: () => this.play('pass'), undo: () => this.undo(), resign: () => this.resign(),
      hint: () => this.hint(), accept: () => this.accept(), resume: () => this.playOn(),
      first: () => this.go(0), previous: () => this.go(this.record.current.parent),
      next: () => this.go(this.record.current.children[0]), last: () => this.go(this.record.line().at(-1)),
      review: () => this.review.toggle(this.record), save: () => this.save(), open: () => byId('file').click(),
    };
    for (const [id, action] of Object.entries(actions)) byId(id).onclick = action;
    window.onpagehide = () => this.keep();
    document.addEventListener('visibilitychange', () => this.keep()); // a tab in the background may be discarded
    byId('analyze').onchange = event => {
      this.welcome.stop();
      this.analysis.toggle(event.target.checked);
    };
    byId('ownership').onchange = () => this.draw();
    byId('file').onchange = event => {
      if (event.target.files[0]) this.openFile(event.target.files[0]);
      event.target.value = '';
    };
  }

  /** Search and play only while the view is shown. */
  show(visible) {
    if (visible === this.visible) return;
    this.visible = visible;
    if (visible) return this.refresh();
    this.moment++;
    this.welcome.stop();
    this.reply?.stop();
    this.analysis.follow(null);
  }

  /** Start a new game, a game of a message without moves; the promise ends when its position is shown. */
  begin(game, record = new Record(game)) {
    this.review.clear();
    this.record = record;
    /** Who has resigned, and the nodes at which that was, the result was accepted, and play went on. */
    this.resigned = this.accepted = this.continued = null;
    /** What was counted where the player has set the dead strings, or accepted them, by node. */
    this.corrected = {};
    return this.refresh();
  }

  /** Keep the game in this tab, for the page when it is loaded again. */
  keep() {
    const {record, human, resigned, accepted, continued, corrected} = this;
    const level = LEVELS.indexOf(this.level);
    keep(this.keptAs, record.isEmpty ? null : {record, level, human, resigned, accepted, continued, corrected});
  }

  /** Go on with the game that this tab has kept. @returns {boolean} whether there is one */
  restore() {
    const found = kept(this.keptAs);
    const {record, level, ...rest} = found ?? {};
    if (!record?.nodes || !record.start || !LEVELS[level]) return false; // there is none, or it is damaged
    this.level = LEVELS[level];
    this.begin(record.start, Object.assign(new Record(record.start), record));
    Object.assign(this, rest);
    return true;
  }

  get isFoogosTurn() {
    return this.level.limits && this.position.to_play !== this.human;
  }

  get over() {
    return this.position.over && this.continued !== this.record.at;
  }

  get hasResigned() {
    return this.resigned?.at === this.record.at;
  }

  /** Ask foogo for the position that the record is at, show it with a notice, and do what follows. */
  async refresh(reason = '') {
    const moment = ++this.moment;
    const {record} = this;
    this.settled = false; // whether `position` is that of the record
    this.welcome.stop();
    this.reply?.stop();
    this.reply = this.judged = null;
    this.thinking = false;
    try {
      const position = await this.connection.ask('position', {game: record.game()});
      if (moment !== this.moment) return;
      this.position = position;
      this.settled = true;
    } catch (error) {
      if (moment !== this.moment) return;
      this.notice(error.message);
      if (record.at > 0 && this.connection.isOpen) {
        record.undo(record.at);
        await this.refresh(error.message);
      }
      return;
    }
    this.notice(reason);
    const {current} = record;
    if (record.at > 0) this.board.say(`${nameOf(current.color)} ${current.vertex}`);
    const open = !this.over && !this.hasResigned;
    this.analysis.follow(open ? record.game() : null);
    if (this.over && !this.hasResigned) this.judge(moment);
    else if (open && this.isFoogosTurn && !reason && !current.children.length) this.answer(moment);
    else if (open && record.isEmpty && !this.analysis.on) {
      this.welcome.start(record.game());
    }
    this.draw();
  }

  // --- moves ---

  click(point) {
    if (this.judged) return this.toggleDead(point);
    this.play(vertexOf(this.record.start.size, point));
  }

  play(vertex) {
    if (!this.settled || this.thinking || this.over || this.hasResigned) return;
    if (vertex !== 'pass' && this.position.stones[pointOf(this.record.start.size, vertex)] !== '.') return;
    this.record.play(this.position.to_play, vertex);
    this.refresh();
  }

  /** Have foogo move. */
  async answer(moment) {
    this.thinking = true;
    this.draw();
    const seed = Math.floor(Math.random() * 2 ** 32);
    this.reply = this.connection.job('genmove', {game: this.record.game(), seed, ...this.level.limits});
    try {
      const {move} = await this.reply.done;
      if (moment !== this.moment) return;
      this.thinking = false;
      if (move === 'resign') return this.resign(opponent(this.human));
      this.record.play(this.position.to_play, move);
      this.refresh();
    } catch (error) {
      if (moment !== this.moment) return;
      this.thinking = false;
      this.notice(error.message);
      this.draw();
    }
  }

  undo() {
    const path = this.record.path();
    const own = this.level.limits ? path.filter(node => this.record.nodes[node].color === this.human) : path;
    if (!own.length) return;
    const dropped = own.at(-1);
    if (this.review.line.includes(dropped)) this.review.clear(); // its graph leads to moves that are gone
    const dropsResult = this.record.path(this.record.end).includes(dropped);
    this.record.undo(dropped);
    if (dropsResult) {
      this.record.decide('');
      this.resigned = this.accepted = null;
    }
    this.refresh();
  }

  hint() {
    this.welcome.stop(); // its marks would hide those of the hint
    this.analysis.hint();
  }

  resign(color = this.level.limits ? this.human : this.position.to_play) {
    if (!this.settled || this.over || this.hasResigned) return;
    this.record.decide(`${opponent(color)}+R`);
    this.resigned = {at: this.record.at, color};
    this.refresh();
  }

  go(node) {
    if (node === undefined || node < 0 || node === this.record.at) return;
    this.record.at = node;
    this.refresh();
  }

  press(key) {
    const names = {p: 'pass', u: 'undo', Backspace: 'undo', h: 'hint', ',': 'previous', '.': 'next', Home: 'first',
      End: 'last'};
    const id = names[key.length === 1 ? key.toLowerCase() : key];
    if (id && !byId(id).disabled) byId(id).click();
    return Boolean(id);
  }

  // --- the end ---

  async judge(moment) {
    const {record} = this;
    const decide = () => {
      if (!record.told && !this.resigned && this.accepted === null) record.decide(this.judged.result);
    };
    this.judged = this.corrected[record.at] ?? null;
    if (this.judged) return decide();
    this.reply = this.connection.job('dead', {game: record.game()});
    try {
      const judged = await this.reply.done;
      if (moment !== this.moment) return;
      const {size} = record.start;
      this.judged = {...judged, dead: judged.dead.map(string => string.map(vertex => pointOf(size, vertex)))};
      decide();
      this.draw();
    } catch (error) {
      if (moment === this.moment) this.notice(error.message);
    }
  }

  async toggleDead(point) {
    const {stones, dead_removed: removed} = this.position;
    if (stones[point] === '.' || !removed || this.accepted === this.record.at) return;
    const {size} = this.record.start;
    const rest = this.judged.dead.filter(string => !string.includes(point));
    const dead = rest.length < this.judged.dead.length ? rest : [...rest, stringAt(size, stones, point)];
    const moment = this.moment;
    const names = dead.flat().map(one => vertexOf(size, one));
    try {
      const score = await this.connection.ask('score', {game: this.record.game(), dead: names});
      if (moment !== this.moment) return;
      this.judged = this.corrected[this.record.at] = {...score, dead};
      this.record.decide(score.result);
      this.draw();
    } catch (error) {
      this.notice(error.message);
    }
  }

  accept() {
    this.accepted = this.record.at;
    this.corrected[this.record.at] = this.judged;
    this.record.decide(this.judged.result);
    this.draw();
  }

  playOn() {
    this.continued = this.record.at;
    delete this.corrected[this.record.at];
    if (this.record.end === this.record.at) this.record.decide('');
    this.refresh();
  }

  // --- files ---

  async save() {
    const {record} = this;
    if (this.level.limits && !record.black && !record.white) {
      record.black = this.human === 'B' ? 'you' : 'foogo';
      record.white = this.human === 'W' ? 'you' : 'foogo';
    }
    try {
      const {sgf} = await this.connection.ask('write_sgf', record.written());
      save('game.sgf', sgf, 'application/x-go-sgf');
    } catch (error) {
      this.notice(error.message);
    }
  }

  async openFile(file) {
    if (file.size > 900_000) return this.notice('This file is too large: at most 900 kB can be opened.');
    const bytes = await file.arrayBuffer();
    const named = /CA\s*\[\s*([\w-]+)\s*\]/.exec(new TextDecoder('latin1').decode(bytes))?.[1] ?? 'latin1';
    const first = /^iso-2022/i.test(named) ? named : 'utf-8';
    let text;
    for (const [name, fatal] of [[first, true], [named, false], ['latin1', false]]) {
      try {
        text ??= new TextDecoder(name, {fatal}).decode(bytes);
      } catch {
        // not UTF-8, or a name that browsers do not know
      }
    }
    this.openText(text);
  }

  /** Open an SGF file and review its game. */
  async openText(sgf) {
    try {
      const found = await this.connection.ask('read_sgf', {sgf});
      const record = Record.read(found);
      this.level = LEVELS.at(-1);
      const shown = this.begin(found.game, record);
      if (record.nodes.length > 1) this.review.toggle(record);
      await shown; // which clears the notice
      if (found.left_out && this.record === record) {
        this.notice(found.left_out === 1 ? 'One branch was left out: it cannot be played here.'
          : `${found.left_out} branches were left out: they cannot be played here.`);
      }
    } catch (error) {
      this.notice(error.message);
    }
  }

  // --- drawing ---

  hover(point) {
    this.analysis.showVariation(this.analysis.result ? point : null);
  }

  draw() {
    if (!this.position) return;
    const {record, position, analysis, judged} = this;
    const {size} = record.start;
    const view = {size, stones: position.stones};
    if (record.at > 0) view.last = pointOf(size, record.current.vertex);
    const canPlay = !this.over && !this.thinking && !this.hasResigned;
    if (canPlay) view.ghost = position.to_play;
    if (judged) {
      view.dead = judged.dead.flat();
      const owned = [...judged.owners].map((sign, point) =>
        sign === position.stones[point] ? 0 : sign === 'X' ? 1 : sign === 'O' ? -1 : 0);
      view.shades = ownershipShades(owned, 0.42).map(shade => ({...shade, opacity: 0.85}));
    } else if (this.welcome.view()) {
      Object.assign(view, this.welcome.view());
    } else if (analysis.result) {
      const variation = analysis.variation(size);
      if (variation) view.variation = variation;
      else view.marks = analysis.marks(size);
      if (byId('ownership').checked) view.shades = ownershipShades(analysis.result.ownership);
    }
    this.board.show(view);
    this.drawSide(canPlay);
  }

  drawSide(canPlay) {
    const {record, position, judged} = this;
    for (const color of ['B', 'W']) {
      const [name, captures] = byId(`player-${color}`).querySelectorAll('b, span');
      const person = this.level.limits ? (color === this.human ? 'You' : 'foogo') : '';
      name.textContent = (color === 'B' ? record.black : record.white)
        || [nameOf(color), person].filter(Boolean).join(' · ');
      captures.textContent = `${position.captures[color]} captured${color === 'W' ? ` · komi ${position.komi}` : ''}`;
      byId(`player-${color}`).classList.toggle('turn', canPlay && position.to_play === color
        || this.thinking && color !== this.human);
    }
    byId('status').textContent = this.statusText();
    byId('caption').replaceChildren(...this.welcome.caption());
    const ended = Boolean(judged) || this.hasResigned;
    byId('accept').hidden = !judged || this.accepted === record.at;
    byId('resume').hidden = !judged || this.accepted === record.at;
    for (const id of ['pass', 'resign', 'hint']) byId(id).disabled = !canPlay;
    byId('undo').disabled = !record.path().some(node => !this.level.limits || record.nodes[node].color === this.human);
    byId('previous').disabled = byId('first').disabled = record.at === 0;
    byId('next').disabled = byId('last').disabled = !record.current.children.length;
    byId('number').textContent = record.at || ended ? `move ${record.path().length} of ${record.line().length}` : '';
    byId('comment').hidden = !record.current.comment;
    byId('comment').textContent = record.current.comment;
    const {children} = record.current;
    showButtons(byId('branches'), (children.length > 1 ? children : []).map((node, i) => (
      {textContent: `${i ? 'or ' : ''}${record.nodes[node].vertex}`, onclick: () => this.go(node)})));
    this.review.draw(record);
  }

  statusText() {
    const {record, position, judged} = this;
    if (this.hasResigned) {
      const {color} = this.resigned;
      return `${nameOf(color)} resigned: ${opponent(color)}+R`;
    }
    if (this.over && !judged) return 'Counting…';
    if (judged) {
      const how = this.accepted === record.at || !position.dead_removed ? ''
        : ' Click a string to change whether it is dead.';
      const counted = judged.result === '0' ? 'A draw' : judged.result;
      const isTold = record.at === record.end && record.told && record.told !== judged.result;
      return `${isTold ? `${record.told} in the file. Counted here: ${counted}` : counted}.${how}`;
    }
    if (this.thinking) return 'foogo is thinking…';
    const passed = record.current.vertex === 'pass' ? `${nameOf(record.current.color)} passed. ` : '';
    const yours = this.level.limits && position.to_play === this.human;
    return passed + (yours ? 'Your move' : `${nameOf(position.to_play)} to play`);
  }
}
