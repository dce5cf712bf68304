/** The outputs of any number of pictures in one file, written as they come. */
import { Buffer } from 'node:buffer';
import { basename, dirname, extname, join } from 'node:path';
import {
  bytesOf,
  namedAsync,
  rangeError,
  readOptions,
  show,
  showClass,
  showList,
  typeError,
} from '../arguments/index.js';
import { writeNpy, writeSafetensors } from '../io/index.js';
import { readWholeTensor, Tensor } from '../tensor/index.js';
import { allOrNone, writeAll } from './write-files.js';

/** @import { OutputFile, Preprocessed, SavedOutput, Target } from './types.js' */

/** @typedef {(path: string) => Promise<Target>} Open */
/** @typedef {{ files: Map<string, OutputFile>, end: () => Promise<void> }} Layout */

/**
 * Writes the outputs of batches to files as they come, joined along axis 0, so that memory does not grow with the
 * number of pictures. The files are there whole or not at all, as those of {@link writeFiles}.
 * @param {string} path `out.npy` has `pixel_values`, and `out.pixel_mask.npy` and so on what else there is;
 *   `out.safetensors` has all outputs by name
 * @param {AsyncIterable<Preprocessed<any>>} batches what {@link preprocessFiles} gives
 * @param {{ total?: number }} [options] `total`: how many pictures come, which .safetensors needs to know
 * @returns {Promise<{ files: string[], outputs: SavedOutput[] }>} the files, and what they hold
 * @example
 * const config = { image_processor_type: 'ViTImageProcessor' };
 * const batches = preprocessFiles(['tests/demo/photo.jpg'], config, { jobs: 1 });
 * const { outputs } = await saveOutputs('build/photos.npy', batches);
 * outputs[0].dims; // [1, 3, 224, 224]
 */
export async function saveOutputs(path, batches, options) {
  return namedAsync('saveOutputs', async () => {
    const { total } = readOptions(options, ['total']);
    if (typeof path !== 'string') typeError(`path must be a string, got ${show(path)}`);
    const isIterable = typeof batches === 'object' && batches !== null;
    if (!isIterable || !(Symbol.asyncIterator in batches || Symbol.iterator in batches))
      typeError(`batches must be an async iterable, got ${show(batches)}`);
    const extension = extname(path);
    if (extension !== '.npy' && extension !== '.safetensors')
      rangeError(`path must end in .npy or .safetensors, got ${show(path)}`);
    if (extension === '.safetensors' && !(Number.isSafeInteger(total) && Number(total) > 0))
      rangeError(`total must be the number of pictures, from 1 on, for .safetensors, got ${show(total)}`);
    return allOrNone(async (open) => {
      /** @type {Layout | undefined} */
      let layout;
      for await (const { paths, outputs } of batches) {
        if (!outputs) continue;
        layout ??=
          extension === '.npy'
            ? await npyFiles(path, outputs, open)
            : await safetensorsFile(path, outputs, { pictures: paths.length, total: Number(total), open });
        await append(layout, outputs, paths);
      }
      if (!layout) return rangeError('batches must have outputs, got none');
      await layout.end();
      const files = [...new Set(Array.from(layout.files.values(), ({ name }) => name))];
      return { files, outputs: Array.from(layout.files, described) };
    });
  });
}

/** @type {(layout: Layout, outputs: Record<string, any>, paths: readonly string[]) => Promise<void>} */
async function append({ files }, outputs, paths) {
  const first = `of ${show(paths[0])}`;
  const names = Object.keys(outputs);
  if (names.length !== files.size || names.some((name) => !files.has(name)))
    rangeError(`outputs ${first} must be ${[...files.keys()].join(', ')} as the first, got ${names.join(', ')}`);
  for (const [name, file] of files) {
    // Of a batch whose memory went to another thread nothing would be written.
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
        `${name} ${first} must have ${file.perPicture} rows a picture as the first, got ${rows / paths.length}: ` +
          '.npy takes any',
      );
  }
  for (const [name, file] of files) {
    const bytes = bytesOf(outputs[name].data);
    await writeAll(file.target.handle, bytes, file.at);
    file.at += bytes.length;
    file.rows += outputs[name].dims[0];
  }
}

