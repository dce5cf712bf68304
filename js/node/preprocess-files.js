/** Picture files through an image processor, in as many threads as there are cores. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import * as args from '../arguments/index.js';
import { Tensor } from '../tensor/index.js';
import { decodingTable, wholeOr } from './read-image.js';

/** @import { ImageClassOf, ImageOutputs } from '../processors/types.js' */
/** @import { Preprocessed, PreprocessOptions, Processing } from './types.js' */

/** @typedef {Iterable<string | URL> | AsyncIterable<string | URL>} Paths */
/** @typedef {(paths: string[]) => Promise<Preprocessed>} Run */

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
 * for await (const { paths, outputs } of preprocessFiles(['tests/demo/photo.jpg'], config, { jobs: 1 }))
 *   console.assert(paths.length === 1 && outputs.pixel_values.dims[2] === 224);
 */
export function preprocessFiles(paths, config, options) {
  return args.namedEach('preprocessFiles', () => preprocess(readPaths(paths), { config, ...readCall(options) }));
}

/** @type {(paths: any) => { paths: Paths, total: number | undefined }} */
function readPaths(paths) {
  const isIterable = typeof paths === 'object' && paths !== null;
  if (!isIterable || !(Symbol.iterator in paths || Symbol.asyncIterator in paths))
    args.typeError(`paths must be an array or an iterable of paths, got ${args.show(paths)}`);
  return { paths, total: Array.isArray(paths) ? paths.length : undefined };
}

/** Those of the processor are read by it, in each thread. */
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

/** @type {(options: PreprocessOptions | undefined) => any} */
function readCall(options) {
  const { settings, onError, batch, jobs, onProgress, signal, ...processing } = args.readTable(options, table);
  if (settings?.out !== undefined) args.typeError('settings must not have out, which the next batch would overwrite');
  const isThrowing = onError === 'throw';
  return { processing: { ...processing, settings }, isThrowing, batch, jobs, onProgress, signal };
}

/** @type {(from: { paths: Paths, total: number | undefined }, call: any) => AsyncGenerator<Preprocessed<any>>} */
async function* preprocess({ paths, total }, { config, processing, batch, jobs, isThrowing, onProgress, signal }) {
  const { batchProcessor } = await import('./preprocess-batch.js');
  // In this thread too, so that a wrong configuration is refused before any thread starts.
  const own = batchProcessor({ config, ...processing });
  const pool =
    jobs === 1 ? { run: own, close: async () => {} } : openPool(await openThreads(jobs, { config, ...processing }));
  const progress = { done: 0, failed: 0, total };
  /** @type {(made: Preprocessed) => Preprocessed} */
  const report = (made) => {
    if (isThrowing && made.failed.length > 0) throw made.failed[0].error;
    progress.failed += made.failed.length;
    progress.done += made.paths.length + made.failed.length;
    onProgress?.({ ...progress });
    return made;
  };
  try {
    /** @type {Promise<Preprocessed>[]} */
    const running = [];
    for await (const list of untilAborted(batches(paths, batch), signal)) {
      signal?.throwIfAborted();
      running.push(pool.run(list));
      const oldest = running.length < 2 * jobs && jobs > 1 ? undefined : running.shift();
      if (oldest) yield report(await args.abortable(oldest, signal));
    }
    for (const each of running) yield report(await args.abortable(each, signal));
  } finally {
    await pool.close();
  }
}

/** @type {(path: unknown) => string} */
function readPath(path) {
  if (typeof path === 'string') return path;
  if (!(path instanceof URL)) return args.typeError(`paths must have strings and URLs, got ${args.show(path)}`);
  if (path.protocol !== 'file:') args.rangeError(`paths must have URLs of files, got ${args.show(path.href)}`);
  return fileURLToPath(path);
}

/** Ends by the signal even where the next entry never comes.
 * @template T
 * @param {AsyncGenerator<T>} source
 * @param {AbortSignal | undefined} signal */
async function* untilAborted(source, signal) {
  try {
    for (;;) {
      const { done, value } = await args.abortable(source.next(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    const closed = source.return(undefined).catch(() => {});
    if (!signal?.aborted) await closed;
  }
}

/** @type {(paths: Paths, size: number) => AsyncGenerator<string[]>} */
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

/** Threads that start when there is work for them. An idle one does not keep the process alive.
 * @param {number} jobs
 * @param {Processing} processing */
async function openThreads(jobs, processing) {
  const { workerUrl } = await import('./worker-url.js');
  /** @type {Set<Worker>} */
  const workers = new Set();
  /** @type {Worker[]} */
  const idle = [];
  /** @type {((worker: Worker) => void)[]} */
  const waiting = [];
  const start = () => {
    const worker = new Worker(workerUrl, { workerData: processing });
    workers.add(worker);
    return worker;
  };
  return {
    /** @type {() => Worker | Promise<Worker>} */
    take: () => idle.pop() ?? (workers.size < jobs ? start() : new Promise((resolve) => void waiting.push(resolve))),
    /** @type {(worker: Worker) => void} */
    give(worker) {
      const next = waiting.shift();
      if (next) return next(worker);
      worker.unref();
      return void idle.push(worker);
    },
    /** @type {(worker: Worker | undefined) => void} after an error, such as a thread that ran out of memory */
    replace(worker) {
      if (worker) workers.delete(worker);
      void worker?.terminate();
      waiting.shift()?.(start());
    },
    close: async () => void (await Promise.all(Array.from(workers, (worker) => worker.terminate()))),
  };
}

/** @type {(threads: Awaited<ReturnType<typeof openThreads>>) => { run: Run, close: () => Promise<void> }} */
function openPool({ take, give, replace, close }) {
  /** @type {Run} */
  const run = async (paths) => {
    /** @type {Worker | undefined} */
    let worker;
    try {
      worker = await take();
      worker.ref();
      worker.postMessage(paths);
      const [{ outputs, ...batch }] = await once(worker, 'message');
      give(worker);
      return { ...batch, outputs: outputs && tensorsOf(outputs) };
    } catch (error) {
      replace(worker);
      const failed = paths.map((path) => ({ path, error: /** @type {Error} */ (error) }));
      return { paths: [], outputs: undefined, failed };
    }
  };
  return { run, close };
}

/** @type {(outputs: Record<string, any>) => any} */
function tensorsOf(outputs) {
  /** @type {(value: any) => any} */
  const tensorOf = (value) =>
    Array.isArray(value) ? value.map(tensorOf) : new Tensor(value.type, value.data, value.dims);
  return Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, tensorOf(value)]));
}
