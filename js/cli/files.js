/** The files of the command line: opened in any format, and results written to any. Runs on Node alone. */
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { saveModel, saveNpy, saveNpz, saveSafetensors, writeNpy, writeSafetensors } from '../io/index.js';
import { openWeights, readConfigurationFolder, writeFiles as writeWhole } from '../node/index.js';
import { unknownRule } from '../arguments/index.js';
import { UsageError } from './options.js';
import { meter, progress, safe, withoutFunction } from './terminal.js';

/** @import { Tensor } from '../index.js' */
/** @import { Entry, FileWriter, SaveOptions } from '../io/index.js' */
/** @import { Weights } from '../node/index.js' */
/** @import { Call, Files, Outgoing, Streams } from './types.js' */

/** Reads all of a file, or of standard input for -.
 * @type {(streams: Streams, path: string) => Promise<Buffer>} */
export async function readBytes(streams, path) {
  if (path !== '-') {
    const stats = statSync(path);
    if (stats.isDirectory()) throw new Error(`${path}: must be a file, got a folder`);
    progress(streams, `reading ${path}`, stats.size);
    return readFileSync(path);
  }
  /** @type {Uint8Array[]} */
  const chunks = [];
  for await (const chunk of streams.stdin) chunks.push(/** @type {Uint8Array} */ (chunk));
  return Buffer.concat(chunks);
}

/** Reads the text of a configuration, or the texts of a folder's configurations by their names.
 * @type {(path: string) => Promise<string | Record<string, string>>} */
export const readConfig = async (path) =>
  statSync(path).isDirectory() ? readConfigurationFolder(path) : readFileSync(path, 'utf8');

/** @type {(bytes: Buffer) => boolean} */
export const isNpy = (bytes) => bytes.toString('latin1', 0, 6) === '\x93NUMPY';

/** Runs work on a file, and puts the file's path in front of the messages of its errors, in place of the function's
 * name. Errors of the system have the path already; a UsageError is about an argument.
 * @type {<T>(path: string, read: () => T | Promise<T>) => Promise<T>} */
export async function ofFile(path, read) {
  try {
    return await read();
  } catch (caught) {
    const error = /** @type {Error} */ (caught);
    const lacksPath = !(error instanceof UsageError || 'path' in error);
    if (lacksPath) error.message = `${path === '-' ? 'standard input' : path}: ${withoutFunction(error.message)}`;
    throw error;
  }
}

/** Opens a file of any format, a folder of shards, or - for standard input. `dtype`: the type of the void elements of a
 * .npy or .npz file, which other files refuse.
 * @type {(streams: Streams, path: string, dtype: Tensor['type'] | undefined) => Promise<Weights>} */
export async function openFile(streams, path, dtype) {
  const bytes = path === '-' ? await readBytes(streams, path) : path;
  const weights = await ofFile(path, () => openWeights(bytes, { dtype }));
  if (dtype !== undefined && !/^np[yz]$/.test(weights.format)) {
    await weights.close();
    throw new UsageError('--dtype is for .npy and .npz files');
  }
  return weights;
}

/** Opens files by `open`, gives the result of `work` on them, and closes them, even after an error.
 * @type {<T>(streams: Streams, paths: readonly string[], dtype: Tensor['type'] | undefined,
 *   work: (weights: Weights[]) => Promise<T>, open?: typeof openFile) => Promise<T>} */
export async function withFiles(streams, paths, dtype, work, open = openFile) {
  /** @type {Weights[]} */
  const opened = [];
  try {
    for (const path of paths) opened.push(await open(streams, path, dtype));
    return await work(opened);
  } finally {
    await Promise.all(opened.map(({ close }) => close()));
  }
}

/** Finds the tensor of a file that `name` names, or its only one. The tensor of a .npy file has no name ('' in
 * `entries`), so any is right. `path`: of the file, for messages.
 * @type {(path: string, entries: ReadonlyMap<string, Entry>, name: string | undefined) => Entry} */
export function choose(path, entries, name) {
  if (name === undefined && entries.size !== 1)
    throw new UsageError(`${safe(path)} has ${entries.size} tensors: choose one by --tensor`);
  const [only] = entries.values();
  const entry = name === undefined || entries.has('') ? only : entries.get(name);
  if (!entry) throw new UsageError(`${path}: ${unknownRule('tensor', name, [...entries.keys()])}`);
  return entry;
}

