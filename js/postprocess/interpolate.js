/** Resizing of numbers. */
import { named, rangeError, readFlag, readOptions, readWord, showList } from '../arguments/index.js';
import { Planes, resizeModes } from '../engines/results/index.js';
import { readSize } from './settings.js';
import { dtypes } from '../tensor/index.js';
import { readFloats, resultIn } from './tensors.js';

/** @import { ResizeMode } from '../engines/results/index.js' */
/** @import { Tensor, TensorLike } from '../tensor/index.js' */

/**
 * Resizes the last two axes, as `torch.nn.functional.interpolate` does on a CPU with AVX2 and two threads or more.
 * @param {TensorLike} input [batch, channels, height, width], float32 or float16
 * @param {object} options
 * @param {readonly [height: number, width: number]} options.size
 * @param {ResizeMode} [options.mode] nearest if omitted, as in torch
 * @param {boolean} [options.align_corners] false if omitted
 * @param {TensorLike} [options.out] float32 of the result's dims to write to
 * @returns {Tensor} float32
 * @example
 * const input = Tensor.from('float32', [0, 4], [1, 1, 1, 2]);
 * interpolate(input, { size: [1, 4], mode: 'bilinear' }).toArray(); // [0, 1, 3, 4]
 */
export function interpolate(input, options) {
  return named('interpolate', () => {
    const { data, dims } = readFloats('input', input, ['batch', 'channels', 'height', 'width']);
    const { size, mode, align_corners, out } = readOptions(options, ['size', 'mode', 'align_corners', 'out']);
    const target = readSize('size', size);
    const how = readWord('mode', resizeModes, mode) ?? 'nearest';
    const align = readFlag('align_corners', align_corners, false);
    if (align && how.startsWith('nearest'))
      rangeError(`align_corners must be omitted with mode '${how}', got ${align_corners}`);
    if (dims.includes(0)) rangeError(`input must have elements, got dims ${showList(dims)}`);
    const [batch, channels, height, width] = dims;
    const planes = new Planes(data, { planes: batch * channels, channels, height, width });
    const resized = planes.resize(target, how, align);
    return resultIn(out, dtypes.float32, [batch, channels, ...target], (to) => resized.numbers(to));
  });
}
