/** Masks of the SAM family. */
import { Planes, separated } from '../../engines/results/index.js';
import { dtypes } from '../../tensor/index.js';
import { PendingMap } from '../tensors.js';
import { aliasedOutput, listOutput, method } from './define.js';
import { flag, ignored, needed, sides, sizes, threshold } from './options.js';
import { sliceOf } from './semantic.js';
import { readSides } from './settings.js';

/** @import { Method, ReadTensor } from '../types.js' */

const masks = aliasedOutput(listOutput('objects', 'masks', 'height', 'width'), 'masks');

const sizeOptions = {
  original_sizes: needed(sizes),
  mask_threshold: threshold(0),
  binarize: flag(true),
};

/** Makes a plane for each channel of each object. @type {(mask: ReadTensor) => Planes} */
function planesOf({ data, dims: [objects, channels, height, width] }) {
  return new Planes(data, { planes: objects * channels, channels, height, width });
}

/** Makes a pending map of masks, [objects, channels, height, width] of the planes' size: bool, set above the threshold,
 * or without `binarize` the masks' float32 numbers.
 * @type {(planes: Planes, counts: { objects: number, channels: number },
 *   options: { binarize: boolean, mask_threshold: number }) => PendingMap} */
function pendingMasks(planes, { objects, channels }, { binarize, mask_threshold: maskThreshold }) {
  const dims = [objects, channels, planes.height, planes.width];
  return binarize
    ? new PendingMap(dtypes.bool, dims, (to) => planes.above(maskThreshold, Uint8Array, to))
    : new PendingMap(dtypes.float32, dims, (to) => planes.numbers(to));
}

/** Declares SAM's `post_process_masks`: masks are resized to the model's padded input, cut to the part of it that is
 * the picture, and resized to the picture. `padSetting`: the name of the setting that has the size of the padded input.
 * @type {(padSetting: string) => Method} */
const paddedMasks = (padSetting) =>
  method({
    outputs: { pred_masks: masks },
    options: { ...sizeOptions, reshaped_input_sizes: needed(sizes), pad_size: sides },
    makeAnswer(outputs, options, settings) {
      const padSize = options.pad_size ?? readSides(settings, padSetting);
      return outputs.pred_masks.map((mask, i) => {
        const [objects, channels] = mask.dims;
        const visible = sliceOf(planesOf(mask).resize(padSize), options.reshaped_input_sizes[i]);
        return pendingMasks(visible.resize(options.original_sizes[i]), { objects, channels }, options);
      });
    },
  });

export const samMasks = paddedMasks('pad_size');
export const videoMasks = paddedMasks('size');

/** SAM 2's masks, resized to the picture. With `apply_non_overlapping_constraints`, each pixel belongs to the object
 * with the greatest logit; those of the other objects are lowered to -10 at most. */
export const sam2Masks = method({
  outputs: { pred_masks: masks },
  options: {
    ...sizeOptions,
    max_hole_area: ignored,
    max_sprinkle_area: ignored,
    apply_non_overlapping_constraints: flag(false),
  },
  makeAnswer: (outputs, options) =>
    outputs.pred_masks.map((mask, i) => {
      const planes = planesOf(mask).resize(options.original_sizes[i]);
      const [objects, channels] = mask.dims;
      const mayOverlap = !options.apply_non_overlapping_constraints || objects < 2;
      if (mayOverlap) return pendingMasks(planes, { objects, channels }, options);
      const { height, width } = planes;
      const apart = separated(planes.numbers(), objects);
      const planesApart = new Planes(apart, { planes: objects * channels, channels, height, width });
      return pendingMasks(planesApart, { objects, channels }, options);
    }),
});
