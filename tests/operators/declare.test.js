/** Operators that a caller declares, from the door `onnx-layout/operators`: called, inferred, and run in models. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dtypes, inferShape, init, Tensor } from 'onnx-layout';
import { runModel } from 'onnx-layout/io';
import * as declare from 'onnx-layout/operators';
import { expectError, expectErrors } from '../support/assertions.js';
import { floats, int64 } from './operands.js';

const { computed, define, integer, integers, readAxis, real, run, tensor, typeError } = declare;

beforeAll(() => init());

/** Only floats: of the first `ir`. */
const definition = {
  name: 'LeakyRelu',
  versions: { 6: 1, 16: 4 },
  inputs: [tensor('X')],
  attributes: { alpha: real(0.01) },
  shape: (_, { alpha }, { dims }) => ({ dims, alpha }),
  move: computed(
    ({ alpha }, x) =>
      new Tensor(
        x.dtype.name,
        x.data.map((v) => (v < 0 ? alpha * v : v)),
        x.dims,
      ),
  ),
};
const LeakyRelu = define(definition);
const leakyRelu = (x, options) => run(LeakyRelu, [x], options);

/** Two outputs, one of another type. */
const ArgSort = define({
  name: 'ArgSort',
  versions: { 1: 3 },
  negativeAxis: 1,
  inputs: [tensor('X'), tensor('bias', undefined, true)],
  outputs: 2,
  attributes: { axis: integer(0) },
  shape(_, { axis }, { dims, dtype }) {
    if (dims) readAxis(axis, 0, dims.length);
    return { outputs: [{ dims }, { dims, dtype: dtypes.int64 }], dtype };
  },
  move: computed((_, x, bias) => {
    const order = Array.from(x.data, (_entry, i) => i).sort((a, b) => x.data[a] - x.data[b]);
    const add = bias ? bias.data[0] : 0;
    const sorted = order.map((i) => x.data[i] + add);
    return [Tensor.from(x.dtype.name, sorted, x.dims), Tensor.from('int64', order, x.dims)];
  }),
});

/** The dims of its result depend on elements. */
const Above = define({
  name: 'Above',
  versions: { 13: 1 },
  inputs: [tensor('X'), integers('limit')],
  shape: (_, _attributes, _x, limit) => ({ dims: [null], limit }),
  move: computed(({ limit }, x) => {
    const kept = x.data.filter((value) => value > limit[0]);
    return { type: x.dtype.name, data: kept, dims: [kept.length] };
  }),
});

const node = (operator, inputs, outputs, attributes = {}) => {
  return { name: '', operator, domain: '', inputs, outputs, attributes: new Map(Object.entries(attributes)) };
};
const info = (name) => ({ name, type: undefined, dims: null });
const modelOf = (nodes, inputs, outputs, opset = 28) => {
  const names = { inputs: inputs.map(info), outputs: outputs.map(info) };
  return { opsets: new Map([['', opset]]), initializers: new Map(), nodes, ...names };
};
const signed = { type: 'float32', dims: [2, 2], data: Float32Array.of(-2, 3, 4, -8) };

describe('a declaration', () => {
  test('is called', () => {
    const result = leakyRelu(signed, { alpha: 0.5 });
    expect(result).toBeInstanceOf(Tensor);
    expect([...result.data]).toEqual([-1, 3, 4, -4]);
    expect(result.dims).toEqual([2, 2]);
  });

  test('refuses what every operator refuses', () =>
    expectErrors(leakyRelu, {
      "TypeError: LeakyRelu-16: unknown option 'alfa'. Known: alpha, opset, strict": [floats([2]), { alfa: 1 }],
      "TypeError: LeakyRelu-16: alpha must be a number, got '1'": [floats([2]), { alpha: '1' }],
      'TypeError: LeakyRelu-6: type bfloat16 needs opset 16, got opset 6': () =>
        leakyRelu({ type: 'bfloat16', dims: [1], data: new Uint16Array(1) }, { opset: 6 }),
      'RangeError: LeakyRelu-16: float32 data of dims [3] has 3 entries, got 4': [{ ...signed, dims: [3] }],
    }));

  test('is inferred', () => {
    expect(inferShape(LeakyRelu, { X: { type: 'float32', dims: ['N', 2] } })).toEqual({
      type: 'float32',
      dims: ['N', 2],
    });
    expect(inferShape(ArgSort, { X: { type: 'float32', dims: [3] } })).toEqual([
      { type: 'float32', dims: [3] },
      { type: 'int64', dims: [3] },
    ]);
  });

  test('has several outputs, and inputs that may be omitted', () => {
    const x = { type: 'float32', dims: [3], data: Float32Array.of(3, 1, 2) };
    const [sorted, order] = run(ArgSort, [x]);
    expect([...sorted.data, ...order.data]).toEqual([1, 2, 3, 1n, 2n, 0n]);
    expect([...run(ArgSort, [x, { type: 'float32', dims: [], data: Float32Array.of(10) }])[0].data]).toEqual([
      11, 12, 13,
    ]);
  });
});

