/**
 * Operators in a row, composed to one copy, beside the same operators one by one: the same bytes, whatever the row and
 * the width of the elements.
 */
import { beforeAll, expect, test } from '@jest/globals';
import * as core from 'onnx-layout';
import { runModel } from 'onnx-layout/io';
import { expectTensor, expectErrors } from '../support/assertions.js';
import { elementCount, typeNames } from '../support/reference.js';
import { below, generator, randomData } from '../support/samples.js';
import { commitHash } from '../support/sample.js';

const { compose, concat, depthToSpace, expand, flatten, identity, init, rearrange, reshape, slice } = core;
const { spaceToDepth, split, squeeze, tile, transpose, unsqueeze } = core;

beforeAll(() => init());

const mostElements = 3000;
const int64 = (list) => ({ type: 'int64', data: BigInt64Array.from(list, BigInt), dims: [list.length] });
const attributes = (object) => new Map(Object.entries(object));
const shuffled = (list, at) => {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i--) {
    const k = at(i + 1);
    [copy[i], copy[k]] = [copy[k], copy[i]];
  }
  return copy;
};
const divisorsOf = (n) => Array.from({ length: n }, (_, i) => i + 1).filter((d) => n % d === 0);

/** Dims of so many elements, in any way that random divisors give. */
function factored(size, at) {
  const dims = [];
  let left = size;
  while (left > 1 && dims.length < 4) {
    const divisors = divisorsOf(left);
    dims.push(divisors[at(divisors.length)]);
    left /= dims.at(-1);
  }
  return shuffled([...dims, left], at);
}

/**
 * One operator on dims: its name, its other inputs and its attributes, and how a call and a composition take it.
 * Undefined where the dims do not allow it.
 */
const steps = {
  Transpose(dims, at) {
    const options = { perm: shuffled(dims.keys(), at) };
    return { inputs: [], options, call: (x, o) => transpose(x, { ...options, ...o }), method: 'transpose' };
  },
  Slice(dims, at) {
    if (dims.length === 0) return undefined;
    const axis = at(dims.length);
    const step = [1, 1, 2, 3, -1, -2][at(6)];
    const inputs = [[at(dims[axis] + 1)], [at(dims[axis] + 2) - 1], [axis], [step]];
    if (step < 0) inputs[1] = [-(2 ** 40)];
    return { inputs, options: {}, call: (x, o) => slice(x, ...inputs, o), method: 'slice' };
  },
  Squeeze(dims) {
    const inputs = [dims.flatMap((extent, i) => (extent === 1 ? [i] : []))];
    return { inputs, options: {}, call: (x, o) => squeeze(x, ...inputs, o), method: 'squeeze' };
  },
  Unsqueeze(dims, at) {
    if (dims.length > 5) return undefined;
    const inputs = [[at(dims.length + 1)]];
    return { inputs, options: {}, call: (x, o) => unsqueeze(x, ...inputs, o), method: 'unsqueeze' };
  },
  Expand(dims, at) {
    if (elementCount(dims) > mostElements / 4) return undefined;
    const inputs = [[...(at(2) ? [2] : []), ...dims.map((extent) => (extent === 1 ? 1 + at(3) : extent))]];
    return { inputs, options: {}, call: (x, o) => expand(x, ...inputs, o), method: 'expand' };
  },
  Tile(dims, at) {
    if (elementCount(dims) > mostElements / 4) return undefined;
    const inputs = [dims.map(() => 1 + Number(at(4) === 0))];
    return { inputs, options: {}, call: (x, o) => tile(x, ...inputs, o), method: 'tile' };
  },
  Flatten(dims, at) {
    const options = { axis: at(dims.length + 1) };
    return { inputs: [], options, call: (x, o) => flatten(x, { ...options, ...o }), method: 'flatten' };
  },
  Reshape(dims, at) {
    const size = elementCount(dims);
    if (size === 0) return undefined;
    const inputs = [factored(size, at)];
    return { inputs, options: {}, call: (x, o) => reshape(x, ...inputs, o), method: 'reshape' };
  },
  DepthToSpace(dims, at) {
    if (dims.length !== 4 || dims[1] % 4 !== 0) return undefined;
    const options = { blocksize: 2, mode: ['DCR', 'CRD'][at(2)] };
    return { inputs: [], options, call: (x, o) => depthToSpace(x, { ...options, ...o }), method: 'depthToSpace' };
  },
  SpaceToDepth(dims) {
    if (dims.length !== 4 || dims[2] % 2 !== 0 || dims[3] % 2 !== 0) return undefined;
    const options = { blocksize: 2 };
    return { inputs: [], options, call: (x, o) => spaceToDepth(x, { ...options, ...o }), method: 'spaceToDepth' };
  },
  Identity: () => ({ inputs: [], options: {}, call: (x, o) => identity(x, o), method: undefined }),
  Split(dims, at) {
    const axis = dims.findIndex((extent) => extent > 1);
    if (axis < 0) return undefined;
    const first = at(dims[axis] + 1);
    const inputs = [[first, dims[axis] - first]];
    const output = at(2);
    return { inputs, options: { axis }, call: (x, o) => split(x, ...inputs, { axis, ...o })[output], output };
  },
  Concat(dims, at) {
    if (dims.length === 0 || elementCount(dims) > mostElements / 4) return undefined;
    const axis = at(dims.length);
    return { inputs: [], options: { axis }, call: (x, o) => concat([x, x], { axis, ...o }), twice: true };
  },
};

