/** How many tiles a picture is cut into, by the rules of the classes that look for a grid. */
import { largest, rangeError, smallest } from '../../arguments/index.js';

/** @import { Size } from '../types.js' */

/** @typedef {{ columns: number, rows: number }} Grid how many tiles lie side by side, and below one another */

/** The most tiles of a grid: to choose among the grids of more would take forever. */
const maxGridTiles = 1024;

/** The grid of a picture that is not cut. @type {Readonly<Grid>} */
export const oneTile = { columns: 1, rows: 1 };

/** @type {(grid: Grid) => number} */
export const tileCount = ({ columns, rows }) => columns * rows;

/** The size in pixels of all tiles together. @type {(grid: Grid, tile: Size) => Size} */
export const gridSize = ({ columns, rows }, { width, height }) => ({ width: columns * width, height: rows * height });

/** Lists all grids of `minTiles` to `maxTiles` tiles that have at most `longest` rows and columns, ordered by their
 * number of tiles, then by columns.
 * @type {(minTiles: number, maxTiles: number, longest?: number) => Grid[]} */
export function gridsUpTo(minTiles, maxTiles, longest = Infinity) {
  if (maxTiles > maxGridTiles) rangeError(`max_patches must be at most ${maxGridTiles}, got ${maxTiles}`);
  // `min_patches` may be missing where nothing is cut, or where a rule does not need it: it is refused only here.
  if (!(minTiles >= 1)) rangeError('min_patches must be given where a picture is cut, got null');
  const grids = [];
  for (let count = minTiles; count <= maxTiles; count++)
    for (let columns = 1; columns <= Math.min(count, longest); columns++) {
      const rows = count / columns;
      if (Number.isInteger(rows) && rows <= longest) grids.push({ columns, rows });
    }
  return grids;
}

/** Chooses the grid whose ratio of columns to rows is nearest to the picture's ratio of width to height; 1 x 1 if there
 * are none. Of equally near grids a later, larger one is taken if the picture has more than half of that grid's pixels.
 * As Python's `get_optimal_tiled_canvas` of GOT-OCR 2 and others.
 * @type {(size: Size, tile: Size, grids: readonly Grid[]) => Grid} */
