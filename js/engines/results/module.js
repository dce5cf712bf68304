/**
 * The postprocess module and its memory. It is apart from the module that moves bytes, so a page that only prepares
 * inputs does not load it. It imports nothing and has no glue.
 *
 * The memory is as large as the outputs of a call need, from 1 MiB to 2 GiB. After a call that took more than 64 MiB,
 * the module starts again, so the memory is given back.
 *
 * Kernels take addresses and extents, and compare nothing. So each function here says how many bytes kernels read of an
 * array (`put`) and write to memory (`space`), reckoned from the extents that it hands to them, and these are compared
 * with what is there: here alone, before a kernel runs.
 */
import { byteLengthOf, bytesOf, rangeError, showList } from '../../arguments/index.js';
import { structBytes } from '../memory/index.js';

/** @import { Struct } from '../memory/index.js' */

const pageBytes = 65536;
const keptBytes = 64 * 2 ** 20;
const alignment = 16;
/** Kernels count in int32. */
const maxExtent = 2 ** 31 - 1;

/** The functions of postprocess_exports.cpp and mask_exports.cpp in cpp/modules. Addresses and counts are numbers.
 * @type {Record<string, (...numbers: number[]) => number>} */
export let kernels;
/** @type {WebAssembly.Module} */
let compiled;
/** @type {any} */
let memory;
/** Where free memory begins, in bytes. */
let firstByte = 0;
/** Where the memory of the next array begins. */
let nextByte = 0;
/** Where the memory of each array begins and ends.
 * @type {{ at: number, end: number }[]} */
export const pieces = [];

/** @type {(instance: { exports: unknown }, module: WebAssembly.Module) => void} */
export function use(instance, module) {
  compiled = module;
  const { memory: exported, ...functions } = /** @type {any} */ (instance.exports);
  memory = exported;
  kernels = functions;
  firstByte = nextByte = Math.ceil(functions.heap() / alignment) * alignment;
}

/**
 * Runs work that takes memory of the module, which is loaded. All of it is free again afterwards.
 * @template T
 * @param {() => T} work
 * @returns {T}
 */
export function runInMemory(work) {
  const mark = nextByte;
  const { length } = pieces;
  try {
    return work();
  } finally {
    nextByte = mark;
    pieces.length = length;
    if (mark === firstByte && memory.buffer.byteLength > keptBytes)
      use(new WebAssembly.Instance(compiled, {}), compiled);
  }
}

/** The product of extents, which are whole numbers from `least` on that fit int32.
 * @type {(extents: readonly number[], least?: number) => number} */
export function sizeOf(extents, least = 0) {
  let size = 1;
  for (const extent of extents) {
    if (!(Number.isInteger(extent) && extent >= least))
      rangeError(`extents must be whole numbers from ${least} on, got ${showList(extents)}`);
    if (extent > maxExtent) rangeError(`outputs must fit in the module's 2 GiB, got extents ${showList(extents)}`);
    size *= extent;
  }
  return size;
}

/** How many rows of a width an array holds. Without a width it holds none.
 * @type {(data: ArrayLike<unknown>, width: number) => number} */
export function rowsIn(data, width) {
  if (sizeOf([width]) === 0) return 0;
  const rows = data.length / width;
  return Number.isInteger(rows) ? rows : rangeError(`data must hold rows of ${width}, got ${data.length} numbers`);
}

/** Takes memory. Its bytes are not set.
 * @param {number} bytes
 * @returns {number} its address */
export function space(bytes) {
  if (!(bytes >= 0)) rangeError(`memory must have 0 bytes or more, got ${bytes}`);
  const at = nextByte;
  const end = Math.ceil((at + bytes) / alignment) * alignment;
  const missing = end - memory.buffer.byteLength;
  if (missing > 0) grow(Math.ceil(missing / pageBytes), end - firstByte);
  nextByte = end;
  pieces.push({ at, end: at + bytes });
  return at;
}

/** @type {(pages: number, bytes: number) => void} */
function grow(pages, bytes) {
  try {
    memory.grow(pages);
  } catch {
    rangeError(`outputs must fit in the module's 2 GiB, got work of ${bytes} bytes`);
  }
}

/** Copies an array into the module.
 * @param {ArrayBufferView} data
 * @param {number} bytes how many of it kernels read, by the extents that they get
 * @returns {number} its address */
export function put(data, bytes) {
  const byteLength = byteLengthOf(data);
  if (!(bytes <= byteLength)) rangeError(`data must hold the ${bytes} bytes of its extents, got ${byteLength}`);
  const at = space(byteLength);
  new Uint8Array(memory.buffer).set(bytesOf(data), at);
  return at;
}

/** Copies the settings of a kernel into the module, which are as long as they are.
 * @type {(settings: ArrayBufferView) => number} */
export const putSettings = (settings) => put(settings, settings.byteLength);

/** @type {(struct: Struct<any>, values: unknown) => number} the address of a struct */
export const putStruct = (struct, values) => putSettings(structBytes(struct, values));

/** @typedef {Float32ArrayConstructor | Float64ArrayConstructor | Int32ArrayConstructor | Uint32ArrayConstructor |
 *   Uint16ArrayConstructor | Uint8ArrayConstructor} Class */

/**
 * An array in the module, until the module takes more memory.
 * @template {Class} C
 * @param {C} ArrayClass
 * @param {number} at
 * @param {number} length
 * @returns {InstanceType<C>}
 */
export function view(ArrayClass, at, length) {
  const end = at + length * ArrayClass.BYTES_PER_ELEMENT;
  if (!(length >= 0 && pieces.some((piece) => at >= piece.at && end <= piece.end)))
    rangeError(`memory must hold ${length} numbers at ${at}, which no array of the call does`);
  return /** @type {any} */ (new ArrayClass(memory.buffer, at, length));
}

/**
 * A copy of an array in the module: in `to`, of the same length, where given.
 * @template {Class} C
 * @param {C} ArrayClass
 * @param {number} at
 * @param {number} length
 * @param {any} [to]
 * @returns {InstanceType<C>}
 */
export function take(ArrayClass, at, length, to) {
  const numbers = view(ArrayClass, at, length);
  if (!to) return /** @type {any} */ (numbers.slice());
  if (to.length !== length) rangeError(`out data must have ${length} entries, got ${to.length}`);
  to.set(numbers);
  return to;
}