/** A row of up to 8 operators on a tensor, and what they give one by one. */
function randomRow(at, seed) {
  const type = typeNames[at(typeNames.length)];
  const dims = [[2, 3, 4], [1, 8, 2, 4], [5], [3, 1, 7], [2, 4, 6, 8], [], [16, 9], [2, 0, 3]][at(8)];
  const x = { type, dims, data: randomData(type, elementCount(dims), seed) };
  const row = [];
  let result = x;
  const names = Object.keys(steps);
  for (let count = 1 + at(8); count > 0; count--) {
    const name = names[at(names.length)];
    const step = steps[name]([...result.dims], at);
    if (!step) continue;
    row.push({ name, ...step });
    result = step.call(result, { strict: false });
  }
  return { x, row, result };
}

/** The model of a row. Types that its operators do not list come as the same bytes under one that they do. */
function modelOf(row) {
  const initializers = new Map();
  const nodes = row.map(({ name, inputs, options, twice, output }, i) => {
    const names = inputs.map((list, k) => {
      initializers.set(`i${i}_${k}`, int64(list));
      return `i${i}_${k}`;
    });
    const own = output === undefined ? [`x${i + 1}`] : ['', ''].map((_, k) => (k === output ? `x${i + 1}` : `no${i}`));
    const given = twice ? [`x${i}`, `x${i}`] : [`x${i}`, ...names];
    return { name: '', operator: name, domain: '', inputs: given, outputs: own, attributes: attributes(options) };
  });
  return {
    opsets: new Map([['', 28]]),
    initializers,
    nodes,
    inputs: [{ name: 'x0', type: undefined, dims: null }],
    outputs: [{ name: `x${row.length}` }],
  };
}

const first = Number(BigInt(`0x${commitHash()}`) % 2n ** 31n);
const listed = new Set(typeNames.filter((type) => !/[246]|float8/.test(type.replace(/16|32|64|128/g, ''))));

