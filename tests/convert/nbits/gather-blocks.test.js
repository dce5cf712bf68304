/** Embeddings that are packed for GatherBlockQuantized, against NumPy's arithmetic in the weights' own type. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { cast, init } from 'onnx-layout';
import { quantizeWeights } from 'onnx-layout/convert';
import { readModel, writeInitializers } from 'onnx-layout/io';
import { expectErrors } from '../../support/assertions.js';
import { modelFile } from '../../support/quantize-goldens.js';
import { lists } from '../../support/tables.js';

beforeAll(() => init());

const dims = [3, 40];
const block = 16;
const asType = (type, ...numbers) =>
  cast({ type: 'float64', data: Float64Array.from(numbers), dims: [numbers.length] }, type);

/** A model whose embeddings these are. */
function fileOf(type, numbers) {
  const file = modelFile(`before/gather-${type}.onnx`);
  return writeInitializers(file, new Map([['W0', { ...asType(type, ...numbers), dims }]]));
}

/** Codes, scales and zero points, one by one. */
function packed(type, numbers, symmetric) {
  const round = (x) => asType(type, x).toArray()[0];
  const clamped = (x, low) => Math.min(Math.max(x, low), low + 15);
  const nearest = (x) => {
    const floor = Math.floor(x);
    return x - floor > 0.5 || (x - floor === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
  };
  const result = { codes: [], scales: [], zeros: [] };
  for (let row = 0; row < dims[0]; row++)
    for (let first = 0; first < dims[1]; first += block) {
      const own = numbers.slice(row * dims[1] + first, row * dims[1] + Math.min(first + block, dims[1]));
      const [low, high] = [Math.min(...own), Math.max(...own)];
      const most = Math.abs(high) > Math.abs(low) ? high : low;
      const scale = symmetric ? round(most / -8) : round(round(Math.max(high, 0) - Math.min(low, 0)) / 15);
      const zero = symmetric ? 0 : scale === 0 ? 8 : clamped(nearest(round(-Math.min(low, 0) / scale)), 0);
      result.scales.push(scale);
      result.zeros.push(zero);
      for (const x of own) {
        const sum = scale === 0 ? zero : round(round(x / scale) + zero);
        result.codes.push(clamped(nearest(sum), symmetric ? -8 : 0) & 15);
      }
    }
  return result;
}

describe("models that went through onnxruntime's quantizer", () => {
  test.each(
    lists('["float16", 1], ["float16", 5e-4], ["float16", 3e-7], ["float16", 6e4], ["float32", 1], ["float32", 1e-40]'),
  )('%s of about %p', (type, size) => {
    const exact = Array.from({ length: 120 }, (_, i) => Math.sin(i * 1.7) * size);
    const numbers = asType(type, ...exact).toArray();
    for (const symmetric of [false, true]) {
      const { model } = quantizeWeights(fileOf(type, numbers), {
        ops: ['Gather'],
        blockSize: block,
        symmetric,
        include: ['W0'],
      });
      const tensors = readModel(model).initializers;
      const wanted = packed(type, numbers, symmetric);
      const codes = [...tensors.get('W0_Q4').toArray()].map((code) => code & 15);
      expect([codes, [...tensors.get('W0_scales').toArray()]]).toEqual([wanted.codes, wanted.scales]);
      if (!symmetric) expect([...tensors.get('W0_zero_points').toArray()]).toEqual(wanted.zeros);
    }
  });

  test.each([NaN, Infinity, -Infinity])('%p is refused', (number) => {
    const numbers = Array.from({ length: 120 }, (_, i) => (i === 77 ? number : 1));
    expectErrors({
      "RangeError: quantizeWeights: weights 'W0' must hold finite numbers, got NaN or an infinity": () =>
        quantizeWeights(fileOf('float32', numbers), { ops: ['Gather'], blockSize: block }),
    });
  });
});
