/** Results of OpenCV, Ultralytics and RapidOCR themselves, in tests/goldens/opencv. */
import { channelsOf, formulaPicture } from './formula-picture.js';
import { goldenFile, goldenJson, hashOf } from './goldens.js';
import { readPng } from './png.js';

/** Five files run all 625: 278 of resize, 124 of projects, 96 warps, 76 letterboxes, 51 blobs, borders and grays. */
const goldens = goldenJson('opencv/index.json');
const inputs = goldenJson('opencv/inputs.json');

/** @type {(...kinds: string[]) => any[]} */
export const openCvGoldens = (...kinds) => goldens.filter((/** @type {any} */ { kind }) => kinds.includes(kind));

/** All goldens, and their pictures, for a page: a formula, or bytes in base64. */
export function openCvGoldensForPages() {
  const keys = new Set(goldens.map((/** @type {any} */ { input }) => input));
  const entries = Array.from(keys, (key) => {
    const { data } = readInput(key);
    return [key, { ...inputs[key], ...(!inputs[key].formula && { base64: Buffer.from(data).toString('base64') }) }];
  });
  return { goldens, inputs: Object.fromEntries(entries) };
}

const pictures = new Map();

/**
 * The picture that a golden began with: a file, or a formula of the place and the channel.
 * @param {string} key
 */
export function readInput(key) {
  if (!pictures.has(key)) {
    const { mode, width, height, formula, sha256 } = inputs[key];
    const picture = formula
      ? formulaPicture(inputs[key])
      : { data: readPng(goldenFile(`opencv/${key}`)).data, width, height, channels: channelsOf[mode] };
    if (hashOf(picture.data) !== sha256) throw new Error(`${key} is not read as Python reads it`);
    pictures.set(key, picture);
  }
  return pictures.get(key);
}
