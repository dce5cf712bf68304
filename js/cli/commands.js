/** The commands that make a tensor from a tensor, one row each: its lines of the help, its options, and its call. */
import { cast, flatten, reshape, splitToSequence, transpose } from '../index.js';
import { decimal, decimals, flag, list, text, UsageError, whole } from './options.js';
import { letterboxTensor, resizeTensor } from './pixels.js';

/** @import { Tensor } from '../index.js' */
/** @import { Options, Values } from './options.js' */

/** @typedef {Tensor | ReturnType<typeof splitToSequence>} Result */

/**
 * @typedef {object} Command
 * @property {string} [operator] its ONNX name; a command that runs none has no `--opset`
 * @property {[form: string, ...meaning: string[]]} help one line for each part of the meaning
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
  resize: {
    help: [
      'IN OUT --width 224 --height 224',
      '[--backend pil|torchvision|opencv] [--box left,top,right,bottom]',
      '[--filter nearest|box|bilinear|hamming|bicubic|lanczos|nearest_exact|',
      '          linear|linear_exact|area|cubic|lanczos4]',
      '[--reducing-gap 2] [--no-antialias] [--alpha premultiplied|straight]',
    ],
    options: {
      width: text,
      height: text,
      backend: text,
      filter: text,
      'no-antialias': flag,
      box: text,
      'reducing-gap': text,
      alpha: text,
    },
    read(values) {
      const [width, height] = [whole('width', values.width), whole('height', values.height)];
      if (width === undefined || height === undefined) throw new UsageError('resize needs --width and --height');
      const { backend, filter, alpha } = values;
      const box = decimals('box', values.box);
      const reducingGap = decimal('reducing-gap', values['reducing-gap']);
      const antialias = values['no-antialias'] ? false : undefined;
      return (tensor) => resizeTensor(tensor, { width, height, backend, filter, antialias, box, reducingGap, alpha });
    },
  },
  letterbox: {
    help: [
      'IN OUT --width 640 --height 640',
      '[--auto] [--stride 32] [--scale-fill] [--no-scaleup] [--no-center] [--color 114]',
    ],
    options: {
      width: text,
      height: text,
      auto: flag,
      stride: text,
      'scale-fill': flag,
      'no-scaleup': flag,
      'no-center': flag,
      color: text,
    },
    read(values) {
      const [width, height] = [whole('width', values.width), whole('height', values.height)];
      if (width === undefined || height === undefined) throw new UsageError('letterbox needs --width and --height');
      const [stride, color] = [whole('stride', values.stride), whole('color', values.color)];
      const { auto, 'scale-fill': scaleFill, 'no-scaleup': noScaleup, 'no-center': noCenter } = values;
      const [scaleup, center] = [noScaleup ? false : undefined, noCenter ? false : undefined];
      const options = { width, height, auto, stride, scaleFill, scaleup, center, color };
      return (tensor) => letterboxTensor(tensor, options);
    },
  },
};
