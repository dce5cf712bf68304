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

/** Reads the options of `usePython`, and refuses others.
 * @type {(options: UsePythonOptions | undefined) => PythonOptions} */
export const readPythonOptions = (options) => args.readTable(options, table);

/** Refuses a value that is not the module `@huggingface/transformers`.
 * @type {(hf: LoadedModule) => TransformersModule} */
export function readModule(hf) {
  const classes = ['Tensor', 'RawImage', 'Processor', 'AutoProcessor', 'AutoImageProcessor', 'AutoFeatureExtractor'];
  const missing = classes.find((name) => typeof hf?.[name] !== 'function');
  if (missing)
    args.typeError(`hf must be the module @huggingface/transformers, which has ${missing}, got ${args.show(hf)}`);
  return hf;
}

/** Turns a version into a number that is greater for a later version: 4.3.2 becomes 4,003,002. NaN if a part is no
 * number; less than any tested version if a part is missing.
 * @type {(version: string) => number} */
function numberOfVersion(version) {
  const majorMinorPatch = version.split(/[.-]/).slice(0, 3);
  return majorMinorPatch.reduce((sum, part) => sum * 1000 + Number(part), 0);
}

/** Versions of which the user was warned already. */
const warned = new Set();

/** Warns if the module's version is outside of the tested range, or is no version; once for each.
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
