/** Depth, normals, points in space, mattes and flattened documents: maps of a picture's size. */
import { rangeError, typeError } from '../../arguments/index.js';
import { blended, dividedBytes, mirroredMean, Planes, sampled, unitVectors } from '../../engines/results/index.js';
import { dtypes, tensorOf } from '../../tensor/index.js';
import { floats, PendingMap, readFloats } from '../tensors.js';
import { floatOutput, method, named } from './define.js';
import { each, pictureOf } from './detection.js';
import { flag, list, needed, number, optional, sizes } from './options.js';
import { planesOf } from './semantic.js';
import { readSides } from './settings.js';

/** @import { ResizeMode } from '../../engines/results/index.js' */
/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Extents, Method, PictureSize, ReadTensor, Settings } from '../types.js' */

const depthOutput = { predicted_depth: floatOutput('batch', 'height', 'width') };

/** Makes one plane of the depth of picture `i`, of a tensor [batch, height, width].
 * @type {(tensor: ReadTensor, i: number) => Planes} */
function planeOf(tensor, i) {
  const [, height, width] = tensor.dims;
  return new Planes(pictureOf(tensor, i), { planes: 1, channels: 1, height, width });
}

/** Makes a pending map [height, width] of a plane.
 * @type {(plane: Planes) => PendingMap} */
const mapOf = (plane) => new PendingMap(dtypes.float32, [plane.height, plane.width], (to) => plane.numbers(to));

/** Makes a pending map of a plane without the axes whose extent is 1: [height, width], [height], [width] or []. Python
 * squeezes a depth that it has resized.
 * @type {(plane: Planes) => PendingMap} */
function squeezedMapOf(plane) {
  const dims = [plane.height, plane.width].filter((extent) => extent !== 1);
  return new PendingMap(dtypes.float32, dims, (to) => plane.numbers(to));
}

/** Declares a method that only resizes the depth, by torch's `mode`. `align`: torch's `align_corners`; `keepsSides`:
 * axes of extent 1 stay.
 * @type {(mode: ResizeMode, options?: { align?: boolean, keepsSides?: boolean }) => Method} */
export const depth = (mode, { align = false, keepsSides = false } = {}) =>
  method({
    outputs: depthOutput,
    options: { target_sizes: sizes },
    makeAnswer: ({ predicted_depth: tensor }, options) =>
      each(tensor.dims[0], (i) => {
        const plane = planeOf(tensor, i);
        const size = options.target_sizes?.[i];
        const resized = size ? plane.resize(size, mode, align) : plane;
        return { predicted_depth: size && !keepsSides ? squeezedMapOf(resized) : mapOf(resized) };
      }),
  });

/** Computes the focal length, in pixels, of a picture of this width whose field of view is `angle` degrees:
 * width / 2 / tan(angle / 2), in torch's float32 steps.
 * @type {(angle: number, width: number) => number} */
function focalLength(angle, width) {
  const { fround } = Math;
  const radians = fround(angle * fround(Math.PI / 180));
  const tangent = fround(Math.tan(fround(0.5 * radians)));
  // torch divides a number by a tensor by multiplying it with the tensor's reciprocal.
  return fround(fround(1 / tangent) * fround(0.5 * width));
}

/** Depth Pro: the model's inverse depth is multiplied by width / focal length if the field of view is there, resized,
 * clamped to [1e-4, 1e4] and inverted to depth. */
export const depthPro = method({
  outputs: { ...depthOutput, field_of_view: named(floatOutput('batch'), { isOptional: true }) },
  options: { target_sizes: sizes },
  makeAnswer: ({ predicted_depth: tensor, field_of_view: angles }, options) =>
    each(tensor.dims[0], (i) => {
      const size = options.target_sizes?.[i];
      const angle = angles?.data[i] ?? null;
      const plane = planeOf(tensor, i);
      if (!size) return { predicted_depth: mapOf(toDepth(plane)), field_of_view: scalarOf(angle), focal_length: null };
      const [, width] = size;
      const focal = angle === null ? null : focalLength(angle, width);
      const scaled = focal === null ? plane : plane.scale(width, focal);
      return {
        predicted_depth: squeezedMapOf(toDepth(scaled.resize(size))),
        field_of_view: scalarOf(angle),
        focal_length: scalarOf(focal),
      };
    }),
});

/** Inverts Depth Pro's inverse depth, clamped to [1e-4, 1e4], to depth.
 * @type {(plane: Planes) => Planes} */
const toDepth = (plane) => plane.clamp(1e-4, 1e4).invert();

/** Makes a tensor without axes of a number; null stays.
 * @type {(value: number | null) => Tensor | null} */
const scalarOf = (value) => (value === null ? null : floats(Float32Array.of(value), []));

