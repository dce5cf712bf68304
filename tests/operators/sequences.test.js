/** The operators of sequences: they share data, and make a new sequence each time. None of them needs init(). */
import { describe, expect, test } from '@jest/globals';
import {
  Tensor,
  inferShape,
  sequenceAt,
  sequenceConstruct,
  sequenceEmpty,
  sequenceErase,
  sequenceInsert,
  sequenceLength,
} from 'onnx-layout';
import { runModel } from 'onnx-layout/io';
import { typeNames } from '../support/reference.js';
import { randomData } from '../support/samples.js';
import { expectError, expectTensor, refuses, expectErrors } from '../support/assertions.js';

const bytes = (...values) => new Tensor('uint8', Uint8Array.from(values), [values.length]);
const scalar = (type, value) => Tensor.from(type, [value], []);
const [a, b, c] = [bytes(1), bytes(2, 2), bytes(3, 3, 3)];
const abc = Object.assign([a, b, c], { type: 'uint8' });
const firsts = (sequence) => [sequence.type, ...sequence.map(({ data }) => data[0])];
const old = typeNames.filter((type) => !/bfloat|float[468]e|int[24]$/.test(type));

test.each(typeNames)('%s', (type) => {
  const x = { type, data: randomData(type, 6, 1), dims: [2, 3] };
  const y = { type, data: randomData(type, 3, 2), dims: [3] };
  const options = { strict: false };
  const sequence = sequenceConstruct([x, y], options);
  expect([Array.isArray(sequence), sequence.type, sequence.length]).toEqual([true, type, 2]);
  expectTensor(sequence[1], type, [3], y.data);
  expect([sequence[0].data === x.data, sequence[1].data === y.data]).toEqual([true, true]);
  const longer = sequenceInsert(sequence, y, 0, options);
  expect(longer.map(({ data }) => data)).toEqual([y.data, x.data, y.data]);
  expect([longer.type, longer[1].data === x.data, sequence.length]).toEqual([type, true, 2]);
  const shorter = sequenceErase(longer, 1, options);
  expect([shorter.type, shorter.length, shorter[0].data === y.data, longer.length]).toEqual([type, 2, true, 3]);
  expectTensor(sequenceAt(sequence, -2, options), type, [2, 3], x.data);
  expect(sequenceAt(sequence, 0, options).data).toBe(x.data);
  expectTensor(sequenceLength(longer, options), 'int64', [], BigInt64Array.of(3n));
  const empty = sequenceEmpty({ dtype: type, ...options });
  expect([Array.isArray(empty), empty.type, empty.length]).toEqual([true, type, 0]);
  expectTensor(sequenceLength(empty, options), 'int64', [], BigInt64Array.of(0n));
  expect(firsts(sequenceInsert(empty, y, null, options))).toEqual([type, y.data[0]]);
});

test.each(typeNames.filter((type) => !old.includes(type)))('%s is in no version', (type) => {
  const x = { type, data: randomData(type, 1, 1), dims: [1] };
  const sequence = Object.assign([x], { type });
  const rule = `${type} is in no version, got opset 28`;
  expectError(() => sequenceConstruct([x]), TypeError, `SequenceConstruct-11: type ${rule}`);
  expectError(() => sequenceEmpty({ dtype: type }), TypeError, `SequenceEmpty-11: dtype ${rule}`);
  expectError(() => sequenceAt(sequence, 0), TypeError, `SequenceAt-11: type ${rule}`);
  expectError(() => sequenceAt([x], 0), TypeError, `SequenceAt-11: type ${rule}`);
  expectError(() => sequenceInsert(sequence, x), TypeError, `SequenceInsert-11: type ${rule}`);
  expectError(() => sequenceInsert([], x), TypeError, `SequenceInsert-11: type ${rule}`);
  expectError(() => sequenceErase(sequence), TypeError, `SequenceErase-11: type ${rule}`);
  expectError(() => sequenceLength(sequence), TypeError, `SequenceLength-11: type ${rule}`);
});

