/**
 * Pillow's Image.resize and Image.thumbnail, pixel by pixel from their rules. A picture is `{ data, width,
 * height, channels }`, its rows without padding; 2 and 4 channels end in alpha. Imports nothing of js/.
 */
import {
  blank,
  filters,
  pick,
  resampleHeight,
  resampleWidth,
  sumOfBytes,
  sumOfFloats,
  tapsOf,
  wholeTaps,
} from './resample.reference.js';

const { abs, ceil, floor, fround, max, min, trunc } = Math;

/** The bits behind the point of a weight. */
const weightBits = 22;

const isFloat = ({ data }) => data instanceof Float32Array;

/** Applies a function of a color's byte and its alpha to all colors. */
function mapColors(picture, change) {
  const { data, width, height, channels } = picture;
  const result = blank(picture, width, height);
  for (let i = 0; i < data.length; i++) {
    const alphaAt = i - (i % channels) + channels - 1;
    result.data[i] = i === alphaAt ? data[i] : change(data[i], data[alphaAt]);
  }
  return result;
}

function premultiplied(color, alpha) {
  const t = color * alpha + 128;
  return (t + (t >> 8)) >> 8;
}

const unpremultiplied = (color, alpha) =>
  alpha === 0 || alpha === 255 ? color : min(255, floor((255 * color) / alpha));

/** The indices of the nearest pixels. The position is accumulated, with a rounding in each step. */
function nearestIndices(begin, end, count) {
  const step = fround(end - begin) / count;
  const indices = [];
  let position = begin + step / 2;
  for (let i = 0; i < count; i++) {
    indices.push(trunc(position));
    position += step;
  }
  return indices;
}

const range = (start, count) => Array.from({ length: count }, (_, i) => start + i);
const isWhole = (number) => number === trunc(number);

/** One resampling of a box in single precision, alpha taken as one more channel. */
function resample(picture, columns, rows, filter, box) {
  const { width, height } = picture;
  const [left, top, right, bottom] = box.map(fround);
  const isCrop = isWhole(left) && isWhole(top) && fround(right - left) === columns && fround(bottom - top) === rows;
  if (isCrop) return pick(picture, range(left, columns), range(top, rows));
  if (filter === 'nearest')
    return pick(picture, nearestIndices(left, right, columns), nearestIndices(top, bottom, rows));

  const pass = (resampleAxis, extent, begin, end, count) => (source) => {
    if (extent === count && begin === 0 && end === count) return source;
    const taps = tapsOf(filters[filter], extent, begin, fround(end - begin) / count, count);
    return isFloat(source)
      ? resampleAxis(source, taps, sumOfFloats)
      : resampleAxis(source, wholeTaps(taps, weightBits), sumOfBytes(weightBits));
  };
  const horizontal = pass(resampleWidth, width, left, right, columns);
  const vertical = pass(resampleHeight, height, top, bottom, rows);
  const isVerticalFirst = height > rows && height - rows > 2 * (width - columns);
  return isVerticalFirst ? horizontal(vertical(picture)) : vertical(horizontal(picture));
}

/** The rounded mean of some bytes: a multiplication by the inverse, but a division in the cells Pillow has code for. */
function meanOfBytes(sum, count, isExact) {
  const rounded = sum + floor(count / 2);
  if (isExact) return floor(rounded / count);
  const inverse = trunc(fround(2 ** 32 / fround(256 * count)));
  return floor(((rounded * inverse) % 2 ** 32) / 2 ** 24);
}

/** The sum of a whole cell of floats: 2x2 pixels at a time, each such group summed in single precision. */
function sumOfGroups(valueAt, across, down) {
  let sum = 0;
  for (let y = 0; y < down; y += 2)
    for (let x = 0; x < across; x += 2) {
      let group = valueAt(x, y);
      if (x + 1 < across) group = fround(group + valueAt(x + 1, y));
      if (y + 1 < down) group = fround(group + valueAt(x, y + 1));
      if (x + 1 < across && y + 1 < down) group = fround(group + valueAt(x + 1, y + 1));
      sum += group;
    }
  return sum;
}

function sumInOrder(valueAt, across, down) {
  let sum = 0;
  for (let y = 0; y < down; y++) for (let x = 0; x < across; x++) sum += valueAt(x, y);
  return sum;
}

