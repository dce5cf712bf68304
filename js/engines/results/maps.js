/** Maps of a picture's size, through the module: planes of `size` float32 numbers, one for each pixel.
 * Functions return arrays of their own, or `out` if it is given. Names that end in `At` are addresses in the module. */
import * as cpp from '../../../dist/bridge/results.js';
import { rangeError, show } from '../../arguments/index.js';
import { floatBytes, intBytes } from '../memory/index.js';
import { withMemory } from './load.js';
import { arena, kernels, rowsIn, sizeOf } from './module.js';

/** Bytes of a color with alpha. */
const rgbaBytes = 4;

/** Divides the vectors of a map [3, size] by their norms, or by `least` where the norm is smaller.
 * @type {(x: Float32Array, least: number) => Float32Array} */
export const unitVectors = (x, least) =>
  withMemory(() => {
    const size = rowsIn(x, 3);
    const vectorsAt = arena.copyIn(x, 3 * floatBytes * size);
    kernels.normalize_vectors(vectorsAt, size, least, vectorsAt);
    return arena.copyOut(Float32Array, vectorsAt, 3 * size);
  });

/** Averages a map and another one that is mirrored left to right: pixel x of a row and pixel width - 1 - x of the
 * other's.
 * @type {(x: Float32Array, mirrored: Float32Array, width: number) => Float32Array} */
export const mirroredMean = (x, mirrored, width) =>
  withMemory(() => {
    const rows = rowsIn(x, width);
    const bytes = floatBytes * rows * width;
    const xAt = arena.copyIn(x, bytes);
    const mirroredAt = arena.copyIn(mirrored, bytes);
    kernels.average_mirrored(xAt, mirroredAt, rows, width, xAt);
    return arena.copyOut(Float32Array, xAt, x.length);
  });

/** Undoes the normalization of a picture, and finds the index of the nearest color at each pixel.
 * @param {Float32Array} rgb [3, size], normalized
 * @param {Float32Array} normalization three means, three deviations
 * @param {Float32Array} colors r, g, b of 0 to 255 each; without any the result is the pixel's mean, cut to a whole
 *   number
 * @param {Int32Array} [out]
 * @returns {Int32Array} */
export const nearestColors = (rgb, normalization, colors, out) =>
  withMemory(() => {
    const size = rowsIn(rgb, 3);
    const count = rowsIn(colors, 3);
    const indicesAt = arena.allocate(intBytes * size);
    const rgbAt = arena.copyIn(rgb, 3 * floatBytes * size);
    const normalizationAt = arena.copyIn(normalization, 6 * floatBytes);
    const colorsAt = arena.copyIn(colors, 3 * floatBytes * count);
    kernels.name_colors(rgbAt, size, normalizationAt, colorsAt, count, indicesAt);
    return arena.copyOut(Int32Array, indicesAt, size, out);
  });

/** Leaves at each pixel the greatest of `count` planes as it is, and lowers all others to at most -10: logits whose
 * sigmoid is about 0.
 * @type {(x: Float32Array, count: number) => Float32Array} */
export const separated = (x, count) =>
  withMemory(() => {
    const size = rowsIn(x, count);
    const xAt = arena.copyIn(x, floatBytes * count * size);
    kernels.separate_planes(xAt, count, size);
    return arena.copyOut(Float32Array, xAt, x.length);
  });

/** Lays a picture [4, size], whose last plane is alpha and whose colors are multiplied with it already, over a
 * background [3, size]. Returns bytes [3, size], of which 255 stands for 1.
 * @type {(matte: Float32Array, background: Float32Array) => Uint8Array} */
export const blended = (matte, background) =>
  withMemory(() => {
    const size = rowsIn(background, 3);
    const planeBytes = floatBytes * size;
    const colorsAt = arena.copyIn(matte, 4 * planeBytes);
    const blendedAt = arena.allocate(3 * size);
    const alphaAt = colorsAt + 3 * planeBytes;
    const backgroundAt = arena.copyIn(background, 3 * planeBytes);
    kernels.blend_background(colorsAt, alphaAt, backgroundAt, size, blendedAt);
    return arena.copyOut(Uint8Array, blendedAt, 3 * size);
  });

