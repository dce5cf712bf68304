/**
 * The audio module and its memory. It is apart from the module that moves bytes, so a page that prepares no audio does
 * not load it. It imports nothing and has no glue: an AudioWorklet starts it from a compiled module alone.
 *
 * The memory has a fixed size, whatever the length of the audio. Its front half holds the tables of one spectrogram or
 * resampling at a time, its back half the piece of samples and results that is worked on.
 */
import { refusal } from '../arguments/index.js';
import { loadOnce } from '../wasm/index.js';

/** @import { Load } from '../wasm/index.js' */

/** The functions of cpp/audio_exports.cpp. Addresses and counts are numbers.
 * @type {Record<string, (...numbers: number[]) => number>} */
export let kernels;
/** @type {Float32Array} */
export let floats;
/** @type {Float64Array} */
export let doubles;
/** @type {Int32Array} */
export let integers;
/** @type {Uint8Array} */
export let bytes;
/** Where the tables begin, in bytes. */
export let tablesByte = 0;
/** Where pieces begin, in bytes. */
export let piecesByte = 0;
/** How many bytes tables have, and pieces likewise. */
export let halfBytes = 0;
/** @type {{ loading?: Promise<void> }} */
const once = {};

/** @type {Load} */
export const load = (options, text) => loadOnce(once, options, text, start);

/** @type {(wasm: any) => Promise<void>} */
async function start(wasm) {
  const result = /** @type {any} */ (await WebAssembly.instantiate(wasm, {}));
  const { memory, ...functions } = (result.instance ?? result).exports;
  tablesByte = functions.arena();
  halfBytes = functions.arena_size() / 2;
  piecesByte = tablesByte + halfBytes;
  bytes = new Uint8Array(memory.buffer);
  floats = new Float32Array(memory.buffer);
  doubles = new Float64Array(memory.buffer);
  integers = new Int32Array(memory.buffer);
  kernels = functions;
}

/** Refuses a call before `init()`. */
export function ready() {
  if (!kernels) throw refusal(new Error("call await init() of 'onnx-layout/audio' first"));
}

/** @type {object | undefined} The tables that lie in the module now. */
let resident;

/** @type {(owner: { tables: Uint8Array }) => void} Puts tables where kernels read them, unless they are there. */
export function loadTables(owner) {
  if (resident === owner) return;
  bytes.set(owner.tables, tablesByte);
  resident = owner;
}

/** Takes addresses for tables, one behind the other.
 * @returns {{ take: (length: number) => number, used: () => number }} `take` of a length in bytes gives an address, or
 *   0 where the half is full */
export function tableSpace() {
  resident = undefined;
  let next = tablesByte;
  return {
    take(length) {
      const at = next;
      next += Math.ceil(length / 16) * 16;
      return next <= piecesByte ? at : 0;
    },
    used: () => next - tablesByte,
  };
}
