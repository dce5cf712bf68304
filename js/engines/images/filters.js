/** Filters of whole pictures: the module asks for rows, as often as it needs them, and makes rows of the result. */
import * as cpp from '../../../dist/bridge/images.js';
import { bytesBetween, bytesOf } from '../../arguments/index.js';
import { ready } from './load.js';
import { area, callBlock, callFloats } from './module.js';
import { extremesOf } from './planes.js';

/** @import { Image, Samples } from './types.js' */

/** @typedef {(memory: number) => number} Kernel */

/** Runs a filter over a picture, with the settings that were written to `callBlock`. Copies each row of the picture
 * that the filter asks for into the module, and gives each row of the result to `use`, from the first to the last. Rows
 * of the picture have `bytes`, rows of the result `resultBytes`.
 * @type {(kernels: { plan: Kernel, step: Kernel }, image: { data: Uint8Array, rowstride: number }, bytes: number,
 *   resultBytes: number, height: number, use: (result: Uint8Array, row: number) => void) => void} */
function filterRows({ plan, step }, { data, rowstride }, bytes, resultBytes, height, use) {
  area.clear();
  // The first call only tells how many bytes the plan takes. The plan begins with the addresses of its two rows.
  const memory = area.space(plan(0));
  plan(memory);
  const rows = area.view(Uint32Array, memory, cpp.filterRowsWords);
  const source = area.view(Uint8Array, rows[cpp.filterRowsSource], bytes);
  const result = area.view(Uint8Array, rows[cpp.filterRowsResult], resultBytes);
  for (let y = 0; y < height; y++) {
    // A step returns the number of the row that it needs next, or -1 once a row of the result is made.
    for (let row = step(memory); row >= 0; row = step(memory))
      source.set(bytesBetween(data, row * rowstride, row * rowstride + bytes));
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
  const bytes = 3 * width;
  filterRows({ plan: planBlur, step: blurStep }, { data, rowstride }, bytes, bytes, height, (line, row) =>
    result.set(line, row * bytes),
  );
}

/** The most pixels of a row of the result that the module makes at once. */
const mostColumns = 2 ** 16;

/** Resizes samples [height, width, 3] to `result`, of the same class, as scipy's `zoom` of order 1; with `blurs` after
 * its `gaussian_filter`. Wide results are made some columns at a time. See cpp/processors/zoom.h.
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
