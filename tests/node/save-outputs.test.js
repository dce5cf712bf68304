/** `saveOutputs`: batches of any number as one file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { readNpy, readSafetensors } from 'onnx-layout/io';
import { saveOutputs } from 'onnx-layout/node';
import { expectRejection } from '../support/assertions.js';
import { temporaryFolder } from '../support/programs.js';
import { chooseSample } from '../support/sample.js';

const folder = temporaryFolder();
const at = (name) => join(folder, name);

/** Batches of pictures 0, 1, …: of each `count`, with what `outputsOf` makes. */
async function* batches(counts, outputsOf) {
  let first = 0;
  for (const count of counts) {
    const paths = Array.from({ length: count }, (_, i) => `${first + i}`);
    yield { paths, outputs: outputsOf(paths.map(Number)), failed: [] };
    first += count;
  }
}

const values = (paths) =>
  Tensor.from(
    'int16',
    paths.flatMap((path) => [path, -path]),
    [paths.length, 2],
  );
const marks = (paths) =>
  Tensor.from(
    'bfloat16',
    paths.flatMap((path) => [path, path, 1]),
    [paths.length, 3, 1],
  );
const both = (paths) => ({ pixel_values: values(paths), marks: marks(paths) });

describe.each([[[1, 1, 1]], [[2, 1]], [[3]]])('batches of %j pictures', (counts) => {
  test('to .npy, one for each output', async () => {
    const outputs = [
      { name: 'pixel_values', type: 'int16', dims: [3, 2] },
      { name: 'marks', type: 'bfloat16', dims: [3, 3, 1] },
    ];
    const files = [at('out.npy'), at('out.marks.npy')];
    expect(await saveOutputs(at('out.npy'), batches(counts, both))).toEqual({ files, outputs });
    expect(readNpy(readFileSync(files[0]))).toEqual(values([0, 1, 2]));
    expect(readNpy(readFileSync(files[1]), { dtype: 'bfloat16' })).toEqual(marks([0, 1, 2]));
  });

  test('to .safetensors', async () => {
    const file = at('out.safetensors');
    const { files } = await saveOutputs(file, batches(counts, both), { total: 3 });
    expect(files).toEqual([file]);
    const bytes = new Uint8Array(readFileSync(file));
    expect(Object.fromEntries(readSafetensors(bytes))).toEqual(both([0, 1, 2]));
    expect(new DataView(bytes.buffer).getBigUint64(0, true) % 8n).toBe(0n);
  });
});

test('several rows a picture, to .safetensors', async () => {
  const crops = (paths) => ({ pixel_values: Tensor.from('int8', [...paths, ...paths], [2 * paths.length, 1]) });
  await saveOutputs(at('rows.safetensors'), batches([1, 1, 1], crops), { total: 3 });
  const { pixel_values: saved } = Object.fromEntries(readSafetensors(readFileSync(at('rows.safetensors'))));
  expect(saved).toEqual(Tensor.from('int8', [0, 0, 1, 1, 2, 2], [6, 1]));
});

test('the header of .npy has room for any number of rows', async () => {
  const one = (paths) => ({
    pixel_values: Tensor.from(
      'uint8',
      paths.map(() => 7),
      [paths.length],
    ),
  });
  await saveOutputs(at('rows.npy'), batches([1, 99999, 900000], one));
  const file = readFileSync(at('rows.npy'));
  expect([readNpy(file).dims, file.length]).toEqual([[1000000], 1000128]);
  expect(file.subarray(10, 80).toString()).toMatch(/'shape': \(1000000,\), \} +$/);
});

test('batches without outputs are left out', async () => {
  const some = (paths) => (paths[0] === 1 ? undefined : both(paths));
  const { outputs } = await saveOutputs(at('some.npy'), batches([1, 1, 1], some));
  expect(outputs[0].dims).toEqual([2, 2]);
  expect(readNpy(readFileSync(at('some.npy')))).toEqual(values([0, 2]));
});

const wider = (paths) => ({ pixel_values: Tensor.from('int16', Array(3 + paths[0]).fill(1), [1, 3 + paths[0]]) });
const longer = (paths) => ({ pixel_values: Tensor.from('int16', Array(1 + paths[0]).fill(1), [1 + paths[0], 1]) });
const typed = (paths) => ({ pixel_values: Tensor.from(paths[0] ? 'int8' : 'int16', [1], [1]) });
const gone = (paths) => {
  const tensor = values(paths);
  if (paths[0]) structuredClone(tensor.data, { transfer: [tensor.data.buffer] });
  return { pixel_values: tensor };
};
const other = (paths) => ({ pixel_values: values(paths), [paths[0] ? 'other' : 'marks']: values(paths) });
const fewer = (paths) => (paths[0] ? { pixel_values: values(paths) } : both(paths));

