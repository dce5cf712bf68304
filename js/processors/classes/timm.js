/** timm's models: pictures that are resized and cropped by Pillow, as their configuration says. */
import { rangeError } from '../../arguments/index.js';
import { normalizing, numbersOf, roundHalfToEven } from '../../image/internal.js';
import { cropPicture, resizePicture, shortestEdgeSize, sizeOf } from '../pictures/index.js';
import * as steps from '../steps/index.js';

/** @import { NumberStep } from '../../image/types.js' */
/** @import { Picture, Settings, Size } from '../types.js' */

const { floor, fround, max, min } = Math;

/** Resizes a picture by timm's configuration, pads it to the crop's size at least and crops its middle. `width`,
 * `height`: of the crop; `share`: `crop_pct`, the crop's part of the resized picture; `mode`: `crop_mode`, by which the
 * picture covers that part or is fitted into it
 * @type {(picture: Picture, config: Settings) => Picture} */
function timmCrop(picture, { width, height, filter, mean, share, mode }) {
  const large = { width: floor(width / share), height: floor(height / share) };
  const size = timmSize(sizeOf(picture), large, mode);
  const resized = resizePicture(picture, size, { backend: 'pil', filter });
  // The bars are black or, by the mode `border`, of the mean color.
  const fill = mode === 'border' ? steps.perColor(mean).map((value) => roundHalfToEven(255 * value)) : undefined;
  const canvas = { width: max(size.width, width), height: max(size.height, height) };
  const left = floor((canvas.width - size.width) / 2);
  const top = floor((canvas.height - size.height) / 2);
  // A crop that begins before the picture has a border there.
  const padded = cropPicture(resized, { x: -left, y: -top, ...canvas }, fill);
  const x = roundHalfToEven((canvas.width - width) / 2);
  const y = roundHalfToEven((canvas.height - height) / 2);
  return cropPicture(padded, { x, y, width, height }, fill);
}

/** Resizes by Pillow to the size of timm's crop divided by `crop_pct`, crops the middle and normalizes it. */
export const makeTimm = steps.withSettings(['pretrained_cfg'], (call, pictures) => {
  const { settings, dtype } = call;
  const { pretrained_cfg: config } = settings;
  if (config === undefined) rangeError('pretrained_cfg must be given, got undefined');
  const crops = pictures.map((picture) => timmCrop(picture, config));
  /** @type {NumberStep} */
  const rescale = (value) => fround(value / 255);
  const unscaled = {};
  const numbers = numbersOf('pil', unscaled, { dtype, then: [rescale, normalizing(config.mean, config.std)] });
  return { pixel_values: steps.toTensor(call, crops, numbers, crops.map(steps.ownFrame)) };
});

/** The size that a picture is resized to before timm's crop. `large`: the crop's size, divided by `crop_pct`. By the
 * mode `squash` it is `large` itself, by `border` the picture is fitted into it, else the picture covers it.
 * @type {(size: Size, large: Size, mode: string) => Size} */
function timmSize({ width, height }, large, mode) {
  if (mode === 'squash') return large;
  const isFitted = mode === 'border';
  const isSquare = large.width === large.height;
  // A square is covered by the shorter side, which timm truncates rather than rounds.
  if (!isFitted && isSquare) return shortestEdgeSize({ width, height }, large.height);
  const ratios = [height / large.height, width / large.width];
  const shrinking = isFitted ? max(...ratios) : min(...ratios);
  return { width: roundHalfToEven(width / shrinking), height: roundHalfToEven(height / shrinking) };
}
