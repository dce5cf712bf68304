/**
 * The audio module and its memory. It is apart from the module that moves bytes, so a page that prepares no audio does
 * not load it. It imports nothing and has no glue: an AudioWorklet starts it from a compiled module alone.
 *
 * The memory has a fixed size, whatever the length of the audio. Its front half holds the tables of one spectrogram or
 * resampling at a time, its back half the piece of samples and results that is worked on.
 */
import { Arena } from '../memory/index.js';

/** @import { ModuleMemory } from '../memory/index.js' */

/** The functions of cpp/modules/audio_exports.cpp. Addresses and counts are numbers.
 * @type {Record<string, (...numbers: number[]) => number>} */
export let kernels;
/** How many bytes tables have, and pieces likewise. */
export let halfBytes = 0;

/** Takes an instance of the module: sets `kernels`, and gives a half of its memory each to `tables` and `pieces`.
 * @type {(instance: { exports: object }) => void} */
export function use({ exports }) {
  const { memory, ...functions } = /** @type {typeof kernels & { memory: ModuleMemory }} */ (exports);
  const first = functions.arena();
  halfBytes = functions.arena_size() / 2;
  const middle = first + halfBytes;
  const end = middle + halfBytes;
  tables.setBounds(memory, first, middle);
  pieces.setBounds(memory, middle, end);
  kernels = functions;
}

/** The front half: the tables of one spectrogram or filter. */
export const tables = new Arena();
/** The back half: a piece of samples and results. */
export const pieces = new Arena();

/** The spectrogram or filter whose tables lie in the module now.
 * @type {object | undefined} */
let resident;

/** Puts the tables of a spectrogram or a filter into the module, unless they lie there already.
 * @type {(owner: { tables: Uint8Array }) => number} their address */
export function loadTables(owner) {
  if (resident === owner) return tables.first;
  startTables();
  const at = tables.copyIn(owner.tables, owner.tables.length);
  resident = owner;
  return at;
}

/** Empties the module's memory of tables, to make others there. No owner's tables are `resident` from then on. */
export function startTables() {
  resident = undefined;
  tables.clear();
}

/** Copies the tables in the module: all that were made, or their first bytes.
 * @type {(bytes?: number) => Uint8Array} */
export const copyTables = (bytes = tables.next - tables.first) =>
  new Uint8Array(tables.memory.buffer, tables.first, bytes).slice();
