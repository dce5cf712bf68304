/** Where slabs and strips lie in the scratch area, run by run; see pieces.js. Sizes of pieces are lists of extents, one
 * for each axis of the box. */
import { lineBytes } from '../module.js';

/** @import { CutAxes, StagedLayout } from '../types.js' */

/** A gap of at most this many bytes is copied along with the runs beside it: another run costs more. */
const gapBytes = 2 * 2 ** 10;
/** Elements of at least so many bytes are written by whole lines, in rows of at most so many. */
const lineElement = 128;
const lineRow = 4 * 2 ** 10;

/** Plans where a slab lies in the scratch area. The inner axes of the source that lie close together are one run, which
 * is copied with its short gaps; between runs, long gaps of the source are left out. `size`: the slab's extents.
 * `phase`: the place in a byte of the slab's lowest bit.
 * @type {(box: CutAxes, extents: readonly number[], size: readonly number[], phase: number) => StagedLayout} */
export function sourceLayout({ bits, axes, inward }, extents, size, phase) {
  const distances = axes.map(({ source }) => Math.abs(source));
  const strides = axes.map(() => 0);
  // Bits of a run, and how many of the axes of `inward` it takes: up to the first that is cut, or has a long gap.
  let run = bits;
  let inner = 0;
  while (inner < inward.length) {
    const axis = inward[inner];
    const gap = distances[axis] - run;
    if (gap > 8 * gapBytes) break;
    strides[axis] = distances[axis];
    run += (size[axis] - 1) * distances[axis];
    inner++;
    const isCut = size[axis] !== extents[axis];
    if (isCut) break;
  }
  let span = run;
  for (const axis of inward.slice(inner)) {
    strides[axis] = stagedStride(span, distances[axis], phase, 8);
    span += strides[axis] * (size[axis] - 1);
  }
  const outer = inward.slice(inner).filter((axis) => size[axis] > 1);
  const staged = { ...placesOf(outer, size, strides, distances), bits: span, runBits: run };
  return { ...staged, strides: strides.map((stride, axis) => (axes[axis].source < 0 ? -stride : stride)) };
}

/** Plans where a strip lies in the scratch area: the inner axes that are contiguous in the destination are one run, and
 * the runs of the outer axes lie a cache line apart. `size`: the strip's extents. `phase`: the place in a byte of its
 * first bit. `isLong`: runs have the same place in a cache line as in the destination, otherwise the same in a byte.
 * @type {(box: CutAxes, size: readonly number[], phase: number, isLong: boolean) => StagedLayout} */
export function destinationLayout({ bits, axes, outward, inward }, size, phase, isLong) {
  const strides = axes.map(() => 0);
  let run = bits;
  let inner = 0;
  let isInterleaved = false;
  while (inner < outward.length) {
    const axis = outward[inner];
    const stepsOverOthers = axes[axis].destination !== run;
    if (stepsOverOthers) break;
    strides[axis] = run;
    run *= size[axis];
    // Rows at multiples of 1 KB map to the same cache sets, so the next axis is not joined to them. It is where the
    // kernel writes in order all the same: where it interleaves runs of the source, or writes short rows by whole
    // lines. Concat of eight float32 [1, 512, 64, 64] along the last axis is 1.3 times faster than by runs of 2 KB.
    const isInnermost = inner === 0;
    isInterleaved ||= axis === inward[0] && !isInnermost;
    const sharesCacheSets = run % (8 * 1024) === 0;
    const isWrittenByLines = bits >= 8 * lineElement && run <= 8 * lineRow;
    inner++;
    if (sharesCacheSets && !isInterleaved && !isWrittenByLines) break;
  }
  let span = run;
  // A cache line of 64 bytes behind each run: strides that are powers of two map to the same cache sets, which moves at
  // a third of the speed.
  let padding = 8 * 64;
  let line = isLong ? 8 * lineBytes : 8;
  const outer = outward.slice(inner).filter((axis) => size[axis] > 1);
  for (const axis of outer) {
    strides[axis] = stagedStride(span + padding, axes[axis].destination, phase, line);
    span = strides[axis] * size[axis];
    // Further axes continue at this stride, with each run at its place in a byte.
    padding = 0;
    line = 8;
  }
  const distances = axes.map(({ destination }) => destination);
  return { ...placesOf(outer, size, strides, distances), strides, bits: span, runBits: run };
}

/** Computes the distance between staged runs of `bits` bits: the least at which each run has the same place in a line
 * of `line` bits as in its memory, where runs are `memoryStride` bits apart. Runs that begin or end within a byte get 7
 * bits more, so that no byte holds bits of two runs. `phase`: the place in a byte of the first run's first bit.
 * @type {(bits: number, memoryStride: number, phase: number, line: number) => number} */
function stagedStride(bits, memoryStride, phase, line) {
  const haveWholeBytes = memoryStride % 8 === 0 && phase === 0;
  const least = haveWholeBytes ? bits : bits + 7;
  // From `least` up to the next stride with the remainder of `memoryStride` by `line`. JavaScript's % keeps the sign.
  const difference = (memoryStride - least) % line;
  const added = difference < 0 ? difference + line : difference;
  return least + added;
}

/** Multiplies extents: the number of elements of a piece.
 * @type {(extents: readonly number[]) => number} */
export const product = (extents) => extents.reduce((result, extent) => result * extent, 1);

/** Lists the places of a piece's runs in the scratch area (by `strides`) and in the tensor's memory (by `distances`),
 * both in bits from the first run: along the first of the axes `outer`, then along the next.
 * @type {(outer: readonly number[], size: readonly number[], strides: readonly number[], distances: readonly number[])
 *   => { places: Float64Array, offsets: Float64Array }} */
function placesOf(outer, size, strides, distances) {
  const count = product(outer.map((axis) => size[axis]));
  const places = new Float64Array(count);
  const offsets = new Float64Array(count);
  // The runs that are listed so far are repeated at each further index of an axis.
  let listed = 1;
  for (const axis of outer) {
    for (let i = 1; i < size[axis]; i++) {
      for (let k = 0; k < listed; k++) {
        places[i * listed + k] = i * strides[axis] + places[k];
        offsets[i * listed + k] = i * distances[axis] + offsets[k];
      }
    }
    listed *= size[axis];
  }
  return { places, offsets };
}
