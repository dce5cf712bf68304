/** Files, trees, histograms and progress of the weights panel, without a DOM. */
import { describe, expect, test } from '@jest/globals';
import { dtypes } from 'onnx-layout';
import { fileBeside, mainOf, resultName, mergedFiles } from '../../../web/weights/files.js';
import { Histogram, numbersOf } from '../../../web/weights/histogram.js';
import { duration, percent, progressText, shortValue } from '../../../web/weights/rate.js';
import { branchesOf, totalsOf, openAtFirst } from '../../../web/weights/tree.js';

describe('files of weights', () => {
  const files = (...names) => names.map((name) => ({ name }));
  const chosen = (...names) => {
    const found = mainOf(files(...names));
    return found && [found.format, ...found.main.map(({ name }) => name)];
  };

  test('are told by their names, and an index comes before its shards', () => {
    expect(chosen('a.NPY')).toEqual(['npy', 'a.NPY']);
    expect(chosen('model.onnx.data', 'model.onnx')).toEqual(['onnx', 'model.onnx']);
    expect(chosen('1.safetensors', 'model.safetensors.index.json', '2.safetensors')).toEqual([
      'safetensors',
      'model.safetensors.index.json',
    ]);
    expect(chosen('2.safetensors', '1.safetensors')).toEqual(['safetensors', '2.safetensors', '1.safetensors']);
    expect(chosen('config.json', 'model.onnx')).toEqual(['onnx', 'model.onnx']);
    expect(chosen('config.json', 'model.safetensors')).toEqual(['safetensors', 'model.safetensors']);
    expect(chosen('config.json', 'my.index.json')).toEqual(['safetensors', 'my.index.json']);
    expect(chosen('renamed.json')).toEqual(['safetensors', 'renamed.json']);
    expect(chosen('model.onnx.data', 'readme.txt')).toBe(undefined);
    expect(() => chosen('a.onnx', 'b.onnx')).toThrow('Choose one model at a time, got a.onnx and b.onnx.');
    expect(() => chosen('a.onnx', 'b.npy')).toThrow('Choose one model at a time, got a.onnx and b.npy.');
  });

  test('are found by the last part of a path', () => {
    expect(fileBeside(files('a', 'b.data'), 'parts/b.data')).toEqual({ name: 'b.data' });
    expect(() => fileBeside(files('a'), 'parts/b.data')).toThrow('b.data is missing: choose or drop it too.');
  });

  test('belong to those before if they hold no weights, or were missing', () => {
    const joined = (before, given, isWaiting = false) =>
      mergedFiles(files(...before), files(...given), isWaiting).map(({ name }) => name);
    expect(joined(['a.onnx', 'a.data'], ['a.data'])).toEqual(['a.onnx', 'a.data']);
    expect(joined(['a.onnx'], ['b.onnx'])).toEqual(['b.onnx']);
    expect(joined(['a.onnx'], ['b.onnx'], true)).toEqual(['b.onnx']);
    const index = 'model.safetensors.index.json';
    expect(joined([index, '1.safetensors'], ['2.safetensors'])).toEqual(['2.safetensors']);
    expect(joined([index, '1.safetensors'], ['2.safetensors'], true)).toEqual([
      index,
      '1.safetensors',
      '2.safetensors',
    ]);
    expect(joined([], ['a.txt'])).toEqual(['a.txt']);
  });

  test('give their results names', () => {
    expect(resultName('model.onnx', 'float16', 'onnx')).toBe('model.float16.onnx');
    expect(resultName('model.safetensors.index.json', 'float16', 'safetensors')).toBe('model.float16.safetensors');
    expect(resultName('model-00001-of-00002.safetensors', '', 'safetensors')).toBe('model.safetensors');
    expect(resultName('a.b.weight.npy', 'bfloat16', 'npy')).toBe('a.b.weight.bfloat16.npy');
  });
});

