/** Everything that needs the wasm module, in a thread that may take its time. What is seldom needed is loaded when it is. */
import { expose, transfer } from 'comlink';
import { init, splitToSequence, transpose } from 'onnx-layout';
import { convertImage } from './image/convert.js';

const ready = init();

/** The latest image as a tensor, kept for its file. */
let latest;

const plain = ({ type, dims, data }) => ({ type, dims, data });

export const tasks = {
  async transpose(tensor, options) {
    await ready;
    return plain(transpose(tensor, options));
  },

  async split(tensor, sizes, options) {
    await ready;
    return splitToSequence(tensor, sizes, options).map(plain);
  },

  /** @see convertImage */
  async convertImage(image, options) {
    await ready;
    const { tensor, ...shown } = await convertImage(image, options);
    latest = tensor;
    return transfer(
      shown,
      shown.planes.map(({ pixels }) => pixels.buffer),
    );
  },

  /** The latest image's tensor as a .npy file. */
  async npyFile() {
    const { writeNpy } = await import('./image/npy.js');
    const file = writeNpy(latest);
    return transfer(file, [file.buffer]);
  },

  /** Makes ready what a workload's contenders need, and compares their results. @see import('./throughput/contest.js') */
  async prepare(...given) {
    await ready;
    const { prepare } = await import('./throughput/contest.js');
    return prepare(...given);
  },

  /** One sample of each contender. */
  async round() {
    const { round } = await import('./throughput/contest.js');
    return round();
  },
};

expose(tasks);
