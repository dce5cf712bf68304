/** Picture files through an image processor, in as many threads as there are cores. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import * as args from '../arguments/index.js';
import { decodingTable, wholeOr } from './read-image.js';
import { openPool, runInOrder } from './thread-pool.js';

/** @import { ImageClassOf, ImageOutputs } from '../processors/types.js' */
/** @import { Preprocessed, PreprocessOptions } from './types.js' */

/** @typedef {Iterable<string | URL> | AsyncIterable<string | URL>} Paths */

/**
 * Runs picture files through an image processor, in batches and in worker threads: each decodes with {@link readImage}
 * and preprocesses. The batches come in the order of the paths, equal in every byte to those of one thread. At most two
 * batches a thread are in memory beside the one that the caller has, however many files there are.
 * @template {object | string} const Config
 * @template {string} [Name=ImageClassOf<Config>]
 * @param {Iterable<string | URL> | AsyncIterable<string | URL>} paths
 * @param {Config} config as {@link imageProcessor} takes it
 * @param {PreprocessOptions<Name>} [options]
 * @returns {AsyncGenerator<Preprocessed<ImageOutputs<Name>>, void, undefined>} for each batch the paths that its
 *   outputs are of, and those that failed with their errors, in `failed`
 * @example
 * const config = { image_processor_type: 'ViTImageProcessor' };
 * for await (const { paths, outputs } of preprocessFiles(['photo.jpg'], config, { jobs: 1 }))
 *   console.assert(paths.length === 1 && outputs.pixel_values.dims[2] === 224);
 */
export function preprocessFiles(paths, config, options) {
  return args.namedEach('preprocessFiles', () => {
    const batches = preprocess(readPaths(paths), { config, ...readCall(options) });
    return /** @type {AsyncGenerator<Preprocessed<ImageOutputs<Name>>>} */ (batches);
  });
}

/** Reads the argument `paths`, and counts them if they are an array.
 * @type {(paths: Paths) => { paths: Paths, total: number | undefined }} */
function readPaths(paths) {
  const isIterable = typeof paths === 'object' && paths !== null && !ArrayBuffer.isView(paths);
  if (!isIterable || !(Symbol.iterator in paths || Symbol.asyncIterator in paths))
    args.typeError(`paths must be an array or an iterable of paths, got ${args.showClass(paths)}`);
  return { paths, total: Array.isArray(paths) ? paths.length : undefined };
}

/** The processor of each thread reads the processor's options. */
const table = {
  backend: args.later,
  batch: wholeOr(1),
  className: args.later,
  dtype: args.later,
  jobs: wholeOr(availableParallelism()),
  maxBytes: args.later,
  maxPixels: decodingTable.maxPixels,
  onError: args.word(['throw', 'skip'], 'throw'),
  onProgress: args.row(args.readFunction, undefined),
  orientation: decodingTable.orientation,
  settings: args.later,
  signal: args.readSignal,
  steps: args.flag(false),
};

/** Reads the options, and splits them into `processing`, which each thread gets, and those of the call.
 * @param {PreprocessOptions | undefined} options */
function readCall(options) {
  const { settings, onError, batch, jobs, onProgress, signal, ...processing } = args.readTable(options, table);
  if (settings?.out !== undefined) args.typeError('settings must not have out, which the next batch would overwrite');
  const isThrowing = onError === 'throw';
  return { processing: { ...processing, settings }, isThrowing, batch, jobs, onProgress, signal };
}

/** @typedef {ReturnType<typeof readCall> & { config: object | string }} PreprocessCall */

/** Yields the outputs of the pictures of `paths` in batches. `total`: how many paths there are, if that is known.
 * @type {(from: { paths: Paths, total: number | undefined }, call: PreprocessCall) => AsyncGenerator<Preprocessed>} */
async function* preprocess({ paths, total }, { config, processing, batch, jobs, isThrowing, onProgress, signal }) {
  const { batchProcessor } = await import('./preprocess-batch.js');
  // In this thread too, so that a wrong configuration is refused before any thread starts.
  const processor = batchProcessor({ config, ...processing });
  const pool = await openPool(jobs, { config, ...processing }, processor);
  const progress = { done: 0, failed: 0, total };
  try {
    for await (const batchResult of runInOrder(batches(paths, batch), pool.run, { jobs, signal })) {
      const { paths: done, failed } = batchResult;
      if (isThrowing && failed.length > 0) throw failed[0].error;
      progress.failed += failed.length;
      progress.done += done.length + failed.length;
      onProgress?.({ ...progress });
      yield batchResult;
    }
  } finally {
    await pool.close();
  }
}

/** Reads one path, or a URL of a file as its path.
 * @type {(path: unknown) => string} */
function readPath(path) {
  if (typeof path === 'string') return path;
  if (!(path instanceof URL)) return args.typeError(`paths must have strings and URLs, got ${args.show(path)}`);
  if (path.protocol !== 'file:') args.rangeError(`paths must have URLs of files, got ${args.show(path.href)}`);
  return fileURLToPath(path);
}

/** Yields the paths in batches of `size`, of which the last may be shorter.
 * @type {(paths: Paths, size: number) => AsyncGenerator<string[]>} */
async function* batches(paths, size) {
  /** @type {string[]} */
  let batch = [];
  for await (const path of paths) {
    batch.push(readPath(path));
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
