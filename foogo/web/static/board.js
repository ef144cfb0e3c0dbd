// A Go board as SVG: stones, marks, shades, a cursor for the keyboard.

import {letters, nameOf, stars, vertexOf} from './points.js';
import {make, svg} from './page.js';

const SIGN = {X: 'B', O: 'W'};
let boards = 0;

/**
 * What a board shows. Points are flat indices, row 0 at the bottom.
 * @typedef {object} View
 * @property {number} size
 * @property {string} stones a sign per point: X black, O white, . empty
 * @property {number} [last] the last move, marked with a ring
 * @property {string} [ghost] the colour of the stone that a click would place
 * @property {{point: number, color: string, text: string, small?: string, halo?: boolean}[]} [marks] discs with text
 * @property {{point: number, color: string, text: string}[]} [variation] translucent numbered stones
 * @property {{point: number, fill: string, opacity?: number, side?: number}[]} [shades] squares under the stones
 * @property {{point: number, text: string, small?: string, ink: string}[]} [labels]
 * @property {number[]} [dead] stones shown faintly
 */

export class Board {
  /**
   * @param {HTMLElement} place
   * @param {{play?: (point: number) => void, hover?: (point: number | null) => void,
   *   key?: (key: string) => boolean, hint?: string}} on `key` returns whether it has used the key; `hint` says what
   *   keys do
   */
  constructor(place, on = {}) {
    this.on = on;
    this.id = ++boards;
    this.live = make('span', {className: 'live'});
    this.live.setAttribute('aria-live', 'polite');
    this.live.style.cssText = 'position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)';
    this.picture = svg('svg', {class: 'board', tabindex: 0, role: 'application', 'aria-roledescription': 'Go board'});
    place.replaceChildren(this.picture, this.live);
    this.size = 0;
    this.picture.addEventListener('click', event => this.pick(event, point => this.on.play?.(point)));
    this.picture.addEventListener('pointermove', event => {
      if (event.pointerType !== 'touch') this.pick(event, point => this.hover(point));
    });
    this.picture.addEventListener('pointerleave', () => this.hover(null));
    this.picture.addEventListener('keydown', event => this.press(event));
    this.picture.addEventListener('focus', () => this.say());
  }

  /** Give the board the keyboard, without scrolling to it. */
  focus() {
    this.picture.focus({preventScroll: true});
  }

  /** Call `then` with the point under the pointer; not if it is off the board. */
  pick(event, then) {
    const box = this.picture.getBoundingClientRect();
    const col = Math.floor((event.clientX - box.left) / box.width * (this.size + 1) - 0.5);
    const row = this.size - 1 - Math.floor((event.clientY - box.top) / box.height * (this.size + 1) - 0.5);
    if (col >= 0 && row >= 0 && col < this.size && row < this.size) then(row * this.size + col);
  }

  hover(point) {
    if (point === this.hovered) return;
    this.hovered = point;
    this.drawGhost();
    this.on.hover?.(point);
  }