const exactCells = ['1x2', '2x1', '2x2', '4x4'];

/** Image.reduce of a box with whole edges: the mean of each cell, the last cells cut where the box ends. */
function reduce(picture, factorX, factorY, [left, top, right, bottom]) {
  const { data, width, channels } = picture;
  const result = blank(picture, ceil((right - left) / factorX), ceil((bottom - top) / factorY));
  let i = 0;
  for (let y = top; y < bottom; y += factorY)
    for (let x = left; x < right; x += factorX) {
      const [across, down] = [min(factorX, right - x), min(factorY, bottom - y)];
      const isWholeCell = across === factorX && down === factorY;
      const count = across * down;
      for (let c = 0; c < channels; c++) {
        const valueAt = (dx, dy) => data[((y + dy) * width + x + dx) * channels + c];
        result.data[i++] = isFloat(picture)
          ? (isWholeCell ? sumOfGroups : sumInOrder)(valueAt, across, down) * (1 / count)
          : meanOfBytes(
              sumInOrder(valueAt, across, down),
              count,
              isWholeCell && exactCells.includes(`${factorX}x${factorY}`),
            );
      }
    }
  return result;
}

/** The picture reduced by whole factors as far as the gap allows, and the box in it. */
function reduced(picture, columns, rows, filter, box, gap) {
  const [left, top, right, bottom] = box;
  const [scaleX, scaleY] = [(right - left) / columns, (bottom - top) / rows];
  const factorX = trunc(scaleX / gap) || 1;
  const factorY = trunc(scaleY / gap) || 1;
  if (factorX === 1 && factorY === 1) return { picture, box };
  const margin = filters[filter].support - 0.5;
  const safe = [
    max(0, trunc(left - margin * scaleX)),
    max(0, trunc(top - margin * scaleY)),
    min(picture.width, ceil(right + margin * scaleX)),
    min(picture.height, ceil(bottom + margin * scaleY)),
  ];
  return {
    picture: reduce(picture, factorX, factorY, safe),
    box: [
      (left - safe[0]) / factorX,
      (top - safe[1]) / factorY,
      (right - safe[0]) / factorX,
      (bottom - safe[1]) / factorY,
    ],
  };
}

/**
 * Image.resize.
 * @param {object} picture
 * @param {number} columns of the result
 * @param {number} rows of the result
 * @param {object} options
 * @param {string} options.filter
 * @param {number[]} [options.box] the whole picture if omitted
 * @param {number} [options.reducingGap] no reduction if omitted
 * @param {boolean} options.premultiply whether the last channel is alpha by which the colors are weighted
 */
export function pillowResize(picture, columns, rows, { filter, box, reducingGap, premultiply }) {
  const { width, height } = picture;
  const from = box ?? [0, 0, width, height];
  const isWholePicture = from[0] === 0 && from[1] === 0 && from[2] === width && from[3] === height;
  if (width === columns && height === rows && isWholePicture) return pick(picture, range(0, width), range(0, height));
  const weighted = premultiply && filter !== 'nearest';
  const source = weighted ? mapColors(picture, premultiplied) : picture;
  const start =
    reducingGap === undefined || filter === 'nearest'
      ? { picture: source, box: from }
      : reduced(source, columns, rows, filter, from, reducingGap);
  const result = resample(start.picture, columns, rows, filter, start.box);
  return weighted ? mapColors(result, unpremultiplied) : result;
}

/** The nearer whole number to a side, where `distance` measures how far the aspect ratio is off; the lower in a tie. */
function roundSide(side, distance) {
  const [lower, upper] = [floor(side), ceil(side)];
  return max(distance(upper) < distance(lower) ? upper : lower, 1);
}

/**
 * The size of Image.thumbnail's result: the aspect ratio kept, within a size; undefined if the picture fits as it is.
 * @returns {{ width: number, height: number } | undefined}
 */
export function thumbnailSize(picture, width, height) {
  if (width >= picture.width && height >= picture.height) return undefined;
  const aspect = picture.width / picture.height;
  if (width / height >= aspect)
    return { width: roundSide(height * aspect, (side) => abs(aspect - side / height)), height };
  return { width, height: roundSide(width / aspect, (side) => (side === 0 ? 0 : abs(aspect - width / side))) };
}
