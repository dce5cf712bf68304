/**
 * Quantization against its oracle: every version with every pair of types in every form, at dims, scales and zero
 * points that the commit's hash chooses; and tensors that are larger than a piece.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dequantizeLinear, dynamicQuantizeLinear, init, quantizeLinear } from 'onnx-layout';
import { expectTensor } from '../support/assertions.js';
import { elementCount, fromCodes, toCodes, types } from '../support/reference.js';
import { commitHash } from '../support/sample.js';
import { below, generator, randomData } from '../support/samples.js';
import { codeOf, isNaNCode } from './cast.reference.js';
import {
  dequantize,
  dequantizeTypes,
  dynamicQuantize,
  quantize,
  quantizeTypes,
  scaleIndices,
  versions,
} from './quantize.reference.js';

beforeAll(() => init());

const firstSeed = Number.parseInt(commitHash().slice(0, 7), 16);
const isFloat = (type) => type.startsWith('float') || type === 'bfloat16';

/** Data of numbers; a type's own rules round them. */
const dataOf = (type, numbers) =>
  fromCodes(
    type,
    numbers.map((number) => codeOf(type, number)),
  );

function randomCase(random, { opset, x, scale, y, form, forward }) {
  const pick = (list) => list[below(random, list.length)];
  const rank = form === 'tensor' ? below(random, 4) : 1 + below(random, 4);
  // Mostly short, for there are many cases.
  const extents = { 0: [], 1: [0, 1, 3, 5, 16, 33, 70], 2: [0, 1, 2, 3, 7, 17] }[rank] ?? [1, 2, 3, 4];
  const dims = Array.from({ length: rank }, () => pick(extents));
  const axis = below(random, 2 * rank) - rank;
  const along = axis < 0 ? axis + rank : axis;
  const block = form === 'blocked' ? 1 + below(random, pick([2, 8, 40])) : 0;
  const scaleDims = {
    tensor: () => pick([[], [1]]),
    axis: () => [dims[along]],
    blocked: () => dims.map((extent, i) => (i === along ? Math.ceil(extent / block) : extent)),
  }[form]();
  const options = { opset };
  if (form !== 'tensor') Object.assign(options, { axis, ...(block && { block_size: block }) });
  const size = elementCount(dims);
  const count = elementCount(scaleDims);
  const adversarial = below(random, 6) === 0 ? [0, -1, Infinity, NaN, 1e-45, -0] : [];
  const scales = Array.from({ length: count }, () => {
    if (scale === 'int32') return pick([1, 2, 3, 7, -5, ...(adversarial.length ? [0, 2 ** 31 - 1] : [])]);
    return pick([0.5, 0.037, 2, 1, 0.1, 3.7e-3, ...adversarial]);
  });
  const top = Math.max(...scales.filter(Number.isFinite).map(Math.abs), 1e-3);
  const numbers = Array.from({ length: size }, () => {
    const near = (below(random, 81) - 40) * 0.5 * top;
    return pick([near, near, near, near * 50, 1e9, -3e9, ...(isFloat(x) ? [NaN, Infinity, -Infinity, -0] : [0])]);
  });
  // Inputs of DequantizeLinear may have any code.
  const data = forward && random() % 2 ? dataOf(x, numbers) : randomData(x, size, random());
  return {
    options,
    dims,
    pick,
    y,
    count,
    input: { type: x, dims, data },
    scale: { type: scale, dims: scaleDims, data: dataOf(scale, scales) },
  };
}

/** Bytes, but any NaN for a NaN: processors differ in the sign of one that they make. */
function expectSame(actual, wanted, what) {
  const { type, dims, data } = wanted;
  if (!isFloat(type)) return expectTensor(actual, type, dims, data, what);
  const [ours, theirs] = [actual.data, data].map((own) => toCodes(type, own, elementCount(dims)));
  const mended = Array.from(ours, (code, i) =>
    isNaNCode(type, code) && isNaNCode(type, theirs[i]) ? theirs[i] : code,
  );
  return expectTensor(
    Object.assign(Object.create(Object.getPrototypeOf(actual)), { ...actual, data: fromCodes(type, mended) }),
    type,
    dims,
    data,
    what,
  );
}

