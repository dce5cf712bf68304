/** Printing: literal texts, round trips, and NumPy itself where it is installed. */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { dtypes } from '../../js/tensor/dtypes.js';
import { format } from '../../js/tensor/print.js';
import { decodeByFormula, encodeByNearest, floats } from './codec.reference.js';
import { chooseSample } from '../support/sample.js';
import { generator } from '../support/samples.js';
import { lists, pairs, words } from '../support/tables.js';

const encoded = (type, values) => Tensor.from(type, values).data;
const print = (type, values, dims = [values.length]) => format(dtypes[type], encoded(type, values), dims);
const count = (size) => Array.from({ length: size }, (_, i) => i);

test.each([
  ['float32', [1, 2.5, -3], '[ 1.   2.5 -3. ]'],
  ['float32', [], '[]'],
  // Notation: scientific from 1e8 on, below 1e-4, or where the greatest is over 1000 times the least.
  ['float64', [99999999], '[99999999.]'],
  ['float64', [1e8], '[1.e+08]'],
  ['float64', [0.0001, 0.05], '[0.0001 0.05  ]'],
  ['float64', [0.00009999], '[9.999e-05]'],
  ['float64', [1, 1000], '[   1. 1000.]'],
  ['float64', [1, 1001], '[1.000e+00 1.001e+03]'],
  // The quotient is 1000 in float32.
  ['float32', [1.0000001192092896, 1000.0001220703125], '[   1.0000001 1000.0001   ]'],
  ['float64', [0, 1e-300, 1e10], '[0.e+000 1.e-300 1.e+010]'],
  ['float32', [1e-5, 1234.5678], '[9.9999997e-06 1.2345677e+03]'],
  ['float16', [65504], '[65504.]'],
  ['float16', [65504, 1], '[6.55e+04 1.00e+00]'],
  // Digits: the fewest that name the value in its format, at most 8 decimals, half to even.
  ['float16', [0.1], '[0.1]'],
  ['float16', [0.5, 256.25], '[  0.5 256.2]'],
  ['float32', [1 / 3], '[0.33333334]'],
  ['float64', [1 / 3], '[0.33333333]'],
  ['float64', [2 ** -9, 3 * 2 ** -9], '[0.00195312 0.00585938]'],
  ['float64', [0.30000000000000004, 0.999999999], '[0.3 1. ]'],
  // Signs, infinities and NaN.
  ['float32', [0, -0, NaN, Infinity], '[ 0. -0. nan inf]'],
  ['float64', [NaN, 1, -Infinity, 2.125], '[  nan 1.     -inf 2.125]'],
  ['float64', [NaN], '[nan]'],
  ['float64', [Infinity, -Infinity], '[ inf -inf]'],
  ['float64', [NaN, 1e10], '[   nan 1.e+10]'],
  // Formats that NumPy has no type for.
  ['bfloat16', [0.1, 3, -1.0078125], '[ 0.1   3.   -1.01]'],
  ['bfloat16', [3e38, 1], '[3.e+38 1.e+00]'],
  ['float8e4m3fn', [448, 1, 0.5, NaN], '[448.    1.    0.5   nan]'],
  ['float8e4m3fn', [2 ** -9, 0.5], '[0.00195312 0.5       ]'],
  ['float8e4m3fnuz', [240, -0.875], '[240.     -0.875]'],
  ['float8e5m2', [57344, 1], '[5.7344e+04 1.0000e+00]'],
  ['float8e5m2fnuz', [57344], '[57344.]'],
  ['float4e2m1', [0.5, 1.5, -6, -0], '[ 0.5  1.5 -6.  -0. ]'],
  ['float6e2m3', [0.125, 7.5, -1.25, -0], '[ 0.125  7.5   -1.25  -0.   ]'],
  ['float6e3m2', [0.0625, 28, -0.1875], '[ 0.0625 28.     -0.1875]'],
  ['float8e8m0', [0.25, 32, NaN], '[ 0.25 32.     nan]'],
  ['float8e8m0', [2 ** -127, 2 ** 127], '[5.8774718e-39 1.7014118e+38]'],
  // Integers and bool.
  ['int4', [-8, 7, 0], '[-8  7  0]'],
  ['uint4', [15, 3], '[15  3]'],
  ['int2', [-2, -1, 0, 1], '[-2 -1  0  1]'],
  ['uint2', [3, 0], '[3 0]'],
  ['int64', [-(2n ** 63n), 0n], '[-9223372036854775808                    0]'],
  ['uint64', [2n ** 64n - 1n], '[18446744073709551615]'],
  ['bool', [true, false], '[ True False]'],
  ['bool', [true], '[ True]'],
  // Complex: the two parts are formatted apart.
  ['complex64', lists('[1, 2], [-3.5, 0]'), '[ 1. +2.j -3.5+0.j]'],
  [
    'complex64',
    [
      [1, 2],
      [-3.5, NaN],
    ],
    '[ 1.  +2.j -3.5+nanj]',
  ],
  ['complex128', lists('[0.1, -1e-10], [1, 1]'), '[0.1-1.e-10j 1. +1.e+00j]'],
  // Strings.
  [
    'string',
    ['', 'a', "it's", 'q"\'', '\n\t\\\x7f\xa0\u2028\u{1f600}é\ud800'],
    `['' 'a' "it's" 'q"\\'' '\\n\\t\\\\\\x7f\\xa0\\u2028\u{1f600}é\\ud800']`,
  ],
])('%s %p prints as %s', (type, values, text) => expect(print(type, values)).toBe(text));

