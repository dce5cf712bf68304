/** The commands that make a tensor from a tensor, one row each: its lines of the help, its options, and its call. */
import {
  cast,
  concat,
  flatten,
  gather,
  inferShape,
  pad,
  rearrange,
  reshape,
  slice,
  splitToSequence,
  squeeze,
  Tensor,
  transpose,
  unsqueeze,
} from '../index.js';
import { Entry } from '../io/index.js';
import { decimal, decimals, flag, lengths, list, text, UsageError, whole } from './options.js';
import { letterboxTensor, resizeTensor } from './pixels.js';

/** @import { Command, Values } from './types.js' */

/**
 * whether a version is older than the one that made an input of an attribute
 * @type {(opset: number | undefined, since: number) => opset is number}
 */
const isBefore = (opset, since) => opset !== undefined && opset < since;

/** @type {(command: string, values: Values, ...names: string[]) => void} */
function need(command, values, ...names) {
  if (names.some((name) => values[name] === undefined))
    throw new UsageError(`${command} needs ${names.map((name) => `--${name}`).join(' and ')}`);
}

/** @type {(values: Values, opset: number | undefined) => any} */
function castOptions(values, opset) {
  /** @type {any} */
  const options = { opset };
  if (values['no-saturate']) options.saturate = 0;
  if (values['round-mode'] !== undefined) options.round_mode = values['round-mode'];
  return options;
}

