/** The thread of `preprocessFiles` and `buildDataset`. The memory of outputs changes hands. */
import { parentPort, workerData } from 'node:worker_threads';
import { inputProcessor } from './datasets/input-processor.js';
import { batchProcessor } from './preprocess-batch.js';

/** @import { MessagePort } from 'node:worker_threads' */
/** @import { Sent } from './types.js' */

const port = /** @type {MessagePort} */ (parentPort);
// Only a data set says the kind of its inputs.
const process = workerData.kind === undefined ? batchProcessor(workerData) : inputProcessor(workerData);

/** Makes an output that can be sent to another thread: tensors become plain objects. Adds the buffers whose memory is
 * to change hands to `buffers`.
 * @type {(value: Sent, buffers: Set<unknown>) => Sent} */
function sendable(value, buffers) {
  if (Array.isArray(value)) return value.map((entry) => sendable(entry, buffers));
  if (typeof value !== 'object') return value;
  const { type, data, dims } = value;
  if (ArrayBuffer.isView(data)) buffers.add(data.buffer);
  return { type, data, dims };
}

port.on('message', async (list) => {
  const { outputs, ...batch } = await process(list);
  const buffers = new Set();
  const sent =
    outputs && Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, sendable(value, buffers)]));
  port.postMessage({ ...batch, outputs: sent }, [...buffers]);
});
