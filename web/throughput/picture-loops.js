/**
 * Pixels to a normalized tensor, as people write it in JavaScript: RGBA bytes to three planes of float32, normalized
 * for ImageNet. Both loops evaluate (x * scale - mean) / std with each step rounded to float32, as the package does. No
 * DOM.
 */
const { fround } = Math;
const scale = 1 / 255;
const mean = [0.485, 0.456, 0.406].map(fround);
const std = [0.229, 0.224, 0.225].map(fround);

const normalize = (x, channel) => fround(fround(fround(x * scale) - mean[channel]) / std[channel]);

/** @type {(pixels: Uint8Array, target: Float32Array) => void} */
function byFormula(pixels, target) {
  const count = target.length / 3;
  const [meanR, meanG, meanB] = mean;
  const [stdR, stdG, stdB] = std;
  for (let i = 0, read = 0; i < count; i++, read += 4) {
    target[i] = fround(fround(fround(pixels[read] * scale) - meanR) / stdR);
    target[i + count] = fround(fround(fround(pixels[read + 1] * scale) - meanG) / stdG);
    target[i + 2 * count] = fround(fround(fround(pixels[read + 2] * scale) - meanB) / stdB);
  }
}

const [tableR, tableG, tableB] = [0, 1, 2].map((channel) =>
  Float32Array.from({ length: 256 }, (_, x) => normalize(x, channel)),
);

/**
 * Looks the results up, because a byte has only 256 of them.
 * @type {(pixels: Uint8Array, target: Float32Array) => void}
 */
function byTable(pixels, target) {
  const count = target.length / 3;
  for (let i = 0, read = 0; i < count; i++, read += 4) {
    target[i] = tableR[pixels[read]];
    target[i + count] = tableG[pixels[read + 1]];
    target[i + 2 * count] = tableB[pixels[read + 2]];
  }
}

/** @returns {(() => void)[]} each leaves the whole result in `target` */
export const pictureLoops = (pixels, target) => [byFormula, byTable].map((loop) => () => loop(pixels, target));
