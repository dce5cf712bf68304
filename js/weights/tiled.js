/** Makes several tensors of others tile by tile: packs weights, and unpacks them. All of these tensors lie over one
 * matrix, as `Side` in types.ts says; a tile is a rectangle of that matrix. */
import { bytesBetween, bytesOf } from '../arguments/index.js';
import { checkMemory } from '../engines/memory/index.js';
import { advance, clearTail, move, planFor, ready, strided, stridesOf } from '../engines/tensors/index.js';
import { newData, sizeOf } from '../tensor/index.js';
import { denseBox, wholeBox } from './boxes.js';
import { byteLengthOf } from './entry.js';

/** @import { CheckedTensor } from '../tensor/index.js' */
/** @import { Work } from './work.js' */
/** @import { Box, Elements, Side, Tiling } from './types.js' */
/** @import { TensorData } from '../tensor/types.js' */

/** @typedef {readonly [from: number, to: number]} Span */
/** @typedef {readonly [rows: Span, columns: Span]} Tile */

/** Elements of a tile: 4 MiB of float32. Intermediate results have about three times as many bytes. */
const tileSize = 2 ** 20;
/** Keep up to 16 MiB of scales and zero points, so that saving reads the matrix once, in half the time. */
const passBytes = 16 * 2 ** 20;

/** The results that a pass keeps: all but the first one, which is read while they are made. `data` has an entry for
 * each result, empty for the first; they are complete once no elements of the first one are `left` to make.
 * @typedef {{ owner: Tiled, left: number, data: TensorData[] }} PassResults */

/** @type {WeakMap<Work, PassResults>} */
const resultsOfPass = new WeakMap();

/** @type {(index: number, unit: number) => number} */
const roundDown = (index, unit) => Math.floor(index / unit) * unit;
/** @type {(index: number, unit: number) => number} */
const roundUp = (index, unit) => Math.ceil(index / unit) * unit;

/** Tensors that are made of others tile by tile, in memory or when they are read. */
export class Tiled {
  /** @param {Tiling} tiling */
  constructor(tiling) {
    this.tiling = tiling;
  }

  /** Makes all results in memory, one for each entry of `to`, from the bytes of all of each source.
   * @type {(sources: readonly Uint8Array[]) => CheckedTensor[]} */
  makeAll(sources) {
    const { from, to, make } = this.tiling;
    const results = to.map(({ dtype, dims }) => newData(dtype, sizeOf(dims), undefined));
    for (const tile of this.tiles()) {
      const tiles = from.map((input, i) => {
        const box = boxOverTile(input, tile);
        const data = newData(input.dtype, sizeOf(box.counts), undefined);
        copyOverlap(input.dtype.bits, wholeBox(input.dims), sources[i], box, data);
        return tensorOfBox(input, box, data);
      });
      make(tiles, dimsOf(tile)).forEach(({ data }, i) => writeTile(to[i], tile, data, results[i]));
    }
    return to.map(({ dtype, dims }, i) => ({ dtype, dims: [...dims], size: sizeOf(dims), data: results[i] }));
  }

  /** Makes every tile and drops the results, for a `make` that collects what later passes need, such as a sum of
   * errors. `progress` gets the bytes of the sources under each tile, once it is made.
   * @type {(sources: readonly Elements[], work: Work, progress: (bytes: number) => void) => Promise<void>} */
  async pass(sources, work, progress) {
    const { from, make } = this.tiling;
    for (const tile of this.tiles()) {
      make(await this.readTile(sources, tile, work), dimsOf(tile));
      const bytes = from.map((input) => byteLengthOf({ dtype: input.dtype, dims: boxOverTile(input, tile).counts }));
      progress(bytes.reduce((sum, count) => sum + count, 0));
    }
  }

  /** Gives each result as elements that are made when they are read. Only boxes whose steps are 1 can be read.
   * @type {(sources: readonly Elements[]) => Elements[]} */
  elements(sources) {
    return this.tiling.to.map(({ dtype, dims, along = dims.length - 1, widest = dtype.bits }, index) => ({
      dtype,
      dims,
      along,
      widest,
      fill: (box, data, work) => this.fill(sources, index, box, data, work),
    }));
  }

  /** Writes a box of the result `index` to `data`: a copy where this pass has kept the result, or else by making the
   * tiles under the box. Making those of the first result fills the memory of the pass with the other results.
   * @type {(sources: readonly Elements[], index: number, box: Box, data: unknown, work: Work) => Promise<void>} */
  async fill(sources, index, box, data, work) {
    const tensor = this.tiling.to[index];
    const { bits } = tensor.dtype;
    const results = this.findResults(work, index);
    const isKept = results !== undefined && index > 0;
    if (isKept) copyOverlap(bits, wholeBox(tensor.dims), results.data[index], box, data);
    else await this.makeBox(sources, index, box, data, work, results);
    clearTail(bits, sizeOf(box.counts), /** @type {Uint8Array} */ (data));
  }

