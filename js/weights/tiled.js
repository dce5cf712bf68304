/** Makes several tensors of others tile by tile: packs weights, and unpacks them. All of these tensors lie over one
 * matrix: an index of two of their axes stands for some rows or columns of it. A tile is a rectangle of that matrix. */
import { clearTail } from '../engines/tensors/index.js';
import { newData, sizeOf } from '../tensor/index.js';
import { denseBox, wholeBox } from './boxes.js';
import { copyOverlap } from './overlap.js';
import { byteLengthOf } from './pieces.js';

/** @import { CheckedTensor, Tensor } from '../tensor/index.js' */
/** @import { BoxInMemory } from './overlap.js' */
/** @import { Work } from './work.js' */
/** @import { Box, Elements, MatrixTensor, Tiling } from './types.js' */
/** @import { TensorData } from '../tensor/types.js' */

/** The indices from `from` up to before `to`. @typedef {{ from: number, to: number }} Span */
/** @typedef {{ rows: Span, columns: Span }} Tile */

/** Elements of a tile: 4 MiB of float32. Intermediate results have about three times as many bytes. */
const tileSize = 2 ** 20;
/** Keep up to 16 MiB of scales and zero points, so that saving reads the matrix once, in half the time. */
const maxKeptBytes = 16 * 2 ** 20;

/** The results that a pass keeps, those of `owner`: all but the first one, which is read while they are made. `data`
 * has an item for each result, empty for the first. `missing`: how many elements of the first result are still to be
 * made; the kept results are complete when that is 0.
 * @typedef {{ owner: Tiled, missing: number, data: TensorData[] }} KeptResults */

