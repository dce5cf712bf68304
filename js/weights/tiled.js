/** Makes several tensors of others tile by tile: packs weights, and unpacks them. */
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

/** The results after the first one, by the pass that makes it; complete once none of its elements are `left`.
 * @typedef {{ owner: Tiled, left: number, data: TensorData[] }} PassResults */

/** @type {WeakMap<Work, PassResults>} */
const resultsOfPass = new WeakMap();

/** @type {(index: number, unit: number) => number} */
const roundDown = (index, unit) => Math.floor(index / unit) * unit;

/** Tensors that are made of others tile by tile, in memory or when they are read. */
export class Tiled {
  /** @param {Tiling} tiling */
  constructor(tiling) {
    this.tiling = tiling;
  }

  /** Makes the results of sources in memory, all at once.
   * @type {(sources: readonly Uint8Array[]) => CheckedTensor[]} */
  whole(sources) {
    const { from, to, make } = this.tiling;
    const results = to.map(({ dtype, dims }) => newData(dtype, sizeOf(dims), undefined));
    for (const tile of this.tiles()) {
      const tiles = from.map((input, i) => {
        const box = boxOf(input, tile);
        const data = newData(input.dtype, sizeOf(box.counts), undefined);
        copyCommon(input.dtype.bits, wholeBox(input.dims), sources[i], box, data);
        return tensorOfBox(input, box, data);
      });
      make(tiles, dimsOf(tile)).forEach(({ data }, i) => place(to[i], tile, data, results[i]));
    }
    return to.map(({ dtype, dims }, i) => ({ dtype, dims: [...dims], size: sizeOf(dims), data: results[i] }));
  }

  /** Makes every tile and drops the results, for a `make` that collects what later passes need.
   * @type {(sources: readonly Elements[], work: Work, progress: (bytes: number) => void) => Promise<void>} */
  async pass(sources, work, progress) {
    const { from, make } = this.tiling;
    for (const tile of this.tiles()) {
      make(await this.read(sources, tile, work), dimsOf(tile));
      const bytes = from.map((input) => byteLengthOf({ dtype: input.dtype, dims: boxOf(input, tile).counts }));
      progress(bytes.reduce((sum, count) => sum + count, 0));
    }
  }

  /** Gives the results as elements, which are made when they are read. Their boxes must be dense.
   * @type {(sources: readonly Elements[]) => Elements[]} */
  elements(sources) {
    return this.tiling.to.map(({ dtype, dims, along = dims.length - 1, widest = dtype.bits }, index) => ({
      ...{ dtype, dims, along, widest },
      fill: (box, data, work) => this.fill(sources, index, box, data, work),
    }));
  }

  /** Writes a box of a result: from the memory of the pass, or by making the tiles that it lies over.
   * @type {(sources: readonly Elements[], index: number, box: Box, data: unknown, work: Work) => Promise<void>} */
  async fill(sources, index, box, data, work) {
    const { to, make } = this.tiling;
    const tensor = to[index];
    const results = this.resultsIn(work, index);
    if (results && index > 0) copyCommon(tensor.dtype.bits, wholeBox(tensor.dims), results.data[index], box, data);
    else
      for (const tile of this.tiles(this.region(tensor, box))) {
        const outputs = make(await this.read(sources, tile, work), dimsOf(tile));
        const count = copyCommon(tensor.dtype.bits, boxOf(tensor, tile), outputs[index].data, box, data);
        // Keep the other results of the tile for this pass.
        if (!results) continue;
        results.left -= count;
        for (let i = 1; i < to.length; i++) place(to[i], tile, outputs[i].data, results.data[i]);
      }
    clearTail(tensor.dtype.bits, sizeOf(box.counts), /** @type {Uint8Array} */ (data));
  }

  /** Gives the memory of a pass for the results after the first one, if they fit. Reading the first result fills it;
   * the others have it only once it is complete.
   * @type {(work: Work, index: number) => PassResults | undefined} */
  resultsIn(work, index) {
    const { to } = this.tiling;
    const known = resultsOfPass.get(work);
    if (known?.owner === this) return index === 0 || known.left === 0 ? known : undefined;
    if (index > 0 || to.length < 2) return undefined;
    resultsOfPass.delete(work);
    if (to.slice(1).reduce((sum, tensor) => sum + byteLengthOf(tensor), 0) > passBytes) return undefined;
    const data = to.map(({ dtype, dims }, i) => newData(dtype, i === 0 ? 0 : sizeOf(dims), undefined));
    const results = { owner: this, left: sizeOf(to[0].dims), data };
    resultsOfPass.set(work, results);
    return results;
  }

  /** Reads the part of each source under a tile.
   * @type {(sources: readonly Elements[], tile: Tile, work: Work) => Promise<CheckedTensor[]>} */
  async read(sources, tile, work) {
    work.signal?.throwIfAborted();
    const tiles = [];
    for (const [i, tensor] of this.tiling.from.entries()) {
      const box = boxOf(tensor, tile);
      const data = work.buffer(tensor, tensor.dtype, sizeOf(box.counts));
      await sources[i].fill(box, data, work);
      tiles.push(tensorOfBox(tensor, box, data));
    }
    return tiles;
  }

  /** Finds the part of the matrix under a box, in whole units.
   * @type {(tensor: Side, box: Box) => Tile} */
  region({ axes, steps }, { first, counts }) {
    const { dims, units } = this.tiling;
    const [rows, columns] = axes.map((axis, i) => {
      const from = roundDown(first[axis] * steps[i], units[i]);
      const to = roundDown((first[axis] + counts[axis]) * steps[i] + units[i] - 1, units[i]);
      return /** @type {Span} */ ([from, Math.min(dims[i], to)]);
    });
    return [rows, columns];
  }

