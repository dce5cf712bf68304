/**
 * The pictures that Pillow and torchvision resized and transformers processed, read from their files. The folder's
 * README.md says how they were made and what an entry of its index means.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { readPng } from './png.js';

/**
 * @typedef {{ data: Uint8Array | Float32Array, width: number, height: number, channels: number }} Picture
 */
/**
 * A picture and what a library made of it. Some results are known by their hash alone.
 * @typedef {object} Golden
 * @property {string} id
 * @property {'pillow' | 'torch'} mode
 * @property {string} image_mode Pillow's name
 * @property {string} input a path, for {@link readPicture}
 * @property {{ filter: string, size: number[], box?: number[], reducing_gap?: number, antialias?: boolean }} op
 * @property {{ file: string | null, dtype: string, dims: number[], sha256: string }} output dims are [h, w, c]
 */

// Beside the repository.
const folder = new URL('../../../shared/python-goldens/', import.meta.url);

export const hasPythonGoldens = existsSync(folder);

/** @type {(path: string) => any} */
const readJson = (path) => JSON.parse(readFileSync(new URL(path, folder), 'utf8'));

/**
 * Lists the goldens of resizing, but not those of OpenCV, nor those of filters that the package does not have.
 * @returns {Golden[]}
 */
export function resizeGoldens() {
  return readJson('index.json').filter(
    (/** @type {any} */ { kind, mode, later }) => kind === 'resize' && mode !== 'opencv' && !later,
  );
}

/**
 * The outputs of a processor. `cpu_dependent`: pixel_values were resized in float32, whose last bits depend on
 * the CPU. `trimap`: the second picture is the trimap of the first.
 * @typedef {object} ProcessorGolden
 * @property {string} id
 * @property {'torchvision' | 'pil'} backend
 * @property {string} processor the class's name
 * @property {string} config a path, for {@link readText}
 * @property {Record<string, any>} settings what Python made of the config, all defaults filled in
 * @property {string[]} inputs paths, for {@link readPicture}
 * @property {boolean} [trimap]
 * @property {boolean} [cpu_dependent]
 * @property {boolean} [referenced] whether plain NumPy gives the same bits
 * @property {Record<string, { dtype: string, dims: number[], sha256: string, file?: string }>} outputs
 */

/**
 * Lists the goldens of image processors.
 * @returns {ProcessorGolden[]}
 */
export const processorGoldens = () =>
  readJson('index.json').filter((/** @type {any} */ { kind }) => kind === 'processor');

/**
 * @param {string} path
 * @returns {string}
 */
export const readText = (path) => readFileSync(new URL(path, folder), 'utf8');

/**
 * Reads float32 numbers of any dims.
 * @param {string} path of a .npy.gz file
 * @returns {Float32Array}
 */
export function readNumbers(path) {
  const file = gunzipSync(readFileSync(new URL(path, folder)));
  return new Float32Array(new Uint8Array(file.subarray(10 + file.readUInt16LE(8))).buffer);
}

/**
 * The options of `resize` that ask for what the library did.
 * @param {Golden} golden
 */
export const optionsOf = ({ mode, op: { filter, size, box, reducing_gap: reducingGap, antialias } }) => ({
  width: size[0],
  height: size[1],
  filter,
  backend: mode === 'torch' ? 'torchvision' : 'pil',
  ...(box && { box }),
  ...(reducingGap && { reducingGap }),
  ...(antialias === false && { antialias }),
});

/**
 * Reads a .npy file of format 1.0 in C order, of float32 [h, w] or [h, w, 1].
 * @param {Buffer} file
 * @returns {Picture}
 */
function readFloats(file) {
  const start = 10 + file.readUInt16LE(8);
  const header = file.toString('latin1', 10, start);
  const [, descr, order, shape] = /'descr': '(.*)', 'fortran_order': (.*), 'shape': \((.*)\)/.exec(header) ?? [];
  const [height, width, channels = 1] = shape.split(',').filter(Boolean).map(Number);
  if (descr !== '<f4' || order !== 'False' || channels !== 1) throw new Error(`${header} is not read here`);
  return { data: new Float32Array(new Uint8Array(file.subarray(start)).buffer), width, height, channels };
}

/**
 * The inputs, which hundreds of goldens share.
 * @type {Map<string, Picture>}
 */
const pictures = new Map();

/**
 * Reads a picture of the goldens. Do not write to it: the next call with this path returns the same one.
 * @param {string} path
 * @returns {Picture}
 */
export function readPicture(path) {
  let picture = pictures.get(path);
  if (picture === undefined) {
    const file = readFileSync(new URL(path, folder));
    picture = path.endsWith('.png') ? readPng(file) : readFloats(path.endsWith('.gz') ? gunzipSync(file) : file);
    pictures.set(path, picture);
  }
  return picture;
}

/**
 * The hashes of the inputs by their paths.
 * @returns {Record<string, string>}
 */
export const inputHashes = () =>
  Object.fromEntries(readJson('inputs.json').map((/** @type {any} */ { file, sha256 }) => [file, sha256]));

/**
 * @param {Uint8Array | Uint8ClampedArray | Float32Array} data
 * @returns {string} SHA-256 of its bytes, in hexadecimal
 */
export const hashOf = ({ buffer, byteOffset, byteLength }) =>
  createHash('sha256')
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest('hex');
