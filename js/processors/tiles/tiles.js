/** Processors that cut a picture into tiles: LLaVA-NeXT, Gemma 3. */
import { largest, rangeError } from '../../arguments/index.js';
import {
  bestResolution,
  cropPicture,
  edgeOf,
  exactSize,
  insideSize,
  onCanvas,
  rendered,
  sizeOf,
  square,
  tiledSize,
  windowOf,
} from '../pictures/index.js';
import * as steps from '../steps/index.js';

/** @import { Tensor } from '../../tensor/index.js' */
/** @import { Call, Picture } from '../types.js' */

/** The most tiles of a picture: more are a mistake in a file, and each is an object. */
const maxTilesOfPicture = 4096;

/** Cuts a picture into tiles of a size in pixels, row by row; those at the right and at the bottom may be smaller.
 * @type {(picture: Picture, tileWidth: number, tileHeight?: number) => Picture[]} */
export function tilesOf(picture, tileWidth, tileHeight = tileWidth) {
  const { width, height } = sizeOf(picture);
  const count = Math.ceil(width / tileWidth) * Math.ceil(height / tileHeight);
  if (count > maxTilesOfPicture) rangeError(`an image must become at most ${maxTilesOfPicture} tiles, got ${count}`);
  const tiles = [];
  for (let y = 0; y < height; y += tileHeight) {
    for (let x = 0; x < width; x += tileWidth) {
      const size = { width: Math.min(tileWidth, width - x), height: Math.min(tileHeight, height - y) };
      tiles.push(cropPicture(picture, { x, y, ...size }));
    }
  }
  return tiles;
}

/** Makes `pixel_values` [lists, tiles, 3, height, width] of lists of pictures, all of one size, with zeros after those
 * of lists that are shorter than the longest.
 * @type {(call: Call, lists: readonly (readonly Picture[])[], numbersOf?: typeof steps.usualNumbers) => Tensor} */
export function stacked(call, lists, numbersOf = steps.usualNumbers) {
  const maxTiles = largest(lists.map(({ length }) => length));
  const pictures = lists.flat();
  const { width, height } = sizeOf(pictures[0]);
  const places = lists.flatMap((tiles, i) => tiles.map((_, tile) => i * maxTiles + tile));
  return steps.toTensor(call, pictures, numbersOf(call), pictures.map(steps.ownFrame), {
    dims: [lists.length, maxTiles, 3, height, width],
    places,
  });
}

const llavaKeys = [
  ...steps.resize.reads,
  ...steps.centerCrop.reads,
  ...steps.usualNumbers.reads,
  'do_pad',
  'image_grid_pinpoints',
];

/** LLaVA-NeXT's whole picture and tiles. The whole is resized to `size`. For the tiles the picture is fitted into the
 * one of `image_grid_pinpoints` that keeps most of it, laid in its middle on black, and cut. Each of them is then
 * resized and cropped by the settings.
 * @type {(call: Call, picture: Picture) => Picture[]} */
function llavaTiles(call, picture) {
  const { settings } = call;
  const { size = {}, crop_size: crop, image_grid_pinpoints: resolutions } = settings;
  // Tiles have the height of `crop_size` or, without it, of `size`.
  const edge = size.height ?? edgeOf(size, 'shortest_edge');
  const tileSide = crop?.height ?? edge;
  const wholeSize = size.height === undefined ? square(edge) : exactSize(size);
  const canvas = bestResolution(sizeOf(picture), resolutions);
  const large = onCanvas(steps.resizeTo(call, picture, insideSize(sizeOf(picture), canvas)), canvas);
  const wholePicture = steps.resizeTo(call, picture, wholeSize);
  const tiles = tilesOf(large, tileSide);
  return [wholePicture, ...tiles].map((tile) => steps.centerCrop(call, steps.resize(call, tile)));
}

/** Stacks the whole picture and the tiles of the best resolution, on black, [pictures, tiles, 3, H, W], as LLaVA-NeXT
 * does. */
export const makeLlavaNext = steps.withSettings(llavaKeys, (call, pictures) => {
  const tileLists = pictures.map((picture) => llavaTiles(call, picture));
  return { pixel_values: stacked(call, tileLists), image_sizes: steps.sizesTensor(pictures.map(sizeOf)) };
});