test.each([
  ['float32', 0.1, '0.1'],
  ['float64', 1 / 3, '0.3333333333333333'],
  ['float32', 1, '1.0'],
  ['float64', -0, '-0.0'],
  ['float64', 1e16, '1e+16'],
  ['float64', 9999999999999998, '9999999999999998.0'],
  ['float64', 0.0001, '0.0001'],
  ['float64', 1.5e-5, '1.5e-05'],
  ['float64', -1e100, '-1e+100'],
  ['float16', 65504, '65500.0'],
  ['float32', NaN, 'nan'],
  ['float32', -Infinity, '-inf'],
  ['float8e4m3fn', 448, '448.0'],
  ['float4e2m1', -6, '-6.0'],
  ['bfloat16', 0.1, '0.1'],
  ['float8e8m0', 32, '32.0'],
  ['int4', -8, '-8'],
  ['uint64', 2n ** 64n - 1n, '18446744073709551615'],
  ['bool', true, 'True'],
  ['bool', false, 'False'],
  ['string', "it's\n", "it's\n"],
  ['complex64', [1, 2], '(1+2j)'],
  ['complex64', [0, 2.5], '2.5j'],
  ['complex64', [-0, 2], '(-0+2j)'],
  ['complex128', [NaN, -Infinity], '(nan-infj)'],
  ['complex128', [1e20, NaN], '(1e+20+nanj)'],
])('a scalar: %s %p prints as %s', (type, value, text) => expect(print(type, [value], [])).toBe(text));

test('brackets, lines and dots', () => {
  expect(print('uint8', count(6), [2, 3])).toBe('[[0 1 2]\n [3 4 5]]');
  expect(print('uint8', count(4), [2, 1, 2])).toBe('[[[0 1]]\n\n [[2 3]]]');
  expect(print('uint8', [], [2, 0, 3])).toBe('[]');
  expect(print('uint8', count(30))).toBe(
    '[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n 24 25 26 27 28 29]',
  );
  // A line's width counts code points, as Python does.
  const word = '\u{1f600}'.repeat(3);
  expect(print('string', Array(12).fill(word))).toBe(`['${word}'${` '${word}'`.repeat(11)}]`);
  expect(print('int32', count(1000)).split('\n').length).toBe(56);
  expect(print('int32', count(1001))).toBe('[   0    1    2 ...  998  999 1000]');
  expect(print('int32', count(1400), [200, 7])).toBe(
    [
      '[[   0    1    2 ...    4    5    6]',
      ' [   7    8    9 ...   11   12   13]',
      ' [  14   15   16 ...   18   19   20]',
      ' ...',
      ' [1379 1380 1381 ... 1383 1384 1385]',
      ' [1386 1387 1388 ... 1390 1391 1392]',
      ' [1393 1394 1395 ... 1397 1398 1399]]',
    ].join('\n'),
  );
  expect(print('string', ['x'.repeat(80), 'y'])).toBe(`['${'x'.repeat(80)}'\n 'y']`);
});

test('a tensor of 10^8 elements: only those that are printed are read', () => {
  const reads = [];
  const data = new Proxy(
    {},
    { get: (_, key) => (key === Symbol.toStringTag ? 'Float32Array' : (reads.push(Number(key)), 1)) },
  );
  const row = '[1. 1. 1. ... 1. 1. 1.]';
  const plane = `[${row}\n  ${row}\n  ${row}\n  ...\n  ${row}\n  ${row}\n  ${row}]`;
  expect(format(dtypes.float32, data, [100, 1000, 1000])).toBe(
    `[${[plane, plane, plane, '...', plane, plane, plane].join('\n\n ')}]`,
  );
  const edges = (extent) => [0, 1, 2, extent - 3, extent - 2, extent - 1];
  expect(reads).toEqual(
    edges(100).flatMap((i) => edges(1000).flatMap((j) => edges(1000).map((k) => (i * 1000 + j) * 1000 + k))),
  );
});

