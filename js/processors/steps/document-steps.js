/** The steps of Donut, Nougat and PP-FormulaNet, which read documents. */
import * as pictures from '../pictures/index.js';
import { by, resizing, sizeKeys, step } from './steps.js';

/** Donut: turned so that its longer side is that of `size`. */
export const alignLongAxis = step(['do_align_long_axis', ...sizeKeys], ({ settings }, picture) => {
  // A size that was refused has sides that are alike, as -1, by which Python turns nothing.
  if (!settings.do_align_long_axis || settings.size === undefined) return picture;
  const [to, pictureSize] = [pictures.exactSize(settings.size), pictures.sizeOf(picture)];
  const turns =
    (to.width < to.height && pictureSize.width > pictureSize.height) ||
    (to.width > to.height && pictureSize.width < pictureSize.height);
  return turns ? pictures.turnPicture(picture) : picture;
});

/** Donut: the shorter side becomes that of `size`. */
export const resizeDonut = resizing(sizeKeys, ({ settings }, size) => {
  const { width, height } = pictures.exactSize(settings.size);
  return pictures.shortestEdgeSize(size, Math.min(width, height));
});

/** Donut: within `size`. Pillow's backend takes nearest for unset. */
export const thumbnail = step(['do_thumbnail', 'resample', ...sizeKeys], ({ backend, settings }, picture) => {
  if (!settings.do_thumbnail) return picture;
  const size = pictures.thumbnailSize(pictures.sizeOf(picture), pictures.exactSize(settings.size));
  const { resample = 'bilinear' } = settings;
  return pictures.resizePicture(
    picture,
    size,
    by(backend, backend === 'pil' && resample === 'nearest' ? 'bicubic' : resample),
  );
});

/** PP-FormulaNet: likewise, always bicubic. */
export const thumbnailBicubic = step(['do_thumbnail', ...sizeKeys], ({ backend, settings }, picture) => {
  if (!settings.do_thumbnail) return picture;
  return pictures.resizePicture(
    picture,
    pictures.thumbnailSize(pictures.sizeOf(picture), pictures.exactSize(settings.size)),
    by(backend, 'bicubic'),
  );
});

/** Nougat: likewise, always bicubic, and in Pillow with a gap. */
export const thumbnailNougat = step(['do_thumbnail', ...sizeKeys], ({ backend, settings }, picture) => {
  if (!settings.do_thumbnail) return picture;
  const size = pictures.thumbnailSize(pictures.sizeOf(picture), pictures.exactSize(settings.size));
  return pictures.resizePicture(picture, size, by(backend, 'bicubic'), backend === 'pil' ? 2 : undefined);
});

/** Donut: in the middle of `size`, 0 around it. */
export const padDonut = step(['do_pad', ...sizeKeys], ({ settings }, picture) =>
  settings.do_pad ? pictures.onCanvas(picture, pictures.exactSize(settings.size)) : picture,
);

/** Nougat: without its white margin. */
export const cropMargin = step(['do_crop_margin'], ({ backend, settings }, picture) => {
  if (!settings.do_crop_margin) return picture;
  const rgb = pictures.rendered(picture);
  return pictures.cropPicture(rgb, pictures.nougatMargin(rgb.image, backend));
});
