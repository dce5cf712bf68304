/** Maps of a picture's size, through the module. */
import { kernels, put, space, take, withMemory } from './module.js';

/** @type {(x: Float32Array, least: number) => Float32Array} [3, size] divided by the norm, which is at least this */
export const unitVectors = (x, least) =>
  withMemory(() => {
    const at = put(x);
    kernels.normalize_vectors(at, x.length / 3, least, at);
    return take(Float32Array, at, x.length);
  });

/** @type {(x: Float32Array, mirrored: Float32Array, width: number) => Float32Array} the mean with a mirrored map */
export const mirroredMean = (x, mirrored, width) =>
  withMemory(() => {
    const at = put(x);
    kernels.average_mirrored(at, put(mirrored), x.length / width, width, at);
    return take(Float32Array, at, x.length);
  });

/** The nearest color at each pixel.
 * @param {Float32Array} rgb [3, size], normalized
 * @param {Float32Array} normalization three means, three deviations
 * @param {Float32Array} colors r, g, b of 0 to 255 each; without any the result is the mean of the three planes
 * @param {Int32Array} [out]
 * @returns {Int32Array} */
export const nearestColors = (rgb, normalization, colors, out) =>
  withMemory(() => {
    const size = rgb.length / 3;
    const to = space(4 * size);
    kernels.name_colors(put(rgb), size, put(normalization), put(colors), colors.length / 3, to);
    return take(Int32Array, to, size, out);
  });

/** @type {(x: Float32Array, count: number) => Float32Array} all planes but the greatest are at most -10 */
export const separated = (x, count) =>
  withMemory(() => {
    const at = put(x);
    kernels.separate_planes(at, count, x.length / count);
    return take(Float32Array, at, x.length);
  });

/** @type {(matte: Float32Array, background: Float32Array) => Uint8Array} [4, size] over [3, size] */
export const blended = (matte, background) =>
  withMemory(() => {
    const size = background.length / 3;
    const [at, to] = [put(matte), space(3 * size)];
    kernels.blend_background(at, at + 12 * size, put(background), size, to);
    return take(Uint8Array, to, 3 * size);
  });

/** Samples of a picture at the positions of a mesh.
 * @param {Float32Array} picture [channels, height, width]
 * @param {readonly number[]} dims
 * @param {Float32Array} mesh [2, height, width]: x and y from -1 to 1
 * @param {number} scale
 * @param {Uint8Array} [out]
 * @returns {Uint8Array} [height, width, channels], the last channel first */
export const sampled = (picture, [channels, height, width], mesh, scale, out) =>
  withMemory(() => {
    const to = space(picture.length);
    kernels.sample_picture(put(picture), channels, height, width, put(mesh), scale, to);
    return take(Uint8Array, to, picture.length, out);
  });

/** @type {(labels: Int32Array, colors: Uint8Array, out?: Uint8Array) => Uint8Array} 4 bytes a label; 0 where there is
 * no color */
export const paintedLabels = (labels, colors, out) =>
  withMemory(() => {
    const to = space(4 * labels.length);
    kernels.paint_labels(put(labels), labels.length, put(colors), colors.length / 4, to);
    return take(Uint8Array, to, 4 * labels.length, out);
  });

/** In the order of MaskKind of cpp/postprocess/maps.h. */
const maskTypes = ['uint8', 'bool', 'float32'];

/** @type {(pixels: Uint8Array, channels: number, mask: Uint8Array | Float32Array, type: string, out?: Uint8Array) =>
 *   Uint8Array} */
export const withAlpha = (pixels, channels, mask, type, out) =>
  withMemory(() => {
    const to = space(4 * mask.length);
    kernels.join_alpha(put(pixels), mask.length, channels, put(mask), maskTypes.indexOf(type), to);
    return take(Uint8Array, to, 4 * mask.length, out);
  });

/**
 * A picture through a perspective.
 * @param {Uint8Array} pixels [height, width, channels]
 * @param {readonly number[]} dims
 * @param {Float32Array} matrix 9 numbers, from places of the result to those of the picture
 * @param {readonly number[]} size height and width
 * @param {boolean} upright turned by 90 degrees counterclockwise
 * @returns {Uint8Array}
 */
export const warped = (pixels, [height, width, channels], matrix, size, upright) =>
  withMemory(() => {
    const length = size[0] * size[1] * channels;
    const to = space(length);
    kernels.warp_picture(...[put(pixels), height, width, channels, put(matrix), ...size, Number(upright), to]);
    return take(Uint8Array, to, length);
  });
