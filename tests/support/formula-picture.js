/**
 * A picture whose bytes follow from their place and channel, so that no file has to hold it.
 * @param {{ mode: string, width: number, height: number, formula: readonly number[] }} input
 */
export function formulaPicture({ mode, width, height, formula: [a, b, d, e] }) {
  const channels = channelsOf[mode];
  const data = new Uint8Array(width * height * channels);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let z = 0; z < channels; z++, i++) data[i] = ((x * a + y * b + z * d) >> 2) + ((x * y * e) >> 8);
  return { data, width, height, channels };
}

/**
 * Channels by Pillow's names of modes.
 * @type {Record<string, number>}
 */
export const channelsOf = { L: 1, RGB: 3, RGBA: 4 };
