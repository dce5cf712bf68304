/** Models before and after conversions by other programs, in tests/goldens/convert. */
import { gunzipSync } from 'node:zlib';
import { goldenFile } from './goldens.js';

const index = JSON.parse(gunzipSync(goldenFile('convert/index.json.gz')).toString());

/** @type {(path: string) => Uint8Array} the bytes of a model */
export const modelAt = (path) => new Uint8Array(gunzipSync(goldenFile(`convert/${path}`)));

/** @type {Map<string, { before: string, inputs: Record<string, any>, outputs: Record<string, any> }>} */
export const models = new Map(index.models.map((/** @type {any} */ row) => [row.name, row]));

/** @type {(name: string) => Uint8Array} */
export const modelBefore = (name) => modelAt(/** @type {any} */ (models.get(name)).before);

/** @type {{ name: string, model: string, keepIo: boolean | string[], after: string, weights: Record<string, string>,
 *   mustHalf: string[], float32: string[], tolerance: number[], run: boolean }[]} */
export const halfGoldens = index.half;

/** `ops`: the operators that are converted; others stay float32. `exclude`: nodes that do.
 * @type {{ name: string, model: string, weights: 'int8' | 'uint8', perChannel: boolean, reduceRange: boolean,
 *   subgraphs: boolean, ops?: string[], exclude?: string[], after: string }[]} */
export const eightBitGoldens = index.q8;

/** @type {{ name: string, model: string, kind: 'nf4' | 'fp4', block: number, after: string }[]} */
export const bnb4Goldens = index.bnb4;

/** @type {{ name: string, model: string, bits: 2 | 4, block: number, symmetric: boolean, after: string,
 *   outputs: any[], tolerance: number[] }[]} */
export const combinedGoldens = index.combined;

/** Calls that must be refused: base64 of a model, and options.
 * @type {{ name: string, model: string, options: any }[]} */
export const refusals = index.refuse;

/** Other options. @type {{ model: string, options: any, after: string }[]} */
export const extras = index.extra;

/** The endings of transformers.js' files, by dtype. @type {Record<string, string>} */
export const suffixes = index.suffix;
