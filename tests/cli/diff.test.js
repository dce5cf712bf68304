/** The command `diff`, against distances known from the formats, with whole output. */
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { cast, Tensor } from 'onnx-layout';
import { writeNpy, writeSafetensors } from 'onnx-layout/io';
import { modelOf } from '../support/models.js';
import { cli, expectRefusal, inFolder, output } from './streams.js';

inFolder();

/** Compares two tensors by way of files. */
async function compared(a, b, options = '') {
  writeFileSync('a.npy', writeNpy(a));
  writeFileSync('b.npy', writeNpy(b));
  return cli(`diff a.npy b.npy ${options}`);
}

const report = (status, ...lines) => ({ status, stdout: lines.map((line) => `${line}\n`).join(''), stderr: '' });
const floats = (values, dims) => Tensor.from('float32', values, dims);

describe('equal', () => {
  test.each([
    ['float32', [1, NaN, -0, Infinity]],
    ['uint8', [0, 255]],
    ['int64', [2n ** 62n, -1n]],
    ['bool', [true, false]],
    ['bfloat16', [1, 2]],
  ])('%s', async (type, values) => {
    const tensor = Tensor.from(type, values, [1, values.length]);
    const options = type === 'bfloat16' ? `--dtype ${type}` : '';
    expect(await compared(tensor, tensor, options)).toEqual(report(0, `equal: ${type} [1, ${values.length}]`));
  });

  test('NaNs of any payload', async () => {
    const a = new Tensor('float32', new Float32Array(Uint32Array.of(0x7fc00000).buffer), [1]);
    const b = new Tensor('float32', new Float32Array(Uint32Array.of(0xffc12345).buffer), [1]);
    expect(await compared(a, b)).toEqual(report(0, 'equal: float32 [1]'));
  });

  test('nothing', async () =>
    expect(await compared(floats([], [0, 3]), floats([], [0, 3]))).toEqual(report(0, 'equal: float32 [0, 3]')));
});

