/** Lists the inputs of a data set: files, those of folders, and members of tar archives. A key names an input in it. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import * as args from '../../arguments/index.js';
import { openRegular } from '../path-source.js';
import { readPath, refuseSystem } from '../paths.js';
import { tarMembers } from './tar-members.js';

/** @import { Input, Kind } from './types.js' */

const audioName = /\.wav$/i;
const archiveName = /\.tar$/i;
/** The names of pictures that sharp decodes on all systems, and of WAV files. */
const mediaName = /\.(jpe?g|png|webp|gif|tiff?|avif|wav)$/i;

/** @typedef {string | URL | Iterable<string | URL> | AsyncIterable<string | URL>} DatasetSource */

/** @typedef {Exclude<DatasetSource, string | URL>} SourcePaths */

/** Reads the argument `source`: a path becomes a list of one.
 * @type {(source: DatasetSource) => SourcePaths} */
export function readSource(source) {
  if (typeof source === 'string' || source instanceof URL) return [source];
  const isList = typeof source === 'object' && source !== null && !ArrayBuffer.isView(source);
  if (!isList || !(Symbol.iterator in source || Symbol.asyncIterator in source))
    args.typeError(`source must be a path or an iterable of paths, got ${args.showClass(source)}`);
  return source;
}

/** Lists the inputs of all paths, sorted by their keys, which must differ.
 * @type {(source: SourcePaths) => Promise<{ inputs: Input[], kind: Kind }>} */
export async function listInputs(source) {
  /** @type {Input[]} */
  const inputs = [];
  for await (const path of source)
    for await (const input of inputsOf(readPath('source', path), String(path))) inputs.push(input);
  if (inputs.length === 0) args.rangeError('source must have inputs, got none');
  inputs.sort(byKey);
  for (let i = 1; i < inputs.length; i++) {
    const before = inputs[i - 1];
    const input = inputs[i];
    if (input.key === before.key)
      args.rangeError(
        `inputs must have different keys, got ${args.show(input.key)} of ${args.show(before.path)} and ` +
          `${args.show(input.path)}`,
      );
  }
  return { inputs, kind: kindOf(inputs) };
}

/** Compares two inputs by the code units of their keys, to sort them.
 * @type {(a: Input, b: Input) => number} */
function byKey(a, b) {
  if (a.key === b.key) return 0;
  return a.key < b.key ? -1 : 1;
}

/** Yields the inputs of a path: a file, the files in a folder and below, or the members of an archive. `key`: that of a
 * file, the path as the caller wrote it.
 * @type {(path: string, key: string) => AsyncGenerator<Input, void, undefined>} */
async function* inputsOf(path, key) {
  if (archiveName.test(path)) return yield* membersOf(path);
  // A name that ends like media is taken for a file: so a list of a million files needs no look at each.
  if (mediaName.test(path) || !isFolder(path)) return yield { key: slashed(key), path, isAudio: audioName.test(path) };
  for (const file of filesIn(path)) {
    if (archiveName.test(file)) yield* membersOf(file);
    else yield { key: slashed(relative(path, file)), path: file, isAudio: audioName.test(file) };
  }
}

/** Writes a path with slashes, so that keys are the same on all systems. @type {(path: string) => string} */
const slashed = (path) => (sep === '/' ? path : path.replaceAll(sep, '/'));

/** Refuses a path that is not there.
 * @type {(path: string) => boolean} */
function isFolder(path) {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    return refuseSystem(error);
  }
}

/** Lists the pictures, audio and archives in a folder and below. Folders that are links are not entered, because they
 * may lead in a circle.
 * @type {(folder: string) => string[]} */
function filesIn(folder) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => mediaName.test(path) || archiveName.test(path));
  } catch (error) {
    return refuseSystem(error);
  }
}

/** Yields the pictures and audio in an archive, without files whose names begin with a dot. The key of a member is its
 * name up to the first dot behind the folders, as in WebDataset; the whole name where there is no such part.
 * @type {(path: string) => AsyncGenerator<Input, void, undefined>} */
async function* membersOf(path) {
  const source = await openRegular(path, 'source');
  try {
    for await (const { name, start, length } of tarMembers(path, source)) {
      if (!mediaName.test(name) || basename(name).startsWith('.')) continue;
      const [key] = /^(.*\/)?[^/.]+/.exec(name) ?? [name];
      yield { key, path, isAudio: audioName.test(name), start, length };
    }
  } finally {
    await source.close();
  }
}

/** Refuses a mixture of pictures and audio.
 * @type {(inputs: readonly Input[]) => Kind} */
function kindOf(inputs) {
  const [first] = inputs;
  const other = inputs.find(({ isAudio }) => isAudio !== first.isAudio);
  if (other)
    args.rangeError(`inputs must be pictures or audio, got both: ${args.show(first.key)} and ${args.show(other.key)}`);
  return first.isAudio ? 'audio' : 'pictures';
}
