/** Elements that lie in a file or in memory: what the entries of a file are made of. */
import { bytesBetween, bytesOf } from '../arguments/index.js';
import { checkMemory } from '../engines/memory/index.js';
import { clearTail, ready, strided, stridesOf } from '../engines/tensors/index.js';
import { moveElements } from '../operators/internal.js';
import { sizeOf } from '../tensor/index.js';
import { runsOf, runStarts, wholeBytes } from './boxes.js';
import { swapBytes } from './swap.js';

/** @import { CheckedTensor, DType } from '../tensor/index.js' */
/** @import { Source } from './source.js' */
/** @import { Work } from './work.js' */
/** @import { Axis, Elements } from './types.js' */
/** @import { TensorData } from '../tensor/types.js' */

/** Bytes. Parts of a file that are so near are read with what lies between them: a read of its own takes as long as
 * reading 16 KiB more. */
const nearBytes = 16 * 2 ** 10;
/** Most bytes of parts that are read together. */
const maxBytes = 4 * 2 ** 20;

/** Elements in a file. */
export class FileSource {
  /** @param {DType} dtype
   * @param {readonly number[]} dims
   * @param {() => Promise<Source>} open
   * @param {number} start where the elements begin in the source, in bytes
   * @param {number} [swap] bytes of a number in the other byte order; 1 if omitted */
  constructor(dtype, dims, open, start, swap = 1) {
    this.dtype = dtype;
    this.dims = dims;
    this.open = open;
    this.start = start;
    this.swap = swap;
    this.widest = dtype.bits;
    this.along = dims.length - 1;
  }

  /** Reads the elements of a box. It lies in the file in runs, stretches of contiguous elements. Each is read straight
   * to its place in `data`; or, where gaps between runs are short, spans of several runs with these gaps are read, and
   * the runs are moved out of them.
   * @type {Elements['fill']} */
  async fill(box, data, work) {
    const { bits } = this.dtype;
    const size = sizeOf(box.counts);
    if (size === 0) return;
    const source = await this.open();
    const runs = runsOf(this.dims, box);
    const { start, run, axes } = runs;
    // Packed runs that begin within a byte can only be moved by the engine. For it the run becomes an axis of single
    // elements, so that a span may hold a part of it. A single run may end within a byte, so its length does not
    // matter.
    const places = axes.length === 0 ? [start] : [start, run, ...axes.map(({ stride }) => stride)];
    const areBytesWhole = places.every((count) => count % wholeBytes(bits) === 0);
    const plan = areBytesWhole ? runs : { start, run: 1, axes: run > 1 ? [...axes, { count: run, stride: 1 }] : axes };
    const cut = cutSpans(plan, bits);
    const hasSpans = cut < axes.length;
    if (areBytesWhole && !hasSpans) await this.readRuns(source, runs, data, work);
    else await this.readSpans(source, plan, cut, data, work);
    // The last byte of a single run may hold bits of the elements after it.
    clearTail(bits, size, data);
    if (this.swap > 1) swapBytes(bytesOf(data), this.swap);
  }

  /** Reads each run straight to its place in `data`, where they follow one another. All runs begin at whole bytes.
   * @type {(source: Source, runs: ReturnType<typeof runsOf>, data: TensorData, work: Work) => Promise<void>} */
  async readRuns(source, { start, run, axes }, data, work) {
    const { bits } = this.dtype;
    const target = bytesOf(data);
    const bytes = (run * bits) / 8;
    let done = 0;
    for (const element of runStarts(start, axes)) {
      // A single run may end within a byte.
      const end = Math.ceil(done + bytes);
      checkMemory('written', target, end);
      const part = bytesBetween(target, done, end);
      await source.read(part, this.start + (element * bits) / 8, work.signal);
      await work.pause();
      done += bytes;
    }
  }

