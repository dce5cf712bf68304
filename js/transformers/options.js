/** The arguments of `usePython`. */
import * as args from '../arguments/index.js';

/** @import { Decode } from '../image/types.js' */
/** @import { LoadedModule, TransformersModule, UsePythonOptions } from './types.js' */

/** @typedef {{ backend: 'torchvision' | 'pil' | undefined, decode: Decode | undefined }} PythonOptions */

/** The versions that the tests run: the oldest and the newest. */
export const testedVersions = /** @type {const} */ (['4.0.0', '4.3.2']);

const table = {
  backend: args.word(['torchvision', 'pil'], undefined),
  decode: args.row(args.readFunction, undefined),
};

/** @type {(options: UsePythonOptions | undefined) => PythonOptions} */
export const readPythonOptions = (options) => args.readTable(options, table);

/** @type {(hf: LoadedModule) => TransformersModule} */
export function readModule(hf) {
  const classes = ['Tensor', 'RawImage', 'Processor', 'AutoProcessor', 'AutoImageProcessor', 'AutoFeatureExtractor'];
  const missing = classes.find((name) => typeof hf?.[name] !== 'function');
  if (missing)
    args.typeError(`hf must be the module @huggingface/transformers, which has ${missing}, got ${args.show(hf)}`);
  return hf;
}

/** Turns a version into a number that is greater for a later version: major, minor and patch are digits of the base
 * 1,000. NaN if one of these is no number; too small, so not tested, if one is missing.
 * @type {(version: string) => number} */
const numberOfVersion = (version) =>
  version
    .split(/[.-]/)
    .slice(0, 3)
    .reduce((sum, part) => sum * 1000 + Number(part), 0);

/** Versions of which the user was warned already. */
const warned = new Set();

/** Warns once of each version outside of the tested range, and of a value that is none.
 * @type {(hf: TransformersModule) => void} */
export function warnOfVersion({ env }) {
  const version = typeof env?.version === 'string' ? env.version : args.show(env?.version);
  const [oldest, newest] = testedVersions;
  const number = numberOfVersion(version);
  const isTested = number >= numberOfVersion(oldest) && number <= numberOfVersion(newest);
  if (isTested || warned.has(version)) return;
  warned.add(version);
  console.warn(
    `onnx-layout/transformers is tested with transformers.js ${oldest} to ${newest}, and this is ${version}`,
  );
}
