/** Channel planes as grey pictures. No DOM. */

/**
 * One channel of interleaved RGBA pixels as grey RGBA pixels, thinned out for a thumbnail.
 * @param {{ data: Uint8ClampedArray, width: number, height: number }} image
 * @param {number} channel of the four
 * @param {number} most the greatest number of pixels on the longer side of the result
 * @returns {{ pixels: Uint8ClampedArray, width: number, height: number }}
 */
export function greyPlane(image, channel, most) {
  const step = Math.max(1, Math.ceil(Math.max(image.width, image.height) / most));
  const width = Math.ceil(image.width / step);
  const height = Math.ceil(image.height / step);
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let row = 0, to = 0; row < height; row++) {
    for (let column = 0; column < width; column++, to += 4) {
      const grey = image.data[4 * (row * step * image.width + column * step) + channel];
      pixels.fill(grey, to, to + 3);
      pixels[to + 3] = 255;
    }
  }
  return { pixels, width, height };
}

/**
 * For each channel of a tensor, the index of that channel in RGBA pixels.
 * @param {'RGB' | 'BGR' | 'RGBA' | 'L'} channels
 */
export const channelIndices = (channels) =>
  [...channels].map((letter) => (letter === 'L' ? 0 : 'RGBA'.indexOf(letter)));
