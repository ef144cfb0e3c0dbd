// Black's win share over a game, with its largest swings; a click goes to a move.

import {svg} from './page.js';

const WIDTH = 360, HEIGHT = 110, TOP = 6, BOTTOM = 16;

/**
 * @param {HTMLElement} place
 * @param {{positions: any[], moves: any[], swings: number[], total: number}} review so far
 * @param {number} here turns before the position shown
 * @param {(turns: number) => void} go
 */
export function drawGraph(place, review, here, go) {
  const x = turns => 4 + (WIDTH - 8) * turns / Math.max(1, review.total - 1);
  const y = share => TOP + (HEIGHT - TOP - BOTTOM) * (1 - share);
  const shares = review.positions.map(one => [x(one.turns), y(one.win_share)]);
  const line = shares.map(([left, top], i) => `${i ? 'L' : 'M'}${left.toFixed(1)} ${top.toFixed(1)}`).join('');
  const end = shares.length ? shares[shares.length - 1][0] : 4;
  const swings = review.moves.filter(move => review.swings.includes(move.number));
  const label = swings.map(move => `move ${move.number} ${move.move}`).join(', ') || 'none';
  const text = (left, top, content, anchor = 'start') => {
    const element = svg('text', {x: left, y: top, 'text-anchor': anchor});
    element.textContent = content;
    return element;
  };
  const picture = svg('svg', {class: 'graph', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img',
    'aria-label': `Black's win share over the game; largest swings: ${label}`},
    svg('path', {class: 'area', d: `${line}L${end} ${y(0)}L${x(0)} ${y(0)}Z`}),
    svg('line', {class: 'axis', x1: 0, x2: WIDTH, y1: y(0.5), y2: y(0.5)}),
    svg('line', {class: 'axis', x1: 0, x2: WIDTH, y1: y(0), y2: y(0)}),
    svg('path', {class: 'curve', d: line}),
    svg('line', {class: 'here', x1: x(here), x2: x(here), y1: TOP, y2: y(0)}),
    ...swings.map(move => svg('circle', {class: 'swing', cx: x(move.number), cy: y(move.win_share), r: 4.5})),
    text(2, HEIGHT - 3, 'Black’s win share'), text(WIDTH - 2, HEIGHT - 3, `${review.total - 1} moves`, 'end'));
  picture.addEventListener('click', event => {
    const box = picture.getBoundingClientRect();
    const turns = Math.round(((event.clientX - box.left) / box.width * WIDTH - 4) / (WIDTH - 8) * (review.total - 1));
    go(Math.max(0, Math.min(review.total - 1, turns)));
  });
  place.replaceChildren(picture);
}
