/**
 * RGB pixels at another size, as people write it in JavaScript: Pillow's bicubic filter by Pillow's own arithmetic,
 * weights as whole numbers of 22 bits behind the point. For pictures that lose at most twice as many rows as columns:
 * Pillow resizes others down the columns first. No DOM.
 */
const weightBits = 22;
const half = 1 << (weightBits - 1);

/** Keys' cubic with a = -0.5, in the form that Pillow evaluates. */
function cubic(x) {
  const t = Math.abs(x);
  if (t < 1) return (1.5 * t - 2.5) * t * t + 1;
  return t < 2 ? (((t - 5) * t + 8) * t - 4) * -0.5 : 0;
}

/**
 * The pixels that each pixel of the result is made of.
 * @param {number} extent
 * @param {number} size of the result
 * @returns {{ first: Int32Array, count: Int32Array, weights: Int32Array, most: number }} `most` weights are kept for
 *   each pixel, of which `count` are used
 */
function tapsOf(extent, size) {
  const scale = extent / size;
  const stretch = Math.max(scale, 1);
  const support = 2 * stretch;
  const most = 2 * Math.ceil(support) + 1;
  const first = new Int32Array(size);
  const count = new Int32Array(size);
  const weights = new Int32Array(size * most);
  for (let i = 0; i < size; i++) {
    const center = (i + 0.5) * scale;
    const begin = Math.max(0, Math.trunc(center - support + 0.5));
    const end = Math.min(extent, Math.trunc(center + support + 0.5));
    const values = Array.from({ length: end - begin }, (_, k) => cubic((begin + k - center + 0.5) * (1 / stretch)));
    const sum = values.reduce((total, value) => total + value, 0);
    first[i] = begin;
    count[i] = end - begin;
    values.forEach((value, k) => {
      const weight = (value / sum) * 2 ** weightBits;
      weights[i * most + k] = Math.trunc(weight + (weight < 0 ? -0.5 : 0.5));
    });
  }
  return { first, count, weights, most };
}

/** @typedef {ReturnType<typeof tapsOf>} Taps */

const byteOf = (sum) => {
  const value = sum >> weightBits;
  return value < 0 ? 0 : value > 255 ? 255 : value;
};

/**
 * Sums one channel after another.
 * @param {Uint8Array} source lines of pixels
 * @param {Uint8Array} target
 * @param {Taps} taps
 * @param {number} lines that are resized alike: rows across, columns down
 * @param {{ lineStep: number, step: number, targetLineStep: number, targetStep: number }} steps bytes from one line to
 *   the next, and from one pixel of a line to the next
 */
function byChannel(source, target, { first, count, weights, most }, lines, steps) {
  const { lineStep, step, targetLineStep, targetStep } = steps;
  for (let line = 0; line < lines; line++) {
    for (let i = 0; i < first.length; i++) {
      const end = i * most + count[i];
      for (let channel = 0; channel < 3; channel++) {
        let sum = half;
        let from = line * lineStep + first[i] * step + channel;
        for (let k = i * most; k < end; k++, from += step) sum += source[from] * weights[k];
        target[line * targetLineStep + i * targetStep + channel] = byteOf(sum);
      }
    }
  }
}

/**
 * Sums the three channels of a pixel together.
 * @type {typeof byChannel}
 */
function byPixel(source, target, { first, count, weights, most }, lines, steps) {
  const { lineStep, step, targetLineStep, targetStep } = steps;
  for (let line = 0; line < lines; line++) {
    for (let i = 0; i < first.length; i++) {
      let [red, green, blue] = [half, half, half];
      let from = line * lineStep + first[i] * step;
      const end = i * most + count[i];
      for (let k = i * most; k < end; k++, from += step) {
        const weight = weights[k];
        red += source[from] * weight;
        green += source[from + 1] * weight;
        blue += source[from + 2] * weight;
      }
      const to = line * targetLineStep + i * targetStep;
      target[to] = byteOf(red);
      target[to + 1] = byteOf(green);
      target[to + 2] = byteOf(blue);
    }
  }
}

/**
 * The loops, ready to run.
 * @param {import('./workloads.js').Workload} workload
 * @param {Uint8Array} source
 * @param {Uint8Array} target
 * @returns {(() => void)[]} each leaves the whole result in `target`
 */
export function resizeLoops({ dims: [height, width], size: [rows, columns] }, source, target) {
  const across = tapsOf(width, columns);
  const down = tapsOf(height, rows);
  const middle = new Uint8Array(3 * columns * height);
  const row = 3 * columns;
  const stepsAcross = { lineStep: 3 * width, step: 3, targetLineStep: row, targetStep: 3 };
  const stepsDown = { lineStep: 3, step: row, targetLineStep: 3, targetStep: row };
  return [byChannel, byPixel].map((pass) => () => {
    pass(source, middle, across, height, stepsAcross);
    pass(middle, target, down, columns, stepsDown);
  });
}
