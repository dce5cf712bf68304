/**
 * Pillow's resize as a tuned loop in JavaScript: weights of 22 bits in typed arrays, and one loop for each number of
 * channels. Horizontal first, as Pillow has it for all pictures measured here; no alpha. The page measures it too.
 */

const a = -0.5;
const sinc = (x) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
const filters = {
  bilinear: [1, (x) => Math.max(0, 1 - Math.abs(x))],
  bicubic: [
    2,
    (x) => {
      const d = Math.abs(x);
      if (d < 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
      return d < 2 ? (((d - 5) * d + 8) * d - 4) * a : 0;
    },
  ],
  lanczos: [3, (x) => (Math.abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0)],
};

/** Of each result, the first source pixel, the number of pixels and their weights, which take `room` entries. */
function tapsOf(extent, count, filter) {
  const [support, valueAt] = filters[filter];
  const scale = extent / count;
  const stretch = Math.max(scale, 1);
  const room = Math.ceil(support * stretch) * 2 + 1;
  const [starts, lengths, weights] = [new Int32Array(count), new Int32Array(count), new Int32Array(count * room)];
  for (let i = 0; i < count; i++) {
    const center = (i + 0.5) * scale;
    const start = Math.max(0, Math.trunc(center - support * stretch + 0.5));
    const end = Math.min(extent, Math.trunc(center + support * stretch + 0.5));
    const values = [];
    for (let x = start; x < end; x++) values.push(valueAt((x - center + 0.5) * (1 / stretch)));
    const sum = values.reduce((total, value) => total + value, 0);
    values.forEach((value, j) => {
      const scaled = (value / sum) * 2 ** 22;
      weights[i * room + j] = Math.trunc(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    });
    starts[i] = start;
    lengths[i] = end - start;
  }
  return { starts, lengths, weights, room };
}

const half = 2 ** 21;
const toByte = (sum) => {
  const value = sum >> 22;
  return value < 0 ? 0 : value > 255 ? 255 : value;
};

function horizontal4(data, width, height, target, columns, { starts, lengths, weights, room }) {
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < columns; x++, to += 4) {
      let from = (y * width + starts[x]) * 4;
      let [s0, s1, s2, s3] = [half, half, half, half];
      for (let k = x * room, end = k + lengths[x]; k < end; k++, from += 4) {
        const weight = weights[k];
        s0 += data[from] * weight;
        s1 += data[from + 1] * weight;
        s2 += data[from + 2] * weight;
        s3 += data[from + 3] * weight;
      }
      target[to] = toByte(s0);
      target[to + 1] = toByte(s1);
      target[to + 2] = toByte(s2);
      target[to + 3] = toByte(s3);
    }
}

function horizontal3(data, width, height, target, columns, { starts, lengths, weights, room }) {
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < columns; x++, to += 3) {
      let from = (y * width + starts[x]) * 3;
      let [s0, s1, s2] = [half, half, half];
      for (let k = x * room, end = k + lengths[x]; k < end; k++, from += 3) {
        const weight = weights[k];
        s0 += data[from] * weight;
        s1 += data[from + 1] * weight;
        s2 += data[from + 2] * weight;
      }
      target[to] = toByte(s0);
      target[to + 1] = toByte(s1);
      target[to + 2] = toByte(s2);
    }
}

function horizontal1(data, width, height, target, columns, { starts, lengths, weights, room }) {
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < columns; x++, to++) {
      let from = y * width + starts[x];
      let sum = half;
      for (let k = x * room, end = k + lengths[x]; k < end; k++, from++) sum += data[from] * weights[k];
      target[to] = toByte(sum);
    }
}

/** A row at a time, so that the rows it reads are read in order. */
function vertical(data, row, target, rows, { starts, lengths, weights, room }) {
  const sums = new Int32Array(row);
  for (let y = 0; y < rows; y++) {
    sums.fill(half);
    for (let j = 0; j < lengths[y]; j++) {
      const weight = weights[y * room + j];
      const from = (starts[y] + j) * row;
      for (let x = 0; x < row; x++) sums[x] += data[from + x] * weight;
    }
    for (let x = 0; x < row; x++) target[y * row + x] = toByte(sums[x]);
  }
}

/**
 * Resizes bytes of 1, 3 or 4 channels.
 * @returns {Uint8Array}
 */
export function loopResize({ data, width, height, channels }, columns, rows, filter, out = undefined) {
  const between = new Uint8Array(columns * height * channels);
  const horizontal = { 1: horizontal1, 3: horizontal3, 4: horizontal4 }[channels];
  horizontal(data, width, height, between, columns, tapsOf(width, columns, filter));
  const result = out ?? new Uint8Array(columns * rows * channels);
  vertical(between, columns * channels, result, rows, tapsOf(height, rows, filter));
  return result;
}
