/**
 * How a box that is larger than the scratch area passes through it. A slab is a part of the box that is copied from the
 * source into the scratch area; a strip is a part of a slab that the kernel moves in one call; its runs, elements that
 * follow one another in the destination, are then copied out one by one. These copies take most of the time, so slabs
 * follow the source's inner axes, and strips the destination's.
 *
 * The size of a slab, a strip or another piece is a list of extents, one for each axis of the box.
 */
import { destinationByte, lineBytes, scratch } from '../module.js';
import { destinationLayout, product, sourceLayout } from './layouts.js';

/** @import { Axis, CutAxes, Cuts, StagedLayout } from '../types.js' */

/** A slab is large enough for few copies, small enough for a second-level cache with the kernel's result. Measured from
 * 128 KiB to 8 MiB: with 768 KiB, images take 8 to 12 % longer and splits 15 %; with 128 KiB nothing gains more. */
const slabBytes = 256 * 2 ** 10;
/** Of slabs that grow beyond `slabBytes`, because shorter ones would make short runs of the source. */
const maxSlabBytes = 8 * 2 ** 20;
/** The length that runs of the source should have: each run costs a view and a copy call, 0.2 us together. */
const longRunBytes = 16 * 2 ** 10;
/** An interleaved run is extended over whole axes of the destination up to this length. Measured: depthToSpace of
 * float32 [1, 256, 128, 128] by 2 is 1.6, patches of 16 of [8, 3, 224, 224] 1.4 times faster than by 1 and 3 KB. */
const wovenBytes = 8 * 2 ** 10;
/** Most bytes of a strip: the kernel writes it, then it is copied out of the cache. */
const maxStripBytes = 256 * 2 ** 10;
/** Most runs of a slab or a strip, because a plan keeps the place of each. Only runs far below 64 bytes reach it. */
const maxRuns = 2 ** 14;
/** The usual length of the destination's runs: each costs a copy call, 20 ns. With 1024 bytes, 2-D transposes take 1.1
 * times as long. */
const runBytes = 512;
/** Where neighboring runs lie far apart or in several memories, each costs an entry of the page table, too: float32
 * [128, 64, 64, 128] reversed .31 -> .19 ns a byte. Not where both inner axes are long: slabs of so many rows would cut
 * the rows, and [16384, 4096] takes .18 instead of .12. */
const farRunBytes = 4096;
const farBytes = 64 * 2 ** 10;
/** The source's inner axis is long above so many bytes: of [262144, 256], rows of 1 KB, slabs hold whole rows all the
 * same. */
const longRowBytes = 2 * 2 ** 10;
/** From here on, a copy is faster with both sides at the same place of a line. */
const lineRunBytes = 4096;

/** The place of a piece's first bit in its byte with which the piece becomes largest. */
const worstPhase = 7;

/** The distance of one memory from the next in an address, in bits. No memory has so many, and 2^53 is exact. */
export const memoryBits = 2 ** 40;

/** Chooses the extents of a box's slabs and strips. `bits`: of an element. `axes`: canonical ones, the destination's
 * outermost first. `isSpread`: an axis steps from one memory to the next.
 * @type {(bits: number, axes: readonly Axis[], isSpread: boolean) => Cuts} */
