/** The steps of Donut, Nougat and PP-FormulaNet, which read documents. */
import { nougatMargin } from '../pictures/gray.js';
import { onCanvas } from '../pictures/canvases.js';
import { cropPicture, rendered, resizePicture, sizeOf, turnPicture } from '../pictures/picture.js';
import { exactSize, shortestEdgeSize, thumbnailSize } from '../pictures/sizes.js';
import { by, resizing, sizeKeys, step } from './steps.js';

/** Donut: turned so that its longer side is that of `size`. */
export const alignLongAxis = step(['do_align_long_axis', ...sizeKeys], ({ settings }, picture) => {
  if (!settings.do_align_long_axis) return picture;
  const [to, own] = [exactSize(settings.size), sizeOf(picture)];
  const turns = (to.width < to.height && own.width > own.height) || (to.width > to.height && own.width < own.height);
  return turns ? turnPicture(picture) : picture;
});

/** Donut: the shorter side becomes that of `size`. */
export const resizeDonut = resizing(sizeKeys, ({ settings }, size) => {
  const { width, height } = exactSize(settings.size);
  return shortestEdgeSize(size, Math.min(width, height));
});

/** Donut: within `size`. Pillow's backend takes nearest for unset. */
export const thumbnail = step(['do_thumbnail', 'resample', ...sizeKeys], ({ backend, settings }, picture) => {
  if (!settings.do_thumbnail) return picture;
  const size = thumbnailSize(sizeOf(picture), exactSize(settings.size));
  const { resample = 'bilinear' } = settings;
  return resizePicture(picture, size, by(backend, backend === 'pil' && resample === 'nearest' ? 'bicubic' : resample));
});

/** PP-FormulaNet: likewise, always bicubic. */
export const thumbnailBicubic = step(['do_thumbnail', ...sizeKeys], ({ backend, settings }, picture) => {
  if (!settings.do_thumbnail) return picture;
  return resizePicture(picture, thumbnailSize(sizeOf(picture), exactSize(settings.size)), by(backend, 'bicubic'));
});

/** Nougat: likewise, always bicubic, and in Pillow with a gap. */
export const thumbnailNougat = step(['do_thumbnail', ...sizeKeys], ({ backend, settings }, picture) => {
  if (!settings.do_thumbnail) return picture;
  const size = thumbnailSize(sizeOf(picture), exactSize(settings.size));
  return resizePicture(picture, size, by(backend, 'bicubic'), backend === 'pil' ? 2 : undefined);
});

/** Donut: in the middle of `size`, 0 around it. */
export const padDonut = step(['do_pad', ...sizeKeys], ({ settings }, picture) =>
  settings.do_pad ? onCanvas(picture, exactSize(settings.size)) : picture,
);

/** Nougat: without its white margin. */
export const cropMargin = step(['do_crop_margin'], ({ backend, settings }, picture) => {
  if (!settings.do_crop_margin) return picture;
  const rgb = rendered(picture);
  return cropPicture(rgb, nougatMargin(rgb.image, backend));
});
