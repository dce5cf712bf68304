/** Several instances of the package at once: in workers, and twice in one page. */
import { beforeAll, expect, test } from '@jest/globals';
import { Tensor, init, transpose } from 'onnx-layout';
import { expectTensor } from '../support/assertions.js';
import { elementCount, transposeData, transposedDims } from '../support/reference.js';
import { randomData } from '../support/samples.js';

beforeAll(() => init());

const dims = [40, 50, 60];
const perm = [2, 0, 1];
const outDims = transposedDims(dims, perm);

function sample(type, seed) {
  const data = randomData(type, elementCount(dims), seed);
  return { type, dims, data: data.slice(), expected: transposeData(type, data, dims, perm) };
}

test('four workers at once get tensors and give tensors, moved both ways', async () => {
  const workers = Array.from({ length: 4 }, () => new Worker('/parallel-worker.js', { type: 'module' }));
  const names = ['uint8', 'float16', 'float32', 'complex128', 'int4'];
  await Promise.all(
    workers.map(async (worker, w) => {
      for (let turn = 0; turn < 10; turn++) {
        const { type, data, expected } = sample(names[(w + turn) % names.length], 10 * w + turn);
        const answer = new Promise((resolve, reject) => {
          worker.onmessage = ({ data: result }) => resolve(result);
          worker.onerror = ({ message }) => reject(new Error(message));
        });
        worker.postMessage({ tensor: { type, dims, data }, perm }, [data.buffer]);
        expect(data.length).toBe(0);
        // Meanwhile the page's own instance works.
        const mine = sample('uint16', turn);
        expectTensor(transpose(mine, { perm }), 'uint16', outDims, mine.expected);
        const result = await answer;
        expectTensor(
          new Tensor(result.type, result.data, result.dims),
          type,
          outDims,
          expected,
          `worker ${w} turn ${turn}`,
        );
      }
      worker.terminate();
    }),
  );
});

test('a second copy in the page has a module of its own', async () => {
  const path = '/copy/js/index.js';
  const copy = await import(path);
  const { data, expected } = sample('float32', 1);
  const input = new Tensor('float32', data, dims);
  const theirs = copy.transpose(input, { perm });
  expect([theirs instanceof copy.Tensor, theirs instanceof Tensor]).toEqual([true, false]);
  expectTensor(new Tensor(theirs.type, theirs.data, theirs.dims), 'float32', outDims, expected);
  // Our copy takes their tensors, and transposes back.
  expectTensor(transpose(theirs, { perm: [1, 2, 0] }), 'float32', dims, data);
});
