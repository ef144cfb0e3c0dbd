// The review of a game: every position searched in the background, a graph of the win share, the largest swings.

import {byId, percent, showButtons} from './page.js';
import {drawGraph} from './graph.js';

const SIMULATIONS = 2000, SIMULATIONS_LARGE = 500; // of each position, up to 13x13 and above

export class Review {
  /**
   * @param {import('./connection.js').Connection} connection
   * @param {(node: number) => void} go
   * @param {(text: string) => void} notice
   */
  constructor(connection, go, notice) {
    this.connection = connection;
    this.go = go;
    this.notice = notice;
    this.clear();
  }

  clear() {
    this.job?.stop();
    this.job = this.found = null;
    /** The nodes of the reviewed line, from the start of the game. @type {number[]} */
    this.line = [];
  }

  /** Start to review the line that is shown, or stop. */
  toggle(record) {
    if (this.job) return this.job.stop();
    this.clear();
    this.line = [0, ...record.line()];
    const simulations = record.start.size > 13 ? SIMULATIONS_LARGE : SIMULATIONS;
    const show = found => {
      if (this.job !== job || !found.positions.length) return;
      this.found = found;
      this.draw(record);
    };
    const job = this.connection.job('review', {game: record.game(this.line.at(-1)), simulations}, show);
    this.job = job;
    this.draw(record);
    job.done.then(show, error => this.job === job && this.notice(error.message)).finally(() => {
      if (this.job !== job) return;
      this.job = null;
      this.draw(record);
    });
  }

  draw(record) {
    const {found, job} = this;
    byId('review').textContent = job ? 'Stop the review' : 'Review';
    byId('review').disabled = !job && record.line().length === 0;
    byId('progress').hidden = !job;
    byId('progress').value = found ? found.positions.length / found.total : 0;
    const turns = this.line.indexOf(record.at);
    const here = Math.max(0, ...record.path().map(node => this.line.indexOf(node))); // where a variation leaves the line
    byId('graph').hidden = !found;
    if (found) drawGraph(byId('graph'), found, here, chosen => this.go(this.line[chosen]));
    const swings = found ? found.moves.filter(move => found.swings.includes(move.number)) : [];
    showButtons(byId('swings'), swings.map(move => ({
      textContent: `${move.number} ${move.move} −${percent(move.loss, 0)}`,
      title: `${move.color} lost ${percent(move.loss)}; better: ${move.best}`,
      className: turns === move.number ? 'here' : '',
      onclick: () => this.go(this.line[move.number]),
    })));
  }
}
