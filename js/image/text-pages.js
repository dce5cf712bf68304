/** Pages of text and batches of their lines, as RapidOCR and PaddleOCR take them. */
import * as args from '../arguments/index.js';
import { ready } from '../engines/images/index.js';
import { resizedWithin } from './letterbox.js';
import { resize } from './resize.js';
import { checkSides, readSize, roundHalfToEven } from './resizing/size.js';
import { checkPixels, readBytePixels } from './sources/pixels.js';

/** @import { Pixels, Size, TextLineBatch, TextLineOptions, TextPage, TextPageOptions } from './types.js' */
/** @import { TextSizeOptions } from './types.js' */

const limits = /** @type {const} */ (['min', 'max']);
const detectionTable = { limitSideLen: args.extent(736), limitType: args.word(limits, 'min') };

/** Drops the fraction of a product, and rounds to a multiple of 32, half to even: 0 below 17.
 * @type {(extent: number, ratio: number) => number} */
const scaleTo32 = (extent, ratio) => roundHalfToEven(Math.trunc(extent * ratio) / 32) * 32;

/**
 * Computes the size at which PaddleOCR and RapidOCR look for text: multiples of 32 near a size whose shorter side is at
 * least `limitSideLen` ('min'), or whose longer side is at most that ('max').
 * @param {{ width: number, height: number }} image a picture, or its size in pixels
 * @param {TextSizeOptions} [options]
 * @returns {{ width: number, height: number }} for `imageToTensor`; at least 32 each
 * @example
 * textDetectionSize({ width: 1000, height: 700 }); // { width: 1056, height: 736 }
 */
export function textDetectionSize(image, options) {
  return args.named('textDetectionSize', () => {
    const { width, height } = readSize('image', image);
    const { limitSideLen: limit, limitType: type } = args.readTable(options, detectionTable);
    const side = type === 'min' ? Math.min(width, height) : Math.max(width, height);
    const isLimited = type === 'min' ? side < limit : side > limit;
    const ratio = isLimited ? limit / side : 1;
    return { width: Math.max(32, scaleTo32(width, ratio)), height: Math.max(32, scaleTo32(height, ratio)) };
  });
}

/** Reads a ratio above 0, which may be infinite. @type {(name: string, value: unknown) => number} */
function readRatio(name, value = 8) {
  if (typeof value !== 'number') args.typeError(`${name} must be a number, got ${args.show(value)}`);
  if (!(value > 0)) args.rangeError(`${name} must be above 0, got ${args.show(value)}`);
  return value;
}

const pageTable = {
  minSideLen: args.extent(30),
  maxSideLen: args.extent(2000),
  minHeight: args.extent(30),
  widthHeightRatio: readRatio,
};

/**
 * Makes a page of a picture, as RapidOCR does before it looks for text: resizes it by OpenCV's 'linear' to
 * multiples of 32 where its longer side is above `maxSideLen` or its shorter one below `minSideLen`, and puts black
 * rows above and below a flat one. {@link unletterbox} brings points back to the picture.
 * @param {Pixels} image bytes of 1, 3 or 4 channels, with sides of up to 65536 pixels
 * @param {TextPageOptions} [options]
 * @returns {TextPage} with memory of its own
 * @example
 * const { width, height, top } = textPage({ data: new Uint8Array(3 * 640 * 40), width: 640, height: 40 });
 * [width, height, top]; // [640, 160, 60]
 */
export function textPage(image, options) {
  return args.named('textPage', () => {
    ready();
    const source = readBytePixels('image', image);
    checkSides('image', source);
    const { minHeight, widthHeightRatio, ...bounds } = args.readTable(options, pageTable);
    // RapidOCR resizes some pictures twice, to `shrunk` and then to `resized`; others only to `resized`.
    const { shrunk, resized } = boundedSizes(source, bounds);
    const { width, height } = resized;
    const top = blackRowsAbove(resized, minHeight, widthHeightRatio);
    const before = shrunk ? resize(image, { ...shrunk, backend: 'opencv', filter: 'linear' }) : image;
    const picture = checkPixels(readBytePixels('image', before));
    const { channels } = picture;
    const page = { width, height: height + 2 * top, left: 0, top, resized };
    const black = new Uint8Array(channels);
    const data = resizedWithin(picture, page, 'linear', black);
    // RapidOCR's ratios are those of the last resizing.
    const from = shrunk ?? source;
    const ratios = { ratioX: from.width / width, ratioY: from.height / height };
    return { data, channels, ...page, source: { width: source.width, height: source.height }, ...ratios };
  });
}

