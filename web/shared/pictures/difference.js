/** How far two pictures are apart. No DOM. */

/** This part of the numbers stays below 256 when the difference is amplified; the few others are cut off. */
const part = 0.99;

/**
 * The least distance that a part of all distances do not exceed.
 * @param {readonly number[]} counts of the distances 0, 1, 2 and so on
 */
function usualMost(counts) {
  const all = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  return counts.findIndex((count) => (seen += count) >= part * all);
}

/**
 * The difference of two pictures of one size, amplified by a power of two so that it can be seen.
 * @param {{ data: Uint8ClampedArray, width: number, height: number }} a RGBA
 * @param {{ data: Uint8ClampedArray }} b RGBA
 * @param {3 | 4} channels 4 counts alpha too, whose difference is drawn as gray
 * @returns {{ greatest: number, mean: number, factor: number,
 *   picture: { data: Uint8ClampedArray, width: number, height: number } }} `greatest` and `mean` are over all pixels
 *   and channels, before they are amplified
 */
export function differenceOf(a, b, channels) {
  const { data, width, height } = a;
  const apart = new Uint8ClampedArray(data.length);
  const counts = Array(256).fill(0);
  for (let i = 0; i < data.length; i += 4) {
    for (let channel = 0; channel < channels; channel++) {
      const distance = Math.abs(data[i + channel] - b.data[i + channel]);
      apart[i + channel] = distance;
      counts[distance]++;
    }
  }
  const factor = 2 ** Math.floor(Math.log2(255 / Math.max(1, usualMost(counts))));
  for (let i = 0; i < apart.length; i += 4) {
    const gray = channels === 4 ? apart[i + 3] : 0;
    for (let channel = 0; channel < 3; channel++) apart[i + channel] = factor * Math.max(apart[i + channel], gray);
    apart[i + 3] = 255;
  }
  const sum = counts.reduce((total, count, distance) => total + count * distance, 0);
  return {
    greatest: counts.findLastIndex((count) => count > 0),
    mean: sum / (channels * width * height),
    factor,
    picture: { data: apart, width, height },
  };
}