  /** Yields the tiles of a region, of about 2^20 elements. A tile is as long as the region along one axis where at
   * least a unit of the other one fits.
   * @type {(region?: Tile) => Generator<Tile>} */
  *tiles(region = wholeTile(this.tiling.dims)) {
    const { units, isTall = false } = this.tiling;
    const [[top, bottom], [left, right]] = region;
    const [long, short] = isTall ? [0, 1] : [1, 0];
    const length = region[long][1] - region[long][0];
    const size = [0, 0];
    size[long] = Math.min(length, Math.max(units[long], roundDown(tileSize / units[short], units[long])));
    size[short] = Math.max(units[short], roundDown(tileSize / size[long], units[short]));
    for (let row = top; row < bottom; row += size[0])
      for (let column = left; column < right; column += size[1])
        yield [spanOf(row, bottom, size[0]), spanOf(column, right, size[1])];
  }
}

/** @type {(dims: readonly [number, number]) => Tile} */
const wholeTile = ([rows, columns]) => [spanOf(0, rows), spanOf(0, columns)];

/** @type {(from: number, end: number, maxLength?: number) => Span} */
const spanOf = (from, end, maxLength = Infinity) => [from, Math.min(end, from + maxLength)];

/** @type {(tile: Tile) => [rows: number, columns: number]} */
const dimsOf = ([rows, columns]) => [rows[1] - rows[0], columns[1] - columns[0]];

/** Gives the part of a tensor that lies over a tile.
 * @type {(tensor: Side, tile: Tile) => Box} */
function boxOf({ dims, axes, steps }, tile) {
  const first = dims.map(() => 0);
  const counts = [...dims];
  axes.forEach((axis, i) => {
    const [from, to] = tile[i];
    first[axis] = from / steps[i];
    counts[axis] = Math.ceil(to / steps[i]) - first[axis];
  });
  return denseBox(first, counts);
}

/** Copies a tile to its place in a result.
 * @type {(tensor: Side, tile: Tile, source: unknown, data: unknown) => number} */
const place = (tensor, tile, source, data) =>
  copyCommon(tensor.dtype.bits, boxOf(tensor, tile), source, wholeBox(tensor.dims), data);

/** @type {(tensor: Side, box: Box, data: unknown) => CheckedTensor} */
const tensorOfBox = ({ dtype }, { counts }, data) => ({ dtype, dims: [...counts], size: sizeOf(counts), data });

/** Copy runs of up to 20 bytes one by one: 3 times as fast for 16 as set(), but 1.4 times as slow for 24. */
const shortRun = 20;

/** Copies the intersection of two dense boxes, which is not empty, and gives its size.
 * @type {(bits: number, sourceBox: Box, source: TensorData, box: Box, data: TensorData) => number} */
function copyCommon(bits, sourceBox, source, box, data) {
  const low = sourceBox.first.map((index, i) => Math.max(index, box.first[i]));
  const extents = low.map(
    (index, i) => Math.min(sourceBox.first[i] + sourceBox.counts[i], box.first[i] + box.counts[i]) - index,
  );
  const [from, to] = [stridesOf(sourceBox.counts), stridesOf(box.counts)];
  const first = low.reduce((sum, index, i) => sum + (index - sourceBox.first[i]) * from[i], 0);
  const start = low.reduce((sum, index, i) => sum + (index - box.first[i]) * to[i], 0);
  let axis = extents.length - 1;
  // Merge an axis with the one inside it where both boxes have all of that.
  while (axis > 0 && extents[axis] === sourceBox.counts[axis] && extents[axis] === box.counts[axis]) axis--;
  const outer = extents.slice(0, axis);
  const run = sizeOf(extents, axis);
  const numbers = [first, start, run, ...from.slice(0, axis), ...to.slice(0, axis)];
  if (numbers.every((number) => (number * bits) % 8 === 0))
    copyRuns(bits, outer, numbers, bytesOf(source), bytesOf(data));
  else {
    ready();
    move(planFor(strided, bits, extents, [first, start, ...from, ...to]), [source], [data]);
  }
  return sizeOf(extents);
}

/** Copies runs of whole bytes along axes. `numbers`: both first elements, the length of a run, and the strides of the
 * axes around it. In JavaScript, because the engine would keep a plan for each place, with views of all its runs: 200
 * MB for a matrix of 1 GB.
 * @type {(bits: number, counts: readonly number[], numbers: readonly number[], source: Uint8Array, data: Uint8Array) =>
 *   void} */
function copyRuns(bits, counts, numbers, source, data) {
  const [first, start, length, ...strides] = numbers.map((number) => (number * bits) / 8);
  const last = (/** @type {number} */ begin, /** @type {readonly number[]} */ steps) =>
    counts.reduce((sum, count, i) => sum + (count - 1) * steps[i], begin + length);
  checkMemory('read', source, last(first, strides));
  checkMemory('written', data, last(start, strides.slice(counts.length)));
  const at = counts.map(() => 0);
  do {
    let [from, to] = [first, start];
    for (let i = 0; i < at.length; i++) {
      from += at[i] * strides[i];
      to += at[i] * strides[at.length + i];
    }
    if (length > shortRun) data.set(bytesBetween(source, from, from + length), to);
    else for (let i = 0; i < length; i++) data[to + i] = source[from + i];
  } while (advance(at, counts));
}
