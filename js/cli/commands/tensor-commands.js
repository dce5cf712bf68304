/** The commands that make tensors of tensors, one row each. */
import * as layout from '../../index.js';
import { letterbox, resize } from '../../image/index.js';
import { Entry } from '../../io/index.js';
import {
  background,
  flag,
  integer,
  integers,
  lengths,
  numberType,
  oneOrMoreIntegers,
  real,
  reals,
  text,
  UsageError,
  word,
} from '../options.js';
import { onPixels } from './pixels.js';
import { tensorCommand } from './transform.js';

/** @import { OptionValues, TensorCommand } from '../types.js' */

const size = { width: integer('224', 'columns of OUT'), height: integer('224', 'rows of OUT') };

/** @type {Record<string, TensorCommand>} */
const rows = {
  transpose: {
    summary: 'put the axes in another order',
    examples: [
      'transpose in.npy out.npy --perm 2,0,1',
      'transpose int4.safetensors out.safetensors --tensor weight --perm 1,0 --view-as int4',
    ],
    operator: 'Transpose',
    call: layout.transpose,
    options: { perm: integers('2,0,1', 'axis i of OUT is axis perm[i] of IN; in reverse if omitted') },
    inferred: 'data',
    entries: ([entry], { perm }) => entry.transpose({ perm }),
  },
  reshape: {
    summary: 'give the same elements other dims',
    examples: ['reshape in.npy out.npy --shape 1,0,-1'],
    operator: 'Reshape',
    call: layout.reshape,
    options: {
      shape: integers('1,0,-1', '0 keeps an extent of IN, -1 stands for what is left'),
      allowzero: flag('0 stands for 0', undefined, 1),
    },
    required: ['shape'],
  },
  flatten: {
    summary: 'make a matrix',
    examples: ['flatten in.npy out.npy --axis 2'],
    operator: 'Flatten',
    call: layout.flatten,
    options: { axis: integer('1', 'the first axis that becomes columns') },
  },
  split: {
    summary: 'cut an axis into pieces, OUT.0.npy, OUT.1.npy and so on',
    examples: ['split in.npy pieces.npy --axis 1 --split 2', 'split in.npy pieces.safetensors --split 1,2,3'],
    operator: 'SplitToSequence',
    call: layout.splitToSequence,
    options: {
      axis: integer('0', 'the axis that is cut; 0 if omitted'),
      split: oneOrMoreIntegers('4|1,2,3', 'the extent of each piece, or of every piece'),
      'drop-axis': flag('pieces of extent 1 lose the axis', 'keepdims', 0),
    },
    entries: splitEntry,
  },
  cast: {
    summary: 'convert the elements to another type',
    examples: [
      'cast in.npy out.npy --to float16',
      'cast model.safetensors half.safetensors --all --to float16',
      'cast scales.npy out.npy --to float8e8m0 --round-mode down',
    ],
    operator: 'Cast',
    call: layout.cast,
    options: {
      to: numberType('float16', 'the type of OUT'),
      all: flag('cast every tensor of floats of IN, to .safetensors'),
      'no-saturate': flag('to float8: numbers that are too large become NaN or infinity', 'saturate', 0),
      'round-mode': word(['up', 'down', 'nearest'], 'to float8e8m0: which power of two; up if omitted', 'round_mode'),
    },
    required: ['to'],
    entries: ([entry], { to, all, ...options }) => entry.cast(to, options),
  },
  slice: {
    summary: 'take parts of axes, with steps',
    examples: ['slice in.npy out.npy --starts 0,1 --ends 4,-1', 'slice in.npy out.npy --starts 1 --ends 9 --axes -1'],
    operator: 'Slice',
    call: layout.slice,
    options: {
      starts: integers('0,1', 'the first index of each axis; from the end if negative'),
      ends: integers('4,-1', 'the index behind the last of each axis; from the end if negative'),
      axes: integers('1,2', 'the axes that are cut; the first ones if omitted'),
      steps: integers('1,2', 'take every so many; backwards if negative; 1 if omitted'),
    },
    required: ['starts', 'ends'],
    inferred: 'data',
    entries: ([entry], { starts, ends, axes, steps }) => entry.slice(starts, ends, axes, steps),
  },
  concat: {
    form: 'IN… OUT',
    isNew: true,
    summary: 'join tensors along an axis',
    examples: ['concat a.npy b.npy out.npy --axis 0'],
    operator: 'Concat',
    several: true,
    call: layout.concat,
    options: { axis: integer('0', 'the axis along which tensors are joined') },
    required: ['axis'],
    inferred: 'inputs',
    entries: (entries, { axis }) => Entry.concat(entries, { axis }),
  },
  pad: {
    summary: 'add elements before and behind axes',
    examples: ['pad in.npy out.npy --pads 0,1,0,2 --mode reflect'],
    operator: 'Pad',
    // By place, because versions name the value differently.
    call: (tensor, { pads, value, axes, ...options }) => layout.pad(tensor, pads, value, axes, options),
    options: {
      pads: integers('0,1,0,2', 'all that comes before, then all that comes behind; cuts where negative'),
      axes: integers('1,2', 'the axes of --pads; all if omitted'),
      mode: word(['constant', 'reflect', 'edge', 'wrap'], 'where new elements come from; constant if omitted'),
      value: real('0.5', 'the new elements of mode constant; 0 if omitted'),
    },
    required: ['pads'],
  },
  gather: {
    summary: 'pick parts of an axis by their indices',
    examples: ['gather in.npy out.npy --indices 2,0,-1 --axis 1'],
    operator: 'Gather',
    call: (tensor, { indices, dropAxis, ...options }) =>
      layout.gather(tensor, dropAxis ? onlyIndex(indices) : indices, options),
    options: {
      indices: integers('2,0,-1', 'which parts; from the end if negative'),
      axis: integer('0', 'the axis they are taken of; 0 if omitted'),
      'drop-axis': flag('with one index, OUT loses the axis'),
    },
    required: ['indices'],
  },
  squeeze: {
    summary: 'remove axes of extent 1',
    examples: ['squeeze in.npy out.npy --axes 0,2'],
    operator: 'Squeeze',
    call: layout.squeeze,
    options: { axes: integers('0,2', 'every axis of extent 1 if omitted') },
  },
  unsqueeze: {
    summary: 'insert axes of extent 1',
    examples: ['unsqueeze in.npy out.npy --axes 0,2'],
    operator: 'Unsqueeze',
    call: layout.unsqueeze,
    options: { axes: integers('0,2', 'where the new axes stand in OUT') },
    required: ['axes'],
  },
  rearrange: {
    summary: 'split, merge and reorder axes as einops does',
    examples: [
      "rearrange in.npy out.npy --pattern 'h w c -> c h w'",
      "rearrange in.npy out.npy --pattern '(h p) w c -> h p w c' --lengths p=14",
    ],
    call: (tensor, { pattern, lengths: named }) => layout.rearrange(tensor, pattern, named),
    options: {
      pattern: text("'h w c -> c h w'", "the axes of IN and of OUT, as einops' pattern names them"),
      lengths: lengths('h=14,w=14', 'of axes that are split'),
    },
    required: ['pattern'],
  },
  resize: {
    summary: 'resize pixels as Pillow, torchvision or OpenCV does, bit for bit',
    notes:
      'IN is a picture, where sharp is installed, or holds pixels: uint8 [H, W, C] with 1 to 4 channels (L, LA,\n' +
      "RGB, RGBA), uint8 [H, W] (L), or float32 [H, W] (Pillow's mode F). If --filter is omitted, it is bicubic\n" +
      'for pil, bilinear for torchvision, linear for opencv.',
    examples: [
      'resize photo.jpg out.npy --width 224 --height 224',
      'resize in.npy out.npy --width 224 --height 224 --backend torchvision',
    ],
    takesPictures: true,
    call: onPixels('resize', resize, true),
    options: {
      ...size,
      backend: word(['pil', 'torchvision', 'opencv'], 'whose result it is; pil if omitted'),
      filter: word(
        [
          'nearest',
          'box',
          'bilinear',
          'hamming',
          'bicubic',
          'lanczos',
          'nearest_exact',
          'linear',
          'linear_exact',
          'area',
          'cubic',
          'lanczos4',
        ],
        'which weights; not each backend has all',
      ),
      'no-antialias': flag('torchvision: sample without a wider filter where OUT is smaller', 'antialias', false),
      box: reals('left,top,right,bottom', 'the part of IN that is resized'),
      'reducing-gap': real('2', 'pil: first average blocks, down to so many times the size of OUT; 1 or more'),
      'no-premultiply': flag('colors count alike, however opaque they are', 'premultiply', false),
    },
    required: ['width', 'height'],
  },
  letterbox: {
    summary: 'fit pixels into a size, with bars where they do not fill it',
    notes:
      'IN is a picture, where sharp is installed, or holds pixels: uint8 [H, W, C] with 1 to 4 channels, or [H, W].',
    examples: ['letterbox photo.jpg out.npy --width 640 --height 640'],
    takesPictures: true,
    call: onPixels('letterbox', letterbox, false),
    options: {
      ...size,
      auto: flag('the smallest bars that make both sides multiples of --stride'),
      stride: integer('32', 'of --auto; 32 if omitted'),
      'scale-fill': flag('stretch instead of bars'),
      'no-scaleup': flag('leave pixels that fit as they are', 'scaleup', false),
      'no-center': flag('bars at the right and the bottom alone', 'center', false),
      background: background('114', 'of the bars: a byte, a byte for each channel, or a CSS color'),
    },
    required: ['width', 'height'],
  },
};

