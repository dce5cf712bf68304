/** Pictures of indices: the clusters of colors that ImageGPT reads, and the masks that SegGPT is shown. */
import { bytesOf, copyList, rangeError, show, typeError } from '../../arguments/index.js';
import { mostColors, nearestColors } from '../../engines/images/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import * as steps from '../steps/index.js';
import { pictureOf, writePlanes } from '../pictures/index.js';
import { listOf } from '../settings/index.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Call, Numbers, Outputs, Picture, Reader } from '../types.js' */

/** Reads the colors of ImageGPT's clusters: a list of colors, each three finite numbers. Returns a copy.
 * @type {Reader} */
export function clusters(name, value) {
  const list = listOf(name, value);
  if (list.length === 0) rangeError(`${name} must hold a color at least, got []`);
  if (list.length > mostColors) rangeError(`${name} must hold at most ${mostColors} colors, got ${list.length}`);
  return list.map((color, i) => {
    const channels = Array.isArray(color) ? copyList(`${name}[${i}]`, color) : [];
    if (channels.length !== 3 || !channels.every(Number.isFinite))
      typeError(`${name}[${i}] must be 3 finite numbers, got ${show(color)}`);
    return channels;
  });
}

const makePixels = steps.chain({ steps: [steps.resize, steps.centerCropOfTorchvision] });

/** Replaces each pixel by the index of its nearest cluster of colors, the first of equals, as ImageGPT does. For 512
 * clusters, 32 x 32 pixels take .8 ms with all else, and 1.9 by a loop in JavaScript (measured). */
export const makeImageGpt = steps.withSettings(
  [...makePixels.reads, 'do_color_quantize', 'clusters'],
  (call, pictures) => {
    const { do_color_quantize: quantizes, clusters: colors } = call.settings;
    if (!quantizes) return makePixels(call, pictures);
    if (!colors) rangeError('clusters must be given where do_color_quantize is on, got null');
    const floatCall = { ...steps.withoutOut(call), dtype: dtypes.float32 };
    const { data, dims } = makePixels(floatCall, pictures).pixel_values;
    const [count, , height, width] = dims;
    const pixelCount = height * width;
    // Each color and its squared length.
    const colorsAndSquares = Float64Array.from(
      colors.flatMap((/** @type {number[]} */ [r, g, b]) => [r, g, b, r * r + g * g + b * b]),
    );
    const indices = newData(dtypes.int64, count * pixelCount, undefined);
    for (let i = 0; i < count; i++) {
      const firstPixel = i * pixelCount;
      const planes = data.subarray(3 * firstPixel, 3 * (firstPixel + pixelCount));
      nearestColors(planes, colorsAndSquares, bytesOf(indices.subarray(firstPixel)));
    }
    return { input_ids: tensorOf(dtypes.int64, indices, [count, pixelCount]) };
  },
);

/** Stacks pictures, and the pictures and masks of a prompt, as SegGPT does. */
export const makeSegGpt = steps.withSettings(
  [...steps.resize.reads, ...steps.usualNumbers.reads, 'num_labels'],
  (call, pictures) => {
    const { prompt_images: images, prompt_masks: masks } = call.others ?? {};
    const promptCall = steps.withoutOut(call);
    /** @type {Outputs} */
    const outputs = { pixel_values: stackResized(call, pictures, numbersOfList(call, pictures)) };
    if (images) outputs.prompt_pixel_values = stackResized(promptCall, images, numbersOfList(promptCall, images));
    if (masks) {
      const maskCall = { ...promptCall, settings: { ...call.settings, resample: 'nearest' } };
      const colorsMasks = call.settings.do_convert_rgb;
      const numbers = colorsMasks ? paletteNumbers(maskCall) : numbersOfList(maskCall, masks);
      outputs.prompt_masks = stackResized(maskCall, masks, numbers);
    }
    return outputs;
  },
);

/** Resizes pictures and stacks them. `numbers`: what their bytes become, of the color itself or, for a mask, of a
 * palette
 * @type {(call: Call, list: readonly Picture[], numbers: Numbers) => Tensor} */
function stackResized(call, list, numbers) {
  const resized = list.map((picture) => steps.resize(call, picture));
  return steps.toTensor(call, resized, numbers, resized.map(steps.ownFrame));
}

/** Rescaled and normalized numbers of a list of SegGPT's pictures. As in Python these have three colors where the mean
 * or the deviation is a list; otherwise, and where nothing is normalized, as many channels as the first picture.
 * @type {(call: Call, list: readonly Picture[]) => Numbers} */
function numbersOfList(call, list) {
  const { do_normalize: normalizes, image_mean: mean, image_std: std } = call.settings;
  const keepsChannels = !normalizes || (typeof mean === 'number' && typeof std === 'number');
  return keepsChannels ? steps.ownChannelNumbers(call, [...list]) : steps.usualNumbers(call);
}

/** Numbers that color a mask: its bytes are indices of SegGPT's palette, and become the rescaled and normalized red,
 * green and blue of that color. They are tables of 256 numbers for each channel, made from a picture of the palette.
 * @type {(call: Call) => Numbers} */
function paletteNumbers(call) {
  // Without rescaling and normalizing the PIL class keeps bytes; torchvision's masks are float32 even then.
  const numbers = call.backend === 'pil' ? steps.usualNumbers(call) : steps.floatNumbers(call);
  const colors = palette(call.settings.num_labels);
  const image = { data: colors, width: paletteColors, height: 1, channels: 3, rowstride: colors.length };
  const tables = new Uint8Array((colors.length * numbers.dtype.bits) / 8);
  const picture = pictureOf(image);
  writePlanes(picture, numbers, steps.ownFrame(picture), tables);
  // All three look up the mask's first channel.
  return { ...numbers, channels: { sources: [0, 0, 0], tables } };
}

const paletteColors = 256;

/** The colors of SegGPT's labels, as Python's `build_palette` makes them, as 256 RGB pixels: black, then a color for
 * each of `count` labels, at most 255, then black again. Without a number of labels an index is its own gray.
 * @type {(count: number | undefined) => Uint8Array} */
function palette(count) {
  if (count === undefined) return Uint8Array.from({ length: 3 * paletteColors }, (_, i) => Math.floor(i / 3));
  const colors = new Uint8Array(3 * paletteColors);
  // A label is a number of three digits, each of which says how dark a channel is, in a base that has enough of them.
  const base = Math.trunc(count ** (1 / 3)) + 1;
  const levelStep = Math.floor(256 / base);
  const labels = Math.min(count, paletteColors - 1);
  for (let label = 0; label < labels; label++) {
    const digits = [Math.floor(label / base ** 2), Math.floor((label % base ** 2) / base), label % base];
    const color = digits.map((digit) => 255 - digit * levelStep);
    const place = label + 1; // Color 0 is black.
    colors.set(color, 3 * place);
  }
  return colors;
}
