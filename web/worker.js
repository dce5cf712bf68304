/**
 * The tasks that need the wasm module, in a thread of their own. Parts that few users need are loaded when asked for.
 */
import { expose, transfer } from 'comlink';
import { concat, init, pad, rearrange, slice, splitToSequence, transpose } from 'onnx-layout';
import { init as initImages } from 'onnx-layout/image';
import imageUrl from 'onnx-layout/image.wasm?url';
import layoutUrl from 'onnx-layout/layout.wasm?url';
import { convertImage } from './image/convert.js';

// In this order: the module of images waits for that of tensors, in whose memory it works.
const ready = Promise.all([init({ wasm: layoutUrl }), initImages({ wasm: imageUrl })]);

/** The tensor of the latest image, kept in case the user wants its file. */
let latest;

const surgery = { concat, pad, rearrange, slice };

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

  /** Calls one of the functions of tensor surgery. */
  async surgery(name, ...given) {
    await ready;
    return plain(surgery[name](...given));
  },

  /** Converts an image; see `convertImage` of image/convert.js. */
  async convertImage(...given) {
    await ready;
    const { tensor, ...shown } = convertImage(...given);
    latest = tensor;
    const { planes, comparison } = shown;
    const pictures = comparison ? [comparison.ours, comparison.canvas, comparison.difference] : [];
    return transfer(
      shown,
      [...planes, ...pictures].map(({ data }) => data.buffer),
    );
  },

  /** Puts an image through an image processor; see processor/process.js. */
  async processImage(...given) {
    await ready;
    const { processImage } = await import('./processor/process.js');
    const shown = processImage(...given);
    const { planes, steps, comparison } = shown;
    const pictures = [...planes, ...steps.flatMap(({ picture }) => picture ?? [])];
    if (comparison) pictures.push(comparison.canvas, comparison.difference);
    return transfer(
      shown,
      pictures.map(({ data }) => data.buffer),
    );
  },

  /** Puts the picture of `processImage` through transformers.js too; see processor/theirs.js. */
  async compareWithTheirs(...given) {
    await ready;
    const [{ currentImage }, { compareWithTheirs }] = await Promise.all([
      import('./processor/process.js'),
      import('./processor/theirs.js'),
    ]);
    const shown = await compareWithTheirs(currentImage(), ...given);
    const pictures = [...(shown.pictures ?? []), shown.difference?.picture];
    return transfer(
      shown,
      pictures.flatMap((picture) => picture?.data.buffer ?? []),
    );
  },

  /** Runs a small model on the picture of `processImage`; see processor/answer.js. Needs a wasm module of its own. */
  async answer(...given) {
    await ready;
    const { answer } = await import('./processor/answer.js');
    const shown = await answer(...given);
    return shown && transfer(shown, [shown.overlay?.data.buffer, shown.drawn].filter(Boolean));
  },

  /** Calls a task of the audio panel; see audio/work.js. It has a wasm module of its own. */
  async audio(task, ...given) {
    const tasks = await import('./audio/work.js');
    return tasks[task](...given);
  },

  /** Calls a task of the weights panel; see weights/work.js and weights/save.js. */
  async weights(task, ...given) {
    await ready;
    const isReading = ['open', 'openSample', 'histogram'].includes(task);
    const tasks = await (isReading ? import('./weights/work.js') : import('./weights/save.js'));
    try {
      return await tasks[task](...given);
    } catch (error) {
      // Browsers say that of files that have changed, and of permissions.
      if (error.name !== 'NotReadableError') throw error;
      const message = 'A file cannot be read, or has changed since it was chosen: choose it again.';
      throw new Error(message, { cause: error });
    }
  },

  /** The tensor of the latest image as a .npy file. */
  async npyFile() {
    const { writeNpy } = await import('./image/npy.js');
    const file = writeNpy(latest);
    return transfer(file, [file.buffer]);
  },

  /** Prepares the contenders of a workload and compares their results; see throughput/contest.js. */
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