/** Reads a tensor; a line on stderr says so if it is large.
 * @type {(streams: Streams, path: string, entry: Entry) => Promise<Tensor>} */
export async function readEntry(streams, path, entry) {
  progress(streams, `reading ${path}`, entry.byteLength);
  return entry.read();
}

/** Lists the files to write for a result of a command: several pieces, or one tensor. It replaces the one called `name`
 * in a copy of IN (`source`) if OUT has IN's format, and stands alone otherwise.
 * @type {(streams: Streams, call: Call, source: Weights, name: string, result: Outgoing | Outgoing[]) =>
 *   Promise<Files>} */
export async function outputFiles(streams, call, source, name, result) {
  if (Array.isArray(result)) return pieceFiles(streams, call, result);
  const hasOthers = call.extension === `.${source.format}` && call.extension !== '.npy';
  const others = hasOthers ? source.entries : [];
  return allFiles(streams, call, source, new Map([...others, [name, result]]));
}

/** Lists the files to write for pieces: numbered .npy files, or one file of tensors by number.
 * @type {(streams: Streams, call: Call, pieces: Outgoing[]) => Promise<Files>} */
async function pieceFiles(streams, call, pieces) {
  const { out, extension } = call;
  if (extension !== '.npy') {
    // Pieces are no tensors of a model.
    const source = { format: /** @type {const} */ ('npy') };
    return allFiles(streams, call, source, new Map(pieces.map((piece, i) => [String(i), piece])));
  }
  if (out === '-') throw new UsageError('pieces need a file OUT, or --as safetensors');
  const stem = stemOf(out);
  return pieces.map((piece, i) => {
    const path = `${stem}.${i}.npy`;
    return [path, saveNpy(piece, saveOptions(streams, path))];
  });
}

/** @type {(out: string) => string} the path without .npy at its end */
const stemOf = (out) => join(dirname(out), basename(out, '.npy'));

/** Lists the files to write for tensors by name, by the extension of OUT: one file, or two of a model with external
 * data. `source`: IN, whose metadata or graph they keep.
 * @type {(streams: Streams, call: Call, source: Partial<Weights>, tensors: Map<string, Outgoing>) => Promise<Files>} */
export async function allFiles(streams, { inputs, out, extension }, source, tensors) {
  if (extension === '.npy') {
    if (tensors.size !== 1)
      throw new UsageError(`a .npy file holds one tensor, and ${inputs[0]} has ${tensors.size}: OUT.safetensors`);
    const [tensor] = tensors.values();
    return [[out, saveNpy(tensor, saveOptions(streams, out))]];
  }
  if (extension === '.safetensors' || extension === '.npz') {
    // A tensor of a .npy file has no name.
    const named = new Map(Array.from(tensors, ([name, tensor]) => [name || 'tensor', tensor]));
    if (extension === '.npz') return [[out, saveNpz(named, saveOptions(streams, out))]];
    const metadata = source.metadata ?? new Map();
    return [[out, saveSafetensors(named, { metadata, ...saveOptions(streams, out) })]];
  }
  if (extension === '.onnx' && source.format === 'onnx')
    return modelFiles(streams, out, /** @type {Weights} */ (source), tensors);
  throw new UsageError(
    `OUT must be .npy, .npz, .safetensors${source.format === 'onnx' ? ', .onnx' : ''} or -, got ${out}`,
  );
}

/** @type {(streams: Streams, out: string) => SaveOptions} */
const saveOptions = (streams, out) => ({ onProgress: meter(streams, `writing ${out}`) });

/** Most bytes of data that a model's file has inside: protobuf's limit of 2 GiB, less 128 MiB for the graph. */
export const maxBytesInside = 2 ** 31 - 2 ** 27;

/** @type {(list: Iterable<Outgoing | { byteLength: number }>) => number} */
export const totalBytes = (list) => [...list].reduce((total, entry) => total + bytesOf(entry), 0);

/** Whether a model has data in other files: its tensors have more bytes than its file.
 * @type {(source: Weights) => boolean} */
