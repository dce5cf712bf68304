/** The worker's part of the panel that writes: a result is made piece by piece, and is there whole or not at all. */
import { saveModel, saveNpy, saveSafetensors } from 'onnx-layout/io';
import { showBytes } from '../shared/number-text.js';
import { asStored, isFloat } from './cast.js';
import { mostDownloaded, resultName } from './files.js';
import { current, nowAndThen } from './work.js';

/** @import { Opened } from './work.js' */
/** @import { Entry, FileWriter } from 'onnx-layout/io' */

/**
 * The wanted result.
 * @typedef {object} Wanted
 * @property {'convert' | 'model' | 'quantize' | 'dequantize'} action `model`: the whole model, by `dtype`
 * @property {string} to a type, or `asStored`
 * @property {'onnx' | 'safetensors' | 'npy'} format
 * @property {string} tensor for a .npy file
 * @property {object} quantize options of quantizeWeightsAsync
 * @property {string} dtype of convertModelAsync
 */
/** @typedef {{ files: { name: string, saved: FileWriter }[], report?: object[] }} Made */

/** A model of 2 GiB has no room left in protobuf, and its graph has to fit too. */
const mostInside = 2 ** 31 - 2 ** 27;

let saving = new AbortController();

/** @type {(entry: Entry, to: string) => Entry} */
const converted = (entry, to) => (to === asStored || !isFloat.test(entry.type) ? entry : entry.cast(to));

const bytesOf = (entries) => [...entries.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);

/**
 * @param {Opened} opened
 * @param {Wanted} wanted
 * @param {AbortSignal} [signal]
 * @returns {Promise<Made>}
 */
async function convert({ name, entries, main, model, metadata }, { to, format, tensor }, signal) {
  const middle = to === asStored ? '' : to;
  if (format === 'npy') {
    const stem = tensor.replaceAll(/[/\\:]/g, '-');
    return {
      files: [
        {
          name: resultName(`${stem}.npy`, middle, 'npy'),
          saved: saveNpy(converted(entries.get(tensor), to), { signal }),
        },
      ],
    };
  }
  const file = resultName(name, middle, format);
  const all = new Map(Array.from(entries, ([key, entry]) => [key, converted(entry, to)]));
  if (format === 'safetensors')
    return { files: [{ name: file, saved: saveSafetensors(all, { metadata: metadata ?? new Map(), signal }) }] };
  const externalName = dataName(entries, main, file, bytesOf(all));
  const saved = await saveModel(model.bytes, all, { externalName, signal });
  return { files: filesOf(file, externalName, saved) };
}

/** The name of a file for a model's data: where they do not fit into the model, or were in other files before. */
const dataName = (entries, main, file, bytes) =>
  bytesOf(entries) > main.size || bytes > mostInside ? `${file}.data` : undefined;

const filesOf = (file, externalName, saved) => [
  ...(externalName ? [{ name: externalName, saved: saved.externalFile }] : []),
  { name: file, saved: saved.model },
];

/**
 * @param {Opened} opened
 * @param {object} options of quantizeWeightsAsync
 * @returns {{ file: string, externalName: string | undefined }} the names of the files
 */
function quantizedNames({ name, entries, main }, { bits }) {
  const file = resultName(name, `int${bits}`, 'onnx');
  // Packed weights are smaller, so the result needs a data file only where the source had one.
  return { file, externalName: dataName(entries, main, file, 0) };
}

/**
 * @param {Opened} opened
 * @param {AbortSignal} [signal]
 * @returns {Promise<Made>}
 */
async function dequantize({ name, entries, main, model }, signal) {
  const { dequantizeWeightsAsync } = await import('./quantize.js');
  const file = resultName(name, 'plain', 'onnx');
  const apart = await dequantizeWeightsAsync(model, { externalName: `${file}.data`, signal });
  const externalName = dataName(entries, main, file, apart.model.byteLength + (apart.externalFile?.byteLength ?? 0));
  const { report, ...saved } = externalName ? apart : await dequantizeWeightsAsync(model, { signal });
  return { files: filesOf(file, externalName, saved), report };
}

/** The names of a whole model's files: data beside it are called as transformers.js asks for them.
 * @param {Opened} opened
 * @param {string} dtype
 * @returns {Promise<{ file: string, externalName: string | undefined }>}
 */
async function wholeNames({ name, entries, main }, dtype) {
  const { modelFileName } = await import('./quantize.js');
  const file = modelFileName(name.replace(/\.onnx$/, ''), dtype);
  return { file, externalName: dataName(entries, main, file, bytesOf(entries)) && `${file}_data` };
}

/** A whole model with other number types.
 * @param {Opened} opened
 * @param {string} dtype
 * @param {{ signal?: AbortSignal, onProgress?: (progress: { done: number, total: number }) => void }} options
 * @returns {Promise<Made>}
 */
