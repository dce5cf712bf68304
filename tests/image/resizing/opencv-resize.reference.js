/**
 * cv2.resize of uint8 images, OpenCV, pixel by pixel from its rules, and what is built on it: borders and grays. A
 * picture is `{ data, width, height, channels }`, its rows without padding. Imports nothing of js/.
 */

// Under Jest, looking up a global takes a hundred times as long as a constant of the module.
const { PI, abs, ceil, cos, floor, fround, imul, max, min, round, sin, sqrt } = Math;

const clamp = (x, low, high) => max(low, min(x, high));

/** To the nearest whole number, half to even. */
export const rint = (x) => {
  const low = floor(x);
  const rest = x - low;
  return rest > 0.5 || (rest === 0.5 && low % 2 !== 0) ? low + 1 : low;
};

const byteOf = (x) => clamp(rint(x), 0, 255);

/** Four weights around t, each operation rounded to float32. */
function cubicWeights(t) {
  const mul = (a, b) => fround(fround(a) * fround(b));
  const add = (a, b) => fround(fround(a) + fround(b));
  const u = add(t, 1);
  const far = add(mul(add(mul(add(mul(-0.75, u), 3.75), u), -6), u), 3);
  const near = (x) => add(mul(mul(add(mul(1.25, x), -2.25), x), x), 1);
  const [second, third] = [near(t), near(add(1, -t))];
  return [far, second, third, add(add(add(1, -far), -second), -third)];
}

const root = sqrt(0.5);
const turns = [
  [1, 0],
  [-root, -root],
  [0, 1],
  [root, -root],
  [-1, 0],
  [root, root],
  [0, -1],
  [-root, root],
];

/** Eight weights around t. */
function lanczosWeights(t) {
  const from = fround(t + 3);
  const angle = -from * PI * 0.25;
  const weights = turns.map(([s, c], i) => {
    const distance = fround(from - i);
    const y = -distance * PI * 0.25;
    return abs(distance) < 1e-6 ? fround(1e30) : fround((s * sin(angle) + c * cos(angle)) / (y * y));
  });
  const inverse = fround(1 / weights.reduce((sum, weight) => fround(sum + weight), 0));
  return weights.map((weight) => fround(weight * inverse));
}

/**
 * The taps of each result along an axis: their indices, which repeat the pixel at an edge, and whole weights.
 * @param {number} count of taps
 * @param {number} extent
 * @param {number} size of the result
 * @param {{ inverse: number, isArea: boolean, isHorizontal: boolean }} how
 */
function wholeTaps(count, extent, size, { inverse, isArea, isHorizontal }) {
  const scale = 1 / inverse;
  return Array.from({ length: size }, (_, i) => {
    let j;
    let t;
    if (isArea) {
      j = floor(i * scale);
      t = fround(i + 1 - (j + 1) * inverse);
      t = t <= 0 ? 0 : fround(t - floor(t));
    } else {
      const position = fround((i + 0.5) * scale - 0.5);
      j = floor(position);
      t = fround(position - j);
    }
    if (count === 2 && isHorizontal && (j < 0 || j >= extent - 1)) {
      j = clamp(j, 0, extent - 1);
      t = 0;
    }
    const weights = count === 2 ? [fround(1 - t), t] : count === 4 ? cubicWeights(t) : lanczosWeights(t);
    const whole = weights.map((weight) => clamp(rint(fround(weight * 2048)), -32768, 32767));
    const places = whole.map((_, k) => clamp(j + 1 - count / 2 + k, 0, extent - 1));
    return { places, weights: whole };
  });
}

/** Horizontal sums of all rows, as numbers. */
function sumRows({ data, width, height, channels }, taps) {
  const sums = new Float64Array(height * taps.length * channels);
  let to = 0;
  for (let y = 0; y < height; y++)
    for (const { places, weights } of taps)
      for (let c = 0; c < channels; c++, to++) {
        let sum = 0;
        for (let k = 0; k < weights.length; k++) sum += data[(y * width + places[k]) * channels + c] * weights[k];
        sums[to] = sum;
      }
  return sums;
}

