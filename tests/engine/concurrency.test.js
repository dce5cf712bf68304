/** Several instances of the package in one process: threads, and two copies. In pages: engines/together.js. */
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { Tensor, init, transpose } from 'onnx-layout';
import { expectTensor, expectErrors } from '../support/assertions.js';
import { root } from '../support/packed.js';
import { elementCount, transposeData, transposedDims, typeNames } from '../support/reference.js';
import { randomData } from '../support/samples.js';

beforeAll(() => init());

const perm = [2, 0, 1];
const dims = [40, 50, 60];
const outDims = transposedDims(dims, perm);

function makeCase(type, seed) {
  const data = randomData(type, elementCount(dims), seed).slice();
  return { type, dims, data, expected: transposeData(type, data, dims, perm) };
}

test('four threads at once get tensors of every type and give tensors, moved both ways', async () => {
  const names = typeNames.filter((type) => type !== 'string');
  await Promise.all(
    [0, 1, 2, 3].map(async (w) => {
      const worker = new Worker(new URL('concurrency.worker.js', import.meta.url));
      try {
        for (let turn = 0; turn < names.length; turn++) {
          const { type, data, expected } = makeCase(names[(turn + 7 * w) % names.length], 100 * w + turn);
          const answer = once(worker, 'message');
          worker.postMessage({ tensor: { type, dims, data }, perm }, [data.buffer]);
          expect(data.length).toBe(0);
          const mine = makeCase('uint16', turn);
          expectTensor(transpose(mine, { perm }), 'uint16', outDims, mine.expected);
          const [result] = await answer;
          expect(result.data.byteLength).toBe(result.data.buffer.byteLength);
          const actual = new Tensor(result.type, result.data, result.dims);
          expectTensor(actual, type, outDims, expected, `thread ${w} ${type}`);
        }
      } finally {
        await worker.terminate();
      }
    }),
  );
});

test('a result that was moved away and back is an input again', async () => {
  const { data, expected } = makeCase('float32', 3);
  const result = transpose({ type: 'float32', dims, data }, { perm });
  const { port1, port2 } = new MessageChannel();
  const moved = new Promise((resolve) => {
    port2.onmessage = ({ data: message }) => resolve(message);
  });
  port1.postMessage(result.data, [result.data.buffer]);
  expectErrors({
    'RangeError: Transpose-25: float32 data of dims [60, 40, 50] has 120000 entries, got 0': () => transpose(result),
  });
  const back = await moved;
  port1.close();
  expectTensor(new Tensor('float32', new Float32Array(back.buffer), outDims), 'float32', outDims, expected);
  expectTensor(transpose({ type: 'float32', dims: outDims, data: back }, { perm: [1, 2, 0] }), 'float32', dims, data);
});

test('a second copy in the process has a module of its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'onnx-layout-'));
  try {
    for (const part of ['js', 'dist', 'package.json'])
      cpSync(join(root, part), join(folder, part), { recursive: true });
    const copy = await import(pathToFileURL(join(folder, 'js/index.js')).href);
    const { data, expected } = makeCase('float32', 1);
    const input = new Tensor('float32', data, dims);
    const instances = jest.spyOn(WebAssembly, 'instantiate');
    await Promise.all([copy.init(), init(), copy.init()]);
    expect(instances.mock.calls.length).toBe(1);
    instances.mockRestore();
    const theirs = copy.transpose(input, { perm });
    expect([theirs instanceof copy.Tensor, theirs instanceof Tensor]).toEqual([true, false]);
    expectTensor(new Tensor(theirs.type, theirs.data, theirs.dims), 'float32', outDims, expected);
    expectTensor(transpose(theirs, { perm: [1, 2, 0] }), 'float32', dims, data);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('calls that meet a failing init fail with it, and the next one loads', async () => {
  jest.resetModules();
  const layout = await import('onnx-layout');
  const wasm = Uint8Array.of(0, 1, 2, 3);
  const outcomes = await Promise.allSettled([layout.init({ wasm }), layout.init(), layout.init({ wasm })]);
  expect(outcomes.map(({ status, reason }) => [status, reason?.name])).toEqual(
    Array(3).fill(['rejected', 'CompileError']),
  );
  await Promise.all([layout.init(), layout.init()]);
  const { data, expected } = makeCase('uint8', 5);
  expect(layout.transpose({ type: 'uint8', dims, data }, { perm }).data).toEqual(expected);
});
