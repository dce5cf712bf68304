/** Processors whose tiles lie on a canvas, or in samples of several images. */
import { largest, rangeError } from '../../arguments/index.js';
import { canvasGrid, gridSize } from './grids.js';
import {
  both,
  canvasSize,
  cropPicture,
  edgeOf,
  evenSize,
  exactSize,
  onTopLeft,
  rendered,
  sizeOf,
  square,
  squareSide,
  tiledSize,
} from '../pictures/index.js';
import * as steps from '../steps/index.js';
import { splitTiles, tilesOf } from './tiles.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Call, Make, Outputs, Picture, Settings, Size, SizeSetting } from '../types.js' */
/** @import { Grid } from './grids.js' */

/** The index of each image in a batch of `imagesPerSample` places a sample, of which short samples leave the last ones
 * empty. `samples`: how many images each has
 * @type {(samples: readonly number[], imagesPerSample: number) => number[]} */
const imagePlaces = (samples, imagesPerSample) =>
  samples.flatMap((count, sample) => Array.from({ length: count }, (_, image) => sample * imagesPerSample + image));

/** Fits a picture into its grid of tiles, at the top left of a black canvas, and cuts that into the tiles.
 * @type {(call: Call, picture: Picture, grid: Grid, tileSide: number) => Picture[]} */
function mllamaTiles(call, picture, grid, tileSide) {
  const canvas = gridSize(grid, square(tileSide));
  const resized = steps.resizeTo(call, picture, canvasSize(sizeOf(picture), canvas, tileSide));
  return tilesOf(rendered(onTopLeft(resized, canvas)), tileSide);
}

/** The ids of the grids of images in a batch: 1 for the first grid of all, 0 for an empty place. `places`: the index of
 * each image among `placeCount` places; `grids`: the index of each image's grid among all grids
 * @type {(places: readonly number[], placeCount: number, grids: readonly number[]) => number[]} */
function gridIds(places, placeCount, grids) {
  const ids = Array(placeCount).fill(0);
  places.forEach((place, image) => (ids[place] = grids[image] + 1));
  return ids;
}

/** A mask of the tiles of images in a batch, `maxTiles` for each of `placeCount` places: 1 for tiles that an image has,
 * and for the first tile of an empty place too, as in Python. `places`: the index of each image; `counts`: its tiles
 * @type {(places: readonly number[], placeCount: number, counts: readonly number[], maxTiles: number) => number[]} */
function tileMask(places, placeCount, counts, maxTiles) {
  const mask = Array(placeCount * maxTiles).fill(0);
  for (let place = 0; place < placeCount; place++) mask[place * maxTiles] = 1;
  places.forEach((place, image) => {
    const firstTile = place * maxTiles;
    mask.fill(1, firstTile, firstTile + counts[image]);
  });
  return mask;
}

/** Stacks the tiles of each picture's canvas, [samples, images, max_image_tiles, 3, tileSide, tileSide] with zeros
 * where there are none, and says which grid each picture has, as Mllama does. */
export const makeMllama = steps.withSettings(
  [...steps.resize.reads, ...steps.usualNumbers.reads, 'do_pad', 'max_image_tiles'],
  (call, pictures) => {
    const { settings, samples } = call;
    const { max_image_tiles: maxTiles } = settings;
    const tileSide = squareSide(settings.size);
    // The flag of the file counts, whatever the call's is.
    steps.requireFlag({ ...call, settings: call.file }, 'do_pad');
    const chosen = pictures.map((picture) => canvasGrid(sizeOf(picture), tileSide, maxTiles));
    const tileLists = pictures.map((picture, i) => mllamaTiles(call, picture, chosen[i].grid, tileSide));
    const gridIndices = chosen.map(({ index }) => index);
    const counts = tileLists.map(({ length }) => length);
    const imagesPerSample = largest(samples);
    const places = imagePlaces(samples, imagesPerSample);
    const placeCount = samples.length * imagesPerSample;
    const batchDims = [samples.length, imagesPerSample];
    const tiles = tileLists.flat();
    const tilePlaces = tileLists.flatMap((list, i) => list.map((_, tile) => places[i] * maxTiles + tile));
    return {
      pixel_values: steps.toTensor(call, tiles, steps.floatNumbers(call), tiles.map(steps.ownFrame), {
        dims: [samples.length, imagesPerSample, maxTiles, 3, tileSide, tileSide],
        places: tilePlaces,
      }),
      aspect_ratio_ids: steps.int64(gridIds(places, placeCount, gridIndices), batchDims),
      aspect_ratio_mask: steps.int64(tileMask(places, placeCount, counts, maxTiles), [...batchDims, maxTiles]),
      num_tiles: steps.bySample(call, counts),
    };
  },
);

/** Stacks the four quarters of each picture, if `do_image_splitting` is on, and the whole picture after them, each
 * resized within bounds, as Idefics 2 does. */