/** A number of the result, of sums that begin at `starts`: two truncations. */
function linearNumber(sums, starts, x, weights) {
  const upper = floor((weights[0] * floor(sums[starts[0] + x] / 16)) / 65536);
  const lower = floor((weights[1] * floor(sums[starts[1] + x] / 16)) / 65536);
  return floor((upper + lower + 2) / 4);
}

/** The same of four taps, in float32 from the last one on. */
function floatNumber(sums, starts, x, weights) {
  let value = 0;
  for (let k = 3; k >= 0; k--) {
    const product = fround(sums[starts[k] + x] * fround(weights[k] / 4194304));
    value = k === 3 ? product : fround(product + value);
  }
  return rint(value);
}

/** The same of any number of taps, in whole numbers. */
function wholeNumber(sums, starts, x, weights) {
  let sum = 2 ** 21;
  for (let k = 0; k < weights.length; k++) sum += weights[k] * sums[starts[k] + x];
  return floor(sum / 2 ** 22);
}

/** Two, four or eight taps along each axis. */
function tapsResize(picture, columns, rows, count, { isArea, inverses, lanes = 8 }) {
  const { width, height, channels } = picture;
  const across = wholeTaps(count, width, columns, { inverse: inverses[0], isArea, isHorizontal: true });
  const down = wholeTaps(count, height, rows, { inverse: inverses[1], isArea, isHorizontal: false });
  const sums = sumRows(picture, across);
  const row = columns * channels;
  const grouped = count === 4 ? row - (row % lanes) : 0;
  const data = new Uint8Array(rows * row);
  const numberOf = count === 2 ? linearNumber : wholeNumber;
  down.forEach(({ places, weights }, y) => {
    const starts = places.map((place) => place * row);
    for (let x = 0; x < grouped; x++) data[y * row + x] = clamp(floatNumber(sums, starts, x, weights), 0, 255);
    for (let x = grouped; x < row; x++) data[y * row + x] = clamp(numberOf(sums, starts, x, weights), 0, 255);
  });
  return { data, width: columns, height: rows, channels };
}

/** The cells of an axis that are no whole pixels. */
function cellsOf(extent, size, scale) {
  return Array.from({ length: size }, (_, i) => {
    const from = i * scale;
    const to = from + scale;
    const cell = min(scale, extent - from);
    const end = min(floor(to), extent - 1);
    const begin = min(ceil(from), end);
    const taps = [];
    if (begin - from > 1e-3) taps.push([begin - 1, fround((begin - from) / cell)]);
    for (let j = begin; j < end; j++) taps.push([j, fround(1 / cell)]);
    if (to - end > 1e-3) taps.push([end, fround(min(to - end, 1, cell) / cell)]);
    return taps;
  });
}

/** Sums of float32: of each source row first, then of rows. */
function cellResize({ data, width, height, channels }, columns, rows, scales) {
  const across = cellsOf(width, columns, scales[0]);
  const down = cellsOf(height, rows, scales[1]);
  const row = columns * channels;
  const sums = new Float32Array(height * row);
  for (let y = 0, to = 0; y < height; y++)
    for (const taps of across)
      for (let c = 0; c < channels; c++, to++)
        for (const [x, weight] of taps)
          sums[to] = fround(sums[to] + fround(data[(y * width + x) * channels + c] * weight));
  const result = new Uint8Array(rows * row);
  down.forEach((taps, y) => {
    for (let x = 0; x < row; x++) {
      let sum = 0;
      for (const [from, weight] of taps) sum = fround(sum + fround(sums[from * row + x] * weight));
      result[y * row + x] = byteOf(sum);
    }
  });
  return { data: result, width: columns, height: rows, channels };
}

/** Cells of whole pixels. OpenCV sums them in 32 bits. */
function wholeCellResize({ data, width, channels }, columns, rows, wide, high) {
  const inverse = fround(1 / (wide * high));
  const result = new Uint8Array(rows * columns * channels);
  for (let y = 0, to = 0; y < rows; y++)
    for (let x = 0; x < columns; x++)
      for (let c = 0; c < channels; c++, to++) {
        let sum = 0;
        for (let dy = 0; dy < high; dy++)
          for (let dx = 0; dx < wide; dx++) sum += data[((y * high + dy) * width + x * wide + dx) * channels + c];
        result[to] = wide === 2 && high === 2 ? floor((sum + 2) / 4) : byteOf(fround(fround(imul(sum, 1)) * inverse));
      }
  return { data: result, width: columns, height: rows, channels };
}

