/**
 * Moving elements: tensors pass through the scratch area piece by piece, as stage.js cuts them, and the wasm module moves what is there.
 * Bytes alone: nothing here knows a dtype.
 */
import { axes, destinationView, ready, scratch, scratchBit, setAxis, sourceBytes, stagedAt, viewOf, words16, words32 } from './heap.js';
import { advance, layIn, layOut, lineBytes, lineRunBytes, planStream, product, slabBytes } from './stage.js';
import { bytesOf, copyTo, lengthOf } from './views.js';

/** @typedef {import('./stage.js').Axis} Axis */

/** Up to this size a tensor goes through in one piece: what staging saves in cache misses costs more in calls. */
const wholeBytes = 256 * 2 ** 10;
/** Runs of at least this length are copied from tensor to tensor. */
const directBytes = 2048;
/** Below this many elements a loop in JavaScript beats the call into wasm (measured on [1, 3, 4] and [4, 4, 4]). */
const scalarSize = 64;
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
  const { transpose, canonicalAxes } = ready('transpose');
  const rank = dims.length;
  let size = 1;
  for (let axis = rank - 1; axis >= 0; axis--) {
    strides[axis] = size;
    size *= dims[axis];
  }
  // NaN, too, is empty: a zero extent beside a product that overflows.
  if (!(size > 0)) return;
  const bytes = Math.ceil(size * elementBits / 8);
  if (size <= scalarSize && elementBits >= 8) {
    viewOf(source).set(source);
    transposeScalar(elementBits, dims, perm);
    copyTo(destination, destinationView(destination, lengthOf(source)));
    return;
  }
  let destinationStride = elementBits;
  for (let axis = rank - 1; axis >= 0; axis--) {
    setAxis(axis, dims[perm[axis]], strides[perm[axis]] * elementBits, destinationStride);
    destinationStride *= dims[perm[axis]];
  }
  const tailBits = destinationStride % 8;
  if (bytes <= wholeBytes) {
    viewOf(source).set(source);
    if (tailBits) scratch[sourceBytes + bytes - 1] = 0;
    transpose(elementBits, rank, scratchBit, scratchBit + 8 * sourceBytes);
    copyTo(destination, destinationView(destination, lengthOf(source)));
    return;
  }
  const to = bytesOf(destination);
  if (tailBits) to[bytes - 1] = 0;
  const canonicalRank = canonicalAxes(elementBits, rank);
  stream(axes[widthEntry], Array.from({ length: canonicalRank }, (_, i) => ({ extent: axes[3 * i], source: axes[3 * i + 1], destination: axes[3 * i + 2] })),
    bytesOf(source), to);
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
 * Moves a tensor piece by piece.
 * @param {number} bits the element's width
 * @param {readonly Axis[]} list canonical, in the destination's order
 * @param {Uint8Array} source
 * @param {Uint8Array} destination
 */
function stream(bits, list, source, destination) {
  const rank = list.length;
  if (bits >= 8 * directBytes || rank === 0) return copyRuns(bits, list, source, destination);
  const { transpose } = ready('transpose');
  const { outward, inward, extents, slab, strip } = planStream(bits, list);
  const zeros = extents.map(() => 0);
  const [slabAt, slabSize, slabStrides, stripAt, stripSize] = Array.from({ length: 5 }, () => zeros.slice());
  do {
    let sourceBit = 0;
    for (let i = 0; i < rank; i++) {
      slabSize[i] = Math.min(slab[i], extents[i] - slabAt[i]);
      sourceBit += slabAt[i] * list[i].source;
    }
    const { run, outer } = layIn(bits, list, inward, slabSize, sourceBit % 8, slabStrides);
    copyIn(list, slabSize, slabStrides, run, outer, source, sourceBit);
    stripAt.fill(0);
    // Strips of one size that begin at the same bit of a line, as most do, are laid out alike, which takes 3 us each time.
    /** @type {Map<number, Strip>} */
    const strips = new Map();
    do {
      let fromBit = scratchBit + sourceBit % 8;
      let toBit = 0;
      let cut = 0;
      for (let i = 0; i < rank; i++) {
        stripSize[i] = Math.min(strip[i], slabSize[i] - stripAt[i]);
        if (stripSize[i] < strip[i]) cut += 2 ** i;
        fromBit += stripAt[i] * slabStrides[i];
        toBit += (slabAt[i] + stripAt[i]) * list[i].destination;
      }
      const key = cut * 8 * lineBytes + toBit % (8 * lineBytes);
      const laid = strips.get(key) ?? layStrip(bits, list, outward, stripSize, destination, toBit);
      strips.set(key, laid);
      for (let i = 0; i < rank; i++) setAxis(i, stripSize[i], slabStrides[i], laid.strides[i]);
      transpose(bits, rank, fromBit, scratchBit + laid.stagedBit);
      copyOut(laid, destination, toBit);
    } while (advance(stripAt, strip, slabSize));
  } while (advance(slabAt, slab, extents));
}

