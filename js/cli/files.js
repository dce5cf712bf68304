/** The files of the command line: tensors read from any format, and results written to any. Runs on Node alone. */
import { closeSync, fstatSync, openSync, readFileSync, readSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, sep } from 'node:path';
import { readModel, readNpy, readSafetensors, writeInitializers, writeNpy, writeSafetensors } from '../io/index.js';
import { UsageError } from './options.js';
import { progress, safe } from './terminal.js';

/** @import { Tensor } from '../index.js' */
/** @import { Result } from './commands.js' */
/** @import { Streams } from './terminal.js' */

/** @typedef {ReturnType<typeof readModel>} Model */
/** @typedef {NonNullable<NonNullable<Parameters<typeof readModel>[1]>['external']>} External */

/**
 * A file that was read.
 * @typedef {object} Source
 * @property {'npy' | 'safetensors' | 'onnx'} format
 * @property {Buffer} bytes
 * @property {Map<string, Tensor>} tensors by name; the one of a .npy file has the empty name
 * @property {Model} [model] of an .onnx file
 * @property {Map<string, string>} [metadata] of a .safetensors file that has some
 */

/**
 * The reader of external data: parts of files in the model's folder. A symbolic link may not lead out of it.
 * @param {string} model its path
 * @returns {External}
 */
const externalOf =
  (model) =>
  ({ location, offset, length }) => {
    const folder = realpathSync(model === '-' ? '.' : dirname(model));
    const path = realpathSync(join(folder, location));
    if (!path.startsWith(folder === sep ? sep : folder + sep))
      throw new Error(`external data must be inside the model's folder, got ${location}`);
    return readPart(path, location, offset, length);
  };

/**
 * @param {string} path
 * @param {string} location the path as the model gives it, for messages
 * @param {number} offset in bytes
 * @param {number} length in bytes
 * @returns {Uint8Array}
 */
function readPart(path, location, offset, length) {
  const file = openSync(path, 'r');
  try {
    // Checked before memory is taken: the model may ask for any length.
    const { size } = fstatSync(file);
    if (offset + length > size) throw new Error(`${location} must have ${offset + length} bytes, got ${size}`);
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length;) {
      const count = readSync(file, bytes, done, Math.min(length - done, 2 ** 30), offset + done);
      if (count === 0) throw new Error(`${location} has become shorter`);
      done += count;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

/**
 * Reads a file whole.
 * @param {Streams} streams
 * @param {string} path - for standard input
 * @returns {Promise<Buffer>}
 */
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

/**
 * @param {Buffer} bytes
 * @returns {boolean} whether they begin as a .npy file does
 */
export const isNpy = (bytes) => bytes.toString('latin1', 0, 6) === '\x93NUMPY';

/**
 * Reads a file, whose format its first bytes tell.
 * @param {Streams} streams
 * @param {string} path
 * @param {any} type of the void elements of a .npy file
 * @returns {Promise<Source>}
 */
export async function readTensors(streams, path, type) {
  const bytes = await readBytes(streams, path);
  if (isNpy(bytes)) return { format: 'npy', bytes, tensors: new Map([['', readNpy(bytes, { type })]]) };
  if (type !== undefined) throw new UsageError('--type is for .npy files');
  // A length of eight bytes, below 2^32, and an object: protobuf does not begin so, because field number 0 is none.
  if (bytes[8] === 0x7b && bytes.readUInt32LE(4) === 0) {
    const tensors = readSafetensors(bytes);
    return { format: 'safetensors', bytes, tensors, metadata: tensors.metadata };
  }
  const model = readModel(bytes, { external: externalOf(path) });
  return { format: 'onnx', bytes, tensors: model.initializers, model };
}

/**
 * One tensor of a file.
 * @param {Map<string, Tensor>} tensors
 * @param {string | undefined} name may be omitted where there is but one
 * @returns {Tensor}
 */
export function choose(tensors, name) {
  if (name !== undefined) {
    const tensor = tensors.get(name);
    if (!tensor) throw new Error(`no tensor ${safe(name)}`);
    return tensor;
  }
  if (tensors.size !== 1) throw new UsageError(`the file has ${tensors.size} tensors: choose one by --tensor`);
  return /** @type {Tensor} */ (tensors.values().next().value);
}

/**
 * The files that a result goes to.
 * @param {string} out
 * @param {Source} source
 * @param {string} name of the tensor in the source
 * @param {Result} result
 * @returns {[path: string, bytes: Uint8Array][]}
 */
export function outputFiles(out, source, name, result) {
  const extension = out === '-' ? '.npy' : extname(out);
  const isPieces = Array.isArray(result);
  if (extension === '.npy') return npyFiles(out, result);
  if (extension === '.safetensors') return [[out, safetensorsOf(source, name, result)]];
  if (extension === '.onnx' && source.format === 'onnx' && !isPieces)
    return [[out, writeInitializers(source.bytes, new Map([[name, result]]))]];
  const model = source.format === 'onnx' && !isPieces ? ', .onnx' : '';
  throw new UsageError(`OUT must be .npy, .safetensors${model} or -, got ${out}`);
}

/**
 * @param {string} out
 * @param {Result} result
 * @returns {[path: string, bytes: Uint8Array][]}
 */
function npyFiles(out, result) {
  if (!Array.isArray(result)) return [[out, writeNpy(result)]];
  if (out === '-') throw new UsageError('split needs a file to write to');
  const stem = join(dirname(out), basename(out, '.npy'));
  return result.map((piece, i) => [`${stem}.${i}.npy`, writeNpy(piece)]);
}

/**
 * Pieces by number, or the source's tensors with the result among them.
 * @param {Source} source
 * @param {string} name
 * @param {Result} result
 * @returns {Uint8Array}
 */
function safetensorsOf({ format, tensors, metadata = new Map() }, name, result) {
  if (Array.isArray(result)) return writeSafetensors(new Map(result.map((piece, i) => [String(i), piece])));
  const others = format === 'safetensors' ? tensors : new Map();
  return writeSafetensors(new Map([...others, [name || 'tensor', result]]), { metadata });
}

/**
 * Writes the results' files.
 * @param {Streams} streams
 * @param {[path: string, bytes: Uint8Array][]} files
 */
export function writeFiles(streams, files) {
  for (const [file, bytes] of files) {
    progress(streams, `writing ${file}`, bytes.length);
    if (file === '-') streams.stdout.write(bytes);
    else writeFileSync(file, bytes);
  }
}
