/** A vector for each pixel: normals and points in space. */
import { rangeError } from '../../arguments/index.js';
import { unitVectors } from '../../engines/results/index.js';
import { dtypes } from '../../tensor/index.js';
import { PendingMap } from '../tensors.js';
import { floatOutput, method, optionalOutput } from './define.js';
import { dataOfPicture, makeList } from './detection.js';
import { flag, sizes } from './options.js';
import { planesOf } from './semantic.js';
import { readSides } from './settings.js';

/** @import { Planes } from '../../engines/results/index.js' */
/** @import { PictureSize, ReadTensor, Settings } from '../types.js' */

const normalsOutput = floatOutput('batch', 3, 'height', 'width');

/** Makes a pending map [planes, height, width]. @type {(planes: Planes) => PendingMap} */
const mapsOf = (planes) =>
  new PendingMap(dtypes.float32, [planes.planes, planes.height, planes.width], (to) => planes.numbers(to));

/** Makes planes of the normals of picture `i`, as vectors of length 1. `minNorm`: a vector is divided by no less.
 * @type {(tensor: ReadTensor, i: number, minNorm: number) => Planes} */
function unitNormals(tensor, i, minNorm) {
  const [, ...pictureDims] = tensor.dims;
  return planesOf({ dims: [1, ...pictureDims], data: unitVectors(dataOfPicture(tensor, i), minNorm) }, 0);
}

/** The least norms by which Python's classes divide: that of torch's `normalize`, and Sapiens 2's. */
const [minTorchNorm, minSapiensNorm] = [1e-12, 1e-8];

/** Normals as vectors of length 1, resized to the target. */
export const normals = method({
  outputs: { normals: normalsOutput },
  options: { target_sizes: sizes },
  makeAnswer: ({ normals: tensor }, options) =>
    makeList(tensor.dims[0], (i) => {
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
    makeList(tensor.dims[0], (i) => ({
      normals: sapiensMap(unitNormals(tensor, i, minSapiensNorm), i, options, settings),
    })),
});

/** Sapiens 2's points in space, divided by the scale if the model gives one, without padding, resized. */
export const pointMap = method({
  outputs: { pointmaps: normalsOutput, scales: optionalOutput(floatOutput('batch', 1)) },
  options: sapiensOptions,
  makeAnswer: ({ pointmaps: tensor, scales }, options, settings) =>
    makeList(tensor.dims[0], (i) => {
      const planes = planesOf(tensor, i);
      return { pointmap: sapiensMap(scales ? planes.scale(1, scales.data[i]) : planes, i, options, settings) };
    }),
});
