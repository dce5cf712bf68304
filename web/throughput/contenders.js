/** The contenders that need nothing but the package and JavaScript, ready to run. */
import { imageToTensor, transpose } from 'onnx-layout';
import { loopsFor } from './loops.js';
import { pictureLoops } from './picture-loops.js';
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
 * What the memory allows: a copy of half of the bytes in and out.
 * @param {Workload} workload
 */
function memcpy(workload) {
  const source = fill(new Uint8Array(bytesMoved(workload) / 2));
  const target = new Uint8Array(source.length);
  return () => target.set(source);
}

/**
 * @typedef {object} Contenders
 * @property {any} source what all of them read
 * @property {any} expected the result of all of them but memcpy, which has none
 * @property {[name: string, run: () => any][]} runs
 * @property {(() => any)[]} loops
 */

/**
 * All contenders but onnxruntime.
 * @param {Workload} workload
 * @returns {Contenders}
 */
export function contendersOf(workload) {
  const { type, dims, perm } = workload;
  const source = fill(new classes[type](sizeOf(dims)));
  const [height, width] = dims;
  const result = perm
    ? { type, dims: perm.map((axis) => dims[axis]), data: new classes[type](source.length) }
    : { type: 'float32', dims: [1, 3, height, width], data: new Float32Array(3 * height * width) };
  const looped = result.data.slice();
  const call = perm
    ? (out) => transpose({ type, dims, data: source }, { perm, out })
    : (out) => imageToTensor({ data: source, width, height }, { preset: 'imagenet', out });
  const loops = perm ? loopsFor(workload, source, looped) : pictureLoops(source, looped);
  return {
    source,
    expected: call().data,
    runs: [
      ['memcpy', memcpy(workload)],
      ['onnx-layout, into out', () => call(result).data],
      ['onnx-layout, new memory', () => call().data],
    ],
    loops: loops.map((loop) => () => {
      loop();
      return looped;
    }),
  };
}
