// Colours of values on a board, and estimates from histograms of scores.

import {pointOf} from './points.js';

const RAMP = [[104, 134, 168], [172, 195, 207], [241, 235, 219], [235, 189, 139], [211, 118, 90]];

/** The colour of a share from 0 (blue) to 1 (red). */
function heat(share) {
  const place = Math.max(0, Math.min(1, share)) * (RAMP.length - 1);
  const low = Math.min(Math.floor(place), RAMP.length - 2);
  const mixed = RAMP[low].map((part, i) => Math.round(part + (RAMP[low + 1][i] - part) * (place - low)));
  return `rgb(${mixed.join(',')})`;
}

/**
 * The squares and numbers of a heat map over first moves, the lowest value blue and the highest red.
 * @param {number} size
 * @param {{points: string[]}[]} openings
 * @param {number[]} values one for each opening
 * @param {(i: number) => {text: string, small?: string}} label
 */
export function heatMap(size, openings, values, label) {
  const low = Math.min(...values), high = Math.max(...values);
  const shades = [], labels = [];
  openings.forEach((opening, i) => {
    const fill = heat((values[i] - low) / (high - low || 1));
    for (const vertex of opening.points) {
      const point = pointOf(size, vertex);
      shades.push({point, fill});
      labels.push({point, ink: 'on-white', ...label(i)});
    }
  });
  return {shades, labels};
}

const Z95 = 1.959963984540054;

/**
 * Black's win share at a komi, ties half, with its 95 % Wilson interval, as `foogo.stats.estimates.win_share`.
 * @param {number[]} scores games by score, index = score + area
 */
export function winShare(scores, komi) {
  const area = (scores.length - 1) / 2;
  let wins = 0, n = 0;
  scores.forEach((games, i) => {
    n += games;
    wins += i - area > komi ? games : i - area === komi ? games / 2 : 0;
  });
  const share = wins / n, shrink = 1 + Z95 * Z95 / n, center = (share + Z95 * Z95 / (2 * n)) / shrink;
  const half = Z95 / shrink * Math.sqrt(share * (1 - share) / n + Z95 * Z95 / (4 * n * n));
  return {value: share, low: center - half, high: center + half};
}
