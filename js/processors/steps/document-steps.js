/** The steps of Donut, Nougat and PP-FormulaNet, which read documents. */
import * as pictures from '../pictures/index.js';
import { resizeMethodOf, resizing, sizeKeys, step } from './steps.js';

/** @import { Call, Picture, Size } from '../types.js' */

/** Turns a picture clockwise by a quarter if its longer side is not that of `size`, as Donut does; no square is turned,
 * and by a square `size` none. */
export const alignLongAxis = step(['do_align_long_axis', ...sizeKeys], ({ settings }, picture) => {
  // `size` is undefined where its value was refused but `do_resize` is off. In Python such a value is both sides of a
  // square, by which nothing is turned.
  if (!settings.do_align_long_axis || settings.size === undefined) return picture;
  const to = pictures.exactSize(settings.size);
  const size = pictures.sizeOf(picture);
  const turns = (isTall(to) && isWide(size)) || (isWide(to) && isTall(size));
  return turns ? pictures.turnPicture(picture) : picture;
});

/** @type {(size: Size) => boolean} */
const isTall = ({ width, height }) => width < height;
/** @type {(size: Size) => boolean} */
const isWide = ({ width, height }) => width > height;

/** Resizes the shorter side to the shorter one of `size`, as Donut does, in the picture's ratio. */
export const resizeDonut = resizing(sizeKeys, ({ settings }, size) => {
  const { width, height } = pictures.exactSize(settings.size);
  return pictures.shortestEdgeSize(size, Math.min(width, height));
});

/** Shrinks a picture into `size` if `do_thumbnail` is on. `reducingGap`: Pillow's option, by which the picture is
 * shrunk by whole factors first
 * @type {(call: Call, picture: Picture, filter: string, reducingGap?: number) => Picture} */
function makeThumbnail({ backend, settings }, picture, filter, reducingGap) {
  if (!settings.do_thumbnail) return picture;
  const size = pictures.thumbnailSize(pictures.sizeOf(picture), pictures.exactSize(settings.size));
  const method = resizeMethodOf(backend, filter);
  return pictures.resizePicture(picture, size, reducingGap === undefined ? method : { ...method, reducingGap });
}

/** Shrinks a picture into `size` by the filter `resample`, as Donut does. */
export const thumbnail = step(['do_thumbnail', 'resample', ...sizeKeys], (call, picture) => {
  const { resample = 'bilinear' } = call.settings;
  // Pillow's backend reads 0, nearest, as unset.
  const isUnset = call.backend === 'pil' && resample === 'nearest';
  return makeThumbnail(call, picture, isUnset ? 'bicubic' : resample);
});

/** Shrinks a picture into `size`, always bicubic, as PP-FormulaNet does. */
export const thumbnailBicubic = step(['do_thumbnail', ...sizeKeys], (call, picture) =>
  makeThumbnail(call, picture, 'bicubic'),
);

/** Shrinks a picture into `size`, always bicubic, as Nougat does: by Pillow's `thumbnail`, whose reducing gap is 2. */
export const thumbnailNougat = step(['do_thumbnail', ...sizeKeys], (call, picture) => {
  const reducingGap = call.backend === 'pil' ? 2 : undefined;
  return makeThumbnail(call, picture, 'bicubic', reducingGap);
});

/** Lays a picture in the middle of a black canvas of `size` if `do_pad` is on, as Donut does; crops a larger one. */
export const padDonut = step(['do_pad', ...sizeKeys], ({ settings }, picture) =>
  settings.do_pad ? pictures.onCanvas(picture, pictures.exactSize(settings.size)) : picture,
);

/** Crops a page's light margin if `do_crop_margin` is on, as Nougat does. */
export const cropMargin = step(['do_crop_margin'], ({ backend, settings }, picture) => {
  if (!settings.do_crop_margin) return picture;
  const rgb = pictures.rendered(picture);
  return pictures.cropPicture(rgb, pictures.nougatMargin(rgb.image, backend));
});
