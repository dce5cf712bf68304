/** Results of OpenCV, Ultralytics and RapidOCR themselves, in ../shared/opencv-goldens. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readPng } from './png.js';

const folder = new URL('../../../shared/opencv-goldens/', import.meta.url);
/** @type {(name: string) => any} */
const readJson = (name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

export const hasOpenCvGoldens = existsSync(folder);

/**
 * The goldens of some kinds; those of float32 images and of warps stay out. Four files run 465 of 525: 278 of resize,
 * 76 letterboxes, 60 of projects, and 51 blobs, borders and greys.
 * @param {...string} kinds
 */
export const openCvGoldens = (...kinds) =>
  readJson('index.json').filter((/** @type {any} */ { kind, later }) => kinds.includes(kind) && !later);

/**
 * The SHA-256 of a typed array's bytes.
 * @param {ArrayBufferView} array
 */
export const hashOf = ({ buffer, byteOffset, byteLength }) =>
  createHash('sha256')
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest('hex');

/** @type {Record<string, number>} */
const channelsOf = { L: 1, RGB: 3, RGBA: 4 };
/** @type {any} */
let inputs;
const pictures = new Map();

/**
 * The picture that a golden began with: a file, or a formula of the place and the channel.
 * @param {string} key
 */
export function readInput(key) {
  inputs ??= readJson('inputs.json');
  if (!pictures.has(key)) {
    const { mode, width, height, formula, sha256 } = inputs[key];
    const channels = channelsOf[mode];
    let data;
    if (formula) {
      const [a, b, d, e] = formula;
      data = new Uint8Array(width * height * channels);
      for (let y = 0, i = 0; y < height; y++)
        for (let x = 0; x < width; x++)
          for (let z = 0; z < channels; z++, i++) data[i] = ((x * a + y * b + z * d) >> 2) + ((x * y * e) >> 8);
    } else {
      ({ data } = readPng(readFileSync(new URL(key, folder))));
    }
    if (hashOf(data) !== sha256) throw new Error(`${key} is not read as Python reads it`);
    pictures.set(key, { data, width, height, channels });
  }
  return pictures.get(key);
}
