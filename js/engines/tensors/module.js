/** The wasm module and its memory of a fixed size. Pieces of tensors pass through one scratch area, so nothing here
 * allocates by the size of a tensor, and no view is ever detached. */
import * as args from '../../arguments/index.js';
import { refuseMemory } from '../memory/index.js';

/** @import { TypedArray, TypedArrays } from '../../arguments/types.js' */
/** @import { ModuleMemory } from '../memory/index.js' */
/** @import { Axis, Layout, Spans } from './types.js' */
/** @import { TensorData } from '../../tensor/types.js' */

/** @type {Layout} undefined until it is loaded */
export let layout;
/** @type {ModuleMemory} that of the module */
export let memory;
/** @type {Uint8Array} all memory that pieces of tensors pass through */
export let scratch;
/** The address of the scratch area in bytes. */
export let scratchByte = 0;
/** @type {Uint32Array} the struct of a call with more than six numbers */
export let callBlock;
/** @type {Float64Array} */
let axes;

/** Takes the loaded module: sets `layout`, `memory`, the scratch area, the blocks that JS and the module share, and a
 * view of the scratch area for each class of typed array.
 * @type {(module: Layout, instance: { exports: object }) => void} */
export function use(module, { exports }) {
  // Found by its class, because the linker shortens the names of exports.
  memory = Object.values(exports).find((value) => String(value) === '[object WebAssembly.Memory]');
  scratch = module.scratch();
  scratchByte = scratch.byteOffset;
  axes = module.axes();
  callBlock = module.call();
  for (const [name, Class] of Object.entries(args.arrayClasses)) {
    // `Array` has no memory, and `Float16Array` is undefined in engines that lack it.
    const isTypedArray = Class?.BYTES_PER_ELEMENT !== undefined;
    if (!isTypedArray) continue;
    /** @type {Record<string, TypedArray>} */ (scratchViews)[name] = new Class(
      scratch.buffer,
      scratchByte,
      scratch.length / Class.BYTES_PER_ELEMENT,
    );
  }
  layout = module;
}

/** The scratch area as each class of typed array: no call makes a view. */
export const scratchViews = /** @type {TypedArrays} */ ({});

/** @type {(like: ArrayBufferView) => TypedArray} the scratch area as the class of another typed array */
export const scratchLike = (like) => scratchViews[/** @type {keyof TypedArrays} */ (args.typedArrayName(like))];

/** V8 stores typed arrays of up to 64 bytes inside the object. Reading `.buffer` moves them out, 200 of the 1,500 ns of
 * a small cast (measured), so small results are copied through a cached view of their class. */
const smallBytes = 64;
/** @type {Record<string, TypedArray[]>} */
const smallViews = {};

/** Returns the view through which a result of at most `smallBytes` is copied out of the scratch area, where kernels put
 * it at `destinationByte`; kept by class and length. Undefined where the result is empty, larger, or not of exactly
 * `bytes` bytes.
 * @type {(result: ArrayBufferView, bytes: number) => TypedArray | undefined} */
export function smallView(result, bytes) {
  if (bytes > smallBytes || bytes === 0 || args.byteLengthOf(result) !== bytes) return undefined;
  const name = /** @type {keyof TypedArrays} */ (args.typedArrayName(result));
  const views = (smallViews[name] ??= new Array(smallBytes + 1));
  return (views[bytes] ??= viewAt(scratchViews[name], destinationByte, bytes));
}

/** Views `bytes` bytes of the scratch area, from byte `place` on, in the class of `scratchView`.
 * @type {(scratchView: TypedArray, place: number, bytes: number) => TypedArray} */
const viewAt = (scratchView, place, bytes) =>
  scratchView.subarray(place / scratchView.BYTES_PER_ELEMENT, (place + bytes) / scratchView.BYTES_PER_ELEMENT);

/** The block of axes has so many numbers for each: its extent, and its strides on both sides. */
const axisNumbers = 3;

/** Writes an axis of a box to the block of axes, where the module reads it: its extent, and its strides in the source
 * and the destination, in bits.
 * @type {(axis: number, extent: number, source: number, destination: number) => void} */
export function setAxis(axis, extent, source, destination) {
  axes[axisNumbers * axis] = extent;
  axes[axisNumbers * axis + 1] = source;
  axes[axisNumbers * axis + 2] = destination;
}

/** Reads an axis of a box from the block of axes.
 * @type {(axis: number) => Axis} */
function readAxis(axis) {
  const first = axisNumbers * axis;
  return { extent: axes[first], source: axes[first + 1], destination: axes[first + 2] };
}

/** Writes all axes of a box to the block of axes.
 * @type {(list: readonly Axis[]) => void} */
