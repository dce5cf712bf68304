/** Tensors as pixels: the commands `resize` and `letterbox`. */
import { letterbox, resize, Tensor } from '../index.js';

/** @typedef {Parameters<typeof resize>[1]} ResizeOptions */
/** @typedef {Parameters<typeof letterbox>[1]} LetterboxOptions */

/**
 * Resizes uint8 [H, W] (L) or [H, W, C] (L, LA, RGB, RGBA), or float32 [H, W] (mode F).
 * @type {(tensor: Tensor, options: ResizeOptions) => Tensor}
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

/** @type {(tensor: Tensor, options: LetterboxOptions) => Tensor} */
export function letterboxTensor({ type, dims, data }, options) {
  if (type !== 'uint8' || (dims.length !== 2 && dims.length !== 3))
    throw new TypeError(`letterbox: IN must be uint8 [H, W] or [H, W, C], got ${type} [${dims.join(', ')}]`);
  const [height, width, channels = 1] = dims;
  const image = { data: /** @type {Uint8Array} */ (data), width, height, channels };
  const boxed = letterbox(image, options);
  return new Tensor(type, boxed.data, [boxed.height, boxed.width, ...dims.slice(2)]);
}
