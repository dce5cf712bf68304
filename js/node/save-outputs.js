/** Writes the outputs of any number of pictures to files. Axis 0 has the rows of the pictures, one or several each. */
import { Buffer } from 'node:buffer';
import { basename, dirname, extname, join } from 'node:path';
import {
  bytesOf,
  namedAsync,
  rangeError,
  readOptions,
  readText,
  show,
  showClass,
  showList,
  typeError,
} from '../arguments/index.js';
import { writeNpy, writeSafetensors } from '../io/index.js';
import { dtypes, readWholeTensor, Tensor } from '../tensor/index.js';
import { allOrNone, writeAll } from './write-files.js';

/** @import { Outputs } from '../processors/types.js' */
/** @import { TypeName } from '../tensor/index.js' */
/** @import { OutputFile, Preprocessed, SavedOutput, SaveOutputsOptions, Target } from './types.js' */

/** @typedef {(path: string) => Promise<Target>} Open */
/** @typedef {{ files: Map<string, OutputFile>, end: (pictures: number) => Promise<void> }} Layout where each output is
 * written, by name; several may share a file. `end` writes the headers when all pictures are written */

/**
 * Writes the outputs of batches to files as they come, joined along axis 0, so that memory does not grow with the
 * number of pictures. The files are there whole or not at all, as those of {@link writeFiles}.
 * @param {string} path `out.npy` has `pixel_values`, and `out.pixel_mask.npy` and so on what else there is;
 *   `out.safetensors` has all outputs by name
 * @param {AsyncIterable<Preprocessed<object>>} batches what {@link preprocessFiles} gives
 * @param {SaveOutputsOptions} [options]
 * @returns {Promise<{ files: string[], outputs: SavedOutput[] }>} the files, and what they hold
 * @example
 * const config = { image_processor_type: 'ViTImageProcessor' };
 * const batches = preprocessFiles(['photo.jpg'], config, { jobs: 1 });
 * const { outputs } = await saveOutputs('photos.npy', batches);
 * outputs[0].dims; // [1, 3, 224, 224]
 */
export async function saveOutputs(path, batches, options) {
  return namedAsync('saveOutputs', async () => {
    const { total } = readOptions(options, ['total']);
    readText('path', path);
    if (!isIterable(batches)) typeError(`batches must be an async iterable, got ${show(batches)}`);
    const extension = extname(path);
    if (extension !== '.npy' && extension !== '.safetensors')
      rangeError(`path must end in .npy or .safetensors, got ${show(path)}`);
    if (extension === '.safetensors' && !(Number.isSafeInteger(total) && Number(total) > 0))
      rangeError(`total must be the number of pictures, from 1 on, for .safetensors, got ${show(total)}`);
    return allOrNone(async (open) => {
      /** @type {Layout | undefined} */
      let layout;
      let pictures = 0;
      for await (const batch of batches) {
        const { paths, outputs } = readBatch(batch);
        // Of a batch whose pictures all failed nothing is written.
        if (!outputs) continue;
        layout ??=
          extension === '.npy'
            ? await npyFiles(path, outputs, open)
            : await safetensorsFile(path, outputs, { pictures: paths.length, total: Number(total), open });
        await append(layout, outputs, paths);
        pictures += paths.length;
      }
      if (!layout) return rangeError('batches must have outputs, got none');
      await layout.end(pictures);
      const files = [...new Set(Array.from(layout.files.values(), ({ name }) => name))];
      return { files, outputs: Array.from(layout.files, described) };
    });
  });
}

/** Refuses anything but { paths, outputs }. {@link append} checks the outputs themselves.
 * @type {(batch: Preprocessed<object>) => Preprocessed} */
function readBatch(batch) {
  const isBatch = typeof batch === 'object' && batch !== null && Array.isArray(batch.paths);
  if (!isBatch || (batch.outputs !== undefined && typeof batch.outputs !== 'object'))
    typeError(`batches must give { paths, outputs }, got ${show(batch)}`);
  return /** @type {Preprocessed} */ (batch);
}

/** Whether a value can be iterated over. Typed arrays and texts count as data, not as lists of batches.
 * @type {(value: unknown) => boolean} */
const isIterable = (value) =>
  typeof value === 'object' &&
  value !== null &&
  !ArrayBuffer.isView(value) &&
  (Symbol.asyncIterator in value || Symbol.iterator in value);

/** Checks the outputs of a batch, and writes the rows of each behind those that its file has already.
 * @type {(layout: Layout, outputs: Outputs, paths: readonly string[]) => Promise<void>} */
