/** Resizes tensors as torch does. */
import { flag, later, named, rangeError, readTable, showList, word } from '../arguments/index.js';
import { Planes, resizeModes } from '../engines/results/index.js';
import { readSize } from './settings.js';
import { dtypes } from '../tensor/index.js';
import { readFloats, resultIn } from './tensors.js';

/** @import { ResizeMode } from '../engines/results/index.js' */
/** @import { Tensor, TensorLike } from '../tensor/index.js' */

/**
 * @typedef {object} InterpolateOptions
 * @property {readonly [height: number, width: number]} size The extents of the result, [height, width].
 * @property {ResizeMode} [mode] The rule of torch between elements: 'nearest' if omitted.
 * @property {boolean} [align_corners] Whether the centers of the corners' elements stay where they are: false if
 *   omitted. The nearest modes do not take it.
 * @property {TensorLike} [out] A float32 tensor of the result's dims to write to.
 */

const table = { size: readSize, mode: word(resizeModes, 'nearest'), align_corners: flag(false), out: later };

/**
 * Resizes the last two axes, as `torch.nn.functional.interpolate` does on a CPU with AVX2 and two threads or more.
 * @param {TensorLike} input [batch, channels, height, width], float32 or float16
 * @param {InterpolateOptions} options
 * @returns {Tensor} float32
 * @example
 * const input = Tensor.from('float32', [0, 4], [1, 1, 1, 2]);
 * interpolate(input, { size: [1, 4], mode: 'bilinear' }).toArray(); // [0, 1, 3, 4]
 */
export function interpolate(input, options) {
  return named('interpolate', () => {
    const { data, dims } = readFloats('input', input, ['batch', 'channels', 'height', 'width']);
    const { size, mode, align_corners: isAligned, out } = readTable(options, table);
    if (isAligned && mode.startsWith('nearest'))
      rangeError(`align_corners must be omitted with mode '${mode}', got true`);
    if (dims.includes(0)) rangeError(`input must have elements, got dims ${showList(dims)}`);
    const [batch, channels, height, width] = dims;
    const planes = new Planes(data, { planes: batch * channels, channels, height, width });
    const resized = planes.resize(size, mode, isAligned);
    return resultIn(out, dtypes.float32, [batch, channels, ...size], (to) => resized.numbers(to));
  });
}