/** Computes ZoeDepth's padding in pixels, on each side, of a height or width: 3 times the root of half of it. */
const paddingOf = (/** @type {number} */ extent) => Math.trunc(Math.sqrt(extent / 2) * 3);

/** Resizes a plane by cubic interpolation, unless it has the size already.
 * @type {(plane: Planes, size: readonly number[]) => Planes} */
function resizeCubic(plane, [height, width]) {
  const hasSize = plane.height === height && plane.width === width;
  return hasSize ? plane : plane.resize([height, width], 'bicubic');
}

/** Resizes ZoeDepth's depth to the padded picture, and cuts the padding off. `source`: the [height, width] of the
 * picture.
 * @type {(plane: Planes, source: PictureSize, isPadded: boolean) => Planes} */
function toSource(plane, source, isPadded) {
  const [height, width] = source;
  const [top, left] = isPadded ? source.map(paddingOf) : [0, 0];
  return resizeCubic(plane, [height + 2 * top, width + 2 * left]).crop(top, left, height, width);
}

/** ZoeDepth: if the outputs of the mirrored picture are there, the depth is the mean with them. It is resized to the
 * padded picture, whose padding is cut off, and then to the target. */
export const zoeDepth = method({
  outputs: depthOutput,
  options: {
    source_sizes: sizes,
    target_sizes: sizes,
    do_remove_padding: flag(undefined),
    outputs_flipped: optional(readFlipped),
  },
  makeAnswer({ predicted_depth: tensor }, options, settings) {
    // Without the option, the setting tells whether pictures were padded.
    const isPadded = options.do_remove_padding ?? settings.do_pad;
    const { dims } = tensor;
    const flipped = options.outputs_flipped;
    const data = flipped ? mirroredMean(tensor.data, flipped.data, dims[2]) : tensor.data;
    return each(dims[0], (i) => {
      const [source, target] = [options.source_sizes?.[i], options.target_sizes?.[i]];
      const plane = planeOf({ dims, data }, i);
      const ofPicture = source ? toSource(plane, source, Boolean(isPadded)) : plane;
      return { predicted_depth: mapOf(target ? resizeCubic(ofPicture, target) : ofPicture) };
    });
  },
});

/** Reads the depth of mirrored pictures, which is a tensor or an object of outputs with `predicted_depth`.
 * @type {(name: string, value: unknown, known: Extents) => ReadTensor} */
function readFlipped(name, value, known) {
  const outputs = /** @type {{ predicted_depth?: unknown } | null | undefined} */ (value);
  const depth = outputs?.predicted_depth ?? value;
  return floatOutput('batch', 'height', 'width').readOutput(`${name}.predicted_depth`, depth, known);
}

const normalsOutput = floatOutput('batch', 3, 'height', 'width');

/** Makes a pending map [planes, height, width].
 * @type {(planes: Planes) => PendingMap} */
const mapsOf = (planes) =>
  new PendingMap(dtypes.float32, [planes.planes, planes.height, planes.width], (to) => planes.numbers(to));

/** Makes planes of the normals of picture `i`, as vectors of length 1. `minNorm`: the least number by which Python
 * divides.
 * @type {(tensor: ReadTensor, i: number, minNorm: number) => Planes} */
function unitNormals(tensor, i, minNorm) {
  const [, ...pictureDims] = tensor.dims;
  return planesOf({ dims: [1, ...pictureDims], data: unitVectors(pictureOf(tensor, i), minNorm) }, 0);
}

/** The least norms by which Python's classes divide: that of torch's `normalize`, and Sapiens 2's. */
const [minTorchNorm, minSapiensNorm] = [1e-12, 1e-8];

/** Normals as vectors of length 1, resized to the target. */
export const normals = method({
  outputs: { normals: normalsOutput },
  options: { target_sizes: sizes },
  makeAnswer: ({ normals: tensor }, options) =>
    each(tensor.dims[0], (i) => {
      const planes = unitNormals(tensor, i, minTorchNorm);
      return { normals: mapsOf(options.target_sizes ? planes.resize(options.target_sizes[i]) : planes) };
    }),
});

/** @typedef {object} SapiensOptions
 * @property {PictureSize[]} [source_sizes]
 * @property {PictureSize[]} [target_sizes]
 * @property {boolean} [do_remove_padding] */

/** Computes the part of Sapiens 2's padded input that shows a picture of `size`, which was resized to fit and centered:
 * [top, left, height, width]. Sizes are [height, width].
 * @type {(size: readonly number[], inputSize: readonly number[]) =>
 *   [top: number, left: number, height: number, width: number]} */
function partOfPicture([height, width], [inputHeight, inputWidth]) {
  const scale = Math.min(inputHeight / height, inputWidth / width);
  const [partHeight, partWidth] = [Math.trunc(height * scale), Math.trunc(width * scale)];
  const top = Math.floor((inputHeight - partHeight) / 2);
  const left = Math.floor((inputWidth - partWidth) / 2);
  return [top, left, partHeight, partWidth];
}

