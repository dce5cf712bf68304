/**
 * The audio module and its memory. It is apart from the module that moves bytes, so a page that prepares no audio does
 * not load it. It imports nothing and has no glue: an AudioWorklet starts it from a compiled module alone.
 *
 * The memory has a fixed size, whatever the length of the audio. Its front half holds the tables of one spectrogram or
 * resampling at a time, its back half the piece of samples and results that is worked on.
 */
import { rangeError } from '../../arguments/index.js';
import { Arena } from '../memory/index.js';

/** The functions of cpp/modules/audio_exports.cpp. Addresses and counts are numbers.
 * @type {Record<string, (...numbers: number[]) => number>} */
export let kernels;
/** How many bytes tables have, and pieces likewise. */
export let halfBytes = 0;

/** @type {(instance: { exports: unknown }) => void} */
export function use(instance) {
  const { memory, ...functions } = /** @type {any} */ (instance.exports);
  const first = functions.arena();
  halfBytes = functions.arena_size() / 2;
  tables.setBounds(memory, first, first + halfBytes);
  pieces.setBounds(memory, first + halfBytes, first + 2 * halfBytes);
  kernels = functions;
}

/** Refuses an array that lacks some of `count` numbers. Wrappers of kernels ask before they write anything.
 * @type {(data: ArrayLike<number>, count: number) => void} */
export function checkLength(data, count) {
  if (!(data.length >= count)) rangeError(`memory must hold ${count} numbers, got ${data.length}`);
}

/** Numbers `first` to `end` of an array that must hold them.
 * @template {Float32Array | Float64Array | Uint8Array} T
 * @param {T} data
 * @param {number} first
 * @param {number} end
 * @returns {T} */
export function span(data, first, end) {
  if (!(first >= 0 && first <= end && end <= data.length))
    rangeError(`memory must hold numbers ${first} to ${end}, got ${data.length} numbers`);
  return /** @type {any} */ (data.subarray(first, end));
}

/** The front half: the tables of one spectrogram or filter. */
export const tables = new Arena();
/** The back half: a piece of samples and results. */
export const pieces = new Arena();

/** @type {object | undefined} whose tables lie in the module now */
let resident;

/** Puts tables where kernels read them, unless they are there.
 * @type {(owner: { tables: Uint8Array }) => number} their address */
export function loadTables(owner) {
  if (resident === owner) return tables.first;
  startTables();
  const at = tables.put(owner.tables, owner.tables.length);
  resident = owner;
  return at;
}

/** Frees the memory of tables, to make others there. */
export function startTables() {
  resident = undefined;
  tables.clear();
}

/** @type {(bytes?: number) => Uint8Array} a copy of the tables that were made, or of the first of them */
export const copyTables = (bytes = tables.next - tables.first) =>
  new Uint8Array(tables.memory.buffer, tables.first, bytes).slice();
