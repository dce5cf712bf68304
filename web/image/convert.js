/** The worker's part of the image panel. */
import { cast } from 'onnx-layout';
import { imageToTensor, tensorToImage } from 'onnx-layout/image';
import { compareResizing, readPicture } from './compare.js';
import { channelIndices, grayPlane } from './planes.js';

/** The pixels on the longer side of a plane's picture. */
const thumbnailSize = 320;

/**
 * The picture that is shown.
 * @type {ImageBitmap}
 */
let image;

/**
 * Its pixels.
 * @type {ReturnType<typeof readPicture> | undefined}
 */
let read;

/** @type {(values: Float32Array) => [least: number, greatest: number]} */
function rangeOf(values) {
  let least = Infinity;
  let greatest = -Infinity;
  for (let i = 0; i < values.length; i++) {
    if (values[i] < least) least = values[i];
    if (values[i] > greatest) greatest = values[i];
  }
  return [least, greatest];
}

/**
 * Converts a picture and makes everything that the panel shows of the result.
 * @param {ImageBitmap | undefined} given a new picture; the one before if omitted
 * @param {object} options of imageToTensor
 * @param {{ backend: string, filter: string }} python what the canvas' resizing is compared with
 */
export function convertImage(given, options, python) {
  if (given) {
    image?.close();
    image = given;
    read = undefined;
  }
  const start = performance.now();
  const tensor = imageToTensor(image, options);
  const ms = performance.now() - start;
  const { layout, channels, preset } = options;
  const { width, height } = options.letterbox ?? options;
  const isResized = image.width !== width || image.height !== height;
  const back = tensorToImage(tensor, { layout, channels, preset });
  return {
    tensor,
    ms,
    dims: tensor.dims,
    bytes: tensor.data.byteLength,
    text: String(tensor),
    range: rangeOf((tensor.type === 'float32' ? tensor : cast(tensor, 'float32')).data),
    comparison: isResized ? compareResizing(image, (read ??= readPicture(image)), options, python) : undefined,
    planes: channelIndices(channels).map((channel, i) => ({
      name: channels[i],
      ...grayPlane(back, channel, thumbnailSize),
    })),
  };
}