export function cutBox(bits, axes, isSpread) {
  // The axes, innermost first: of the destination, and of the source, where axes that repeat (stride 0) do not count.
  const distance = (/** @type {number} */ axis) => Math.abs(axes[axis].source);
  const outward = axes.map((_, i) => axes.length - 1 - i);
  const inward = axes.map((_, i) => i).filter((i) => distance(i) > 0);
  inward.sort((a, b) => distance(a) - distance(b));
  const cut = { bits, axes, outward, inward };
  const extents = axes.map(({ extent }) => extent);
  const outputInner = outward[0];
  const sourceInner = inward[0] ?? outputInner; // no axis is in `inward` where all repeat one element
  const isOutputLong = extents[outputInner] * bits > 8 * runBytes;
  const isSourceLong = extents[sourceInner] * bits > 8 * longRowBytes;
  const liesFarApart = axes[sourceInner].destination >= 8 * farBytes;
  const isFar = isSpread || (liesFarApart && !(isOutputLong && isSourceLong)); // see `farRunBytes`
  const leastRunBytes = isFar ? farRunBytes : runBytes;
  const run = wholeRun(extents, outward, (8 * leastRunBytes) / bits); // elements of a run of the destination
  // The slab: enough of the destination's inner axes for whole runs, then as much of the source's inner axes as fits.
  let slab = extents.map(() => 1);
  grow(slab, extents, outward, run);
  growWoven(slab, extents, cut);
  const outputPart = product(slab);
  grow(slab, extents, inward, (8 * slabBytes) / bits);
  growSourceRuns(slab, extents, cut, outputPart);
  slab = slab.map((step, i) => evenStep(extents[i], step));
  // Slabs lie in front of `destinationByte`.
  shrink(slab, inward, destinationByte, () => sourceLayout(cut, extents, slab, worstPhase));
  const strip = stripOf(cut, slab, run);
  const [phase, alignsToLines] = [0, false]; // of no effect on `runBits`
  const { runBits } = destinationLayout(cut, strip, phase, alignsToLines);
  return { ...cut, extents, slab, strip, isLong: runBits >= 8 * lineRunBytes };
}

/** Grows a slab by whole axes of the destination, up to `wovenBytes`, while it interleaves runs of the source.
 * @type {(slab: number[], extents: readonly number[], cut: CutAxes) => void} */
function growWoven(slab, extents, { bits, outward, inward }) {
  for (const axis of outward) {
    if (slab[axis] === extents[axis]) continue;
    const isTooLarge = product(slab) * extents[axis] * bits > 8 * wovenBytes;
    if (!isWoven(slab, extents, outward, inward) || isTooLarge) return;
    slab[axis] = extents[axis];
  }
}

/** Grows a slab in place along the source's axes, while its runs in the source are short: up to as many runs of
 * `longRunBytes` as the destination's axes ask for elements (`outputPart`).
 * @type {(slab: number[], extents: readonly number[], cut: CutAxes, outputPart: number) => void} */
function growSourceRuns(slab, extents, { bits, inward }, outputPart) {
  const maxElements = 8 * Math.min(maxSlabBytes / bits, (outputPart * longRunBytes) / bits);
  for (const axis of inward) {
    if (runOf(slab, extents, inward) * bits >= 8 * longRunBytes) return;
    grow(slab, extents, [axis], maxElements);
  }
}

/** Bytes of a strip along the source's inner axes. */
const stripSourceBytes = 512;

/** Chooses the extents of the strips of a slab: whole runs of the destination, of `run` elements; then 512 bytes along
 * the source's inner axes for each; then longer runs.
 * @type {(cut: CutAxes, slab: readonly number[], run: number) => number[]} */
function stripOf(cut, slab, run) {
  const { bits, outward, inward } = cut;
  const maxElements = (8 * maxStripBytes) / bits;
  let strip = slab.map(() => 1);
  grow(strip, slab, outward, run);
  const sourceElements = (8 * stripSourceBytes) / bits;
  grow(strip, slab, inward, Math.min(run * sourceElements, maxElements));
  grow(strip, slab, outward, maxElements);
  strip = strip.map((step, i) => evenStep(slab[i], step));
  const alignsToLines = true; // the larger layout
  const roomBytes = scratch.length - destinationByte;
  shrink(strip, outward, roomBytes, () => destinationLayout(cut, strip, worstPhase, alignsToLines));
  return strip;
}

/** Whether a piece of extents `size` interleaves runs of the source in the destination: it holds all of the source's
 * innermost axis, and that is not the destination's innermost one.
 * @type {(size: readonly number[], extents: readonly number[], outward: readonly number[], inward: readonly number[])
 *   => boolean} */
