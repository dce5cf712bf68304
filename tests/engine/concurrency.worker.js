/** Answers each tensor with its transpose, both moved. */
import { parentPort } from 'node:worker_threads';
import { init, transpose } from 'onnx-layout';

const ready = init();
parentPort.on('message', async ({ tensor, perm }) => {
  await ready;
  const { type, dims, data } = transpose(tensor, { perm, strict: false });
  parentPort.postMessage({ type, dims, data }, [data.buffer]);
});
