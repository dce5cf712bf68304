/**
 * Resizing pixels, piece by piece through the scratch area. See cpp/resize for what the module does.
 *
 * A picture shrinks or grows in two passes: across its rows, and down its columns. Rows of the source come in slabs,
 * the first pass leaves some rows in the middle, and the second makes rows of the result, which leave at once. Where a
 * row is too long for this, it works in blocks of columns of the result.
 */
import { bytesBetween } from '../arguments/index.js';
import { ready, scratch, scratchByte } from './module.js';
import { areasFor, emitBytes } from './resize-areas.js';
import { stage } from './resize-source.js';
import { tableOf } from './resize-tables.js';

/** @import { Areas } from './resize-areas.js' */
/** @import { Table } from './resize-tables.js' */
/** @import { Emit, Image, Resizing } from './resizing.js' */

/**
 * Resizes a picture. Rows of the result leave through `emit`, from the first on; where they do not fit, block after
 * block of columns.
 * @param {Resizing} resizing
 * @param {Emit} emit
 */
export function resizePixels(resizing, emit) {
  const { columns, rows } = resizing;
  let block = columns.count;
  let areas = areasFor(resizing, block);
  // A single column of 65536 taps fits beside rows of as many taps: 12.1 MB at most, by the bounds in areasFor.
  while (areas.end > scratch.length - emitBytes && block > 1) {
    block = Math.ceil(block / 2);
    areas = areasFor(resizing, block);
  }
  if (resizing.reduction) scratch.fill(0, areas.sums, areas.raw);
  const pass =
    resizing.isNearest || rows.filter === undefined
      ? alongRows
      : resizing.isDownFirst || columns.filter === undefined
        ? downFirst
        : areas.isSparse
          ? acrossSparse
          : acrossFirst;
  for (let column = 0; column < columns.count; column += block) {
    const count = Math.min(block, columns.count - column);
    const across = tableOf(resizing, columns, column, count, areas.columns, true);
    const base = across.begin(across.first);
    const span = across.behind(across.end - 1) - base;
    for (let row = 0; row < rows.count; row += areas.tableRows) {
      const down = tableOf(resizing, rows, row, Math.min(areas.tableRows, rows.count - row), areas.rows, false);
      pass({ resizing, areas, across, base, span, down, emit });
    }
  }
}

/**
 * Everything that a pass needs.
 * @typedef {object} Work
 * @property {Resizing} resizing
 * @property {Areas} areas
 * @property {Table} across
 * @property {number} base the first column of the source that `across` needs
 * @property {number} span how many columns it needs
 * @property {Table} down
 * @property {Emit} emit
 */

/**
 * Rows that are not resized, or are single rows of the source.
 * @param {Work} work
 */
function alongRows(work) {
  const { resizing, areas, across, base, span, down } = work;
  const { channels } = resizing.image;
  const most = Math.min(areas.stageRows, areas.outRows);
  for (let row = down.first; row < down.end; row += most) {
    const rows = Math.min(most, down.end - row);
    if (!resizing.isNearest) {
      stage(work, down.begin(row), rows, base, span, areas.stage);
    } else {
      for (let i = 0; i < rows; i++) {
        const at = areas.stage + i * span * channels;
        const begin = down.begin(row + i);
        if (down.behind(row + i) > begin) stage(work, begin, 1, base, span, at);
        else scratch.fill(0, at, at + span * channels);
      }
    }
    if (across.address) passAcross(work, areas.stage, rows, areas.out, (across.end - across.first) * channels);
    finish(work, across.address ? areas.out : areas.stage, row, rows);
  }
}

/**
 * The pass across the rows first: rows in the middle stay until no further row needs them.
 * @param {Work} work
 */
function acrossFirst(work) {
  const { areas, base, span, down } = work;
  const { middleStride } = areas;
  const last = down.behind(down.end - 1);
  // Rows `begin` to `end` of the source lie in the middle.
  let [begin, end] = [0, 0];
  for (let row = down.first; row < down.end;) {
    const first = down.begin(row);
    const kept = Math.max(end - first, 0);
    if (kept > 0) {
      const from = areas.middle + (first - begin) * middleStride;
      scratch.copyWithin(areas.middle, from, from + kept * middleStride);
    }
    begin = first;
    end = first + kept;
    const until = Math.min(last, begin + areas.middleRows);
    while (end < until) {
      const rows = Math.min(areas.stageRows, until - end);
      stage(work, end, rows, base, span, areas.stage);
      passAcross(work, areas.stage, rows, areas.middle + (end - begin) * middleStride, middleStride);
      end += rows;
    }
    let next = row + 1;
    while (next < down.end && next - row < areas.outRows && down.behind(next) <= end) next++;
    passDown(work, row, next - row, begin, areas.middle, areas.out);
    finish(work, areas.out, row, next - row);
    row = next;
  }
}

/**
 * The pass across the rows first, of the rows alone that the result is made of. 1920 x 1080 pixels to 224 x 224 by two
 * rows each need 448 of 1080.
 * @param {Work} work
 */
