/** The names and the files that the documents' examples may use. */
import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as core from 'onnx-layout';
import * as audio from 'onnx-layout/audio';
import * as conversions from 'onnx-layout/convert';
import * as pictures from 'onnx-layout/image';
import * as files from 'onnx-layout/io';
import * as node from 'onnx-layout/node';
import * as operators from 'onnx-layout/operators';
import * as postprocess from 'onnx-layout/postprocess';
import * as processors from 'onnx-layout/processors';
import * as transformers from 'onnx-layout/transformers';
import { root } from '../support/packed.js';
import * as hf from '../transformers/stand-in.js';

/** A protobuf field of bytes, shorter than 128. */
const field = (number, ...bytes) => [(number << 3) | 2, bytes.length, ...bytes];
const text = (number, string) => field(number, ...Buffer.from(string));

/** A model that transposes `data` [2, 3] into `transposed`, with a float32 initializer `weight` of the same dims. */
export const transposing = () => {
  const tensorType = field(1, 8, 1, ...field(2, ...field(1, 8, 2), ...field(1, 8, 3)));
  const node = field(1, ...text(1, 'data'), ...text(2, 'transposed'), ...text(4, 'Transpose'));
  const weight = field(5, 8, 2, 8, 3, 16, 1, ...text(8, 'weight'), ...field(9, ...new Uint8Array(24)));
  const values = [...field(11, ...text(1, 'data'), ...field(2, ...tensorType)), ...field(12, ...text(1, 'transposed'))];
  return Uint8Array.of(8, 8, ...field(7, ...node, ...weight, ...values), ...field(8, 16, 13));
};

/** The exports of each door. */
export const doorModules = {
  'onnx-layout/image': pictures,
  'onnx-layout/operators': operators,
  'onnx-layout/audio': audio,
  'onnx-layout/postprocess': postprocess,
  'onnx-layout': core,
  'onnx-layout/io': files,
  'onnx-layout/convert': conversions,
  'onnx-layout/node': node,
  'onnx-layout/processors': processors,
  'onnx-layout/transformers': transformers,
};

/** Doors with an `init` of their own. */
const wasmDoors = ['onnx-layout/audio', 'onnx-layout/image', 'onnx-layout/postprocess'];

/** A 2D context that draws nothing. */
const context = new Proxy(
  { canvas: { width: 640, height: 480 }, globalAlpha: 1 },
  {
    get: (state, name) => state[name] ?? (() => ({ width: 50 })),
  },
);

/** A folder to run examples in: it has `photo.jpg`, and a copy in `photos`. */
export function exampleFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'examples-'));
  mkdirSync(join(folder, 'photos'));
  for (const name of ['photo.jpg', 'photos/photo.jpg'])
    copyFileSync(join(root, 'tests/demo/photo.jpg'), join(folder, name));
  return folder;
}

/**
 * The names that examples may use beside the package: a model's bytes, a module like transformers.js, a page's file
 * input whose file is a picture, and its canvas.
 * `init` is that of the example's entry point.
 * @param {string} [door] whose example it is
 * @param {typeof doorModules} [modules]
 */
export function exampleScope(door, modules = doorModules) {
  const picture = { data: new Uint8Array(224 * 224 * 3), width: 224, height: 224 };
  const own = wasmDoors.includes(door) ? modules[door] : {};
  return {
    ...Object.assign({}, ...Object.values(modules)),
    ...own,
    bytes: transposing(),
    hf,
    input: { files: [picture] },
    canvas: { getContext: () => context },
  };
}
