/** Compares a call by transformers.js alone (`theirs`) with one with Python's numbers (`ours`). Both are made on
 * shadows, which inherit from the object, so that it does not change. */
import * as args from '../arguments/index.js';
import { isTensor } from './forms.js';
import { originalOf, patchedNames, restore, patch } from './patches.js';

/** @import { Comparison, Context, InputDifference, LoadedModule, Patchable } from './types.js' */

/** @typedef {{ dims: readonly number[], data: ArrayLike<number | bigint> }} NumberTensor */

/** Makes a shadow of an object, whose properties are `values` and else inherited. Like transformers.js' objects, it is
 * callable and runs its `_call`.
 * @type {(object: Patchable, values: Record<string, unknown>) => Patchable} */
function shadowOf(object, values) {
  const shadow = (/** @type {unknown[]} */ ...call) => /** @type {Patchable} */ (shadow)._call(...call);
  Object.setPrototypeOf(shadow, object);
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(shadow, name, { value, configurable: true, writable: true });
  return shadow;
}

/** The values that the patched properties of an object and of its class had before.
 * @type {(object: Patchable) => Record<string, unknown>} */
function originalValues(object) {
  // `install` patches classes, that is the prototype; `use` the object itself.
  const holders = [object, Object.getPrototypeOf(object)];
  const names = new Set(holders.flatMap(patchedNames));
  return Object.fromEntries([...names].map((name) => [name, originalOf(object, name)]));
}

/** @typedef {(object: Patchable) => Record<string, unknown>} ValuesOf properties that an object's shadow replaces */

/** Makes a shadow of a pipeline or processor whose calls also hand the model's inputs to `record`: the outputs of each
 * processor in it.
 * @type {(object: Patchable, valuesOf: ValuesOf, record: (outputs: object) => void) => Patchable} */
function recorder(object, valuesOf, record) {
  const values = valuesOf(object);
  if (object.processor) return shadowOf(object, { ...values, processor: recorder(object.processor, valuesOf, record) });
  if (!object.components) return partRecorder(object, valuesOf, record);
  // Texts are not compared, so the tokenizer stays.
  const { tokenizer, ...parts } = object.components;
  const recorders = Object.entries(parts).map(([name, part]) => [name, partRecorder(part, valuesOf, record)]);
  const components = { ...Object.fromEntries(recorders), ...(tokenizer && { tokenizer }) };
  return shadowOf(object, { ...values, components });
}

/** `part`: also a processor without parts.
 * @type {typeof recorder} */
function partRecorder(part, valuesOf, record) {
  const values = valuesOf(part);
  const shadow = shadowOf(part, values);
  const call = /** @type {Function} */ (values._call ?? part._call);
  const _call = async (/** @type {unknown[]} */ ...input) => {
    const outputs = await call.apply(shadow, input);
    record(outputs);
    return outputs;
  };
  Object.defineProperty(shadow, '_call', { value: _call });
  return shadow;
}

/** Counts the values in which two tensors differ, and finds the largest difference. Both are NaN if the dims differ or
 * a tensor is missing. Two NaNs and two equal infinities do not differ. A loop in JS: it takes 4 ms a million values,
 * of one call.
 * @type {(theirs: NumberTensor | undefined, ours: NumberTensor | undefined) => InputDifference} */
function differenceOf(theirs, ours) {
  /** @type {InputDifference['dims']} */
  const dims = [theirs?.dims, ours?.dims];
  if (!theirs || !ours || String(dims[0]) !== String(dims[1])) return { differing: NaN, maxDifference: NaN, dims };
  let [differing, maxDifference] = [0, 0];
  for (let i = 0; i < ours.data.length; i++) {
    const a = Number(theirs.data[i]);
    const b = Number(ours.data[i]);
    const areEqual = a === b || (Number.isNaN(a) && Number.isNaN(b));
    if (areEqual) continue;
    differing += 1;
    // NaN counts as the largest difference.
    maxDifference = Math.max(maxDifference, Math.abs(a - b));
  }
  return { differing, maxDifference, dims };
}

/** Compares a model's inputs of two calls: all tensors that either record has, by name. Other values do not count.
 * @type {(theirs: Record<string, unknown>, ours: Record<string, unknown>) => Record<string, InputDifference>} */
function inputDifferences(theirs, ours) {
  const names = [...new Set([theirs, ours].flatMap(Object.keys))];
  const tensors = names.filter((name) => isTensor(theirs[name]) || isTensor(ours[name]));
  const tensorOf = (/** @type {Record<string, unknown>} */ inputs, /** @type {string} */ name) =>
    /** @type {NumberTensor | undefined} */ (inputs[name]);
  return Object.fromEntries(tensors.map((name) => [name, differenceOf(tensorOf(theirs, name), tensorOf(ours, name))]));
}

/** Returns the arguments of a call, whose first one is pictures. If all are files, transformers.js decodes them itself
 * here, because `install` may have patched its decoding: that patch is taken off meanwhile.
 * @type {(hf: LoadedModule, input: readonly unknown[]) => Promise<unknown[]>} */
async function readByTheirs({ RawImage }, input) {
  const [images, ...rest] = input;
  const isFile = (/** @type {unknown} */ value) => typeof value === 'string' || value instanceof URL || isBlob(value);
  const list = [images].flat();
  if (!list.every(isFile)) return [...input];
  const methods = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (RawImage));
  const patches = Object.fromEntries(patchedNames(RawImage).map((name) => [name, methods[name]]));
  const isPatched = Object.keys(patches).length > 0;
  if (isPatched) restore(RawImage);
  try {
    const decoded = await Promise.all(list.map((image) => RawImage.read(image)));
    return [Array.isArray(images) ? decoded : decoded[0], ...rest];
  } finally {
    if (isPatched) patch(RawImage, patches);
  }
}

/** Some environments have no Blob. @type {(value: unknown) => boolean} */
const isBlob = (value) => typeof Blob === 'function' && value instanceof Blob;

/** @type {(object: Patchable, input: readonly unknown[]) => Promise<{ result: unknown, milliseconds: number }>} */
async function timed(object, input) {
  const start = performance.now();
  // eslint-disable-next-line architecture/spreads -- the arguments of one call
  const result = await object(...input);
  return { result, milliseconds: performance.now() - start };
}

/** Calls a pipeline or processor twice, by transformers.js alone and with the patches, and compares the model's inputs;
 * results and milliseconds are returned as [theirs, ours]. `isSound`: the files in `input` are sounds, not pictures,
 * which transformers.js would decode first.
 * @type {(context: Context, object: Patchable, input: readonly unknown[], isSound: boolean) => Promise<Comparison>} */
export async function compareCalls({ hf }, object, input, isSound) {
  if (typeof object !== 'function') args.typeError(`object must be a pipeline or processor, got ${args.show(object)}`);
  // Outputs of several processors, or of several calls of one, are recorded together by name: the last of a name
  // counts.
  /** @type {Record<string, unknown>} */
  const theirOutputs = {};
  /** @type {Record<string, unknown>} */
  const ourOutputs = {};
  const replacesNothing = () => ({});
  const theirs = recorder(object, originalValues, (outputs) => Object.assign(theirOutputs, outputs));
  const ours = recorder(object, replacesNothing, (outputs) => Object.assign(ourOutputs, outputs));
  const theirRun = await timed(theirs, isSound ? input : await readByTheirs(hf, input));
  const ourRun = await timed(ours, input);
  return {
    inputs: inputDifferences(theirOutputs, ourOutputs),
    results: [theirRun.result, ourRun.result],
    milliseconds: [theirRun.milliseconds, ourRun.milliseconds],
  };
}
