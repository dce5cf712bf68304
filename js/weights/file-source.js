/** Elements that lie in a file or in memory: what the entries of a file are made of. */
import { bytesBetween, bytesOf } from '../arguments/index.js';
import { checkMemory } from '../engines/memory/index.js';
import { clearTail, stridesOf } from '../engines/tensors/index.js';
import { sizeOf } from '../tensor/index.js';
import { elementsInWholeBytes, runsOf, runStarts } from './boxes.js';
import { movePart } from './place.js';
import { swapBytes } from './swap.js';

/** @import { CheckedTensor, DType } from '../tensor/index.js' */
/** @import { Source } from './source.js' */
/** @import { Work } from './work.js' */
/** @import { Axis, Elements } from './types.js' */
/** @import { Runs } from './boxes.js' */
/** @import { TensorData } from '../tensor/types.js' */

/** The longest gap that is read with the parts around it: a read of its own takes as long as reading 16 KiB more. */
const maxGapBytes = 16 * 2 ** 10;
/** Most bytes of parts that are read together. */
const maxSpanBytes = 4 * 2 ** 20;

/** Elements of a box that are read together. `first`: where the first of them lies in the file; `strides`: those of the
 * axes in the file. All in elements.
 * @typedef {{ first: number, extents: readonly number[], strides: readonly number[] }} ReadSpan */

/** Elements in a file. */
export class FileSource {
  /** @param {DType} dtype
   * @param {readonly number[]} dims
   * @param {() => Promise<Source>} open
   * @param {number} startByte where the elements begin in the source
   * @param {number} [swapWidth] bytes of each number that is in the other byte order; 1 if none is */
  constructor(dtype, dims, open, startByte, swapWidth = 1) {
    this.dtype = dtype;
    this.dims = dims;
    this.open = open;
    this.startByte = startByte;
    this.swapWidth = swapWidth;
    this.widestBits = dtype.bits;
    this.contiguousAxis = dims.length - 1;
  }

  /** Reads the elements of a box to `data`. In the file they lie in runs, stretches of contiguous elements. Each run is
   * read straight to its place in `data`; or, where gaps between runs are short, spans of several runs with these gaps
   * are read, and the runs are moved out of them.
   * @type {Elements['readBox']} */
  async readBox(box, data, work) {
    const { bits } = this.dtype;
    const size = sizeOf(box.counts);
    if (size === 0) return;
    const source = await this.open();
    const runs = runsOf(this.dims, box);
    const areBytesWhole = beginAtBytes(runs, bits);
    const readable = areBytesWhole ? runs : singleElements(runs);
    const spanAxis = outermostSpanAxis(readable, bits);
    const hasSpans = spanAxis < readable.axes.length;
    if (areBytesWhole && !hasSpans) await this.readRuns(source, runs, data, work);
    else await this.readSpans(source, readable, spanAxis, data, work);
    // The last byte of a single run may hold bits of the elements after it.
    clearTail(bits, size, data);
    if (this.swapWidth > 1) swapBytes(bytesOf(data), this.swapWidth);
  }

  /** Reads each run straight to its place in `data`, where they follow one another. All runs begin at whole bytes.
   * @type {(source: Source, runs: Runs, data: TensorData, work: Work) => Promise<void>} */
  async readRuns(source, { start, runLength, axes }, data, work) {
    const { bits } = this.dtype;
    const target = bytesOf(data);
    const runBytes = (runLength * bits) / 8;
    let done = 0;
    for (const firstElement of runStarts(start, axes)) {
      // A single run may end within a byte.
      const end = Math.ceil(done + runBytes);
      checkMemory('written', target, end);
      const part = bytesBetween(target, done, end);
      await source.read(part, this.startByte + (firstElement * bits) / 8, work.signal);
      await work.pauseIfDue();
      done += runBytes;
    }
  }

  /** Reads spans of several runs, and moves the runs to `data`. A span has some rows: indices of the axis `spanAxis` of
   * `runs`, with all axes inside it. If there is no such axis, a span is one run.
   * @type {(source: Source, runs: Runs, spanAxis: number, data: TensorData, work: Work) => Promise<void>} */
  async readSpans(source, { start, runLength, axes }, spanAxis, data, work) {
    const { count, stride } = axes[spanAxis] ?? { count: 1, stride: 0 };
    const outer = axes.slice(0, spanAxis);
    const inner = axes.slice(spanAxis + 1);
    const rowExtents = [...inner.map((axis) => axis.count), runLength];
    const strides = [stride, ...inner.map((axis) => axis.stride), 1];
    const maxRows = rowsPerSpan(spanOf(inner, runLength), stride, this.dtype.bits);
    let done = 0;
    for (const firstRow of runStarts(start, outer)) {
      for (let row = 0; row < count; row += maxRows) {
        const extents = [Math.min(maxRows, count - row), ...rowExtents];
        await this.readSpan(source, { first: firstRow + row * stride, extents, strides }, data, done, work);
        done += sizeOf(extents);
      }
    }
  }