/** The results that each pass keeps: those of one Tiled at a time. @type {WeakMap<Work, KeptResults>} */
const keptResults = new WeakMap();

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
    const results = to.map(({ dtype, dims }) => newData(dtype, sizeOf(dims)));
    for (const tile of this.tiles()) {
      const sourceParts = from.map((input, i) => {
        const box = boxOverTile(input, tile);
        const data = newData(input.dtype, sizeOf(box.counts));
        copyOverlap(input.dtype, { box: wholeBox(input.dims), data: sources[i] }, { box, data });
        return tensorOfBox(input, box, data);
      });
      make(sourceParts, dimsOf(tile)).forEach((part, i) => writeTile(to[i], tile, part, results[i]));
    }
    return to.map(({ dtype, dims }, i) => ({ dtype, dims: [...dims], size: sizeOf(dims), data: results[i] }));
  }

  /** Makes every tile and drops the results, for a `make` that collects what later passes need, such as a sum of
   * errors. `progress` gets the bytes of the sources under each tile, once it is made.
   * @type {(sources: readonly Elements[], work: Work, progress: (bytes: number) => void) => Promise<void>} */
  async dryRun(sources, work, progress) {
    const { from, make } = this.tiling;
    for (const tile of this.tiles()) {
      make(await this.readTile(sources, tile, work), dimsOf(tile));
      let bytes = 0;
      for (const input of from) bytes += byteLengthOf({ dtype: input.dtype, dims: boxOverTile(input, tile).counts });
      progress(bytes);
    }
  }

  /** Gives each result, as codes and then their scales, as elements that are made when they are read. A tile makes its
   * part of all results at once: so reading the first one, which is written to the file first, keeps the others, and
   * reading these copies what was kept. Only boxes whose steps are 1 can be read.
   * @type {(sources: readonly Elements[]) => Elements[]} */
  elements(sources) {
    return this.tiling.to.map((result, index) => {
      const { dtype, dims } = result;
      const isFirst = index === 0;
      const lastAxis = dims.length - 1;
      return {
        dtype,
        dims,
        contiguousAxis: result.contiguousAxis ?? lastAxis,
        widestBits: result.widestBits ?? dtype.bits,
        readBox: (box, data, work) =>
          isFirst ? this.readFirst(sources, { box, data }, work) : this.readOther(sources, index, { box, data }, work),
      };
    });
  }

  /** Fills a box of the first result. Keeps the other results of the tiles that this takes for the rest of the pass, if
   * there is memory for them.
   * @type {(sources: readonly Elements[], target: BoxInMemory, work: Work) => Promise<void>} */
  async readFirst(sources, target, work) {
    const { to } = this.tiling;
    const memory = this.memoryForOthers(work);
    for await (const { tile, results } of this.makeTiles(sources, 0, target.box, work)) {
      const count = copyFromTile(to[0], tile, results[0], target);
      if (!memory) continue;
      // A pass reads each element of the first result once.
      memory.missing -= count;
      for (let i = 1; i < to.length; i++) writeTile(to[i], tile, results[i], memory.data[i]);
    }
    clearTailOf(to[0], target);
  }

  /** Fills a box of the result `index`, which is not the first: copies what the pass has kept, or else makes the tiles
   * again.
   * @type {(sources: readonly Elements[], index: number, target: BoxInMemory, work: Work) => Promise<void>} */
  async readOther(sources, index, target, work) {
    const tensor = this.tiling.to[index];
    const complete = this.completeResults(work);
    if (complete) copyOverlap(tensor.dtype, { box: wholeBox(tensor.dims), data: complete.data[index] }, target);
    else
      for await (const { tile, results } of this.makeTiles(sources, index, target.box, work))
        copyFromTile(tensor, tile, results[index], target);
    clearTailOf(tensor, target);
  }

  /** Makes the tiles under a box of the result `index`: yields each with all its results.
   * @type {(sources: readonly Elements[], index: number, box: Box, work: Work) => AsyncGenerator<{ tile: Tile, results:
   *   Tensor[] }>} */
  async *makeTiles(sources, index, box, work) {
    const { to, make } = this.tiling;
    for (const tile of this.tiles(this.regionUnder(to[index], box)))
      yield { tile, results: make(await this.readTile(sources, tile, work), dimsOf(tile)) };
  }

  /** Gives the memory in which a pass that reads the first result keeps the others, because a tile gives all at once.
   * The first request makes it. Undefined if there are no others, or if they exceed 16 MiB.
   * @type {(work: Work) => KeptResults | undefined} */
  memoryForOthers(work) {
    const [first, ...others] = this.tiling.to;
    const current = keptResults.get(work);
    if (current?.owner === this) return current;
    if (others.length === 0) return undefined;
    // The pass is done with the Tiled whose results it has kept so far.
    keptResults.delete(work);
    const bytes = others.reduce((sum, tensor) => sum + byteLengthOf(tensor), 0);
    if (bytes > maxKeptBytes) return undefined;
    const data = [newData(first.dtype, 0), ...others.map(({ dtype, dims }) => newData(dtype, sizeOf(dims)))];
    const memory = { owner: this, missing: sizeOf(first.dims), data };
    keptResults.set(work, memory);
    return memory;
  }

  /** Gives the results that a pass keeps; undefined until it has read all of the first result, which completes them.
   * @type {(work: Work) => KeptResults | undefined} */
  completeResults(work) {
    const current = keptResults.get(work);
    return current?.owner === this && current.missing === 0 ? current : undefined;
  }

  /** Reads the part of each source under a tile, to memory that the next tile uses again.
   * @type {(sources: readonly Elements[], tile: Tile, work: Work) => Promise<CheckedTensor[]>} */
  async readTile(sources, tile, work) {
    work.signal?.throwIfAborted();
    const sourceParts = [];
    for (const [i, tensor] of this.tiling.from.entries()) {
      const box = boxOverTile(tensor, tile);
      const data = work.bufferFor(tensor, tensor.dtype, sizeOf(box.counts));
      await sources[i].readBox(box, data, work);
      sourceParts.push(tensorOfBox(tensor, box, data));
    }
    return sourceParts;
  }

  /** Finds the rows and columns of the matrix that a box of a tensor stands for, rounded outward to multiples of
   * `units`, because tiles begin at these.
   * @type {(tensor: MatrixTensor, box: Box) => Tile} */
  regionUnder(tensor, { first, counts }) {
    const [height, width] = this.tiling.dims;
    const [rowUnit, columnUnit] = this.tiling.units;
    const [rowAxis, columnAxis] = tensor.axes;
    const [rowsPerIndex, columnsPerIndex] = tensor.steps;
    /** Gives the rows or columns, of `end` in all, under the box's indices of an axis, each of which stands for `step`.
     * @type {(axis: number, step: number, unit: number, end: number) => Span} */
    const spanUnder = (axis, step, unit, end) => ({
      from: roundDown(first[axis] * step, unit),
      to: Math.min(end, roundUp((first[axis] + counts[axis]) * step, unit)),
    });
    return {
      rows: spanUnder(rowAxis, rowsPerIndex, rowUnit, height),
      columns: spanUnder(columnAxis, columnsPerIndex, columnUnit, width),
    };
  }

  /** Yields the tiles of a region of the matrix, of about 2^20 elements. A tile is as wide as the region, or as high
   * as it if `isTall`, unless that leaves less than a unit for the tile's other extent.
   * @type {(region?: Tile) => Generator<Tile>} */
  *tiles(region = wholeTile(this.tiling.dims)) {
    const { units, isTall = false } = this.tiling;
    const [rowUnit, columnUnit] = units;
    const [regionHeight, regionWidth] = dimsOf(region);
    const { long, short } = isTall
      ? tileExtents(regionHeight, rowUnit, columnUnit)
      : tileExtents(regionWidth, columnUnit, rowUnit);
    const height = isTall ? long : short;
    const width = isTall ? short : long;
    for (const rows of cutSpan(region.rows, height))
      for (const columns of cutSpan(region.columns, width)) yield { rows, columns };
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
const wholeTile = ([height, width]) => ({ rows: { from: 0, to: height }, columns: { from: 0, to: width } });

/** Cuts a span into spans of `length` indices; the last one may be shorter.
 * @type {(span: Span, length: number) => Generator<Span>} */
function* cutSpan({ from, to }, length) {
  for (let start = from; start < to; start += length) yield { from: start, to: Math.min(to, start + length) };
}

/** @type {(tile: Tile) => [height: number, width: number]} */
const dimsOf = ({ rows, columns }) => [rows.to - rows.from, columns.to - columns.from];

/** Gives the box of a tensor that lies over a tile: those indices of its row and column axes that stand for rows and
 * columns of the tile, and all indices of its other axes. A tile begins at multiples of the steps, because these divide
 * the tiling's units. The last index may stand for fewer rows or columns than its step, hence ceil.
 * @type {(tensor: MatrixTensor, tile: Tile) => Box} */
function boxOverTile({ dims, axes, steps }, tile) {
  const [rowAxis, columnAxis] = axes;
  const [rowsPerIndex, columnsPerIndex] = steps;
  const first = dims.map(() => 0);
  const counts = [...dims];
  /** Gives the box those indices of an axis that stand for a span of rows or columns, `step` an index.
   * @type {(axis: number, span: Span, step: number) => void} */
  const setAxis = (axis, { from, to }, step) => {
    first[axis] = from / step;
    counts[axis] = Math.ceil(to / step) - first[axis];
  };
  setAxis(rowAxis, tile.rows, rowsPerIndex);
  setAxis(columnAxis, tile.columns, columnsPerIndex);
  return denseBox(first, counts);
}

/** Copies what a box of a tensor shares with a tile, of which `result` is that tensor's part; gives the number of
 * elements.
 * @type {(tensor: MatrixTensor, tile: Tile, result: Tensor, target: BoxInMemory) => number} */
const copyFromTile = (tensor, tile, result, target) =>
  copyOverlap(tensor.dtype, { box: boxOverTile(tensor, tile), data: result.data }, target);

/** Writes `result`, the part of a tensor over a tile, to its place in `data`, which holds the whole tensor.
 * @type {(tensor: MatrixTensor, tile: Tile, result: Tensor, data: TensorData) => void} */
function writeTile(tensor, tile, result, data) {
  copyFromTile(tensor, tile, result, { box: wholeBox(tensor.dims), data });
}

/** Clears the bits behind the last packed element of a box.
 * @type {(tensor: MatrixTensor, target: BoxInMemory) => void} */
const clearTailOf = ({ dtype }, { box, data }) => clearTail(dtype.bits, sizeOf(box.counts), data);

/** @type {(tensor: MatrixTensor, box: Box, data: unknown) => CheckedTensor} */
const tensorOfBox = ({ dtype }, { counts }, data) => ({ dtype, dims: [...counts], size: sizeOf(counts), data });
