/** Parts of pictures, which pass through the scratch area row after row, without gaps. */
import { bytesBetween } from '../../arguments/index.js';
import { scratch } from './module.js';

/** @import { Image } from './types.js' */

/** @typedef {{ row: number, rows: number, column: number, columns: number }} Part */

/** @type {(image: { width: number, height: number }) => Part} all of a picture */
export const fullPart = ({ width, height }) => ({ row: 0, rows: height, column: 0, columns: width });

/** @type {(image: Image, part: Part, at: number) => void} copies a part of the picture to the scratch area */
export function stageRows({ data, channels, rowstride }, { row, rows, column, columns }, at) {
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
}

/** @type {(image: Image, part: Part, at: number) => void} copies a part of the picture from the scratch area */
export function takeRows({ data, width, channels, rowstride }, { row, rows, column, columns }, at) {
  const bytes = columns * channels;
  if (columns === width && bytes === rowstride) {
    data.set(bytesBetween(scratch, at, at + rows * bytes), row * rowstride);
  } else {
    for (let i = 0; i < rows; i++) {
      const from = at + i * bytes;
      data.set(bytesBetween(scratch, from, from + bytes), (row + i) * rowstride + column * channels);
    }
  }
}

/** @type {(tile: Part) => Part[]} */
export function halves({ row, rows, column, columns }) {
  if (rows >= columns) {
    const half = Math.ceil(rows / 2);
    return [
      { row, rows: half, column, columns },
      { row: row + half, rows: rows - half, column, columns },
    ];
  }
  const half = Math.ceil(columns / 2);
  return [
    { row, rows, column, columns: half },
    { row, rows, column: column + half, columns: columns - half },
  ];
}
