/**
 * Moving elements: tensors pass through the scratch area piece by piece, as stage.js cuts them, and the wasm module moves what is there.
 * Bytes alone: nothing here knows a dtype.
 */
import { bytesBetween, bytesOf, copyTo, lengthOf } from '../arguments/index.js';
import {
  axes,
  destinationView,
  inLine,
  ready,
  scratch,
  scratchBit,
  setAxis,
  sourceBytes,
  viewOf,
  words16,
  words32,
} from './heap.js';
import { advance, cutTensor, directBytes, layIn, lineBytes } from './stage.js';
import { copyOut, layStrip } from './strips.js';

/** @import { Axis } from './stage.js' */

/** Up to this size a tensor goes through in one piece: what staging saves in cache misses costs more in calls. */
const wholeBytes = 256 * 2 ** 10;
/**
 * Up to this many words of 4 bytes, a loop in JavaScript beats the call into wasm (0.6 us in a program that has made others): uint8 and float32
 * [12, 12] .62 -> .50 us. A narrower element is a word, too.
 */
const scalarWords = 192;
/** Where {@link Layout.axes} holds the width that canonicalAxes left. */
const widthEntry = 3 * 64;

// Kept from call to call, because a small tensor's call has no time to allocate.
/** Strides of the source, in elements. */
const strides = new Float64Array(64);
/** The axes of {@link transposeScalar} that are longer than 1, in the destination's order. */
const smallExtents = new Int32Array(64);
const smallSteps = new Int32Array(64);
const smallPlaces = new Int32Array(64);

/**
 * Permutes the axes of a dense tensor: axis i of the destination is axis perm[i] of the source. Bits after the last element of a
 * packed tensor are written zero.
 * @param {number} elementBits
 * @param {readonly number[]} dims the source's
 * @param {readonly number[]} perm
 * @param {any} source a typed array
 * @param {any} destination one of the same length, whose entries have the same width, not overlapping the source
 */
export function transposeData(elementBits, dims, perm, source, destination) {
  const rank = dims.length;
  let size = 1;
  for (let axis = rank - 1; axis >= 0; axis--) {
    strides[axis] = size;
    size *= dims[axis];
  }
  // NaN, too, is empty: a zero extent beside a product that overflows.
  if (!(size > 0)) return;
  if (elementBits >= 8 && size * Math.max(elementBits, 32) <= 32 * scalarWords) {
    copyTo(viewOf(source), source);
    transposeScalar(elementBits, dims, perm);
    copyTo(destination, destinationView(destination, lengthOf(source)));
  } else {
    transposeInWasm(elementBits, dims, perm, Math.ceil((size * elementBits) / 8), source, destination);
  }
}

/** In one piece or in several. @type {(elementBits: number, dims: readonly number[], perm: readonly number[], bytes: number, source: any, destination: any) => void} */
function transposeInWasm(elementBits, dims, perm, bytes, source, destination) {
  const { transpose, canonicalAxes } = ready('transpose');
  const rank = dims.length;
  let destinationStride = elementBits;
  for (let axis = rank - 1; axis >= 0; axis--) {
    setAxis(axis, dims[perm[axis]], strides[perm[axis]] * elementBits, destinationStride);
    destinationStride *= dims[perm[axis]];
  }
  const tailBits = destinationStride % 8;
  if (bytes <= wholeBytes) {
    copyTo(viewOf(source), source);
    if (tailBits) scratch[sourceBytes + bytes - 1] = 0;
    transpose(elementBits, rank, scratchBit, scratchBit + 8 * sourceBytes);
    copyTo(destination, destinationView(destination, lengthOf(source)));
    return;
  }
  const to = bytesOf(destination);
  if (tailBits) to[bytes - 1] = 0;
  stream(planFor(canonicalAxes(elementBits, rank)), bytesOf(source), to);
}

