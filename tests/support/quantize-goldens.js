/** Results of ONNX's quantization, and models before and after onnxruntime's quantizer, in tests/goldens/quantize. */
import { goldenFile, goldenJson } from './goldens.js';

/** @type {(text: string) => Uint8Array} */
const decodeBase64 = (text) => Uint8Array.from(Buffer.from(text, 'base64'));

/**
 * @typedef {{ name: string, model: Uint8Array, inputs: Uint8Array[], outputs: Uint8Array[] }} Case a model of one node,
 *   and TensorProtos
 */

/** @type {(row: any) => Case} */
const caseOf = ({ name, model, inputs, outputs = [] }) => ({
  name,
  model: decodeBase64(model),
  inputs: inputs.map(decodeBase64),
  outputs: outputs.map(decodeBase64),
});

/** Models of one operator with what they give, and models that must be refused. */
export const operatorGoldens = () => ({
  cases: goldenJson('quantize/operators.json').map(caseOf),
  rejects: goldenJson('quantize/rejects.json').map(caseOf),
});

/**
 * Models before and after onnxruntime's quantizer.
 * @type {{ before: string, after: string, op: 'MatMul' | 'Gather', form: string, bits: number, block: number,
 *   symmetric: boolean }[]}
 */
export const packingGoldens = goldenJson('quantize/index.json');

/** @type {(path: string) => Uint8Array} the bytes of a model */
export const modelFile = (path) => new Uint8Array(goldenFile(`quantize/${path}`));

/**
 * Models with graphs inside of nodes, and what onnxruntime's quantizer packs of each node: the operator, and hashes of
 * its initializers.
 * @type {{ model: string, form: 'matmulnbits' | 'qdq', bits: 4 | 8, ops: string[], symmetric: boolean, nodes:
 *   Record<string, string[]> }[]}
 */
export const subgraphGoldens = goldenJson('quantize/subgraphs.json');