  press(event) {
    const steps = {ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (steps[event.key]) {
      const [up, right] = steps[event.key];
      const clamp = value => Math.max(0, Math.min(this.size - 1, value));
      const row = clamp(Math.floor(this.cursor / this.size) + up);
      this.cursor = row * this.size + clamp(this.cursor % this.size + right);
      this.drawCursor();
      this.say();
      this.on.hover?.(this.cursor);
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.on.play?.(this.cursor);
    } else if (!this.on.key?.(event.key)) {
      return;
    }
    event.preventDefault();
  }

  /** Tell screen readers what is at the cursor. */
  say(text = `${vertexOf(this.size, this.cursor)} ${this.describe(this.cursor)}`) {
    this.live.textContent = text;
  }

  describe(point) {
    const sign = this.view?.stones[point];
    const {text, small} = this.view?.labels?.find(one => one.point === point) ?? {};
    const stone = SIGN[sign] ? nameOf(SIGN[sign]).toLowerCase() : 'empty';
    const dead = this.view?.dead?.includes(point) ? 'dead' : '';
    return [stone, dead, [text, small].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  }

  /** @param {View} view */
  show(view) {
    if (view.size !== this.size) this.build(view.size);
    this.view = view;
    const {size, stones} = view;
    const count = sign => [...stones].filter(one => one === sign).length;
    const last = view.last === undefined || view.last < 0 ? '' : `, last move ${vertexOf(size, view.last)}`;
    this.picture.setAttribute('aria-label', `${size}x${size} Go board, ${count('X')} black and ${count('O')} white `
      + `stones${last}. ${this.on.hint ?? 'Arrow keys move the cursor, Enter plays.'}`);
    const dead = new Set(view.dead ?? []);
    this.layers.shades.replaceChildren(...(view.shades ?? []).map(one => this.square(one)));
    this.layers.stones.replaceChildren(...[...stones].flatMap((sign, point) =>
      SIGN[sign] ? [this.stone(point, SIGN[sign], dead.has(point) ? 0.35 : 1)] : []));
    this.layers.marks.replaceChildren(
      ...(view.last !== undefined && view.last >= 0 && SIGN[stones[view.last]]
        ? [svg('circle', {...this.center(view.last), r: 0.2, fill: 'none', 'stroke-width': 0.07,
          stroke: SIGN[stones[view.last]] === 'B' ? '#f6f4ee' : '#1d1a12'})] : []),
      ...[...dead].map(point => this.cross(point)),
      ...(view.labels ?? []).flatMap(one => this.words(one.point, one.text, one.small, one.ink)),
      ...(view.marks ?? []).flatMap(one => this.mark(one)),
      ...(view.variation ?? []).flatMap(one => [this.stone(one.point, one.color, 0.88),
        ...this.words(one.point, one.text, undefined, one.color === 'B' ? 'on-black' : 'on-white')]));
    this.drawGhost();
  }

  build(size) {
    this.size = size;
    this.cursor = Math.floor(size / 2) * (size + 1);
    this.hovered = null;
    const from = 1, to = size;
    const lines = Array.from({length: size}, (_, i) => `M${from} ${i + 1}H${to}M${i + 1} ${from}V${to}`).join('');
    const gradient = (name, light, dark) => svg('radialGradient', {id: `${name}${this.id}`, cx: 0.36, cy: 0.3, r: 0.8},
      svg('stop', {offset: 0, 'stop-color': light}), svg('stop', {offset: 1, 'stop-color': dark}));
    const text = (x, y, content) => {
      const element = svg('text', {x, y, class: 'coordinate'});
      element.textContent = content;
      return element;
    };
    const names = [...letters(size)].flatMap((letter, i) => [
      text(i + 1, size + 0.68, letter), text(0.31, size - i, i + 1)]);
    this.layers = {};
    for (const name of ['shades', 'stones', 'ghost', 'marks']) this.layers[name] = svg('g', {class: name});
    this.cursorRing = svg('rect', {class: 'cursor', width: 0.96, height: 0.96, rx: 0.2});
    this.picture.style.setProperty('--scale', String(Math.min(1, (size + 1) / 10))); // of lines and coordinates
    this.picture.setAttribute('viewBox', `0 0 ${size + 1} ${size + 1}`);
    this.picture.replaceChildren(
      svg('defs', {}, gradient('black', '#55555a', '#131315'), gradient('white', '#ffffff', '#ded9cd')),
      svg('rect', {class: 'wood', width: size + 1, height: size + 1}),
      svg('path', {class: 'grid', d: lines}),
      ...stars(size).map(point => svg('circle', {...this.center(point), r: 0.09, class: 'star'})),
      ...names, this.layers.shades, this.layers.stones, this.layers.ghost, this.layers.marks, this.cursorRing);
    this.drawCursor();
  }

  center(point) {
    return {cx: point % this.size + 1, cy: this.size - Math.floor(point / this.size)};
  }

  stone(point, color, opacity = 1) {
    const black = color === 'B';
    return svg('circle', {...this.center(point), r: 0.47, fill: `url(#${black ? 'black' : 'white'}${this.id})`,
      stroke: black ? '#0b0b0c' : '#9d968a', 'stroke-width': 0.02, opacity});
  }

  square({point, fill, opacity = 1, side = 1}) {
    const {cx, cy} = this.center(point);
    return svg('rect', {x: cx - side / 2, y: cy - side / 2, width: side, height: side, fill, opacity});
  }

  cross(point) {
    const {cx, cy} = this.center(point);
    const lines = `M${cx - 0.16} ${cy - 0.16}l.32 .32m0 -.32l-.32 .32`;
    return svg('path', {d: lines, stroke: '#c0392b', 'stroke-width': 0.08});
  }

  /** @param {{point: number, color: string, text: string, small?: string, halo?: boolean}} disc */
  mark({point, color, text, small, halo}) {
    const disc = svg('circle', {...this.center(point), r: 0.46, fill: color,
      stroke: halo ? '#0f4f48' : 'none', 'stroke-width': 0.07});
    return [disc, ...this.words(point, text, small, 'on-white')];
  }

  words(point, text, small, ink) {
    const {cx, cy} = this.center(point);
    const parts = [[text, small ? cy - 0.1 : cy, 'label'], [small, cy + 0.25, 'small']];
    return parts.filter(([content]) => content).map(([content, y, kind]) => {
      const element = svg('text', {x: cx, y, class: `${kind} ${ink}`});
      element.textContent = content;
      if (kind === 'label' && content.length > 4) element.style.fontSize = `${1.4 / content.length}px`;
      return element;
    });
  }

  drawGhost() {
    const {ghost, stones} = this.view ?? {};
    const point = this.hovered;
    const visible = ghost && point !== null && stones?.[point] === '.';
    this.layers?.ghost.replaceChildren(...(visible ? [this.stone(point, ghost, 0.45)] : []));
  }

  drawCursor() {
    const {cx, cy} = this.center(this.cursor);
    this.cursorRing.setAttribute('x', cx - 0.48);
    this.cursorRing.setAttribute('y', cy - 0.48);
  }
}
