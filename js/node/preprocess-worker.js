/** The thread of `preprocessFiles`: takes the paths of a batch, and gives its outputs, whose memory changes hands. */
import { parentPort, workerData } from 'node:worker_threads';
import { batchProcessor } from './preprocess-batch.js';

/** @import { MessagePort } from 'node:worker_threads' */

const port = /** @type {MessagePort} */ (parentPort);
const process = batchProcessor(workerData);

/** @type {(value: any, buffers: Set<any>) => any} tensors as plain objects, which can be sent */
function sendable(value, buffers) {
  if (Array.isArray(value)) return value.map((entry) => sendable(entry, buffers));
  const { type, data, dims } = value;
  if (ArrayBuffer.isView(data)) buffers.add(data.buffer);
  return { type, data, dims };
}

port.on('message', async (paths) => {
  const { outputs, ...batch } = await process(paths);
  const buffers = new Set();
  const sent =
    outputs && Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, sendable(value, buffers)]));
  port.postMessage({ ...batch, outputs: sent }, [...buffers]);
});