/** A tensor of the scratch area, element by element: for this few, faster than a call into wasm. @type {(elementBits: number, dims: readonly number[], perm: readonly number[]) => void} */
function transposeScalar(elementBits, dims, perm) {
  // Words, because a float that passes through JavaScript may lose a NaN's payload.
  const words = elementBits === 8 ? scratch : elementBits === 16 ? words16 : words32;
  const width = elementBits > 32 ? elementBits / 32 : 1;
  let last = -1;
  for (let i = 0; i < perm.length; i++) {
    const extent = dims[perm[i]];
    if (extent === 1) continue;
    last++;
    smallExtents[last] = extent;
    smallSteps[last] = strides[perm[i]] * width;
    smallPlaces[last] = 0;
  }
  const run = last < 0 ? 1 : smallExtents[last];
  const step = last < 0 ? 0 : smallSteps[last];
  let to = sourceBytes / words.BYTES_PER_ELEMENT;
  let from = 0;
  for (let axis = 0; axis >= 0;) {
    for (let i = 0, place = from; i < run; i++, place += step) {
      for (let word = 0; word < width; word++) words[to++] = words[place + word];
    }
    for (axis = last - 1; axis >= 0; axis--) {
      from += smallSteps[axis];
      if (++smallPlaces[axis] < smallExtents[axis]) break;
      from -= smallSteps[axis] * smallExtents[axis];
      smallPlaces[axis] = 0;
    }
  }
}

/**
 * What follows from the axes alone. Kept, since a tensor that passes through leaves none of it in the caches: working it out for each call
 * took 5 to 20 % of the time of tensors of 3 to 8 MB.
 * @typedef {object} Plan
 * @property {number} bits the element's width
 * @property {Float64Array} axes the axes block that it was made for
 * @property {readonly Axis[]} list canonical, in the destination's order
 * @property {import('./stage.js').Cuts | undefined} cuts none where runs are copied from tensor to tensor
 * @property {Map<number, Slab>} slabs as they are laid out, by what is cut off and by the first bit in its byte
 */

/** Of the latest shapes, the newest last. @type {Plan[]} */
const plans = [];
const mostPlans = 8;
/** Most strips that are kept of a slab: packed tensors of odd extents have another layout at each of 256 bits. */
const mostStrips = 64;

/** The plan for the axes that canonicalAxes left. @type {(rank: number) => Plan} */
function planFor(rank) {
  const bits = axes[widthEntry];
  const known = plans.find(
    (plan) => plan.bits === bits && plan.axes.length === 3 * rank && plan.axes.every((value, i) => value === axes[i]),
  );
  if (known) return known;
  const list = Array.from({ length: rank }, (_, i) => ({
    extent: axes[3 * i],
    source: axes[3 * i + 1],
    destination: axes[3 * i + 2],
  }));
  const cuts = bits >= 8 * directBytes || rank === 0 ? undefined : cutTensor(bits, list);
  const plan = { bits, axes: axes.slice(0, 3 * rank), list, cuts, slabs: new Map() };
  if (plans.length === mostPlans) plans.shift();
  plans.push(plan);
  return plan;
}