test.each(['float16', 'bfloat16'])('%s scalars: every code is named by its text, and by no shorter one', (type) => {
  const wrong = [];
  for (let code = 1; code < 0x8000; code++) {
    const value = decodeByFormula(type, code);
    if (!Number.isFinite(value)) continue;
    const text = format(dtypes[type], Uint16Array.of(code), []);
    const names = (number) => encodeByNearest(type, number) === code;
    const digits = text
      .replace(/e.*/, '')
      .replace('.', '')
      .replace(/^0+|0+$/g, '').length;
    const shorter = digits > 1 ? Number(value.toPrecision(digits - 1)) : 0;
    const step = 10 ** (Math.floor(Math.log10(value)) - digits + 2);
    if (!names(Number(text)) || (digits > 1 && [shorter - step, shorter, shorter + step].some(names)))
      wrong.push([code, text]);
  }
  expect(wrong).toEqual([]);
});

const python = '/usr/bin/python3';
const version =
  spawnSync(python, ['-c', 'import numpy; print(numpy.__version__)'], { encoding: 'utf8' }).stdout?.trim() ?? '';
// NumPy 2 prints some arrays in another notation, because it compares float32 with 0.0001 in float32.
const runs = version.startsWith('1.') || process.env.CI;
if (!runs)
  process.stderr.write(
    `print.test.js: not compared with NumPy: ${python} has ${version || 'none'}, needs Debian's python3-numpy (1.x)\n`,
  );

