/** Parts of pictures, which pass through the module's memory row after row, without gaps. In the picture itself rows
 * begin `rowstride` bytes apart. */
import { bytesBetween } from '../../arguments/index.js';
import { area } from './module.js';

/** @import { Image } from './types.js' */

/** A rectangle of a picture: its first row and how many rows it has, likewise of columns.
 * @typedef {{ row: number, rows: number, column: number, columns: number }} Part */

/** Gives the part that is all of a picture.
 * @type {(image: { width: number, height: number }) => Part} */
export const fullPart = ({ width, height }) => ({ row: 0, rows: height, column: 0, columns: width });

/** Copies a part of a picture to an address in the module, without gaps between rows.
 * @type {(image: Image, part: Part, at: number) => void} */
export function stageRows({ data, channels, rowstride }, { row, rows, column, columns }, at) {
  const rowBytes = columns * channels;
  const memory = area.view(Uint8Array, at, rows * rowBytes);
  const first = row * rowstride + column * channels;
  const isContiguous = rowBytes === rowstride;
  if (isContiguous) {
    memory.set(bytesBetween(data, first, first + rows * rowBytes));
  } else {
    for (let i = 0; i < rows; i++) {
      const from = first + i * rowstride;
      memory.set(bytesBetween(data, from, from + rowBytes), i * rowBytes);
    }
  }
}

/** Copies rows without gaps from an address in the module to their part of a picture.
 * @type {(image: Image, part: Part, at: number) => void} */
export function takeRows({ data, width, channels, rowstride }, { row, rows, column, columns }, at) {
  const rowBytes = columns * channels;
  const memory = area.view(Uint8Array, at, rows * rowBytes);
  const isContiguous = columns === width && rowBytes === rowstride;
  if (isContiguous) {
    data.set(memory, row * rowstride);
  } else {
    for (let i = 0; i < rows; i++) {
      const from = i * rowBytes;
      const to = (row + i) * rowstride + column * channels;
      data.set(bytesBetween(memory, from, from + rowBytes), to);
    }
  }
}

/** Cuts a part of a picture in two across its longer side; of an odd number of rows or columns the first gets one more.
 * @type {(tile: Part) => Part[]} */
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
