// The first moments of an empty board: the value of each first move, from a few seconds of playouts.

import {heatMap} from './colors.js';
import {ranked} from './firstmove.js';
import {grouped, make, signed} from './page.js';

const SECONDS = 6, PLAYOUTS = 150_000; // at most, and of each first move
const SLOW = 2000; // milliseconds without a result after which the page says why

export class Welcome {
  /** @param {import('./connection.js').Connection} connection @param {() => void} changed */
  constructor(connection, changed) {
    this.connection = connection;
    this.changed = changed;
    this.job = this.found = null;
    /** @type {number[]} */
    this.timers = [];
  }

  /** @param {import('./record.js').Game} game */
  start(game) {
    this.stop();
    this.size = game.size;
    const show = found => {
      if (this.job !== job) return;
      if (!this.found) this.timers.push(setTimeout(() => job.stop(), 1000 * SECONDS)); // once all is compiled
      this.found = found;
      this.changed();
    };
    const job = this.connection.job('playouts', {game, playouts: PLAYOUTS}, show);
    this.job = job;
    this.slow = false;
    this.timers = [setTimeout(() => { this.slow = true; this.changed(); }, SLOW)];
    job.done.then(show, () => {});
  }

  stop() {
    this.timers.forEach(clearTimeout);
    this.job?.stop();
    this.job = this.found = null;
  }

  get openings() {
    return this.found?.starts.filter(start => start.points.length) ?? [];
  }

  /** The shades and labels of the board; null before there are any. */
  view() {
    if (!this.openings.length) return null;
    const values = this.openings.map(start => start.mean_score.value);
    return heatMap(this.size, this.openings, values, i => ({text: signed(values[i], this.size > 13 ? 0 : 1)}));
  }

  /** A sentence on what the board shows. */
  caption() {
    if (!this.found?.games) {
      return this.job && this.slow ? ['Preparing. The first time on a machine, foogo compiles for up to half a minute.'] : [];
    }
    const [best] = ranked(this.found, this.openings, start => start.mean_score);
    const {games, per_second: rate} = this.found;
    return [make('b', {textContent: grouped(games)}), ` random games, ${grouped(rate)} per second. `
      + 'Each number is Black’s mean lead after that first move'
      + (best ? `; the best is ${best.points[0]}, ${signed(best.mean_score.value)}` : '') + '. Click a point to play.'];
  }
}