async function append({ files }, outputs, paths) {
  checkOutputs(files, outputs, paths);
  for (const [name, file] of files) {
    const { data, dims } = outputs[name];
    const bytes = bytesOf(data);
    await writeAll(file.target.handle, bytes, file.at);
    file.at += bytes.length;
    file.rows += dims[0];
  }
}

/** Checks that names, types, dims and, where `perPicture` is set, the rows of each picture are those of the first
 * batch.
 * @type {(files: Layout['files'], outputs: Outputs, paths: readonly string[]) => void} */
function checkOutputs(files, outputs, paths) {
  const first = `of ${show(paths[0])}`;
  const names = Object.keys(outputs);
  if (names.length !== files.size || names.some((name) => !files.has(name)))
    rangeError(`outputs ${first} must be ${[...files.keys()].join(', ')} as the first, got ${names.join(', ')}`);
  for (const [name, file] of files) {
    // Refuses a batch whose memory went to another thread: its arrays are empty.
    readWholeTensor(name, outputs[name]);
    const { type, dims } = outputs[name];
    const [rows, ...others] = dims;
    if (type !== file.type || String(others) !== String(file.dims))
      rangeError(
        `${name} ${first} must be ${file.type} of dims [${['*', ...file.dims].join(', ')}] as the first, ` +
          `got ${type} ${showList(dims)}`,
      );
    if (file.perPicture !== undefined && rows !== file.perPicture * paths.length)
      rangeError(
        `${name} ${first} must have ${counted(file.perPicture, 'row')} a picture as the first, ` +
          `got ${counted(rows, 'row')} of ${counted(paths.length, 'picture')}: .npy takes any`,
      );
  }
}

/** @type {(count: number, noun: string) => string} */
const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** @type {(entry: [string, OutputFile]) => SavedOutput} */
const described = ([name, { type, rows, dims }]) => ({ name, type, dims: [rows, ...dims] });

/** Refuses outputs that are no tensors with an axis 0, or whose elements have less than a byte, because such cannot be
 * joined byte by byte.
 * @type {(outputs: Outputs) => [name: string, tensor: Tensor][]} */
const tensorsIn = (outputs) =>
  Object.entries(outputs).map(([name, value]) => {
    if (!(value instanceof Tensor) || value.dims.length === 0)
      rangeError(`${name} must be a tensor of pictures to be joined, got ${showClass(value)}`);
    if (value.type === 'string' || dtypes[/** @type {'uint8'} */ (value.type)].bits % 8 !== 0)
      typeError(`${name} must be of a type of whole bytes, got ${value.type}`);
    return [name, value];
  });

/** Opens a .npy file for each output. The space of their headers is left free until the number of rows is known.
 * @type {(path: string, outputs: Outputs, open: Open) => Promise<Layout>} */
async function npyFiles(path, outputs, open) {
  const stem = join(dirname(path), basename(path, '.npy'));
  /** @type {Map<string, OutputFile>} */
  const files = new Map();
  for (const [output, { type, dims: allDims }] of tensorsIn(outputs)) {
    const [, ...dims] = allDims; // of a row
    const name = output === 'pixel_values' ? path : `${stem}.${output}.npy`;
    const target = await open(name);
    const headerBytes = npyHeader(type, 0, dims).length;
    files.set(output, { name, target, at: headerBytes, rows: 0, type, dims });
  }
  const end = async () => {
    for (const { target, type, rows, dims } of files.values())
      await writeAll(target.handle, npyHeader(type, rows, dims), 0);
  };
  return { files, end };
}

/** Digits of the greatest number of rows. */
const maxDigits = 16;
/** The byte of a .npy file at which the length of the header's text stands, behind magic and version. */
const textLengthAt = 8;
/** The byte at which this text begins. */
const textAt = 10;
const lineFeed = 10;

/** @type {(type: TypeName, dims: readonly number[]) => Tensor} */
const emptyTensor = (type, dims) => new Tensor(type, Tensor.from(type, [], [0]).data, [0, ...dims]);

/** Makes the header of a .npy file of a tensor [rows, ...dims]. Its length is the same for any number of rows: spaces
 * stand in the place of digits, and fill it up to a multiple of 64 bytes, as the format wants.
 * @type {(type: TypeName, rows: number, dims: readonly number[]) => Uint8Array} */
