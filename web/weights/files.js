/** Which of the files that were chosen together is opened, and which ones belong to it. No DOM. */

const endings = /** @type {const} */ ({ '.onnx': 'onnx', '.npy': 'npy', '.safetensors': 'safetensors' });
const isIndex = ({ name }) => name.endsWith('.index.json');

const lastPart = (path) => path.slice(path.lastIndexOf('/') + 1);

const formatOf = ({ name }) => endings[Object.keys(endings).find((ending) => name.toLowerCase().endsWith(ending))];

/**
 * Says which of several files hold weights.
 * @template {{ name: string }} T
 * @param {readonly T[]} files
 * @returns {{ format: 'onnx' | 'npy' | 'safetensors', main: T[] } | undefined} `main`: one file, or all shards of a
 *   model that has no index; undefined where the files are all of other kinds
 * @throws {Error} files of several models
 */
export function mainOf(files) {
  const known = files.filter(formatOf);
  // Folders of models have other .json files. One that stands alone may be an index of another name.
  const index =
    files.find(isIndex) ?? (known.length === 0 ? files.find(({ name }) => name.endsWith('.json')) : undefined);
  const formats = new Set(known.map(formatOf));
  const [format] = formats;
  if (index && formats.size <= 1 && (format ?? 'safetensors') === 'safetensors')
    return { format: 'safetensors', main: [index] };
  if (known.length === 0) return undefined;
  if (formats.size > 1 || (format !== 'safetensors' && known.length > 1))
    throw new Error(`Choose one model at a time, got ${known.map(({ name }) => name).join(' and ')}.`);
  return { format, main: known };
}

/** The name of errors about files that were not chosen. */
export const missing = 'MissingFile';

/**
 * The files to open when more are chosen: files without weights, and those that were missing, belong to the ones
 * before.
 * @template {{ name: string }} T
 * @param {readonly T[]} before
 * @param {readonly T[]} given
 * @param {boolean} isWaiting whether a file was missing
 * @returns {readonly T[]}
 */
export function mergedFiles(before, given, isWaiting) {
  const names = given.map(({ name }) => name);
  const all = [...before.filter(({ name }) => !names.includes(name)), ...given];
  const found = mainOf(before);
  const hasOthers = found?.format === 'onnx' || found?.main.some(isIndex);
  if (!mainOf(given)) return hasOthers ? all : given;
  if (!isWaiting) return given;
  try {
    return mainOf(all).main[0] === found.main[0] ? all : given;
  } catch {
    return given;
  }
}

/**
 * Finds the file that another one names. Browsers give files without their folders, so the last part of a path counts.
 * @template {{ name: string }} T
 * @param {readonly T[]} files
 * @param {string} path as a model or an index has it
 * @returns {T}
 * @throws {Error} it was not chosen
 */
export function fileBeside(files, path) {
  const found = files.find(({ name }) => name === lastPart(path));
  if (found) return found;
  throw Object.assign(new Error(`${lastPart(path)} is missing: choose or drop it too.`), { name: missing });
}

/**
 * The name of a result.
 * @param {string} name of the source
 * @param {string} middle what was done to it
 * @param {string} ending of the result, without a dot
 */
export function resultName(name, middle, ending) {
  const stem = name.replace(/(\.safetensors\.index\.json|-\d{5}-of-\d{5}\.safetensors|\.[^.]*)$/, '');
  return [stem, ...(middle ? [middle] : []), ending].join('.');
}

/** The samples, which samples.js makes. */
export const sampleNames = ['encoder.onnx', 'mixed.safetensors', 'wave.npy'];

/** Most bytes of a result that is downloaded: Firefox keeps all of it in memory until it is saved. */
export const mostDownloaded = 2e9;
