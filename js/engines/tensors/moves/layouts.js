/** Where slabs and strips lie in the scratch area, run by run; see pieces.js. Sizes of pieces are lists of extents, one
 * for each axis of the box. */
import { lineBytes } from '../module.js';

/** @import { CutAxes, StagedLayout } from '../types.js' */

/** A gap of at most this many bytes is copied along with the runs beside it: another run costs more. */
const gapBytes = 2 * 2 ** 10;
/** Elements of at least so many bytes are written by whole lines, in rows of at most so many. */
const lineElementBytes = 128;
const lineRowBytes = 4 * 2 ** 10;
/** Rows at multiples of so many bytes map to the same cache sets. */
const cacheSetBytes = 1024;
/** A cache line behind each run of a strip. */
const paddingBytes = 64;

/** Plans where a slab lies in the scratch area. The inner axes of the source that lie close together are one run, which
 * is copied with its short gaps; between runs, long gaps of the source are left out. `size`: the slab's extents.
 * `phase`: the place in a byte of the slab's lowest bit.
 * @type {(box: CutAxes, extents: readonly number[], size: readonly number[], phase: number) => StagedLayout} */
export function sourceLayout({ bits, axes, inward }, extents, size, phase) {
  const distances = axes.map(({ source }) => Math.abs(source));
  const strides = axes.map(() => 0);
  // A run takes the first `runAxes` axes of `inward`: up to the first that is cut, or has a long gap.
  let runBits = bits;
  let runAxes = 0;
  while (runAxes < inward.length) {
    const axis = inward[runAxes];
    const gapBits = distances[axis] - runBits;
    if (gapBits > 8 * gapBytes) break;
    strides[axis] = distances[axis];
    runBits += (size[axis] - 1) * distances[axis];
    runAxes++;
    const isCut = size[axis] !== extents[axis];
    if (isCut) break;
  }
  // The other axes step from run to run.
  const outer = inward.slice(runAxes);
  let slabBits = runBits;
  const byteBits = 8;
  for (const axis of outer) {
    strides[axis] = stagedStride(slabBits, distances[axis], phase, byteBits);
    slabBits += strides[axis] * (size[axis] - 1);
  }
  const { places, offsets } = placesOf(outer, size, strides, distances);
  const signedStrides = strides.map((stride, axis) => (axes[axis].source < 0 ? -stride : stride));
  return { places, offsets, strides: signedStrides, bits: slabBits, runBits };
}

/** Plans where a strip lies in the scratch area: the inner axes that are contiguous in the destination are one run, and
 * the runs of the outer axes lie a cache line apart. `size`: the strip's extents. `phase`: the place in a byte of its
 * first bit. `isLong`: runs have the same place in a cache line as in the destination, otherwise the same in a byte.
 * @type {(box: CutAxes, size: readonly number[], phase: number, isLong: boolean) => StagedLayout} */
export function destinationLayout({ bits, axes, outward, inward }, size, phase, isLong) {
  const strides = axes.map(() => 0);
  // A run takes the first `runAxes` axes of `outward`.
  let runBits = bits;
  let runAxes = 0;
  let isInterleaved = false;
  while (runAxes < outward.length) {
    const axis = outward[runAxes];
    const stepsOverOthers = axes[axis].destination !== runBits;
    if (stepsOverOthers) break;
    strides[axis] = runBits;
    runBits *= size[axis];
    // The next axis is not joined to rows that share cache sets, unless the kernel writes in order all the same: where
    // it interleaves runs of the source, or writes short rows by whole lines. Concat of eight float32 [1, 512, 64, 64]
    // along the last axis is 1.3 times faster than by runs of 2 KB.
    const isInnermost = runAxes === 0;
    isInterleaved ||= axis === inward[0] && !isInnermost;
    const sharesCacheSets = runBits % (8 * cacheSetBytes) === 0;
    const isWrittenByLines = bits >= 8 * lineElementBytes && runBits <= 8 * lineRowBytes;
    runAxes++;
    if (sharesCacheSets && !isInterleaved && !isWrittenByLines) break;
  }
  // The other axes step from run to run.
  const outer = outward.slice(runAxes).filter((axis) => size[axis] > 1);
  let stripBits = runBits;
  // Strides that are powers of two map to the same cache sets, which moves at a third of the speed.
  let paddingBits = 8 * paddingBytes;
  let lineBits = isLong ? 8 * lineBytes : 8;
  for (const axis of outer) {
    strides[axis] = stagedStride(stripBits + paddingBits, axes[axis].destination, phase, lineBits);
    stripBits = strides[axis] * size[axis];
    // Further axes continue at this stride, with each run at its place in a byte.
    paddingBits = 0;
    lineBits = 8;
  }
  const distances = axes.map(({ destination }) => destination);
  const { places, offsets } = placesOf(outer, size, strides, distances);
  return { places, offsets, strides, bits: stripBits, runBits };
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

/** Lists where the runs of a piece lie, in bits from the first run: in the scratch area (`places`), where they are
 * `strides` apart, and in the tensor's memory (`offsets`), where they are `distances` apart. `outer`: the axes that
 * step from run to run, the fastest first; `size`: the piece's extents.
 * @type {(outer: readonly number[], size: readonly number[], strides: readonly number[], distances: readonly number[])
 *   => { places: Float64Array, offsets: Float64Array }} */
function placesOf(outer, size, strides, distances) {
  const count = product(outer.map((axis) => size[axis]));
  const places = new Float64Array(count);
  const offsets = new Float64Array(count);
  let listed = 1;
  for (const axis of outer) {
    repeatPlaces(places, listed, size[axis], strides[axis]);
    repeatPlaces(offsets, listed, size[axis], distances[axis]);
    listed *= size[axis];
  }
  return { places, offsets };
}

/** Lists places along one axis more, in place: repeats the first `listed` ones at each further index of the axis, moved
 * by its stride.
 * @type {(places: Float64Array | Int32Array, listed: number, extent: number, stride: number) => void} */
export function repeatPlaces(places, listed, extent, stride) {
  for (let i = 1; i < extent; i++) for (let k = 0; k < listed; k++) places[i * listed + k] = places[k] + i * stride;
}