function npyHeader(type, rows, dims) {
  const empty = writeNpy(emptyTensor(type, dims));
  const text = Buffer.from(empty.subarray(textAt)).toString('latin1').trimEnd();
  const length = Math.ceil((textAt + text.length + maxDigits) / 64) * 64;
  const header = Buffer.alloc(length, ' ');
  header.set(empty.subarray(0, textLengthAt));
  header.writeUInt16LE(length - textAt, textLengthAt);
  header.write(text.replace('(0,', `(${rows},`), textAt, 'latin1');
  header[length - 1] = lineFeed;
  return header;
}

/** Opens one .safetensors file for all outputs, and computes from the first batch where the rows of each output will
 * lie: one output behind the other, each with room for `total` pictures. `outputs`: those of the first batch, which has
 * `pictures` pictures; all others must have as many rows each. The header is written at the end.
 * @type {(path: string, outputs: Outputs, counts: { pictures: number, total: number, open: Open }) =>
 *   Promise<Layout>} */
async function safetensorsFile(path, outputs, { pictures, total, open }) {
  const tensors = new Map(tensorsIn(outputs));
  const rowsOf = rowsPerPicture(tensors, pictures);
  const header = safetensorsHeader(tensors, (name) => multiplyExactly(rowsOf(name), total));
  const target = await open(path);
  /** @type {Map<string, OutputFile>} */
  const files = new Map();
  for (const [name, { type, dims }] of tensors) {
    const [, ...dimsOfRow] = dims;
    const at = header.bytes.length + header.firstByte(name);
    files.set(name, { name: path, target, at, rows: 0, type, dims: dimsOfRow, perPicture: rowsOf(name) });
  }
  return {
    files,
    async end(count) {
      if (count !== total) rangeError(`total must be ${count} as there are, got ${total}`);
      await writeAll(target.handle, header.bytes, 0);
    },
  };
}

/** Returns a function that gives the rows of a picture in an output. Refuses an output whose rows do not divide among
 * the pictures.
 * @type {(tensors: Map<string, Tensor>, pictures: number) => (name: string) => number} */
function rowsPerPicture(tensors, pictures) {
  const counts = new Map();
  for (const [name, { dims }] of tensors) {
    if (dims[0] % pictures !== 0)
      rangeError(
        `${name} must have as many rows for each picture, ` +
          `got ${counted(dims[0], 'row')} of ${counted(pictures, 'picture')}: .npy takes any`,
      );
    counts.set(name, dims[0] / pictures);
  }
  return (name) => counts.get(name);
}

/** Refuses a count that a double may not hold exactly.
 * @type {(count: number) => number} */
function exactly(count) {
  if (!Number.isSafeInteger(count)) rangeError('total must make a file of fewer than 2^53 bytes, got more');
  return count;
}

/** @type {(count: number, factor: number) => number} */
const multiplyExactly = (count, factor) => exactly(count * factor);

/** Bytes of the length in front of a safetensors file's JSON, and a factor of the padded JSON's length. */
const wordBytes = 8;

/** Makes the header of a safetensors file of tensors like these, but with the rows that `rowsOf` gives for each name.
 * It is that of {@link writeSafetensors}, in whose order the tensors come, with other rows and places. `firstByte`:
 * where a tensor's bytes begin behind the header.
 * @type {(tensors: Map<string, Tensor>, rowsOf: (name: string) => number) =>
 *   { bytes: Uint8Array, firstByte: (name: string) => number }} */
function safetensorsHeader(tensors, rowsOf) {
  const empty = new Map(Array.from(tensors, ([name, { type, dims }]) => [name, emptyTensor(type, dims.slice(1))]));
  const written = writeSafetensors(empty);
  const jsonBytes = Number(new DataView(written.buffer, written.byteOffset).getBigUint64(0, true));
  const table = JSON.parse(Buffer.from(written.subarray(wordBytes, wordBytes + jsonBytes)).toString());
  let start = 0;
  for (const [name, place] of Object.entries(table)) {
    const { type, dims } = /** @type {Tensor} */ (tensors.get(name));
    const rows = rowsOf(name);
    const elements = dims.slice(1).reduce(multiplyExactly, rows);
    const elementBytes = dtypes[/** @type {'uint8'} */ (type)].bits / 8;
    const end = exactly(start + multiplyExactly(elements, elementBytes));
    place.shape[0] = rows;
    place.data_offsets = [start, end];
    start = end;
  }
  const text = Buffer.from(JSON.stringify(table));
  const paddedBytes = Math.ceil(text.length / wordBytes) * wordBytes;
  const bytes = Buffer.alloc(wordBytes + paddedBytes, ' ');
  bytes.writeBigUInt64LE(BigInt(paddedBytes));
  bytes.set(text, wordBytes);
  return { bytes, firstByte: (name) => table[name].data_offsets[0] };
}
