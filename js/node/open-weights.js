/** Files of weights by their paths: one file, or the shards in a folder. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { readOptions, show, showClass, typedArrayName, wrongKind, wrongValue } from '../arguments/index.js';
import { openModel, openNpy, openSafetensors } from '../io/index.js';
import { fileSource } from './file-source.js';

/** @import { TypeName } from '../tensor/index.js' */
/** @import { Entry, OpenedModel } from '../io/index.js' */
/** @import { FileSource } from './file-source.js' */

/**
 * What was opened.
 * @typedef {object} Weights
 * @property {'npy' | 'safetensors' | 'onnx'} format
 * @property {number} byteLength of all files that were opened, without external data
 * @property {Map<string, Entry>} entries by name; the one of a .npy file has the empty name
 * @property {Map<string, string>} [metadata] of safetensors files
 * @property {OpenedModel} [model] of an .onnx file
 * @property {() => Promise<void>} close lets go of the files
 */

/** What an index of shards is called. */
const indexName = 'model.safetensors.index.json';

const prefix = 'openWeights';

/**
 * Opens a .npy, safetensors or ONNX file of any size, whose first bytes tell which it is; an index of shards; or a
 * folder: by its index of shards, or else all of its safetensors files as one. Headers alone are read. External data of
 * a model are files in its folder; a link may not lead out of it.
 * @param {string | Uint8Array} file a path, or the bytes of a file
 * @param {{ type?: TypeName, folder?: string }} [options] `type`: what void elements of a .npy file are; `folder`:
 *   where the other files of given bytes are, the current one if omitted
 * @returns {Promise<Weights>}
 * @throws {TypeError} a type that the file does not hold, an unknown option
 * @throws {RangeError} a file that is none of these, a folder without safetensors files, two shards with a tensor of
 *   one name
 * @throws {Error} the system's, such as ENOENT
 * @example
 * await writeFiles({ 'build/two.npy': saveNpy({ type: 'uint8', data: Uint8Array.of(1, 2), dims: [2] }) });
 * const { format, entries, close } = await openWeights('build/two.npy');
 * [format, entries.get('').dims]; // ['npy', [2]]
 * await close();
 */
export async function openWeights(file, options) {
  const { type, folder = '.' } = readOptions(prefix, options, ['type', 'folder']);
  const isBytes = typedArrayName(file) === 'Uint8Array';
  if (typeof file !== 'string' && !isBytes)
    wrongKind(prefix, `file must be a path or a Uint8Array, got ${showClass(file)}`);
  /** @type {FileSource[]} */
  const files = [];
  const close = async () => {
    await Promise.all(files.splice(0).map((file) => file.close()));
  };
  /** @type {OpenFile} */
  const openFile = async (name) => {
    const source = await fileSource(name);
    files.push(source);
    return source;
  };
  try {
    if (typeof file !== 'string') {
      const { byteLength } = file;
      return { ...(await openSource(file, folder, type, openFile)), byteLength, close };
    }
    const isFolder = (await stat(file)).isDirectory();
    const opened = isFolder
      ? await openFolder(file, openFile)
      : await openSource(await openFile(file), dirname(file), type, openFile);
    const byteLength = files.reduce((sum, { byteLength: bytes }) => sum + bytes, 0);
    return { ...opened, byteLength, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @typedef {(path: string) => Promise<FileSource>} OpenFile */
/** @typedef {Omit<Weights, 'byteLength' | 'close'>} Opened */

/**
 * @param {Uint8Array | FileSource} source
 * @param {string} folder of the file
 * @param {TypeName | undefined} type
 * @param {OpenFile} openFile
 * @returns {Promise<Opened>}
 */
async function openSource(source, folder, type, openFile) {
  const format = formatOf(await source.slice(0, Math.min(16, source.byteLength)));
  if (format === 'npy') return { format, entries: new Map([['', await openNpy(source, { type })]]) };
  if (format === 'onnx') {
    const model = await openModel(source, { external: (location) => openBeside(folder, location, openFile) });
    return { format, entries: model.initializers, model };
  }
  const entries = await openSafetensors(source, { shard: (name) => openBeside(folder, name, openFile) });
  return { format: 'safetensors', entries, metadata: entries.metadata };
}

/**
 * Tells a file's format by its first 16 bytes.
 * @param {Uint8Array} beginning
 * @returns {'npy' | 'safetensors' | 'onnx'}
 */
function formatOf(beginning) {
  const text = String.fromCharCode(...beginning);
  if (text.startsWith('\x93NUMPY')) return 'npy';
  // A length of eight bytes, below 2^32, and an object; or an index in JSON. Protobuf begins with neither: field number
  // 0 is none, and a model has no field 15 of a group.
  const isHeader = text[8] === '{' && text.slice(4, 8) === '\0\0\0\0';
  return isHeader || /^\s*\{/.test(text) ? 'safetensors' : 'onnx';
}

/**
 * Opens a file in the folder of another one.
 * @param {string} given the folder
 * @param {string} name
 * @param {OpenFile} openFile
 * @returns {Promise<FileSource>}
 */
async function openBeside(given, name, openFile) {
  const folder = await realpath(given);
  const file = await realpath(join(folder, name));
  if (!file.startsWith(folder === sep ? sep : folder + sep))
    wrongValue(prefix, `external data must be inside the model's folder, got ${name}`);
  return openFile(file);
}

/**
 * @param {string} folder
 * @param {OpenFile} openFile
 * @returns {Promise<Opened>}
 */
async function openFolder(folder, openFile) {
  const names = (await readdir(folder)).sort();
  if (names.includes(indexName))
    return openSource(await openFile(join(folder, indexName)), folder, undefined, openFile);
  const shards = names.filter((name) => name.endsWith('.safetensors'));
  if (shards.length === 0) wrongValue(prefix, `${show(folder)} must have safetensors files, got none`);
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  /** @type {Map<string, string>} */
  const metadata = new Map();
  for (const shard of shards) {
    const one = await openSafetensors(await openFile(join(folder, shard)));
    for (const [name, entry] of one) {
      if (entries.has(name)) wrongValue(prefix, `shards must have tensors of different names, got ${show(name)} twice`);
      entries.set(name, entry);
    }
    for (const [key, value] of one.metadata) metadata.set(key, value);
  }
  return { format: 'safetensors', entries, metadata };
}
