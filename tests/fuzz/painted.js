/**
 * Calls under painted memory: bytes that earlier calls left in a module must not change a result. Before each
 * call the memory of all four modules is filled with bytes, and the outcome is the same whatever the bytes. Zeros stand
 * for a fresh module.
 */
import { createHash } from 'node:crypto';
import * as audio from 'onnx-layout/audio';
import * as pictures from 'onnx-layout/image';
import * as answers from 'onnx-layout/postprocess';
import { scratch } from '../../js/engines/images/module.js';
import { oddValues, rows } from './painted-calls.js';

/** Zeros, NaN in every type of numbers, and numbers of moderate size in all of them. */
const paints = [0x00, 0xff, 0x3f];

/** Loads the modules, and gives what paints their memory.
 * @returns {Promise<(byte: number) => void>} */
export async function loadPainted() {
  /** @type {any} */
  const engine = WebAssembly;
  const { Instance, instantiate } = engine;
  /** @type {Record<string, any>} the exports of the newest instance of each module without glue */
  const modules = {};
  const note = (instance) => {
    const { arena, heap } = instance.exports;
    if (arena || heap) modules[arena ? 'audio' : 'answers'] = instance.exports;
    // Memory that a call takes anew has zeros, which no paint reaches.
    if (heap) instance.exports.memory.grow(64);
    return instance;
  };
  // The postprocess module starts again by itself, so its constructor stays replaced.
  engine.Instance = function (...args) {
    return note(new Instance(...args));
  };
  engine.instantiate = async (...args) => {
    const result = await instantiate(...args);
    note(result.instance ?? result);
    return result;
  };
  try {
    await Promise.all([audio.init(), pictures.init(), answers.init()]);
  } finally {
    engine.instantiate = instantiate;
  }
  // Tables of these settings lie in the module when it is painted, and no call reads them.
  const leaveTables = () => audio.resampleStream({ orig_freq: 2, new_freq: 1 });
  return (byte) => {
    leaveTables();
    scratch.fill(byte);
    const first = modules.audio.arena();
    new Uint8Array(modules.audio.memory.buffer).fill(byte, first, first + modules.audio.arena_size());
    new Uint8Array(modules.answers.memory.buffer).fill(byte, Math.ceil(modules.answers.heap() / 16) * 16);
  };
}

/** Adds a value to a hash: bytes of arrays, entries of lists and objects. */
export function hashValue(hash, value, depth = 6) {
  if (ArrayBuffer.isView(value)) {
    hash.update(`${value.constructor.name} ${value.byteLength}`);
    hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  } else if (typeof value === 'object' && value !== null && depth > 0) {
    for (const [key, entry] of Object.entries(value)) {
      hash.update(key);
      hashValue(hash, entry, depth - 1);
    }
  } else hash.update(String(value));
}

/** @returns {string} what a call gives, or its error */
export function outcomeOf(call) {
  const hash = createHash('sha1');
  try {
    hashValue(hash, call());
  } catch (error) {
    return `${error}`;
  }
  return hash.digest('hex');
}

/**
 * All rows as they are, and with each option changed to each odd value.
 * @returns {{ title: string, call: () => unknown }[]}
 */
export const trials = () =>
  rows.flatMap(([name, options, call]) => [
    { title: name, call: () => call({ ...options }) },
    ...Object.keys(options).flatMap((option) =>
      oddValues.map((value) => ({
        title: `${name} with ${option} ${Object.is(value, -0) ? '-0' : (JSON.stringify(value) ?? String(value))}`,
        call: () => call({ ...options, [option]: value }),
      })),
    ),
  ]);

/** @type {(paint: (byte: number) => void, call: () => unknown) => string[]} the outcomes that differ; none is right */
export function differences(paint, call) {
  const outcomes = paints.map((byte) => {
    paint(byte);
    return outcomeOf(call);
  });
  return outcomes.every((outcome) => outcome === outcomes[0]) ? [] : outcomes;
}