export function setAxes(list) {
  for (let i = 0; i < list.length; i++) setAxis(i, list[i].extent, list[i].source, list[i].destination);
}

/** Joins the axes of a box to as few as make the same moves, outermost in the destination first. Where the innermost
 * one moves whole, it becomes part of the element: `bits` is the width of what moves as one element then. Overwrites
 * the block of axes. `onBytes`: the box begins at a byte on both sides. See cpp/transpose/axes.h.
 * @type {(elementBits: number, list: readonly Axis[], onBytes: boolean) => { bits: number, list: Axis[] }} */
export function canonicalAxes(elementBits, list, onBytes) {
  setAxes(list);
  const rank = layout.canonicalAxes(elementBits, list.length, onBytes);
  const canonical = Array.from({ length: rank }, (_, axis) => readAxis(axis));
  // The module leaves the element's width behind the place of the last axis that there can be.
  return { bits: axes[axisNumbers * layout.maxRank], list: canonical };
}

/** A line of the cache that copies of long runs depend on, in bytes. */
export const lineBytes = 32;

/** Where a piece of the destination begins. Half a page more than a multiple of one: a load waits for an earlier store
 * whose address ends in nearly the same 12 bits. */
export const destinationByte = 10 * 2 ** 20 + 2048;

/** In Node the memory of an ArrayBuffer begins so many bytes after the start of a cache line. */
const firstPlace = 16;

/** The place in a cache line, in bytes, of byte `byte` of an array. Long runs are staged at the same place of a line as
 * in their array: copies of 4 KB or more then run 1.2 to 1.4 times faster, ten times faster than where both sides lie 8
 * bytes apart in their pages, images of 1 to 5 MB 1.03 to 1.1 times (measured).
 * @type {(data: ArrayBufferView, byte: number) => number} */
export const placeInLine = ({ byteOffset }, byte) => (firstPlace + byteOffset + byte) % lineBytes;

/** Bytes beside a box up to which the array is copied as it is: a view of the box's bytes costs 200 ns. */
export const besideBytes = 256;

/** Copies the bytes that hold a box's elements (from `low` to `end` of each of its sources) into the scratch area,
 * those of source k from byte k * `apart` on. Refuses a source of fewer bytes.
 * @type {(box: Spans & { source: number, sources: number }, memories: TensorData[]) => void} */
export function stage({ low, end, apart, source, sources }, memories) {
  for (let k = 0; k < sources; k++) {
    const memory = memories[source + k];
    const bytes = args.byteLengthOf(memory);
    if (bytes < end) refuseMemory('read', memory, end);
    const place = k * apart;
    const areFewBeside = low === 0 && bytes <= end + besideBytes;
    if (areFewBeside) {
      const words = scratchLike(memory);
      args.copyTo(words, memory, place === 0 ? 0 : place / words.BYTES_PER_ELEMENT);
    } else scratch.set(args.bytesBetween(args.bytesOf(memory), low, end), place);
  }
}

/** Copies a box's result from the scratch area to its memory, from byte `start` on. Where the result begins or ends
 * within a byte, the other bits of that byte are kept. The engine's own copy refuses memory that is too short.
 * @type {(spans: Spans, memory: TensorData) => void} */
export function unstage({ start, bytes, phase, tail, place = destinationByte, views }, memory) {
  const name = /** @type {keyof TypedArrays} */ (args.typedArrayName(memory));
  const view = (views[name] ??= viewAt(scratchViews[name], place, bytes));
  if (phase + tail > 0) mend(/** @type {Uint8Array} */ (view), phase, tail, memory, start);
  try {
    args.copyTo(memory, view, start === 0 ? 0 : start / view.BYTES_PER_ELEMENT);
  } catch {
    refuseMemory('written', memory, start + bytes);
  }
}

/** Prepares a staged run, whose bits need not fill its first and last byte, for a copy of whole bytes: gives the other
 * bits of both bytes the values that they have in the destination, from `byte` of `memory` on. `phase`: bits of the
 * first byte before the run. `tail`: bits of the last byte that the run fills; 0 for all.
 * @type {(view: Uint8Array, phase: number, tail: number, memory: Uint8Array, byte: number) => void} */
export function mend(view, phase, tail, memory, byte) {
  const last = view.length - 1;
  // The bits to keep: the low ones of the first byte, before the run, and the high ones of the last byte, behind it.
  const maskBefore = (1 << phase) - 1;
  const maskBehind = tail === 0 ? 0 : 0xff << tail;
  view[0] = (view[0] & ~maskBefore) | (memory[byte] & maskBefore);
  view[last] = (view[last] & ~maskBehind) | (memory[byte + last] & maskBehind);
}
