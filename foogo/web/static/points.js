// Points of a board: flat indices, row 0 at the bottom, and their vertices, such as E5.

const LETTERS = 'ABCDEFGHJKLMNOPQRST';

/** The vertex of a point. */
export const vertexOf = (size, point) => LETTERS[point % size] + (Math.floor(point / size) + 1);

/** The point of a vertex; -1 for a pass. */
export const pointOf = (size, vertex) =>
  vertex === 'pass' ? -1 : (Number(vertex.slice(1)) - 1) * size + LETTERS.indexOf(vertex[0]);

export const letters = size => LETTERS.slice(0, size);

export const opponent = color => (color === 'B' ? 'W' : 'B');
export const nameOf = color => (color === 'B' ? 'Black' : 'White');

/** The points with lines to a point. */
function neighbors(size, point) {
  const col = point % size;
  return [point - size, point + size, col > 0 ? point - 1 : -1, col < size - 1 ? point + 1 : -1]
    .filter(near => near >= 0 && near < size * size);
}

/** The points of the string of stones at a point. `stones` has a sign per point. */
export function stringAt(size, stones, point) {
  const found = [point];
  for (const one of found) {
    for (const near of neighbors(size, one)) {
      if (stones[near] === stones[point] && !found.includes(near)) found.push(near);
    }
  }
  return found;
}

/** The points that boards mark with a dot. */
export function stars(size) {
  const near = size >= 13 ? 3 : 2;
  const corners = size >= 8 ? [near, size - 1 - near] : [];
  const middle = size >= 5 && size % 2 ? [(size - 1) / 2] : [];
  const at = (rows, cols) => rows.flatMap(row => cols.map(col => row * size + col));
  const sides = size >= 15 ? [...at(corners, middle), ...at(middle, corners)] : [];
  return [...at(corners, corners), ...at(middle, middle), ...sides];
}
