/** Tensors as pixels: the commands `resize` and `letterbox`. */
import { Tensor } from '../../index.js';

/** Works on uint8 [H, W] (L) or [H, W, C] (L, LA, RGB, RGBA), or with `hasFloats` on float32 [H, W] (mode F), too.
 * @type {(name: string, operate: (image: any, options: any) => any, hasFloats: boolean) =>
 *   (tensor: Tensor, options: any) => Tensor} */
export const onPixels =
  (name, operate, hasFloats) =>
  ({ type, dims, data }, options) => {
    const isBytes = type === 'uint8' && (dims.length === 2 || dims.length === 3);
    if (!isBytes && !(hasFloats && type === 'float32' && dims.length === 2)) {
      const rule = `uint8 [H, W] or [H, W, C]${hasFloats ? ', or float32 [H, W]' : ''}`;
      throw new TypeError(`${name}: IN must be ${rule}, got ${type} [${dims.join(', ')}]`);
    }
    const [height, width, channels = 1] = dims;
    const result = operate({ data, width, height, channels }, options);
    return new Tensor(type, result.data, [result.height, result.width, ...dims.slice(2)]);
  };