/** The rows above a page, and below it, that make a flat one as high as RapidOCR wants it: twice `minHeight`, or twice
 * the height that the ratio gives if that is more. 0 for other pages.
 * @type {(page: Size, minHeight: number, widthHeightRatio: number) => number} */
function blackRowsAbove({ width, height }, minHeight, widthHeightRatio) {
  const isFlat = height <= minHeight || width / height > widthHeightRatio;
  if (!isFlat) return 0;
  const wantedHeight = 2 * Math.max(Math.trunc(width / widthHeightRatio), minHeight);
  return Math.trunc(Math.abs(wantedHeight - height) / 2);
}

/** Computes the size of a page (`resized`). A picture whose longer side is above `maxSideLen` is shrunk. If its shorter
 * side is below `minSideLen` then, it is enlarged again, and `shrunk` is the size in between. Each resizing makes both
 * sides multiples of 32; a picture within the bounds keeps its size.
 * @type {(source: Size, bounds: { minSideLen: number, maxSideLen: number }) => { shrunk?: Size, resized: Size }} */
function boundedSizes(source, { minSideLen, maxSideLen }) {
  /** @type {(size: Size, ratio: number) => Size} */
  const scaled = (size, ratio) => {
    const width = scaleTo32(size.width, ratio);
    const height = scaleTo32(size.height, ratio);
    if (width === 0 || height === 0)
      args.rangeError(
        `image must not become less than 16 pixels narrow, got ${source.width} x ${source.height} pixels`,
      );
    return { width, height };
  };
  const longer = Math.max(source.width, source.height);
  const shrunk = longer > maxSideLen ? scaled(source, maxSideLen / longer) : undefined;
  const current = shrunk ?? { width: source.width, height: source.height };
  const shorter = Math.min(current.width, current.height);
  if (shorter >= minSideLen) return { resized: current };
  return { shrunk, resized: scaled(current, minSideLen / shorter) };
}

const lineTable = { batchSize: args.extent(6), width: args.extent(320), height: args.extent(48) };

/**
 * Puts lines of text into batches, as RapidOCR does before it reads them: by their ratios, the narrowest first,
 * with the width of the widest of each batch. Of equal ratios the first line comes first; NumPy leaves that order open.
 * @param {readonly { width: number, height: number }[]} lines pictures, or their sizes in pixels
 * @param {TextLineOptions} [options]
 * @returns {TextLineBatch[]} `letterbox` is an option of `imageToTensor`, for the preset 'rapidocr-text'
 * @example
 * const lines = [{ width: 600, height: 40 }, { width: 90, height: 30 }];
 * textLineBatches(lines); // [{ indices: [1, 0], letterbox: { width: 720, height: 48 } }]
 */
export function textLineBatches(lines, options) {
  return args.named('textLineBatches', () => {
    const ratios = args.readEntries('lines', lines).map((line, i) => {
      const { width, height } = readSize(`lines[${i}]`, line);
      return width / height;
    });
    const { batchSize, width, height } = args.readTable(options, lineTable);
    const narrowestFirst = [...ratios.keys()].sort((a, b) => ratios[a] - ratios[b]);
    const batchCount = Math.ceil(narrowestFirst.length / batchSize);
    return Array.from({ length: batchCount }, (_, batch) => {
      const indices = narrowestFirst.slice(batch * batchSize, (batch + 1) * batchSize);
      const widestRatio = args.largest(indices.map((line) => ratios[line]));
      const leastRatio = width / height;
      const ratio = Math.max(leastRatio, widestRatio);
      return { indices, letterbox: { width: Math.trunc(height * ratio), height } };
    });
  });
}