test.each([0, 1, 2, 3, 4])('1,000 rows from seed %i thousand on', (thousand) => {
  let composed = 0;
  let ran = 0;
  for (let seed = first + 1000 * thousand; seed < first + 1000 * (thousand + 1); seed++) {
    const random = generator(seed);
    const { x, row, result } = randomRow((limit) => below(random, limit), seed);
    const what = `seed ${seed}: ${x.type} [${x.dims}] ${row.map(({ name }) => name)}`;
    const { type, dims } = result;
    const cleared = reshape(concat([{ ...result, dims: [elementCount(dims)] }], { axis: 0, strict: false }), dims, {
      allowzero: 1,
      strict: false,
    });
    if (row.every(({ method }) => method)) {
      const start = compose(x);
      const end = row.reduce(
        (so, { method, inputs, options }) => so[method](...inputs, { ...options, strict: false }),
        start,
      );
      expect([what, end.type, end.dims]).toEqual([what, type, [...dims]]);
      const out = { type, dims, data: cleared.data.slice() };
      if (Array.isArray(out.data)) out.data.fill('');
      else new Uint8Array(out.data.buffer).fill(0xff);
      expectTensor(end.tensor({ out }), type, dims, cleared.data, what);
      composed++;
    }
    if (listed.has(x.type) && row.length > 0) {
      const actual = runModel(modelOf(row), { x0: x }).get(`x${row.length}`);
      expectTensor(actual, type, dims, cleared.data, what);
      ran++;
    }
  }
  expect([composed > 150, ran > 400]).toEqual([true, true]);
});

const node = (operator, inputs, outputs, options = {}) => ({
  ...{ name: '', operator, domain: '', inputs, outputs, attributes: attributes(options) },
});
const graph = (nodes, initializers, outputs) => ({
  opsets: new Map([['', 21]]),
  initializers: new Map(Object.entries(initializers)),
  nodes,
  inputs: [{ name: 'x', type: 'float32', dims: null }],
  outputs: outputs.map((name) => ({ name })),
});
const floats = (dims) => ({
  type: 'float32',
  dims,
  data: Float32Array.from({ length: elementCount(dims) }, (_, i) => i),
});

test('two transposes that cancel copy nothing, and neither does what lies between them', () => {
  const perm = [2, 0, 1];
  const nodes = [node('Transpose', ['x'], ['y'], { perm }), node('Transpose', ['y'], ['z'], { perm: [1, 2, 0] })];
  const x = floats([2, 3, 4]);
  expect(runModel(graph(nodes, {}, ['z']), { x }).get('z').data).toBe(x.data);
  const end = compose(x)
    .transpose({ perm })
    .transpose({ perm: [1, 2, 0] });
  expect(end.tensor().data).toBe(x.data);
});

test('nothing is copied where an axis of extent 1 changes places, or an axis is cut anew', () => {
  const row = floats([1, 3]);
  expect(compose(row).transpose().tensor().data).toBe(row.data);
  const x = floats([2, 3, 4]);
  const end = compose(x)
    .transpose({ perm: [2, 0, 1] })
    .reshape([4, 3, 2])
    .transpose({ perm: [1, 2, 0] });
  expect(end.tensor().data).toBe(x.data);
});

test('a copy that two nodes need is made once', () => {
  const nodes = [node('Transpose', ['x'], ['y']), node('Cast', ['y'], ['z'], { to: 10 })];
  const results = runModel(graph([...nodes, node('Identity', ['y'], ['w'])], {}, ['y', 'w', 'z']), {
    x: floats([2, 3]),
  });
  expect(results.get('w').data).toBe(results.get('y').data);
  expectTensor(results.get('y'), 'float32', [3, 2], Float32Array.of(0, 3, 1, 4, 2, 5));
});

test('a slice of an axis that no strides say is made by two copies', () => {
  const x = floats([2, 3, 2]);
  const merged = compose(x)
    .transpose({ perm: [1, 0, 2] })
    .reshape([6, 2])
    .slice([1], [6], [0], [2]);
  expectTensor(merged.tensor(), 'float32', [3, 2], Float32Array.of(6, 7, 8, 9, 10, 11));
});

