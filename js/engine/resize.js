/**
 * Resizing pixels, piece by piece through the scratch area. See cpp/resize for what the module does.
 *
 * A picture shrinks or grows in two passes: across its rows, and down its columns. Rows of the source come in slabs,
 * the first pass leaves some rows in the middle, and the second makes rows of the result, which leave at once. Where a
 * row is too long for this, it works in blocks of columns of the result.
 */
import { bytesBetween } from '../arguments/index.js';
import { ready, scratch, scratchByte, scratchViews } from './module.js';
import { areasFor, emitBytes } from './resize-areas.js';
import { stage } from './resize-source.js';

/** @import { Areas } from './resize-areas.js' */
/** @import { Emit, Image, ResizeAxis, Resizing } from './resizing.js' */

/**
 * Resizes a picture. Rows of the result leave through `emit`, from the first on; where they do not fit, block after
 * block of columns.
 * @param {string} name of the public function that was called
 * @param {Resizing} resizing
 * @param {Emit} emit
 */
export function resizePixels(name, resizing, emit) {
  const { columns, rows } = resizing;
  let block = columns.count;
  let areas = areasFor(name, resizing, block);
  // A single column of 65536 taps fits beside rows of as many taps: 12.1 MB at most, by the bounds in areasFor.
  while (areas.end > scratch.length - emitBytes && block > 1) {
    block = Math.ceil(block / 2);
    areas = areasFor(name, resizing, block);
  }
  if (resizing.reduction) scratch.fill(0, areas.sums, areas.raw);
  const pass =
    resizing.isNearest || rows.filter === undefined
      ? alongRows
      : resizing.isDownFirst || columns.filter === undefined
        ? downFirst
        : acrossFirst;
  for (let column = 0; column < columns.count; column += block) {
    const count = Math.min(block, columns.count - column);
    const across = tableOf(name, resizing, columns, column, count, areas.columns);
    const base = across.begin(across.first);
    const span = across.behind(across.end - 1) - base;
    for (let row = 0; row < rows.count; row += areas.tableRows) {
      const down = tableOf(name, resizing, rows, row, Math.min(areas.tableRows, rows.count - row), areas.rows);
      pass({ name, resizing, areas, across, base, span, down, emit });
    }
  }
}

/**
 * The taps of some pixels of an axis, by their places in the part of the result that is made.
 * @typedef {object} Table
 * @property {number} address of the table in the module; 0 where nothing changes
 * @property {number} first
 * @property {number} end
 * @property {(pixel: number) => number} begin the first of a pixel's taps
 * @property {(pixel: number) => number} behind the one behind its last tap
 */

/**
 * Everything that a pass needs.
 * @typedef {object} Work
 * @property {string} name
 * @property {Resizing} resizing
 * @property {Areas} areas
 * @property {Table} across
 * @property {number} base the first column of the source that `across` needs
 * @property {number} span how many columns it needs
 * @property {Table} down
 * @property {Emit} emit
 */

/** @type {(name: string, resizing: Resizing, axis: ResizeAxis, first: number, count: number, at: number) => Table} */
function tableOf(name, { sums }, axis, first, count, at) {
  const { filter, extent, from, to, size } = axis;
  const end = first + count;
  if (filter === undefined) {
    const begin = (/** @type {number} */ pixel) => from + axis.first + pixel;
    return { address: 0, first, end, begin, behind: (pixel) => begin(pixel) + 1 };
  }
  const address = scratchByte + at;
  const { makeTaps, sumPillow, sumTorch, sumDouble } = ready(name);
  axis.precision = makeTaps(
    filter,
    { pillow: sumPillow, torch: sumTorch, double: sumDouble }[sums],
    extent,
    from,
    to,
    size,
    axis.first + first,
    count,
    axis.precision ?? -1,
    address,
  );
  // Four words of a head, and four words a pixel, which begin with the first tap and the number of taps.
  const words = scratchViews.Int32Array;
  const entry = at / 4 + 4 - 4 * first;
  const begin = (/** @type {number} */ pixel) => words[entry + 4 * pixel];
  return { address, first, end, begin, behind: (pixel) => begin(pixel) + words[entry + 4 * pixel + 1] };
}

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
    if (across.address) passAcross(work, areas.stage, rows, areas.out);
    finish(work, across.address ? areas.out : areas.stage, row, rows);
  }
}

