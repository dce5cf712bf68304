/** Steps that resize pictures to whole patches, and Gemma 4's patches as large as a token. */
import { bytesOf, rangeError } from '../../arguments/index.js';
import { dtypes } from '../../tensor/index.js';
import * as steps from '../steps/index.js';
import {
  both,
  canvasByTokens,
  edgesOf,
  multipleAbove,
  onTopLeft,
  patchCanvas,
  pixelBoundSize,
  sizeOf,
} from '../pictures/index.js';
import { makeGrouped } from './patches.js';

/** @import { Call, Size, Step } from '../types.js' */

export const patchKeys = ['patch_size', 'merge_size', 'temporal_patch_size'];
const sizeKeys = [...patchKeys, 'size', 'default_to_square', 'min_pixels', 'max_pixels'];

/** Makes a step that resizes pictures by a rule, which gets the side in pixels of a group of patches (`factor`) and,
 * from the edges of the setting `size`, the least and the greatest number of pixels. A class without `merge_size` has
 * groups of one patch. `reads`: further settings that the rule reads, from the call that it gets last
 * @type {(rule: (size: Size, factor: number, minPixels: number, maxPixels: number, call: Call) => Size,
 *   reads?: string[]) => Step} */
export const byPixels = (rule, reads = []) =>
  steps.resizing([...sizeKeys, ...reads], (call, size) => {
    const { settings } = call;
    const [minPixels, maxPixels] = edgesOf(settings.size);
    return rule(size, settings.patch_size * (settings.merge_size ?? 1), minPixels, maxPixels, call);
  });

/** Resizes as Qwen2-VL does, but always bicubic: HunYuan-VL ignores `resample`. */
export const resizeBicubic = steps.step(steps.resizeQwen.reads, (call, picture) =>
  steps.resizeQwen({ ...call, settings: { ...call.settings, resample: 'bicubic' } }, picture),
);

/** The setting `patch_expand_factor`; 1 by the PIL classes, which do not read it. @type {(call: Call) => number} */
export const expansion = ({ backend, settings }) => (backend === 'pil' ? 1 : settings.patch_expand_factor);

/** Makes a step that, where `do_resize` is on, resizes a picture and lays it at the top left of a black canvas. `rule`:
 * the sizes of both; `reads`: the settings that it reads
 * @type {(reads: string[], rule: (call: Call, size: Size) => { canvas: Size, size: Size }) => Step} */
const onCanvasBy = (reads, rule) =>
  steps.step(['do_resize', 'resample', ...reads], (call, picture) => {
    if (!call.settings.do_resize) return picture;
    const { canvas, size } = rule(call, sizeOf(picture));
    return onTopLeft(steps.resizing([], () => size)(call, picture), canvas);
  });

/** Resizes by bounds of tokens and lays the picture on a canvas of whole tokens. */
export const glm5Canvas = onCanvasBy(
  [...patchKeys, 'patch_expand_factor', 'min_image_tokens', 'max_image_tokens'],
  (call, size) => {
    const { settings } = call;
    return canvasByTokens(size, {
      factor: settings.patch_size * settings.merge_size * expansion(call),
      group: settings.temporal_patch_size,
      minTokens: settings.min_image_tokens,
      maxTokens: settings.max_image_tokens,
    });
  },
);

/** Shrinks to a number of patches and lays the picture on a canvas of whole groups. */
export const kimiCanvas = onCanvasBy(
  [...patchKeys, 'size', 'default_to_square', 'max_patches'],
  ({ settings }, size) => {
    const { max_height: high, max_width: wide } = settings.size;
    if (high === undefined || high !== wide)
      rangeError('size must have the keys max_height and max_width, and be square');
    return patchCanvas(size, {
      patch: settings.patch_size,
      merge: settings.merge_size,
      maxPatches: settings.max_patches,
      maxPerSide: high,
    });
  },
);

/** Resizes by bounds of pixels, if `do_resize` is on, and lays the picture on a canvas of whole patches. */
export const neommeCanvas = steps.step(
  ['do_resize', 'resample', ...patchKeys, 'size', 'default_to_square', 'max_side'],
  (call, picture) => {
    const { settings } = call;
    const { min_pixels: minPixels, max_pixels: maxPixels } = settings.size ?? {};
    if (settings.size && maxPixels === undefined) rangeError('size must have the keys min_pixels and max_pixels here');
    const pictureSize = sizeOf(picture);
    const size = settings.do_resize
      ? pixelBoundSize(pictureSize, settings.max_side, minPixels, maxPixels)
      : pictureSize;
    const canvas = both(size, (extent) => multipleAbove(extent, settings.patch_size));
    return onTopLeft(steps.resizing([], () => size)(call, picture), canvas);
  },
);

/** Writes patches as large as a token, [pictures, max_soft_tokens, length] with zeros after the last, and their
 * columns and rows. */
export const makeGemma4Unified = steps.withSettings(
  ['do_resize', 'resample', ...steps.usualNumbers.reads, 'patch_size', 'max_soft_tokens', 'pooling_kernel_size'],
  (call, pictures) => {
    const { patch_size: patch, pooling_kernel_size: pool, max_soft_tokens: maxTokens } = call.settings;
    if (![70, 140, 280, 560, 1120].includes(maxTokens))
      rangeError(`max_soft_tokens must be 70, 140, 280, 560 or 1120, got ${maxTokens}`);
    const unit = patch * pool;
    const resized = pictures.map((picture) => steps.resizeGemma(call, picture));
    const settings = { ...call.settings, patch_size: unit, merge_size: 1, temporal_patch_size: 1 };
    const rows = makeGrouped({ resizing: steps.step([], (_, picture) => picture), order: 'yxc' });
    const { pixel_values: values, image_grid_thw: grids } = rows({ ...steps.withoutOut(call), settings }, resized);
    const length = 3 * unit * unit;
    const dtype = dtypes[/** @type {'float32'} */ (values.type)];
    const tensor = steps.pixelTensor(call, dtype, [pictures.length, maxTokens, length]);
    const sides = pictures.map((_, i) => ({
      height: Number(grids.data[3 * i + 1]),
      width: Number(grids.data[3 * i + 2]),
    }));
    const counts = sides.map(({ height, width }) => height * width);
    const rowBytes = (length * dtype.bits) / 8;
    const bytes = bytesOf(tensor.data);
    const packed = bytesOf(values.data);
    let firstRow = 0;
    counts.forEach((count, i) => {
      const endRow = firstRow + count;
      bytes.set(packed.subarray(firstRow * rowBytes, endRow * rowBytes), i * maxTokens * rowBytes);
      firstRow = endRow;
    });
    return {
      pixel_values: tensor,
      image_position_ids: steps.gridPositions(sides, maxTokens),
      num_soft_tokens_per_image: steps.int64(counts),
    };
  },
);
