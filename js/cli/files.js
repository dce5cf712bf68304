/** The files of the command line: opened in any format, and results written to any. Runs on Node alone. */
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { saveModel, saveNpy, saveSafetensors } from '../io/index.js';
import { openWeights, writeFiles as writeWhole } from '../node/index.js';
import { UsageError } from './options.js';
import { meter, progress, safe } from './terminal.js';

/** @import { Tensor } from '../index.js' */
/** @import { Entry, FileWriter, SaveOptions } from '../io/index.js' */
/** @import { Weights } from '../node/index.js' */
/** @import { Files, Outgoing, Streams } from './types.js' */

/** @type {(streams: Streams, path: string) => Promise<Buffer>} - stands for standard input. */
export async function readBytes(streams, path) {
  if (path !== '-') {
    progress(streams, `reading ${path}`, statSync(path).size);
    return readFileSync(path);
  }
  /** @type {Uint8Array[]} */
  const chunks = [];
  for await (const chunk of streams.stdin) chunks.push(/** @type {Uint8Array} */ (chunk));
  return Buffer.concat(chunks);
}

/** @type {(bytes: Buffer) => boolean} */
export const isNpy = (bytes) => bytes.toString('latin1', 0, 6) === '\x93NUMPY';

/**
 * A file of any format, a folder of shards, or - for standard input. `dtype`: of the void elements of a .npy file.
 * @type {(streams: Streams, path: string, dtype: any) => Promise<Weights>}
 */
export async function openFile(streams, path, dtype) {
  const weights = await openWeights(path === '-' ? await readBytes(streams, path) : path, { dtype });
  if (dtype !== undefined && weights.format !== 'npy') {
    await weights.close();
    throw new UsageError('--dtype is for .npy files');
  }
  return weights;
}

/**
 * Opens files, and closes them when the work is done.
 * @type {<T>(streams: Streams, paths: readonly string[], dtype: any, work: (weights: Weights[]) => Promise<T>) =>
 *   Promise<T>}
 */
export async function withFiles(streams, paths, dtype, work) {
  /** @type {Weights[]} */
  const opened = [];
  try {
    for (const path of paths) opened.push(await openFile(streams, path, dtype));
    return await work(opened);
  } finally {
    await Promise.all(opened.map(({ close }) => close()));
  }
}

/**
 * `name` may be omitted where there is but one.
 * @type {(entries: ReadonlyMap<string, Entry>, name: string | undefined) => Entry}
 */
export function choose(entries, name) {
  if (name !== undefined) {
    const entry = entries.get(name);
    if (!entry) throw new Error(`no tensor ${safe(name)}`);
    return entry;
  }
  if (entries.size !== 1) throw new UsageError(`the file has ${entries.size} tensors: choose one by --tensor`);
  return /** @type {Entry} */ (entries.values().next().value);
}

/** @type {(streams: Streams, path: string, entry: Entry) => Promise<Tensor>} */
export async function readEntry(streams, path, entry) {
  progress(streams, `reading ${path}`, entry.byteLength);
  return entry.read({ signal: streams.signal });
}

/**
 * @type {(streams: Streams, out: string, source: Weights, name: string, result: Outgoing | Outgoing[]) =>
 * Promise<Files>}
 */
export async function outputFiles(streams, out, source, name, result) {
  const extension = out === '-' ? '.npy' : extname(out);
  const isPieces = Array.isArray(result);
  if (extension === '.npy') return npyFiles(streams, out, result);
  if (extension === '.safetensors') {
    const pieces = isPieces ? new Map(result.map((piece, i) => [String(i), piece])) : undefined;
    const others = source.format === 'safetensors' ? source.entries : [];
    const tensors = pieces ?? new Map([...others, [name || 'tensor', /** @type {Outgoing} */ (result)]]);
    return safetensorsFile(streams, out, isPieces ? undefined : source, tensors);
  }
  if (extension === '.onnx' && source.format === 'onnx' && !isPieces)
    return modelFiles(streams, out, source, new Map([...source.entries, [name, result]]));
  const model = source.format === 'onnx' && !isPieces ? ', .onnx' : '';
  throw new UsageError(`OUT must be .npy, .safetensors${model} or -, got ${out}`);
}

