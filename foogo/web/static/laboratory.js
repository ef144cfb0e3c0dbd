// The first-move laboratory: playouts that run while their results are watched; one panel, or two to compare.

import {FirstMoveView} from './firstmove.js';
import {byId, make} from './page.js';

const SHARES = {urgent: 205, near: 77, pattern: 0, nakade: 0};
const POLICY_NAMES = {uniform: 'Random moves', knowledge: 'Knowledge', patterns: 'Patterns', own: 'My own…'};
const SHARE_NAMES = {
  urgent: 'captures and escapes', near: 'near the last move', pattern: '3x3 patterns', nakade: 'vital points'};

/** A field with a label. */
const field = (label, input) => make('label', {}, label, input);

export class Laboratory {
  /**
   * @param {import('./connection.js').Connection} connection
   * @param {{size: number, policies: string[]}} hello
   * @param {() => import('./record.js').Game} game the game of the view "Play"
   * @param {(text: string) => void} notice
   */
  constructor(connection, hello, game, notice) {
    this.make = name => new Panel(connection, hello, game, notice, name);
    this.panels = [];
    byId('compare').onchange = () => this.arrange();
    this.arrange();
  }

  arrange() {
    const wanted = byId('compare').checked ? 2 : 1;
    while (this.panels.length > wanted) {
      const panel = this.panels.pop();
      panel.stop();
      panel.place.remove();
    }
    while (this.panels.length < wanted) {
      this.panels.push(this.make(`first-move-${'ab'[this.panels.length]}`));
      byId('panels').append(this.panels.at(-1).place);
    }
    byId('panels').classList.toggle('two', wanted === 2);
  }
}

class Panel {
  constructor(connection, hello, game, notice, name) {
    this.connection = connection;
    this.game = game;
    this.notice = notice;
    const options = (choices, value) => make('select', {}, ...choices.map(([key, text]) =>
      make('option', {value: key, textContent: text, selected: key === value})));
    const sizes = Array.from({length: 18}, (_, i) => [String(i + 2), `${i + 2}x${i + 2}, empty`]);
    this.position = options([...sizes, ['game', 'The position in Play']], String(hello.size));
    /** @type {(policy: string) => [string, string]} */
    const names = one => [one, POLICY_NAMES[one] ?? one.split(/[\\/]/).pop()];
    this.policy = options([...hello.policies, 'own'].map(names), 'uniform');
    this.playouts = make('input', {type: 'number', min: 1, max: 1e12, value: 1_000_000, required: true});
    this.seed = make('input', {type: 'number', min: 0, max: 2 ** 53 - 1, value: 1, required: true});
    this.byPoint = make('input', {type: 'checkbox', checked: true});
    this.suicide = make('input', {type: 'checkbox', checked: true});
    this.start = make('button', {className: 'primary', textContent: 'Start', onclick: () => this.toggle()});
    this.pause = make('button', {textContent: 'Pause', disabled: true, onclick: () => this.togglePause()});
    this.progress = make('progress', {max: 1, value: 0, hidden: true});
    this.progress.setAttribute('aria-label', 'Games played');
    this.shares = make('div', {className: 'controls', hidden: true}, ...Object.entries(SHARES).map(([share, value]) => {
      const input = make('input', {type: 'range', min: 0, max: 256, value, name: share});
      return field(`How often ${SHARE_NAMES[share]}`, input);
    }));
    const result = make('div', {className: 'result'});
    this.place = make('div', {className: 'panel'},
      make('div', {className: 'controls'}, field('Position', this.position), field('Both sides play', this.policy),
        field('Games of each first move', this.playouts), field('Seed', this.seed),
        make('label', {className: 'switch'}, this.byPoint, 'By first move'),
        make('label', {className: 'switch'}, this.suicide, 'Suicide'), this.start, this.pause),
      this.shares, this.progress, result);
    this.view = new FirstMoveView(result, name);
    this.policy.onchange = () => { this.shares.hidden = this.policy.value !== 'own'; };
    this.position.onchange = () => this.clear();
    this.clear();
  }

  async clear() {
    this.stop();
    this.job = null; // its results are of another position
    this.arrange();
    const size = Number(this.position.value);
    if (size) return this.view.clear(size, '.'.repeat(size * size));
    const game = this.game();
    try {
      const {stones} = await this.connection.ask('position', {game});
      if (this.position.value === 'game') this.view.clear(game.size, stones);
    } catch (error) {
      this.notice(error.message);
    }
  }

  request() {
    const size = Number(this.position.value);
    const inputs = [...this.shares.querySelectorAll('input')];
    const own = Object.fromEntries(inputs.map(input => [input.name, Number(input.value)]));
    return {
      game: size ? {size} : this.game(),
      playouts: Number(this.playouts.value),
      policy: this.policy.value === 'own' ? own : this.policy.value,
      suicide: this.suicide.checked,
      by_point: this.byPoint.checked,
      seed: Number(this.seed.value),
    };
  }

  async toggle() {
    if (this.job) return this.stop();
    if (this.starting) return; // by the first click of two: the position in Play takes an answer to draw
    if (![this.playouts, this.seed].every(input => input.reportValidity())) return;
    this.starting = true;
    await this.clear();
    this.starting = false;
    const request = this.request();
    const show = found => {
      if (this.job !== job) return;
      this.view.show(found);
      const least = Math.min(...found.starts.map(start => start.playouts));
      this.progress.value = found.starts.length ? least / request.playouts : 0;
    };
    const job = this.connection.job('playouts', request, show);
    this.job = job;
    this.arrange();
    this.notice('');
    job.done.then(show, error => this.job === job && this.notice(error.message)).finally(() => {
      if (this.job !== job) return;
      this.job = null;
      this.arrange();
    });
  }

  /** Stop; the results so far stay. */
  stop() {
    this.job?.stop();
  }

  togglePause() {
    this.paused = !this.paused;
    if (this.paused) this.job?.pause();
    else this.job?.resume();
    this.pause.textContent = this.paused ? 'Resume' : 'Pause';
  }

  arrange() {
    this.paused = false;
    this.pause.textContent = 'Pause';
    this.pause.disabled = !this.job;
    this.progress.hidden = !this.job;
    this.start.textContent = this.job ? 'Stop' : 'Start';
  }
}
