// Live analysis: the best moves of the position, while foogo searches it.

import {make, percent, short, signed} from './page.js';
import {opponent, pointOf} from './points.js';

const SECONDS = 600; // of one position; a search uses all cores as long as it runs
const PAUSE = 120; // milliseconds before a search, so that walking through a game starts none
const SHOWN = 8;

export class Analysis {
  /**
   * @param {import('./connection.js').Connection} connection
   * @param {HTMLElement} place of the table of moves
   * @param {() => void} changed called when `result` or `preview` has changed
   */
  constructor(connection, place, changed) {
    this.connection = connection;
    this.place = place;
    this.changed = changed;
    this.idle = [...place.childNodes];
    this.on = false;
    this.result = null;
    this.preview = null;
  }

  /** Switch the live analysis on or off. */
  toggle(on) {
    this.on = on;
    this.follow(this.game);
  }

  /** Analyze another position, or none if `game` is null. */
  follow(game) {
    this.game = game;
    this.clear();
    if (this.on && game) this.timer = setTimeout(() => this.start({seconds: SECONDS}), PAUSE);
  }

  /** Search for a second; with the live analysis on, start its search again. */
  hint() {
    this.clear();
    this.start({seconds: this.on ? SECONDS : 1});
  }

  clear() {
    clearTimeout(this.timer);
    this.job?.stop();
    this.job = null;
    this.result = this.preview = null;
    this.place.replaceChildren(...this.idle);
    this.changed();
  }

  start(limits) {
    const size = this.game.size;
    const job = this.connection.job('search', {game: this.game, moves: SHOWN, ...limits}, update => {
      if (this.job === job) this.show(update, size);
    });
    this.job = job;
    this.place.replaceChildren(make('p', {className: 'faint', textContent:
      'Searching. The first search of a board size may have to be compiled, for up to half a minute.'}));
    job.done.then(result => this.job === job && this.show(result, size), error => {
      if (this.job === job) this.place.replaceChildren(make('p', {className: 'faint', textContent: error.message}));
    });
  }

  show(result, size) {
    this.result = result;
    const rows = result.moves.map((move, i) => {
      const cells = [move.move, percent(move.win_share), percent(move.low), short(move.visits), signed(move.score)];
      const row = make('tr', {className: i === 0 ? 'best' : '', tabIndex: 0},
        ...cells.map(textContent => make('td', {textContent})));
      const point = pointOf(size, move.move);
      row.onmouseenter = row.onfocus = () => this.showVariation(point);
      row.onmouseleave = row.onblur = () => this.showVariation(null);
      row.classList.toggle('here', this.preview === point && point !== null);
      return row;
    });
    const head = ['move', 'wins', 'at least', 'visits', 'lead'].map(textContent => make('th', {textContent}));
    const side = result.to_play === 'B' ? 'Black' : 'White';
    const focused = [...this.place.querySelectorAll('tbody tr')].indexOf(document.activeElement);
    this.place.replaceChildren(
      make('table', {}, make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...rows)),
      make('p', {className: 'faint keys', textContent: `${side} wins ${percent(result.win_share ?? 0)}, mean lead `
        + `${signed(result.score ?? 0)} · ${short(result.simulations)} simulations, ${short(result.per_second)}/s`}));
    if (focused >= 0) rows[focused]?.focus();
    this.changed();
  }

  /** Show the variation that begins with a point; null for none. */
  showVariation(point) {
    if (point === this.preview) return;
    this.preview = point;
    this.changed();
  }

  /** The marks of the moves for the board. */
  marks(size) {
    const moves = this.result?.moves ?? [];
    const most = Math.max(...moves.map(move => move.visits), 1);
    return moves.filter(move => move.move !== 'pass' && move.visits >= 0.01 * most).map(move => ({
      point: pointOf(size, move.move),
      color: move === moves[0] ? '#6fd0c0' : `rgb(232 240 225 / ${(0.55 + 0.4 * Math.sqrt(move.visits / most)).toFixed(2)})`,
      text: String(Math.min(99, Math.round(100 * move.win_share))), small: short(move.visits), halo: move === moves[0],
    }));
  }

  /** The stones of the variation that is previewed; null if none is. */
  variation(size) {
    const move = this.preview === null ? null
      : this.result?.moves.find(one => one.move !== 'pass' && pointOf(size, one.move) === this.preview);
    if (!move) return null;
    let color = opponent(this.result.to_play);
    const seen = new Set();
    return move.variation.slice(0, 12).flatMap((vertex, i) => {
      color = opponent(color);
      const point = pointOf(size, vertex);
      if (point < 0 || seen.has(point)) return [];
      seen.add(point);
      return [{point, color, text: String(i + 1)}];
    });
  }
}

/** Squares that show who owns each point: black or white, fainter if it is contested. */
export function ownershipShades(ownership, side = 1) {
  return ownership.flatMap((share, point) => Math.abs(share) < 0.1 ? []
    : [{point, fill: share > 0 ? '#000' : '#fff', opacity: 0.5 * Math.abs(share), side}]);
}