const zeroOf = (random, type, dims) => {
  const data = randomData(type, elementCount(dims), random());
  return { type, dims, data: isFloat(type) && type !== 'float4e2m1' ? data.fill(0) : data };
};

/** Calls, into a tensor of the caller's every second time. */
function check(call, wanted, random, options, what) {
  const out =
    random() % 2 ? undefined : { ...wanted, data: randomData(wanted.type, elementCount(wanted.dims), random()) };
  const result = call({ ...options, ...(out && { out }) });
  expectSame(result, wanted, what);
  if (out) expect([what, result.data === out.data]).toEqual([what, true]);
}

function quantizeOnce(random, given) {
  const { options, pick, y, input, scale } = randomCase(random, { ...given, forward: true });
  const { opset } = given;
  const hasZero = opset < 21 ? y !== 'uint8' || random() % 2 : random() % 2;
  const zero = hasZero ? zeroOf(random, y, scale.dims) : undefined;
  if (!zero && y !== 'uint8') options.output_dtype = y;
  if (opset >= 19 && random() % 3 === 0) options.saturate = 0;
  if (opset >= 23 && random() % 3 === 0) options.precision = pick(['float32', 'float16', 'bfloat16']);
  const wanted = quantize(input, scale, zero, options, opset);
  const what = JSON.stringify([given, options, input.dims, scale.dims, zero?.type]);
  check((all) => quantizeLinear(input, scale, zero, all), wanted, random, options, what);
}

function dequantizeOnce(random, given) {
  const { options, y, input, scale } = randomCase(random, given);
  const zero = random() % 2 ? zeroOf(random, given.x, scale.dims) : undefined;
  if (zero && isFloat(given.x)) zero.data.fill(0);
  if (y !== given.scale) options.output_dtype = y;
  const wanted = dequantize(input, scale, zero, options);
  const what = JSON.stringify([given, options, input.dims, scale.dims, zero?.type]);
  check((all) => dequantizeLinear(input, scale, zero, all), wanted, random, options, what);
}

/** Every version with every types that go together, in every form. */
const combinations = (lists) =>
  versions.flatMap((opset) =>
    lists.x(opset).flatMap((x) =>
      lists.scale(opset, x).flatMap((scale) =>
        lists.y(opset, scale).flatMap((y) => {
          const forms = ['tensor', ...(opset >= 13 ? ['axis'] : []), ...(opset >= 21 ? ['blocked'] : [])];
          // Without output_dtype the result would have the scale's type.
          return forms.map((form) => ({ opset, x, scale, y, form }));
        }),
      ),
    ),
  );

const isPossible = ({ scale, y }) => types[y].bits > 0 && types[scale].bits > 0;

describe('every version, pair of types and form', () => {
  const forward = combinations(quantizeTypes).filter(isPossible);
  const back = combinations(dequantizeTypes).filter(({ opset, scale }) => scale !== 'float8e8m0' || opset >= 24);

  test('there are more than 5,000', () => expect(forward.length + back.length).toBeGreaterThan(5000));

  test.each(versions)('QuantizeLinear-%i', (opset) => {
    const random = generator(firstSeed + opset);
    for (const given of forward) if (given.opset === opset) quantizeOnce(random, given);
  });

  test.each(versions)('DequantizeLinear-%i', (opset) => {
    const random = generator(firstSeed - opset);
    for (const given of back) if (given.opset === opset) dequantizeOnce(random, given);
  });
});

