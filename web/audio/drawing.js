/** Drawings of audio: its outline, and features as a picture. No DOM. */

/**
 * The least and the greatest sample of each of `columns` parts, one after the other.
 * @param {Float32Array} samples
 * @param {number} columns
 */
export function outlineOf(samples, columns) {
  const outline = new Float32Array(2 * columns);
  for (let column = 0; column < columns; column++) {
    const [from, to] = [column, column + 1].map((edge) => Math.floor((edge * samples.length) / columns));
    let [least, most] = [0, 0];
    for (let i = from; i < to; i++) [least, most] = [Math.min(least, samples[i]), Math.max(most, samples[i])];
    outline.set([least, most], 2 * column);
  }
  return outline;
}

/**
 * How many frames are not padding: those behind them are all alike.
 * @param {Float32Array} numbers [bins, frames] with `isTimeLast`, otherwise [frames, bins]
 * @param {number} bins
 * @param {number} frames
 * @param {boolean} isTimeLast
 */
export function realFrames(numbers, bins, frames, isTimeLast) {
  const at = (bin, frame) => numbers[isTimeLast ? bin * frames + frame : frame * bins + bin];
  let last = frames - 1;
  const isPadding = (frame) => {
    for (let bin = 0; bin < bins; bin++) if (at(bin, frame) !== at(bin, frames - 1)) return false;
    return true;
  };
  while (last > 0 && isPadding(last - 1)) last--;
  return last > 0 && last < frames - 1 ? last : frames;
}

/**
 * Features as a picture: time goes to the right, frequency upwards.
 * @param {{ dims: readonly number[], data: Float32Array }} tensor whose last two axes are drawn, of its first item
 * @param {boolean} isTimeLast
 * @param {Uint32Array} colors 256 of RGBA
 * @param {readonly [number, number]} [range] the values that are black and pale; the least and the greatest if omitted,
 *   and then padding at the end is left out
 * @returns {{ data: Uint8ClampedArray, width: number, height: number, frames: number }} RGBA, and how many frames the
 *   tensor has
 */
export function pictureOf({ dims, data }, isTimeLast, colors, range) {
  const [rows, columns] = dims.slice(-2);
  const [frames, height] = isTimeLast ? [columns, rows] : [rows, columns];
  const numbers = data.subarray(0, rows * columns);
  const width = range ? frames : realFrames(numbers, height, frames, isTimeLast);
  const [least, most] = range ?? [
    numbers.reduce((one, other) => Math.min(one, other), Infinity),
    numbers.reduce((one, other) => Math.max(one, other), -Infinity),
  ];
  const scale = 255 / (most - least || 1);
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    const bin = height - 1 - y;
    for (let x = 0; x < width; x++) {
      const value = numbers[isTimeLast ? bin * columns + x : x * columns + bin];
      pixels[y * width + x] = colors[Math.max(0, Math.min(255, Math.round((value - least) * scale)))];
    }
  }
  return { data: new Uint8ClampedArray(pixels.buffer), width, height, frames };
}
