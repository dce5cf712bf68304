/**
 * Resizing pixels, piece by piece through the scratch area. See cpp/resize for what the module does.
 *
 * A picture shrinks or grows in two passes: across its rows, and down its columns. Rows of the source come in slabs,
 * the first pass leaves some rows in the middle, and the second makes rows of the result, which leave at once. Where a
 * row is too long for this, it works in blocks of columns of the result.
 */
import { bytesBetween } from '../arguments/index.js';
import { ready, scratch, scratchByte, scratchViews } from './module.js';

/**
 * An image: interleaved bytes, row after row.
 * @typedef {object} Image
 * @property {Uint8Array} data
 * @property {number} width
 * @property {number} height
 * @property {number} channels bytes of a pixel: 1 to 4
 * @property {number} rowstride bytes from one row to the next
 */

/**
 * One axis of a picture and of its result, of which the pixels `first` to `first + count` are made.
 * @typedef {object} ResizeAxis
 * @property {number} [filter] a code that the module exports; undefined where nothing changes: then pixel i of the
 *   result is pixel `from` + i of the source
 * @property {number} extent pixels of the source
 * @property {number} from the part of the source that becomes the result, float32 numbers
 * @property {number} to
 * @property {number} size pixels of the whole result
 * @property {number} first
 * @property {number} count
 * @property {number} [precision] of the weights, once it is known
 */

/**
 * A picture to resize, and how.
 * @typedef {object} Resizing
 * @property {Image} image whose channels are 4 in mode F, one float32
 * @property {'pillow' | 'torch' | 'double'} sums how a pass sums: bytes by Pillow's weights or by torch's, or float32
 * @property {boolean} isNearest whether the filters of both axes are nearest
 * @property {boolean} isDownFirst whether the pass down the columns comes first
 * @property {ResizeAxis} columns
 * @property {ResizeAxis} rows
 * @property {'premultiplied' | 'white' | undefined} alpha what becomes of the last channel: colours are multiplied with
 *   it before, and divided by it behind; or the picture lies on white
 * @property {Reduction} [reduction] what comes before: the axes' source is its result
 */

/**
 * A picture made smaller by whole factors, by the means of cells.
 * @typedef {object} Reduction
 * @property {number} factorX pixels of a cell
 * @property {number} factorY
 * @property {number} left the part of the picture that cells cover
 * @property {number} top
 * @property {number} right
 * @property {number} bottom
 */

/**
 * Rows of the result, or a block of their columns, in the scratch area from byte `at` on, one row after the other.
 * @callback Emit
 * @param {number} at
 * @param {number} row
 * @param {number} rows
 * @param {number} column
 * @param {number} columns
 * @returns {void}
 */

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
 * The most pixels of a side, of the picture and of the result: the taps of one pixel have to fit into the scratch area.
 */
export const mostPixels = 2 ** 16;

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
 * @property {number} pieceColumns where the pass down comes first: columns that are staged at once
 * @property {number} middle rows between the passes
 * @property {number} middleRows
 * @property {number} bandRows where the pass down comes first: rows of the result that are made at once
 * @property {number} out rows of the result
 * @property {number} outRows
 * @property {number} end
 */

/**
 * How many rows to stage at once: whole groups, but for very long rows.
 * @type {(rowBytes: number) => number}
 */
const rowsFor = (rowBytes) =>
  groupRows * rowBytes <= mostGroupBytes
    ? groupRows * Math.max(1, Math.floor(areaBytes / rowBytes / groupRows))
    : Math.max(1, Math.floor(mostGroupBytes / rowBytes));

/**
 * @param {string} name
 * @param {Resizing} resizing
 * @param {number} block columns of the result that are made at once
 * @returns {Areas}
 */