describe('the tree of tensors', () => {
  const rowsOf = (...names) => names.map((name) => ({ name, type: 'float32', dims: [2, 3], bytes: 24 }));
  const shown = (rows, start) => branchesOf(rows, start).map(({ label, row }) => (row ? label : `${label}*`));

  test('has branches at dots, in the order of numbers, and folds what stands alone', () => {
    const rows = rowsOf('layers.10.a', 'layers.2.a', 'layers.2.b', 'head', 'head.bias', 'x.y.z');
    expect(shown(rows)).toEqual(['head', 'head.bias', 'layers.*', 'x.y.z']);
    const layers = branchesOf(rows)[2];
    expect(layers.rows.length).toBe(3);
    expect(shown(layers.rows, layers.path.length)).toEqual(['2.*', '10.a']);
    expect(shown(rowsOf('a.b.c', 'a.b.d'))).toEqual(['a.b.*']);
    expect(shown(rowsOf('a.b', 'a.b.c'))).toEqual(['a.*']);
    expect(shown(rowsOf('a.b', 'a.b.c'), 2)).toEqual(['b', 'b.c']);
    expect(shown(rowsOf('', '.', '..'))).toEqual(['', '.*']);
    expect(branchesOf([])).toEqual([]);
  });

  test('every tensor has one place, whatever the names are', () => {
    const names = ['a', 'a.', 'a..', 'a.b', 'b..c', 'b..d', '.', 'a.b.c.d', '1.2', '1.10', 'a b.c', '\0.x', 'é.é'];
    const leaves = (branches) =>
      branches.flatMap(({ row, rows, path }) => (row ? [row.name] : leaves(branchesOf(rows, path.length))));
    expect(leaves(branchesOf(rowsOf(...names))).sort()).toEqual([...names].sort());
    const deep = '.'.repeat(100_000);
    expect(shown(rowsOf(`${deep}a`, `${deep}b`))).toEqual([`${deep}*`]);
  });

  test('is open from the top as far as there is room, and where the chosen tensor is', () => {
    const rows = rowsOf(...Array.from({ length: 60 }, (_, i) => `l.${Math.floor(i / 20)}.${i}.${'w'}`), 'z.a', 'z.b');
    expect([...openAtFirst(rows, 5)]).toEqual(['l.']);
    expect([...openAtFirst(rows, 7)]).toEqual(['l.', 'z.']);
    expect([...openAtFirst(rows, 5, 'l.2.41.w')]).toEqual(['l.', 'l.2.']);
    expect([...openAtFirst(rows, 5, 'l.2.')]).toEqual(['l.']);
  });

  test('adds up each type', () => {
    const rows = [...rowsOf('a', 'b'), { name: 'c', type: 'int8', dims: [], bytes: 1 }];
    expect(totalsOf(rows)).toEqual([
      { type: 'float32', tensors: 2, elements: 12, bytes: 48 },
      { type: 'int8', tensors: 1, elements: 1, bytes: 1 },
    ]);
  });
});