/** Stacks the whole picture and tiles as LLaVA-NeXT does. Each image is a sample of its own. */
export const makeLlavaOnevision = steps.withSettings(llavaKeys, (call, pictures) => ({
  ...makeLlavaNext(call, pictures),
  batch_num_images: steps.int64(pictures.map(() => 1)),
}));

/** Enlarges a picture's sides to multiples of `tileSide` pixels, cuts it into square tiles of that side, and adds the
 * whole picture, resized to one tile, as the last one. A picture that is not larger than a tile is the only one, as is
 * any without `do_image_splitting`; `rows` and `columns` are 0 then.
 * @type {(call: Call, picture: Picture, tileSide: number) => { tiles: Picture[], rows: number, columns: number }} */
export function splitTiles(call, picture, tileSide) {
  const noGrid = { rows: 0, columns: 0 };
  if (!call.settings.do_image_splitting) return { tiles: [steps.resizeTo(call, picture, square(tileSide))], ...noGrid };
  const large = steps.resizeTo(call, picture, tiledSize(sizeOf(picture), tileSide));
  const { width, height } = sizeOf(large);
  if (width <= tileSide && height <= tileSide) return { tiles: [large], ...noGrid };
  // Once in memory, because the tiles and the whole picture come from it.
  const resized = rendered(large);
  const tiles = [...tilesOf(resized, tileSide), steps.resizeTo(call, resized, square(tileSide))];
  return { tiles, rows: height / tileSide, columns: width / tileSide };
}

/** Cuts a long picture into equal crops along its longer side, as Gemma 3 does; none if they would be too small, or if
 * the ratio of its sides is below `pan_and_scan_min_ratio_to_activate`.
 * @type {(call: Call, picture: Picture) => Picture[]} */
function panAndScan({ settings }, picture) {
  /** @type {(key: string) => number} */
  const needed = (key) => settings[key] ?? rangeError(`${key} must be given where do_pan_and_scan is on, got null`);
  const { width, height } = sizeOf(picture);
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  if (long / short < needed('pan_and_scan_min_ratio_to_activate')) return [];
  const minCropSide = needed('pan_and_scan_min_crop_size');
  const maxCrops = needed('pan_and_scan_max_num_crops');
  const squareCrops = Math.floor(long / short + 0.5);
  const cropsOfMinSide = Math.floor(long / minCropSide);
  const wanted = Math.max(2, Math.min(squareCrops, cropsOfMinSide));
  const count = Math.min(maxCrops, wanted);
  const cropLength = Math.ceil(long / count);
  if (Math.min(cropLength, short) < minCropSide) return [];
  // Rounded up, a few long crops may leave nothing for the last one.
  if ((count - 1) * cropLength >= long)
    rangeError(`an image must be long enough for ${count} crops of ${cropLength} pixels, got ${width} x ${height}`);
  return Array.from({ length: count }, (_, i) => windowOf(picture, i * cropLength, cropLength));
}

/** Stacks each picture and, with `do_pan_and_scan`, its crops, as Gemma 3 does. */
export const makeGemma3 = steps.withSettings(
  [
    ...steps.resize.reads,
    ...steps.usualNumbers.reads,
    'do_pan_and_scan',
    'pan_and_scan_min_crop_size',
    'pan_and_scan_max_num_crops',
    'pan_and_scan_min_ratio_to_activate',
  ],
  (call, pictures) => {
    const { settings } = call;
    const pans = settings.do_pan_and_scan;
    const crops = pictures.map((picture) => (pans ? panAndScan(call, picture) : []));
    // torchvision's class resizes even without `do_resize` where it pans.
    const resizes = settings.do_resize || (pans && call.backend === 'torchvision');
    const resizingCall = { ...call, settings: { ...settings, do_resize: resizes } };
    const allPictures = pictures.flatMap((picture, i) => [picture, ...crops[i]]);
    const resized = allPictures.map((picture) => steps.resize(resizingCall, picture));
    return {
      pixel_values: steps.stack(call, resized),
      num_crops: steps.int64(crops.map(({ length }) => length)),
    };
  },
);
