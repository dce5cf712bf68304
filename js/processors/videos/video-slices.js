/** MiniCPM: the slices of each frame, and sheets of the frames between two seconds. */
import { bytesOf, rangeError, spend } from '../../arguments/index.js';
import { move, planFor } from '../../engines/tensors/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import * as pictures from '../pictures/index.js';
import { int32, usualNumbers } from '../steps/index.js';
import { miniCpmSlices, stripColumns, writeSlice } from '../tiles/minicpm-slices.js';
import { timesBetween } from './sampling.js';
import { requireFrameCount, outputData } from './written-frames.js';

/** @import { Box } from '../../engines/tensors/types.js' */
/** @import { TensorData } from '../../tensor/types.js' */
/** @import { Grid } from '../tiles/grids.js' */
/** @import { Call, Picture, Size, VideoRule, VideoShape } from './types.js' */

/** Black pixels between two frames of a sheet: Python's `line_width`. */
const gap = 6;

/** The patches of a slice, side by side: numbers [3, patch, columns]. `gridSize`: the slice's, in patches
 * @typedef {{ data: TensorData, columns: number, gridSize: Size }} Strip */
/** A frame, or a sheet on which several frames lie, cut into slices. `grid`: [rows, columns] of slices, [0, 0] if it is
 * whole.
 * @typedef {{ strips: Strip[], grid: number[] }} SlicedFrame */

/** Cuts a frame or a sheet into slices as MiniCPM does with images, and the numbers of each slice into rows of patches
 * that lie side by side. Without `do_resize` a frame is only cropped to whole patches, and is one slice.
 * @type {(call: Call, frame: Picture) => SlicedFrame} */
function sliceFrame(call, frame) {
  const { patch_size: patch } = call.settings;
  const numbers = usualNumbers(call);
  const enlargesSmall = true;
  const { slices, grid } = call.settings.do_resize
    ? miniCpmSlices(call, frame, enlargesSmall)
    : { slices: [wholePatches(frame, patch)], grid: [0, 0] };
  const strips = slices.map((slice) => {
    const size = pictures.sizeOf(slice);
    const columns = stripColumns(size, patch);
    const data = newData(numbers.dtype, 3 * size.width * size.height, undefined);
    writeSlice(slice, numbers, { patch, columns }, bytesOf(data));
    return { data, columns, gridSize: pictures.both(size, (extent) => extent / patch) };
  });
  return { strips, grid };
}

/** Crops a frame on the right and at the bottom to whole patches; refuses one that is smaller than a patch.
 * @type {(frame: Picture, patch: number) => Picture} */
function wholePatches(frame, patch) {
  const inside = pictures.both(pictures.sizeOf(frame), (extent) => pictures.multipleBelow(extent, patch));
  pictures.checkSize(inside);
  return pictures.onTopLeft(frame, inside);
}

/** The size of a sheet of frames of this size, with the gaps between them. @type {(grid: Grid, frame: Size) => Size} */
const sheetSize = ({ columns, rows }, { width, height }) => ({
  width: columns * width + (columns - 1) * gap,
  height: rows * height + (rows - 1) * gap,
});

/** How far the ratio of a sheet is from that of a square. @type {(grid: Grid, frame: Size) => number} */
function distanceFromSquare(grid, frame) {
  const { width, height } = sheetSize(grid, frame);
  return Math.abs(width / Math.max(1, height) - 1);
}

/** The grid in which `count` frames of this size lie on a sheet, as in Python's `concat_frames_as_image`: 2 x 2 for
 * four; for two or three a row or a column, whichever sheet is nearer to a square; else a row. Of two equally good ones
 * two tall frames become a column, other frames a row.
 * @type {(count: number, size: Size) => Grid} */
function sheetGrid(count, frame) {
  const row = { rows: 1, columns: count };
  const column = { rows: count, columns: 1 };
  if (count === 4) return { rows: 2, columns: 2 };
  if (count > 4 || count === 1) return row;
  const rowDistance = distanceFromSquare(row, frame);
  const columnDistance = distanceFromSquare(column, frame);
  if (count === 2 && rowDistance === columnDistance) return frame.width >= frame.height ? row : column;
  return columnDistance < rowDistance ? column : row;
}

/** Makes a black sheet for `count` frames of this size. `add` writes a frame at a cell of the sheet's grid, counted row
 * by row; it returns the sheet as a picture when all frames are on it, and undefined before.
 * @type {(count: number, size: Size) => { add: (cell: number, frame: Picture) => Picture | undefined }} */
function openSheet(count, { width, height }) {
  const grid = sheetGrid(count, { width, height });
  const size = sheetSize(grid, { width, height });
  const data = newData(dtypes.uint8, 3 * size.width * size.height, undefined);
  let missingFrames = count;
  return {
    /** Writes a frame's pixels to its cell, with `gap` black pixels between cells. */
    add(cell, frame) {
      const column = cell % grid.columns;
      const row = Math.floor(cell / grid.columns);
      const [x, y] = [column * (width + gap), row * (height + gap)];
      // No step is reported of a frame on a sheet.
      const silent = { ...frame, onStep: undefined };
      pictures.writePixels(silent, pictures.byteNumbers, { ...size, x, y }, data);
      missingFrames -= 1;
      if (missingFrames > 0) return undefined;
      return pictures.pictureOf({ data, ...size, channels: 3, rowstride: 3 * size.width });
    },
  };
}

