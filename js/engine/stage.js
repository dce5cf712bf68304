/**
 * How tensors that are larger than the scratch area pass through it: arithmetic of boxes alone, no memory.
 *
 * A tensor goes slab by slab in, each slab strip by strip through the kernel, each strip run by run out. In the copies of long runs
 * at both ends lies most of the time, so slabs are cut along the input's inner axes and strips along the output's.
 */

/** One axis; strides in bits. @typedef {{ extent: number, source: number, destination: number }} Axis */

/**
 * Bytes of a slab: large enough for few copies, small enough to lie in a second-level cache with what the kernel makes of it. Measured from
 * 128 KiB to 8 MiB: images take 8 to 12 % less time than with 768 KiB, splits 15 %; with 128 KiB nothing gains more.
 */
export const slabBytes = 256 * 2 ** 10;
/** Most bytes of a slab: where the source's runs would be short otherwise. */
export const slabLimit = 8 * 2 ** 20;
/** The length that the source's runs should have: each costs a view and a copy call (0.2 us together). */
const longRunBytes = 16 * 2 ** 10;
/** Most bytes of a strip: written by the kernel, then copied out from the cache. */
const stripBytes = 256 * 2 ** 10;
/** The length that the destination's runs should have: each costs a copy call (20 ns). With 1024 bytes, 2-D transposes take 1.1 times as long. */
const runBytes = 512;
/**
 * The same where neighbouring runs lie far apart, since each then costs an entry of the page table, too: float32 [128, 64, 64, 128] reversed .31 -> .19 ns a
 * byte. Not where both inner axes are long: slabs of so many rows cut the rows, [16384, 4096] takes .18 instead of .12.
 */
const farRunBytes = 4096;
const farBytes = 64 * 2 ** 10;
/** Of the source. With [262144, 256], rows of 1 KB, slabs hold whole rows all the same. */
const longRowBytes = 2 * 2 ** 10;
/** Runs of at least this length are copied from tensor to tensor. */
export const directBytes = 2048;
/** From this length on, a run is copied faster where both sides lie alike in a line. */
export const lineRunBytes = 4096;
export const lineBytes = 32;

/**
 * @typedef {object} Cuts
 * @property {number[]} outward axes from the destination's innermost outward
 * @property {number[]} inward axes from the source's innermost outward
 * @property {number[]} extents
 * @property {number[]} slab extents of a slab, smaller ones at the tensor's end
 * @property {number[]} strip extents of a strip, smaller ones at the slab's end
 */

/**
 * Cuts a tensor into slabs and strips.
 * @param {number} bits the element's width
 * @param {readonly Axis[]} axes canonical, in the destination's order
 * @returns {Cuts}
 */
export function cutTensor(bits, axes) {
  const outward = axes.map((_, i) => axes.length - 1 - i);
  const inward = axes.map((_, i) => i).sort((a, b) => axes[a].source - axes[b].source);
  const extents = axes.map(({ extent }) => extent);
  const isMatrix = extents[outward[0]] * bits > 8 * runBytes && extents[inward[0]] * bits > 8 * longRowBytes;
  const isFar = axes[inward[0]].destination >= 8 * farBytes && !isMatrix;
  const run = wholeRun(extents, outward, (8 * (isFar ? farRunBytes : runBytes)) / bits);
  // Enough of the output's inner axes for whole runs, then as much of the input's inner axes as fits.
  let slab = extents.map(() => 1);
  grow(slab, extents, outward, run);
  const outputPart = product(slab);
  grow(slab, extents, inward, (8 * slabBytes) / bits);
  for (const axis of inward) {
    if (runOf(slab, extents, inward) * bits >= 8 * longRunBytes) break;
    grow(slab, extents, [axis], 8 * Math.min(slabLimit / bits, (outputPart * longRunBytes) / bits));
  }
  slab = slab.map((step, i) => evenStep(extents[i], step));
  // Whole runs, by 512 bytes of the input's inner axes, then longer runs.
  const most = (8 * stripBytes) / bits;
  let strip = extents.map(() => 1);
  grow(strip, slab, outward, run);
  grow(strip, slab, inward, Math.min((run * 8 * 512) / bits, most));
  grow(strip, slab, outward, most);
  strip = strip.map((step, i) => evenStep(slab[i], step));
  return { outward, inward, extents, slab, strip };
}

/** The length of runs of whole axes, where one is between `least` elements and twice as many; otherwise `least`. @type {(extents: readonly number[], outward: readonly number[], least: number) => number} */
function wholeRun(extents, outward, least) {
  let run = 1;
  for (const axis of outward) {
    run *= extents[axis];
    if (run >= least) return run <= 2 * least ? run : least;
  }
  return least;
}

