/** Pixels between pixels: a part of the picture and a tile of the result lie in the scratch area. */
import * as cpp from '../../../dist/bridge/images.js';
import { ready } from './load.js';
import { area, callBlock } from './module.js';
import { halves, stageRows, takeRows, fullPart } from './parts.js';

/** @import { Part } from './parts.js' */
/** @import { Image, Sampling } from './types.js' */

/** The most columns and rows of a tile of the result, added up, and the most bytes of the part of the picture under
 * it. */
const tileSides = 1600;
const partBytes = 2 ** 22;
/** Bytes for the numbers and the places of a sampling, and for the weights that the kernel makes behind them. */
const numberBytes = 2 ** 20;

/** Samples a picture at places between its pixels, and writes a tile of the result, all of it if no tile is given. The
 * result's three float32 planes lie one below the other: its `height` is that of one. Copies the part of the picture
 * under the tile into the module; a tile that needs too large a part is cut in two.
 * @type {(image: Image, sampling: Sampling, result: Image, tile?: Part) => void} */
export function samplePixels(image, sampling, result, tile = fullPart(result)) {
  const { isCubic, numbers, places } = sampling;
  const { row, rows, column, columns } = tile;
  const tilePlaces = [places[0].slice(column, column + columns), places[1].slice(row, row + rows)];
  const [[left, right], [top, bottom]] = tilePlaces.map((axis, k) => {
    // Places ascend or descend. Cubic samples read one pixel before a place and two behind it; 0 stands for NaN.
    const ends = [axis[0], axis[axis.length - 1]];
    return [Math.min(...ends) - 1, Math.max(...ends) + 2].map(
      (place) => Math.min(Math.max(Math.floor(place), 0), (k ? image.height : image.width) - 1) || 0,
    );
  });
  const part = { row: top, rows: bottom - top + 1, column: left, columns: right - left + 1 };
  if (rows + columns > tileSides || part.rows * part.columns * image.channels > partBytes) {
    for (const half of halves(tile)) samplePixels(image, sampling, result, half);
    return;
  }
  area.clear();
  const [from, numbersAt, to] = [partBytes, numberBytes, 12 * rows * columns].map((bytes) => area.space(bytes));
  stageRows(image, part, from);
  area.view(Float64Array, numbersAt, numberBytes / 8).set([...numbers, ...tilePlaces[0], ...tilePlaces[1]]);
  cpp.writeSamples(callBlock, {
    isCubic: Number(isCubic),
    channels: image.channels,
    left,
    top,
    partWidth: part.columns,
    partHeight: part.rows,
    columns,
    rows,
    part: from,
    numbers: numbersAt,
    to,
  });
  ready().sample();
  // The tile's planes have 4 bytes a number. `takeRows` finds plane c of the result `height` rows below the one before.
  for (let c = 0; c < 3; c++) takeRows(result, { ...tile, row: row + c * result.height }, to + 4 * c * rows * columns);
}
