/** safetensors files of any size, and files that are split into shards. */
import {
  kindBytes,
  latin1,
  namedAsync,
  rangeError,
  readOptions,
  show,
  typeError,
  namePart,
} from '../../arguments/index.js';
import { entryOf, openSource, FileSource } from '../../weights/index.js';
import { decodeText } from '../bytes.js';
import { checkLocation, plainPath } from '../onnx/external-data.js';
import { isRecord, parseObject } from './json.js';
import { headerEnd, headerLimit, lengthBytes, readHeader } from './safetensors.js';

/** @import { Source } from '../../weights/index.js' */
/** @import { SourceLike } from '../../weights/types.js' */
/** @import { NamedEntries, OpenSafetensorsOptions } from '../types.js' */

/**
 * Opens a safetensors file of any size: reads its header, and nothing else. Or opens a `model.safetensors.index.json`,
 * and the shards that it names.
 *
 * Format: huggingface/safetensors; the index is that of huggingface/transformers.
 * @param {SourceLike} source the file: a Uint8Array, an ArrayBuffer, a Blob or File, Node's FileHandle, or
 *   `{ byteLength, slice(start, end), read?(target, start) }`
 * @param {OpenSafetensorsOptions} [options]
 * @returns {Promise<NamedEntries>} entries, and the `metadata` of the file, or of all shards together
 * @example
 * const bias = { type: 'float32', data: Float32Array.of(1, 2), dims: [2] };
 * const entries = await openSafetensors(writeSafetensors(new Map([['bias', bias]])));
 * entries.get('bias').dims; // [2]
 * (await entries.get('bias').read({ rows: [1, 2] })).toArray(); // [2]
 */
export async function openSafetensors(source, options) {
  return namedAsync('openSafetensors', async () => {
    const { shard } = readOptions(options, ['shard']);
    const file = await openSource('source', source);
    const beginning = await file.bytes(0, Math.min(kindBytes, file.byteLength));
    return isText(beginning) ? openIndex(file, shard) : openFile(file);
  });
}

/** Tells whether a file is an index in JSON, by its beginning. A safetensors file begins with a header length of eight
 * bytes, at most 100 MB, so with some zeros among them; text has no zeros.
 * @type {(beginning: Uint8Array) => boolean} */
const isText = (beginning) => !beginning.subarray(0, lengthBytes).includes(0) && /^\s*\{/.test(latin1(beginning));

/** Opens one safetensors file. `label`: the name of a shard, with which messages about its header begin; undefined for
 * a file on its own.
 * @type {(file: Source, label?: string) => Promise<NamedEntries>} */
async function openFile(file, label) {
  /** @type {<T>(read: () => T) => T} */
  const withLabel = (read) => (label === undefined ? read() : namePart(label, read));
  const beginning = await file.bytes(0, Math.min(kindBytes, file.byteLength));
  const end = withLabel(() => headerEnd(beginning, file.byteLength));
  const header = await file.bytes(lengthBytes, end - lengthBytes);
  const { places, metadata } = withLabel(() => readHeader(header, file.byteLength - end));
  const open = async () => file;
  const entries = Array.from(places, ({ name, dtype, dims, from }) => {
    return /** @type {const} */ ([name, entryOf(new FileSource(dtype, dims, open, end + from))]);
  });
  return Object.assign(new Map(entries), { metadata });
}

/** Opens the shards that an index names, and takes each tensor from the shard that the index's `weight_map` gives for
 * it. `shard`: the caller's function that gives the source of a shard by its path.
 * @type {(file: Source, shard: unknown) => Promise<NamedEntries>} */
async function openIndex(file, shard) {
  if (file.byteLength > headerLimit) rangeError(`index must have at most ${headerLimit} bytes, got ${file.byteLength}`);
  const text = decodeText('index', await file.bytes(0, file.byteLength));
  const { weight_map: map } = parseObject('index', text);
  if (!isRecord(map) || !Object.values(map).every((name) => typeof name === 'string'))
    rangeError(`index must have a weight_map of strings, got ${show(text)}`);
  if (typeof shard !== 'function') typeError(`an index needs the option shard, a function, got ${show(shard)}`);
  const shardNames = /** @type {[tensor: string, shardName: string][]} */ (Object.entries(map));
  // A shard that is named in several ways is opened once, by its first name.
  /** @type {Map<string, string>} */
  const firstNameByPath = new Map();
  for (const [, shardName] of shardNames) {
    const path = plainPath(checkLocation('shard', 'index', shardName));
    if (!firstNameByPath.has(path)) firstNameByPath.set(path, shardName);
  }
  /** @type {Map<string, NamedEntries>} */
  const shards = new Map();
  for (const [path, shardName] of firstNameByPath) {
    const source = await shard(shardName);
    shards.set(path, await openShard(shardName, source));
  }
  const entries = shardNames.map(([tensor, shardName]) => {
    const entry = shards.get(plainPath(shardName))?.get(tensor);
    if (!entry) rangeError(`shard ${show(shardName)} must have tensor ${show(tensor)}, got none of that name`);
    return /** @type {const} */ ([tensor, entry]);
  });
  const metadata = new Map([...shards.values()].flatMap((shard) => [...shard.metadata]));
  return Object.assign(new Map(entries), { metadata });
}

/** Opens a shard. `name`: its path in the index; `source`: what the caller's function gave for it.
 * @type {(name: string, source: unknown) => Promise<NamedEntries>} */
async function openShard(name, source) {
  const label = `shard ${show(name)}`;
  const file = await openSource(label, source);
  return openFile(file, label);
}