  /** Reads spans of several runs and the gaps between them, and moves the runs to `data`. A span holds some indices of
   * the axis `cut`, with all axes inside it; the axes outside it are gone through index by index. Without an axis
   * `cut`, a span is one run.
   * @type {(source: Source, runs: ReturnType<typeof runsOf>, cut: number, data: TensorData, work: Work) =>
   *   Promise<void>} */
  async readSpans(source, { start, run, axes }, cut, data, work) {
    // The engine moves the runs.
    ready();
    const { dtype } = this;
    const { bits } = dtype;
    const inner = axes.slice(cut + 1);
    const innerSpan = spanOf(inner, run);
    const { count, stride } = axes[cut] ?? { count: 1, stride: 0 };
    // A row has the box's elements at one index of the axis. The first row of a span takes `innerSpan` elements of the
    // file, each further one `stride`; so many rows fit into `maxBytes`, but one at least. The stride is 0 without an
    // axis `cut`.
    const perSpan =
      stride === 0 ? 1 : 1 + Math.max(0, Math.floor(((8 * maxBytes) / bits - innerSpan) / Math.abs(stride)));
    const rowSize = sizeOf(inner.map((axis) => axis.count)) * run;
    const strides = [stride, ...inner.map((axis) => axis.stride), 1];
    let done = 0;
    for (const base of runStarts(start, axes.slice(0, cut))) {
      for (let index = 0; index < count; index += perSpan) {
        const rows = Math.min(perSpan, count - index);
        const extents = [rows, ...inner.map((axis) => axis.count), run];
        // The span's first element in the order of the box.
        const zero = base + index * stride;
        // A span begins at its lowest element, because strides may be negative, and at a whole byte.
        const low = extents.reduce((sum, extent, i) => sum + Math.min(0, (extent - 1) * strides[i]), zero);
        const span = innerSpan + (rows - 1) * Math.abs(stride);
        // Elements that are read before the lowest one, so that the read begins at a whole byte.
        const phase = low % wholeBytes(bits);
        const bytes = work.buffer(this, dtype, span + phase);
        const memory = bytesOf(bytes);
        const from = this.start + ((low - phase) * bits) / 8;
        await source.read(bytesBetween(memory, 0, Math.ceil(((span + phase) * bits) / 8)), from, work.signal);
        await work.pause();
        // The first element in `memory` and in `data`, then the strides in both.
        const numbers = [zero - low + phase, done, ...strides, ...stridesOf(extents)];
        moveElements(dtype, strided, extents, numbers, [memory], [bytesOf(data)]);
        done += rows * rowSize;
      }
    }
  }
}

/** Counts the elements from the lowest to the highest one of runs that repeat along axes, with the gaps between them.
 * @type {(axes: readonly Axis[], run: number) => number} */
const spanOf = (axes, run) => axes.reduce((sum, { count, stride }) => sum + (count - 1) * Math.abs(stride), run);

/** Finds the outermost axis along which runs are read together; gives the number of axes if there is none. From the
 * innermost axis outward, an axis joins while the gap between two of its neighbors is at most 16 KiB, and one neighbor,
 * with all axes inside it, spans at most 4 MiB.
 * @type {(runs: ReturnType<typeof runsOf>, bits: number) => number} */
function cutSpans({ run, axes }, bits) {
  let cut = axes.length;
  let span = run;
  while (cut > 0 && ((Math.abs(axes[cut - 1].stride) - span) * bits) / 8 <= nearBytes && (span * bits) / 8 <= maxBytes)
    span = spanOf([axes[--cut]], span);
  return cut;
}

/** Makes the elements of a tensor in memory.
 * @type {(tensor: Pick<CheckedTensor, 'dtype' | 'dims' | 'data'>) => Elements} */
export const memorySource = ({ dtype, dims, data: held }) => ({
  dtype,
  dims,
  widest: dtype.bits,
  along: dims.length - 1,
  /** Copies a box of the tensor to `data`. */
  async fill({ first, counts, steps }, data) {
    if (sizeOf(counts) === 0) return;
    const strides = stridesOf(dims);
    const start = first.reduce((sum, index, i) => sum + index * strides[i], 0);
    // The first element in the tensor and in `data`, then the strides in both.
    const numbers = [start, 0, ...strides.map((stride, i) => stride * steps[i]), ...stridesOf(counts)];
    // Strings, which an Array holds, never enter the module.
    if (dtype.array !== 'Array') ready();
    moveElements(dtype, strided, counts, numbers, [held], [data]);
    // Moves of packed elements keep the bits after the last one. Strings have 0 bits, so nothing is cleared.
    clearTail(dtype.bits, sizeOf(counts), data);
  },
});

/** Makes elements that can be read only all together: `load` reads them once a pass, at the first box, and the pass
 * keeps them.
 * @type {(dtype: DType, dims: number[], load: (work: Work) => Promise<TensorData>) => Elements} */
export function parsed(dtype, dims, load) {
  /** @type {Elements} */
  const elements = {
    dtype,
    dims,
    widest: dtype.bits,
    along: dims.length - 1,
    /** Copies a box of the tensor, which the first call of a pass loads, to `data`. */
    async fill(box, data, work) {
      const held = await work.keep(elements, async () => memorySource({ dtype, dims, data: await load(work) }));
      await held.fill(box, data, work);
    },
  };
  return elements;
}