describe('in a model', () => {
  test('a declaration runs behind and before operators that only rearrange', () => {
    const nodes = [
      node('Transpose', ['x'], ['t'], { perm: [1, 0] }),
      node('LeakyRelu', ['t'], ['r'], { alpha: 0.5 }),
      node('Flatten', ['r'], ['y'], { axis: 0 }),
    ];
    const y = runModel(modelOf(nodes, ['x'], ['y']), { x: signed }, { operators: [LeakyRelu] }).get('y');
    expect([...y.data]).toEqual([-1, 4, 3, -4]);
    expect(y.dims).toEqual([1, 4]);
  });

  test('it has outputs of its own number and dims', () => {
    const nodes = [node('Above', ['x', 'limit'], ['kept']), node('ArgSort', ['kept'], ['sorted', 'order'])];
    const model = modelOf(nodes, ['x', 'limit'], ['sorted', 'order']);
    const results = runModel(model, { x: signed, limit: int64([-3]) }, { operators: [Above, ArgSort] });
    expect([...results.get('sorted').data, ...results.get('order').data]).toEqual([-2, 3, 4, 0n, 1n, 2n]);
    const one = modelOf([node('ArgSort', ['x'], ['sorted'])], ['x'], ['sorted']);
    expectErrors({
      "RangeError: runModel: ArgSort node 'sorted' must have 2 outputs, got 1": () =>
        runModel(one, { x: signed }, { operators: [ArgSort] }),
    });
  });

  test("it takes the place of the package's own", () => {
    const Flatten = define({
      name: 'Flatten',
      versions: { 1: 3 },
      inputs: [tensor('input')],
      shape: (_, _attributes, { dims }) => ({ dims }),
      move: computed((_, x) => new Tensor(x.dtype.name, x.data, x.dims)),
    });
    const model = modelOf([node('Flatten', ['x'], ['y'])], ['x'], ['y']);
    expect(runModel(model, { x: floats([2, 3, 4]) }).get('y').dims).toEqual([2, 12]);
    expect(runModel(model, { x: floats([2, 3, 4]) }, { operators: [Flatten] }).get('y').dims).toEqual([2, 3, 4]);
  });

  test('without it, the graph is refused', () => {
    const model = modelOf([node('LeakyRelu', ['x'], ['y'])], ['x'], ['y']);
    expect(() => runModel(model, { x: signed })).toThrow(
      "runModel: node 'y' has unknown operator 'LeakyRelu'. Known: ",
    );
  });

  test.each([
    [
      'no array',
      { operators: LeakyRelu },
      'runModel: operators must be an array or an object of what define gives, got an object',
    ],
    ['no operator', { operators: [LeakyRelu, 3] }, 'runModel: operators[1] must be what define gives, got 3'],
    ['no operator by name', { operators: { Relu: 3 } }, 'runModel: operators.Relu must be what define gives, got 3'],
  ])('%s is refused', (_, options, message) => {
    const model = modelOf([], ['x'], ['x']);
    expectError(() => runModel(model, { x: signed }, options), TypeError, message);
  });
});

