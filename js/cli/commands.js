/** The commands that run an operator, one row each: the operator, its line of the help, its options, and its call. */
import { cast, flatten, reshape, splitToSequence, transpose } from '../index.js';
import { list, text, flag, UsageError, whole } from './options.js';

/** @import { Tensor } from '../index.js' */
/** @import { Options, Values } from './options.js' */

/** @typedef {Tensor | ReturnType<typeof splitToSequence>} Result */

/**
 * @typedef {object} Command
 * @property {string} operator its ONNX name
 * @property {[form: string, meaning: string]} help
 * @property {Options} options beside those that all commands have
 * @property {(values: Values, opset: number | undefined) => (tensor: Tensor) => Result} read reads the options before
 *   any file, so that bad usage is reported first
 */

/** @type {Record<string, Command>} */
export const commands = {
  transpose: {
    operator: 'Transpose',
    help: ['IN OUT [--perm 2,0,1]', 'axis i of the result is axis perm[i]; in reverse if omitted'],
    options: { perm: text },
    read(values, opset) {
      const perm = list('perm', values.perm);
      return (tensor) => transpose(tensor, { opset, perm });
    },
  },
  reshape: {
    operator: 'Reshape',
    help: ['IN OUT --shape 1,0,-1', '[--allowzero]'],
    options: { shape: text, allowzero: flag },
    read(values, opset) {
      if (values.shape === undefined) throw new UsageError('reshape needs --shape');
      const shape = list('shape', values.shape);
      /** @type {{ opset?: number, allowzero?: 1 }} */
      const options = values.allowzero ? { opset, allowzero: 1 } : { opset };
      // Below opset 5 the shape is an attribute.
      return (tensor) =>
        opset !== undefined && opset < 5
          ? reshape(tensor, undefined, { ...options, shape })
          : reshape(tensor, shape, options);
    },
  },
  flatten: {
    operator: 'Flatten',
    help: ['IN OUT [--axis 1]', ''],
    options: { axis: text },
    read(values, opset) {
      const axis = whole('axis', values.axis);
      return (tensor) => flatten(tensor, { opset, axis });
    },
  },
  split: {
    operator: 'SplitToSequence',
    help: ['IN OUT [--axis 0]', '[--split 4 | --split 1,2,3] [--drop-axis]'],
    options: { axis: text, split: text, 'drop-axis': flag },
    read(values, opset) {
      const axis = whole('axis', values.axis);
      const sizes = list('split', values.split);
      // One number is the extent of each piece, as a scalar split is.
      const split = sizes?.length === 1 ? sizes[0] : sizes;
      const keepdims = values['drop-axis'] ? 0 : 1;
      return (tensor) => splitToSequence(tensor, split, { opset, axis, keepdims });
    },
  },
  cast: {
    operator: 'Cast',
    help: ['IN OUT --to float16', '[--no-saturate] [--round-mode up|down|nearest]'],
    options: { to: text, 'no-saturate': flag, 'round-mode': text },
    read(values, opset) {
      const { to } = values;
      if (to === undefined) throw new UsageError('cast needs --to');
      /** @type {any} */
      const options = { opset };
      if (values['no-saturate']) options.saturate = 0;
      if (values['round-mode'] !== undefined) options.round_mode = values['round-mode'];
      return (tensor) => cast(tensor, /** @type {any} */ (to), options);
    },
  },
};
