/**
 * Transposes of up to four axes as people write them in JavaScript without a library. `source` and `target` are of one
 * class. `extents` are those of the target, and `from` has the source's strides along the same axes. No DOM. No code is
 * generated, as the benchmark's loops are, because the page's CSP forbids that.
 */
import { sizeOf } from './workloads.js';

/** The extent of a block along both axes. */
const block = 16;

/** @typedef {(source: any, target: any, extents: number[], from: number[]) => void} Loop */

/**
 * Loops in the order of the target.
 * @type {Loop}
 */
function inOrder(source, target, [e0, e1, e2, e3], [s0, s1, s2, s3]) {
  let to = 0;
  for (let a = 0; a < e0; a++) {
    for (let b = 0; b < e1; b++) {
      for (let c = 0; c < e2; c++) {
        let at = a * s0 + b * s1 + c * s2;
        for (let d = 0; d < e3; d++, at += s3) target[to++] = source[at];
      }
    }
  }
}

/**
 * Loops over blocks of the source's innermost axis by the target's, which the cache can hold.
 * @type {Loop}
 */
function inBlocks(source, target, extents, from) {
  const to = [extents[1] * extents[2] * extents[3], extents[2] * extents[3], extents[3], 1];
  const inner = from.findLastIndex((stride, i) => stride === 1 && extents[i] > 1);
  const [p, q] = [0, 1, 2].filter((axis) => axis !== inner);
  const [rows, columns, readStep, writeStep] = [extents[inner], extents[3], from[3], to[inner]];
  for (let i = 0; i < extents[p]; i++) {
    for (let j = 0; j < extents[q]; j++) {
      const read = i * from[p] + j * from[q];
      const write = i * to[p] + j * to[q];
      for (let top = 0; top < rows; top += block) {
        const bottom = Math.min(top + block, rows);
        for (let left = 0; left < columns; left += block) {
          const right = Math.min(left + block, columns);
          for (let row = top; row < bottom; row++) {
            for (let column = left; column < right; column++)
              target[write + row * writeStep + column] = source[read + row + column * readStep];
          }
        }
      }
    }
  }
}

/**
 * Copies runs of the innermost axis, which stays in place.
 * @type {Loop}
 */
function inRuns(source, target, [e0, e1, e2, run], [s0, s1, s2]) {
  let to = 0;
  for (let a = 0; a < e0; a++) {
    for (let b = 0; b < e1; b++) {
      for (let c = 0; c < e2; c++, to += run) {
        const at = a * s0 + b * s1 + c * s2;
        target.set(source.subarray(at, at + run), to);
      }
    }
  }
}

/**
 * Takes three interleaved channels apart into planes, one image after another.
 * @param {any} source
 * @param {any} target
 * @param {number} pixels of one image
 */
function toThreePlanes(source, target, pixels) {
  for (let first = 0, read = 0; first < target.length; first += 3 * pixels) {
    for (let i = first; i < first + pixels; i++, read += 3) {
      target[i] = source[read];
      target[i + pixels] = source[read + 1];
      target[i + 2 * pixels] = source[read + 2];
    }
  }
}

/**
 * The loops that suit a workload, ready to run.
 * @param {import('./workloads.js').Workload} workload
 * @returns {(() => void)[]} each leaves the whole result in `target`
 */
export function loopsFor({ dims, perm }, source, target) {
  const strides = dims.map((_, axis) => sizeOf(dims.slice(axis + 1)));
  const pad = Array(4 - perm.length);
  const extents = [...pad.fill(1), ...perm.map((axis) => dims[axis])];
  const from = [...pad.fill(0), ...perm.map((axis) => strides[axis])];
  const moves = perm.at(-1) !== dims.length - 1;
  const loops = [inOrder, moves ? inBlocks : inRuns].map((loop) => () => loop(source, target, extents, from));
  const toPlanes = ['2,0,1', '0,3,1,2'].includes(perm.join()) && dims.at(-1) === 3;
  if (toPlanes) loops.push(() => toThreePlanes(source, target, sizeOf(dims.slice(-3, -1))));
  return loops;
}
