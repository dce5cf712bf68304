/** How many tiles a picture is cut into, by the rules of the classes that look for a grid. */
import { largest, rangeError, smallest } from '../../arguments/index.js';

/** @import { Size } from '../types.js' */

/** @typedef {{ columns: number, rows: number }} Grid how many tiles lie side by side, and below one another */

/** More tiles would take forever to choose from. */
const mostTiles = 1024;

/** Lists all grids of `minTiles` to `maxTiles` tiles that have at most `longest` rows and columns, ordered by their
 * number of tiles, then by columns.
 * @type {(minTiles: number, maxTiles: number, longest?: number) => Grid[]} */
export function gridsUpTo(minTiles, maxTiles, longest = Infinity) {
  if (maxTiles > mostTiles) rangeError(`max_patches must be at most ${mostTiles}, got ${maxTiles}`);
  // `min_patches` may be missing where nothing is cut, or where a rule does not need it: it is refused only here.
  if (!(minTiles >= 1)) rangeError('min_patches must be given where a picture is cut, got null');
  const grids = [];
  for (let count = minTiles; count <= maxTiles; count++)
    for (let columns = 1; columns <= Math.min(count, longest); columns++)
      if (count % columns === 0 && count / columns <= longest) grids.push({ columns, rows: count / columns });
  return grids;
}

/** Chooses the grid whose ratio of columns to rows is nearest to the picture's ratio of width to height; 1 x 1 if there
 * are none. Of equally near grids a later, larger one is taken if the picture has more than half of that grid's pixels.
 * As Python's `get_optimal_tiled_canvas` of GOT-OCR 2 and others. `tile`: the size of a tile in pixels
 * @type {(size: Size, tile: Size, grids: readonly Grid[]) => Grid} */
export function ratioGrid({ width, height }, tile, grids) {
  const ratio = width / height;
  let best = { columns: 1, rows: 1 };
  let nearest = Infinity;
  for (const grid of grids) {
    const distance = Math.abs(ratio - grid.columns / grid.rows);
    const isLarger = width * height > 0.5 * tile.height * tile.width * grid.columns * grid.rows;
    if (distance < nearest || (distance === nearest && isLarger)) best = grid;
    nearest = Math.min(nearest, distance);
  }
  return best;
}

/** Chooses the scale that enlarges a picture least (with `isGreatest` most) or leaves it as it is; where all scales
 * shrink it, because they are below 1, the one that shrinks it least.
 * @type {(scales: readonly number[], isGreatest?: boolean) => number} */
export function nearestScale(scales, isGreatest = false) {
  const enlarging = scales.filter((scale) => scale >= 1);
  if (enlarging.length === 0) return largest(scales);
  return isGreatest ? largest(enlarging) : smallest(enlarging);
}

/** Chooses Cohere 2's grid of tiles of `side` x `side` pixels: the one into which the picture is fitted by the smallest
 * scale from 1 on, or else by the greatest scale below 1; the first of equals.
 * @type {(size: Size, side: number, grids: readonly Grid[]) => Grid} */
export function scaleGrid({ width, height }, side, grids) {
  const scales = grids.map(({ columns, rows }) => Math.min((columns * side) / width, (rows * side) / height));
  return grids[scales.indexOf(nearestScale(scales))];
}

/** Chooses Mllama's grid of at most `maxTiles` tiles of `side` x `side` pixels: the one into which the picture is
 * fitted by the smallest scale from 1 on, or else by the greatest scale below 1; of equals the one of the fewest tiles.
 * `place`: its index among all grids, ordered by rows and then by columns
 * @type {(size: Size, side: number, maxTiles: number) => { grid: Grid, place: number }} */
export function canvasGrid({ width, height }, side, maxTiles) {
  const grids = gridsUpTo(1, maxTiles).sort((a, b) => a.rows - b.rows || a.columns - b.columns);
  const scales = grids.map(({ columns, rows }) => Math.min((rows * side) / height, (columns * side) / width));
  const wanted = nearestScale(scales);
  const equals = grids.filter((_, i) => scales[i] === wanted);
  const grid = equals.reduce((best, candidate) =>
    candidate.columns * candidate.rows < best.columns * best.rows ? candidate : best,
  );
  return { grid, place: grids.indexOf(grid) };
}

/** Chooses Ovis 2's grid of tiles of `side` x `side` pixels, as Python's `get_min_tile_covering_grid` does. A region of
 * the picture that is larger than a tile loses pixels when it is fitted into it. Of the grids that keep more than nine
 * tenths of the pixels it is the one of the fewest tiles, else the one that keeps most.
 * @type {(size: Size, side: number, grids: readonly Grid[]) => Grid} */