function areaResize(picture, columns, rows, inverses) {
  const scales = inverses.map((inverse) => 1 / inverse);
  if (min(...scales) < 1) return tapsResize(picture, columns, rows, 2, { isArea: true, inverses });
  const whole = scales.map((scale) => round(scale));
  if (scales.every((scale, axis) => abs(scale - whole[axis]) < 2 ** -52))
    return wholeCellResize(picture, columns, rows, ...whole);
  return cellResize(picture, columns, rows, scales);
}

/** The picture whose pixels are those at the given columns and rows. */
export function pick({ data, width, channels }, columns, rows) {
  const result = new Uint8Array(columns.length * rows.length * channels);
  let to = 0;
  for (const y of rows)
    for (const x of columns) for (let c = 0; c < channels; c++) result[to++] = data[(y * width + x) * channels + c];
  return { data: result, width: columns.length, height: rows.length, channels };
}

const nearestIndices = (extent, size, inverse) =>
  Array.from({ length: size }, (_, i) => min(floor(i * (1 / inverse)), extent - 1));

/** OpenCV 5's, which adds up its steps as Pillow does. */
function nearestExactIndices(extent, size) {
  const step = extent / size;
  let position = step * 0.5;
  return Array.from({ length: size }, () => {
    const index = min(floor(position), extent - 1);
    position += step;
    return index;
  });
}

function exactTaps(extent, size, inverse) {
  const scale = 1 / inverse;
  return Array.from({ length: size }, (_, i) => {
    const position = scale * (i + 0.5) - 0.5;
    const j = floor(position);
    if (j < 0 || extent === 1) return [0, 0];
    return j >= extent - 1 ? [extent - 1, 0] : [j, rint((position - j) * 256)];
  });
}

function exactResize({ data, width, height, channels }, columns, rows, inverses) {
  const across = exactTaps(width, columns, inverses[0]);
  const result = new Uint8Array(rows * columns * channels);
  let to = 0;
  for (const [y, ky] of exactTaps(height, rows, inverses[1]))
    for (const [x, kx] of across)
      for (let c = 0; c < channels; c++) {
        const [right, below] = [min(x + 1, width - 1), min(y + 1, height - 1)];
        const upper = data[(y * width + x) * channels + c] * (256 - kx) + data[(y * width + right) * channels + c] * kx;
        const lower =
          data[(below * width + x) * channels + c] * (256 - kx) + data[(below * width + right) * channels + c] * kx;
        result[to++] = floor((upper * (256 - ky) + lower * ky + 32768) / 65536);
      }
  return { data: result, width: columns, height: rows, channels };
}

/**
 * cv2.resize of bytes.
 * @param {object} picture
 * @param {number} columns
 * @param {number} rows
 * @param {string} [filter]
 * @param {number} [factor] of both axes, as `fx` and `fy`
 */
export function cvResize(picture, columns, rows, filter = 'linear', factor) {
  const { width, height } = picture;
  if (columns === width && rows === height) return { ...picture, data: Uint8Array.from(picture.data) };
  const inverses = [factor ?? columns / width, factor ?? rows / height];
  switch (filter) {
    case 'nearest':
      return pick(picture, nearestIndices(width, columns, inverses[0]), nearestIndices(height, rows, inverses[1]));
    case 'nearest_exact':
      return pick(picture, nearestExactIndices(width, columns), nearestExactIndices(height, rows));
    case 'linear_exact':
      return exactResize(picture, columns, rows, inverses);
    case 'area':
      return areaResize(picture, columns, rows, inverses);
    default:
      return tapsResize(picture, columns, rows, { linear: 2, cubic: 4, lanczos4: 8 }[filter], {
        isArea: false,
        inverses,
      });
  }
}
