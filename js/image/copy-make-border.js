/** Pixels with borders around them, as cv2.copyMakeBorder makes them. */
import { later, named, rangeError, readTable, readWhole, show, word } from '../arguments/index.js';
import { mostPixels, ready } from '../engines/images/index.js';
import { copyWindow, fillAround, rowOf } from './resizing/bars.js';
import { pixelOf, readBackgroundOption } from './resizing/background.js';
import { checkPixels, readBytePixels, readOutPixels } from './sources/pixels.js';
import { resultPixels } from './sources/target.js';

/** @import { BorderOptions, Pixels } from './types.js' */

const borders = /** @type {const} */ (['constant', 'replicate', 'reflect', 'reflect101', 'wrap']);
/** @typedef {typeof borders[number]} Border */

/**
 * Puts borders around pixels, as `cv2.copyMakeBorder` does.
 * @param {Pixels} image bytes of 1, 3 or 4 channels
 * @param {BorderOptions} [options]
 * @returns {{ data: Uint8Array | Uint8ClampedArray, width: number, height: number, channels: number }} with memory of
 *   its own, or over `out.data`
 * @example
 * const image = { data: Uint8Array.of(1, 2, 3), width: 3, height: 1 };
 * copyMakeBorder(image, { left: 2, right: 2, border: 'reflect101' }).data; // Uint8Array [3, 2, 1, 2, 3, 2, 1]
 */
export function copyMakeBorder(image, options) {
  return named('copyMakeBorder', () => {
    ready();
    const source = readBytePixels('image', image);
    const { border: kind, background, out, ...bars } = readTable(options, table);
    const outPixels = readOutPixels(out);
    const picture = checkPixels(source);
    const { channels } = picture;
    const pixel = pixelOf(background, channels);
    const width = bars.left + picture.width + bars.right;
    const height = bars.top + picture.height + bars.bottom;
    const { data, target } = resultPixels(outPixels, { isFloat: false, width, height }, picture);
    const { data: to, rowstride } = target;
    const size = { width: picture.width, height: picture.height };
    const window = { x: bars.left, y: bars.top, ...size };
    copyWindow(target, picture, { x: 0, y: 0, ...size }, window);
    if (kind === 'constant') {
      fillAround(to, rowstride, rowOf(pixel, width), { width, height }, window);
    } else {
      const framed = { ...bars, ...size };
      repeatColumns(to, rowstride, channels, kind, framed);
      repeatRows(to, rowstride, channels, kind, framed);
    }
    return { data, width, height, channels };
  });
}

/** Reads the width of a bar in pixels, from 0 to `mostPixels` (65,536).
 * @type {(argument: string, value: unknown) => number} */
function readBar(argument, value = 0) {
  const bar = Number(readWhole(argument, value));
  if (bar < 0 || bar > mostPixels) rangeError(`${argument} must be from 0 to ${mostPixels}, got ${show(value)}`);
  return bar;
}

const table = {
  top: readBar,
  bottom: readBar,
  left: readBar,
  right: readBar,
  border: word(borders, 'constant'),
  background: readBackgroundOption,
  out: later,
};

/** A picture in its result: the widths of the bars, and the picture's own size, in pixels.
 * @typedef {Record<'top' | 'bottom' | 'left' | 'right' | 'width' | 'height', number>} Framed */

/** Fills the bars to the left and to the right of a picture, which lies in `to` already, with its columns. `border`:
 * the rule by which a column is chosen for each column of a bar
 * @type {(to: Uint8Array, rowstride: number, channels: number, border: Border, framed: Framed) => void} */
function repeatColumns(to, rowstride, channels, border, { top, left, right, width, height }) {
  const firstByte = top * rowstride;
  const endByte = firstByte + height * rowstride;
  /** `x` is counted from the picture's first column. @type {(x: number) => void} */
  const copyColumn = (x) => {
    const from = (left + placeOf(border, x, width)) * channels;
    const at = (left + x) * channels;
    for (let row = firstByte; row < endByte; row += rowstride)
      for (let c = 0; c < channels; c++) to[row + at + c] = to[row + from + c];
  };
  for (let x = -left; x < 0; x++) copyColumn(x);
  for (let x = width; x < width + right; x++) copyColumn(x);
}

/** Fills the bars above and below a picture with the rows of `to`, whose left and right bars are filled already.
 * @type {(to: Uint8Array, rowstride: number, channels: number, border: Border, framed: Framed) => void} */
function repeatRows(to, rowstride, channels, border, { top, bottom, left, right, width, height }) {
  const rowBytes = (left + width + right) * channels;
  /** `y` is counted from the picture's first row. @type {(y: number) => void} */
  const copyRow = (y) => {
    const from = (top + placeOf(border, y, height)) * rowstride;
    to.copyWithin((top + y) * rowstride, from, from + rowBytes);
  };
  for (let y = -top; y < 0; y++) copyRow(y);
  for (let y = height; y < height + bottom; y++) copyRow(y);
}

/** Finds the pixel of a picture's row or column, of `extent` pixels, whose color a pixel of the border gets: OpenCV's
 * borderInterpolate. `i`: the border's pixel, counted from the picture's first one, so below 0 or not below `extent`
 * @type {(border: Border, i: number, extent: number) => number} */
function placeOf(border, i, extent) {
  if (border === 'replicate') return i < 0 ? 0 : extent - 1;
  if (border === 'wrap') return positiveRemainder(i, extent);
  if (extent === 1) return 0; // there is no other pixel, and the period below would be 0 for 'reflect101'
  // The picture and its mirror repeat: cba|abc|cba, or with 'reflect101', where the edge's pixel stands once,
  // cb|abc|ba.
  const skipped = border === 'reflect101' ? 1 : 0;
  const period = 2 * (extent - skipped);
  const place = positiveRemainder(i, period);
  return place < extent ? place : period - place - 1 + skipped;
}

/** The remainder of a division, from 0 on for negative numbers too. @type {(i: number, period: number) => number} */
const positiveRemainder = (i, period) => ((i % period) + period) % period;
