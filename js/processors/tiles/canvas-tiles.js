/** Processors whose tiles lie on a canvas, or in samples of several images. */
import { largest, rangeError } from '../../arguments/index.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import { canvasGrid } from './grids.js';
import {
  bestResolution,
  canvasSize,
  cropPicture,
  edgeOf,
  evenSize,
  exactSize,
  insideSize,
  onTopLeft,
  rendered,
  sizeOf,
  square,
  squareSide,
  tiledSize,
} from '../pictures/index.js';
import * as steps from '../steps/index.js';
import { splitTiles, tilesOf } from './tiles.js';

/** @import { Call, Make, Outputs, Picture, Size, SizeSetting } from '../types.js' */

/** Stacks the tiles of each picture's canvas, [samples, images, max_image_tiles, 3, side, side] with zeros where there
 * are none, and says which grid each picture has, as Mllama does. */
export const makeMllama = steps.withSettings(
  [...steps.resize.reads, ...steps.usualNumbers.reads, 'do_pad', 'max_image_tiles'],
  (call, pictures) => {
    const { settings, samples } = call;
    const { max_image_tiles: maxTiles } = settings;
    const side = squareSide(settings.size);
    steps.needs({ ...call, settings: call.file }, 'do_pad');
    const chosen = pictures.map((picture) => canvasGrid(sizeOf(picture), side, maxTiles));
    const tiles = pictures.map((picture, i) => {
      const canvas = { width: chosen[i].grid.columns * side, height: chosen[i].grid.rows * side };
      const large = onTopLeft(steps.resizeTo(call, picture, canvasSize(sizeOf(picture), canvas, side)), canvas);
      return tilesOf(rendered(large), side);
    });
    // Where each image lies in [samples, images], with empty places after short samples.
    const images = largest(samples);
    const places = samples.flatMap((count, i) => Array.from({ length: count }, (_, j) => i * images + j));
    const total = samples.length * images;
    // The first tile counts as shown in empty places too, as in Python; ids are from 1 on, 0 for empty places.
    const [ids, masks] = [Array(total).fill(0), Array(total * maxTiles).fill(0)];
    for (let i = 0; i < total; i++) masks[i * maxTiles] = 1;
    places.forEach((place, i) => {
      ids[place] = chosen[i].place + 1;
      masks.fill(1, place * maxTiles, place * maxTiles + tiles[i].length);
    });
    const counts = tiles.map(({ length }) => length);
    return {
      pixel_values: steps.toTensor(call, tiles.flat(), steps.floatNumbers(call), tiles.flat().map(steps.ownFrame), {
        dims: [samples.length, images, maxTiles, 3, side, side],
        places: tiles.flatMap((list, i) => list.map((_, j) => places[i] * maxTiles + j)),
      }),
      aspect_ratio_ids: steps.int64(ids, [samples.length, images]),
      aspect_ratio_mask: steps.int64(masks, [samples.length, images, maxTiles]),
      num_tiles: steps.bySample(call, counts),
    };
  },
);

/** Cuts a picture into Aria's tiles of `max_image_size` pixels a side: the picture is fitted into the one of
 * `split_resolutions` that keeps most of it, and laid on black of that size. Without `split_image` the picture is the
 * only tile.
 * @type {(call: Call, picture: Picture) => Picture[]} */
function ariaTiles(call, picture) {
  const { max_image_size: side, split_image: splits, split_resolutions: sizes } = call.settings;
  if (side !== 490 && side !== 980) rangeError(`max_image_size must be 490 or 980, got ${side}`);
  if (!splits) return [picture];
  const canvas = bestResolution(sizeOf(picture), sizes);
  const resized = steps.resizeTo(call, picture, insideSize(sizeOf(picture), canvas));
  // Python computes the border from the fitted size, fitted once more, which may differ by a pixel.
  const again = insideSize(sizeOf(resized), canvas);
  const [x, y] = [canvas.width - again.width, canvas.height - again.height].map((rest) => Math.floor(rest / 2));
  // A crop that begins before the picture has a border there.
  return tilesOf(rendered(cropPicture(resized, { x: -x, y: -y, ...canvas })), side);
}

/** Stacks each picture, or each tile of the best resolution, in the top left of a square, with a mask of its pixels, as
 * Aria does. */