(runs ? describe : describe.skip)('as NumPy prints it, live', () => {
  const numpyTypes = Object.fromEntries(
    pairs(`
      float16:<f2 float32:<f4 float64:<f8 complex64:<c8 complex128:<c16 bool:|b1 int8:|i1 uint8:|u1 int16:<i2
      uint16:<u2 int32:<i4 uint32:<u4 int64:<i8 uint64:<u8
    `),
  );
  const script = `
import base64, json, sys, numpy
def array(case):
    if 'strings' in case:
        a = numpy.empty(len(case['strings']), dtype=object)
        a[:] = case['strings']
    else:
        a = numpy.frombuffer(base64.b64decode(case['bytes']), dtype=case['dtype'])
    return a.reshape(case['dims'])
json.dump([str(array(case)) for case in json.load(sys.stdin)], sys.stdout)
`;

  /** NumPy's text of each case, given the bytes of `data`. */
  const ask = (cases) => {
    const input = JSON.stringify(
      cases.map(({ type, data, dims, as }) =>
        Array.isArray(data)
          ? { strings: data, dims }
          : { dtype: as ? '<f4' : numpyTypes[type], bytes: Buffer.from((as ?? data).buffer).toString('base64'), dims },
      ),
    );
    const { status, stdout, stderr } = spawnSync(python, ['-c', script], {
      input,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    expect(`${status} ${stderr}`).toBe('0 ');
    return JSON.parse(stdout);
  };
  const compare = (cases) => {
    const texts = ask(cases);
    const wrong = [];
    cases.forEach(({ type, data, dims }, i) => {
      const text = format(dtypes[type], data, dims);
      if (text !== texts[i]) wrong.push({ type, dims, ours: text, numpy: texts[i] });
    });
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(texts.length).toBe(cases.length);
  };

  /** Numbers in [0, 1). */
  const randomFrom = (seed) => {
    const random = generator(seed);
    return () => random() / 2 ** 32;
  };
  const shapes = [
    [],
    ...words(`
      1 2 3 5 8 13 40 100 1000 1001 2500 0 0,3 2,0 1,1 3,4 2,30 20,7 7,150 150,7 6,200 2,3,4 12,1,12 9,10,12
      2,2,300 1,2,1,3 5,4,3,20 2,2,2,2,2 1,1,1,1,1,1,1,2
    `).map((dims) => dims.split(',').map(Number)),
  ];

  /** Ways to draw one number. Each array uses one or two of them, so that the notation and the padding vary. */
  const draws = [
    (random) => Math.floor(random() * 10) - 4,
    (random) => Math.floor(random() * 2 ** 20),
    (random) => random(),
    (random) => (random() - 0.5) * 2000,
    (random) => Math.floor(random() * 4096) / 512, // ties at the eighth decimal
    (random) => Math.floor(random() * 1000) / 100,
    (random) => 2 ** Math.floor(random() * 40 - 20),
    (random) => (random() - 0.5) * 10 ** Math.floor(random() * 16 - 8),
    (random) => (random() - 0.5) * 10 ** Math.floor(random() * 600 - 300),
    (random) => 10 ** Math.floor(random() * 12 - 5),
    (random) =>
      [NaN, Infinity, -Infinity, 0, -0, 1, 1000, 1e-4, 1e8, 99999999, 9.5, 0.99999999][Math.floor(random() * 12)],
    (random) => (random() < 0.5 ? 0 : 1 + random() * 1e-7),
    (random) => 2 ** -24 * Math.floor(random() * 2000), // float16's subnormals
  ];
  const fill = (data, random) => {
    const [first, second] = [0, 0].map(() => draws[Math.floor(random() * draws.length)]);
    for (let i = 0; i < data.length; i++) data[i] = (random() < 0.8 ? first : second)(random);
    return data;
  };
  const sizeOf = (dims) => dims.reduce((a, b) => a * b, 1);
  const rounds = count(8);

  test.each(chooseSample(['float32', 'float64', 'complex64', 'complex128'], 4))('%s', (type) => {
    const random = randomFrom(dtypes[type].code);
    const Class = dtypes[type].array === 'Float32Array' ? Float32Array : Float64Array;
    compare(
      rounds.flatMap(() =>
        shapes.map((dims) => ({
          type,
          dims,
          data: fill(new Class(sizeOf(dims) * (type.startsWith('complex') ? 2 : 1)), random),
        })),
      ),
    );
  });

  test.each(
    chooseSample(
      Object.keys(floats).filter((type) => type !== 'bfloat16'),
      4,
    ),
  )('%s', (type) => {
    const random = randomFrom(dtypes[type].code);
    compare(
      rounds.flatMap(() =>
        shapes.map((dims) => {
          const values = fill(new Float64Array(sizeOf(dims)), random);
          const data = encoded(type, values);
          // Formats of fewer than 16 bits print as NumPy prints their values in float32.
          if (type === 'float16') return { type, dims, data };
          return {
            type,
            dims,
            data,
            as: Float32Array.from(values, (value) => decodeByFormula(type, encodeByNearest(type, value, true))),
          };
        }),
      ),
    );
  });

  test.each(['float16', 'float32', 'float64'])('%s codes of every kind', (type) => {
    const random = randomFrom(99 + dtypes[type].code);
    const cases = [];
    for (const dims of [[], [1], [2], [3]])
      for (let i = 0; i < 1000; i++) {
        const bytes = Uint8Array.from({ length: (sizeOf(dims) * dtypes[type].bits) / 8 }, () => random() * 256);
        const Class = { float16: Uint16Array, float32: Float32Array, float64: Float64Array }[type];
        cases.push({ type, dims, data: new Class(bytes.buffer) });
      }
    compare(cases);
  });

  test('float16: every code as a scalar and in an array; the hash chooses an eighth', () => {
    const codes = chooseSample(count(65536), 8);
    compare(codes.flatMap((code) => [[], [1]].map((dims) => ({ type: 'float16', dims, data: Uint16Array.of(code) }))));
  });

  test.each(Object.keys(numpyTypes).filter((type) => /int|bool/.test(type)))('%s', (type) => {
    const random = randomFrom(dtypes[type].code);
    const Class = encoded(type, []).constructor;
    compare(
      rounds.flatMap(() =>
        shapes.map((dims) => {
          const reach = 2 ** (random() * dtypes[type].bits);
          const draw = () =>
            type === 'bool'
              ? random() < 0.5
                ? 0
                : 1
              : Math.floor((random() - (type.startsWith('u') ? 0 : 0.5)) * reach);
          return {
            type,
            dims,
            data: Class.from({ length: sizeOf(dims) }, () => (dtypes[type].bits === 64 ? BigInt(draw()) : draw())),
          };
        }),
      ),
    );
  });

  test('string', () => {
    const random = randomFrom(8);
    const pieces = [
      ...'aZ0 \'"\\\n\r\t\0\x1b\x7f\x85\xa0\xadéß\u0301\u200b\u2028\u3000中\ud83d\ude00\ufeff',
      ...'\ue000\uffff\u{10ffff}\u{e0001}',
      ...['${x}', '$&', 'longer piece of text'],
    ];
    const draw = () =>
      Array.from({ length: Math.floor(random() ** 3 * 12) }, () => pieces[Math.floor(random() * pieces.length)]).join(
        '',
      );
    compare(
      rounds.flatMap(() =>
        shapes.map((dims) => ({ type: 'string', dims, data: Array.from({ length: sizeOf(dims) }, draw) })),
      ),
    );
  });
});
