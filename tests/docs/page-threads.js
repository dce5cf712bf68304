/**
 * A page and its module workers in threads of Node: node page-threads.js PAGE runs the documents' `batches.js` as PAGE,
 * and compares what its workers make with what one thread makes.
 */
import { deepStrictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread, parentPort, Worker as Thread, workerData } from 'node:worker_threads';

if (isMainThread) await compare(await import(pathToFileURL(join(process.cwd(), process.argv[2])).href));
else await runWorker(workerData);

/** Runs a worker's program with the globals that it has in a page. */
async function runWorker(program) {
  globalThis.onmessage = undefined;
  globalThis.postMessage = (message, moved) => {
    parentPort.postMessage(message, moved);
    const copied = Object.entries(message.outputs ?? {}).filter(([, { data }]) => data.length > 0);
    if (copied.length > 0) throw new Error(`copied instead of moved: ${copied.map(([name]) => name)}`);
  };
  await import(program);
  parentPort.on('message', (data) => globalThis.onmessage({ data }));
}

async function compare({ preprocess }) {
  const { imageProcessor } = await import('onnx-layout/processors');
  const started = [];
  globalThis.ImageBitmap = class {};
  globalThis.Worker = class {
    constructor(url) {
      this.thread = new Thread(new URL(import.meta.url), { workerData: url.href });
      this.thread.on('message', (data) => this.onmessage({ data }));
      this.thread.on('error', (error) => this.onerror(error));
      started.push(this.thread);
    }

    postMessage(message, moved) {
      this.thread.postMessage(message, moved);
    }

    terminate() {
      this.thread.terminate();
    }
  };

  const config = { image_processor_type: 'DetrImageProcessor', size: { height: 6, width: 8 } };
  const images = Array.from({ length: 7 }, (_, i) => {
    const data = Uint8Array.from({ length: 3 * (20 + i) * 10 }, (__, k) => (k * (i + 3)) % 251);
    return { data, width: 20 + i, height: 10, channels: 3 };
  });
  const batches = {};
  const keep = (from, outputs) => void (batches[from] = outputs);
  await preprocess(images, config, keep, { batch: 3, jobs: 2 });
  const expected = [0, 3, 6].map((from) => [from, imageProcessor(config)(images.slice(from, from + 3))]);
  deepStrictEqual(batches, Object.fromEntries(expected));
  const failure = await preprocess([...images, {}], config, keep, { batch: 3, jobs: 2 }).catch((error) => error);
  console.log(`${started.length} threads, ${Object.keys(batches).length} batches, then ${failure}`);
}