const sapiensOptions = { source_sizes: sizes, target_sizes: sizes, do_remove_padding: flag(undefined) };

/** Makes the pending map of picture `i`: cuts off the padding, unless `do_remove_padding` is false or there are no
 * source sizes, and resizes the rest to the target size or, without one, the source size.
 * @type {(planes: Planes, i: number, options: SapiensOptions, settings: Settings) => PendingMap} */
function sapiensMap(planes, i, options, settings) {
  const source = options.source_sizes?.[i];
  const removesPadding = options.do_remove_padding ?? source !== undefined;
  if (removesPadding && !source) rangeError('source_sizes must be given where do_remove_padding is true');
  const size = options.target_sizes?.[i] ?? source;
  const part = removesPadding && source ? withoutPadding(planes, source, readSides(settings, 'size')) : planes;
  return mapsOf(size ? part.resize(size) : part);
}

/** Cuts planes to the part that shows a picture of size `source`, as far as it lies within them. Refuses planes of
 * which nothing is left, because they do not have the model's size.
 * @type {(planes: Planes, source: PictureSize, inputSize: PictureSize) => Planes} */
function withoutPadding(planes, source, inputSize) {
  const [top, left, partHeight, partWidth] = partOfPicture(source, inputSize);
  const [height, width] = [Math.min(partHeight, planes.height - top), Math.min(partWidth, planes.width - left)];
  if (!(height > 0 && width > 0))
    rangeError(`outputs must have the size of the configuration, got [${planes.height}, ${planes.width}]`);
  return planes.crop(top, left, height, width);
}

/** Sapiens 2's normals as vectors of length 1, without padding, resized. */
export const sapiensNormals = method({
  outputs: { normals: normalsOutput },
  options: sapiensOptions,
  makeAnswer: ({ normals: tensor }, options, settings) =>
    each(tensor.dims[0], (i) => ({
      normals: sapiensMap(unitNormals(tensor, i, minSapiensNorm), i, options, settings),
    })),
});

/** Sapiens 2's points in space, divided by the scale if the model gives one, without padding, resized. */
export const pointMap = method({
  outputs: { pointmaps: normalsOutput, scales: named(floatOutput('batch', 1), { isOptional: true }) },
  options: sapiensOptions,
  makeAnswer: ({ pointmaps: tensor, scales }, options, settings) =>
    each(tensor.dims[0], (i) => {
      const planes = planesOf(tensor, i);
      return { pointmap: sapiensMap(scales ? planes.scale(1, scales.data[i]) : planes, i, options, settings) };
    }),
});

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
  outputs: { foregrounds: normalsOutput, alphas: floatOutput('batch', 1, 'height', 'width') },
  options: { target_sizes: sizes, backgrounds: list },
  makeAnswer({ foregrounds, alphas }, options) {
    const [batch, , height, width] = foregrounds.dims;
    const backgrounds = options.backgrounds?.map((picture, i) => readPicture(picture, `backgrounds[${i}]`));
    if (backgrounds && backgrounds.length !== 1 && backgrounds.length !== batch)
      rangeError(`backgrounds must have 1 or ${batch} entries, got ${backgrounds.length}`);
    return each(batch, (i) => {
      // The foreground and its alpha as four planes.
      const data = new Float32Array(4 * height * width);
      data.set(pictureOf(foregrounds, i));
      data.set(pictureOf(alphas, i), 3 * height * width);
      const raw = new Planes(data, { planes: 4, channels: 4, height, width });
      const planes = options.target_sizes ? raw.resize(options.target_sizes[i]).clamp(0, 1) : raw;
      const [matte, size] = [planes.numbers(), planes.size];
      const dims = [planes.height, planes.width];
      // A single background is that of all pictures.
      const behind = backgrounds?.[backgrounds.length === 1 ? 0 : i];
      return {
        foreground: floats(matte.slice(0, 3 * size), [3, ...dims]),
        alpha: floats(matte.slice(3 * size), [1, ...dims]),
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
 * picture it shows. The mesh is resized to the picture's size, with corners that stay in place (`true`), and the
 * picture is sampled at its positions. The answer is uint8 [height, width, channels], the numbers times `scale`, with
 * the last channel first. */
export const rectification = method({
  outputs: { last_hidden_state: named(floatOutput('batch', 2, 'height', 'width'), { alias: 'prediction' }) },
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
      const positions = planesOf(mesh, i).resize([height, width], 'bilinear', true).numbers();
      const dims = [height, width, channels];
      const make = (/** @type {Uint8Array | undefined} */ to) =>
        sampled(picture.data, picture.dims, positions, options.scale, to);
      return { images: new PendingMap(dtypes.uint8, dims, make) };
    });
  },
});