  /** Makes the tiles under a box of the result `index`, and writes the box to `data` and all other results to
   * `results`, if the pass keeps them.
   * @type {(sources: readonly Elements[], index: number, box: Box, data: unknown, work: Work, results: PassResults |
   *   undefined) => Promise<void>} */
  async makeBox(sources, index, box, data, work, results) {
    const { to, make } = this.tiling;
    const tensor = to[index];
    for (const tile of this.tiles(this.regionUnder(tensor, box))) {
      const outputs = make(await this.readTile(sources, tile, work), dimsOf(tile));
      const count = copyOverlap(tensor.dtype.bits, boxOverTile(tensor, tile), outputs[index].data, box, data);
      if (!results) continue;
      // A pass reads each element of the first result once.
      results.left -= count;
      for (let i = 1; i < to.length; i++) writeTile(to[i], tile, outputs[i].data, results.data[i]);
    }
  }

  /** Finds the memory in which a pass keeps the results after the first one, while it reads the result `index`.
   * Reading the first result makes that memory, and fills it; the other results get it only once it is complete.
   * Undefined where the results are to be made again: there is one result, they exceed 16 MiB, or the first one was not
   * read before them.
   * @type {(work: Work, index: number) => PassResults | undefined} */
  findResults(work, index) {
    const { to } = this.tiling;
    const isFirst = index === 0;
    const known = resultsOfPass.get(work);
    if (known?.owner === this) {
      const isComplete = known.left === 0;
      return isFirst || isComplete ? known : undefined;
    }
    if (!isFirst || to.length < 2) return undefined;
    // A pass keeps the results of one Tiled at a time.
    resultsOfPass.delete(work);
    const bytes = to.slice(1).reduce((sum, tensor) => sum + byteLengthOf(tensor), 0);
    if (bytes > passBytes) return undefined;
    const data = to.map(({ dtype, dims }, i) => newData(dtype, i === 0 ? 0 : sizeOf(dims), undefined));
    const results = { owner: this, left: sizeOf(to[0].dims), data };
    resultsOfPass.set(work, results);
    return results;
  }

  /** Reads the part of each source under a tile, to memory that the next tile uses again.
   * @type {(sources: readonly Elements[], tile: Tile, work: Work) => Promise<CheckedTensor[]>} */
  async readTile(sources, tile, work) {
    work.signal?.throwIfAborted();
    const tiles = [];
    for (const [i, tensor] of this.tiling.from.entries()) {
      const box = boxOverTile(tensor, tile);
      const data = work.buffer(tensor, tensor.dtype, sizeOf(box.counts));
      await sources[i].fill(box, data, work);
      tiles.push(tensorOfBox(tensor, box, data));
    }
    return tiles;
  }

  /** Finds the rows and columns of the matrix under a box of a tensor, rounded outward to whole units, because tiles
   * begin at these.
   * @type {(tensor: Side, box: Box) => Tile} */
  regionUnder({ axes, steps }, { first, counts }) {
    const { dims, units } = this.tiling;
    const [rows, columns] = axes.map((axis, i) => {
      const end = first[axis] + counts[axis];
      const from = roundDown(first[axis] * steps[i], units[i]);
      const to = roundUp(end * steps[i], units[i]);
      return /** @type {Span} */ ([from, Math.min(dims[i], to)]);
    });
    return [rows, columns];
  }

  /** Yields the tiles of a region of the matrix, of about 2^20 elements. A tile is as wide as the region, or as high
   * as it if `isTall`, unless that leaves less than a unit for the tile's other extent.
   * @type {(region?: Tile) => Generator<Tile>} */
  *tiles(region = wholeTile(this.tiling.dims)) {
    const { units, isTall = false } = this.tiling;
    const [rowUnit, columnUnit] = units;
    const [[top, bottom], [left, right]] = region;
    const { long, short } = isTall
      ? tileExtents(bottom - top, rowUnit, columnUnit)
      : tileExtents(right - left, columnUnit, rowUnit);
    const [rows, columns] = isTall ? [long, short] : [short, long];
    for (let row = top; row < bottom; row += rows)
      for (let column = left; column < right; column += columns)
        yield [spanOf(row, bottom, rows), spanOf(column, right, columns)];
  }
}

/** Chooses the extents of a tile. The long one takes as much of the region's `length` as leaves at least a unit for the
 * short one, which gets the rest of the tile's size.
 * @type {(length: number, longUnit: number, shortUnit: number) => { long: number, short: number }} */
function tileExtents(length, longUnit, shortUnit) {
  const long = Math.min(length, Math.max(longUnit, roundDown(tileSize / shortUnit, longUnit)));
  const short = Math.max(shortUnit, roundDown(tileSize / long, shortUnit));
  return { long, short };
}

/** @type {(dims: readonly [number, number]) => Tile} */
const wholeTile = ([rows, columns]) => [spanOf(0, rows), spanOf(0, columns)];

/** @type {(from: number, end: number, maxLength?: number) => Span} */
const spanOf = (from, end, maxLength = Infinity) => [from, Math.min(end, from + maxLength)];

/** @type {(tile: Tile) => [rows: number, columns: number]} */
const dimsOf = ([rows, columns]) => [rows[1] - rows[0], columns[1] - columns[0]];

