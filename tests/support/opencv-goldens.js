/** Results of OpenCV, Ultralytics and RapidOCR themselves, in ../shared/opencv-goldens. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { channelsOf, formulaPicture } from './formula-picture.js';
import { readPng } from './png.js';

const folder = new URL('../../../shared/opencv-goldens/', import.meta.url);
/** @type {(name: string) => any} */
const readJson = (name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

export const hasOpenCvGoldens = existsSync(folder);

/**
 * The goldens of some kinds; those of float32 images and of warps stay out. Four files run 465 of 525: 278 of resize,
 * 76 letterboxes, 60 of projects, and 51 blobs, borders and grays.
 * @param {...string} kinds
 */
export const openCvGoldens = (...kinds) =>
  readJson('index.json').filter((/** @type {any} */ { kind, later }) => kinds.includes(kind) && !later);

/** All of these goldens, and their pictures, for a page: a formula, or bytes in base64. */
export function openCvGoldensForPages() {
  const goldens = readJson('index.json').filter((/** @type {any} */ { later }) => !later);
  const keys = new Set(goldens.map((/** @type {any} */ { input }) => input));
  const entries = Array.from(keys, (key) => {
    const { data } = readInput(key);
    return [key, { ...inputs[key], ...(!inputs[key].formula && { base64: Buffer.from(data).toString('base64') }) }];
  });
  return { goldens, inputs: Object.fromEntries(entries) };
}

/**
 * The SHA-256 of a typed array's bytes.
 * @param {ArrayBufferView} array
 */
export const hashOf = ({ buffer, byteOffset, byteLength }) =>
  createHash('sha256')
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest('hex');

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
    const picture = formula
      ? formulaPicture(inputs[key])
      : { data: readPng(readFileSync(new URL(key, folder))).data, width, height, channels: channelsOf[mode] };
    if (hashOf(picture.data) !== sha256) throw new Error(`${key} is not read as Python reads it`);
    pictures.set(key, picture);
  }
  return pictures.get(key);
}
