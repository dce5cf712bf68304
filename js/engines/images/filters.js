/** Filters of whole pictures: the module asks for rows, as often as it needs them, and makes rows of the result. The
 * settings of a filter are written to `callBlock`, from which the kernel reads them as a struct: constants of `cpp` are
 * the indices of its members. */
import * as cpp from '../../../dist/bridge/images.js';
import { bytesBetween, bytesOf } from '../../arguments/index.js';
import { ready } from './load.js';
import { area, callBlock, callFloats } from './module.js';
import { extremesOf } from './planes.js';

/** @import { Image, Samples } from './types.js' */

/** The two functions of a filter. `plan` writes a plan to an address and returns its bytes; `step` works on the plan at
 * an address until it needs a row of the picture, whose number it returns, or has made a row of the result.
 * @typedef {{ plan: (address: number) => number, step: (address: number) => number }} FilterKernels */

/** A step returns this when it has made a row of the result. */
const rowIsMade = -1;

/** Runs a filter over a picture, with the settings that were written to `callBlock`: copies each row that the filter
 * asks for into the module, and gives each row of the result to `use`, from the first to the last. `rowBytes`,
 * `resultRowBytes`: of a row of the picture and of the result.
 * @type {(kernels: FilterKernels, image: { data: Uint8Array, rowstride: number }, rowBytes: number,
 *   resultRowBytes: number, height: number, use: (result: Uint8Array, row: number) => void) => void} */
function filterRows({ plan, step }, { data, rowstride }, rowBytes, resultRowBytes, height, use) {
  area.clear();
  // Without an address, `plan` writes nothing, and only tells how many bytes it takes.
  const noAddress = 0;
  const planBytes = plan(noAddress);
  const planAt = area.allocate(planBytes);
  plan(planAt);
  // The plan begins with the addresses of its two rows.
  const rowAddresses = area.view(Uint32Array, planAt, cpp.filterRowsWords);
  const source = area.view(Uint8Array, rowAddresses[cpp.filterRowsSource], rowBytes);
  const result = area.view(Uint8Array, rowAddresses[cpp.filterRowsResult], resultRowBytes);
  for (let row = 0; row < height; row++) {
    let neededRow = step(planAt);
    while (neededRow !== rowIsMade) {
      const from = neededRow * rowstride;
      source.set(bytesBetween(data, from, from + rowBytes));
      neededRow = step(planAt);
    }
    use(result, row);
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
  const kernels = { plan: planBlur, step: blurStep };
  filterRows(kernels, { data, rowstride }, rowBytes, rowBytes, height, (blurredRow, row) =>
    result.set(blurredRow, row * rowBytes),
  );
}

/** @typedef {{ width: number, height: number }} Size in pixels */

/** The most columns of the result that the module makes at once. */
const maxColumns = 2 ** 16;

/** Resizes samples [height, width, 3] to `result`, of the same class, as scipy's `zoom` of order 1; with `blurs` after
 * its `gaussian_filter`. See cpp/processors/zoom.h.
 * @type {(samples: Samples, from: Size, to: Size, blurs: boolean, result: Samples) => void} */
export function zoomSamples(samples, from, to, blurs, result) {
  const { planZoom, zoomStep } = ready();
  const kernels = { plan: planZoom, step: zoomStep };
  // The result is held between the extremes of the picture.
  const [lowest, highest] = extremesOf(samples);
  const pixelBytes = 3 * samples.BYTES_PER_ELEMENT;
  const rowstride = pixelBytes * from.width;
  const destination = bytesOf(result);
  for (let first = 0; first < to.width; first += maxColumns) {
    const count = Math.min(maxColumns, to.width - first);
    // The settings of a block of `count` columns of the result, from column `first` on.
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
    const image = { data: bytesOf(samples), rowstride };
    filterRows(kernels, image, rowstride, count * pixelBytes, to.height, (partOfRow, row) =>
      destination.set(partOfRow, (row * to.width + first) * pixelBytes),
    );
  }
}