test('an axis of extent 1 between others takes any step, cut or not', () => {
  const x = { type: 'uint8', data: Uint8Array.from({ length: 6 }, (_, i) => i), dims: [2, 3] };
  for (const step of [2, -1, -5, 2n ** 63n - 1n, -(2n ** 63n)]) {
    const [starts, ends] = step > 0 ? [[0], [9]] : [[0], [-9]];
    // The transpose makes a view, and the reshape gives it an axis that has no factor.
    const composed = compose(x)
      .transpose()
      .reshape([3, 1, 2])
      .slice(starts, ends, [1], [step])
      .transpose({ perm: [2, 1, 0] });
    expectTensor(composed.tensor(), 'uint8', [2, 1, 3], x.data, `step ${step}`);
  }
});

test('a composition can go on in two ways, and says its type and dims', () => {
  const start = compose(floats([2, 3])).transpose();
  expect([start.type, start.dims]).toEqual(['float32', [3, 2]]);
  expectTensor(start.slice([0], [1]).tensor(), 'float32', [1, 2], Float32Array.of(0, 3));
  expectTensor(start.rearrange('a b -> (b a)').tensor(), 'float32', [6], Float32Array.of(0, 1, 2, 3, 4, 5));
  const actual = start.repeat('a b -> a b 2').slice([2], [3], [0]).tensor();
  expectTensor(actual, 'float32', [1, 2, 2], Float32Array.of(2, 2, 5, 5));
  expectTensor(rearrange(start.tensor(), 'a b -> b a'), 'float32', [2, 3], Float32Array.of(0, 1, 2, 3, 4, 5));
  expect(start.rearrange('a (b c) -> c a b', { c: 2 }).dims).toEqual([2, 3, 1]);
  start.dims[0] = 9;
  expect(start.dims).toEqual([3, 2]);
});

test('a tensor that repeats is joined beside one that is there already', () => {
  const nodes = [node('Expand', ['x', 'shape'], ['y']), node('Concat', ['z', 'y', 'z'], ['w'], { axis: 1 })];
  const x = { ...floats([1, 2]), data: Float32Array.of(8, 9) };
  const joined = runModel(graph(nodes, { shape: int64([2, 2]), z: floats([2, 2]) }, ['w']), { x }).get('w');
  expectTensor(joined, 'float32', [2, 6], Float32Array.of(0, 1, 8, 9, 0, 1, 2, 3, 8, 9, 2, 3));
});

test('several tensors that are not copied yet are joined, one behind the other', () => {
  const nodes = [node('Transpose', ['x'], ['y']), node('Concat', ['y', 'y', 'y', 'x'], ['z'], { axis: 0 })];
  const square = { type: 'float32', data: Float32Array.of(1, 2, 3, 4), dims: [2, 2] };
  const joined = runModel(graph(nodes, {}, ['z']), { x: square }).get('z');
  expectTensor(joined, 'float32', [8, 2], Float32Array.of(1, 3, 2, 4, 1, 3, 2, 4, 1, 3, 2, 4, 1, 2, 3, 4));
  const other = () => runModel(graph(nodes, {}, ['z']), { x: floats([2, 3]) });
  expect(other).toThrow(new RangeError('Concat-13: inputs[3] must have dims[1] = 2, as inputs[0], got 3'));
});

test('what a composition refuses', () =>
  expectErrors({
    'TypeError: compose: tensor must be a tensor { type, dims, data }, got 3': () => compose(3),
    'TypeError: compose: out must be given to tensor(), where all that moves is known': () =>
      compose(floats([2])).slice([0], [1], null, null, { out: floats([1]) }),
    "TypeError: Transpose-25: unknown option 'prem', did you mean 'perm'? Known: perm, out, opset, strict": () =>
      compose(floats([2])).transpose({ prem: [0] }),
    'RangeError: compose: out dims must be [2], got [3]': () => compose(floats([2])).tensor({ out: floats([3]) }),
    'TypeError: Transpose-13: type int4 needs opset 21, got opset 13': () =>
      compose({ type: 'int4', data: new Uint8Array(1), dims: [2] }).transpose({ opset: 13 }),
  }));