/** @type {(streams: Streams, out: string, source: Weights, tensors: Map<string, Outgoing>) => Promise<Files>} */
export async function allFiles(streams, out, source, tensors) {
  if (extname(out) === '.safetensors') return safetensorsFile(streams, out, source, tensors);
  if (extname(out) === '.onnx' && source.format === 'onnx') return modelFiles(streams, out, source, tensors);
  throw new UsageError(`OUT must be .safetensors${source.format === 'onnx' ? ' or .onnx' : ''}, got ${out}`);
}

/** @type {(streams: Streams, out: string) => SaveOptions} */
const saving = (streams, out) => ({ signal: streams.signal, onProgress: meter(streams, `writing ${out}`) });

/** @type {(streams: Streams, out: string, result: Outgoing | Outgoing[]) => Files} */
function npyFiles(streams, out, result) {
  if (!Array.isArray(result)) return [[out, saveNpy(result, saving(streams, out))]];
  if (out === '-') throw new UsageError('split needs a file to write to');
  const stem = join(dirname(out), basename(out, '.npy'));
  return result.map((piece, i) => {
    const path = `${stem}.${i}.npy`;
    return [path, saveNpy(piece, saving(streams, path))];
  });
}

/** @type {(streams: Streams, out: string, source: Weights | undefined, tensors: Map<string, Outgoing>) => Files} */
function safetensorsFile(streams, out, source, tensors) {
  const metadata = source?.metadata ?? new Map();
  return [[out, saveSafetensors(tensors, { metadata, ...saving(streams, out) })]];
}

/** A model of 2 GiB has no room left in protobuf, and its graph has to fit too. */
export const mostInside = 2 ** 31 - 2 ** 27;

/** @type {(list: Iterable<Outgoing>) => number} */
const sum = (list) => [...list].reduce((total, one) => total + bytesOf(one), 0);

/** @type {(source: Weights) => boolean} whether a model has data in other files */
export const hasOutside = ({ entries, model, byteLength }) =>
  sum((model?.initializers ?? entries).values()) > byteLength;

/** @type {(out: string) => string} the name of the file for a model's data */
export const dataName = (out) => `${basename(out)}.data`;

/** @type {(out: string, name: string, saved: { model: FileWriter, external?: FileWriter }) => Files} */
export const modelPaths = (out, name, { model, external }) =>
  external
    ? [
        [join(dirname(out), name), external],
        [out, model],
      ]
    : [[out, model]];

/**
 * The data get a file of their own where the model is too large for one, or had one.
 * @type {(streams: Streams, out: string, source: Weights, tensors: Map<string, Outgoing>) => Promise<Files>}
 */
async function modelFiles(streams, out, source, tensors) {
  const { bytes, constants, initializers } = /** @type {NonNullable<Weights['model']>} */ (source.model);
  const written = new Map(tensors);
  for (const [name, entry] of constants) {
    if (initializers.has(name)) continue;
    if (tensors.get(name) !== entry)
      throw new Error(
        `tensor ${safe(name)} is in a node of the graph: a model is written with other initializers alone`,
      );
    written.delete(name);
  }
  const isSplit = hasOutside(source) || sum(written.values()) > mostInside;
  const external = isSplit ? dataName(out) : undefined;
  return modelPaths(out, dataName(out), await saveModel(bytes, written, { external, ...saving(streams, out) }));
}

/** @type {(tensor: Outgoing) => number} */
const bytesOf = (tensor) => ('byteLength' in tensor ? tensor.byteLength : (tensor.data.byteLength ?? 0));

/**
 * Writes the results' files: all of them, or none.
 * @param {Streams} streams
 * @param {Files} files
 */
export async function writeFiles(streams, files) {
  for (const [file, content] of files) progress(streams, `writing ${file}`, lengthOf(content));
  await writeWhole(new Map(files.filter(([file]) => file !== '-')));
  for (const [file, content] of files) if (file === '-') await print(streams, content);
}

/** @type {(stream: any) => Promise<boolean>} false if the reader has seen enough */
const drained = (stream) =>
  once(stream, 'drain').then(
    () => true,
    (error) => {
      if (error.code !== 'EPIPE') throw error;
      return false;
    },
  );

/** @type {(content: Uint8Array | FileWriter) => number} */
const lengthOf = (content) => content.byteLength;

/** @type {(streams: Streams, content: Uint8Array | FileWriter) => Promise<void>} */
async function print({ stdout }, content) {
  for await (const chunk of content instanceof Uint8Array ? [content] : content) {
    const isFull = stdout.write(chunk) === false;
    if (isFull && !(await drained(stdout))) return;
  }
}
