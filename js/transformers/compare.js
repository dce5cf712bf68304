/** Compares a call by transformers.js alone (`theirs`) with one with Python's numbers (`ours`). Both are made on
 * shadows, which inherit from the object, so that it does not change. */
import * as args from '../arguments/index.js';
import { isTensor } from './forms.js';
import { originalOf, patchedNames, restore, patch } from './patches.js';

/** @import { Comparison, Context, InputDifference, LoadedModule, Patchable } from './types.js' */

/** @typedef {{ dims: readonly number[], data: ArrayLike<number | bigint> }} NumberTensor */

/** Makes a shadow of an object: a function whose properties are `values`, and else inherited from the object. As with
 * the objects of transformers.js, calling it runs its `_call`.
 * @type {(object: Patchable, values: Record<string, unknown>) => Patchable} */
function shadowOf(object, values) {
  const shadow = (/** @type {unknown[]} */ ...call) => /** @type {Patchable} */ (shadow)._call(...call);
  Object.setPrototypeOf(shadow, object);
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(shadow, name, { value, configurable: true, writable: true });
  return shadow;
}

/** Collects the values that the patched properties of an object and of its class had before they were patched.
 * @type {(object: Patchable) => Record<string, unknown>} */
function originalValues(object) {
  // `install` patches classes, that is the prototype; `use` the object itself.
  const holders = [object, Object.getPrototypeOf(object)];
  const names = new Set(holders.flatMap(patchedNames));
  return Object.fromEntries([...names].map((name) => [name, originalOf(object, name)]));
}

/** `overridesOf` gives the properties that the shadow of an object has in place of the object's own; `record` gets the
 * outputs of each call.
 * @typedef {{ overridesOf: (object: Patchable) => Record<string, unknown>, record: (outputs: object) => void }}
 *   Recording */

/** Makes a shadow of a pipeline or processor whose calls give the same results, and hand the outputs of each processor
 * in it, which are the model's inputs, to `record`.
 * @type {(object: Patchable, recording: Recording) => Patchable} */
function recordingShadow(object, recording) {
  // A pipeline has a processor, a Processor has components, and a part of one has neither.
  const { processor, components } = object;
  if (!processor && !components) return recordingPart(object, recording);
  const overrides = recording.overridesOf(object);
  if (processor) return shadowOf(object, { ...overrides, processor: recordingShadow(processor, recording) });
  // Texts are not compared, so the tokenizer stays.
  const { tokenizer, ...recordedParts } = components;
  const shadows = Object.entries(recordedParts).map(([name, part]) => [name, recordingPart(part, recording)]);
  return shadowOf(object, {
    ...overrides,
    components: { ...Object.fromEntries(shadows), ...(tokenizer && { tokenizer }) },
  });
}

/** Makes a shadow of a part of a Processor, or of an image processor or feature extractor that stands alone, whose
 * calls hand their outputs to `record`.
 * @type {(part: Patchable, recording: Recording) => Patchable} */
function recordingPart(part, { overridesOf, record }) {
  const overrides = overridesOf(part);
  const shadow = shadowOf(part, overrides);
  const call = /** @type {Function} */ (overrides._call ?? part._call);
  const _call = async (/** @type {unknown[]} */ ...input) => {
    const outputs = await call.apply(shadow, input);
    record(outputs);
    return outputs;
  };
  Object.defineProperty(shadow, '_call', { value: _call });
  return shadow;
}

/** Counts the values in which two tensors differ, and finds the largest difference. Both are NaN if the dims differ or
 * a tensor is missing. Two NaNs and two equal infinities do not differ. The loop takes 4 ms a million values.
 * @type {(theirs: NumberTensor | undefined, ours: NumberTensor | undefined) => InputDifference} */
