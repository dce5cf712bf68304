/** Writes the program that makes the tensor which the panel shows. No DOM. */

const quote = (value) => {
  if (typeof value === 'object') return `{ ${line(value, Object.keys(value))} }`;
  return typeof value === 'string' ? `'${value}'` : String(value);
};

const line = (options, keys) =>
  keys
    .filter((key) => options[key] !== undefined)
    .map((key) => `${key}: ${quote(options[key])}`)
    .join(', ');

/**
 * @param {Record<string, any>} options of imageToTensor
 * @param {readonly number[]} dims of the result
 * @returns {string} a module
 */
export function codeFor(options, dims) {
  const lines = [
    line(options, ['width', 'height', 'fit']),
    line(options, ['letterbox']),
    line(options, ['backend', 'filter']),
    line(options, ['layout', 'channels', 'dtype']),
    line(options, ['preset']),
  ].filter(Boolean);
  return `import { imageToTensorAsync } from 'onnx-layout/image';

// file: a File or Blob, an <img>, <canvas> or <video>
const tensor = await imageToTensorAsync(file, {
${lines.map((entries) => `  ${entries},\n`).join('')}});
// ${options.dtype} [${dims.join(', ')}], for a session:
// toOrt(ort, tensor) of onnx-layout
`;
}