export const tensorCommands = Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, tensorCommand(row)]));

/** Gives the one index of --indices, and refuses several: --drop-axis picks one part of the axis.
 * @type {(indices: number[]) => number} */
function onlyIndex(indices) {
  if (indices.length !== 1) throw new UsageError(`--drop-axis needs one index, got ${indices.join(',')}`);
  return indices[0];
}

/** Cuts an entry into pieces along an axis without reading it. Undefined if the operator has to split the whole tensor
 * instead: pieces lose the axis or have extent 1 each, or the axis is wrong, which the operator refuses.
 * @type {(entries: Entry[], options: OptionValues) => Entry[] | undefined} */
function splitEntry([entry], { axis: axisOption = 0, split, keepdims, opset }) {
  const { type, dims } = entry;
  const axis = axisOption < 0 ? axisOption + dims.length : axisOption;
  const hasAxis = axis >= 0 && axis < dims.length;
  if (keepdims === 0 || split === undefined || !hasAxis) return undefined;
  // A tensor without elements has this axis behind one of extent 0: the operator checks `split` by the rules of
  // `opset`, and its pieces tell the extents.
  const empty = layout.Tensor.from(type, [], [0, dims[axis]]);
  const emptyPieces = Array.from(layout.splitToSequence(empty, split, { opset, axis: 1 }));
  let start = 0;
  return emptyPieces.map(({ dims: [, extent] }) => {
    const end = start + extent;
    const piece = entry.slice([start], [end], [axis]);
    start = end;
    return piece;
  });
}