/** Elements of a box that are one run in the tensor whose axes `order` has, innermost first. @type {(box: readonly number[], extents: readonly number[], order: readonly number[]) => number} */
function runOf(box, extents, order) {
  const cut = order.findIndex((axis) => box[axis] < extents[axis]);
  return product((cut < 0 ? order : order.slice(0, cut + 1)).map((axis) => box[axis]));
}

/** @type {(extents: readonly number[]) => number} */
export const product = (extents) => extents.reduce((a, b) => a * b, 1);

/**
 * Enlarges a box along axes in turn, up to a number of elements. A box that is cut stays on multiples of 8 elements, so that
 * packed ones begin at whole bytes where the tensor allows.
 * @type {(box: number[], limits: readonly number[], order: readonly number[], elements: number) => void}
 */
function grow(box, limits, order, elements) {
  let room = elements / product(box);
  for (const axis of order) {
    if (room < 2 && box[axis] < limits[axis]) return;
    const wanted = Math.floor(box[axis] * Math.max(room, 1));
    const step =
      wanted >= limits[axis] ? limits[axis] : Math.max(box[axis], wanted > 8 ? wanted - (wanted % 8) : wanted);
    room *= box[axis] / step;
    box[axis] = step;
    if (step < limits[axis]) return;
  }
}

/** A step that cuts an extent into as many pieces as the given one does, of about one size. @type {(extent: number, step: number) => number} */
function evenStep(extent, step) {
  const even = Math.ceil(extent / Math.ceil(extent / step));
  return Math.min(step, even + ((8 - (even % 8)) % 8));
}

/** The next place of a grid, the last axis first; false after the last one. @type {(at: number[], steps: readonly number[], extents: readonly number[]) => boolean} */
export function advance(at, steps, extents) {
  for (let axis = at.length - 1; axis >= 0; axis--) {
    at[axis] += steps[axis];
    if (at[axis] < extents[axis]) return true;
    at[axis] = 0;
  }
  return false;
}

/**
 * Lays a slab out in the scratch area as it stands in the source, without what lies between its runs.
 * @param {number} bits the element's width
 * @param {readonly Axis[]} axes
 * @param {readonly number[]} inward axes from the source's innermost outward
 * @param {readonly number[]} size of the slab
 * @param {number} phase of its first bit in a byte
 * @param {number[]} strides written
 * @returns {{ run: number, outer: number[] }} the length of a run in bits, and the axes along which there are several, outermost first
 */
export function layIn(bits, axes, inward, size, phase, strides) {
  let run = bits;
  let inner = 0;
  for (let whole = true; whole && inner < inward.length; inner++) {
    const axis = inward[inner];
    strides[axis] = run;
    run *= size[axis];
    whole = size[axis] === axes[axis].extent;
  }
  let span = run;
  const outer = inward.slice(inner).filter((axis) => {
    strides[axis] = stagedStride(span, axes[axis].source, phase, 8);
    span += strides[axis] * (size[axis] - 1);
    return size[axis] > 1;
  });
  return { run, outer: outer.reverse() };
}

/**
 * Lays a strip out in the scratch area: its runs as they stand in the destination, at a stride that is no power of two (lines at such
 * strides share cache sets: a third of the speed). For that, what could be one run is cut where its rows are multiples of 1 KB.
 * @param {number} bits the element's width
 * @param {readonly Axis[]} axes
 * @param {readonly number[]} outward axes from the destination's innermost outward
 * @param {readonly number[]} size of the strip
 * @param {number} phase of its first bit in a byte
 * @param {number[]} strides written
 * @returns {{ run: number, outer: number[] }} the length of a run in bits, and the axes along which there are several, outermost first
 */
export function layOut(bits, axes, outward, size, phase, strides) {
  let run = bits;
  let inner = 0;
  for (let whole = true; whole && inner < outward.length; inner++) {
    const axis = outward[inner];
    strides[axis] = run;
    run *= size[axis];
    whole = size[axis] === axes[axis].extent && run % (8 * 1024) !== 0;
  }
  let span = run;
  let padding = 8 * 64;
  let line = run < 8 * lineRunBytes ? 8 : 8 * lineBytes;
  const outer = outward.slice(inner).filter((axis) => {
    if (size[axis] === 1) return false;
    strides[axis] = stagedStride(span + padding, axes[axis].destination, phase, line);
    span = strides[axis] * size[axis];
    // Whole bytes: all runs at one stride.
    padding = 0;
    line = 8;
    return true;
  });
  return { run, outer: outer.reverse() };
}

/**
 * The stride of runs that are laid out one after another in the scratch area: each lies in a line of `line` bits as it does in the
 * tensor, at least in a byte, and none shares a byte with the next.
 * @type {(bits: number, tensorStride: number, phase: number, line: number) => number}
 */
function stagedStride(bits, tensorStride, phase, line) {
  const part = (bits % 8 || tensorStride % 8 || phase) !== 0;
  const least = part ? bits + 7 : bits;
  return least + ((((tensorStride - least) % line) + line) % line);
}
