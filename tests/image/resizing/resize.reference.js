/**
 * The results of resize, thumbnail and crop, called as the package is. The rules of each library stand in a file
 * of their own; this one reads images and options. Imports nothing of js/.
 */
import { cvResize } from './opencv-resize.reference.js';
import { pillowResize, thumbnailSize } from './pillow-resize.reference.js';
import { torchResize } from './torch-resize.reference.js';

/** The pixels without padding behind the rows, in an array of their own. */
function packed({ data, width, height, channels, rowstride }) {
  const count = channels ?? data.length / width / height;
  const PixelArray = data instanceof Float32Array ? Float32Array : Uint8Array;
  const row = width * count;
  const step = rowstride === undefined ? row : rowstride / data.BYTES_PER_ELEMENT;
  const pixels = new PixelArray(row * height);
  for (let y = 0; y < height; y++) pixels.set(data.subarray(y * step, y * step + row), y * row);
  return { data: pixels, width, height, channels: count };
}

/**
 * The result of resize.
 * @param {object} image
 * @param {object} options those of the package, but `out`
 * @returns {{ data: Uint8Array | Float32Array, width: number, height: number, channels: number }}
 */
export function resize(
  image,
  { width, height, backend = 'pil', filter, antialias = true, premultiply = true, ...rest },
) {
  const picture = packed(image);
  if (backend === 'torchvision')
    return torchResize(picture, width, height, { filter: filter ?? 'bilinear', antialias });
  if (backend === 'opencv') return cvResize(picture, width, height, filter);
  const isWeighted = picture.channels % 2 === 0 && premultiply;
  return pillowResize(picture, width, height, { filter: filter ?? 'bicubic', premultiply: isWeighted, ...rest });
}

/**
 * The result of thumbnail.
 * @param {object} image
 * @param {object} options those of the package
 * @returns {{ data: Uint8Array | Float32Array, width: number, height: number, channels: number }}
 */
export function thumbnail(image, { width, height, filter, reducingGap = 2 }) {
  const size = thumbnailSize(image, width, height);
  return size === undefined ? packed(image) : resize(image, { ...size, filter, reducingGap });
}

/**
 * The result of crop.
 * @param {object} image
 * @param {{ box: number[] }} options
 * @returns {{ data: Uint8Array | Float32Array, width: number, height: number, channels: number }}
 */
export function cropped(image, { box }) {
  // Python rounds ties to even.
  const round = (edge) => (Math.abs(edge % 1) === 0.5 ? 2 * Math.round(edge / 2) : Math.round(edge));
  const [left, top, right, bottom] = box.map(round);
  const { data: from, channels, ...size } = packed(image);
  const [width, height] = [right - left, bottom - top];
  const data = new from.constructor(width * height * channels);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let c = 0; c < channels; c++) {
        const [u, v] = [left + x, top + y];
        const isThere = u >= 0 && v >= 0 && u < size.width && v < size.height;
        data[(y * width + x) * channels + c] = isThere ? from[(v * size.width + u) * channels + c] : 0;
      }
  return { data, width, height, channels };
}