const total = 'total must be the number of pictures, from 1 on, for .safetensors, got';
test.each([
  ['out.bin', [1], both, {}, /^path must end in \.npy or \.safetensors, got '.*out\.bin'$/],
  ['x.safetensors', [1], both, {}, `${total} undefined`],
  ['x.safetensors', [1], both, { total: 0 }, `${total} 0`],
  ['x.safetensors', [1, 1], both, { total: 3 }, 'total must be 2 as there are, got 3'],
  ['x.npy', [], both, {}, 'batches must have outputs, got none'],
  ['x.npy', [1, 1], wider, {}, "pixel_values of '1' must be int16 of dims [*, 3] as the first, got int16 [1, 4]"],
  ['x.npy', [1, 1], gone, {}, 'int16 data of dims [1, 2] has 2 entries, got 0'],
  ['x.npy', [1, 1], typed, {}, "pixel_values of '1' must be int16 of dims [*] as the first, got int8 [1]"],
  ['x.npy', [1, 1], other, {}, "outputs of '1' must be pixel_values, marks as the first, got pixel_values, other"],
  ['x.npy', [1, 1], fewer, {}, "outputs of '1' must be pixel_values, marks as the first, got pixel_values"],
  [
    'x.safetensors',
    [1, 1],
    longer,
    { total: 2 },
    "pixel_values of '1' must have 1 row a picture as the first, got 2 rows of 1 picture: .npy takes any",
  ],
  [
    'x.safetensors',
    [2],
    () => ({ pixel_values: Tensor.from('int8', [1, 2, 3], [3]) }),
    { total: 4 },
    'pixel_values must have as many rows for each picture, got 3 rows of 2 pictures: .npy takes any',
  ],
  ['x.safetensors', [1], both, { total: 2 ** 52 }, 'total must make a file of fewer than 2^53 bytes, got more'],
  ['x.npy', [1], () => ({ ids: [1, 2] }), {}, 'ids must be a tensor of pictures to be joined, got Array'],
])('refuses: %s of %j', async (name, counts, make, options, message) => {
  const work = () => saveOutputs(at(name), batches(counts, make), options);
  if (message instanceof RegExp) await expect(work()).rejects.toThrow('saveOutputs: path must end in .npy');
  else await expectRejection(work, RangeError, `saveOutputs: ${message}`);
  expect(readdirSync(folder).filter((file) => file.startsWith(name) || file.endsWith('.tmp'))).toEqual([]);
});

test.each(['x.npy', 'x.safetensors'])('refuses elements of less than a byte: %s', async (name) => {
  for (const type of ['int4', 'float4e2m1', 'float6e2m3', 'uint2', 'string']) {
    const data = type === 'string' ? ['a', 'b', 'c'] : [1, 0, 1];
    const packed = () => ({ pixel_values: Tensor.from(type, data, [3]) });
    const message = `saveOutputs: pixel_values must be of a type of whole bytes, got ${type}`;
    await expectRejection(() => saveOutputs(at(name), batches([3], packed), { total: 3 }), TypeError, message);
  }
});

test.each([
  [undefined, 'undefined'],
  [{ outputs: {} }, 'an object'],
  [{ paths: ['a'], outputs: 5 }, 'an object'],
])('refuses what is no batch: %p', (batch, shown) =>
  expectRejection(
    () => saveOutputs(at('x.npy'), [batch]),
    TypeError,
    `saveOutputs: batches must give { paths, outputs }, got ${shown}`,
  ),
);

test('refuses a path and batches of another kind', async () => {
  await expectRejection(
    () => saveOutputs(5, batches([1], both)),
    TypeError,
    'saveOutputs: path must be a string, got 5',
  );
  for (const [value, shown] of [
    [undefined, 'undefined'],
    [5, '5'],
    [{}, 'an object'],
  ]) {
    const message = `saveOutputs: batches must be an async iterable, got ${shown}`;
    await expectRejection(() => saveOutputs(at('x.npy'), value), TypeError, message);
  }
});

test('each batch size and total has whole rows in .safetensors', async () => {
  const pairs = Array.from({ length: 200 }, (_, i) => Array.from({ length: i + 1 }, (_, k) => [k + 1, i + 1])).flat();
  // The first is 7 of 29: 7 * (29 / 7) is 29.000000000000004.
  const inexact = pairs.filter(([batch, total]) => batch * (total / batch) !== total);
  const file = at('whole.safetensors');
  for (const [batch, total] of [...inexact.slice(0, 9), ...chooseSample(pairs, 500)]) {
    const counts = Array.from({ length: Math.ceil(total / batch) }, (_, i) => Math.min(batch, total - i * batch));
    await saveOutputs(file, batches(counts, both), { total });
    expect(Object.fromEntries(readSafetensors(readFileSync(file)))).toEqual(both([...Array(total).keys()]));
  }
});
