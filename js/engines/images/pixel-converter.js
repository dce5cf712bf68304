/** Converters of pixels to numbers. The settings of a call are written to `callBlock`, from which the kernel reads them
 * as a struct: constants of `cpp` are the indices of its members. */
import * as cpp from '../../../dist/bridge/images.js';
import { checkMemory } from '../memory/index.js';
import { conversionBytes, lineBytes, placeInLine } from '../tensors/index.js';
import { ready } from './load.js';
import { area, callBlock, callFloats, tableBlock } from './module.js';

/** @import { Channels, Image, OpaqueImage, PixelNumbers } from './types.js' */

/** Bytes of memory for a piece of the source, so that the result's begins half a page behind a whole one: see
 * `destinationByte`. */
export const sourceBytes = conversionBytes + 2048;
/** Bytes of memory for what a piece becomes: up to four planes, which lie 64 bytes apart, at their place of a line. */
export const resultBytes = conversionBytes + 4 * 64 + 2 * lineBytes;

/** Turns `count` pixels at an address in the module into numbers, and writes these to the destination, where they are
 * the pixels from number `first` on.
 * @typedef {(at: number, first: number, count: number) => void} Convert */

/** Makes a function that converts at most `maxCount` pixels at a time. It takes memory of `area`. Most of the call's
 * settings are written to `callBlock` here once, so no other call may write there while the function is in use.
 * @type {(source: Image | OpaqueImage, numbers: PixelNumbers) => { convert: Convert, maxCount: number }} */
export function makeConverter(source, { dtype, channels, isPlanar, destination, size }) {
  const resultChannels = channels.sources.length;
  // Numbers that lie side by side are one plane.
  const planes = isPlanar ? resultChannels : 1;
  const bytesInPlane = (dtype.bits / 8) * (isPlanar ? 1 : resultChannels);
  const pixelBytes = Math.max(source.channels, planes * bytesInPlane); // on the wider side
  // Multiples of 64 pixels, so that each plane begins at the same place of a cache line as the first.
  const maxCount = 64 * Math.floor(conversionBytes / (64 * pixelBytes));
  checkMemory('written', destination, (size * resultChannels * dtype.bits) / 8);
  const isCopy = dtype.name === 'uint8' && source.channels === 3 && !isPlanar && isIdentity(channels);
  if (isCopy) {
    /** @type {Convert} */
    const copy = (at, first, count) => destination.set(area.view(Uint8Array, at, 3 * count), 3 * first);
    return { convert: copy, maxCount };
  }
  const planesAt = area.allocate(resultBytes) + placeInLine(destination, 0);
  const planeStride = isPlanar ? maxCount * bytesInPlane + 64 : 0;
  const makeNumbers = writeStruct(source, dtype, channels);
  callBlock[cpp.pixelNumbersPlaneBytes] = planeStride;
  callBlock[cpp.pixelNumbersDst] = planesAt;
  // Views of the planes of a piece, made anew only where a piece has another number of pixels: the last one.
  /** @type {Uint8Array[]} */
  let views = [];
  let viewedCount = 0;
  /** @type {Convert} */
  const convert = (at, first, count) => {
    if (viewedCount !== count) {
      views = planeViews(planes, planesAt, planeStride, count * bytesInPlane);
      viewedCount = count;
    }
    callBlock[cpp.pixelNumbersSrc] = at;
    callBlock[cpp.pixelNumbersCount] = count;
    const groups = 1;
    makeNumbers(groups);
    for (let plane = 0; plane < planes; plane++) destination.set(views[plane], (plane * size + first) * bytesInPlane);
  };
  return { convert, maxCount };
}

/** Whether the three channels of the result are the bytes of the source, in their order and unchanged.
 * @type {(channels: Channels) => boolean} */
function isIdentity({ sources, scale, low, mean, std }) {
  if (sources.length !== 3 || low) return false;
  return sources.every((source, c) => source === c && scale?.[c] === 1 && mean?.[c] === 0 && std?.[c] === 1);
}

/** Writes the settings of a call to `callBlock`, without its addresses and counts. Returns the kernel that makes
 * numbers by them, for a number of groups of pixels: by tables, or by each channel's formula.
 * @type {(source: Omit<Image | OpaqueImage, 'data'>, dtype: PixelNumbers['dtype'], channels: Channels) => (groups:
 *   number) => void} */
export function writeStruct(source, dtype, channels) {
  const { lookUp, pixels } = ready();
  callBlock[cpp.pixelNumbersTo] = dtype.code;
  callBlock[cpp.pixelNumbersSrcChannels] = source.channels;
  callBlock[cpp.pixelNumbersDstChannels] = channels.sources.length;
  writeChannels(channels, 'order' in source && source.order === 'BGRX');
  return channels.tables ? lookUp : pixels;
}

/** Writes the source and the formula of each channel to `callBlock`, and tables to `tableBlock`. `isBlueFirst`: the
 * pixels' bytes are blue, green, red, so a source of red is byte 2.
 * @type {(channels: Channels, isBlueFirst: boolean) => void} */
function writeChannels({ sources, scale, low, mean, std, tables }, isBlueFirst) {
  const codes = ready();
  if (tables) tableBlock.set(tables);
  for (let c = 0; c < sources.length; c++) {
    const struct = cpp.pixelNumbersChannels + c * cpp.channelWords;
    const source = sources[c];
    if (typeof source === 'string') callBlock[struct + cpp.channelSource] = codes[source];
    else callBlock[struct + cpp.channelSource] = isBlueFirst ? 2 - source : source;
    const hasFormula = scale && mean && std;
    if (!hasFormula) continue;
    callFloats[struct + cpp.channelScale] = scale[c];
    callFloats[struct + cpp.channelMean] = mean[c];
    callFloats[struct + cpp.channelStd] = std[c];
    // The kernel adds x * low, and -0 changes no sum, not even one of -0.
    callFloats[struct + cpp.channelLow] = low ? low[c] : -0;
  }
}

/** Views `bytes` bytes of each plane; planes begin `stride` bytes apart, from address `first` on.
 * @type {(planes: number, first: number, stride: number, bytes: number) => Uint8Array[]} */
const planeViews = (planes, first, stride, bytes) =>
  Array.from({ length: planes }, (_, plane) => area.view(Uint8Array, first + plane * stride, bytes));