/** Gives the box of a tensor that lies over a tile: all of the tensor's other axes, and those indices of its row and
 * column axes that stand for rows and columns of the tile. A tile begins at a multiple of the steps, because these
 * divide the tiling's units. The last index may stand for fewer than its step, hence ceil.
 * @type {(tensor: Side, tile: Tile) => Box} */
function boxOverTile({ dims, axes, steps }, tile) {
  const first = dims.map(() => 0);
  const counts = [...dims];
  axes.forEach((axis, i) => {
    const [from, to] = tile[i];
    first[axis] = from / steps[i];
    counts[axis] = Math.ceil(to / steps[i]) - first[axis];
  });
  return denseBox(first, counts);
}

/** @type {(tensor: Side, tile: Tile, source: unknown, data: unknown) => number} */
const writeTile = (tensor, tile, source, data) =>
  copyOverlap(tensor.dtype.bits, boxOverTile(tensor, tile), source, wholeBox(tensor.dims), data);

/** @type {(tensor: Side, box: Box, data: unknown) => CheckedTensor} */
const tensorOfBox = ({ dtype }, { counts }, data) => ({ dtype, dims: [...counts], size: sizeOf(counts), data });

/** Copy runs of up to 20 bytes one by one: 3 times as fast for 16 as set(), but 1.4 times as slow for 24. */
const shortRun = 20;

/** Copies the elements that two boxes of one tensor share, from `source`, which holds `sourceBox`, to `data`, which
 * holds `box`; gives how many they are. The boxes have steps of 1, and must share at least one element.
 * @type {(bits: number, sourceBox: Box, source: TensorData, box: Box, data: TensorData) => number} */
function copyOverlap(bits, sourceBox, source, box, data) {
  const shared = overlapOf(sourceBox, box);
  const extents = shared.counts;
  const [from, to] = [stridesOf(sourceBox.counts), stridesOf(box.counts)];
  const first = placeIn(sourceBox, from, shared.first);
  const start = placeIn(box, to, shared.first);
  let outerRank = extents.length - 1;
  // A run takes in the next outer axis where both boxes consist of just the shared part of the axis inside it.
  const isWhole = (/** @type {number} */ axis) =>
    extents[axis] === sourceBox.counts[axis] && extents[axis] === box.counts[axis];
  while (outerRank > 0 && isWhole(outerRank)) outerRank--;
  const inBytes = (/** @type {number} */ elements) => (elements * bits) / 8;
  const runs = {
    counts: extents.slice(0, outerRank),
    length: inBytes(sizeOf(extents, outerRank)),
    first: inBytes(first),
    start: inBytes(start),
    from: from.slice(0, outerRank).map(inBytes),
    to: to.slice(0, outerRank).map(inBytes),
  };
  const areBytesWhole = [runs.length, runs.first, runs.start, ...runs.from, ...runs.to].every(Number.isInteger);
  if (areBytesWhole) copyRuns(runs, bytesOf(source), bytesOf(data));
  else {
    ready();
    move(planFor(strided, bits, extents, [first, start, ...from, ...to]), [source], [data]);
  }
  return sizeOf(extents);
}

/** @type {(a: Box, b: Box) => Box} the box that two dense boxes share */
function overlapOf(a, b) {
  const first = a.first.map((index, i) => Math.max(index, b.first[i]));
  const counts = first.map((index, i) => Math.min(a.first[i] + a.counts[i], b.first[i] + b.counts[i]) - index);
  return denseBox(first, counts);
}

/** Finds where an element of the tensor lies in the memory of a box, by that memory's strides.
 * @type {(box: Box, strides: readonly number[], index: readonly number[]) => number} */
const placeIn = (box, strides, index) =>
  index.reduce((place, position, axis) => place + (position - box.first[axis]) * strides[axis], 0);

/** Runs of `length` bytes that repeat along outer axes, `counts` times. `first`, `start`: the first byte in the source
 * and in the data; `from`, `to`: the axes' strides there, in bytes.
 * @typedef {{ counts: readonly number[], length: number, first: number, start: number, from: readonly number[], to:
 *   readonly number[] }} ByteRuns */

/** Copies runs of whole bytes. In JavaScript, because the engine would keep a plan for each place, with views of all
 * its runs: 200 MB for a matrix of 1 GB.
 * @type {(runs: ByteRuns, source: Uint8Array, data: Uint8Array) => void} */
function copyRuns({ counts, length, first, start, from, to }, source, data) {
  const endOf = (/** @type {number} */ begin, /** @type {readonly number[]} */ strides) =>
    counts.reduce((sum, count, i) => sum + (count - 1) * strides[i], begin + length);
  checkMemory('read', source, endOf(first, from));
  checkMemory('written', data, endOf(start, to));
  const at = counts.map(() => 0);
  do {
    let [low, target] = [first, start];
    for (let i = 0; i < at.length; i++) {
      low += at[i] * from[i];
      target += at[i] * to[i];
    }
    if (length > shortRun) data.set(bytesBetween(source, low, low + length), target);
    else for (let i = 0; i < length; i++) data[target + i] = source[low + i];
  } while (advance(at, counts));
}