describe('different', () => {
  test('the first, the largest, the mean, ULPs', async () => {
    const a = floats([0, 1, 2, -1.5, 8, 16], [2, 3]);
    const b = floats([0, 1 + 2 ** -23, 2, 1.5, 8, 16 + 2 ** -19], [2, 3]);
    expect(await compared(a, b)).toEqual(
      report(
        1,
        'float32 [2, 3]',
        'differ   3 of 6 elements (50 %)',
        'first    [0, 1]: 1 and 1.0000001',
        'largest  3 at [1, 0]: -1.5 and 1.5',
        `mean     ${(3 + 2 ** -23 + 2 ** -19) / 6}`,
        // -1.5 and 1.5 are as many floats from 0 as their bits say.
        `ULPs     at most ${2 * 0x3fc00000}, ${(2 * 0x3fc00000 + 2) / 6} on average`,
      ),
    );
  });

  test.each([
    ['float16', 2 ** -10, 0x3c00],
    ['bfloat16', 2 ** -7, 0x3f80],
    ['float64', 2 ** -52, 0x3ff * 2 ** 52],
  ])('ULPs of %s', async (type, epsilon, one) => {
    const options = type === 'bfloat16' ? `--dtype ${type} --json` : '--json';
    const of = (...values) => Tensor.from(type, values);
    const ulps = async (a, b) => JSON.parse((await compared(of(a), of(b), options)).stdout).ulps;
    expect(await ulps(1, 1 + epsilon)).toEqual({ largest: 1, mean: 1 });
    expect(await ulps(-1, 0)).toEqual({ largest: one, mean: one });
    expect(await ulps(0, -0)).toEqual({ largest: 0, mean: 0 });
  });

  test('0 and -0 by nothing', async () =>
    expect(await compared(floats([0]), floats([-0]))).toEqual(
      report(
        1,
        'float32 [1]',
        'differ   1 of 1 elements (100 %)',
        'first    [0]: 0 and -0',
        'largest  0 at [0]: 0 and -0',
        'mean     0',
        'ULPs     at most 0, 0 on average',
      ),
    ));

  test('NaN and infinity by infinitely much', async () =>
    expect(await compared(floats([NaN, 1, Infinity]), floats([1, NaN, -Infinity]), '--atol 1e9')).toEqual(
      report(
        1,
        'float32 [3]',
        'differ   3 of 3 elements (100 %)',
        'first    [0]: NaN and 1',
        'largest  Infinity at [0]: NaN and 1',
        'mean     Infinity',
        'ULPs     at most Infinity, Infinity on average',
        'beyond tolerance: 3',
      ),
    ));

  test('int64 beyond 2^53', async () =>
    expect(await compared(Tensor.from('int64', [2n ** 60n]), Tensor.from('int64', [2n ** 60n + 1n]))).toEqual(
      report(
        1,
        'int64 [1]',
        'differ   1 of 1 elements (100 %)',
        'first    [0]: 1152921504606846976 and 1152921504606846977',
        'largest  1 at [0]: 1152921504606846976 and 1152921504606846977',
        'mean     1',
      ),
    ));

  test('a scalar, and parts of complex numbers', async () => {
    expect((await compared(Tensor.from('int8', [1], []), Tensor.from('int8', [3], []))).stdout).toContain(
      'first    []: 1 and 3\nlargest  2 at []: 1 and 3\nmean     2\n',
    );
    for (const type of ['complex64', 'complex128']) {
      const [a, b] = [[[1, 2]], [[1, 4]]].map((values) => Tensor.from(type, values));
      expect((await compared(a, b)).stdout).toContain(
        `${type} [1]\ndiffer   1 of 2 elements (50 %)\nfirst    [0, 1]: 2 and 4\n`,
      );
    }
  });

  test('packed types, and places beyond the first part', async () => {
    const size = 2 ** 18 + 5;
    const bytes = new Uint8Array(Math.ceil(size / 2));
    const other = Uint8Array.from(bytes);
    other[2 ** 17 + 1] = 0x70;
    [bytes, other].forEach((data, i) => {
      writeFileSync(`${i}.onnx`, modelOf({ nodes: [], initializers: { t: new Tensor('int4', data, [size]) } }));
    });
    expect(await output('diff 0.onnx 1.onnx')).toBe(
      'int4 [262149]\ndiffer   1 of 262149 elements (0.000381 %)\nfirst    [262147]: 0 and 7\n' +
        'largest  7 at [262147]: 0 and 7\nmean     0.000026702371552056272\n',
    );
  });

  test('text', async () => {
    const [a, b] = ['\u001b', 'x'.repeat(50)].map((text) => Tensor.from('string', ['same', text]));
    for (const [name, t] of Object.entries({ a, b }))
      writeFileSync(`${name}.onnx`, modelOf({ nodes: [], initializers: { t } }));
    expect(await cli('diff a.onnx b.onnx --atol 5')).toEqual(
      report(
        1,
        'string [2]',
        'differ   1 of 2 elements (50 %)',
        `first    [1]: "\\u001b" and "${'x'.repeat(40)}"`,
        'beyond tolerance: 1',
      ),
    );
    writeFileSync('x.npy', writeNpy(floats([1, 2])));
    const stderr = 'onnx-layout: diff: cannot compare float32 and string\n';
    expect(await cli('diff x.npy a.onnx')).toEqual({ ...report(1), stderr });
  });

  test('dims, whatever the tolerance', async () =>
    expect(await compared(floats([1, 2], [1, 2]), floats([1, 2], [2, 1]), '--atol 9')).toEqual(
      report(1, 'float32 [1, 2] and float32 [2, 1]'),
    ));

  test('rank', async () =>
    expect(await compared(floats([1], [1]), floats([1], [1, 1]))).toEqual(report(1, 'float32 [1] and float32 [1, 1]')));

  test('types', async () => {
    const [a, b] = [floats([1, 0.1]), cast(floats([1, 0.1]), 'float16')];
    const lines = [
      'float32 [2] and float16 [2]',
      'differ   1 of 2 elements (50 %)',
      'first    [1]: 0.10000000149011612 and 0.0999755859375',
      'largest  0.000024415552616119385 at [1]: 0.10000000149011612 and 0.0999755859375',
      'mean     0.000012207776308059692',
    ];
    expect(await compared(a, b)).toEqual(report(1, ...lines));
    expect(await compared(a, b, '--rtol 0.001')).toEqual(report(0, ...lines, 'within tolerance'));
    const whole = Tensor.from('uint8', [1, 2]);
    const same = ['uint8 [2] and int64 [2]', 'differ   0 of 2 elements'];
    const long = Tensor.from('int64', [1n, 2n]);
    expect(await compared(whole, long)).toEqual(report(1, ...same));
    expect(await compared(whole, long, '--atol 0')).toEqual(report(0, ...same, 'within tolerance'));
  });
});