function acrossSparse(work) {
  const { resizing, areas, base, span, down } = work;
  const { channels } = resizing.image;
  const { stage: at, middle, middleStride, stageRows, middleRows, outRows } = areas;
  for (let row = down.first; row < down.end;) {
    let [next, staged] = [row, 0];
    while (next < down.end && next - row < outRows) {
      const rows = down.behind(next) - down.begin(next);
      if (staged + rows > Math.min(stageRows, middleRows)) break;
      stage(work, down.begin(next), rows, base, span, at + staged * span * channels);
      // The rows that are there follow one another, and the table counts them alone: one call takes all.
      down.place?.(next, staged);
      staged += rows;
      next++;
    }
    passAcross(work, at, staged, middle, middleStride);
    passDown(work, row, next - row, 0, middle, areas.out);
    finish(work, areas.out, row, next - row);
    row = next;
  }
}

/**
 * The pass down the columns first, piece after piece of the rows that some rows of the result need.
 * @param {Work} work
 */
function downFirst(work) {
  const { resizing, areas, across, base, span, down } = work;
  const { channels } = resizing.image;
  const { resizeDown } = ready();
  for (let row = down.first; row < down.end; row += areas.bandRows) {
    const rows = Math.min(areas.bandRows, down.end - row);
    const begin = down.begin(row);
    const sourceRows = down.behind(row + rows - 1) - begin;
    for (let column = 0; column < span; column += areas.pieceColumns) {
      const columns = Math.min(areas.pieceColumns, span - column);
      stage(work, begin, sourceRows, base + column, columns, areas.stage);
      const bytes = columns * channels;
      const to = scratchByte + areas.middle + column * channels;
      const from = scratchByte + areas.stage;
      resizeDown(down.address, row - down.first, rows, begin, from, bytes, bytes, to, span * channels);
    }
    if (across.address) passAcross(work, areas.middle, rows, areas.out, (across.end - across.first) * channels);
    finish(work, across.address ? areas.out : areas.middle, row, rows);
  }
}

/**
 * Makes rows of the result's width of rows that lie side by side.
 * @type {(work: Work, from: number, rows: number, to: number, stride: number) => void}
 */
function passAcross({ resizing, areas, across, base, span }, from, rows, to, stride) {
  const { image, sums, columns } = resizing;
  const { channels } = image;
  const [table, source, destination] = [across.address, scratchByte + from, scratchByte + to];
  const { resizeAcross, openCvAcross } = ready();
  const tile = scratchByte + areas.tile;
  const width = span * channels;
  if (sums === 'opencv' && !resizing.isNearest) {
    const rule = /** @type {number} */ (columns.filter);
    openCvAcross(rule, table, base, span, channels, source, width, rows, destination, stride, tile);
  } else {
    resizeAcross(table, base, span, channels, source, width, rows, destination, stride, tile, areas.tileBytes);
  }
}

/**
 * Makes rows of the result of rows in the middle, the first of which is row `base` of the source.
 * @type {(work: Work, row: number, rows: number, base: number, from: number, to: number) => void}
 */
function passDown({ resizing, areas, across, down }, row, rows, base, from, to) {
  const { image, sums, columns, counted = image.channels } = resizing;
  const { resizeDown, openCvDown } = ready();
  const [table, first, source, destination] = [down.address, row - down.first, scratchByte + from, scratchByte + to];
  const { channels } = image;
  const bytes = (across.end - across.first) * channels;
  if (sums === 'opencv') {
    const rule = /** @type {number} */ (resizing.rows.filter);
    // OpenCV takes eight numbers of a whole row at a time, and what is left in another way.
    const grouped = Math.floor((columns.size * counted) / 8) * 8;
    const pixels = Math.floor(grouped / counted) - columns.first - across.first;
    const whole = Math.max(0, Math.min(bytes, pixels * channels + (grouped % counted)));
    openCvDown(rule, table, first, rows, base, source, areas.middleStride, bytes, whole, destination, bytes);
  } else {
    resizeDown(table, first, rows, base, source, areas.middleStride, bytes, destination, bytes);
  }
}

/**
 * Hands rows of the result on.
 * @type {(work: Work, at: number, row: number, rows: number) => void}
 */
function finish({ resizing, across, emit }, at, row, rows) {
  const columns = across.end - across.first;
  const { changeAlpha, unpremultiply } = ready();
  if (resizing.alpha === 'premultiplied')
    changeAlpha(unpremultiply, resizing.image.channels, scratchByte + at, rows * columns);
  emit(at, row, rows, across.first, columns);
}

/**
 * Resizes a picture into memory.
 * @param {Resizing} resizing
 * @param {Image} destination of the result's size, and as many channels as the picture
 */
export function resizeToBytes(resizing, { data, width, channels, rowstride }) {
  resizePixels(resizing, (at, row, rows, column, columns) => {
    const bytes = columns * channels;
    if (columns === width && bytes === rowstride) {
      data.set(bytesBetween(scratch, at, at + rows * bytes), row * rowstride);
    } else {
      for (let i = 0; i < rows; i++) {
        const from = at + i * bytes;
        data.set(bytesBetween(scratch, from, from + bytes), (row + i) * rowstride + column * channels);
      }
    }
  });
}
