/**
 * The pictures that Pillow and torchvision resized and transformers processed, in tests/goldens/images. The README.md
 * there says how they were made and what an entry of its index means.
 */
import { gunzipSync } from 'node:zlib';
import { goldenFile, goldenJson } from './goldens.js';
import { readPng } from './png.js';

/** @typedef {import('./goldens.js').GoldenRecord} GoldenRecord */
/**
 * @typedef {{ data: Uint8Array | Float32Array, width: number, height: number, channels: number }} Picture
 */
/**
 * A picture and what a library made of it.
 * @typedef {object} Golden
 * @property {string} id
 * @property {'pillow' | 'torch'} mode
 * @property {string} image_mode Pillow's name
 * @property {string} input a path, for {@link readPicture}
 * @property {{ filter: string, size: number[], box?: number[], reducing_gap?: number, antialias?: boolean }} op
 * @property {GoldenRecord} output dims are [h, w, c]
 */
/**
 * The outputs of a processor. `cpu_dependent`: pixel_values were resized in float32, whose last bits depend on
 * the CPU. `trimap`: the second picture is the trimap of the first.
 * @typedef {object} ProcessorGolden
 * @property {string} id
 * @property {'torchvision' | 'pil'} backend
 * @property {string} processor the class's name
 * @property {string} config a name, for {@link configText}
 * @property {Record<string, any>} settings what Python made of the config, all defaults filled in
 * @property {string[]} inputs paths, for {@link readPicture}
 * @property {boolean} [trimap]
 * @property {boolean} [cpu_dependent]
 * @property {boolean} [referenced] whether plain NumPy gives the same bits
 * @property {Record<string, GoldenRecord & { file?: string }>} outputs
 */

const goldens = goldenJson('images/index.json');
const configs = goldenJson('images/configs.json');

/** @type {Golden[]} */
export const resizeGoldens = goldens.filter((/** @type {any} */ { kind }) => kind === 'resize');

/** @type {ProcessorGolden[]} */
export const processorGoldens = goldens.filter((/** @type {any} */ { kind }) => kind === 'processor');

/** @type {(name: string) => string} the text of a preprocessor_config.json */
export const configText = (name) => JSON.stringify(configs[name]);

/**
 * Reads float32 numbers of any dims.
 * @param {string} path of a .npy.gz file
 * @returns {Float32Array}
 */
export function readNumbers(path) {
  const file = gunzipSync(goldenFile(`images/${path}`));
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
    const file = goldenFile(`images/${path}`);
    picture = path.endsWith('.png') ? readPng(file) : readFloats(file);
    pictures.set(path, picture);
  }
  return picture;
}

/**
 * The hashes of the inputs by their paths.
 * @returns {Record<string, string>}
 */
export const inputHashes = () =>
  Object.fromEntries(goldenJson('images/inputs.json').map((/** @type {any} */ { file, sha256 }) => [file, sha256]));
