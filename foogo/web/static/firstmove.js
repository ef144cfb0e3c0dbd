// The value of each first move: a heat map, the histogram of scores with a komi, the numbers, and files of them.

import {Board} from './board.js';
import {heatMap, winShare} from './colors.js';
import {pointOf} from './points.js';
import {grouped, make, percent, png, save, signed, standalone, svg} from './page.js';

const METRICS = {lead: 'Black’s mean lead', share: 'Black’s win share at the komi'};
const WIDTH = 360, HEIGHT = 120;

/** Half an interval as text; `?` if it is not known. */
const plusMinus = ({low, high}, factor = 1) => (
  `±${low === null || high === null ? '?' : (factor * (high - low) / 2).toFixed(2)}`);

/** The starts, the best for the player to move first: the estimates are Black's. */
export const ranked = ({to_play: player}, starts, estimate) => [...starts].sort((one, other) => (
  (player === 'W' ? -1 : 1) * (estimate(other).value - estimate(one).value)));

export class FirstMoveView {
  /** @param {HTMLElement} place @param {string} name of exported files */
  constructor(place, name) {
    this.name = name;
    const choices = Object.entries(METRICS).map(([value, textContent]) => make('option', {value, textContent}));
    this.metric = make('select', {}, ...choices);
    this.slider = make('input', {type: 'range', step: 0.5, value: 7});
    this.slider.setAttribute('aria-label', 'Komi');
    this.komi = make('output', {});
    this.map = make('div', {});
    this.caption = make('p', {className: 'caption'});
    this.count = make('div', {className: 'count', textContent: '0'});
    this.rate = make('div', {className: 'faint', textContent: 'games'});
    this.facts = make('dl', {className: 'facts'});
    this.histogram = make('div', {});
    this.table = make('div', {className: 'scroll'});
    this.command = make('pre', {hidden: true});
    const files = {
      PNG: async () => save(`${this.name}.png`, await png(this.board.picture), 'image/png'),
      SVG: () => save(`${this.name}.svg`, standalone(this.board.picture), 'image/svg+xml'),
      CSV: () => save(`${this.name}.csv`, this.csv(), 'text/csv'),
      Command: () => this.showCommand(),
    };
    this.exports = make('div', {className: 'buttons'}, ...Object.entries(files).map(([textContent, onclick]) =>
      make('button', {textContent, onclick, disabled: true})));
    place.replaceChildren(
      make('div', {className: 'map'}, this.map, this.caption),
      make('div', {className: 'card numbers'}, this.count, this.rate, this.facts,
        make('label', {className: 'komi'}, 'Komi', this.slider, this.komi), this.histogram,
        make('div', {className: 'controls'}, make('label', {}, 'The map shows', this.metric)),
        this.exports, this.command, this.table));
    this.board = new Board(this.map, {hover: point => this.choose(point), play: point => this.choose(point),
      hint: 'Arrow keys move the cursor, Enter chooses a first move.'});
    this.slider.oninput = this.metric.onchange = () => this.draw();
  }

  /** Show an empty map. */
  clear(size, stones) {
    this.found = this.chosen = null;
    this.size = size;
    this.stones = stones;
    this.slider.min = -size * size;
    this.slider.max = size * size;
    this.komi.textContent = Number(this.slider.value).toFixed(1);
    this.board.show({size, stones});
    this.count.textContent = '0';
    this.rate.textContent = 'games';
    this.command.hidden = true;
    this.caption.textContent = '';
    this.facts.replaceChildren();
    this.histogram.replaceChildren();
    this.table.replaceChildren();
    for (const button of this.exports.children) button.disabled = true;
  }

  /** Show results: `starts` as in a reply to `playouts` or `study`. */
  show(found) {
    this.found = found;
    for (const button of this.exports.children) button.disabled = !found.starts.length;
    this.exports.lastChild.disabled ||= !found.command;
    this.draw();
  }

  choose(point) {
    this.chosen = point;
    this.draw();
  }

  /** Black's lead or win share after a start, with its interval. */
  estimate(start) {
    return this.metric.value === 'lead' ? start.mean_score : winShare(start.scores, Number(this.slider.value));
  }

  draw() {
    const {found} = this;
    this.komi.textContent = Number(this.slider.value).toFixed(1);
    if (!found?.starts.length) return;
    const openings = found.starts.filter(start => start.points.length);
    const estimates = openings.map(start => this.estimate(start));
    const values = estimates.map(one => one.value);
    const low = Math.min(...values), high = Math.max(...values);
    const lead = this.metric.value === 'lead';
    const large = this.size > 13;
    const map = heatMap(this.size, openings, values, i => {
      const text = lead ? signed(values[i], large ? 0 : 1) : (100 * values[i]).toFixed(large ? 0 : 1);
      return {text, small: large ? undefined : plusMinus(estimates[i], lead ? 1 : 100)};
    });
    this.board.show({size: this.size, stones: this.stones, ...map});
    this.count.textContent = grouped(found.games);
    this.rate.textContent = found.per_second ? `games, ${grouped(found.per_second)} per second` : 'games';
    const unit = lead ? ', in points' : `, in percent, komi ${Number(this.slider.value)}`;
    const [least, most] = [low, high].map(value => (lead ? signed(value) : percent(value)));
    this.caption.textContent = openings.length
      ? `${METRICS[this.metric.value]}${unit}: from ${least} to ${most}. Point at a move for its numbers.`
      : 'Every first move together.';
    this.drawNumbers(this.selected() ?? found.starts[0]);
    this.drawTable(openings);
  }

