/**
 * Times ImageData becoming the input of an ImageNet model, float32 [1, 3, H, W]. The contenders beside memcpy are the
 * one-pass loops that people write in JavaScript, and the two ways that libraries use: the inner loop of
 * Tensor.fromImage in onnxruntime-common 1.30, and the image processors of transformers.js. Both are rewritten here,
 * because the libraries' own calls need a browser.
 */
import { imageToTensor } from '../../js/image/index.js';
import { expectHash, holdContest } from './contest.js';
import { hashOf, memcpyOf, randomData, roomFor } from './data.js';
import { loop, lookups, mean, std } from './image-loops.js';

/** `(x + bias) / divisor` with variable places and parameters, because both formats are variable. */
function fromImage({ data, width, height }) {
  const size = width * height;
  const bias = mean.map((m) => -255 * m);
  const divisor = std.map((s) => 255 * s);
  const result = new Float32Array(3 * size);
  let [r, g, b, toR, toG, toB] = [0, 1, 2, 0, size, 2 * size];
  for (let i = 0; i < size; i++, r += 4, g += 4, b += 4) {
    result[toR++] = (data[r] + bias[0]) / divisor[0];
    result[toG++] = (data[g] + bias[1]) / divisor[1];
    result[toB++] = (data[b] + bias[2]) / divisor[2];
  }
  return result;
}

/**
 * Five passes: RGBA to RGB, bytes to floats, rescale, normalize, permute. The last one takes a remainder and a quotient
 * for each axis.
 */
function passes({ data, width, height }) {
  const size = width * height;
  const rgb = new Uint8ClampedArray(3 * size);
  for (let i = 0, to = 0; i < 4 * size; i += 4) {
    rgb[to++] = data[i];
    rgb[to++] = data[i + 1];
    rgb[to++] = data[i + 2];
  }
  const numbers = Float32Array.from(rgb);
  for (let i = 0; i < numbers.length; i++) numbers[i] *= 1 / 255;
  for (let i = 0; i < numbers.length; i += 3)
    for (let c = 0; c < 3; c++) numbers[i + c] = (numbers[i + c] - mean[c]) / std[c];
  const shape = [height, width, 3];
  const strides = [width, 1, size];
  const result = new Float32Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) {
    let to = 0;
    for (let axis = 2, rest = i; axis >= 0; axis--) {
      to += (rest % shape[axis]) * strides[axis];
      rest = Math.floor(rest / shape[axis]);
    }
    result[to] = numbers[i];
  }
  return result;
}

/** Compares with a tolerance, for loops that round at other places. */
function checkClose(name, actual, expected) {
  for (let i = 0; i < expected.length; i++)
    if (!(Math.abs(actual[i] - expected[i]) < 1e-5))
      throw new Error(`${name}: ${actual[i]} at ${i} instead of ${expected[i]}`);
}

/** The bars: 0.35 of memcpy, 4 times the best loop, 15 times either library's way. */
const bars = { memcpy: [1 / 0.35], loop: [1 / 4], lookups: [1 / 4], fromImage: [1 / 15], passes: [1 / 15] };

/** A contest of a size. */
function prepare(width, height) {
  const size = width * height;
  const title = `ImageData of ${width}x${height} to float32 NCHW`;
  const image = { data: new Uint8ClampedArray(randomData('uint8', 4 * size).buffer), width, height };
  const [expected, target, loopTarget] = [0, 1, 2].map(() => roomFor('float32', 3 * size));
  const out = { type: 'float32', data: target, dims: [1, 3, height, width] };
  const contenders = {
    // Half of the bytes in and out, which are 4 and 12 a pixel.
    memcpy: memcpyOf(8 * size),
    ours: () => imageToTensor(image, { preset: 'imagenet', out }),
    'ours, new memory': () => imageToTensor(image, { preset: 'imagenet' }),
    loop: () => loop(image, loopTarget),
    lookups: () => lookups(image, loopTarget),
    fromImage: () => fromImage(image),
    passes: () => passes(image),
  };
  loop(image, expected);
  contenders.ours();
  contenders.lookups();
  for (const result of [target, loopTarget]) expectHash(title, result, hashOf(expected));
  checkClose('fromImage', contenders.fromImage(), expected);
  checkClose('passes', contenders.passes(), expected);
  return { title, contenders, bars: { ours: bars } };
}

/** Times both sizes. */
export const images = async (options) => [
  await holdContest(prepare(1920, 1080), options),
  await holdContest(prepare(224, 224), options),
];
