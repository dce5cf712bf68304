/** Results that are pictures: foregrounds with their alpha, and flattened documents. */
import { rangeError, typeError } from '../../arguments/index.js';
import { blended, dividedBytes, Planes, sampled } from '../../engines/results/index.js';
import { dtypes, tensorOf } from '../../tensor/index.js';
import { floats, PendingMap, readFloats } from '../tensors.js';
import { aliasedOutput, floatOutput, method } from './define.js';
import { dataOfPicture, makeList } from './detection.js';
import { list, needed, number, sizes } from './options.js';
import { planesOf } from './semantic.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { ReadTensor } from '../types.js' */

/** Reads a picture, [3, height, width], of floats from 0 to 1 or of uint8, which is divided by 255.
 * @type {(value: unknown, name: string) => ReadTensor} */
function readPicture(value, name) {
  const picture = /** @type {{ type?: unknown, dims?: unknown, data: ArrayLike<number> } | null | undefined} */ (value);
  if (picture?.type === 'uint8') {
    const data = dividedBytes(new Uint8Array(picture.data), 255);
    return readFloats(name, { type: 'float32', dims: picture.dims, data }, [3, 'height', 'width']);
  }
  return readFloats(name, value, [3, 'height', 'width']);
}

/** Sapiens 2's foreground and alpha, which are clamped to [0, 1] if they are resized to a target, and the composite of
 * both over a background if there is one. */
export const matting = method({
  outputs: {
    foregrounds: floatOutput('batch', 3, 'height', 'width'),
    alphas: floatOutput('batch', 1, 'height', 'width'),
  },
  options: { target_sizes: sizes, backgrounds: list },
  makeAnswer({ foregrounds, alphas }, options) {
    const [batch, , height, width] = foregrounds.dims;
    const backgrounds = options.backgrounds?.map((picture, i) => readPicture(picture, `backgrounds[${i}]`));
    if (backgrounds && backgrounds.length !== 1 && backgrounds.length !== batch)
      rangeError(`backgrounds must have 1 or ${batch} entries, got ${backgrounds.length}`);
    return makeList(batch, (i) => {
      const data = new Float32Array(4 * height * width);
      data.set(dataOfPicture(foregrounds, i));
      data.set(dataOfPicture(alphas, i), 3 * height * width);
      const colorsAndAlpha = new Planes(data, { planes: 4, channels: 4, height, width });
      const planes = options.target_sizes ? colorsAndAlpha.resize(options.target_sizes[i]).clamp(0, 1) : colorsAndAlpha;
      const matte = planes.numbers();
      const dims = [planes.height, planes.width];
      const colorCount = 3 * planes.size; // numbers of the foreground, behind which the alpha begins
      // A single background is that of all pictures.
      const behind = backgrounds?.[backgrounds.length === 1 ? 0 : i];
      return {
        foreground: floats(matte.slice(0, colorCount), [3, ...dims]),
        alpha: floats(matte.slice(colorCount), [1, ...dims]),
        composite: behind ? bytes(blended(matte, resizePicture(behind, dims)), [3, ...dims]) : null,
      };
    });
  },
});

/** @type {(data: Uint8Array, dims: number[]) => Tensor} */
const bytes = (data, dims) => tensorOf(dtypes.uint8, data, dims);

/** Resizes a picture [channels, height, width] to [height, width], and returns its numbers.
 * @type {(picture: ReadTensor, size: number[]) => Float32Array} */
function resizePicture({ data, dims: [channels, height, width] }, size) {
  if (height === size[0] && width === size[1]) return data;
  return new Planes(data, { planes: channels, channels, height, width }).resize(size).numbers();
}

/** UVDoc flattens pictures of documents: the model's mesh says for each pixel of the result which position of the
 * picture it shows. The mesh is resized to the picture's size, and the picture is sampled at its positions. The answer
 * is uint8 [height, width, channels], the numbers times `scale`, with the last channel first. */
export const rectification = method({
  outputs: { last_hidden_state: aliasedOutput(floatOutput('batch', 2, 'height', 'width'), 'prediction') },
  options: { original_images: needed(list), scale: number(255) },
  makeAnswer({ last_hidden_state: mesh }, options) {
    const batch = mesh.dims[0];
    if (options.original_images.length !== batch)
      rangeError(`original_images must have ${batch} entries, one a picture, got ${options.original_images.length}`);
    const pictures = options.original_images.map((picture, i) =>
      readFloats(`original_images[${i}]`, picture, ['channels', 'height', 'width']),
    );
    return pictures.map((picture, i) => {
      const [channels, height, width] = picture.dims;
      if (picture.data.length === 0) typeError(`original_images[${i}] must have elements, got dims [${picture.dims}]`);
      const alignCorners = true;
      const positions = planesOf(mesh, i).resize([height, width], 'bilinear', alignCorners).numbers();
      const dims = [height, width, channels];
      const make = (/** @type {Uint8Array | undefined} */ to) =>
        sampled(picture.data, picture.dims, positions, options.scale, to);
      return { images: new PendingMap(dtypes.uint8, dims, make) };
    });
  },
});