export const makeIdefics2 = steps.withSettings(
  [...steps.resize.reads, ...steps.usualNumbers.reads, 'do_image_splitting', 'do_pad'],
  (call, pictures) => {
    const { do_image_splitting: splits, do_resize: resizes, size } = call.settings;
    /** @type {(tile: Picture) => Picture} */
    const resized = (tile) => (resizes ? steps.resizeTo(call, tile, idefics2Size(sizeOf(tile), size)) : tile);
    const tileLists = pictures.map((picture) => {
      const tiles = splits ? [...quarters(picture), picture] : [picture];
      return tiles.map(resized);
    });
    return nestedBatch(call, tileLists);
  },
);

/** Cuts a picture into four quarters: left and right above, then below. Those on the right and below have the odd
 * pixel.
 * @type {(picture: Picture) => Picture[]} */
function quarters(picture) {
  const { width, height } = sizeOf(picture);
  const middleX = Math.floor(width / 2);
  const middleY = Math.floor(height / 2);
  return [
    { x: 0, y: 0, width: middleX, height: middleY },
    { x: middleX, y: 0, width: width - middleX, height: middleY },
    { x: 0, y: middleY, width: middleX, height: height - middleY },
    { x: middleX, y: middleY, width: width - middleX, height: height - middleY },
  ].map((quarter) => cropPicture(picture, quarter));
}

/** Idefics 2's size, as Python's `get_resize_output_image_size` computes it: the picture is shrunk in its ratio so that
 * its longer side is at most `longest_edge`; a side below `shortest_edge` is then set to it. A setting without
 * `shortest_edge` has the height and the width.
 * @type {(size: Size, setting: SizeSetting | undefined) => Size} */
function idefics2Size({ width, height }, setting = {}) {
  const { shortest_edge: shortest, longest_edge: longest = Infinity } = setting;
  if (shortest === undefined) return exactSize(setting);
  const shrunk = longestEdgeTruncated({ width, height }, longest);
  return both(shrunk, (extent) => Math.max(extent, shortest));
}

/** Shrinks a size in its ratio so that its longer side is at most `longest`; the other one is truncated.
 * @type {(size: Size, longest: number) => Size} */
function longestEdgeTruncated({ width, height }, longest) {
  if (Math.max(width, height) <= longest) return { width, height };
  const ratio = width / height;
  if (width >= height) return { width: longest, height: Math.trunc(longest / ratio) };
  return { width: Math.trunc(longest * ratio), height: longest };
}

/** Makes `pixel_values` [samples, tiles, 3, height, width] of each sample's tiles. With `do_pad` there are zeros up to
 * the most tiles of a sample and up to the largest height and width, and `pixel_attention_mask` is 1 where a tile lies;
 * without `do_pad` samples have to have as many tiles, of one size. `tileLists`: the tiles of each image
 * @type {(call: Call, tileLists: readonly Picture[][]) => Outputs} */
function nestedBatch(call, tileLists) {
  const pads = call.settings.do_pad;
  const sampleTiles = steps.bySample(call, tileLists).map((lists) => lists.flat());
  const tiles = sampleTiles.flat();
  const maxTiles = largest(sampleTiles.map(({ length }) => length));
  const frames = steps.framesByBatch(call, tiles);
  const [frame] = frames;
  const fewerSample = sampleTiles.findIndex(({ length }) => length !== maxTiles);
  const haveFewer = fewerSample >= 0;
  if (!pads && haveFewer)
    rangeError(`images[${fewerSample}] must become ${maxTiles} tiles, got ${sampleTiles[fewerSample].length}`);
  const places = sampleTiles.flatMap((list, sample) => list.map((_, tile) => sample * maxTiles + tile));
  const dims = [sampleTiles.length, maxTiles, 3, frame.height, frame.width];
  // A padded batch is float32 in Python; by Pillow only where a sample lacks tiles.
  const isFloat = pads && (call.backend !== 'pil' || haveFewer);
  const numbers = isFloat ? steps.floatNumbers(call) : steps.usualNumbers(call);
  const values = steps.toTensor(call, tiles, numbers, frames, { dims, places });
  if (!pads) return { pixel_values: values };
  const mask = nestedMask(call, { tiles, places }, [sampleTiles.length, maxTiles], frame);
  return { pixel_values: values, pixel_attention_mask: mask };
}

/** The mask [samples, tiles, height, width] of a batch, 1 where a tile lies at the top left of its place. `tiles`,
 * `places`: each tile, and its index among all places; `frame`: the size of a place
 * @type {(call: Call, batch: { tiles: readonly Picture[], places: readonly number[] }, dims: readonly [samples: number,
 *   tiles: number], frame: Size) => Tensor} */