/** For each frame between two seconds, which come last in the video: the number of its sheet, its cell on the sheet,
 * and the number of frames on that sheet. All frames between the same two seconds share a sheet; without `stack_frames`
 * over 1 there are none.
 * @type {(call: Call, shape: VideoShape) => { sheet: number, cell: number, count: number }[]} */
function sheetCells({ settings }, shape) {
  const { stack_frames: stack, max_num_frames: maxFrames } = settings;
  if (stack <= 1) return [];
  const { duration, argument } = shape;
  if (duration === undefined)
    rangeError(`${argument} must have a duration in video_metadata where stack_frames is over 1, got undefined`);
  const seconds = timesBetween(duration, stack, maxFrames * (stack - 1)).map(Math.floor);
  // However small a frame is, to write it on a sheet takes 20 µs, as long as 16 kB.
  spend(2 ** 14 * seconds.length);
  /** @type {Map<number, number>} */
  const counts = new Map();
  const cells = seconds.map((sheet) => {
    const cell = counts.get(sheet) ?? 0;
    counts.set(sheet, cell + 1);
    return { sheet, cell };
  });
  return cells.map(({ sheet, cell }) => ({ sheet, cell, count: /** @type {number} */ (counts.get(sheet)) }));
}

/** The box that copies a strip [rows, columns] into rows of `rowLength` elements, which hold several strips side by
 * side. An axis of a box is [extent, stride in the strip, stride in the result].
 * @type {(strip: readonly number[], result: readonly number[]) => Box[]} */
const intoRows = ([rows, columns], [rowLength]) => [pictures.boxOf([rows, columns, rowLength], [columns, 1, 1])];

/** MiniCPM's rule: the slices of each frame, and of sheets of the frames between two seconds, as patches side by side.
 */
export const videoMiniCpm = /** @type {VideoRule<SlicedFrame[]>} */ ({
  reads: [
    'do_resize',
    'resample',
    ...usualNumbers.reads,
    'patch_size',
    'scale_resolution',
    'max_slice_nums',
    'slice_mode',
    'downsample_mode',
    'max_num_frames',
    'stack_frames',
  ],
  countsFrames: ({ settings }) => settings.stack_frames > 1,
  /** Begins a video. Frames of whole seconds come first and are cut into slices; those between two seconds are
   * collected on sheets, and a full sheet is cut like a frame. */
  open(call, shape) {
    const cells = sheetCells(call, shape);
    const firstOnSheet = cells.length > 0 ? requireFrameCount(shape, cells.length) - cells.length : Infinity;
    /** @type {SlicedFrame[]} */
    const frames = [];
    /** @type {SlicedFrame[]} */
    const sheets = [];
    /** @type {Map<number, ReturnType<typeof openSheet>>} */
    const openSheets = new Map();
    return {
      /** Cuts a frame, or lays it on its sheet. `index`: among the chosen frames, where those on sheets come last */
      put(index, frame) {
        if (index < firstOnSheet) {
          frames[index] = sliceFrame(call, frame);
          return;
        }
        const { sheet, cell, count } = cells[index - firstOnSheet];
        const current = openSheets.get(sheet) ?? openSheet(count, shape);
        openSheets.set(sheet, current);
        const fullSheet = current.add(cell, frame);
        if (!fullSheet) return;
        sheets[sheet] = sliceFrame(call, fullSheet);
        openSheets.delete(sheet);
      },
      /** Ends the video: each frame, followed by the sheet of its second if it has one. */
      close: () => frames.flatMap((frame, i) => (sheets[i] ? [frame, sheets[i]] : [frame])),
    };
  },
  /** The patches of all slices side by side, [1, 3, patch, columns]; the rows and columns of each slice's patches; the
   * grid of each frame or sheet, and its number of slices; and the number of frames and sheets of each video. */
  outputs(call, videos) {
    const { patch_size: patch } = call.settings;
    const { dtype } = usualNumbers(call);
    const slicedFrames = videos.flat();
    const strips = slicedFrames.flatMap((frame) => frame.strips);
    const allColumns = strips.reduce((sum, { columns }) => sum + columns, 0);
    const dims = [1, 3, patch, allColumns];
    const data = outputData(call, dtype, dims);
    let firstColumn = 0;
    for (const strip of strips) {
      const stripDims = [3 * patch, strip.columns];
      const plan = planFor(intoRows, dtype.bits, stripDims, [allColumns]);
      const firstByte = (firstColumn * dtype.bits) / 8;
      move(plan, [bytesOf(strip.data)], [bytesOf(data).subarray(firstByte)]);
      firstColumn += strip.columns;
    }
    return {
      pixel_values_videos: tensorOf(dtype, data, dims),
      target_sizes_videos: int32(strips.map(({ gridSize }) => [gridSize.height, gridSize.width])),
      grids_videos: int32(slicedFrames.map(({ grid }) => grid)),
      num_patches_per_frame: int32(slicedFrames.map((frame) => frame.strips.length)),
      num_frames_per_video: videos.map((videoFrames) => videoFrames.length),
    };
  },
});
