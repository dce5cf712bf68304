/** The worker's part of the panel: the files that are open, and what is read of them. Nothing is read whole. */
import { dtypes } from 'onnx-layout';
import { Entry, openModel, openNpy, openSafetensors, saveModel, saveNpy, saveSafetensors } from 'onnx-layout/io';
import { fileBeside } from './files.js';
import { Histogram, numbersOf } from './histogram.js';

/**
 * The open files.
 * @typedef {object} Opened
 * @property {'onnx' | 'npy' | 'safetensors'} format
 * @property {string} name of the first file
 * @property {Map<string, import('onnx-layout/io').Entry>} entries by name
 * @property {File} main
 * @property {(path: string) => File} beside gives another of the files
 * @property {import('onnx-layout/io').OpenedModel} [model]
 * @property {Map<string, string>} [metadata]
 */

/** @type {Opened} */
let opened;

/** Ends what is read for the tensor that was chosen before. */
let reading = new AbortController();

/** Milliseconds between two reports of progress: people see no faster changes. */
const every = 100;

/**
 * Calls a function at most once in {@link every} milliseconds.
 * @template {unknown[]} T
 * @param {(...given: T) => void} call
 * @returns {(...given: T) => void}
 */
export function nowAndThen(call) {
  let last = performance.now();
  return (...given) => {
    if (performance.now() - last < every) return;
    last = performance.now();
    call(...given);
  };
}

/**
 * Opens files: reads their headers.
 * @param {'onnx' | 'npy' | 'safetensors'} format
 * @param {File[]} main the file, or all shards
 * @param {File[]} files all that were chosen
 */
async function openFiles(format, main, files) {
  const [first] = main;
  const { name } = first;
  const beside = (path) => fileBeside(files, path);
  const about = { format, name, main: first, beside };
  if (format === 'npy') return { ...about, entries: new Map([[name.replace(/\.npy$/i, ''), await openNpy(first)]]) };
  if (format === 'onnx') {
    const model = await openModel(first, { external: beside });
    return { ...about, entries: model.initializers, model };
  }
  const [entries, metadata] = [new Map(), new Map()];
  for (const file of main) {
    const shard = await openSafetensors(file, { shard: beside });
    for (const [key, entry] of shard) {
      if (entries.has(key)) throw new Error(`Two of the files have a tensor ${key}. Choose one model at a time.`);
      entries.set(key, entry);
    }
    for (const [key, text] of shard.metadata) metadata.set(key, text);
  }
  return { ...about, entries, metadata };
}

/**
 * Opens files, in the place of those that were open.
 * @param {'onnx' | 'npy' | 'safetensors'} format
 * @param {File[]} main
 * @param {File[]} files
 * @returns {Promise<object>} what the panel shows of them
 */
export async function open(format, main, files) {
  reading.abort();
  opened = await openFiles(format, main, files);
  const { name, entries, model, metadata } = opened;
  return {
    format,
    name,
    files: files.length,
    shards: main.length,
    byteLength: files.reduce((sum, { size }) => sum + size, 0),
    rows: Array.from(entries, ([key, { type, dims, byteLength }]) => ({ name: key, type, dims, bytes: byteLength })),
    nodes: model?.nodes.length,
    opsets: model && [...model.opsets],
    metadata: metadata && [...metadata],
  };
}

/**
 * Opens a file that is made here.
 * @param {string} name
 */
export async function openSample(name) {
  const { sampleFile } = await import('./samples.js');
  const file = await sampleFile(name, { Entry, saveModel, saveNpy, saveSafetensors });
  const format = /** @type {any} */ (name.slice(name.lastIndexOf('.') + 1));
  return open(format, [file], [file]);
}

/**
 * Counts the values of a tensor, and ends the counting of another one.
 * @param {string} name
 * @param {(result: object, done: number, total: number) => void} onProgress gets what is known so far
 * @returns {Promise<object | undefined>} undefined for values that are no numbers
 * @throws {Error} another tensor was chosen meanwhile; a file that cannot be read
 */
export async function histogram(name, onProgress) {
  reading.abort();
  reading = new AbortController();
  const { signal } = reading;
  const entry = opened.entries.get(name);
  const type = numbersOf(dtypes[entry.type]);
  if (!type) return undefined;
  const total = entry.dims.reduce((product, extent) => product * extent, 1);
  const values = new Histogram();
  const tell = nowAndThen(() => onProgress(values.result(), values.count, total));
  for await (const { data } of entry.cast(type).pieces({ signal })) {
    values.add(data);
    tell();
  }
  return values.result();
}

/** The open files, for the tasks that write. */
export const current = () => opened;