/** Moves a tensor piece by piece. @type {(plan: Plan, source: Uint8Array, destination: Uint8Array) => void} */
function stream({ bits, list, cuts, slabs }, source, destination) {
  if (!cuts) return copyRuns(bits, list, source, destination);
  const { transpose } = ready('transpose');
  const { extents, slab, strip } = cuts;
  const rank = list.length;
  const slabAt = extents.map(() => 0);
  const stripAt = extents.map(() => 0);
  const lineBit = 8 * inLine(destination, 0);
  do {
    let sourceBit = 0;
    let slabBit = 0;
    let slabKey = 0;
    for (let i = 0; i < rank; i++) {
      if (extents[i] - slabAt[i] < slab[i]) slabKey += 2 ** i;
      sourceBit += slabAt[i] * list[i].source;
      slabBit += slabAt[i] * list[i].destination;
    }
    slabKey = 8 * slabKey + (sourceBit % 8);
    let laidSlab = slabs.get(slabKey);
    if (!laidSlab) slabs.set(slabKey, (laidSlab = laySlab(bits, list, cuts, slabAt, sourceBit)));
    const { size, strides, strips } = laidSlab;
    copyIn(laidSlab, source, sourceBit);
    do {
      let fromBit = scratchBit + (sourceBit % 8);
      let toBit = slabBit;
      let key = 0;
      for (let i = 0; i < rank; i++) {
        if (size[i] - stripAt[i] < strip[i]) key += 2 ** i;
        fromBit += stripAt[i] * strides[i];
        toBit += stripAt[i] * list[i].destination;
      }
      key = 8 * lineBytes * key + ((lineBit + toBit) % (8 * lineBytes));
      let laid = strips.get(key);
      if (!laid) {
        if (strips.size === mostStrips) strips.clear();
        strips.set(key, (laid = layStrip(bits, list, cuts, size, stripAt, destination, toBit)));
      }
      for (let i = 0; i < rank; i++) setAxis(i, laid.size[i], strides[i], laid.strides[i]);
      transpose(bits, rank, fromBit, scratchBit + laid.stagedBit);
      copyOut(laid, destination, toBit);
    } while (advance(stripAt, strip, size));
  } while (advance(slabAt, slab, extents));
}

/**
 * How slabs lie in the scratch area: their runs as they stand in the source.
 * @typedef {object} Slab
 * @property {number[]} size
 * @property {number[]} strides of all axes in the scratch area
 * @property {number} run in bits
 * @property {number[]} sizes of the axes along which there are several runs, outermost first
 * @property {number[]} steps ones
 * @property {number[]} from strides of these axes in the source
 * @property {number[]} to their strides in the scratch area
 * @property {Map<number, import('./strips.js').Strip>} strips as they are laid out, by what is cut off and by the first bit in its line
 */

/** @type {(bits: number, list: readonly Axis[], cuts: import('./stage.js').Cuts, slabAt: readonly number[], sourceBit: number) => Slab} */
function laySlab(bits, list, { inward, extents, slab }, slabAt, sourceBit) {
  const size = slab.map((step, i) => Math.min(step, extents[i] - slabAt[i]));
  const strides = size.map(() => 0);
  const { run, outer } = layIn(bits, list, inward, size, sourceBit % 8, strides);
  return {
    size,
    strides,
    run,
    sizes: outer.map((axis) => size[axis]),
    steps: outer.map(() => 1),
    from: outer.map((axis) => list[axis].source),
    to: outer.map((axis) => strides[axis]),
    strips: new Map(),
  };
}

/** Copies a slab into the scratch area, run by run. @type {(slab: Slab, source: Uint8Array, sourceBit: number) => void} */
function copyIn({ run, sizes, steps, from, to }, source, sourceBit) {
  const at = sizes.map(() => 0);
  do {
    let first = sourceBit;
    let staged = sourceBit % 8;
    for (let i = 0; i < at.length; i++) {
      first += at[i] * from[i];
      staged += at[i] * to[i];
    }
    const byte = Math.floor(first / 8);
    scratch.set(bytesBetween(source, byte, Math.ceil((first + run) / 8)), Math.floor(staged / 8));
  } while (advance(at, steps, sizes));
}

/** Copies long runs from tensor to tensor. @type {(bits: number, list: readonly Axis[], source: Uint8Array, destination: Uint8Array) => void} */
function copyRuns(bits, list, source, destination) {
  const at = list.map(() => 0);
  const ones = list.map(() => 1);
  const extents = list.map(({ extent }) => extent);
  const bytes = bits / 8;
  do {
    let from = 0;
    let to = 0;
    for (let i = 0; i < at.length; i++) {
      from += (at[i] * list[i].source) / 8;
      to += (at[i] * list[i].destination) / 8;
    }
    destination.set(bytesBetween(source, from, from + bytes), to);
  } while (advance(at, ones, extents));
}
