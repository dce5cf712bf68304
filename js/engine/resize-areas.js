/** Where rows and tables lie in the scratch area while pixels are resized, and how much fits into each part. */
import { ready } from './module.js';

/** @import { ResizeAxis, Resizing } from './resizing.js' */

/** What `emit` may use at the end of the scratch area. */
export const emitBytes = 2 ** 20;

/**
 * Bytes of the areas: rows of the source, rows in the middle, rows of the result. Twice and a quarter of the first make
 * it slower by a seventh (measured).
 */
const areaBytes = 256 * 2 ** 10;
/**
 * Bytes of the source that are staged at once where the pass down comes first: most rows come whole, in one copy.
 * Pieces of 256 KB took 1.5 times as long (measured).
 */
const bandBytes = 2 ** 20;
/** Rows that the pass across the rows takes at once. */
const groupRows = 16;
/** The most that a group of rows may take before less than a group is staged at a time. */
const mostGroupBytes = 2 ** 21;
/** Bytes behind an area that a kernel may read. */
const slack = 64;
/**
 * How far apart two areas begin, modulo 512, where one is read while the other is written: a load waits for an earlier
 * store whose address ends in nearly the same 12 bits. Rows of 1024 pixels took twice as long (measured).
 */
const apart = 288;

/**
 * Where everything lies in the scratch area, in bytes from its start, and how much fits into each part.
 * @typedef {object} Areas
 * @property {number} columns the table of the columns
 * @property {number} rows the table of the rows, of which there are `tableRows` at a time
 * @property {number} tableRows
 * @property {number} tile what the pass across the rows works in
 * @property {number} tileBytes
 * @property {number} sums of cells
 * @property {number} raw rows that cells are made of
 * @property {number} rawRows
 * @property {number} stage rows of the source
 * @property {number} stageRows
 * @property {boolean} isSparse whether no row of the source belongs to two of the result: then some may belong to none
 * @property {number} pieceColumns where the pass down comes first: columns that are staged at once
 * @property {number} middle rows between the passes
 * @property {number} middleStride bytes from one of them to the next
 * @property {number} middleRows
 * @property {number} bandRows where the pass down comes first: rows of the result that are made at once
 * @property {number} out rows of the result
 * @property {number} outRows
 * @property {number} end
 */

/**
 * Pixels of the source for one of the result.
 * @type {(axis: ResizeAxis) => number}
 */
const stepOf = ({ from, to, size, factor }) => (factor === undefined ? (to - from) / size : 1 / factor);

/**
 * How many rows to stage at once: whole groups, but for very long rows.
 * @type {(rowBytes: number) => number}
 */
const rowsFor = (rowBytes) =>
  groupRows * rowBytes <= mostGroupBytes
    ? groupRows * Math.max(1, Math.floor(areaBytes / rowBytes / groupRows))
    : Math.max(1, Math.floor(mostGroupBytes / rowBytes));

/**
 * The bytes of a table of some pixels.
 * @param {Resizing['sums']} sums
 * @param {ResizeAxis} axis
 * @param {number} pixels
 * @returns {number}
 */
export function bytesOfTable(sums, { filter, extent, from, to, size, factor = 1 }, pixels) {
  if (filter === undefined) return 0;
  const { tableBytes, openCvTableBytes } = ready();
  return sums === 'opencv'
    ? openCvTableBytes(filter, extent, size, factor, pixels)
    : tableBytes(filter, extent, from, to, size, pixels);
}

/**
 * Plans the areas for blocks of some columns.
 * @param {Resizing} resizing
 * @param {number} block columns of the result that are made at once
 * @returns {Areas}
 */
export function areasFor({ image, sums, columns, rows, reduction }, block) {
  const { mostTaps, mostOpenCvTaps, acrossTileBytes, openCvTileBytes } = ready();
  const isOpenCv = sums === 'opencv';
  /** @type {(axis: ResizeAxis, pixels: number) => { taps: number, span: number }} */
  const reach = (axis, pixels) => {
    const { filter, extent, from, to, size, factor = 1 } = axis;
    if (filter === undefined) return { taps: 1, span: pixels };
    const taps = isOpenCv ? mostOpenCvTaps(filter, extent, size, factor) : mostTaps(filter, extent, from, to, size);
    return { taps, span: Math.min(extent, Math.ceil(pixels * stepOf(axis)) + taps + 1) };
  };
  const { channels } = image;
  const across = reach(columns, block);
  const [rowBytes, outBytes] = [across.span * channels, block * channels];
  // OpenCV's sums have four bytes, and rows of three channels end four bytes later.
  const middleStride = isOpenCv ? 4 * outBytes + 16 : outBytes;
  let bandRows = groupRows;
  while (bandRows > 1 && reach(rows, bandRows).span > 2 ** 14) bandRows /= 2;
  const down = reach(rows, bandRows);
  const isSparse = rows.filter !== undefined && !reduction && down.taps < rows.extent && stepOf(rows) >= down.taps;
  const stageRows = Math.max(rowsFor(isOpenCv ? Math.max(rowBytes, middleStride) : rowBytes), isSparse ? down.taps : 1);
  const pieceColumns = Math.max(4, Math.min(across.span, Math.floor(bandBytes / (down.span * channels))));
  // Twice a window, so that rows that stay are copied as often as others come in.
  const middleRows = Math.max(Math.floor((2 * areaBytes) / middleStride), down.taps + Math.max(down.taps, stageRows));
  const tableBytes = (/** @type {ResizeAxis} */ axis, /** @type {number} */ pixels) => bytesOfTable(sums, axis, pixels);
  let tableRows = rows.count;
  while (tableRows > 1 && tableBytes(rows, tableRows) > areaBytes) tableRows = Math.ceil(tableRows / 2);
  const outRows = rowsFor(outBytes);
  const rawBytes = reduction ? across.span * reduction.factorX * channels : 0;
  const rawRows = 2 * Math.max(1, Math.floor(areaBytes / (2 * rawBytes + 1)));

  let end = 0;
  const take = (/** @type {number} */ bytes, place = 0) => {
    const at = end + place;
    end += Math.ceil((bytes + place + slack) / 512) * 512;
    return at;
  };
  const tileBytes = isOpenCv ? openCvTileBytes(across.span, channels) : acrossTileBytes(across.taps, channels);
  return {
    columns: take(tableBytes(columns, block)),
    rows: take(tableBytes(rows, tableRows)),
    tableRows,
    tile: take(tileBytes),
    tileBytes,
    sums: take(sums === 'double' ? 2 * rawBytes : 4 * rawBytes),
    raw: take(rawRows * rawBytes),
    rawRows,
    stage: take(Math.max(stageRows * rowBytes, down.span * pieceColumns * channels)),
    stageRows,
    isSparse,
    pieceColumns,
    middle: take(Math.max(middleRows * middleStride, bandRows * rowBytes), apart),
    middleStride,
    middleRows,
    bandRows,
    out: take(outRows * outBytes, 2 * apart),
    outRows,
    end,
  };
}