  /** Reads a span and the gaps between its runs, and moves its elements to `data`, from element `start` on.
   * @type {(source: Source, span: ReadSpan, data: TensorData, start: number, work: Work) => Promise<void>} */
  async readSpan(source, { first, extents, strides }, data, start, work) {
    const { dtype } = this;
    const { bits } = dtype;
    // Strides may be negative, and then the first element of the box is not the lowest one in the file.
    let lowest = first;
    let highest = first;
    extents.forEach((extent, axis) => {
      const toLastIndex = (extent - 1) * strides[axis];
      if (toLastIndex < 0) lowest += toLastIndex;
      else highest += toLastIndex;
    });
    // The read begins at a whole byte, and so it may take in some elements before the lowest one.
    const readStart = lowest - (lowest % elementsInWholeBytes(bits));
    const readLength = highest + 1 - readStart;
    const memory = bytesOf(work.bufferFor(this, dtype, readLength));
    const target = bytesBetween(memory, 0, Math.ceil((readLength * bits) / 8));
    await source.read(target, this.startByte + (readStart * bits) / 8, work.signal);
    await work.pauseIfDue();
    const span = { data: memory, start: first - readStart, strides };
    movePart(dtype, extents, span, { data: bytesOf(data), start, strides: stridesOf(extents) });
  }
}

/** Whether all runs begin at whole bytes, in the file and in the result, where they follow one another. A single run
 * may end within a byte.
 * @type {(runs: Runs, bits: number) => boolean} */
function beginAtBytes({ start, runLength, axes }, bits) {
  const isSingle = axes.length === 0;
  const distancesInFile = axes.map(({ stride }) => stride);
  const distanceInResult = runLength;
  const lengths = isSingle ? [start] : [start, ...distancesInFile, distanceInResult];
  return lengths.every((elements) => elements % elementsInWholeBytes(bits) === 0);
}

/** Splits runs into runs of one element each, along one more axis, so that a span may begin and end within a run.
 * Needed for runs that begin within a byte: they cannot be read straight to their place, however long they are.
 * @type {(runs: Runs) => Runs} */
const singleElements = ({ start, runLength, axes }) => ({
  start,
  runLength: 1,
  axes: runLength > 1 ? [...axes, { count: runLength, stride: 1 }] : axes,
});

/** Counts the elements from the lowest to the highest one of runs of `runLength` elements that repeat along axes.
 * @type {(axes: readonly Axis[], runLength: number) => number} */
const spanOf = (axes, runLength) =>
  axes.reduce((sum, { count, stride }) => sum + (count - 1) * Math.abs(stride), runLength);

/** Finds the outermost axis along which runs are read together; gives the number of axes if there is none. From the
 * innermost axis outward, an axis joins while the gap between two of its neighbors is at most 16 KiB, and one neighbor,
 * with all axes inside it, spans at most 4 MiB.
 * @type {(runs: Runs, bits: number) => number} */
function outermostSpanAxis({ runLength, axes }, bits) {
  let span = runLength;
  for (let axis = axes.length - 1; axis >= 0; axis--) {
    const gap = Math.abs(axes[axis].stride) - span;
    const gapBytes = (gap * bits) / 8;
    const spanBytes = (span * bits) / 8;
    if (gapBytes > maxGapBytes || spanBytes > maxSpanBytes) return axis + 1;
    span = spanOf([axes[axis]], span);
  }
  return 0;
}

/** Counts the rows that fit into a span, one at least. A row spans `rowSpan` elements, and begins `stride` elements
 * after the one before; 0: there is one row.
 * @type {(rowSpan: number, stride: number, bits: number) => number} */
function rowsPerSpan(rowSpan, stride, bits) {
  if (stride === 0) return 1;
  const maxElements = (8 * maxSpanBytes) / bits;
  return 1 + Math.max(0, Math.floor((maxElements - rowSpan) / Math.abs(stride)));
}

/** Makes elements whose boxes are copied out of the data of a tensor in memory.
 * @type {(tensor: Pick<CheckedTensor, 'dtype' | 'dims' | 'data'>) => Elements} */
export const memorySource = ({ dtype, dims, data: heldData }) => ({
  dtype,
  dims,
  widestBits: dtype.bits,
  contiguousAxis: dims.length - 1,
  async readBox({ first, counts, steps }, data) {
    if (sizeOf(counts) === 0) return;
    const strides = stridesOf(dims);
    const start = first.reduce((sum, index, axis) => sum + index * strides[axis], 0);
    const boxStrides = strides.map((stride, axis) => stride * steps[axis]);
    const held = { data: heldData, start, strides: boxStrides };
    movePart(dtype, counts, held, { data, start: 0, strides: stridesOf(counts) });
    // Moves of packed elements keep the bits after the last one. Strings have 0 bits, so nothing is cleared.
    clearTail(dtype.bits, sizeOf(counts), data);
  },
});

/** Makes elements that can be read only all together: `load` reads them once a pass, at its first box, and `work` keeps
 * them until the pass is at the next entry.
 * @type {(dtype: DType, dims: number[], load: (work: Work) => Promise<TensorData>) => Elements} */
export function elementsByLoading(dtype, dims, load) {
  /** @type {Elements} */
  const elements = {
    dtype,
    dims,
    widestBits: dtype.bits,
    contiguousAxis: dims.length - 1,
    async readBox(box, data, work) {
      const held = await work.cached(elements, async () => memorySource({ dtype, dims, data: await load(work) }));
      await held.readBox(box, data, work);
    },
  };
  return elements;
}