/** A list whose entries do not matter, as inference knows it. */
const known = /** @type {const} */ ({ type: 'int64', dims: [0], value: [] });

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
    entries(values, opset) {
      const perm = list('perm', values.perm);
      return (entry) => {
        inferShape('Transpose', { data: entry }, { opset, perm });
        return entry.transpose({ perm });
      };
    },
  },
  reshape: {
    operator: 'Reshape',
    help: ['IN OUT --shape 1,0,-1', '[--allowzero]'],
    options: { shape: text, allowzero: flag },
    read(values, opset) {
      need('reshape', values, 'shape');
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
    entries(values, opset) {
      const given = whole('axis', values.axis) ?? 0;
      const sizes = list('split', values.split);
      return (entry) => {
        const axis = given < 0 ? given + entry.dims.length : given;
        // The operator says what is wrong with an axis.
        if (values['drop-axis'] || sizes === undefined || !(axis >= 0 && axis < entry.dims.length)) return undefined;
        // A tensor without elements tells the extents.
        const pieces = splitToSequence(
          Tensor.from(entry.type, [], [0, entry.dims[axis]]),
          sizes.length === 1 ? sizes[0] : sizes,
          { opset, axis: 1 },
        );
        let start = 0;
        return Array.from(pieces, ({ dims: [, extent] }) => entry.slice([start], [(start += extent)], [axis]));
      };
    },
  },
  cast: {
    operator: 'Cast',
    help: ['IN OUT --to float16', '[--all] [--no-saturate] [--round-mode up|down|nearest]'],
    options: { to: text, all: flag, 'no-saturate': flag, 'round-mode': text },
    read(values, opset) {
      need('cast', values, 'to');
      const { to } = values;
      const options = castOptions(values, opset);
      return (tensor) => cast(tensor, /** @type {any} */ (to), options);
    },
    entries: (values, opset) => (entry) => entry.cast(values.to, castOptions(values, opset)),
  },
  slice: {
    operator: 'Slice',
    help: ['IN OUT --starts 0,1 --ends 4,-1', '[--axes 1,2] [--steps 1,2]'],
    options: { starts: text, ends: text, axes: text, steps: text },
    read(values, opset) {
      need('slice', values, 'starts', 'ends');
      const [starts, ends, axes, steps] = ['starts', 'ends', 'axes', 'steps'].map((name) => list(name, values[name]));
      if (!isBefore(opset, 10)) return (tensor) => slice(tensor, starts, ends, axes, steps, { opset });
      return (tensor) => slice(tensor, undefined, undefined, undefined, steps, { opset, starts, ends, axes });
    },
    entries(values, opset) {
      const [starts, ends, axes, steps] = ['starts', 'ends', 'axes', 'steps'].map((name) => list(name, values[name]));
      return (entry) => {
        if (isBefore(opset, 10)) return undefined;
        // The type and the version; the lists are checked by the entry.
        inferShape('Slice', { data: entry, starts: known, ends: known }, { opset });
        return entry.slice(/** @type {number[]} */ (starts), /** @type {number[]} */ (ends), axes, steps);
      };
    },
  },
  concat: {
    operator: 'Concat',
    several: true,
    help: ['IN IN … OUT --axis 0', ''],
    options: { axis: text },
    read(values, opset) {
      need('concat', values, 'axis');
      const axis = whole('axis', values.axis);
      return (...tensors) => concat(tensors, { opset, axis });
    },
    entries(values, opset) {
      const axis = /** @type {number} */ (whole('axis', values.axis));
      return (...entries) => {
        inferShape('Concat', { inputs: entries }, { opset, axis });
        return Entry.concat(entries, { axis });
      };
    },
  },
  pad: {
    operator: 'Pad',
    help: [
      'IN OUT --pads 0,1,0,2',
      'all that comes before, then all that comes behind; cuts where negative',
      '[--axes 1,2] [--mode constant|reflect|edge|wrap] [--value 0.5]',
    ],
    options: { pads: text, axes: text, mode: text, value: text },
    read(values, opset) {
      need('pad', values, 'pads');
      const [pads, axes, value] = [
        list('pads', values.pads),
        list('axes', values.axes),
        decimal('value', values.value),
      ];
      /** @type {any} */
      const options = values.mode === undefined ? { opset } : { opset, mode: values.mode };
      if (!isBefore(opset, 11)) return (tensor) => pad(tensor, pads, value, axes, options);
      options[opset < 2 ? 'paddings' : 'pads'] = pads;
      if (value !== undefined) options.value = value;
      return (tensor) => pad(tensor, undefined, undefined, axes, options);
    },
  },
  gather: {
    operator: 'Gather',
    help: ['IN OUT --indices 2,0,-1 [--axis 0]', '[--drop-axis], with one index'],
    options: { indices: text, axis: text, 'drop-axis': flag },
    read(values, opset) {
      need('gather', values, 'indices');
      const axis = whole('axis', values.axis);
      const indices = /** @type {number | number[]} */ (
        values['drop-axis'] ? whole('indices', values.indices) : list('indices', values.indices)
      );
      return (tensor) => gather(tensor, indices, { opset, axis });
    },
  },
  squeeze: {
    operator: 'Squeeze',
    help: ['IN OUT [--axes 0,2]', 'every axis of extent 1 if omitted'],
    options: { axes: text },
    read(values, opset) {
      const axes = list('axes', values.axes);
      if (!isBefore(opset, 13)) return (tensor) => squeeze(tensor, axes, { opset });
      return (tensor) => squeeze(tensor, undefined, { opset, axes });
    },
  },
  unsqueeze: {
    operator: 'Unsqueeze',
    help: ['IN OUT --axes 0,2', ''],
    options: { axes: text },
    read(values, opset) {
      need('unsqueeze', values, 'axes');
      const axes = list('axes', values.axes);
      if (!isBefore(opset, 13)) return (tensor) => unsqueeze(tensor, axes, { opset });
      return (tensor) => unsqueeze(tensor, undefined, { opset, axes });
    },
  },
  rearrange: {
    help: [
      'IN OUT --pattern PATTERN',
      "axes split, merged and reordered as by einops: 'h w c -> c h w'",
      '[--lengths h=14,w=14], of axes that are split',
    ],
    options: { pattern: text, lengths: text },
    read(values) {
      need('rearrange', values, 'pattern');
      const named = lengths('lengths', values.lengths);
      return (tensor) => rearrange(tensor, /** @type {string} */ (values.pattern), named);
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
      '[--auto] [--stride 32] [--scale-fill]',
      '[--no-scaleup] [--no-center] [--color 114]',
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
