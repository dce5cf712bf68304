/** Tensors that are made of others tile by tile, several at a time: packed weights, and weights that are unpacked. */
import { bytesBetween, bytesOf } from '../arguments/index.js';
import { advance, checkMemory, clearTail, move, planFor, ready, strided, stridesOf } from '../engines/tensors/index.js';
import { newData, sizeOf } from '../tensor/index.js';
import { denseBox, wholeBox } from './boxes.js';
import { byteLengthOf } from './entry.js';

/** @import { CheckedTensor } from '../tensor/index.js' */
/** @import { Work } from './work.js' */
/** @import { Box, Elements, Side, Tiling } from './types.js' */

/** @typedef {readonly [from: number, to: number]} Span */
/** @typedef {readonly [rows: Span, columns: Span]} Tile */

/** Most elements of a tile: 4 MiB of float32. Intermediate results have about three times as many bytes. */
const tileSize = 2 ** 20;
/** Most bytes of what is kept of one pass over a matrix, so that its scales need no other one. */
const keptBytes = 16 * 2 ** 20;

/** The other results of a matrix, by the pass that made its first one. Without it quantizing takes twice as long
 * (measured).
 * @type {WeakMap<Work, { owner: Tiled, left: number, data: any[] }>} */
const keptBy = new WeakMap();

/** @type {(index: number, unit: number) => number} */
const down = (index, unit) => Math.floor(index / unit) * unit;

/** Tensors that are made of others tile by tile. */
export class Tiled {
  /** @param {Tiling} tiling */
  constructor(tiling) {
    this.tiling = tiling;
  }

  /** @type {(sources: readonly Uint8Array[]) => CheckedTensor[]} */
  whole(sources) {
    const { from, to, make } = this.tiling;
    const results = to.map(({ dtype, dims }) => newData(dtype, sizeOf(dims), undefined));
    for (const tile of this.tiles()) {
      const parts = from.map((side, i) => {
        const box = boxOf(side, tile);
        const data = newData(side.dtype, sizeOf(box.counts), undefined);
        copyCommon(side.dtype.bits, wholeBox(side.dims), sources[i], box, data);
        return partsOf(side, box, data);
      });
      make(parts, dimsOf(tile)).forEach(({ data }, i) => place(to[i], tile, data, results[i]));
    }
    return to.map(({ dtype, dims }, i) => ({ dtype, dims: [...dims], size: sizeOf(dims), data: results[i] }));
  }

  /** Makes everything and keeps nothing.
   * @type {(sources: readonly Elements[], work: Work, progress: (bytes: number) => void) => Promise<void>} */
  async pass(sources, work, progress) {
    const { from, make } = this.tiling;
    for (const tile of this.tiles()) {
      make(await this.read(sources, tile, work), dimsOf(tile));
      const bytes = from.map((side) => byteLengthOf({ dtype: side.dtype, dims: boxOf(side, tile).counts }));
      progress(bytes.reduce((sum, count) => sum + count, 0));
    }
  }

  /** @type {(sources: readonly Elements[]) => Elements[]} Made when they are read. Their boxes must be dense. */
  elements(sources) {
    return this.tiling.to.map(({ dtype, dims, along = dims.length - 1, widest = dtype.bits }, index) => ({
      ...{ dtype, dims, along, widest },
      fill: (box, data, work) => this.fill(sources, index, box, data, work),
    }));
  }

  /** @type {(sources: readonly Elements[], index: number, box: Box, data: any, work: Work) => Promise<void>} */
  async fill(sources, index, box, data, work) {
    const { to, make } = this.tiling;
    const side = to[index];
    const kept = this.kept(index, work);
    if (kept && index > 0) copyCommon(side.dtype.bits, wholeBox(side.dims), kept.data[index], box, data);
    else
      for (const tile of this.tiles(this.region(side, box))) {
        const results = make(await this.read(sources, tile, work), dimsOf(tile));
        const count = copyCommon(side.dtype.bits, boxOf(side, tile), results[index].data, box, data);
        if (!kept) continue;
        kept.left -= count;
        for (let i = 1; i < to.length; i++) place(to[i], tile, results[i].data, kept.data[i]);
      }
    clearTail(side.dtype.bits, sizeOf(box.counts), data);
  }

  /** The memory for the results after the first one. It is whole when the first one is.
   * @type {(index: number, work: Work) => { owner: Tiled, left: number, data: any[] } | undefined} */
  kept(index, work) {
    const { to } = this.tiling;
    const known = keptBy.get(work);
    if (known?.owner === this) return index === 0 || known.left === 0 ? known : undefined;
    if (index > 0 || to.length < 2) return undefined;
    keptBy.delete(work);
    if (to.slice(1).reduce((sum, side) => sum + byteLengthOf(side), 0) > keptBytes) return undefined;
    const data = to.map(({ dtype, dims }, i) => newData(dtype, i === 0 ? 0 : sizeOf(dims), undefined));
    const kept = { owner: this, left: sizeOf(to[0].dims), data };
    keptBy.set(work, kept);
    return kept;
  }