  selected() {
    return this.found.starts.find(start => start.points.some(vertex => pointOf(this.size, vertex) === this.chosen));
  }

  drawNumbers(start) {
    const komi = Number(this.slider.value);
    const share = winShare(start.scores, komi);
    const interval = (one, digits, factor = 1) => {
      const [value, low, high] = [one.value, one.low, one.high].map(
        end => (end === null ? '?' : (factor * end).toFixed(digits)));
      return `${value} [${low}, ${high}]`;
    };
    const rows = {
      'First move': start.points.length ? start.points.join(' ') : 'any',
      Games: grouped(start.playouts),
      'Mean lead': interval(start.mean_score, 3),
      'Fair komi': interval(start.fair_komi, 3),
      [`Wins at komi ${komi}`]: `${interval(share, 2, 100)} %`,
      'Moves per game': start.moves_per_playout.toFixed(1),
    };
    this.facts.replaceChildren(...Object.entries(rows).flatMap(([name, value]) => [
      make('dt', {textContent: name}), make('dd', {textContent: value})]));
    this.drawHistogram(start, komi);
  }

  /** Every first move, the best of the player to move at the top. */
  drawTable(openings) {
    const komi = Number(this.slider.value);
    const rows = ranked(this.found, openings, start => this.estimate(start)).map(start => {
      const {mean_score: lead, fair_komi: fair} = start;
      const share = winShare(start.scores, komi).value;
      const cells = [start.first_move, `${signed(lead.value, 2)} ${plusMinus(lead)}`,
        fair.value === null ? '–' : fair.value.toFixed(1), (100 * share).toFixed(2)];
      return make('tr', {}, ...cells.map(textContent => make('td', {textContent})));
    });
    const head = ['move', 'mean lead', 'fair komi', `wins at ${komi}, %`].map(textContent => make('th', {textContent}));
    this.table.replaceChildren(...(rows.length
      ? [make('table', {}, make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...rows))] : []));
  }

  drawHistogram({scores}, komi) {
    const area = (scores.length - 1) / 2, games = scores.reduce((sum, one) => sum + one, 0);
    const most = Math.max(...scores.slice(1, -1), 1); // a whole board won is often the most frequent score: it is cut
    const seen = scores.map((count, i) => (count > most / 2000 ? Math.abs(i - area) : 0));
    const reach = Math.min(area, Math.max(5, Math.max(...seen) + 1));
    const x = score => WIDTH / 2 + score * (WIDTH / 2 - 8) / reach;
    const bars = [];
    for (let score = -reach; score <= reach; score++) {
      const height = Math.min(HEIGHT - 30, (HEIGHT - 44) * scores[score + area] / most);
      bars.push(svg('rect', {class: score > komi ? 'black' : score < komi ? 'white' : 'even', x: x(score - 0.46),
        y: HEIGHT - 18 - height, width: Math.max(0.5, x(score + 0.46) - x(score - 0.46)), height}));
    }
    const text = (score, y, anchor, content) => {
      const element = svg('text', {x: x(score), y, 'text-anchor': anchor});
      element.textContent = content;
      return element;
    };
    const words = [text(-reach, HEIGHT - 4, 'start', `White by ${reach}`),
      text(reach, HEIGHT - 4, 'end', `Black by ${reach}`)];
    for (const [score, anchor] of /** @type {[number, string][]} */ ([[-area, 'start'], [area, 'end']])) {
      const count = scores[score + area];
      if (reach === area && count > most) words.push(text(score, 9, anchor, percent(count / games)));
    }
    let won = 0; // games with at least this score, from the right: their share is the curve of wins over komi
    const curve = [];
    for (let score = area; score >= -reach; score--) {
      won += scores[score + area];
      const height = 14 + (HEIGHT - 32) * (1 - won / games);
      if (score <= reach) curve.push(`${x(score - 0.5).toFixed(1)} ${height.toFixed(1)}`);
    }
    const line = Math.abs(komi) <= reach ? [svg('line', {x1: x(komi), x2: x(komi), y1: 2, y2: HEIGHT - 16})] : [];
    this.histogram.replaceChildren(svg('svg', {class: 'histogram', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img',
      'aria-label': 'Games by score, dark if Black wins at the komi, and the curve of Black’s win share over komi'},
      ...bars, svg('path', {class: 'curve', d: `M${curve.join('L')}`}), ...line, ...words));
  }

  // --- files ---

  csv() {
    const komi = Number(this.slider.value);
    /** @type {(string | number)[]} */
    const estimates = ['mean_score', 'fair_komi', `win_share_${komi}`]; // the columns are those of foogo study export
    const head = ['first_move', 'points', 'games', ...estimates.flatMap(one => [one, `${one}_low`, `${one}_high`])];
    const rows = this.found.starts.map(start => {
      const share = winShare(start.scores, komi);
      const numbers = [start.mean_score, start.fair_komi, share].flatMap(one => [one.value, one.low, one.high]);
      return [start.first_move, start.points.join(' '), start.playouts, ...numbers.map(value => value ?? '')];
    });
    return [head, ...rows].map(row => `${row.join(',')}\n`).join('');
  }

  showCommand() {
    this.command.hidden = !this.command.hidden;
    this.command.textContent = this.found.command;
    navigator.clipboard?.writeText(this.found.command).catch(() => {});
  }
}
