/** A part of a picture, as Pillow's crop makes it. */
import { later, named, rangeError, readTable, showList } from '../arguments/index.js';
import { ready } from '../engines/images/index.js';
import { commonWindow, copyWindow } from './resizing/bars.js';
import { readEdges } from './resizing/box.js';
import { checkPixels, readPixels } from './sources/pixels.js';
import { roundHalfToEven } from './resizing/size.js';
import { resultPixels } from './sources/target.js';

/** @import { Image } from '../engines/images/types.js' */
/** @import { CropOptions, ResizablePixels, ResizedPixels } from './types.js' */

/**
 * Takes a part of pixels, as Pillow's `Image.crop` of modes L, LA, RGB, RGBA and F does. The part is a `box`, the name
 * and the form of Pillow's argument and of `resize`'s option. torchvision's `crop(top, left, height, width)` is the box
 * `[left, top, left + width, top + height]`. Pixels beyond the picture are 0 in all channels, alpha too, as with both
 * libraries; `copyMakeBorder` has other borders.
 * @param {ResizablePixels} image
 * @param {CropOptions} options
 * @returns {ResizedPixels} a copy in memory of its own, or over `out.data`
 * @example
 * const image = { data: Uint8Array.of(1, 2, 3, 4, 5, 6), width: 3, height: 2 };
 * crop(image, { box: [1, 1, 4, 2] }).data; // Uint8Array [5, 6, 0]
 */
export function crop(image, options) {
  return named('crop', () => {
    ready();
    const source = readPixels('image', image, 'resizable');
    const { box: window, out } = readTable(options, table);
    const outPixels = out === undefined ? undefined : readPixels('out', out, 'resizable');
    const picture = checkPixels(source);
    const { isFloat } = source;
    const { width, height } = window;
    const { data, channels, target } = resultPixels(outPixels, { isFloat, width, height }, picture);
    const wholePicture = { x: 0, y: 0, width: picture.width, height: picture.height };
    const part = commonWindow(window, wholePicture);
    const isBeyond = part.width < width || part.height < height;
    // Beyond the picture the result is 0, as new memory is already. Padding between the rows of `out` stays.
    if (outPixels && isBeyond) clearRows(target);
    copyWindow(target, picture, part, { x: part.x - window.x, y: part.y - window.y });
    return { data, width, height, channels };
  });
}

/** Sets all pixels of an image to 0, but not the bytes between its rows.
 * @type {(image: Image) => void} */
function clearRows({ data, width, height, channels, rowstride }) {
  const rowBytes = width * channels;
  for (let y = 0; y < height; y++) data.fill(0, y * rowstride, y * rowstride + rowBytes);
}

/** Reads a box and rounds its edges half to even, as Pillow does. It may reach beyond the picture.
 * @type {(name: string, value: unknown) => import('./types.js').Window} */
function readWindow(_, value) {
  const edges = readEdges(value);
  if (!edges.every(Number.isFinite)) rangeError(`box must hold finite numbers, got ${showList(edges)}`);
  const [x, y, right, bottom] = edges.map(roundHalfToEven);
  if (!(right > x && bottom > y)) rangeError(`box must hold at least one pixel, got ${showList(edges)}`);
  return { x, y, width: right - x, height: bottom - y };
}

const table = { box: readWindow, out: later };