/** Samples a picture at the positions of a mesh, bilinearly, as torch's grid_sample with aligned corners and zeros
 * outside.
 * @param {Float32Array} picture [channels, height, width]
 * @param {readonly number[]} dims of the picture
 * @param {Float32Array} mesh [2, height, width]: x and y, where -1 and 1 are the centers of the first and last pixels
 * @param {number} scale the factor that makes bytes of the picture's numbers
 * @param {Uint8Array} [out]
 * @returns {Uint8Array} [height, width, channels], the last channel first */
export const sampled = (picture, [channels, height, width], mesh, scale, out) =>
  withMemory(() => {
    const size = sizeOf([height, width]);
    const length = sizeOf([channels]) * size;
    const sampledAt = arena.allocate(length);
    const pictureAt = arena.copyIn(picture, floatBytes * length);
    const meshAt = arena.copyIn(mesh, 2 * floatBytes * size);
    kernels.sample_picture(pictureAt, channels, height, width, meshAt, scale, sampledAt);
    return arena.copyOut(Uint8Array, sampledAt, length, out);
  });

/** Paints labels by a table of colors, 4 bytes for each label from 0 on. Labels that the table lacks become 0, 0, 0, 0.
 * @type {(labels: Int32Array, colors: Uint8Array, out?: Uint8Array) => Uint8Array} */
export const paintedLabels = (labels, colors, out) =>
  withMemory(() => {
    const count = labels.length;
    const colorCount = rowsIn(colors, rgbaBytes);
    const paintedAt = arena.allocate(rgbaBytes * count);
    const labelsAt = arena.copyIn(labels, intBytes * count);
    const colorsAt = arena.copyIn(colors, rgbaBytes * colorCount);
    kernels.paint_labels(labelsAt, count, colorsAt, colorCount, paintedAt);
    return arena.copyOut(Uint8Array, paintedAt, rgbaBytes * count, out);
  });

/** Joins interleaved pixels of at least 3 channels with a mask, one number a pixel, to RGBA. `type` of the mask: bytes
 * that are the alpha (uint8), bytes of 0 and 1 (bool), or float32 of 0 to 1. Channels after the third are left out.
 * @type {(pixels: Uint8Array, channels: number, mask: Uint8Array | Float32Array, type: string, out?: Uint8Array) =>
 *   Uint8Array} */
export const withAlpha = (pixels, channels, mask, type, out) =>
  withMemory(() => {
    const { length } = mask;
    const kind = cpp.MaskKind.indexOf(/** @type {'float32' | 'uint8' | 'bool'} */ (type));
    if (kind < 0) rangeError(`mask type must be one of ${cpp.MaskKind.join(', ')}, got ${show(type)}`);
    const pixelsAt = arena.copyIn(pixels, length * sizeOf([channels], 3));
    const rgbaAt = arena.allocate(rgbaBytes * length);
    const maskBytes = type === 'float32' ? floatBytes * length : length;
    const maskAt = arena.copyIn(mask, maskBytes);
    kernels.join_alpha(pixelsAt, length, channels, maskAt, kind, rgbaAt);
    return arena.copyOut(Uint8Array, rgbaAt, rgbaBytes * length, out);
  });

/** Moves a picture by a perspective. `dims`: [height, width, channels]. `matrix`: 9 numbers, from places of the result
 * to those of the picture. `upright`: the result, of `size` [height, width], is turned by 90 degrees counterclockwise.
 * @type {(pixels: Uint8Array, dims: readonly number[], matrix: Float32Array, size: readonly number[], upright: boolean)
 *   => Uint8Array} */
export const warped = (pixels, [height, width, channels], matrix, [toHeight, toWidth], upright) =>
  withMemory(() => {
    const length = sizeOf([toHeight, toWidth, channels]);
    const warpedAt = arena.allocate(length);
    const pixelsAt = arena.copyIn(pixels, sizeOf([height, width, channels], 1));
    const matrixAt = arena.copyIn(matrix, 9 * floatBytes);
    kernels.warp_picture(pixelsAt, height, width, channels, matrixAt, toHeight, toWidth, Number(upright), warpedAt);
    return arena.copyOut(Uint8Array, warpedAt, length);
  });