function nestedMask(call, { tiles, places }, [samples, maxTiles], frame) {
  // A place without a tile shows nothing.
  const shownSizes = Array(samples * maxTiles).fill({ width: 0, height: 0 });
  places.forEach((place, i) => (shownSizes[place] = sizeOf(tiles[i])));
  return steps.maskOf(call, shownSizes, frame, [samples, maxTiles, frame.height, frame.width]);
}

/** The side of a tile of the Idefics 3 family. @type {(settings: Settings) => number} */
const tileSideOf = ({ max_image_size: size }) => edgeOf(size, 'longest_edge', 'max_image_size');

/** Makes a class of the Idefics 3 family, which cuts pictures into tiles of `max_image_size` and adds the whole picture
 * as one more tile. With `return_row_col_info` it gives the rows and columns of each picture's tiles too. `maxTilesOf`:
 * the most tiles of a picture, with the settings that it reads
 * @type {(maxTilesOf: ((call: Call) => number) & { reads: readonly string[] }) => Make} */
const makeSplit = (maxTilesOf) =>
  steps.withSettings(
    [
      ...steps.resize.reads,
      ...steps.usualNumbers.reads,
      'max_image_size',
      'do_image_splitting',
      ...maxTilesOf.reads,
      'do_pad',
      'return_row_col_info',
    ],
    (call, pictures) => {
      const tileSide = tileSideOf(call.settings);
      const splits = pictures.map((picture) => splitPicture(call, picture, tileSide, maxTilesOf(call)));
      const tileLists = splits.map(({ tiles }) => tiles);
      const batch = nestedBatch(call, tileLists);
      if (!call.settings.return_row_col_info) return batch;
      const samples = steps.bySample(call, splits);
      const rows = samples.map((sample) => sample.map((split) => split.rows));
      const cols = samples.map((sample) => sample.map((split) => split.columns));
      return { ...batch, rows, cols };
    },
  );

/** Idefics 3 bounds the number of tiles of a picture by its size alone. */
const noTileLimit = steps.withSettings([], () => Infinity);

/** Stacks the tiles and the whole of each picture, as Idefics 3 does. Python counts [tiles, rows, columns], with the
 * whole among the tiles, of the picture at its longest edge, before the shorter one becomes a multiple; zeros of a
 * picture that is not cut. */
export const makeIdefics3 = steps.withPatchCount(makeSplit(noTileLimit), ({ settings }, picture) => {
  const tileSide = tileSideOf(settings);
  const { width, height } = evenSize(sizeOf(picture), edgeOf(settings.size, 'longest_edge'));
  const rows = Math.ceil(height / tileSide);
  const columns = Math.ceil(width / tileSide);
  const isCut = settings.do_image_splitting && rows * columns > 1;
  return isCut ? [rows * columns + 1, rows, columns] : [0, 0, 0];
});

/** The most tiles of a picture of UltraVBert. */
const ultraVBertTiles = steps.withSettings(['max_image_tiles'], ({ settings }) => settings.max_image_tiles);

/** Stacks at most `max_image_tiles` tiles and the whole of each picture. Python counts [tiles, rows, columns] as if
 * `do_resize` were on. */
export const makeUltraVBert = steps.withPatchCount(makeSplit(ultraVBertTiles), (countCall, picture) => {
  /** @type {Call} */
  const call = { ...countCall, settings: { ...countCall.settings, do_resize: true } };
  const { tiles, rows, columns } = splitPicture(call, picture, tileSideOf(call.settings), ultraVBertTiles(call));
  // Python counts no tile where the picture stays whole.
  return [rows > 0 ? tiles.length : 0, rows, columns];
});

/** Resizes a picture to `size` and cuts it into tiles. Where the size is a longest edge, and pictures are cut, the edge
 * is lowered by a tile's side until there are at most `maxTiles` tiles, or it is a tile's side or less.
 * @type {(call: Call, picture: Picture, tileSide: number, maxTiles: number) => ReturnType<typeof splitTiles>} */
function splitPicture(call, picture, tileSide, maxTiles) {
  const { do_image_splitting: splits, do_resize: resizes, size } = call.settings;
  if (!resizes) return splitTiles(call, picture, tileSide);
  let longest = size?.longest_edge;
  if (longest === undefined) return splitTiles(call, steps.resizeTo(call, picture, exactSize(size)), tileSide);
  /** How many tiles a picture has whose longer side is resized to `edge` pixels. @type {(edge: number) => number} */
  const tilesAtEdge = (edge) => {
    const { width, height } = tiledSize(evenSize(sizeOf(picture), edge), tileSide);
    return (width / tileSide) * (height / tileSide);
  };
  while (splits && longest > tileSide && tilesAtEdge(longest) > maxTiles) longest -= tileSide;
  return splitTiles(call, steps.resizeTo(call, picture, evenSize(sizeOf(picture), longest)), tileSide);
}