function isWoven(size, extents, outward, inward) {
  const outputInner = outward[0];
  const sourceInner = inward[0] ?? outputInner;
  return sourceInner !== outputInner && size[sourceInner] === extents[sourceInner];
}

/** Chooses how many elements a run of the destination has: those of some whole inner axes, if these make `least`
 * elements or up to twice as many; otherwise `least`.
 * @type {(extents: readonly number[], outward: readonly number[], least: number) => number} */
function wholeRun(extents, outward, least) {
  let run = 1;
  for (const axis of outward) {
    run *= extents[axis];
    if (run >= least) return run <= 2 * least ? run : least;
  }
  return least;
}

/** Counts the elements of a piece that follow one another in a memory: of its inner axes, up to the first that the
 * piece does not have whole. `size`: the piece's extents. `order`: the memory's axes, innermost first.
 * @type {(size: readonly number[], extents: readonly number[], order: readonly number[]) => number} */
function runOf(size, extents, order) {
  let run = 1;
  for (const axis of order) {
    run *= size[axis];
    if (size[axis] < extents[axis]) break;
  }
  return run;
}

/** Grows a piece in place, along the axes of `order` in turn, until it has about `elements` elements. `size`: its
 * extents; `limits`: how far each may grow. An axis that is cut gets a multiple of 8 elements if it has more than 8,
 * because packed pieces begin at whole bytes.
 * @type {(size: number[], limits: readonly number[], order: readonly number[], elements: number) => void} */
function grow(size, limits, order, elements) {
  // How many times as large the piece may become.
  let factor = elements / product(size);
  for (const axis of order) {
    // A piece that may not become twice as large stays as it is.
    if (factor < 2 && size[axis] < limits[axis]) return;
    const wanted = Math.floor(size[axis] * Math.max(factor, 1));
    let grown = limits[axis];
    if (wanted < limits[axis]) {
      const wholeEights = wanted > 8 ? wanted - (wanted % 8) : wanted;
      grown = Math.max(size[axis], wholeEights);
    }
    factor *= size[axis] / grown;
    size[axis] = grown;
    if (grown < limits[axis]) return;
  }
}

/** Halves a piece in place, along its outermost axes first, until its layout fits into `roomBytes` of the scratch area
 * and has at most `maxRuns` runs. `order`: the axes, innermost first. `planLayout` plans that of the piece as it is.
 * @type {(size: number[], order: readonly number[], roomBytes: number, planLayout: () => StagedLayout) => void} */
function shrink(size, order, roomBytes, planLayout) {
  const isTooLarge = () => {
    const { bits, places } = planLayout();
    // A line less, because the piece may begin anywhere in its first line.
    return bits > 8 * (roomBytes - lineBytes) || places.length > maxRuns;
  };
  for (const axis of order.toReversed()) {
    while (size[axis] > 1 && isTooLarge()) size[axis] = Math.ceil(size[axis] / 2);
  }
}

/** Finds a smaller step, a multiple of 8, that cuts an extent into as many parts, but of about one size; else `step`.
 * @type {(extent: number, step: number) => number} */
function evenStep(extent, step) {
  const partCount = Math.ceil(extent / step);
  const evenPart = Math.ceil(extent / partCount);
  const wholeEights = 8 * Math.ceil(evenPart / 8);
  return Math.min(step, wholeEights);
}

/** Moves an index of several axes to the next place, in place: the last axis by its step (1 if `steps` is omitted), and
 * the axis before it each time that one reaches its extent. Returns false once all places are done; `at` is all zeros
 * again then.
 * @type {(at: number[], extents: readonly number[], steps?: readonly number[]) => boolean} */
export function advance(at, extents, steps) {
  for (let axis = at.length - 1; axis >= 0; axis--) {
    at[axis] += steps === undefined ? 1 : steps[axis];
    if (at[axis] < extents[axis]) return true;
    at[axis] = 0;
  }
  return false;
}
