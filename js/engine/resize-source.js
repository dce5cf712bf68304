/** Rows of the picture that is resized, as the passes take them: copied, reduced, with colors as alpha asks for. */
import { bytesBetween } from '../arguments/index.js';
import { ready, scratch, scratchByte } from './module.js';

/** @import { Areas } from './resize-areas.js' */
/** @import { Reduction, Resizing } from './resizing.js' */

/**
 * Brings a part of the picture to the scratch area.
 * @type {(work: { resizing: Resizing, areas: Areas }, row: number, rows: number, column: number,
 *   columns: number, at: number) => void}
 */
export function stage({ resizing, areas }, row, rows, column, columns, at) {
  if (resizing.reduction) reduceRows(resizing, areas, row, rows, column, columns, at);
  else copyRows(resizing, row, rows, column, columns, at);
}

/**
 * @type {(resizing: Resizing, row: number, rows: number, column: number, columns: number, at: number
 *   ) => void}
 */
function copyRows({ image, alpha }, row, rows, column, columns, at) {
  const { data, channels, rowstride } = image;
  const bytes = columns * channels;
  const first = row * rowstride + column * channels;
  if (bytes === rowstride) {
    scratch.set(bytesBetween(data, first, first + rows * bytes), at);
  } else {
    for (let i = 0; i < rows; i++) {
      const from = first + i * rowstride;
      scratch.set(bytesBetween(data, from, from + bytes), at + i * bytes);
    }
  }
  const { changeAlpha, premultiply, onWhite } = ready();
  if (alpha) changeAlpha(alpha === 'white' ? onWhite : premultiply, channels, scratchByte + at, rows * columns);
}

/**
 * Makes rows of means of cells.
 * @type {(resizing: Resizing, areas: Areas, row: number, rows: number, column: number, columns: number,
 *   at: number) => void}
 */
function reduceRows(resizing, areas, row, rows, column, columns, at) {
  const { addRows, finishCells } = ready();
  const { image, sums } = resizing;
  const { factorX, factorY, left, top, right, bottom } = /** @type {Reduction} */ (resizing.reduction);
  const isFloat = sums === 'double';
  const from = left + column * factorX;
  const span = Math.min(right - from, columns * factorX);
  const channels = isFloat ? 1 : image.channels;
  for (let i = 0; i < rows; i++) {
    const first = top + (row + i) * factorY;
    const height = Math.min(bottom - first, factorY);
    for (let done = 0; done < height; done += areas.rawRows) {
      const some = Math.min(areas.rawRows, height - done);
      copyRows(resizing, first + done, some, from, span, areas.raw);
      const [raw, stride] = [scratchByte + areas.raw, span * image.channels];
      addRows(factorX, span, channels, isFloat, height, factorY, raw, stride, some, scratchByte + areas.sums);
    }
    const to = scratchByte + at + i * columns * image.channels;
    const isOpenCv = sums === 'opencv';
    finishCells(factorX, span, channels, isFloat, isOpenCv, height, factorY, scratchByte + areas.sums, to);
  }
}