/**
 * Copies a box of the source into the scratch area, run by run.
 * @param {readonly Axis[]} list
 * @param {readonly number[]} size of the box
 * @param {readonly number[]} strides of the box in the scratch area
 * @param {number} run in bits
 * @param {readonly number[]} outer the axes along which there are several runs
 * @param {Uint8Array} source
 * @param {number} sourceBit where the box begins
 */
function copyIn(list, size, strides, run, outer, source, sourceBit) {
  const at = outer.map(() => 0);
  const ones = outer.map(() => 1);
  const sizes = outer.map((axis) => size[axis]);
  do {
    let from = sourceBit;
    let to = sourceBit % 8;
    for (let i = 0; i < outer.length; i++) {
      from += at[i] * list[outer[i]].source;
      to += at[i] * strides[outer[i]];
    }
    scratch.set(source.subarray(Math.floor(from / 8), Math.ceil((from + run) / 8)), Math.floor(to / 8));
  } while (advance(at, ones, sizes));
}

/** Views of a strip's runs, by the first one's place, the runs' length and stride: making one costs as much as copying 2 KB. @type {Map<string, Uint8Array[]>} */
const runViews = new Map();

/** The first `count` of the runs that are staged from `first` on, or more. @type {(first: number, bytes: number, stride: number, count: number) => Uint8Array[]} */
function viewsOfRuns(first, bytes, stride, count) {
  const key = `${first} ${bytes} ${stride}`;
  let views = runViews.get(key);
  if (!views) {
    // A tensor needs a view for each of the few sizes that its runs have; what earlier ones left is not kept for long.
    if (runViews.size >= 32) runViews.clear();
    runViews.set(key, views = []);
  }
  for (let i = views.length; i < count; i++) views.push(scratch.subarray(first + i * stride, first + i * stride + bytes));
  return views;
}

/**
 * How strips lie in the scratch area and, from wherever they begin, in the destination.
 * @typedef {object} Strip
 * @property {number} stagedBit where they begin in the scratch area
 * @property {number[]} strides of all axes there
 * @property {number} run in bits
 * @property {number[]} sizes of the axes along which there are several runs, outermost first
 * @property {number[]} steps what is copied at once: all along the innermost of these axes
 * @property {number[]} at zeros
 * @property {number[]} from strides of these axes in the scratch area
 * @property {number[]} to their strides in the destination
 * @property {Uint8Array[] | undefined} views of the runs, where all of them are whole bytes
 */

/** @type {(bits: number, list: readonly Axis[], outward: readonly number[], size: readonly number[], destination: Uint8Array, toBit: number) => Strip} */
function layStrip(bits, list, outward, size, destination, toBit) {
  const strides = size.map(() => 0);
  const { run, outer } = layOut(bits, list, outward, size, toBit % 8, strides);
  const staged = run < 8 * lineRunBytes ? sourceBytes : stagedAt(destination, Math.floor(toBit / 8));
  const stagedBit = 8 * staged + toBit % 8;
  const sizes = outer.map((axis) => size[axis]);
  const from = outer.map((axis) => strides[axis]);
  const to = outer.map((axis) => list[axis].destination);
  const isWhole = toBit % 8 === 0 && run % 8 === 0 && to.every((stride) => stride % 8 === 0);
  return {
    stagedBit, strides, run, sizes, from, to,
    steps: sizes.map((extent, i) => (i === sizes.length - 1 ? extent : 1)),
    at: sizes.map(() => 0),
    views: isWhole ? viewsOfRuns(stagedBit / 8, run / 8, (from.at(-1) ?? 0) / 8, product(sizes)) : undefined,
  };
}

/** Copies a strip's runs from the scratch area to the destination. @type {(strip: Strip, destination: Uint8Array, toBit: number) => void} */
function copyOut({ stagedBit, run, sizes, steps, at, from, to, views }, destination, toBit) {
  const inner = sizes.length - 1;
  const [count, stride, step] = inner < 0 ? [1, 0, 0] : [sizes[inner], from[inner], to[inner]];
  let k = 0;
  do {
    let staged = stagedBit;
    let place = toBit;
    for (let i = 0; i < inner; i++) {
      staged += at[i] * from[i];
      place += at[i] * to[i];
    }
    for (let i = 0; i < count; i++) {
      if (views) destination.set(views[k++], (place + i * step) / 8);
      else putRun(staged + i * stride, run, destination, place + i * step);
    }
  } while (advance(at, steps, sizes));
}