const makeAriaTiles = steps.withSettings(
  ['resample', ...steps.usualNumbers.reads, 'max_image_size', 'min_image_size', 'split_image', 'split_resolutions'],
  (call, pictures) => {
    const { max_image_size: side, min_image_size: minSide } = call.settings;
    const tileLists = pictures.map((picture) => ariaTiles(call, picture));
    const tiles = tileLists.flat().map((part) => {
      const { width, height } = sizeOf(part);
      const scale = side / Math.max(width, height);
      const size =
        width >= height
          ? { width: side, height: Math.max(Math.trunc(height * scale), minSide) }
          : { width: Math.max(Math.trunc(width * scale), minSide), height: side };
      return { size, picture: onTopLeft(steps.resizeTo(call, part, size), square(side)) };
    });
    const mask = newData(dtypes.bool, tiles.length * side * side, undefined);
    tiles.forEach(({ size }, i) => {
      for (let row = 0; row < size.height; row++)
        mask.fill(1, (i * side + row) * side, (i * side + row) * side + size.width);
    });
    return {
      pixel_values: steps.stack(
        call,
        tiles.map(({ picture }) => picture),
      ),
      pixel_mask: tensorOf(dtypes.bool, mask, [tiles.length, side, side]),
      num_crops: steps.int64([largest(tileLists.map(({ length }) => length))], []),
    };
  },
);

export const makeAria = steps.counting(makeAriaTiles, (call, picture) => ariaTiles(call, picture).length);

/** Stacks the four quarters of each picture and the whole, each resized within bounds, as Idefics 2 does. */
export const makeIdefics2 = steps.withSettings(
  [...steps.resize.reads, ...steps.usualNumbers.reads, 'do_image_splitting', 'do_pad'],
  (call, pictures) => {
    const { settings } = call;
    const tiles = pictures.map((picture) => {
      const views = settings.do_image_splitting ? [...quarters(picture), picture] : [picture];
      return settings.do_resize
        ? views.map((part) => steps.resizeTo(call, part, idefics2Size(sizeOf(part), settings.size)))
        : views;
    });
    return nestedBatch(call, tiles);
  },
);

/** Cuts a picture into four quarters: left and right above, then below. Those on the right and below have the odd
 * pixel.
 * @type {(picture: Picture) => Picture[]} */
function quarters(picture) {
  const { width, height } = sizeOf(picture);
  const [x, y] = [Math.floor(width / 2), Math.floor(height / 2)];
  return [
    { x: 0, y: 0, width: x, height: y },
    { x, y: 0, width: width - x, height: y },
    { x: 0, y, width: x, height: height - y },
    { x, y, width: width - x, height: height - y },
  ].map((part) => cropPicture(picture, part));
}

/** Idefics 2's size, as Python's `get_resize_output_image_size` computes it: the picture is shrunk in its ratio so that
 * its longer side is at most `longest_edge`; a side below `shortest_edge` is then set to it. A setting without
 * `shortest_edge` has the height and the width.
 * @type {(size: Size, setting: SizeSetting | undefined) => Size} */
function idefics2Size({ width, height }, setting = {}) {
  const { shortest_edge: shortest, longest_edge: longest = Infinity } = setting;
  if (shortest === undefined) return exactSize(setting);
  const ratio = width / height;
  let [w, h] = [width, height];
  if (w >= h && w > longest) [w, h] = [longest, Math.trunc(longest / ratio)];
  else if (h > w && h > longest) [w, h] = [Math.trunc(longest * ratio), longest];
  return { width: Math.max(w, shortest), height: Math.max(h, shortest) };
}

/** Makes `pixel_values` [samples, tiles, 3, height, width] of the tiles of each sample's images. `tiles`: of each
 * image. With `do_pad` there are zeros up to the most tiles of a sample and up to the largest tile, and a mask of
 * pixels, 1 where a tile lies; without, samples have to have as many tiles, of one size.
 * @type {(call: Call, tiles: readonly Picture[][]) => Outputs} */
function nestedBatch(call, tiles) {
  const pads = call.settings.do_pad;
  // The tiles of each sample, and the size of the result.
  const rows = steps.bySample(call, tiles).map((lists) => lists.flat());
  const all = rows.flat();
  const tileCount = largest(rows.map(({ length }) => length));
  const frames = steps.framesByBatch(call, all);
  const [{ width, height }] = frames;
  const short = rows.findIndex(({ length }) => length !== tileCount);
  if (!pads && short >= 0) rangeError(`images[${short}] must become ${tileCount} tiles, got ${rows[short].length}`);
  // The index of each tile in the result, in which short samples leave some empty.
  const places = rows.flatMap((row, i) => row.map((_, j) => i * tileCount + j));
  const dims = [rows.length, tileCount, 3, height, width];
  // A padded batch is float32 in Python; by Pillow only where a sample lacks tiles.
  const isFloat = pads && (call.backend !== 'pil' || short >= 0);
  const numbers = (isFloat ? steps.floatNumbers : steps.usualNumbers)(call);
  /** @type {Outputs} */
  const outputs = { pixel_values: steps.toTensor(call, all, numbers, frames, { dims, places }) };
  if (pads) {
    const sizes = Array(rows.length * tileCount).fill({ width: 0, height: 0 });
    places.forEach((place, i) => (sizes[place] = sizeOf(all[i])));
    outputs.pixel_attention_mask = steps.maskOf(call, sizes, frames[0], [rows.length, tileCount, height, width]);
  }
  return outputs;
}

