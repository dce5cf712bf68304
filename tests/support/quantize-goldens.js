/**
 * Results of ONNX's quantization, and models before and after onnxruntime's quantizer, read from their files. The
 * folder's README.md says how they were made.
 */
import { existsSync, readFileSync } from 'node:fs';

// Beside the repository.
const folder = new URL('../../../shared/quantize-goldens/', import.meta.url);

export const hasQuantizeGoldens = existsSync(folder);

/** @type {(path: string) => any} */
const readJson = (path) => JSON.parse(readFileSync(new URL(path, folder), 'utf8'));

/** @type {(text: string) => Uint8Array} */
const decoded = (text) => Uint8Array.from(Buffer.from(text, 'base64'));

/**
 * @typedef {{ name: string, model: Uint8Array, inputs: Uint8Array[], outputs: Uint8Array[] }} Case a model of one node,
 *   and TensorProtos
 */

/** @type {(row: any) => Case} */
const caseOf = ({ name, model, inputs, outputs = [] }) => ({
  name,
  model: decoded(model),
  inputs: inputs.map(decoded),
  outputs: outputs.map(decoded),
});

/** Models of one operator with what they give, and models that must be refused. */
export function operatorGoldens() {
  const { cases, rejects } = readJson('operators.json');
  return { cases: cases.map(caseOf), rejects: rejects.map(caseOf) };
}

/**
 * Models before and after onnxruntime's quantizer.
 * @returns {{ before: string, after: string, op: 'MatMul' | 'Gather', form: string, bits: number, block: number,
 *   symmetric: boolean }[]}
 */
export const packingGoldens = () => readJson('index.json').packing;

/** @type {(path: string) => Uint8Array} the bytes of a file of the goldens */
export const goldenFile = (path) => new Uint8Array(readFileSync(new URL(path, folder)));
