/**
 * The postprocess module and its memory. It is apart from the module that moves bytes, so a page that only prepares
 * inputs does not load it. It imports nothing and has no glue.
 *
 * The memory is as large as the outputs of a call need, from 1 MiB to 2 GiB. After a call that took more than 64 MiB,
 * the module starts again, so the memory is given back.
 */
import { bytesOf, rangeError, refusal } from '../arguments/index.js';
import { loadOnce } from '../wasm/index.js';

/** @import { Load } from '../wasm/index.js' */

const pageBytes = 65536;
const keptBytes = 64 * 2 ** 20;
const alignment = 16;

/** The functions of cpp/postprocess_exports.cpp and cpp/mask_exports.cpp. Addresses and counts are numbers.
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
/** @type {{ loading?: Promise<void> }} */
const once = {};

/** @type {Load} */
export const load = (options, text) => loadOnce(once, options, text, compile);

/** @type {(wasm: any) => Promise<void>} */
async function compile(wasm) {
  compiled = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
  start();
}

function start() {
  const { memory: own, ...functions } = /** @type {any} */ (new WebAssembly.Instance(compiled, {}).exports);
  memory = own;
  kernels = functions;
  firstByte = nextByte = Math.ceil(functions.heap() / alignment) * alignment;
}

/**
 * Runs what takes memory of the module. All of it is free again afterwards.
 * @template T
 * @param {() => T} work
 * @returns {T}
 * @throws {Error} before `init()`
 */
export function withMemory(work) {
  if (!kernels) throw refusal(new Error("call await init() of 'onnx-layout/postprocess' first"));
  const mark = nextByte;
  try {
    return work();
  } finally {
    nextByte = mark;
    if (mark === firstByte && memory.buffer.byteLength > keptBytes) start();
  }
}

/** Takes memory. Its bytes are not set.
 * @param {number} bytes
 * @returns {number} its address */
export function space(bytes) {
  const at = nextByte;
  const end = Math.ceil((at + bytes) / alignment) * alignment;
  const missing = end - memory.buffer.byteLength;
  if (missing > 0) grow(Math.ceil(missing / pageBytes), end - firstByte);
  nextByte = end;
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
 * @returns {number} its address */
export function put(data) {
  const at = space(data.byteLength);
  new Uint8Array(memory.buffer).set(bytesOf(data), at);
  return at;
}

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
export const view = (ArrayClass, at, length) => /** @type {any} */ (new ArrayClass(memory.buffer, at, length));

/**
 * A copy of an array in the module: in `to`, where given.
 * @template {Class} C
 * @param {C} ArrayClass
 * @param {number} at
 * @param {number} length
 * @param {any} [to]
 * @returns {InstanceType<C>}
 */
export function take(ArrayClass, at, length, to) {
  const own = view(ArrayClass, at, length);
  if (!to) return /** @type {any} */ (own.slice());
  to.set(own);
  return to;
}
