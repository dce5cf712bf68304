/** Strips: what the wasm module has left in the scratch area goes to the destination, run by run. */
import { bytesBetween } from '../arguments/index.js';
import { scratch, sourceBytes, stagedAt } from './heap.js';
import { advance, layOut, lineRunBytes, product } from './stage.js';

/** Views of a strip's runs, by the first one's place, the runs' length and stride: making one costs as much as copying 2 KB. @type {Map<string, Uint8Array[]>} */
const runViews = new Map();

/** The first `count` of the runs that are staged from `first` on, or more. @type {(first: number, bytes: number, stride: number, count: number) => Uint8Array[]} */
export function viewsOfRuns(first, bytes, stride, count) {
  const key = `${first} ${bytes} ${stride}`;
  let views = runViews.get(key);
  if (!views) {
    // Strips that differ in their place alone share them. A tensor needs those of the few sizes that its runs have.
    if (runViews.size >= 32) runViews.clear();
    runViews.set(key, (views = []));
  }
  for (let i = views.length; i < count; i++)
    views.push(bytesBetween(scratch, first + i * stride, first + i * stride + bytes));
  return views;
}

/**
 * How strips lie in the scratch area and, from wherever they begin, in the destination.
 * @typedef {object} Strip
 * @property {number[]} size
 * @property {number[]} strides of all axes in the scratch area
 * @property {number} stagedBit where they begin there
 * @property {number} run in bits
 * @property {number[]} sizes of the axes along which there are several runs, outermost first
 * @property {number[]} steps what is copied at once: all along the innermost of these axes
 * @property {number[]} from strides of these axes in the scratch area
 * @property {number[]} to their strides in the destination
 * @property {Uint8Array[] | undefined} views of the runs, where all of them are whole bytes
 */

/** @type {(bits: number, list: readonly import('./stage.js').Axis[], cuts: import('./stage.js').Cuts, slabSize: readonly number[], stripAt: readonly number[], destination: Uint8Array, toBit: number) => Strip} */
export function layStrip(bits, list, { outward, strip }, slabSize, stripAt, destination, toBit) {
  const size = strip.map((step, i) => Math.min(step, slabSize[i] - stripAt[i]));
  const strides = size.map(() => 0);
  const { run, outer } = layOut(bits, list, outward, size, toBit % 8, strides);
  const staged = run < 8 * lineRunBytes ? sourceBytes : stagedAt(destination, Math.floor(toBit / 8));
  const stagedBit = 8 * staged + (toBit % 8);
  const sizes = outer.map((axis) => size[axis]);
  const from = outer.map((axis) => strides[axis]);
  const to = outer.map((axis) => list[axis].destination);
  const isWhole = toBit % 8 === 0 && run % 8 === 0 && to.every((stride) => stride % 8 === 0);
  return {
    size,
    strides,
    stagedBit,
    run,
    sizes,
    from,
    to,
    steps: sizes.map((extent, i) => (i === sizes.length - 1 ? extent : 1)),
    views: isWhole ? viewsOfRuns(stagedBit / 8, run / 8, (from.at(-1) ?? 0) / 8, product(sizes)) : undefined,
  };
}

/** Copies a strip's runs from the scratch area to the destination. @type {(strip: Strip, destination: Uint8Array, toBit: number) => void} */
export function copyOut({ stagedBit, run, sizes, steps, from, to, views }, destination, toBit) {
  const at = sizes.map(() => 0);
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
    if (views) {
      const bytes = step / 8;
      let byte = place / 8;
      for (const end = k + count; k < end; k++, byte += bytes) destination.set(views[k], byte);
    } else {
      for (let i = 0; i < count; i++) putRun(staged + i * stride, run, destination, place + i * step);
    }
  } while (advance(at, steps, sizes));
}

/** Copies one run from the scratch area out; other elements may share its first and its last byte. @type {(from: number, run: number, destination: Uint8Array, to: number) => void} */
export function putRun(from, run, destination, to) {
  const end = to + run;
  let first = Math.floor(to / 8);
  let last = Math.floor(end / 8);
  let source = Math.floor(from / 8);
  if (to % 8) {
    const mask = (0xff << (to % 8)) & (first === last ? (1 << (end % 8)) - 1 : 0xff);
    destination[first] = (destination[first] & ~mask) | (scratch[source] & mask);
    if (first === last) return;
    first++;
    source++;
  }
  if (end % 8) {
    const mask = (1 << (end % 8)) - 1;
    destination[last] = (destination[last] & ~mask) | (scratch[source + last - first] & mask);
  }
  if (last > first) destination.set(bytesBetween(scratch, source, source + last - first), first);
}