describe('a result that is not what the shape rule says', () => {
  const wrong = (give, outputs = 1) =>
    define({
      name: 'Wrong',
      versions: { 1: 3 },
      inputs: [tensor('X')],
      outputs,
      shape: (_, _attributes, { dims }) => (outputs === 1 ? { dims } : { outputs: [{ dims }, { dims }] }),
      move: computed(give),
    });
  test.each([
    ['type', wrong(() => Tensor.from('int8', [1, 2], [2])), TypeError, 'result[0] type must be float32, got int8'],
    ['dims', wrong(() => floats([3])), RangeError, 'result[0] dims must be [2], got [3]'],
    ['fewer elements', wrong(() => floats([1])), RangeError, 'result[0] dims must be [2], got [1]'],
    ['rank', wrong(() => floats([2, 1])), RangeError, 'result[0] dims must be [2], got [2, 1]'],
    ['number', wrong((_, x) => x, 2), TypeError, 'move must give 2 results, got an object'],
    ['count', wrong(() => [floats([2])], 2), TypeError, 'move must give 2 results, got Array'],
  ])('of another %s is refused', (_, operator, Class, message) =>
    expectError(() => run(operator, [floats([2])]), Class, `Wrong-1: ${message}`),
  );

  test('errors of its own carry its name, and foreign ones pass', () => {
    const Refusing = wrong(() => typeError('X must be sorted'));
    expectError(() => run(Refusing, [floats([2])]), TypeError, 'Wrong-1: X must be sorted');
    const foreign = new Error('mine');
    const Failing = wrong(() => {
      throw foreign;
    });
    expect(() => run(Failing, [floats([2])])).toThrow(foreign);
  });
});

test.each([
  [undefined, 'declaration must be an object, got undefined'],
  [{ versions: { 1: 1 }, inputs: [] }, 'name must be a string, got undefined'],
  [{ name: 'X', versions: Symbol('s'), inputs: [] }, 'versions must be an object, got Symbol(s)'],
  [{ name: 'X', versions: new Uint8Array(9), inputs: [] }, 'versions must be an object, got Uint8Array'],
  [{ name: 'X', versions: { 1: '1' }, inputs: [] }, "versions 1 must be a number, got '1'"],
  [{ name: 'X', versions: { 1: 1 } }, 'inputs must be an array, got undefined'],
  [{ name: 'X', versions: { 1: 1 }, inputs: ['X'] }, "inputs must hold what tensor() and its kin give, got 'X'"],
  [{ name: 'X', versions: { 1: 1 }, inputs: [], attributes: 5 }, 'attributes must be an object, got 5'],
  [
    { name: 'X', versions: { 1: 1 }, inputs: [], attributes: { axis: { ...integer(0), since: [Symbol('s')] } } },
    "attributes 'axis' must be what attribute() and its kin give, got an object",
  ],
  [{ name: 'X', versions: { 1: 1 }, inputs: [], outputs: '1' }, "outputs must be a number, got '1'"],
  [{ name: 'X', versions: { 1: 1 }, inputs: [], shape: 1 }, 'shape must be a function, got 1'],
  [
    { name: 'X', versions: { 1: 1 }, inputs: [], shape: () => ({}), move: () => 1 },
    'move must be what computed() and its kin give, got a function',
  ],
])('define refuses %p', (declaration, message) =>
  expect(() => define(declaration)).toThrow(new TypeError(`define: ${message}`)),
);

test.each([
  [['Flatten', [signed]], "operator must be what define() gives, got 'Flatten'"],
  [[LeakyRelu, signed], 'inputs must be an array, got an object'],
  [[LeakyRelu, [signed], {}, '1'], "outputs must be a number, got '1'"],
])('run refuses %p', (args, message) => expectError(() => run(...args), TypeError, `run: ${message}`));

test("run leaves the caller's list of inputs as it is", () => {
  const inputs = [signed, { alpha: 0.5 }];
  const named = define({ ...definition, inputs: [tensor('X'), integers('limit', { optional: true })] });
  run(named, inputs);
  expect(inputs).toEqual([signed, { alpha: 0.5 }]);
});

test.each(['product', 'checkExtents'])('%s refuses a list of 2^32 - 1 holes at once', (name) => {
  const rule = 'dims must have 0 to 1000000 entries, got 4294967295';
  expectError(() => declare[name](new Array(2 ** 32 - 1)), RangeError, rule);
  expectError(() => declare[name](5), TypeError, 'dims must be a list of extents, got 5');
});