export const hasOutside = ({ entries, model, byteLength }) =>
  totalBytes((model?.initializers ?? entries).values()) > byteLength;

/** @type {(out: string) => string} the name of the file for a model's data */
export const dataName = (out) => `${basename(out)}.data`;

/** Lists the files of a model, which is written to `out`: the file of its data, beside it, comes first, so that a model
 * never names a file that is not there yet.
 * @type {(out: string, saved: { model: FileWriter, externalFile?: FileWriter }) => Files} */
function modelPaths(out, { model, externalFile }) {
  /** @type {Files} */
  const outside = externalFile ? [[join(dirname(out), dataName(out)), externalFile]] : [];
  return [...outside, [out, model]];
}

/** Lists the files of a copy of a model with other initializers. Its data get a file of their own if the model is too
 * large for one, or had one. `tensors`: all of the model by name, with those in nodes, which cannot change.
 * @type {(streams: Streams, out: string, source: Weights, tensors: Map<string, Outgoing>) => Promise<Files>} */
async function modelFiles(streams, out, source, tensors) {
  const { bytes, constants, initializers } = /** @type {NonNullable<Weights['model']>} */ (source.model);
  const written = new Map(tensors);
  for (const [name, entry] of constants) {
    // Where an initializer has the same name, `tensors` has that one.
    if (initializers.has(name)) continue;
    if (tensors.get(name) !== entry)
      throw new Error(
        `tensor ${safe(name)} is in a node of the graph: a model is written with other initializers alone`,
      );
    written.delete(name);
  }
  const isSplit = hasOutside(source) || totalBytes(written.values()) > maxBytesInside;
  const externalName = isSplit ? dataName(out) : undefined;
  return modelPaths(out, await saveModel(bytes, written, { externalName, ...saveOptions(streams, out) }));
}

/** 0 for a tensor of strings, whose data is an array.
 * @type {(tensor: Outgoing | { byteLength: number }) => number} */
const bytesOf = (tensor) => ('byteLength' in tensor ? tensor.byteLength : (tensor.data.byteLength ?? 0));

/**
 * Lists the files of a model's inputs: all by name in one .safetensors file; or the main one in a .npy file and each
 * other in one beside it. Standard output has the main one alone.
 * @type {(call: Call, tensors: [name: string, tensor: Tensor][], main: Tensor) => Files}
 */
export function inputFiles({ out, extension }, tensors, main) {
  if (extension === '.safetensors') return [[out, writeSafetensors(new Map(tensors))]];
  if (out === '-') return [[out, writeNpy(main)]];
  const stem = stemOf(out);
  return tensors.map(([name, tensor]) => [tensor === main ? out : `${stem}.${name}.npy`, writeNpy(tensor)]);
}

/** @type {(tensors: [name: string, tensor: Tensor][]) => object[]} what --json says of them */
export const described = (tensors) => tensors.map(([name, { type, dims }]) => ({ name, type, dims }));

/** Writes files, all of them or none, and returns their paths. One may be - for standard output, if it is the only one.
 * @type {(streams: Streams, files: Files) => Promise<string[]>} */
export async function writeFiles(streams, files) {
  if (files.length > 1 && files.some(([file]) => file === '-'))
    throw new UsageError('a model with data in another file cannot go to standard output');
  for (const [file, { byteLength }] of files) progress(streams, `writing ${file}`, byteLength);
  await writeWhole(new Map(files.filter(([file]) => file !== '-')));
  for (const [file, content] of files) if (file === '-') await writeToStdout(streams, content);
  return files.map(([file]) => file);
}

/** Bytes of one write. Each is copied to the thread of the streams, with all of its buffer. */
const pieceBytes = 2 ** 20;

/** Writes a file's bytes to standard output. Waits while its buffer is full, and ends when nobody reads any more.
 * @type {(streams: Streams, content: Uint8Array | FileWriter) => Promise<void>} */
async function writeToStdout({ stdout }, content) {
  const chunks = content instanceof Uint8Array ? [content] : content;
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      if (stdout.isClosed) return;
      const isFull = stdout.write(chunk.slice(at, at + pieceBytes)) === false;
      if (isFull) await once(/** @type {NodeJS.WriteStream} */ (stdout), 'drain');
    }
}
