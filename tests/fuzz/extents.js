/**
 * Calls of all wrappers of the postprocess module: with extents that do not fit, and with extents that do. The latter
 * are recorded, and a native program makes them again under sanitizers (result_exports.cpp).
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { loader } from '../../js/engines/results/index.js';
import { arena } from '../../js/engines/results/module.js';
import { Draw } from './draw.js';
import { maskCalls } from './mask-calls.js';
import { hashValue } from './painted.js';
import { resultCalls } from './result-calls.js';

export const calls = { ...resultCalls, ...maskCalls };

/** The exports of the newest instance: the module starts anew by itself. */
let current;
/** @type {string[] | undefined} the kernels' calls, where they are recorded */
let record;

/** The byte that lies in free memory, and in that of the native program. */
const paint = 0xff;

/** An array's place, its size, and its bytes without those at the end that are paint.
 * @type {(array: number) => string} */
function textOf(array) {
  const [at, end] = [arena.starts[array], arena.ends[array]];
  const bytes = Buffer.from(current.memory.buffer, at, end - at);
  let count = bytes.length;
  while (count > 0 && bytes[count - 1] === paint) count--;
  return `${at} ${end - at} ${bytes.toString('hex', 0, count)}.`;
}

/** Loads the module, so that its kernels' calls can be recorded.
 * @returns {Promise<string[]>} the names of the kernels */
export async function loadRecorded() {
  /** @type {any} */
  const engine = WebAssembly;
  const { Instance } = engine;
  engine.Instance = function (...args) {
    const { memory, ...kernels } = new Instance(...args).exports;
    current = { memory, ...kernels };
    const noted = Object.entries(kernels).map(([name, kernel]) => [
      name,
      (...numbers) => {
        const arrays = Array.from({ length: arena.count }, (_, i) => textOf(i));
        record?.push([name, numbers.length, ...numbers, arrays.length, ...arrays].join(' '));
        return kernel(...numbers);
      },
    ]);
    return { exports: { memory, ...Object.fromEntries(noted) } };
  };
  // init() makes no Instance.
  loader.loadNow();
  const isLibrary = (name) => /^(_|stack|heap$|memory$)/.test(name);
  return Object.keys(current).filter((name) => !isLibrary(name));
}

/** Calls of small extents take less memory. */
const usedBytes = 2 ** 19;

/** Fills free memory with a byte, and makes a call.
 * @type {(call: (d: Draw) => unknown, d: Draw, byte?: number) => string} what it gives, or its error */
function outcomeOf(call, d, byte = paint) {
  new Uint8Array(current.memory.buffer, Math.ceil(current.heap() / 16) * 16, usedBytes).fill(byte);
  try {
    const hash = createHash('sha1');
    hashValue(hash, call(d));
    return hash.digest('hex');
  } catch (error) {
    return `${error}`;
  }
}

/** The change of nothing: the call has the extents that are changed. */
const none = { place: -1 };

/** @type {(d: Draw) => boolean} whether the call left what it may write to as it was */
const isUntouched = (d) => d.outs.every(({ before, array }) => Buffer.compare(before, array) === 0);

/**
 * Calls a wrapper with each extent that does not fit, and with each array that lacks a number.
 * @param {string} name
 * @param {number} seed
 * @param {number} [nth] tries every n-th misfit of an extent
 * @returns {{ count: number, faults: string[] }}
 */
export function tryMisfits(name, seed, nth = 1) {
  const call = calls[name];
  const faults = [];
  if (outcomeOf(call, new Draw(seed), 0x3f) !== outcomeOf(call, new Draw(seed)))
    faults.push(`${name}, seed ${seed}: the result has bytes of another call`);
  const first = new Draw(seed, none);
  const expected = outcomeOf(call, first);
  const changes = first.extents.flatMap((wrong, place) =>
    wrong.filter((_, i) => (i + seed) % nth === 0).map((misfit) => ({ place, misfit })),
  );
  for (let place = 0; place < first.arrays; place++) changes.push({ place });
  for (const change of changes) {
    const d = new Draw(seed, change);
    const outcome = outcomeOf(call, d);
    const changed = change.misfit ? `extent ${change.place} ${change.misfit}` : `array ${change.place}`;
    const title = `${name}, seed ${seed}, ${changed}`;
    if (!outcome.startsWith('RangeError: ')) faults.push(`${title}: ${outcome}`);
    if (!isUntouched(d)) faults.push(`${title}: its output was written to`);
    if (outcomeOf(call, new Draw(seed, none)) !== expected) faults.push(`${title}: the next call differs`);
  }
  return { count: changes.length, faults };
}

/** The kernels' calls of a wrapper, a line each.
 * @type {(name: string, seed: number) => { lines: string[], outcome: string }} */
export function recordCall(name, seed) {
  const lines = (record = []);
  const outcome = outcomeOf(calls[name], new Draw(seed));
  record = undefined;
  return { lines, outcome };
}

/** Makes recorded calls again in the native program.
 * @type {(program: string, lines: readonly string[]) => string} what its sanitizers say, if anything */
export function replay(program, lines) {
  const { status, stderr, error } = spawnSync(program, { input: lines.join('\n'), encoding: 'utf8' });
  return status === 0 ? '' : stderr || `${error}`;
}
