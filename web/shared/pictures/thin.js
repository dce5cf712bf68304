/** Pictures of a size to be shown. No DOM. */

/** @typedef {{ data: Uint8ClampedArray, width: number, height: number }} Picture */

/**
 * Every n-th pixel of every n-th row.
 * @param {Picture} image RGBA
 * @param {number} most the greatest number of pixels on the longer side of the result
 * @returns {Picture}
 */
export function thinOut(image, most) {
  const step = Math.max(1, Math.ceil(Math.max(image.width, image.height) / most));
  const width = Math.ceil(image.width / step);
  const height = Math.ceil(image.height / step);
  const data = new Uint8ClampedArray(4 * width * height);
  for (let row = 0, to = 0; row < height; row++) {
    for (let column = 0; column < width; column++, to += 4) {
      const from = 4 * step * (row * image.width + column);
      for (let channel = 0; channel < 4; channel++) data[to + channel] = image.data[from + channel];
    }
  }
  return { data, width, height };
}
