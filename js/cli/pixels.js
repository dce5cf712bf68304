/** Tensors as pixels: the commands `resize` and `letterbox`. */
import { letterbox, resize, Tensor } from '../index.js';

/** @typedef {Parameters<typeof resize>[1]} ResizeOptions */
/** @typedef {Parameters<typeof letterbox>[1]} LetterboxOptions */

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

/**
 * Puts a tensor that holds pixels into a letterbox.
 * @param {Tensor} tensor uint8 [H, W] or [H, W, C] of 1, 3 or 4 channels
 * @param {LetterboxOptions} options
 * @returns {Tensor} of the same rank
 * @throws {TypeError} a tensor of another type or rank
 */
export function letterboxTensor({ type, dims, data }, options) {
  if (type !== 'uint8' || (dims.length !== 2 && dims.length !== 3))
    throw new TypeError(`letterbox: IN must be uint8 [H, W] or [H, W, C], got ${type} [${dims.join(', ')}]`);
  const [height, width, channels = 1] = dims;
  const image = { data: /** @type {Uint8Array} */ (data), width, height, channels };
  const boxed = letterbox(image, options);
  return new Tensor(type, boxed.data, [boxed.height, boxed.width, ...dims.slice(2)]);
}