function differenceOf(theirs, ours) {
  /** @type {InputDifference['dims']} */
  const dims = [theirs?.dims, ours?.dims];
  const haveSameDims = theirs && ours && String(theirs.dims) === String(ours.dims);
  if (!haveSameDims) return { differing: NaN, maxDifference: NaN, dims };
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

/** Compares the tensors that two calls made for a model, by name: all that either of the calls made.
 * @type {(theirs: Record<string, unknown>, ours: Record<string, unknown>) => Record<string, InputDifference>} */
function inputDifferences(theirs, ours) {
  const names = [...new Set([theirs, ours].flatMap(Object.keys))];
  const tensorNames = names.filter((name) => isTensor(theirs[name]) || isTensor(ours[name]));
  const differences = tensorNames.map((name) => {
    const theirTensor = /** @type {NumberTensor | undefined} */ (theirs[name]);
    const ourTensor = /** @type {NumberTensor | undefined} */ (ours[name]);
    return [name, differenceOf(theirTensor, ourTensor)];
  });
  return Object.fromEntries(differences);
}

/** Gives the arguments of a call with its pictures, the first argument, decoded by transformers.js' own code if all are
 * files.
 * @type {(hf: LoadedModule, input: readonly unknown[]) => Promise<unknown[]>} */
async function decodeByTheirs({ RawImage }, input) {
  const [images, ...rest] = input;
  const list = [images].flat();
  if (!list.every(isFile)) return [...input];
  // `install` may have patched the decoding.
  const decoded = await withoutPatches(RawImage, () => Promise.all(list.map((image) => RawImage.read(image))));
  return [Array.isArray(images) ? decoded : decoded[0], ...rest];
}

/** Tells whether a value is a picture's file: its path or address, or a Blob, which some environments do not have.
 * @type {(value: unknown) => boolean} */
const isFile = (value) =>
  typeof value === 'string' || value instanceof URL || (typeof Blob === 'function' && value instanceof Blob);

/** Runs a function while the patches of an object are taken off, and puts them on again afterwards.
 * @template T
 * @param {object} object
 * @param {() => Promise<T>} action */
async function withoutPatches(object, action) {
  const properties = /** @type {Record<string, unknown>} */ (object);
  const names = patchedNames(object);
  if (names.length === 0) return action();
  const patches = Object.fromEntries(names.map((name) => [name, properties[name]]));
  restore(object);
  try {
    return await action();
  } finally {
    patch(object, patches);
  }
}

/** Calls an object, and measures how long the call takes.
 * @type {(object: Patchable, input: readonly unknown[]) => Promise<{ result: unknown, milliseconds: number }>} */
async function timedCall(object, input) {
  const start = performance.now();
  // eslint-disable-next-line architecture/spreads -- the arguments of one call
  const result = await object(...input);
  return { result, milliseconds: performance.now() - start };
}

/** Calls a pipeline or processor twice, by transformers.js alone and with the patches, and compares the inputs that
 * each call makes for the model. Results and milliseconds are returned as [theirs, ours]. For the first call, pictures
 * in files are decoded by transformers.js, too, outside of the measured time; sounds (`isOfSounds`) need no such step.
 * @type {(context: Context, object: Patchable, input: readonly unknown[], about: { isOfSounds: boolean }) =>
 *   Promise<Comparison>} */
export async function compareCalls({ hf }, object, input, { isOfSounds }) {
  if (typeof object !== 'function') args.typeError(`object must be a pipeline or processor, got ${args.show(object)}`);
  // The outputs of all processors and all their calls, by name: the last one of a name counts.
  /** @type {Record<string, unknown>} */
  const theirOutputs = {};
  /** @type {Record<string, unknown>} */
  const ourOutputs = {};
  const theirs = recordingShadow(object, {
    overridesOf: originalValues,
    record: (outputs) => Object.assign(theirOutputs, outputs),
  });
  const ours = recordingShadow(object, {
    overridesOf: () => ({}),
    record: (outputs) => Object.assign(ourOutputs, outputs),
  });
  const theirInput = isOfSounds ? input : await decodeByTheirs(hf, input);
  const theirRun = await timedCall(theirs, theirInput);
  const ourRun = await timedCall(ours, input);
  return {
    inputs: inputDifferences(theirOutputs, ourOutputs),
    results: [theirRun.result, ourRun.result],
    milliseconds: [theirRun.milliseconds, ourRun.milliseconds],
  };
}