async function convertWhole(opened, dtype, options) {
  const { convertModelAsync } = await import('./quantize.js');
  const { file, externalName } = await wholeNames(opened, dtype);
  const {
    model: saved,
    externalFiles,
    report,
  } = await convertModelAsync(opened.model, {
    ...{ dtype, ...options },
    // One file, whose name is known before the work begins.
    ...(externalName && { externalName, externalBytes: Number.MAX_SAFE_INTEGER }),
  });
  const outside = Array.from(externalFiles ?? [], ([location, writer]) => ({ name: location, saved: writer }));
  return { files: [...outside, { name: file, saved }], report };
}

/**
 * @param {Wanted} wanted
 * @param {AbortSignal} [signal]
 * @param {(done: number, total: number) => void} [onPacked] is called while weights are packed, before there are files
 * @returns {Promise<Made>}
 */
async function make(wanted, signal, onPacked) {
  const opened = current();
  if (wanted.action === 'convert') return convert(opened, wanted, signal);
  if (wanted.action === 'dequantize') return dequantize(opened, signal);
  let isPacking = true;
  const onProgress = ({ done, total }) => isPacking && onPacked?.(done, total);
  if (wanted.action === 'model') {
    const result = await convertWhole(opened, wanted.dtype, { signal, onProgress });
    isPacking = false;
    return result;
  }
  const { quantizeWeightsAsync } = await import('./quantize.js');
  const { file, externalName } = quantizedNames(opened, wanted.quantize);
  const saved = await quantizeWeightsAsync(opened.model, { ...wanted.quantize, externalName, signal, onProgress });
  isPacking = false;
  return { files: filesOf(file, externalName, saved), report: saved.report };
}

/**
 * The files of a result, and the sizes of those that are known before the work begins.
 * @param {Wanted} wanted
 * @returns {Promise<{ name: string, byteLength?: number }[]>}
 */
export async function plan(wanted) {
  if (wanted.action === 'quantize' || wanted.action === 'model') {
    const isModel = wanted.action === 'model';
    const names = isModel ? wholeNames(current(), wanted.dtype) : quantizedNames(current(), wanted.quantize);
    const { file, externalName } = await names;
    return [externalName, file].flatMap((name) => (name ? [{ name }] : []));
  }
  const { files } = await make(wanted);
  return files.map(({ name, saved: { byteLength } }) => ({ name, byteLength }));
}

/**
 * Makes a result and writes it.
 * @param {Wanted} wanted
 * @param {FileSystemFileHandle[] | undefined} handles where to, in the order of `plan`; Blobs if omitted
 * @param {(what: string, done: number, total: number) => void} onProgress in bytes
 * @returns {Promise<{ files: { name: string, byteLength: number, blob?: Blob }[], report?: object[] }>}
 * @throws {Error} an AbortError after `stopSaving`, and then nothing is written
 */
export async function save(wanted, handles, onProgress) {
  try {
    return await makeAndWrite(wanted, handles, onProgress);
  } catch (error) {
    // A picker makes the file that was chosen.
    await Promise.allSettled((handles ?? []).map(removeEmpty));
    throw error;
  }
}

/** @type {typeof save} */
async function makeAndWrite(wanted, handles, onProgress) {
  saving = new AbortController();
  const onPacked = nowAndThen((...packed) => onProgress('Reading', ...packed));
  const { files, report } = await make(wanted, saving.signal, onPacked);
  const total = files.reduce((sum, { saved }) => sum + saved.byteLength, 0);
  let done = 0;
  const tell = nowAndThen(() => onProgress('Writing', done, total));
  const count = (bytes) => {
    done += bytes.length;
    tell();
  };
  const about = files.map(({ name, saved: { byteLength } }) => ({ name, byteLength }));
  if (handles) {
    await writeTo(handles, files, count);
    return { files: about, report };
  }
  if (total > mostDownloaded)
    throw new Error(`Downloads here have at most ${showBytes(mostDownloaded)}, and this has ${showBytes(total)}.`);
  const blobs = [];
  for (const { saved } of files) blobs.push(await blobOf(saved, count));
  return { files: about.map((file, i) => ({ ...file, blob: blobs[i] })), report };
}

/** Ends the work of `save`. */
export const stopSaving = () => saving.abort();

/** A Blob of a result. Each piece is a Blob at once, so that the browser can put it elsewhere than into memory. */
async function blobOf(saved, count) {
  const parts = [];
  for await (const bytes of saved) {
    parts.push(new Blob([bytes]));
    count(bytes);
  }
  return new Blob(parts, { type: 'application/octet-stream' });
}

/**
 * Writes files. The bytes stand in files beside the chosen ones until they are closed, once all are complete.
 * @param {FileSystemFileHandle[]} handles
 * @param {Made['files']} files
 * @param {(bytes: Uint8Array) => void} count is called with each piece
 */
async function writeTo(handles, files, count) {
  const streams = [];
  try {
    for (const [i, { saved }] of files.entries()) {
      const stream = await handles[i].createWritable();
      streams.push(stream);
      for await (const { at, bytes } of saved.writes()) {
        await stream.write({ type: 'write', position: at, data: bytes });
        count(bytes);
      }
    }
    for (const stream of streams) await stream.close();
  } catch (error) {
    await Promise.allSettled(streams.map((stream) => stream.abort()));
    throw error;
  }
}

async function removeEmpty(handle) {
  if ((await handle.getFile()).size === 0) await handle.remove?.();
}
