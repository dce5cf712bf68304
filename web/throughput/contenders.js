/** The contenders that need nothing but the package and JavaScript, ready to run. */
import { transpose } from 'onnx-layout';
import { imageToTensor, resize } from 'onnx-layout/image';
import { loop, lookups } from '../../tests/bench/image-loops.js';
import { loopResize } from '../../tests/bench/resize-loops.js';
import { canvasCall } from './canvas.js';
import { loopsFor } from './loops.js';
import { bytesMoved, sizeOf } from './workloads.js';

/** @typedef {import('./workloads.js').Workload} Workload */

const classes = { uint8: Uint8Array, float32: Float32Array };

/** Whole numbers, which every contender moves unchanged; they have no period, which could hide a wrong order. */
function fill(data) {
  for (let i = 0, x = 1; i < data.length; i++) {
    x = Math.imul(x, 1664525) + 1013904223;
    data[i] = x >>> 24;
  }
  return data;
}

/**
 * The bound of the memory: a copy of half of the bytes in and out.
 * @param {Workload} workload
 */
function memcpy(workload) {
  const source = fill(new Uint8Array(bytesMoved(workload) / 2));
  const target = new Uint8Array(source.length);
  return () => target.set(source);
}

/**
 * The inputs and settings of a workload.
 * @typedef {object} Task
 * @property {any} result that a call may write to
 * @property {(out?: any) => { data: any }} call ours
 * @property {(target: any) => (() => void)[]} loops
 * @property {[name: string, run: () => any, isOther: true]} [other] a contender whose results are meant to differ
 */

/** @type {(workload: Workload, source: any) => Task} */
function transposing(workload, data) {
  const { type, dims, perm } = workload;
  return {
    result: { type, dims: perm.map((axis) => dims[axis]), data: new classes[type](data.length) },
    call: (out) => transpose({ type, dims, data }, { perm, out }),
    loops: (target) => loopsFor(workload, data, target),
  };
}

/** @type {(workload: Workload, source: Uint8Array) => Task} */
function normalizing({ dims: [height, width] }, data) {
  const image = { data, width, height };
  return {
    result: { type: 'float32', dims: [1, 3, height, width], data: new Float32Array(3 * height * width) },
    call: (out) => imageToTensor(image, { preset: 'imagenet', out }),
    loops: (target) => [loop, lookups].map((run) => () => run(image, target)),
  };
}

/** @type {(workload: Workload, source: Uint8Array) => Task} */
function resizing({ dims, size }, data) {
  const [height, width] = size;
  const image = { data, width: dims[1], height: dims[0], channels: 3 };
  const rgba = imageToTensor(image, { layout: 'HWC', channels: 'RGBA', dtype: 'uint8' }).data;
  return {
    result: { data: new Uint8Array(3 * height * width), width, height, channels: 3 },
    call: (out) => resize(image, { width, height, filter: 'bicubic', out }),
    loops: (target) => [() => loopResize(image, width, height, 'bicubic', target)],
    other: ['the browser’s canvas', canvasCall(rgba, dims, size), true],
  };
}

/**
 * @typedef {object} Contenders
 * @property {any} source what all of them read
 * @property {any} expected the result of all of them but memcpy, which has none, and of those that differ
 * @property {[name: string, run: () => any, isOther?: boolean][]} runs
 * @property {(() => any)[]} loops
 */

/**
 * All contenders but onnxruntime.
 * @param {Workload} workload
 * @returns {Contenders}
 */
export function contendersOf(workload) {
  const { type, dims, perm, size } = workload;
  const source = fill(new classes[type](sizeOf(dims)));
  const { result, call, loops, other } = (perm ? transposing : size ? resizing : normalizing)(workload, source);
  const looped = result.data.slice();
  return {
    source,
    expected: call().data,
    runs: [
      // Leave memcpy out of resizing, which is bound by arithmetic: its bar would dwarf all others.
      other ?? ['memcpy', memcpy(workload)],
      ['onnx-layout, into out', () => call(result).data],
      ['onnx-layout, new memory', () => call().data],
    ],
    loops: loops(looped).map((loop) => () => {
      loop();
      return looped;
    }),
  };
}
