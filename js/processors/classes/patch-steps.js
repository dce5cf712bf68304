/** Steps that resize pictures to whole patches. */
import { rangeError } from '../../arguments/index.js';
import * as steps from '../steps/index.js';
import {
  both,
  canvasByTokens,
  multipleAbove,
  onTopLeft,
  patchCanvas,
  pixelBoundSize,
  pixelBounds,
  sizeOf,
} from '../pictures/index.js';

/** @import { AreaBounds, Call, Size, Step } from '../types.js' */

export const patchKeys = ['patch_size', 'merge_size', 'temporal_patch_size'];
const sizeKeys = [...patchKeys, 'size', 'default_to_square', 'min_pixels', 'max_pixels'];

/** Makes a step that resizes pictures by a rule. The rule gets bounds: `factor`, the side in pixels of a group of
 * patches, and the edges of the setting `size`, which are numbers of pixels. A class without `merge_size` has groups of
 * one patch. `reads`: further settings that the rule reads, from the call that it gets last
 * @type {(rule: (size: Size, bounds: AreaBounds, call: Call) => Size, reads?: string[]) => Step} */
export const byPixels = (rule, reads = []) =>
  steps.resizing([...sizeKeys, ...reads], (call, size) => {
    const { size: setting, patch_size: patch, merge_size: merge = 1 } = call.settings;
    return rule(size, { factor: patch * merge, ...pixelBounds(setting) }, call);
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
    return onTopLeft(steps.resizeTo(call, picture, size), canvas);
  });

/** GLM-5's step: resizes a picture so that its canvas has `min_image_tokens` to `max_image_tokens` tokens, and lays it
 * on that canvas, whose sides are whole tokens. */
export const glm5Canvas = onCanvasBy(
  [...patchKeys, 'patch_expand_factor', 'min_image_tokens', 'max_image_tokens'],
  (call, size) => {
    const { settings } = call;
    const tokenSide = settings.patch_size * settings.merge_size * expansion(call);
    return canvasByTokens(size, {
      factor: tokenSide,
      // How many frames a token stands for; the image counts as each of them.
      group: settings.temporal_patch_size,
      minTokens: settings.min_image_tokens,
      maxTokens: settings.max_image_tokens,
    });
  },
);

/** Kimi's step: shrinks a picture to at most `max_patches` patches, and as many along a side as `size` says, and lays
 * it on a canvas of whole groups of patches. */
export const kimiCanvas = onCanvasBy(
  [...patchKeys, 'size', 'default_to_square', 'max_patches'],
  ({ settings }, size) => {
    const { max_height: maxHeight, max_width: maxWidth } = settings.size;
    if (maxHeight === undefined || maxHeight !== maxWidth)
      rangeError('size must have the keys max_height and max_width, and be square');
    return patchCanvas(size, {
      patch: settings.patch_size,
      merge: settings.merge_size,
      maxPatches: settings.max_patches,
      maxPerSide: maxHeight,
    });
  },
);

/** NeoMME's step: resizes a picture, if `do_resize` is on, to a longer side of at most `max_side` and to as many pixels
 * as `size` allows, then lays it on a canvas of whole patches. */
export const neommeCanvas = steps.step(
  ['do_resize', 'resample', ...patchKeys, 'size', 'default_to_square', 'max_side'],
  (call, picture) => {
    const { settings } = call;
    const { min_pixels: minPixels, max_pixels: maxPixels } = settings.size ?? {};
    if (settings.size && maxPixels === undefined) rangeError('size must have the keys min_pixels and max_pixels here');
    const resized = settings.do_resize
      ? steps.resizeTo(call, picture, pixelBoundSize(sizeOf(picture), settings.max_side, minPixels, maxPixels))
      : picture;
    const canvas = both(sizeOf(resized), (extent) => multipleAbove(extent, settings.patch_size));
    return onTopLeft(resized, canvas);
  },
);