/** Makes a class of the Idefics 3 family, which cuts pictures into tiles of `max_image_size` and adds the whole picture
 * as one more tile. With `return_row_col_info` it gives the rows and columns of each picture's tiles too. `reads`:
 * settings that `mostTiles` reads; `mostTiles`: the most tiles of a picture
 * @type {(reads?: string[], mostTiles?: (call: Call) => number) => Make} */
const makeSplit = (reads = [], mostTiles = () => Infinity) =>
  steps.withSettings(
    [
      ...[...steps.resize.reads, ...steps.usualNumbers.reads, 'max_image_size', 'do_image_splitting'],
      ...[...reads, 'do_pad', 'return_row_col_info'],
    ],
    (call, pictures) => {
      const side = edgeOf(call.settings.max_image_size, 'longest_edge', 'max_image_size');
      const splits = pictures.map((picture) => splitPicture(call, picture, side, mostTiles(call)));
      const groups = steps.bySample(call, splits);
      const batch = nestedBatch(
        call,
        splits.map(({ tiles }) => tiles),
      );
      if (!call.settings.return_row_col_info) return batch;
      const rows = groups.map((group) => group.map((grid) => grid.rows));
      const cols = groups.map((group) => group.map((grid) => grid.columns));
      return { ...batch, rows, cols };
    },
  );

/** Stacks the tiles and the whole of each picture, as Idefics 3 does. Python counts the tiles of the picture at its
 * longest edge, before the shorter one becomes a multiple. */
export const makeIdefics3 = steps.counting(makeSplit(), ({ settings }, picture) => {
  const side = edgeOf(settings.max_image_size, 'longest_edge', 'max_image_size');
  const { width, height } = evenSize(sizeOf(picture), edgeOf(settings.size, 'longest_edge'));
  const [rows, columns] = [height, width].map((extent) => Math.ceil(extent / side));
  return settings.do_image_splitting && rows * columns > 1 ? [rows * columns + 1, rows, columns] : [0, 0, 0];
});

/** @type {(call: Call) => number} */
const ultraVBertTiles = ({ settings }) => settings.max_image_tiles;

/** Stacks at most `max_image_tiles` tiles and the whole of each picture. Python counts tiles as if `do_resize` were on.
 */
export const makeUltraVBert = steps.counting(makeSplit(['max_image_tiles'], ultraVBertTiles), (countCall, picture) => {
  /** @type {Call} */
  const call = { ...countCall, settings: { ...countCall.settings, do_resize: true } };
  const side = edgeOf(call.settings.max_image_size, 'longest_edge', 'max_image_size');
  const { tiles, rows, columns } = splitPicture(call, picture, side, ultraVBertTiles(call));
  // Python counts no tile where the picture stays whole.
  return [rows > 0 ? tiles.length : 0, rows, columns];
});

/** Resizes a picture to `size` and cuts it into tiles of `side` x `side` pixels. Where the size is a longest edge, and
 * pictures are cut, the edge is lowered by a tile's side until there are at most `maxTiles` tiles, or it is a tile's
 * side or less. Without `do_resize` the picture is cut as it is.
 * @type {(call: Call, picture: Picture, side: number, maxTiles: number) => ReturnType<typeof splitTiles>} */
function splitPicture(call, picture, side, maxTiles) {
  const { do_image_splitting: splits, do_resize: resizes, size } = call.settings;
  if (!resizes) return splitTiles(call, picture, side);
  let longest = size?.longest_edge;
  if (longest === undefined) return splitTiles(call, steps.resizeTo(call, picture, exactSize(size)), side);
  /** The number of tiles of the picture with this longest edge.
   * @type {(edge: number) => number} */
  const count = (edge) => {
    const { width, height } = tiledSize(evenSize(sizeOf(picture), edge), side);
    return (width / side) * (height / side);
  };
  while (splits && longest > side && count(longest) > maxTiles) longest -= side;
  return splitTiles(call, steps.resizeTo(call, picture, evenSize(sizeOf(picture), longest)), side);
}