describe('positions', () => {
  const positions = [
    (value) => value,
    (value) => BigInt(value),
    (value) => scalar('int32', value),
    (value) => scalar('int64', value),
    (value) => Tensor.from('int64', [value], [1]),
  ];
  test.each([
    [0, 1, [9, 1, 2, 3], [2, 3]],
    [1, 2, [1, 9, 2, 3], [1, 3]],
    [2, 3, [1, 2, 9, 3], [1, 2]],
    [-1, 3, [1, 2, 9, 3], [1, 2]],
    [-3, 1, [9, 1, 2, 3], [2, 3]],
  ])('%i', (position, at, inserted, erased) => {
    for (const make of positions) {
      expect(sequenceAt(abc, make(position)).data[0]).toBe(at);
      expect(firsts(sequenceInsert(abc, bytes(9), make(position)))).toEqual(['uint8', ...inserted]);
      expect(firsts(sequenceErase(abc, make(position)))).toEqual(['uint8', ...erased]);
    }
  });

  test('n appends, and so does none; without one the last is erased', () => {
    for (const position of [3, undefined, null])
      expect(firsts(sequenceInsert(abc, bytes(9), position))).toEqual(['uint8', 1, 2, 3, 9]);
    for (const position of [undefined, null]) expect(firsts(sequenceErase(abc, position))).toEqual(['uint8', 1, 2]);
    const none = sequenceErase([a]);
    expect([none.type, none.length]).toEqual(['uint8', 0]);
    expect(firsts(abc)).toEqual(['uint8', 1, 2, 3]);
  });

  refuses('SequenceAt-11', sequenceAt, {
    'RangeError: position must be in [-3, 2], got 3': [abc, 3],
    'RangeError: position must be in [-3, 2], got -4': [abc, -4],
    'RangeError: input_sequence must hold at least one tensor, got []': [[], 0],
    'RangeError: position must be a whole number, got 0.5': [abc, 0.5],
    'TypeError: position must be a scalar or 1-D, got rank 2': [abc, new Tensor('int64', BigInt64Array.of(0n), [1, 1])],
    'RangeError: position must hold one number, got 2': [abc, new Tensor('int64', BigInt64Array.of(0n, 1n), [2])],
    'TypeError: position must be int32 or int64, got int8': [abc, scalar('int8', 0)],
    "TypeError: position must be a number or an int32 or int64 tensor, got '0'": [abc, '0'],
    'TypeError: position must be a number or an int32 or int64 tensor, got undefined': [abc],
  });

  refuses('SequenceInsert-11', {
    'RangeError: position must be in [-3, 3], got 4': () => sequenceInsert(abc, a, 4),
    'RangeError: position must be in [-3, 3], got -4': () => sequenceInsert(abc, a, -4),
    'RangeError: position must be in [-3, 3], got -9223372036854775808': () => sequenceInsert(abc, a, -(2n ** 63n)),
    'RangeError: position must be in [0, 0], got 1': () => sequenceInsert([], a, 1),
  });

  refuses('', {
    'RangeError: SequenceErase-11: position must be in [-3, 2], got 3': () => sequenceErase(abc, 3),
    'RangeError: SequenceErase-11: input_sequence must hold at least one tensor, got []': () => sequenceErase([]),
  });
});