describe('tensors of several pieces', () => {
  const forms = [
    ['one scale', [260_001], [], {}],
    ['an axis with long runs', [3, 4, 11_003], [4], { axis: 1 }],
    ['an axis with short runs', [5001, 9, 3], [9], { axis: 1 }],
    ['an axis of many, with short runs', [2, 13_007, 5], [13_007], { axis: 1 }],
    ['an axis whose scales begin anew in a piece', [2, 4, 40_001], [4], { axis: 1 }],
    ['the last axis', [331, 417], [417], { axis: -1 }],
    ['the last axis, of few', [43_003, 3], [3], { axis: -1 }],
    ['a long last axis', [3, 50_001], [50_001], { axis: 1 }],
    ['blocks of the last axis', [331, 417], [331, 14], { axis: 1, block_size: 32 }],
    ['short blocks of the last axis', [20_011, 7], [20_011, 3], { axis: 1, block_size: 3 }],
    ['blocks of whole rows', [256, 800], [256, 25], { axis: -1, block_size: 32 }],
    ['blocks of another axis', [331, 417], [11, 417], { axis: 0, block_size: 32 }],
    ['blocks of a middle axis', [7, 45, 411], [7, 6, 411], { axis: 1, block_size: 8 }],
    ['blocks of rows that are long', [5, 26_001], [2, 26_001], { axis: 0, block_size: 3 }],
    ['blocks of rows that are short', [9001, 5, 3], [9001, 3, 3], { axis: 1, block_size: 2 }],
  ];

  /** The oracle's arithmetic in float32, in a loop that is fast. */
  const quickly = (x, scales, zeros, indices, [lowest, highest]) =>
    x.map((value, i) => {
      const quotient = Math.fround(value / scales[indices[i]]);
      const floor = Math.floor(quotient);
      const beyond = quotient - floor;
      const nearest = beyond > 0.5 || (beyond === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
      return Math.min(Math.max(nearest + zeros[indices[i]], lowest), highest);
    });
  const ranges = { uint8: [0, 255], int4: [-8, 7], int16: [-32768, 32767] };

  test.each(forms)('%s', (_, dims, scaleDims, options) => {
    const random = generator(firstSeed);
    const count = elementCount(scaleDims);
    const scales = Float32Array.from({ length: count }, () => 0.01 + below(random, 100) / 50);
    const scale = { type: 'float32', dims: scaleDims, data: scales };
    const data = Float32Array.from({ length: elementCount(dims) }, () => (below(random, 4000) - 2000) / 100);
    const x = { type: 'float32', dims, data };
    const indices = scaleIndices(dims, scaleDims, options);
    for (const [type, [lowest, highest]] of Object.entries(ranges)) {
      const zeros = Int16Array.from({ length: count }, () => Math.max(below(random, 9) - 4, lowest));
      const zero = { type, dims: scaleDims, data: fromCodes(type, zeros) };
      const wanted = quickly(data, scales, zeros, indices, [lowest, highest]);
      const y = quantizeLinear(x, scale, zero, options);
      expectTensor(y, type, dims, fromCodes(type, wanted), type);
      const back = wanted.map((value, i) => (value - zeros[indices[i]]) * scales[indices[i]]);
      expectTensor(dequantizeLinear(y, scale, zero, options), 'float32', dims, back, `${type} back`);
    }
  });

  test.each([
    ['an axis', [3, 4, 11_003], [4], { axis: 1 }],
    ['blocks of long rows', [8, 16_384], [4, 16_384], { axis: 0, block_size: 2 }],
  ])('float16, and a quotient of float16: %s', (_, dims, scaleDims, options) => {
    const x = { type: 'float16', dims, data: randomData('float16', elementCount(dims), firstSeed) };
    const repeated = (list) => Array.from({ length: elementCount(scaleDims) }, (_, i) => list[i % 4]);
    const scale = { type: 'float16', dims: scaleDims, data: dataOf('float16', repeated([0.5, 3, 0.01, 1000])) };
    const zero = { type: 'int8', dims: scaleDims, data: Int8Array.from(repeated([1, -2, 3, 100])) };
    for (const opset of [21, 28])
      expectTensor(
        quantizeLinear(x, scale, zero, { ...options, opset }),
        'int8',
        dims,
        quantize(x, scale, zero, options, opset).data,
      );
  });
});

test('2,000 ranges', () => {
  const random = generator(firstSeed);
  for (let round = 0; round < 2000; round++) {
    const size = below(random, 70);
    const special = [NaN, 0, -0, Infinity, -Infinity, 1e-45, 3e38, -3e38].slice(0, round % 4 === 0 ? 8 : 3);
    const scale = 10 ** (below(random, 12) - 6);
    const data = Float32Array.from({ length: size }, () =>
      below(random, 6) === 0 ? special[below(random, special.length)] : (below(random, 2001) - 1000) * scale,
    );
    const results = dynamicQuantizeLinear({ type: 'float32', dims: [size], data });
    dynamicQuantize({ data, dims: [size] }).forEach((wanted, i) =>
      expectSame(results[i], wanted, `round ${round}, ${i}`),
    );
  }
});
