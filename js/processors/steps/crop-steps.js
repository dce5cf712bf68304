/** The steps that crop pictures, lay them on squares or make them gray. */
import { isGray } from '../../engines/images/index.js';
import {
  centered,
  edgeOf,
  exactSize,
  luma,
  meanColor,
  onSquare,
  pictureOf,
  rendered,
  reportStep,
  sizeOf,
  square,
} from '../pictures/index.js';
import { sizeKeys, step } from './steps.js';

/** @import { Call, Mean, Step } from '../types.js' */

/** Crops the middle of a picture to `crop_size` if `do_center_crop` is on. */
export const centerCrop = step(['do_center_crop', 'crop_size'], (call, picture) => {
  const { settings } = call;
  return settings.do_center_crop ? centered(call, picture, exactSize(settings.crop_size, 'crop_size')) : picture;
});

/** Crops the middle of a picture to a square of `crop_size`'s shortest edge, as BridgeTower does. */
export const centerCropSquare = step(centerCrop.reads, (call, picture) => {
  const { do_center_crop: crops, crop_size: size } = call.settings;
  if (!crops) return picture;
  return centered(call, picture, square(edgeOf(size, 'shortest_edge', 'crop_size')));
});

/** Crops the middle to `crop_size` if `do_center_crop` is on, with torchvision alone: DPT's PIL class does not crop. */
export const centerCropOfTorchvision = step(centerCrop.reads, (call, picture) =>
  call.backend === 'pil' ? picture : centerCrop(call, picture),
);

/** Crops the middle before resizing if `do_center_crop` is on, as Perceiver does: both sides of the crop are the share
 * `size / crop_size` of the picture's shorter side. */
export const cropPerceiver = step(['do_center_crop', 'crop_size', ...sizeKeys], (call, picture) => {
  const { settings } = call;
  if (!settings.do_center_crop) return picture;
  const to = exactSize(settings.size);
  const crop = exactSize(settings.crop_size, 'crop_size');
  const { width, height } = sizeOf(picture);
  const shorter = Math.min(width, height);
  /** @type {(share: number) => number} */
  const shareOfShorter = (share) => Math.max(1, Math.trunc(share * shorter));
  return centered(call, picture, {
    width: shareOfShorter(to.width / crop.width),
    height: shareOfShorter(to.height / crop.height),
  });
});

/** Makes a step that, if `do_pad` is on, lays pictures in the middle of squares of their longer side. The color around
 * them is that of the mean that `meanOf` gives.
 * @type {(meanOf: (call: Call) => Mean | undefined) => Step} */
const padToSquare = (meanOf) =>
  step(['do_pad', 'image_mean'], (call, picture) => {
    if (!call.settings.do_pad) return picture;
    const color = meanColor(meanOf(call));
    return onSquare(picture, color);
  });
/** Lays a picture on a square in the color of the call's mean, black without one, as LLaVA does. */
export const padSquare = padToSquare(({ settings }) => settings.image_mean ?? 0);
/** Lays a picture on a square in the color of the file's mean, whatever the call says, as Janus does. */
export const padSquareOfFile = padToSquare(({ file }) => file.image_mean);

/** Makes a picture gray before it is resized, if `do_grayscale` is on. With Pillow's backend the picture stays as it
 * is: its numbers are made gray after resizing. */
export const toGray = step(['do_grayscale'], ({ backend, settings }, picture) => {
  if (!settings.do_grayscale || backend === 'pil') return picture;
  const rgb = rendered(picture);
  const { image } = rgb;
  // A gray picture stays as it is, which the weights would change: they sum to 0.9999.
  if (isGray(image)) return rgb;
  const { width, height } = image;
  const gray = { data: luma(image, backend), width, height, channels: 1, rowstride: width };
  return reportStep(pictureOf(gray, { onStep: picture.onStep }), { name: 'gray' });
});