describe('tolerance', () => {
  const [a, b] = [floats([100, 0, 5]), floats([101, 0.5, 5])];
  test.each([
    ['--atol 1', 0, 'within tolerance'],
    ['--atol 0.75', 1, 'beyond tolerance: 1'],
    ['--rtol 0.01', 1, 'beyond tolerance: 1'],
    ['--rtol 1', 0, 'within tolerance'],
    ['--atol 5e-1 --rtol 1e-2', 0, 'within tolerance'],
    ['--atol 0', 1, 'beyond tolerance: 2'],
  ])('%s', async (options, status, line) => {
    const done = await compared(a, b, options);
    expect([done.status, done.stdout.split('\n').at(-2)]).toEqual([status, line]);
  });
});

test.each([
  [NaN, Infinity],
  [1, Infinity],
  [-Infinity, Infinity],
  [Infinity, 1],
  [NaN, 1],
  [1, NaN],
])('%d and %d are within no tolerance', async (a, b) => {
  const done = await compared(floats([a]), floats([b]), '--atol 1e9 --rtol 1e300');
  expect([done.status, done.stdout.split('\n').at(-2)]).toEqual([1, 'beyond tolerance: 1']);
});

test('text that reads as infinity is within no tolerance', async () => {
  for (const [name, text] of Object.entries({ a: 'finite', b: 'Infinity' }))
    writeFileSync(`${name}.onnx`, modelOf({ nodes: [], initializers: { t: Tensor.from('string', [text]) } }));
  const { status, stdout } = await cli('diff a.onnx b.onnx --rtol 0.1');
  expect([status, stdout.split('\n').at(-2)]).toEqual([1, 'beyond tolerance: 1']);
});

const three = { type: 'float32', dims: [3] };

test('--json', async () => {
  const { status, stdout } = await compared(floats([1, 2, NaN]), floats([1, 3, 4]), '--json --atol 1');
  expect([status, JSON.parse(stdout)]).toEqual([
    1,
    {
      equal: false,
      within: false,
      tensors: [three, three],
      dims: [3],
      elements: 3,
      differ: 2,
      beyond: 1,
      first: { index: [1], values: ['2', '3'] },
      largest: { index: [2], values: ['NaN', '4'], difference: 'Infinity' },
      mean: 'Infinity',
      ulps: { largest: 'Infinity', mean: 'Infinity' },
    },
  ]);
  const dims = await compared(floats([1], [1]), floats([1], [1, 1]), '--json');
  const tensors = [[1], [1, 1]].map((extents) => ({ type: 'float32', dims: extents }));
  expect([dims.status, JSON.parse(dims.stdout)]).toEqual([1, { equal: false, within: false, tensors }]);
});

const write = (name, tensors) => writeFileSync(name, writeSafetensors(new Map(Object.entries(tensors))));

test('--tensor chooses of both files', async () => {
  write('a.safetensors', { v: floats([0]), w: floats([1]) });
  write('b.safetensors', { v: floats([0]), w: floats([2]) });
  expect((await cli('diff a.safetensors b.safetensors --tensor v')).status).toBe(0);
  expect((await cli('diff a.safetensors b.safetensors --tensor w')).status).toBe(1);
});

