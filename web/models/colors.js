/** The colors that the page's models tell apart: red, green and blue from 0 to 1. No DOM. */

const shades = {
  black: [0.06, 0.06, 0.08],
  gray: [0.5, 0.5, 0.5],
  white: [0.95, 0.95, 0.95],
  red: [0.86, 0.22, 0.27],
  orange: [0.98, 0.52, 0.1],
  yellow: [0.96, 0.78, 0.1],
  green: [0.3, 0.55, 0.3],
  teal: [0.08, 0.66, 0.5],
  blue: [0.11, 0.3, 0.75],
  sky: [0.5, 0.74, 0.95],
  purple: [0.48, 0.16, 0.4],
};

export const labels = Object.keys(shades);

/** The bytes of each label's color. */
export const palette = Object.values(shades).map((shade) => shade.map((part) => Math.round(255 * part)));

/** Factor of the logits: the greater, the clearer the nearest color wins. */
const sharpness = 40;

/** @typedef {{ mean: number[], std: number[] }} Normalization what the processor did to the pixels */

/**
 * A step from pixels to the logit of each label in cells of `stride` x `stride` pixels. The nearest color wins: the
 * square of the distance, less what all labels have in common, is linear, so one convolution has it.
 * @param {import('./graph.js').Graph} graph
 * @param {string} pixels float32 [1, 3, height, width]
 * @param {number} stride
 * @param {Normalization} normalization
 */
export function colorLogits(graph, pixels, stride, { mean, std }) {
  const area = stride * stride;
  const weights = Object.values(shades).flatMap((shade) =>
    shade.flatMap((part, i) => new Array(area).fill((2 * sharpness * part * std[i]) / area)),
  );
  const biases = Object.values(shades).map((shade) =>
    shade.reduce((sum, part, i) => sum + sharpness * part * (2 * mean[i] - part), 0),
  );
  const dims = [labels.length, 3, stride, stride];
  return graph.add('Conv', [pixels, graph.floats(weights, dims), graph.floats(biases)], { strides: [stride, stride] });
}
