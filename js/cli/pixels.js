/** Tensors as pixels: the command `resize`. */
import { resize, Tensor } from '../index.js';

/** @typedef {Parameters<typeof resize>[1]} ResizeOptions */

/**
 * Resizes a tensor that holds pixels, as NumPy has those of a PIL image.
 * @param {Tensor} tensor uint8 [H, W] (L) or [H, W, C] (L, LA, RGB, RGBA), or float32 [H, W] (mode F)
 * @param {ResizeOptions} options
 * @returns {Tensor} of the same type and rank
 * @throws {TypeError} a tensor of another type or rank
 */
export function resizeTensor({ type, dims, data }, options) {
  const isPixels = dims.length === 2 ? ['uint8', 'float32'].includes(type) : type === 'uint8' && dims.length === 3;
  if (!isPixels)
    throw new TypeError(
      `resize: IN must be uint8 [H, W] or [H, W, C], or float32 [H, W], got ${type} [${dims.join(', ')}]`,
    );
  const [height, width, channels = 1] = dims;
  const image = { data: /** @type {Uint8Array | Float32Array} */ (data), width, height, channels };
  const resized = resize(image, options);
  return new Tensor(type, resized.data, [resized.height, resized.width, ...dims.slice(2)]);
}
