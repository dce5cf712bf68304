/** Results of Pillow for pictures that a seed stands for: pillow-goldens.py wrote the hashes of its results. */
import { readFileSync } from 'node:fs';
import { randomData } from '../../support/samples.js';

const { floor } = Math;

/**
 * @typedef {object} PillowGolden
 * @property {'resize' | 'thumbnail' | 'crop'} call
 * @property {'L' | 'LA' | 'RGB' | 'RGBA' | 'F'} mode
 * @property {[width: number, height: number]} from the picture
 * @property {number} seed
 * @property {object} options those of the call
 * @property {[width: number, height: number]} size of the result
 * @property {string} sha256 of its bytes
 */

/** @type {PillowGolden[]} */
export const pillowGoldens = JSON.parse(readFileSync(new URL('pillow-goldens.json', import.meta.url), 'utf8'));

export const channelsOf = { L: 1, LA: 2, RGB: 3, RGBA: 4, F: 1 };

/** The picture that a golden began with, as pillow-goldens.py makes it. */
export function pictureOf({ mode, from: [width, height], seed }) {
  const channels = channelsOf[mode];
  const size = width * height * channels;
  const bytes = randomData('uint8', size, seed);
  if (seed % 3 === 2) for (let i = 0; i < size; i++) bytes[i] = bytes[i] < 128 ? 0 : 255;
  if (seed % 3 === 0) for (let i = 0; i < size; i++) bytes[i] = floor((i * seed) / 64) % 256;
  const data = mode === 'F' ? Float32Array.from(bytes, (byte) => (byte - 128) * 1.37) : bytes;
  return { data, width, height, channels };
}
