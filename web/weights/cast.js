/** The types that a conversion takes and gives. No DOM. */

/** The types of tensors that are converted: all floats, except the one that holds nothing but scales. */
export const isFloat = /^b?float(?!8e8m0)/;

export const asStored = 'as stored';

/** The types that tensors can be converted to. */
export const targetTypes = [
  asStored,
  'float32',
  'float16',
  'bfloat16',
  'float64',
  'float8e4m3fn',
  'float8e5m2',
  'float8e4m3fnuz',
  'float8e5m2fnuz',
];

/** The formats that a file can be written in: only a model has the graph that a model needs. */
export const formatsOf = (format) =>
  ({ onnx: ['onnx', 'safetensors', 'npy'], safetensors: ['safetensors', 'npy'], npy: ['npy', 'safetensors'] })[format];
