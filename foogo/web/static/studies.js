// The study stores that foogo web was started with: their runs, with maps, histograms and tables; running ones update.

import {FirstMoveView} from './firstmove.js';
import {byId, grouped, make} from './page.js';

const EVERY = 3000; // milliseconds between two looks at a store

export class Studies {
  /** @param {import('./connection.js').Connection} connection @param {(text: string) => void} notice */
  constructor(connection, notice) {
    this.connection = connection;
    this.notice = notice;
    this.title = make('h2', {});
    this.facts = make('p', {className: 'faint'});
    const result = make('div', {className: 'result'});
    byId('run').replaceChildren(this.title, this.facts, result);
    byId('run').hidden = true;
    this.view = new FirstMoveView(result, 'study');
  }

  show(visible) {
    this.visible = visible;
    this.refresh();
  }

  /** Look at the stores now, and again while they are shown. */
  async refresh() {
    clearTimeout(this.timer);
    if (!this.visible) return;
    try {
      const {stores} = await this.connection.ask('studies');
      this.list(stores);
      if (this.chosen) await this.update(stores);
    } catch (error) {
      this.notice(error.message);
    }
    clearTimeout(this.timer);
    if (this.visible) this.timer = setTimeout(() => this.refresh(), EVERY);
  }

  list(stores) {
    const shown = JSON.stringify([stores, this.chosen?.store, this.chosen?.run]);
    if (shown === this.listed) return; // new buttons would lose a click that has begun
    this.listed = shown;
    const focused = [...byId('runs').querySelectorAll('button')].indexOf(document.activeElement);
    byId('runs').replaceChildren(...stores.flatMap(({store, name, runs, error}) => [
      make('h2', {textContent: name}), make('p', {className: 'faint', hidden: !error, textContent: error}),
      ...runs.map(({run, description, games, asked}) => make('button', {
        className: this.chosen?.store === store && this.chosen?.run === run ? 'here' : '',
        onclick: () => this.choose(store, run),
      }, `${run}: ${description}`, make('small', {textContent: `${grouped(games)} of ${grouped(asked)} games`})))]));
    if (stores.every(store => !store.runs.length && !store.error)) {
      byId('runs').append(make('p', {className: 'faint', textContent: 'No runs yet.'}));
    }
    byId('runs').querySelectorAll('button')[focused]?.focus();
  }

  choose(store, run) {
    this.chosen = {store, run, games: -1};
    this.refresh();
  }

  /** Ask for the chosen run if it has other games than are shown. */
  async update(stores) {
    const {store, run, games} = this.chosen;
    const listed = stores[store]?.runs.find(one => one.run === run);
    if (!listed || listed.games === games) return;
    const found = await this.connection.ask('study', {store, run});
    if (this.chosen.store !== store || this.chosen.run !== run) return;
    byId('run').hidden = false;
    this.title.textContent = found.description;
    const progress = `${grouped(found.games)} of ${grouped(found.asked)} games`;
    this.facts.textContent = `${progress}, since ${new Date(found.created).toLocaleString()}. ${found.verdict}`;
    if (games < 0) this.view.clear(found.size, found.stones);
    this.view.name = `study-${run}`;
    this.view.show(found);
    this.chosen.games = found.games;
  }
}