export function ratioGrid({ width, height }, tile, grids) {
  const ratio = width / height;
  let best = oneTile;
  let nearest = Infinity;
  for (const grid of grids) {
    const distance = Math.abs(ratio - grid.columns / grid.rows);
    const gridPixels = tile.height * tile.width * tileCount(grid);
    const isFilled = width * height > 0.5 * gridPixels;
    if (distance < nearest || (distance === nearest && isFilled)) {
      best = grid;
      nearest = distance;
    }
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

/** The scale by which a picture is fitted into a grid of square tiles.
 * @type {(size: Size, tileSide: number, grid: Grid) => number} */
const fittingScale = ({ width, height }, tileSide, { columns, rows }) =>
  Math.min((columns * tileSide) / width, (rows * tileSide) / height);

/** The grid of the fewest tiles, the first of equals. @type {(grids: readonly Grid[]) => Grid} */
const fewestTiles = (grids) =>
  grids.reduce((best, candidate) => (tileCount(candidate) < tileCount(best) ? candidate : best));

/** Chooses Cohere 2's grid: the one into which a picture is fitted with the least enlargement or, where it shrinks in
 * all, the least shrinking; the first of equals.
 * @type {(size: Size, tileSide: number, grids: readonly Grid[]) => Grid} */
export function scaleGrid(size, tileSide, grids) {
  const scales = grids.map((grid) => fittingScale(size, tileSide, grid));
  return grids[scales.indexOf(nearestScale(scales))];
}

/** Chooses Mllama's grid of at most `maxTiles` tiles: the one into which a picture is fitted with the least enlargement
 * or, where it shrinks in all, the least shrinking; of equals the one of the fewest tiles. `index`: its index among all
 * grids, ordered by rows and then by columns
 * @type {(size: Size, tileSide: number, maxTiles: number) => { grid: Grid, index: number }} */
export function canvasGrid(size, tileSide, maxTiles) {
  const grids = gridsUpTo(1, maxTiles).sort((a, b) => a.rows - b.rows || a.columns - b.columns);
  const scales = grids.map((grid) => fittingScale(size, tileSide, grid));
  const wanted = nearestScale(scales);
  const grid = fewestTiles(grids.filter((_, i) => scales[i] === wanted));
  return { grid, index: grids.indexOf(grid) };
}

/** The share of a picture's pixels that a grid has to keep, in Python's `get_min_tile_covering_grid`. */
const goodShare = 0.9;

/** Chooses Ovis 2's grid, as Python's `get_min_tile_covering_grid` does. A region of the picture that is larger than a
 * tile loses pixels when it is fitted into it. Of the grids that keep more than nine tenths of the pixels it is the one
 * of the fewest tiles, else the one that keeps most.
 * @type {(size: Size, tileSide: number, grids: readonly Grid[]) => Grid} */
export function coveringGrid(size, tileSide, grids) {
  const candidates = grids.map((grid) => {
    // Python exchanges rows and columns when it counts the pixels that are kept.
    const share = coveredShare(size, tileSide, { columns: grid.rows, rows: grid.columns });
    return { grid, share, count: tileCount(grid) };
  });
  const good = candidates.filter(({ share }) => share > goodShare);
  if (good.length > 0) {
    const [fewest] = good.sort((a, b) => a.count - b.count || b.share - a.share);
    return fewest.grid;
  }
  const [keepingMost] = candidates.sort((a, b) => b.share - a.share || a.count - b.count);
  return keepingMost.grid;
}

/** The share, 0 to 1, of a picture's pixels that is left when it is cut into a grid of regions and each is shrunk, if
 * it has to be, so that its longer side has `tileSide` pixels. The last regions of rows and columns hold the rest of a
 * division.
 * @type {(size: Size, tileSide: number, grid: Grid) => number} */
function coveredShare({ width, height }, tileSide, { columns, rows }) {
  const usualWidth = Math.floor(width / columns);
  const usualHeight = Math.floor(height / rows);
  const lastWidth = width - (columns - 1) * usualWidth;
  const lastHeight = height - (rows - 1) * usualHeight;
  let covered = 0;
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const regionWidth = column === columns - 1 ? lastWidth : usualWidth;
      const regionHeight = row === rows - 1 ? lastHeight : usualHeight;
      const [long, short] = [Math.max(regionWidth, regionHeight), Math.min(regionWidth, regionHeight)];
      const shrunkShort = (short / long) * tileSide;
      covered += long > tileSide ? tileSide * shrunkShort : long * short;
    }
  return covered / (width * height);
}

/** Lists for each number of tiles, from `maxChunks` down to 1, all pairs of factors of it, by the ratio of the first
 * factor to the second, in the order in which PerceptionLM and Llama 4 find them. They call tiles chunks.
 * @type {(maxChunks: number) => Map<number, [first: number, second: number][]>} */
export function chunksByRatio(maxChunks) {
  if (maxChunks > maxGridTiles) rangeError(`max_patches must be at most ${maxGridTiles}, got ${maxChunks}`);
  /** @type {Map<number, [number, number][]>} */
  const byRatio = new Map();
  for (let count = maxChunks; count >= 1; count--)
    for (let first = 1; first <= count; first++) {
      const second = count / first;
      if (!Number.isInteger(second)) continue;
      const ratio = first / second;
      const pairs = byRatio.get(ratio) ?? [];
      pairs.push([first, second]);
      byRatio.set(ratio, pairs);
    }
  return byRatio;
}

/** Chooses Llama 4's grid of at most `maxChunks` tiles: the one whose scale of a picture that is fitted into it, in
 * float32, enlarges the picture least or, with `isGreatest`, most; of equals the one of the fewest tiles.
 * @type {(size: Size, tileSide: number, maxChunks: number, isGreatest: boolean) => Grid} */
export function chunkGrid(size, tileSide, maxChunks, isGreatest) {
  const grids = [...chunksByRatio(maxChunks).values()].flat().map(([rows, columns]) => ({ rows, columns }));
  const scales = grids.map((grid) => Math.fround(fittingScale(size, tileSide, grid)));
  const wanted = nearestScale(scales, isGreatest);
  return fewestTiles(grids.filter((_, i) => scales[i] === wanted));
}

/** The grid of MiniCPM-V's slices; undefined for a picture that is not sliced. The number of slices is that of the
 * squares of `resolution` pixels a side whose pixels the picture has, at most `maxSlices`, or one more or less. Of
 * these grids it is the one whose logarithm of columns / rows is nearest to that of the picture's ratio, of equals the
 * one with more rows. As Python's `get_sliced_grid`.
 * @type {(size: Size, maxSlices: number, resolution: number) => Grid | undefined} */
export function minicpmGrid({ width, height }, maxSlices, resolution) {
  const squarePixels = resolution ** 2;
  const wanted = Math.min(Math.ceil((width * height) / squarePixels), maxSlices);
  if (wanted <= 1) return undefined;
  let best = oneTile;
  let least = Infinity;
  for (const slices of [wanted - 1, wanted, wanted + 1]) {
    // One slice would be the whole picture, which comes without a grid.
    if (slices === 1 || slices > maxSlices) continue;
    for (let rows = 1; rows <= slices; rows++) {
      const columns = slices / rows;
      if (!Number.isInteger(columns)) continue;
      const error = Math.abs(Math.log(width / height) - Math.log(columns / rows));
      if (error < least || (error === least && rows > best.rows)) {
        best = { rows, columns };
        least = error;
      }
    }
  }
  return best;
}