/**
 * The pass across the rows first: rows in the middle stay until no further row needs them.
 * @param {Work} work
 */
function acrossFirst(work) {
  const { name, resizing, areas, across, base, span, down } = work;
  const { channels } = resizing.image;
  const { resizeDown } = ready(name);
  const rowBytes = (across.end - across.first) * channels;
  const last = down.behind(down.end - 1);
  // Rows `begin` to `end` of the source lie in the middle.
  let [begin, end] = [0, 0];
  for (let row = down.first; row < down.end;) {
    const first = down.begin(row);
    const kept = Math.max(end - first, 0);
    if (kept > 0) {
      const from = areas.middle + (first - begin) * rowBytes;
      scratch.copyWithin(areas.middle, from, from + kept * rowBytes);
    }
    begin = first;
    end = first + kept;
    const until = Math.min(last, begin + areas.middleRows);
    while (end < until) {
      const rows = Math.min(areas.stageRows, until - end);
      stage(work, end, rows, base, span, areas.stage);
      passAcross(work, areas.stage, rows, areas.middle + (end - begin) * rowBytes);
      end += rows;
    }
    let next = row + 1;
    while (next < down.end && next - row < areas.outRows && down.behind(next) <= end) next++;
    const to = scratchByte + areas.out;
    const from = scratchByte + areas.middle;
    resizeDown(down.address, row - down.first, next - row, begin, from, rowBytes, rowBytes, to, rowBytes);
    finish(work, areas.out, row, next - row);
    row = next;
  }
}

/**
 * The pass down the columns first, piece after piece of the rows that some rows of the result need.
 * @param {Work} work
 */
function downFirst(work) {
  const { name, resizing, areas, across, base, span, down } = work;
  const { channels } = resizing.image;
  const { resizeDown } = ready(name);
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
    if (across.address) passAcross(work, areas.middle, rows, areas.out);
    finish(work, across.address ? areas.out : areas.middle, row, rows);
  }
}

/**
 * Makes rows of the result's width of rows that lie side by side.
 * @type {(work: Work, from: number, rows: number, to: number) => void}
 */
function passAcross({ name, resizing, areas, across, base, span }, from, rows, to) {
  const { channels } = resizing.image;
  const [source, destination] = [scratchByte + from, scratchByte + to];
  const rowBytes = (across.end - across.first) * channels;
  const { resizeAcross } = ready(name);
  const tile = scratchByte + areas.tile;
  resizeAcross(
    across.address,
    base,
    span,
    channels,
    source,
    span * channels,
    rows,
    destination,
    rowBytes,
    tile,
    areas.tileBytes,
  );
}

/**
 * Hands rows of the result on.
 * @type {(work: Work, at: number, row: number, rows: number) => void}
 */
function finish({ name, resizing, across, emit }, at, row, rows) {
  const columns = across.end - across.first;
  const { changeAlpha, unpremultiply } = ready(name);
  if (resizing.alpha === 'premultiplied')
    changeAlpha(unpremultiply, resizing.image.channels, scratchByte + at, rows * columns);
  emit(at, row, rows, across.first, columns);
}

/**
 * Resizes a picture into memory.
 * @param {string} name of the public function that was called
 * @param {Resizing} resizing
 * @param {Image} destination of the result's size, and as many channels as the picture
 */
export function resizeToBytes(name, resizing, { data, width, channels, rowstride }) {
  resizePixels(name, resizing, (at, row, rows, column, columns) => {
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
