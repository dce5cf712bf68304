/** How many tiles a picture is cut into, by the rules of the classes that look for a grid. */
import { largest, rangeError, smallest } from '../../arguments/index.js';

/** @import { Size } from '../types.js' */

/** @typedef {{ columns: number, rows: number }} Grid */

/** More tiles would take forever to choose from. */
const mostTiles = 1024;

/** All grids of `minTiles` to `maxTiles` tiles and of at most `longest` rows and columns, ordered by their number of
 * tiles, then by columns.
 * @type {(minTiles: number, maxTiles: number, longest?: number) => Grid[]} */
export function gridsUpTo(minTiles, maxTiles, longest = Infinity) {
  if (maxTiles > mostTiles) rangeError(`max_patches must be at most ${mostTiles}, got ${maxTiles}`);
  // Classes read it only where they cut a picture, and by some rules not even there.
  if (!(minTiles >= 1)) rangeError('min_patches must be given where a picture is cut, got null');
  const grids = [];
  for (let count = minTiles; count <= maxTiles; count++)
    for (let columns = 1; columns <= Math.min(count, longest); columns++)
      if (count % columns === 0 && count / columns <= longest) grids.push({ columns, rows: count / columns });
  return grids;
}

/** The grid whose ratio is nearest to the picture's; of equally near ones the later, if the picture has more than half
 * of its pixels.
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

/** The least scale from 1 on (with `isGreatest` the greatest), or the greatest of all if none is.
 * @type {(scales: readonly number[], isGreatest?: boolean) => number} */
export function nearestScale(scales, isGreatest = false) {
  const enlarging = scales.filter((scale) => scale >= 1);
  if (enlarging.length === 0) return largest(scales);
  return isGreatest ? largest(enlarging) : smallest(enlarging);
}

/** Cohere 2: the grid that enlarges least, or else the one that shrinks least; the first of equals.
 * @type {(size: Size, side: number, grids: readonly Grid[]) => Grid} */
export function scaleGrid({ width, height }, side, grids) {
  const scales = grids.map(({ columns, rows }) => Math.min((columns * side) / width, (rows * side) / height));
  return grids[scales.indexOf(nearestScale(scales))];
}

/** The grid that Mllama chooses, and its place among all by rows: the one that enlarges least, or else shrinks least;
 * of equals the one of the fewest tiles.
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

/** The grid that Ovis 2 chooses: of those that keep more than nine tenths of the picture the one of the fewest tiles,
 * else the one that keeps most. Python counts regions with rows and columns exchanged.
 * @type {(size: Size, side: number, grids: readonly Grid[]) => Grid} */
export function coveringGrid(size, side, grids) {
  const shares = grids.map((grid) => coveredShare(size, side, grid.columns, grid.rows));
  /** @type {(grid: Grid) => number} */
  const count = ({ columns, rows }) => columns * rows;
  const order = grids.map((_, i) => i);
  // Python's threshold: grids that keep more than nine tenths are equally good.
  const good = order.filter((i) => shares[i] > 0.9);
  const [best] =
    good.length > 0
      ? good.sort((i, j) => count(grids[i]) - count(grids[j]) || shares[j] - shares[i])
      : order.sort((i, j) => shares[j] - shares[i] || count(grids[i]) - count(grids[j]));
  return grids[best];
}

/** The share of a picture's pixels that is left when each region of a grid is fitted into a tile of `side` pixels.
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

/** Pairs of factors of each number of chunks from `maxChunks` down to 1, by their ratio, as PerceptionLM and Llama 4
 * order them.
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

/** The grid of chunks that Llama 4 chooses: the one that enlarges least (with `isGreatest` most), or else shrinks
 * least, in float32; of equals the one of the fewest chunks.
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

/** The rows and columns of MiniCPM-V's slices, whose number is near to the picture's pixels by `resolution` squared and
 * whose ratio is nearest; undefined for a picture that stays whole.
 * @type {(size: Size, maxSlices: number, resolution: number) => [rows: number, columns: number] | undefined} */
export function minicpmGrid({ width, height }, maxSlices, resolution) {
  const count = Math.min(Math.ceil((width * height) / resolution ** 2), maxSlices);
  if (count <= 1) return undefined;
  /** @type {[number, number]} */
  let best = [1, 1];
  let least = Infinity;
  for (const slices of [count - 1, count, count + 1]) {
    if (slices === 1 || slices > maxSlices) continue;
    for (let rows = 1; rows <= slices; rows++) {
      if (slices % rows !== 0) continue;
      const error = Math.abs(Math.log(width / height) - Math.log(slices / rows / rows));
      if (error < least || (error === least && rows > best[0])) [best, least] = [[rows, slices / rows], error];
    }
  }
  return best;
}