describe('refuse', () => {
  const int8 = new Tensor('int8', Int8Array.of(1), [1]);
  const short = { type: 'uint8', data: Uint8Array.of(1), dims: [2] };
  refuses('SequenceLength-11', {
    'TypeError: input_sequence must be an array of tensors, got an object': () => sequenceLength(a),
    'TypeError: input_sequence[1] type must be uint8, as that of the sequence, got int8': () =>
      sequenceLength([a, int8]),
    'TypeError: input_sequence[0] type must be int8, as that of the sequence, got uint8': () =>
      sequenceLength(Object.assign([a], { type: 'int8' })),
    'TypeError: input_sequence[1] must be a tensor { type, dims, data }, got null': () => sequenceLength([a, null]),
    'RangeError: uint8 data of dims [2] has 2 bytes, got 1': () => sequenceLength([a, short]),
  });

  refuses('SequenceConstruct-11', {
    'TypeError: inputs must be an array of tensors, got an object': () => sequenceConstruct(a),
    'RangeError: inputs must hold at least one tensor, got []': () => sequenceConstruct([]),
    'TypeError: inputs[1] type must be uint8, as that of inputs[0], got int8': () => sequenceConstruct([a, int8]),
    'RangeError: uint8 data of dims [2] has 2 bytes, got 1': () => sequenceConstruct([short]),
  });

  refuses('', {
    'TypeError: SequenceInsert-11: tensor type must be uint8, as that of the sequence, got int8': () =>
      sequenceInsert(abc, int8),
    'RangeError: SequenceInsert-11: uint8 data of dims [2] has 2 bytes, got 1': () => sequenceInsert(abc, short),
    'RangeError: SequenceEmpty: first appears in opset 11, got opset 10': () => sequenceEmpty({ opset: 10 }),
    "TypeError: SequenceEmpty-11: unknown option 'type', did you mean 'dtype'? Known: dtype, opset, strict": () =>
      sequenceEmpty({ type: 'int8' }),
    'TypeError: SequenceEmpty-11: type must be one of the 28 of ONNX, got 1': () => sequenceEmpty({ dtype: 1 }),
  });
});

describe('inference', () => {
  const tensor = (dims, type = 'float32') => ({ type, dims });
  const sequence = (dims, type = 'float32') => ({ sequence: true, type, dims });
  const position = { type: 'int64', dims: [] };
  test.each([
    ['SequenceConstruct', { inputs: [tensor(['N', 3]), tensor(['N', 4])] }, sequence(['N', null])],
    ['SequenceConstruct', { inputs: [tensor(['N', 3]), tensor(['M', 3])] }, sequence([null, 3])],
    ['SequenceConstruct', { inputs: [tensor(['N', 3]), tensor([3]), tensor([3])] }, sequence(null)],
    ['SequenceConstruct', { inputs: [tensor(null)] }, sequence(null)],
    ['SequenceEmpty', {}, sequence(null)],
    ['SequenceAt', { input_sequence: sequence(['N', 3]), position }, tensor(['N', 3])],
    ['SequenceInsert', { input_sequence: sequence(['N', 3]), tensor: tensor(['N', 4]) }, sequence(['N', null])],
    ['SequenceInsert', { input_sequence: sequence(['N', 3]), tensor: tensor([5, 3]), position }, sequence([null, 3])],
    ['SequenceInsert', { input_sequence: sequence(null), tensor: tensor([3]) }, sequence(null)],
    ['SequenceErase', { input_sequence: sequence(['N', 3]), position: null }, sequence(['N', 3])],
    ['SequenceErase', { input_sequence: sequence(['N', 3]), position }, sequence(['N', 3])],
    ['SequenceLength', { input_sequence: sequence(['N', 3]) }, tensor([], 'int64')],
    ['Identity', { input: sequence(['N', 3]) }, sequence(['N', 3])],
  ])('%s of %j', (operator, inputs, expected) => expect(inferShape(operator, inputs)).toStrictEqual(expected));

  test('of SequenceEmpty has the type', () =>
    expect(inferShape('SequenceEmpty', {}, { dtype: 'double' })).toStrictEqual(sequence(null, 'float64')));

  refuses('', {
    ['TypeError: SequenceAt-11: input_sequence must be what is known of a sequence { sequence: true, type, ' +
    'dims }, got an object']: () => inferShape('SequenceAt', { input_sequence: tensor([3]), position }),
    'TypeError: SequenceAt-11: position must be int32 or int64, got int8': () =>
      inferShape('SequenceAt', { input_sequence: sequence([3]), position: tensor([], 'int8') }),
    ['TypeError: SequenceLength-11: input_sequence must be what is known of a sequence { sequence: true, ' +
    'type, dims }, got undefined']: () => inferShape('SequenceLength', {}),
    'TypeError: SequenceErase-11: position must be a scalar or 1-D, got rank 2': () =>
      inferShape('SequenceErase', { input_sequence: sequence([3]), position: tensor([1, 1], 'int64') }),
    'RangeError: SequenceErase-11: position must hold one number, got 0': () =>
      inferShape('SequenceErase', { input_sequence: sequence([3]), position: tensor([0], 'int64') }),
    'TypeError: SequenceInsert-11: tensor type must be float32, as that of the sequence, got int8': () =>
      inferShape('SequenceInsert', { input_sequence: sequence([3]), tensor: tensor([3], 'int8') }),
    'TypeError: SequenceConstruct-11: inputs[1] type must be float32, as that of inputs[0], got int8': () =>
      inferShape('SequenceConstruct', { inputs: [tensor([3]), tensor([3], 'int8')] }),
    'RangeError: SequenceConstruct-11: inputs must hold at least one tensor, got []': () =>
      inferShape('SequenceConstruct', { inputs: [] }),
    'TypeError: SequenceConstruct-11: inputs must be an array of tensors, got an object': () =>
      inferShape('SequenceConstruct', { inputs: tensor([3]) }),
  });
});