describe('a histogram', () => {
  /** Counts into the bars that a result says. */
  function counted(values, { from, width, bars }) {
    const expected = bars.map(() => 0);
    for (const value of values) if (Number.isFinite(value)) expected[Math.floor((value - from) / width)]++;
    return expected;
  }
  const histogramOf = (...pieces) => {
    const histogram = new Histogram();
    for (const piece of pieces) histogram.add(Float64Array.from(piece));
    return histogram.result();
  };
  const isPowerOfTwo = (value) => Number.isInteger(Math.log2(value));

  test.each([
    ['small numbers', [0.1, -0.2, 0.3, 0.05]],
    ['whole numbers', [0, 1, 2, 3, 100]],
    ['negative numbers', [-5, -5.25, -7]],
    ['one number', [3.5, 3.5, 3.5]],
    ['zeros', [0, -0, 0]],
    ['far apart', [1e-300, 1e300, -1e300]],
    ['the smallest', [5e-324, 0, -5e-324]],
    ['the greatest', [Number.MAX_VALUE, -Number.MAX_VALUE, 1]],
    ['near together', [1, 1 + Number.EPSILON, 1 + 2 * Number.EPSILON]],
  ])('counts %s, whatever comes first', (_, values) => {
    const whole = histogramOf(values);
    expect([whole.least + 0, whole.most + 0]).toEqual([Math.min(...values) + 0, Math.max(...values) + 0]);
    expect(whole.bars.length).toBeLessThanOrEqual(64);
    expect(whole.bars.reduce((sum, bar) => sum + bar)).toBe(values.length);
    expect(isPowerOfTwo(whole.width)).toBe(true);
    expect(whole.bars[0]).toBeGreaterThan(0);
    expect(whole.bars.at(-1)).toBeGreaterThan(0);
    const single = values.map((value) => [value]);
    // A sum of floats depends on their order.
    for (const pieces of [single, single.toReversed()])
      expect({ ...histogramOf(...pieces), mean: whole.mean }).toEqual(whole);
  });

  test('counts thousands of numbers as a loop over its bars does', () => {
    const values = Array.from({ length: 10_000 }, (_, i) => Math.sin(i) * 2 ** (i % 9));
    const result = histogramOf(values.slice(0, 10), values.slice(10, 500), values.slice(500));
    expect(result.bars).toEqual(counted(values, result));
    expect(result.bars.length).toBeGreaterThan(31);
    expect(result.mean).toBeCloseTo(values.reduce((sum, value) => sum + value) / values.length, 12);
  });

  test('counts zeros, NaN and infinities apart', () => {
    const result = histogramOf([NaN, 1, -0, Infinity], [0, -Infinity, NaN, 3]);
    expect(result).toMatchObject({ count: 8, zeros: 2, nans: 2, infinities: 2, least: -0, most: 3, mean: 1 });
    expect(result.bars.reduce((sum, bar) => sum + bar)).toBe(4);
  });

  test('of no finite number is empty', () => {
    expect(histogramOf([NaN])).toMatchObject({ count: 1, nans: 1, bars: [] });
    expect(histogramOf()).toMatchObject({ count: 0, bars: [] });
  });

  test('reads each type as numbers that hold all its values', () => {
    const by = (type) => Object.keys(dtypes).filter((name) => numbersOf(dtypes[name]) === type);
    expect(by(undefined).sort()).toEqual(['complex128', 'complex64', 'string']);
    expect(by('float64').sort()).toEqual(['float64', 'int32', 'int64', 'uint32', 'uint64']);
  });
});

describe('long work in words', () => {
  test('has a rate and the time that is left, once they mean something', () => {
    expect(progressText(1e9, 5e9, 100)).toBe('1 GB of 5 GB');
    expect(progressText(0, 5e9, 1000)).toBe('0 B of 5 GB');
    expect(progressText(1e9, 5e9, 2000)).toBe('1 GB of 5 GB, 500 MB a second, 8 s left');
    expect(progressText(1e9, 401e9, 1000)).toBe('1 GB of 401 GB, 1 GB a second, 7 min left');
  });

  test('has durations, parts and values', () => {
    expect([0, 1234, 59_001, 61_000, 3_600_001].map(duration)).toEqual(['0 s', '1.23 s', '60 s', '2 min', '1 h 1 min']);
    expect([percent(0, 0), percent(1, 3), percent(2, 2)]).toEqual(['0 %', '33.3 %', '100 %']);
    expect(percent(99_999, 100_000)).toBe('almost 100 %');
    expect([0, -0.5, 123456, 1234567, 0.000012345, -1e-300].map((value) => shortValue(value, 3))).toEqual([
      '0',
      '−0.5',
      '123000',
      '1.23e6',
      '1.23e−5',
      '−1e−300',
    ]);
  });
});
