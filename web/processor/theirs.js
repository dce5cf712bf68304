/** The worker's part of the comparison with transformers.js, which is loaded when a user asks for it. */
import * as hf from '@huggingface/transformers';
import { imageToTensor } from 'onnx-layout/image';
import { imageProcessor } from 'onnx-layout/processors';
import { differenceOf } from '../shared/pictures/difference.js';
import { thinOut } from '../shared/pictures/thin.js';

// Some classes resize by a model. Its runtime, which other models of the page share, comes from here and not a CDN.
hf.env.useWasmCache = false;
Object.assign(hf.env.backends.onnx.wasm, { wasmPaths: undefined, numThreads: 1 });

/** The pixels on the longer side of a picture that is shown. */
const shownSize = 400;

/** @typedef {{ dims: readonly number[], data: Float32Array }} Numbers */

/** The least and the greatest of some numbers.
 * @type {(data: Float32Array) => [number, number]} */
function rangeOf(data) {
  let [least, most] = [Infinity, -Infinity];
  for (const value of data) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return [least, most];
}

/**
 * The first picture of a tensor [N, 3, H, W] or [N, tiles, 3, H, W], a range of numbers from black to full color.
 * @type {(tensor: Numbers, range: [number, number]) => import('../shared/pictures/thin.js').Picture | undefined}
 */
function pictureOf({ dims, data }, [least, most]) {
  if (dims.length < 4) return undefined;
  const [height, width] = dims.slice(-2);
  const size = width * height;
  const scale = 255 / (most - least || 1);
  const rgba = new Uint8ClampedArray(4 * size).fill(255);
  for (let i = 0; i < size; i++)
    for (let channel = 0; channel < 3; channel++) rgba[4 * i + channel] = (data[channel * size + i] - least) * scale;
  return { data: rgba, width, height };
}

/** The picture as transformers.js has it: RGB without alpha.
 * @type {(image: ImageBitmap) => any} */
function rawImage(image) {
  const { data, dims } = imageToTensor(image, { layout: 'HWC', channels: 'RGB', dtype: 'uint8' });
  const [height, width] = dims.slice(-3);
  return new hf.RawImage(new Uint8ClampedArray(data.buffer, data.byteOffset, data.length), width, height, 3);
}

/** How many numbers differ, and by how much at most.
 * @type {(a: Float32Array, b: Float32Array) => { differing: number, maxDifference: number }} */
function distanceOf(a, b) {
  let [differing, maxDifference] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    if (a[i] === b[i]) continue;
    differing++;
    maxDifference = Math.max(maxDifference, Math.abs(a[i] - b[i]));
  }
  return { differing, maxDifference };
}

/** The result of a call, and its milliseconds. */
async function timed(call) {
  const start = performance.now();
  return [await call(), performance.now() - start];
}

/**
 * A picture through the class of transformers.js, and through Python's.
 * @param {ImageBitmap} image
 * @param {string} config JSON
 * @param {'torchvision' | 'pil'} backend
 */
export async function compareWithTheirs(image, config, backend) {
  const python = imageProcessor(config, { backend });
  const { className, settings } = python;
  const Class = hf[className];
  if (!Class) return { className, isMissing: true };
  // transformers.js reads no defaults of a class: it gets all settings.
  const processor = new Class({ ...settings, ...JSON.parse(config), image_processor_type: className });
  const raw = rawImage(image);
  const [{ pixel_values: theirs }, theirMs] = await timed(() => processor(raw));
  const pixels = { data: new Uint8Array(raw.data.buffer), width: raw.width, height: raw.height };
  const [{ pixel_values: ours }, ourMs] = await timed(() => python(pixels));
  const range = rangeOf(ours.data);
  const pictures = [theirs, ours].map((tensor) => pictureOf(tensor, range));
  const isSameSize = String(theirs.dims) === String(ours.dims);
  const difference = isSameSize && pictures[0] ? differenceOf(pictures[1], pictures[0], 3) : undefined;
  return {
    className,
    dims: [theirs.dims, ours.dims],
    ...(isSameSize && { part: { ...distanceOf(ours.data, theirs.data), count: ours.data.length } }),
    milliseconds: [theirMs, ourMs],
    pictures: pictures.map((picture) => picture && thinOut(picture, shownSize)),
    difference: difference && { factor: difference.factor, picture: thinOut(difference.picture, shownSize) },
  };
}
