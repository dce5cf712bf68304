/**
 * Judges calls with exotic arguments: each gives a result or a documented error, soon; a refused one has changed no
 * argument, and the package works on.
 */
import { createHash } from 'node:crypto';
import { init, transpose } from 'onnx-layout';
import { init as initAudio, powerToDb } from 'onnx-layout/audio';
import { init as initImages, resize } from 'onnx-layout/image';
import { init as initAnswers, softmax } from 'onnx-layout/postprocess';
import { argumentsOf } from './exotic-arguments.js';
import { copied } from './known-calls.js';

/** @import { Trial } from './exotic-arguments.js' */
/** @import { KnownCall } from './known-calls.js' */

/** Words of messages that the engine made: a value was used before it was checked. */
const engineWords = new RegExp(
  [
    /Cannot (convert|read|mix|destructure|assign|perform|set|create|define|use|access|redefine|add)/,
    /is not (a function|iterable|a constructor|defined|an object|extensible|an integer|callable|async iterable)/,
    /[Ii]nvalid (typed array|array|string|count|date|time|code point|regular|BigInt|value|radix|URL)/,
    /out of bounds|out of range|unreachable|divide by zero|Maximum call stack|undefined \(|\bReduce of empty/,
    /argument must be|could not be cloned|detached ArrayBuffer|should be a multiple|allocation failed/,
    /object that needs|called on|requires that|Iterator|ERR_|must be of type|does not implement|expected/,
    /Method .* incompatible|null or undefined|must be one of type|fetch failed|Failed to parse/,
    // The package says "'path' must be accessible, got ENOENT: ..." itself.
    /^(?!.* must be \w+, got E[A-Z]+: ).*\bE[A-Z]{4,}: /,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Some messages name all classes. */
const maxMessage = 1200;
const maxSeconds = 1;
/** Of what a caller asks for: dims of 2^31 elements are in order where there is memory for them. */
const bytesPerSecond = 2 ** 28;

/** Adds what the caller can see of a value to a hash. */
function hashValue(hash, value, depth = 5) {
  if (ArrayBuffer.isView(value)) {
    hash.update(`${value.constructor.name} ${value.byteLength};`);
    if (value.byteLength > 0) hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  } else if (typeof value === 'object' && value !== null && depth > 0) {
    const entries = value instanceof Map ? [...value] : Object.entries(value);
    hash.update(`${Array.isArray(value) ? value.length : entries.length};`);
    for (const [key, entry] of entries) {
      hash.update(`${String(key)}:`);
      hashValue(hash, entry, depth - 1);
    }
  } else hash.update(`${typeof value === 'object' ? 'object' : String(value)};`);
}

/** @type {(value: unknown) => string} */
function digest(value) {
  const hash = createHash('sha1');
  hashValue(hash, value);
  return hash.digest('hex');
}

/** The result of a call, waited for; of an iterable its first entry. A file is closed. */
async function resultOf(call, args) {
  const result = await call(...args);
  if (typeof result?.close === 'function') await result.close();
  if (typeof result?.[Symbol.asyncIterator] !== 'function') return result;
  const steps = result[Symbol.asyncIterator]();
  const first = await steps.next();
  await steps.return?.();
  return first;
}

const floats = Float32Array.from({ length: 24 }, (_, i) => Math.sin(i));
const tensor = { type: /** @type {const} */ ('float32'), dims: [4, 6], data: floats };
const picture = { data: Uint8Array.from({ length: 48 }, (_, i) => i * 5), width: 4, height: 4 };
/** A short call of each of the four modules. */
const callModules = () => [
  ...[transpose(tensor), powerToDb({ ...tensor, data: floats.map(Math.abs) }), softmax(tensor)],
  resize(picture, { width: 3, height: 7, filter: 'bilinear' }),
];

/**
 * Loads what the judge calls.
 * @param {{ repeatsCalls?: boolean }} [options] `repeatsCalls`: whether the known call is made again after each refusal
 * @returns {Promise<(trial: Trial) => Promise<string | undefined>>} see {@link faultOf}
 */
export async function makeJudge({ repeatsCalls = true } = {}) {
  await Promise.all([init(), initAudio(), initImages(), initAnswers()]);
  const expected = digest(callModules());
  /** @type {Map<KnownCall, string | undefined>} what a known call gives, where that repeats */
  const known = new Map();
  const outcomeOf = async (/** @type {KnownCall} */ { call, args }) => {
    try {
      return digest(await resultOf(call, copied(args)));
    } catch (error) {
      return String(error);
    }
  };
  return async (trial) => {
    if (repeatsCalls && !known.has(trial.known)) {
      const start = performance.now();
      const outcomes = [await outcomeOf(trial.known), await outcomeOf(trial.known)];
      // A long call is not repeated after each refusal: the modules' short ones have to do.
      const repeats = outcomes[0] === outcomes[1] && performance.now() - start < 5;
      known.set(trial.known, repeats ? outcomes[0] : undefined);
    }
    const worksOn = async () => {
      if (digest(callModules()) !== expected) return false;
      const outcome = known.get(trial.known);
      return outcome === undefined || (await outcomeOf(trial.known)) === outcome;
    };
    return faultOf(trial, worksOn);
  };
}

/** The rule that a trial breaks; undefined where it is in order.
 * @type {(trial: Trial, worksOn: () => Promise<boolean>) => Promise<string | undefined>} */
async function faultOf(trial, worksOn) {
  const args = argumentsOf(trial);
  if (!args) return undefined;
  const { known } = trial;
  const given = digest(args);
  const before = process.cpuUsage();
  const secondsSince = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  const late = (bytes = 0) =>
    secondsSince() > maxSeconds + bytes / bytesPerSecond ? `took ${secondsSince().toFixed(1)} s` : undefined;
  try {
    const result = await resultOf(known.call, args);
    return late(result?.data?.byteLength);
  } catch (error) {
    const fault = late() ?? (isOwn(error) ? undefined : faultOfError(known, error));
    if (fault) return fault;
    if (digest(args) !== given) return 'changed an argument';
    return (await worksOn()) ? undefined : 'the next call gives something else';
  }
}

/** Whether an error is of the fuzzer's own code, a method or a callback: it has to pass through as it is. */
const isOwn = (error) => error instanceof Error && /^own$|^Class constructor Own/.test(error.message);

/** @type {(known: KnownCall, error: any) => string | undefined} */
function faultOfError({ throwsRule }, error) {
  if (!(error instanceof Error)) return `threw what is no error: ${String(error).slice(0, 80)}`;
  const said = `${error.constructor.name}: ${String(error.message).slice(0, 200)}`;
  if (![TypeError, RangeError, Error].some((Class) => error.constructor === Class)) return `class: ${said}`;
  if (error.message.length > maxMessage) return `long message of ${error.message.length}: ${said}`;
  if (throwsRule) return undefined;
  if (!/^[\w.$()]+(-\d+)?: /.test(error.message)) return `no name in front: ${said}`;
  return engineWords.test(error.message) ? `the engine's words: ${said}` : undefined;
}