  /** @type {(sources: readonly Elements[], tile: Tile, work: Work) => Promise<CheckedTensor[]>} */
  async read(sources, tile, work) {
    work.signal?.throwIfAborted();
    const parts = [];
    for (const [i, side] of this.tiling.from.entries()) {
      const box = boxOf(side, tile);
      const data = work.buffer(side, side.dtype, sizeOf(box.counts));
      await sources[i].fill(box, data, work);
      parts.push(partsOf(side, box, data));
    }
    return parts;
  }

  /** @type {(side: Side, box: Box) => Tile} the part of the matrix that a box is made of, in whole units */
  region({ axes, steps }, { first, counts }) {
    const { dims, units } = this.tiling;
    const [rows, columns] = axes.map((axis, i) => {
      const from = down(first[axis] * steps[i], units[i]);
      const to = down((first[axis] + counts[axis]) * steps[i] + units[i] - 1, units[i]);
      return /** @type {Span} */ ([from, Math.min(dims[i], to)]);
    });
    return [rows, columns];
  }

  /** A tile is as long as the region along one axis, if the other one has room for a unit then.
   * @type {(region?: Tile) => Generator<Tile>} */
  *tiles(region = wholeTile(this.tiling.dims)) {
    const { units, isTall = false } = this.tiling;
    const [[top, bottom], [left, right]] = region;
    const [long, short] = isTall ? [0, 1] : [1, 0];
    const length = region[long][1] - region[long][0];
    const size = [0, 0];
    size[long] = Math.min(length, Math.max(units[long], down(tileSize / units[short], units[long])));
    size[short] = Math.max(units[short], down(tileSize / size[long], units[short]));
    for (let row = top; row < bottom; row += size[0])
      for (let column = left; column < right; column += size[1])
        yield [spanOf(row, bottom, size[0]), spanOf(column, right, size[1])];
  }
}

/** @type {(dims: readonly [number, number]) => Tile} */
const wholeTile = ([rows, columns]) => [spanOf(0, rows), spanOf(0, columns)];

/** @type {(from: number, end: number, most?: number) => Span} */
const spanOf = (from, end, most = Infinity) => [from, Math.min(end, from + most)];

/** @type {(tile: Tile) => [rows: number, columns: number]} */
const dimsOf = ([rows, columns]) => [rows[1] - rows[0], columns[1] - columns[0]];

/** @type {(side: Side, tile: Tile) => Box} the part of a tensor that lies over a tile */
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

/** @type {(side: Side, tile: Tile, source: any, data: any) => number} Copies a tile to its place in a whole tensor. */
const place = (side, tile, source, data) =>
  copyCommon(side.dtype.bits, boxOf(side, tile), source, wholeBox(side.dims), data);

/** @type {(side: Side, box: Box, data: any) => CheckedTensor} */
const partsOf = ({ dtype }, { counts }, data) => ({ dtype, dims: [...counts], size: sizeOf(counts), data });

/** Longer runs, in bytes, are copied by the engine of JavaScript, shorter ones byte by byte: 3 times as fast for runs
 * of 16, 1.4 times as slow for 24 and 2.3 times for 64 (measured). */
const shortRun = 20;

/** Copies the intersection of two dense boxes, which is not empty, and gives its size.
 * @type {(bits: number, own: Box, source: any, box: Box, data: any) => number} */
function copyCommon(bits, own, source, box, data) {
  const low = own.first.map((index, i) => Math.max(index, box.first[i]));
  const extents = low.map((index, i) => Math.min(own.first[i] + own.counts[i], box.first[i] + box.counts[i]) - index);
  const [from, to] = [stridesOf(own.counts), stridesOf(box.counts)];
  const first = low.reduce((sum, index, i) => sum + (index - own.first[i]) * from[i], 0);
  const start = low.reduce((sum, index, i) => sum + (index - box.first[i]) * to[i], 0);
  let axis = extents.length - 1;
  // An axis goes on where the one inside it ends, if both boxes have no more of that.
  while (axis > 0 && extents[axis] === own.counts[axis] && extents[axis] === box.counts[axis]) axis--;
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

/** @type {(bits: number, counts: readonly number[], numbers: readonly number[], source: Uint8Array, data: Uint8Array)
 *   => void} The engine would keep a plan for each place, with views of all its runs: 200 MB for a matrix of 1 GB.
 *   `numbers`: both first elements, the length of a run, and the strides of the axes around it. */
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
