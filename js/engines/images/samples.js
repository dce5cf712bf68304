/** Pixels between pixels: a part of the picture and a tile of the result lie in the scratch area. */
import * as cpp from '../../../dist/bridge/images.js';
import { floatBytes } from '../memory/index.js';
import { ready } from './load.js';
import { area, callBlock } from './module.js';
import { halves, stageRows, takeRows, fullPart } from './parts.js';

/** @import { Part } from './parts.js' */
/** @import { Image, Sampling } from './types.js' */

/** The most columns and rows of a tile, added up, and the most bytes of the part of the picture under it. */
const maxTileSides = 1600;
const maxPartBytes = 2 ** 22;
/** Bytes for the numbers and the places of a sampling, and for the weights that the kernel makes behind them. */
const numberBytes = 2 ** 20;
/** The pixels that cubic samples read before a place and behind it. Linear ones read fewer. */
const pixelsBefore = 1;
const pixelsBehind = 2;
const resultPlanes = 3;

/** Samples a picture at places between its pixels, and writes a tile of the result, all of it if no tile is given. The
 * result's three float32 planes lie one below the other: its `height` is that of one. A tile that needs too large a
 * part of the picture is cut in two.
 * @type {(image: Image, sampling: Sampling, result: Image, tile?: Part) => void} */
export function samplePixels(image, sampling, result, tile = fullPart(result)) {
  const [columnPlaces, rowPlaces] = placesOf(tile, sampling);
  const [left, right] = pixelsUnder(columnPlaces, image.width);
  const [top, bottom] = pixelsUnder(rowPlaces, image.height);
  const part = { row: top, rows: bottom - top + 1, column: left, columns: right - left + 1 };
  const partBytes = part.rows * part.columns * image.channels;
  const isTooLarge = tile.rows + tile.columns > maxTileSides || partBytes > maxPartBytes;
  if (isTooLarge) {
    for (const half of halves(tile)) samplePixels(image, sampling, result, half);
    return;
  }
  const planeBytes = floatBytes * tile.rows * tile.columns;
  area.clear();
  const partAt = area.allocate(maxPartBytes);
  const numbersAt = area.allocate(numberBytes);
  const tileAt = area.allocate(resultPlanes * planeBytes);
  stageRows(image, part, partAt);
  const numbers = [...sampling.numbers, ...columnPlaces, ...rowPlaces];
  area.view(Float64Array, numbersAt, numbers.length).set(numbers);
  cpp.writeSamples(callBlock, {
    isCubic: Number(sampling.isCubic),
    channels: image.channels,
    left,
    top,
    partWidth: part.columns,
    partHeight: part.rows,
    columns: tile.columns,
    rows: tile.rows,
    part: partAt,
    numbers: numbersAt,
    to: tileAt,
  });
  ready().sample();
  for (let plane = 0; plane < resultPlanes; plane++) {
    const planeTile = { ...tile, row: plane * result.height + tile.row };
    takeRows(result, planeTile, tileAt + plane * planeBytes);
  }
}

/** The places in the picture of a tile's columns, and of its rows.
 * @type {(tile: Part, sampling: Sampling) => [columnPlaces: number[], rowPlaces: number[]]} */
function placesOf({ row, rows, column, columns }, { places }) {
  const [columnPlaces, rowPlaces] = places;
  return [columnPlaces.slice(column, column + columns), rowPlaces.slice(row, row + rows)];
}

/** Finds the first and the last pixel of an axis of the picture that samples at some places read.
 * @type {(places: readonly number[], extent: number) => [first: number, last: number]} */
function pixelsUnder(places, extent) {
  // Places ascend or descend, so the ends are the extremes.
  const [begin, end] = [places[0], places[places.length - 1]];
  const first = Math.min(begin, end) - pixelsBefore;
  const last = Math.max(begin, end) + pixelsBehind;
  return [nearestPixel(first, extent), nearestPixel(last, extent)];
}

/** Gives the pixel of an axis at a place, held within the picture; 0 for NaN.
 * @type {(place: number, extent: number) => number} */
const nearestPixel = (place, extent) => Math.min(Math.max(Math.floor(place), 0), extent - 1) || 0;