describe('files of several tensors', () => {
  test('130,000 names that the other has not: more than a call takes as arguments', async () => {
    const empty = Tensor.from('int8', [], [0]);
    const named = (list) => writeSafetensors(new Map(list.map((name) => [`${name}`, empty])));
    writeFileSync('few.safetensors', named(['a', 'b']));
    writeFileSync('many.safetensors', named([...Array(130_000).keys()]));
    const lines = (await cli('diff few.safetensors many.safetensors')).stdout.split('\n');
    expect([lines.length, lines[1], lines.at(-3)]).toEqual([
      ...[130_004, 'only in few.safetensors: b', 'only in many.safetensors: 129999'],
    ]);
  });

  const same = floats([1, 2], [2]);

  test('are compared by name', async () => {
    write('a.safetensors', { same, w: floats([1, 2, 3], [3]), dims: floats([1], [1]), a: same });
    write('b.safetensors', { same, w: floats([1, 2.5, 3], [3]), dims: floats([1], [1, 1]), b: same });
    expect(await cli('diff a.safetensors b.safetensors')).toEqual(
      report(
        1,
        'w: float32 [3], differ 1 of 3 elements (33.3 %), largest 0.5 at [1], at most 2097152 ULPs',
        'dims: float32 [1] and float32 [1, 1]',
        'only in a.safetensors: a',
        'only in b.safetensors: b',
        '1 of 3 tensors equal',
      ),
    );
    const { status, stdout } = await cli('diff a.safetensors b.safetensors --json');
    const { equal, within, tensors, onlyInA, onlyInB } = JSON.parse(stdout);
    expect([status, equal, within, onlyInA, onlyInB]).toEqual([1, false, false, ['a'], ['b']]);
    expect(tensors.map(({ name, equal: one, differ }) => [name, one, differ])).toEqual([
      ['same', true, 0],
      ['w', false, 1],
      ['dims', false, undefined],
    ]);
  });

  test('are within tolerance if all of their tensors are', async () => {
    write('a.safetensors', { same, w: floats([1, 2]) });
    write('b.safetensors', { same, w: floats([1, 2.5]) });
    const line = 'w: float32 [2], differ 1 of 2 elements (50 %), largest 0.5 at [1], at most 2097152 ULPs';
    for (const [atol, status, end] of [
      ['0.5', 0, 'within tolerance'],
      ['0.25', 1, 'beyond tolerance: 1'],
    ])
      expect(await cli(`diff a.safetensors b.safetensors --atol ${atol}`)).toEqual(
        report(status, `${line}, ${end}`, '1 of 2 tensors equal'),
      );
    expect(await cli('diff a.safetensors a.safetensors')).toEqual(report(0, '2 of 2 tensors equal'));
    expect(await cli('diff a.safetensors b.safetensors --quiet')).toEqual(report(1));
  });

  test('one of them with a .npy file', async () => {
    write('a.safetensors', { same, w: floats([1]) });
    writeFileSync('same.npy', writeNpy(same));
    expect(await cli('diff a.safetensors same.npy --tensor same')).toEqual(report(0, 'equal: float32 [2]'));
    expect((await cli('diff a.safetensors same.npy')).stderr).toBe(
      'onnx-layout: a.safetensors has 2 tensors: choose one by --tensor\nonnx-layout diff --help says more\n',
    );
  });
});

test.each([
  ['a.npy', 'diff takes A B, got 1 file'],
  ['a.npy b.npy --atol -1', '--atol must be a number from 0 on, got -1'],
  ['a.npy b.npy --rtol 1e', '--rtol must be a number from 0 on, got 1e'],
  ['a.npy b.npy --tol 1', "unknown option '--tol', did you mean '--atol'? Known: --atol, --rtol, --tensor, "],
])('usage: %j', (args, message) => expectRefusal(`diff ${args}`, 2, message));