describe('in a model', () => {
  const node = (operator, inputs, output, attributes = []) => ({
    name: '',
    operator,
    domain: '',
    inputs,
    outputs: [output],
    attributes: new Map(attributes),
  });
  const run = (nodes, inputs, outputs, values) =>
    runModel(
      {
        opsets: new Map([['', 14]]),
        initializers: new Map(),
        nodes,
        inputs,
        outputs: outputs.map((name) => ({ name })),
      },
      values,
    );

  test('a sequence is made, changed, counted and read', () => {
    const results = run(
      [
        node('SequenceEmpty', [], 'none', [['dtype', 2]]),
        node('SequenceInsert', ['none', 'x'], 'one'),
        node('SequenceInsert', ['one', 'y', 'zero'], 'two'),
        node('SequenceConstruct', ['x', 'y', 'x'], 'three'),
        node('SequenceErase', ['three', ''], 'less'),
        node('SequenceErase', ['less', 'zero'], 'least'),
        node('SequenceLength', ['three'], 'length'),
        node('SequenceAt', ['two', 'zero'], 'first'),
        node('Identity', ['least'], 'same'),
      ],
      [
        { name: 'x', type: 'uint8', dims: null, sequence: false },
        { name: 'y', type: 'uint8', dims: null, sequence: false },
        { name: 'zero', type: 'int64', dims: [], sequence: false },
      ],
      ['none', 'two', 'three', 'less', 'same', 'length', 'first'],
      { x: a, y: b, zero: scalar('int64', 0) },
    );
    expect(['none', 'two', 'three', 'less', 'same'].map((name) => firsts(results.get(name)))).toEqual([
      ['uint8'],
      ['uint8', 2, 1],
      ['uint8', 1, 2, 1],
      ['uint8', 1, 2],
      ['uint8', 2],
    ]);
    expectTensor(results.get('length'), 'int64', [], BigInt64Array.of(3n));
    expectTensor(results.get('first'), 'uint8', [2], b.data);
  });

  test('a node changes no sequence that is used again', () => {
    const inputs = [
      { name: 's', type: 'uint8', dims: null, sequence: true },
      { name: 'x', type: 'uint8', dims: null, sequence: false },
    ];
    const given = [a, b];
    const nodes = [
      node('Identity', ['s'], 'same'),
      node('SequenceInsert', ['s', 'x'], 'longer'),
      node('SequenceErase', ['same'], 'shorter'),
      node('SequenceInsert', ['same', 'x'], 'other'),
      node('Identity', ['longer'], 'last'),
      node('SequenceInsert', ['last', 'x'], 'longest'),
      node('SequenceErase', ['s'], 'out'),
    ];
    const results = run(nodes, inputs, ['s', 'longer', 'shorter', 'other', 'longest', 'out'], { s: given, x: c });
    expect([...results].map(([name, value]) => [name, ...firsts(value)])).toEqual([
      ['s', 'uint8', 1, 2],
      ['longer', 'uint8', 1, 2, 3],
      ['shorter', 'uint8', 1],
      ['other', 'uint8', 1, 2, 3],
      ['longest', 'uint8', 1, 2, 3, 3],
      ['out', 'uint8', 1],
    ]);
    expect(given).toEqual([a, b]);
    expect(new Set(results.values()).size).toBe(6);
    // A sequence that has left is the caller's, who may put anything into it.
    results.get('other').push(1);
    expectErrors({
      'TypeError: SequenceLength-11: input_sequence[3] must be a tensor { type, dims, data }, got 1': () =>
        sequenceLength(results.get('other')),
    });
  });

  // A node that copied a list of 300,000 would take the 30,000 nodes over 20 s.
  const long = Array(300_000).fill(a);
  test.each([
    ['SequenceInsert at the end', long, 'SequenceInsert', ['x']],
    // Each moves the rest, by a memmove.
    ['SequenceInsert at the front', [], 'SequenceInsert', ['x', 'zero']],
    ['SequenceErase', long, 'SequenceErase', []],
    ['SequenceAt', long, 'SequenceAt', ['zero']],
    ['SequenceLength', long, 'SequenceLength', []],
  ])('30,000 nodes of %s take less than 8 s', (_, s, operator, others) => {
    const isChain = operator === 'SequenceInsert' || operator === 'SequenceErase';
    const nodes = Array.from({ length: 30_000 }, (__, i) =>
      node(operator, [isChain && i > 0 ? `s${i - 1}` : 's', ...others], `s${i}`),
    );
    const inputs = [
      { name: 's', type: 'uint8', dims: null, sequence: true },
      { name: 'x', type: 'uint8', dims: null, sequence: false },
      { name: 'zero', type: 'int64', dims: [], sequence: false },
    ];
    // Of the processor: tests share the machine.
    const start = process.cpuUsage();
    const result = run(nodes, inputs, ['s29999'], { s, x: a, zero: scalar('int64', 0) }).get('s29999');
    expect(process.cpuUsage(start).user).toBeLessThan(8e6);
    const change = operator === 'SequenceErase' ? -30_000 : 30_000;
    if (isChain) expect([result.type, result.length]).toEqual(['uint8', s.length + change]);
  });

  test('a sequence whose type no one declares has tensors of one', () => {
    const inputs = [{ name: 's', type: undefined, dims: null, sequence: true }];
    expectErrors({
      "TypeError: runModel: input 's'[1] must be uint8, got int8": () =>
        run([node('SequenceErase', ['s'], 't')], inputs, ['t'], { s: [a, scalar('int8', 1)] }),
    });
  });

  test('a sequence comes in and goes out', () => {
    const inputs = [{ name: 's', type: 'uint8', dims: null, sequence: true }];
    const erase = [node('SequenceErase', ['s'], 't')];
    expect(firsts(run(erase, inputs, ['t'], { s: [a, b] }).get('t'))).toEqual(['uint8', 1]);
    const length = run([node('SequenceLength', ['s'], 't')], inputs, ['t'], { s: [] }).get('t');
    expectTensor(length, 'int64', [], BigInt64Array.of(0n));
  });

  test('a tensor is no sequence, a sequence no tensor, a code may be none', () => {
    const one = [{ name: 'x', type: 'uint8', dims: null, sequence: false }];
    expectErrors({
      'TypeError: SequenceLength-11: input_sequence must be an array of tensors, got an object': () =>
        run([node('SequenceLength', ['x'], 'y')], one, ['y'], { x: a }),
      'TypeError: Size-13: data must be a tensor { type, dims, data }, got Array': () =>
        run([node('Size', ['x'], 'y')], [{ ...one[0], sequence: true }], ['y'], { x: [a] }),
    });
    for (const code of [0, 99])
      expectError(
        () => run([node('SequenceEmpty', [], 'y', [['dtype', code]])], [], ['y'], {}),
        RangeError,
        `runModel: SequenceEmpty node 'y' dtype must be the code of a type, 1 to 28, got ${code}`,
      );
  });
});
