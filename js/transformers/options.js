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

/** Reads the options of `usePython`. @type {(options: UsePythonOptions | undefined) => PythonOptions} */
export const readPythonOptions = (options) => args.readTable(options, table);

/** Checks that a value is the module `@huggingface/transformers`: it must have the classes that are used here.
 * @type {(hf: LoadedModule) => TransformersModule} */
export function readModule(hf) {
  const classes = ['Tensor', 'RawImage', 'Processor', 'AutoProcessor', 'AutoImageProcessor', 'AutoFeatureExtractor'];
  const missing = classes.find((name) => typeof hf?.[name] !== 'function');
  if (missing)
    args.typeError(`hf must be the module @huggingface/transformers, which has ${missing}, got ${args.show(hf)}`);
  return hf;
}

/** Turns a version into a number that is greater for a later version: major, minor and patch as digits of the base
 * 1,000; whatever follows the patch, such as `-alpha.1`, does not count. NaN if one of these is no number. Fewer parts
 * give a number that is too small: '4.1' gives 4,001, and '' gives 0.
 * @type {(version: string) => number} */
const ordered = (version) =>
  version
    .split(/[.-]/)
    .slice(0, 3)
    .reduce((sum, part) => sum * 1000 + Number(part), 0);

/** Versions of which the user was warned already. */
const warned = new Set();

/** Warns on the console if the module's version is outside of the tested range or is none, once for each version, which
 * it adds to {@link warned}.
 * @type {(hf: TransformersModule) => void} */
export function warnOfVersion({ env }) {
  const version = typeof env?.version === 'string' ? env.version : args.show(env?.version);
  const [oldest, newest] = testedVersions;
  const isTested = ordered(version) >= ordered(oldest) && ordered(version) <= ordered(newest);
  if (isTested || warned.has(version)) return;
  warned.add(version);
  console.warn(
    `onnx-layout/transformers is tested with transformers.js ${oldest} to ${newest}, and this is ${version}`,
  );
}
