/**
 * The results of resize and thumbnail, called as the package is. The rules of each library stand in a file of their
 * own; this one reads images and options. Imports nothing of js/.
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
export function resize(image, { width, height, backend = 'pil', filter, antialias = true, alpha, ...rest }) {
  const picture = packed(image);
  if (backend === 'torchvision')
    return torchResize(picture, width, height, { filter: filter ?? 'bilinear', antialias });
  if (backend === 'opencv') return cvResize(picture, width, height, filter);
  const premultiply = picture.channels % 2 === 0 && alpha !== 'straight';
  return pillowResize(picture, width, height, { filter: filter ?? 'bicubic', premultiply, ...rest });
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
