/** The results of imageToTensor and tensorToImage, number by number from their definitions. Imports nothing of js/. */
import { codeOf, numberOf } from '../operators/cast.reference.js';
import { elementCount, fromCodes, toCodes } from '../support/reference.js';

// Under Jest, looking up a global takes a hundred times as long as a constant of the module.
const { floor, fround, max, min } = Math;
const { isNaN } = Number;

/**
 * The four presets as Pillow's image processors of transformers have them: bytes times `factor` in float64. Mean and
 * std are in the order red, green, blue.
 */
export const presets = {
  imagenet: { scale: 1 / 255, factor: 1 / 255, mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] },
  clip: {
    scale: 1 / 255,
    factor: 1 / 255,
    mean: [0.48145466, 0.4578275, 0.40821073],
    std: [0.26862954, 0.26130258, 0.27577711],
  },
  unit: { scale: 1 / 255, factor: 1 / 255, mean: [0, 0, 0], std: [1, 1, 1] },
  signed: { scale: 1 / 255, factor: 1 / 255, mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] },
};

/** The nearest whole number, ties to even. */
function nearest(value) {
  const below = floor(value);
  const rest = value - below;
  return rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1;
}

const saturated = (value, least, most) => (isNaN(value) ? 0 : min(most, max(least, nearest(value))));

function codeOfNumber(type, value) {
  if (type === 'uint8') return saturated(value, 0, 255);
  if (type === 'int8') return saturated(value, -128, 127) & 255;
  return codeOf(type, value);
}

/** The channel R, G, B, A or L of the pixel that begins at `at`. */
function byteOf(data, at, channels, name) {
  if (name === 'A') return channels === 4 ? data[at + 3] : 255;
  if (channels === 1) return data[at];
  // Exact: all numbers are whole and far below 2^53.
  if (name === 'L') return floor((19595 * data[at] + 38470 * data[at + 1] + 7471 * data[at + 2] + 32768) / 65536);
  return data[at + 'RGB'.indexOf(name)];
}

const entry = (list, i, byDefault) => fround(typeof list === 'object' ? list[i] : (list ?? byDefault));

/** How far apart neighbors on each axis of a layout are. */
function stepsOf(layout, sizes) {
  const steps = { N: 0, C: 0, H: 0, W: 0 };
  let step = 1;
  for (const axis of [...layout].reverse()) {
    steps[axis] = step;
    step *= sizes[axis];
  }
  return steps;
}

/** The dims and data of the tensor of some images. Each image states its `channels`. `factor` goes before `scale`. */
export function tensorOf(
  images,
  { layout = 'NCHW', channels = 'RGB', dtype: type = 'float32', scale, factor, mean, std } = {},
) {
  const [{ width, height }] = images;
  const sizes = { N: images.length, C: channels.length, H: height, W: width };
  const dims = [...layout].map((axis) => sizes[axis]);
  const codes = new Array(elementCount(dims));
  const steps = stepsOf(layout, sizes);
  // For each channel, the code of each byte that occurred.
  const known = Array.from(channels, () => []);
  for (let n = 0; n < images.length; n++) {
    const { data, channels: from, rowstride = width * from } = images[n];
    for (let c = 0; c < channels.length; c++)
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          const byte = byteOf(data, y * rowstride + x * from, from, channels[c]);
          if (known[c][byte] === undefined) {
            const product = fround(byte * (factor ?? entry(scale, c, 1)));
            known[c][byte] = codeOfNumber(type, fround(fround(product - entry(mean, c, 0)) / entry(std, c, 1)));
          }
          codes[n * steps.N + y * steps.H + x * steps.W + c * steps.C] = known[c][byte];
        }
  }
  return { dims, data: fromCodes(type, codes) };
}

/** The RGBA bytes of a tensor of one image; `channels` names its channels. */
export function bytesOf({ type, dims, data }, { layout, channels, scale, mean, std }) {
  const codes = toCodes(type, data, elementCount(dims));
  const sizes = {};
  dims.forEach((extent, i) => {
    sizes[layout[i]] = extent;
  });
  const { C = 1, H, W } = sizes;
  const bytes = new Uint8ClampedArray(4 * H * W);
  const steps = stepsOf(layout, sizes);
  for (let y = 0; y < H; y++)
    for (let x = 0; x < W; x++) {
      const at = 4 * (y * W + x);
      bytes[at + 3] = 255;
      for (let c = 0; c < C; c++) {
        const value = numberOf(type, codes[y * steps.H + x * steps.W + c * steps.C]);
        const number = fround(fround(fround(value * entry(std, c, 1)) + entry(mean, c, 0)) / entry(scale, c, 1));
        const byte = saturated(number, 0, 255);
        const places = { R: [0], G: [1], B: [2], A: [3], L: [0, 1, 2] }[channels[c]];
        for (const place of places) bytes[at + place] = byte;
      }
    }
  return bytes;
}