/** Copies one run from the scratch area out; other elements may share its first and its last byte. @type {(from: number, run: number, destination: Uint8Array, to: number) => void} */
function putRun(from, run, destination, to) {
  const end = to + run;
  let first = Math.floor(to / 8);
  let last = Math.floor(end / 8);
  let source = Math.floor(from / 8);
  if (to % 8) {
    const mask = (0xff << to % 8) & (first === last ? (1 << end % 8) - 1 : 0xff);
    destination[first] = (destination[first] & ~mask) | (scratch[source] & mask);
    if (first === last) return;
    first++;
    source++;
  }
  if (end % 8) {
    const mask = (1 << end % 8) - 1;
    destination[last] = (destination[last] & ~mask) | (scratch[source + last - first] & mask);
  }
  if (last > first) destination.set(scratch.subarray(source, source + last - first), first);
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
      from += at[i] * list[i].source / 8;
      to += at[i] * list[i].destination / 8;
    }
    destination.set(source.subarray(from, from + bytes), to);
  } while (advance(at, ones, extents));
}

/**
 * Cuts a dense tensor along one axis, in one pass over it. Bits after a packed piece's last element are written zero.
 * @param {number} elementBits
 * @param {number} outer number of rows: the product of the extents before the axis
 * @param {number} inner elements of one step along the axis
 * @param {readonly number[]} sizes of the pieces along the axis
 * @param {Uint8Array} source
 * @param {readonly Uint8Array[]} destinations one a piece, none overlapping the source or another
 */
export function splitBytes(elementBits, outer, inner, sizes, source, destinations) {
  const { transpose } = ready('splitToSequence');
  const stepBits = inner * elementBits;
  const rowBits = sizes.reduce((sum, size) => sum + size, 0) * stepBits;
  const longest = sizes.reduce((most, size) => Math.max(most, size), 0) * stepBits;
  const rowsInSlab = Math.floor(8 * slabBytes / rowBits);
  // A slab pays where runs are short; it has to hold 8 rows, so that every slab of a packed tensor begins at a whole byte.
  const staged = (longest < 8 * directBytes || rowBits % 8 !== 0) && rowsInSlab >= 8 && outer > 1;
  const step = staged ? rowsInSlab - rowsInSlab % 8 : 1;
  for (let row = 0; row < outer; row += step) {
    const rows = Math.min(step, outer - row);
    if (staged) scratch.set(source.subarray(row * rowBits / 8, Math.ceil((row + rows) * rowBits / 8)));
    let offset = 0;
    for (let i = 0; i < sizes.length; i++) {
      const bits = sizes[i] * stepBits;
      if (staged) {
        const bytes = Math.ceil(rows * bits / 8);
        if (bytes === 0) continue;
        const first = stagedAt(destinations[i], row * bits / 8);
        if (rows * bits % 8) scratch[first + bytes - 1] = 0;
        setAxis(0, rows, rowBits, bits);
        setAxis(1, sizes[i] * inner, elementBits, elementBits);
        transpose(elementBits, 2, scratchBit + offset, scratchBit + 8 * first);
        destinations[i].set(scratch.subarray(first, first + bytes), row * bits / 8);
      } else {
        copyBits(elementBits, source, row * rowBits + offset, destinations[i], row * bits, bits);
      }
      offset += bits;
    }
  }
}

/** Copies one run of elements from any bit to any bit. @type {(elementBits: number, source: Uint8Array, from: number, destination: Uint8Array, to: number, bits: number) => void} */
function copyBits(elementBits, source, from, destination, to, bits) {
  if (bits === 0) return;
  if ((from | to | bits) % 8 === 0 || (from % 8 === 0 && to % 8 === 0 && bits % 8 === 0)) {
    destination.set(source.subarray(from / 8, (from + bits) / 8), to / 8);
    return;
  }
  const { transpose } = ready('splitToSequence');
  const lastByte = Math.ceil((to + bits) / 8) - 1;
  if (lastByte === destination.length - 1 && (to + bits) % 8) destination[lastByte] &= (1 << (to + bits) % 8) - 1;
  for (let done = 0; done < bits; done += 8 * slabBytes) {
    const part = Math.min(8 * slabBytes, bits - done);
    const at = from + done;
    scratch.set(source.subarray(Math.floor(at / 8), Math.ceil((at + part) / 8)));
    setAxis(0, part / elementBits, elementBits, elementBits);
    transpose(elementBits, 1, scratchBit + at % 8, scratchBit + 8 * sourceBytes + to % 8);
    putRun(8 * sourceBytes + to % 8, part, destination, to + done);
  }
}
