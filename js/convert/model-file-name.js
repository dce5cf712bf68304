/** The names of the files that transformers.js loads. */
import { either, named, readWord, show, typeError } from '../arguments/index.js';

const endings = Object.freeze({
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  bnb4: '_bnb4',
  q4: '_q4',
  q4f16: '_q4f16',
  q2: '_q2',
  q2f16: '_q2f16',
});
const dtypes = /** @type {(keyof typeof endings)[]} */ (Object.keys(endings));

/**
 * The name of the file that transformers.js loads for a dtype, in the folder `onnx` of a model. The data beside it are
 * called like it, with `_data`, `_data_1` and so on behind.
 * @param {string} name of the model's file without its ending, such as `model` or `decoder_model_merged`
 * @param {'fp32' | 'fp16' | 'q8' | 'int8' | 'uint8' | 'q4' | 'q4f16' | 'q2' | 'q2f16' | 'bnb4'} dtype
 * @returns {string}
 * @example
 * modelFileName('model', 'q8'); // 'model_quantized.onnx'
 */
export function modelFileName(name, dtype) {
  return named('modelFileName', () => {
    if (typeof name !== 'string') typeError(`name must be a string, got ${show(name)}`);
    const word = readWord('dtype', dtypes, dtype);
    if (word === undefined) typeError(`dtype must be ${either(dtypes.map((known) => `'${known}'`))}, got undefined`);
    return `${name}${endings[word]}.onnx`;
  });
}