function areasFor(name, { image, sums, columns, rows, reduction }, block) {
  const { mostTaps, tableBytes, acrossTileBytes } = ready(name);
  /** @type {(axis: ResizeAxis, pixels: number) => { taps: number, span: number }} */
  const reach = ({ filter, extent, from, to, size }, pixels) => {
    if (filter === undefined) return { taps: 1, span: pixels };
    const taps = mostTaps(filter, extent, from, to, size);
    return { taps, span: Math.min(extent, Math.ceil((pixels * (to - from)) / size) + taps + 1) };
  };
  const { channels } = image;
  const across = reach(columns, block);
  const [rowBytes, outBytes] = [across.span * channels, block * channels];
  const stageRows = rowsFor(rowBytes);
  let bandRows = groupRows;
  while (bandRows > 1 && reach(rows, bandRows).span > 2 ** 14) bandRows /= 2;
  const down = reach(rows, bandRows);
  const pieceColumns = Math.max(4, Math.min(across.span, Math.floor(bandBytes / (down.span * channels))));
  // Twice a window, so that rows that stay are copied as often as others come in.
  const middleRows = Math.max(Math.floor((2 * areaBytes) / outBytes), down.taps + Math.max(down.taps, stageRows));
  /** @type {(axis: ResizeAxis, pixels: number) => number} */
  const bytesOfTable = ({ filter, extent, from, to, size }, pixels) =>
    filter === undefined ? 0 : tableBytes(filter, extent, from, to, size, pixels);
  let tableRows = rows.count;
  while (tableRows > 1 && bytesOfTable(rows, tableRows) > areaBytes) tableRows = Math.ceil(tableRows / 2);
  const outRows = rowsFor(outBytes);
  const rawBytes = reduction ? across.span * reduction.factorX * channels : 0;
  const rawRows = 2 * Math.max(1, Math.floor(areaBytes / (2 * rawBytes + 1)));

  let end = 0;
  const take = (/** @type {number} */ bytes, place = 0) => {
    const at = end + place;
    end += Math.ceil((bytes + place + slack) / 512) * 512;
    return at;
  };
  const tileBytes = acrossTileBytes(across.taps, channels);
  return {
    columns: take(bytesOfTable(columns, block)),
    rows: take(bytesOfTable(rows, tableRows)),
    tableRows,
    tile: take(tileBytes),
    tileBytes,
    sums: take(sums === 'double' ? 2 * rawBytes : 4 * rawBytes),
    raw: take(rawRows * rawBytes),
    rawRows,
    stage: take(Math.max(stageRows * rowBytes, down.span * pieceColumns * channels)),
    stageRows,
    pieceColumns,
    middle: take(Math.max(middleRows * outBytes, bandRows * rowBytes), apart),
    middleRows,
    bandRows,
    out: take(outRows * outBytes, 2 * apart),
    outRows,
    end,
  };
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
 * Brings a part of the picture to the scratch area.
 * @type {(work: Work, row: number, rows: number, column: number, columns: number, at: number) => void}
 */
function stage({ name, resizing, areas }, row, rows, column, columns, at) {
  if (resizing.reduction) reduceRows(name, resizing, areas, row, rows, column, columns, at);
  else copyRows(name, resizing, row, rows, column, columns, at);
}

/**
 * @type {(name: string, resizing: Resizing, row: number, rows: number, column: number, columns: number, at: number
 *   ) => void}
 */
function copyRows(name, { image, alpha }, row, rows, column, columns, at) {
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
  const { changeAlpha, premultiply, onWhite } = ready(name);
  if (alpha) changeAlpha(alpha === 'white' ? onWhite : premultiply, channels, scratchByte + at, rows * columns);
}

/**
 * Makes rows of means of cells.
 * @type {(name: string, resizing: Resizing, areas: Areas, row: number, rows: number, column: number, columns: number,
 *   at: number) => void}
 */
function reduceRows(name, resizing, areas, row, rows, column, columns, at) {
  const { addRows, finishCells } = ready(name);
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
      copyRows(name, resizing, first + done, some, from, span, areas.raw);
      const [raw, stride] = [scratchByte + areas.raw, span * image.channels];
      addRows(factorX, span, channels, isFloat, height, factorY, raw, stride, some, scratchByte + areas.sums);
    }
    const to = scratchByte + at + i * columns * image.channels;
    finishCells(factorX, span, channels, isFloat, height, factorY, scratchByte + areas.sums, to);
  }
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

/**
 * @param {string} name of the public function that was called
 * @param {string} filter its name in cpp/resize/filters.def
 * @returns {number}
 */
export const filterCode = (name, filter) => /** @type {any} */ (ready(name))[`filter${filter}`];
