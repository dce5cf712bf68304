/** Opens a data set as tensors of any size, of which parts can be read. An entry is such a tensor. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { namedAsync, rangeError, show } from '../../arguments/index.js';
import { Entry, openNpy, openSafetensors } from '../../io/index.js';
import { openRegular } from '../path-source.js';
import { ofSystem, readPath } from '../paths.js';
import { indexName } from './shard-names.js';

/** @import { ByteSource } from '../../io/index.js' */
/** @import { Dataset, DatasetIndex, IndexedShard } from './types.js' */

/**
 * Opens a data set of {@link buildDataset}: reads its index, and of each shard the header. Nothing is left open: a file
 * is open while a part of it is read.
 * @param {string} folder
 * @returns {Promise<Dataset>} `entries` by the names of outputs, joined along axis 0 over all shards; of outputs whose
 *   dims differ, one for each row, `KEY/NAME`. `keys`: of the rows, in their order
 * @example
 * const config = { image_processor_type: 'ViTImageProcessor' };
 * for await (const shard of buildDataset('photos', 'opened', { config, jobs: 1 })) console.log(shard.file);
 * const { entries } = await openDataset('opened');
 * (await entries.get('pixel_values').read({ rows: [0, 1] })).dims; // [1, 3, 224, 224]
 */
export async function openDataset(folder) {
  return namedAsync('openDataset', async () => {
    const path = readPath('folder', folder);
    const index = await readIndex(path);
    /** @type {Map<string, Entry[]>} */
    const entries = new Map();
    /** @type {string[]} */
    const keys = [];
    for (const shard of index.shards) {
      const opened = await openShard(path, index, shard);
      for (const [name, entry] of opened.entries) {
        const list = entries.get(name);
        if (list) list.push(entry);
        else entries.set(name, [entry]);
      }
      for (const key of opened.keys) keys.push(key);
    }
    const joined = Array.from(entries, ([name, list]) => /** @type {[string, Entry]} */ ([name, joinedEntry(list)]));
    return { index, entries: new Map(joined), keys };
  });
}

/** Joins the rows of an output that its shards have, without reading them.
 * @type {(list: Entry[]) => Entry} */
const joinedEntry = (list) => (list.length === 1 ? list[0] : Entry.concat(list, { axis: 0 }));

/** Checks the parts of the index that are used to open files.
 * @type {(folder: string) => Promise<DatasetIndex>} */
export async function readIndex(folder) {
  const text = await ofSystem(readFile(join(folder, indexName), 'utf8'));
  /** @type {DatasetIndex} */
  let index;
  try {
    index = JSON.parse(text);
  } catch {
    rangeError(`${indexName} must be JSON, got ${show(text)}`);
  }
  const isIndex = index?.format === 'onnx-layout dataset' && isRecord(index.outputs) && Array.isArray(index.shards);
  if (!isIndex || !index.shards.every(isShard))
    rangeError(`${indexName} must be the index of a data set, got ${show(text)}`);
  return index;
}

/** @type {(value: unknown) => boolean} */
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether an entry of the index describes a shard. Its file name must have no folder in it, so that no index makes a
 * call read files outside of the data set.
 * @type {(shard: IndexedShard) => boolean} */
const isShard = (shard) =>
  /^\w[\w.-]*\.(safetensors|npy)$/.test(shard?.file) &&
  [shard.rows, shard.bytes].every((count) => Number.isSafeInteger(count) && count >= 0) &&
  typeof shard.sha256 === 'string' &&
  (shard.keys === undefined || isKeys(shard.keys));

/** @type {(value: unknown) => boolean} */
const isKeys = (value) => Array.isArray(value) && value.every((key) => typeof key === 'string');

/** Opens a shard, and reads the keys of its rows from the index or else from the file.
 * @type {(folder: string, index: DatasetIndex, shard: IndexedShard) => Promise<{ entries: Map<string, Entry>,
 *   keys: string[] }>} */
export async function openShard(folder, { outputs }, { file, bytes, rows, keys: indexed }) {
  const source = await sourceOf(join(folder, file));
  if (source.byteLength !== bytes) rangeError(`${show(file)} must have ${bytes} bytes, got ${source.byteLength}`);
  /** @type {Map<string, Entry> & { metadata?: Map<string, string> }} */
  const entries = file.endsWith('.npy') ? await openRows(outputs, source) : await openSafetensors(source);
  const keys = indexed ?? readKeys(file, entries.metadata?.get('keys'));
  if (keys.length !== rows) rangeError(`${show(file)} must have ${rows} keys, got ${keys.length}`);
  return { entries, keys };
}

/** Opens a shard of .npy, whose one entry has the name of the only output.
 * @type {(outputs: DatasetIndex['outputs'], source: ByteSource) => Promise<Map<string, Entry>>} */
async function openRows(outputs, source) {
  const [[name, { dtype }]] = Object.entries(outputs);
  // A .npy file has no name for bfloat16, so the index says that it is this.
  return new Map([[name, await openNpy(source, dtype === 'bfloat16' ? { dtype } : {})]]);
}

/** Reads the keys of a shard's rows. `text`: the JSON of the list, in the file's metadata.
 * @type {(file: string, text: string | undefined) => string[]} */
function readKeys(file, text) {
  try {
    const keys = JSON.parse(text ?? '');
    if (isKeys(keys)) return keys;
  } catch {
    // Text that is no JSON is refused below, as JSON that is no list of keys.
  }
  return rangeError(`${show(file)} must have the keys of its rows in its metadata, got ${show(text)}`);
}

/** Makes a source of a file that is open only while a part of it is read, because a data set may have more shards than
 * a process may have open files.
 * @type {(path: string) => Promise<ByteSource>} */
async function sourceOf(path) {
  const { size } = await ofSystem(stat(path));
  return {
    byteLength: size,
    async slice(start, end) {
      const source = await openRegular(path);
      try {
        return await source.slice(start, end);
      } finally {
        await source.close();
      }
    },
  };
}
