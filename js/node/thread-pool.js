/** Runs lists of items in threads, and yields their results in order. An item is a path or an input of a data set. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as args from '../arguments/index.js';
import { Tensor } from '../tensor/index.js';

/** @import { Outputs } from '../processors/types.js' */
/** @import { Processed, Run, Sent } from './types.js' */

/** @template Item
 * @typedef {{ run: Run<Item>, close: () => Promise<void> }} Pool */

/** Opens a pool of at most `jobs` threads, which are started with `workerData`. With a single job `run` works in the
 * caller's thread.
 * @type {<Item>(jobs: number, workerData: object, run: Run<Item>) => Promise<Pool<Item>>} */
export async function openPool(jobs, workerData, run) {
  return jobs === 1 ? { run, close: async () => {} } : makePool(await openThreads(jobs, workerData));
}

/** Runs lists, and yields their results in the order of the lists. Up to two lists for each of the `jobs` are under
 * way, so that no thread waits; a single job runs one at a time.
 * @template Item
 * @param {AsyncGenerator<Item[]>} lists
 * @param {Run<Item>} run
 * @param {{ jobs: number, signal: AbortSignal | undefined }} options
 * @returns {AsyncGenerator<Processed<Item>, void, undefined>} */
export async function* runInOrder(lists, run, { jobs, signal }) {
  /** @type {Promise<Processed<Item>>[]} */
  const running = [];
  for await (const list of untilAborted(lists, signal)) {
    signal?.throwIfAborted();
    running.push(run(list));
    const isFull = jobs === 1 || running.length >= 2 * jobs;
    const oldest = isFull ? running.shift() : undefined;
    if (oldest) yield await args.abortable(oldest, signal);
  }
  for (const each of running) yield await args.abortable(each, signal);
}

/** Yields the entries of a source, which it closes in the end. If the signal aborts, it throws, even while the next
 * entry does not come.
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
    // A source that is waiting closes only after its wait, which may never end.
    if (!signal?.aborted) await closed;
  }
}

/** Makes a set of at most `jobs` threads. A thread starts when `take` asks for one and none is idle; an idle thread
 * does not keep the process alive, until its taker calls `ref`. The caller ends each take by `giveBack` or, after an
 * error, by `replace`.
 * @param {number} jobs
 * @param {object} workerData */
async function openThreads(jobs, workerData) {
  const { workerUrl } = await import('./worker-url.js');
  /** @type {Set<Worker>} */
  const workers = new Set();
  /** @type {Worker[]} */
  const idle = [];
  /** @type {((worker: Worker) => void)[]} */
  const waiting = [];
  const start = () => {
    const worker = new Worker(workerUrl, { workerData });
    workers.add(worker);
    // `run` hears the error of a thread that it waits for. An idle thread's must not end the process: it is removed.
    worker.on('error', () => {
      workers.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    });
    return worker;
  };
  const waitForWorker = () => new Promise((resolve) => void waiting.push(resolve));
  return {
    /** @type {() => Worker | Promise<Worker>} */
    take: () => idle.pop() ?? (workers.size < jobs ? start() : waitForWorker()),
    /** Gives a thread to the taker that has waited longest, or puts it aside until one comes.
     * @type {(worker: Worker) => void} */
    giveBack(worker) {
      const giveToNext = waiting.shift();
      if (giveToNext) return giveToNext(worker);
      worker.unref();
      return void idle.push(worker);
    },
    /** Ends a thread after an error, and starts another if a taker waits. undefined: no thread could be started.
     * @type {(worker: Worker | undefined) => void} */
    replace(worker) {
      if (worker) workers.delete(worker);
      void worker?.terminate();
      waiting.shift()?.(start());
    },
    close: async () => void (await Promise.all(Array.from(workers, (worker) => worker.terminate()))),
  };
}

/**
 * Makes a pool of threads. If a thread ends with an error, it is replaced, and all items of its list have failed.
 * @template Item
 * @param {Awaited<ReturnType<typeof openThreads>>} threads
 * @returns {Pool<Item>}
 */
function makePool({ take, giveBack, replace, close }) {
  /** @type {Run<Item>} */
  const run = async (list) => {
    /** @type {Worker | undefined} */
    let worker;
    try {
      worker = await take();
      // Keeps the process alive, unlike an idle thread.
      worker.ref();
      worker.postMessage(list);
      const [{ outputs, ...batch }] = await once(worker, 'message');
      giveBack(worker);
      return { ...batch, outputs: outputs && tensorsOf(outputs) };
    } catch (error) {
      replace(worker);
      const failed = list.map((path) => ({ path, error: /** @type {Error} */ (error) }));
      return { paths: [], outputs: undefined, failed };
    }
  };
  return { run, close };
}

/** Makes tensors of the plain objects that came from another thread, also in lists.
 * @type {(outputs: Record<string, Sent>) => Outputs} */
function tensorsOf(outputs) {
  /** @type {(value: Sent) => any} */
  const tensorOf = (value) => {
    if (Array.isArray(value)) return value.map(tensorOf);
    return typeof value === 'object' ? new Tensor(value.type, value.data, value.dims) : value;
  };
  return Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, tensorOf(value)]));
}