export function coveringGrid(size, side, grids) {
  // Python exchanges rows and columns when it counts the pixels that are kept.
  const shares = grids.map((grid) => coveredShare(size, side, grid.columns, grid.rows));
  /** @type {(grid: Grid) => number} */
  const count = ({ columns, rows }) => columns * rows;
  const order = grids.map((_, i) => i);
  // The indices of grids that keep more than Python's threshold of nine tenths.
  const good = order.filter((i) => shares[i] > 0.9);
  const [best] =
    good.length > 0
      ? good.sort((i, j) => count(grids[i]) - count(grids[j]) || shares[j] - shares[i])
      : order.sort((i, j) => shares[j] - shares[i] || count(grids[i]) - count(grids[j]));
  return grids[best];
}

/** The share, 0 to 1, of a picture's pixels that is left when it is cut into `rows` x `columns` regions and each is
 * shrunk, if it has to be, so that its longer side has `side` pixels. The last regions of rows and columns hold the
 * rest of a division.
 * @type {(size: Size, side: number, rows: number, columns: number) => number} */
function coveredShare({ width, height }, side, rows, columns) {
  const [part, high] = [Math.floor(width / columns), Math.floor(height / rows)];
  let covered = 0;
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const w = column === columns - 1 ? width - column * part : part;
      const h = row === rows - 1 ? height - row * high : high;
      const [long, short] = [Math.max(w, h), Math.min(w, h)];
      covered += long > side ? side * ((short / long) * side) : long * short;
    }
  return covered / (width * height);
}

/** Lists for each number of tiles, from `maxChunks` down to 1, all pairs of factors of it, by the ratio of the first
 * factor to the second, in the order in which PerceptionLM and Llama 4 find them. They call tiles chunks.
 * @type {(maxChunks: number) => Map<number, [number, number][]>} */
export function chunksByRatio(maxChunks) {
  if (maxChunks > mostTiles) rangeError(`max_patches must be at most ${mostTiles}, got ${maxChunks}`);
  /** @type {Map<number, [number, number][]>} */
  const byRatio = new Map();
  for (let count = maxChunks; count >= 1; count--)
    for (let first = 1; first <= count; first++) {
      if (count % first !== 0) continue;
      const second = count / first;
      byRatio.set(first / second, [...(byRatio.get(first / second) ?? []), [first, second]]);
    }
  return byRatio;
}

/** Chooses Llama 4's grid of at most `maxChunks` tiles of `side` x `side` pixels: the one into which the picture is
 * fitted by the smallest scale from 1 on (with `isGreatest` the greatest), or else by the greatest scale below 1, as
 * computed in float32; of equals the one of the fewest tiles.
 * @type {(size: Size, side: number, maxChunks: number, isGreatest: boolean) => Grid} */
export function chunkGrid({ width, height }, side, maxChunks, isGreatest) {
  const { fround } = Math;
  const grids = [...chunksByRatio(maxChunks).values()].flat();
  const scales = grids.map(([rows, columns]) =>
    Math.min(fround((rows * side) / height), fround((columns * side) / width)),
  );
  const wanted = nearestScale(scales, isGreatest);
  const equals = grids.filter((_, i) => scales[i] === wanted);
  const [rows, columns] = equals.reduce((best, candidate) =>
    candidate[0] * candidate[1] < best[0] * best[1] ? candidate : best,
  );
  return { rows, columns };
}

/** The rows and columns of MiniCPM-V's slices; undefined for a picture that is not sliced. The number of slices is that
 * of the squares of `resolution` pixels a side whose pixels the picture has, at most `maxSlices`, or one more or less.
 * Of these grids it is the one whose logarithm of columns / rows is nearest to that of the picture's ratio, of equals
 * the one with more rows. As Python's `get_sliced_grid`.
 * @type {(size: Size, maxSlices: number, resolution: number) => [rows: number, columns: number] | undefined} */
export function minicpmGrid({ width, height }, maxSlices, resolution) {
  const count = Math.min(Math.ceil((width * height) / resolution ** 2), maxSlices);
  if (count <= 1) return undefined;
  /** @type {[number, number]} */
  let best = [1, 1];
  let least = Infinity;
  for (const slices of [count - 1, count, count + 1]) {
    // One slice would be the whole picture, which comes without a grid.
    if (slices === 1 || slices > maxSlices) continue;
    for (let rows = 1; rows <= slices; rows++) {
      if (slices % rows !== 0) continue;
      // slices / rows are the columns.
      const error = Math.abs(Math.log(width / height) - Math.log(slices / rows / rows));
      if (error < least || (error === least && rows > best[0])) [best, least] = [[rows, slices / rows], error];
    }
  }
  return best;
}