/** @type {(entry: [string, OutputFile]) => SavedOutput} */
const described = ([name, { type, rows, dims }]) => ({ name, type, dims: [rows, ...dims] });

/** @type {(outputs: Record<string, any>) => [name: string, tensor: Tensor][]} */
const tensorsIn = (outputs) =>
  Object.entries(outputs).map(([name, value]) => {
    if (!(value instanceof Tensor) || value.dims.length === 0)
      rangeError(`${name} must be a tensor of pictures to be joined, got ${showClass(value)}`);
    return [name, value];
  });

/** @type {(path: string, outputs: Record<string, any>, open: Open) => Promise<Layout>} */
async function npyFiles(path, outputs, open) {
  const stem = join(dirname(path), basename(path, '.npy'));
  /** @type {Map<string, OutputFile>} */
  const files = new Map();
  for (const [output, { type, dims: all }] of tensorsIn(outputs)) {
    const dims = all.slice(1);
    const name = output === 'pixel_values' ? path : `${stem}.${output}.npy`;
    files.set(output, { name, target: await open(name), at: npyHeader(type, 0, dims).length, rows: 0, type, dims });
  }
  const end = async () => {
    for (const { target, type, rows, dims } of files.values())
      await writeAll(target.handle, npyHeader(type, rows, dims), 0);
  };
  return { files, end };
}

/** Digits of the greatest number of rows. */
const mostDigits = 16;

/** The header of a .npy file, as long for any number of rows: spaces are in the place of digits.
 * @type {(type: any, rows: number, dims: readonly number[]) => Uint8Array} */
function npyHeader(type, rows, dims) {
  const { data } = Tensor.from(type, [], [0]);
  const empty = writeNpy(new Tensor(type, data, [0, ...dims]));
  const text = Buffer.from(empty.subarray(10)).toString('latin1').trimEnd();
  const length = Math.ceil((10 + text.length + mostDigits) / 64) * 64;
  const header = Buffer.alloc(length, ' ');
  header.set(empty.subarray(0, 8));
  header.writeUInt16LE(length - 10, 8);
  header.write(text.replace('(0,', `(${rows},`), 10, 'latin1');
  header[length - 1] = 10;
  return header;
}

/** One file, where the place of each output follows from the first batch.
 * @type {(path: string, outputs: Record<string, any>, how: { pictures: number, total: number, open: Open }) =>
 *   Promise<Layout>} */
async function safetensorsFile(path, outputs, { pictures, total, open }) {
  const tensors = new Map(tensorsIn(outputs));
  const small = writeSafetensors(tensors);
  const end = 8 + Number(new DataView(small.buffer, small.byteOffset).getBigUint64(0, true));
  const table = JSON.parse(Buffer.from(small.subarray(8, end)).toString());
  const target = await open(path);
  for (const place of Object.values(table)) {
    place.shape[0] *= total / pictures;
    place.data_offsets = place.data_offsets.map((/** @type {number} */ offset) => (offset / pictures) * total);
  }
  const text = JSON.stringify(table);
  const header = Buffer.alloc(8 + Math.ceil(text.length / 8) * 8, ' ');
  header.writeBigUInt64LE(BigInt(header.length - 8));
  header.write(text, 8, 'latin1');
  /** @type {Map<string, OutputFile>} */
  const files = new Map();
  for (const [name, tensor] of tensors) {
    const { type } = tensor;
    const [rows, ...dims] = tensor.dims;
    const at = header.length + table[name].data_offsets[0];
    files.set(name, { name: path, target, at, rows: 0, type, dims, perPicture: rows / pictures });
  }
  return {
    files,
    async end() {
      const [{ rows, perPicture = 1 }] = files.values();
      if (rows !== total * perPicture) rangeError(`total must be ${rows / perPicture} as there are, got ${total}`);
      await writeAll(target.handle, header, 0);
    },
  };
}
