/** Filters of whole pictures: the module asks for rows, as often as it needs them, and makes rows of the result. */
import * as cpp from '../../../dist/bridge/images.js';
import { bytesBetween, bytesOf } from '../../arguments/index.js';
import { ready } from './load.js';
import { area, callBlock, callFloats } from './module.js';
import { extremesOf } from './planes.js';

/** @import { Image, Samples } from './types.js' */

/** @typedef {(memory: number) => number} Kernel */

/** In the place of the row that a step needs: a row of the result is made. */
const rowIsMade = -1;

/** Runs a filter over a picture, with the settings that were written to `callBlock`: copies each row that the filter
 * asks for into the module, and gives each row of the result to `use`, from the first to the last. `rowBytes`,
 * `resultRowBytes`: of a row of the picture and of the result.
 * @type {(kernels: { plan: Kernel, step: Kernel }, image: { data: Uint8Array, rowstride: number }, rowBytes: number,
 *   resultRowBytes: number, height: number, use: (result: Uint8Array, row: number) => void) => void} */
function filterRows({ plan, step }, { data, rowstride }, rowBytes, resultRowBytes, height, use) {
  area.clear();
  // Without memory, `plan` only tells how many bytes it takes.
  const planBytes = plan(0);
  const memory = area.allocate(planBytes);
  plan(memory);
  // The plan begins with the addresses of its two rows.
  const rows = area.view(Uint32Array, memory, cpp.filterRowsWords);
  const source = area.view(Uint8Array, rows[cpp.filterRowsSource], rowBytes);
  const result = area.view(Uint8Array, rows[cpp.filterRowsResult], resultRowBytes);
  for (let y = 0; y < height; y++) {
    let neededRow = step(memory);
    while (neededRow !== rowIsMade) {
      const from = neededRow * rowstride;
      source.set(bytesBetween(data, from, from + rowBytes));
      neededRow = step(memory);
    }
    use(result, y);
  }
}

/** Blurs an image of three channels as torchvision's `gaussian_blur`, into rows without gaps. See
 * cpp/processors/blur.h. `sigmas`: the deviations across the columns and down the rows, in pixels.
 * @type {(image: Image, sigmas: { columns: number, rows: number }, result: Uint8Array) => void} */
export function blurBytes({ data, width, height, rowstride }, sigmas, result) {
  const { planBlur, blurStep } = ready();
  callBlock[cpp.blurWidth] = width;
  callBlock[cpp.blurHeight] = height;
  callFloats[cpp.blurSigmaX] = sigmas.columns;
  callFloats[cpp.blurSigmaY] = sigmas.rows;
  const rowBytes = 3 * width;
  filterRows({ plan: planBlur, step: blurStep }, { data, rowstride }, rowBytes, rowBytes, height, (line, row) =>
    result.set(line, row * rowBytes),
  );
}

/** The most columns of the result that the module makes at once. */
const mostColumns = 2 ** 16;

/** Resizes samples [height, width, 3] to `result`, of the same class, as scipy's `zoom` of order 1; with `blurs` after
 * its `gaussian_filter`. See cpp/processors/zoom.h.
 * @type {(samples: Samples, from: Size, to: Size, blurs: boolean, result: Samples) => void}
 * @typedef {{ width: number, height: number }} Size */
export function zoomSamples(samples, from, to, blurs, result) {
  const { planZoom, zoomStep } = ready();
  const kernels = { plan: planZoom, step: zoomStep };
  // The result is held between the extremes of the picture.
  const [lowest, highest] = extremesOf(samples);
  const pixelBytes = 3 * samples.BYTES_PER_ELEMENT;
  const rowstride = pixelBytes * from.width;
  const destination = bytesOf(result);
  for (let first = 0; first < to.width; first += mostColumns) {
    const count = Math.min(mostColumns, to.width - first);
    callBlock[cpp.zoomElement] = samples.BYTES_PER_ELEMENT;
    callBlock[cpp.zoomWidth] = from.width;
    callBlock[cpp.zoomHeight] = from.height;
    callBlock[cpp.zoomToWidth] = to.width;
    callBlock[cpp.zoomToHeight] = to.height;
    callBlock[cpp.zoomBlurs] = Number(blurs);
    callBlock[cpp.zoomFirst] = first;
    callBlock[cpp.zoomCount] = count;
    callFloats[cpp.zoomLowest] = lowest;
    callFloats[cpp.zoomHighest] = highest;
    filterRows(kernels, { data: bytesOf(samples), rowstride }, rowstride, count * pixelBytes, to.height, (line, row) =>
      destination.set(line, (row * to.width + first) * pixelBytes),
    );
  }
}
