/** Packing of matrices that take several pieces, byte for byte against onnxruntime's rules; and back. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { cast, init } from 'onnx-layout';
import { packMatMulNBits, quantizeWeights, unpackMatMulNBits } from 'onnx-layout/convert';
import { writeInitializers } from 'onnx-layout/io';
import { expectTensor } from '../../support/assertions.js';
import { modelFile } from '../../support/quantize-goldens.js';
import { generator } from '../../support/samples.js';

beforeAll(() => init());

const { fround } = Math;
const halfAway = (x) => Math.sign(x) * Math.floor(Math.abs(x) + 0.5);
const clamped = (x, top) => Math.min(Math.max(x, 0), top);
const asType = (type, numbers) => cast({ type: 'float32', data: numbers, dims: [numbers.length] }, type);

/** The scale and the zero point of a block of a column. */
function scaleOf(own, bits, symmetric) {
  let [low, high] = [own[0], own[0]];
  for (const x of own) {
    if (x < low) low = x;
    if (x > high) high = x;
  }
  const middle = 2 ** (bits - 1);
  if (symmetric) return [fround(-(Math.abs(high) > Math.abs(low) ? high : low) / middle), middle];
  [low, high] = [Math.min(low, 0), Math.max(high, 0)];
  const scale = fround(fround(high - low) / (2 * middle - 1));
  return [scale, scale === 0 ? 0 : clamped(halfAway(fround(0 - fround(low / scale))), 2 * middle - 1)];
}

/** The inputs of a node: packed codes, scales as float32, packed zero points. */
function packed(numbers, [K, N], { bits, block, symmetric }, type) {
  const count = Math.ceil(K / block);
  const bytes = (block * bits) / 8;
  const zeroBytes = Math.ceil((count * bits) / 8);
  const B = new Uint8Array(N * count * bytes);
  const scales = new Float32Array(N * count);
  const zeros = new Uint8Array(N * zeroBytes);
  // Those of no block are the middle code.
  for (let at = 0; at < N * zeroBytes * (8 / bits); at++)
    if (at % (zeroBytes * (8 / bits)) >= count)
      zeros[Math.floor((at * bits) / 8)] |= (2 ** (bits - 1)) << ((at * bits) % 8);
  for (let column = 0; column < N; column++)
    for (let at = 0; at < count; at++) {
      const first = at * block;
      const own = Array.from({ length: Math.min(block, K - first) }, (_, i) => numbers[(first + i) * N + column]);
      const [exact, zero] = scaleOf(own, bits, symmetric);
      const scale = type === 'float16' ? asType(type, Float32Array.of(exact)).toArray()[0] : exact;
      const reciprocal = scale === 0 ? 0 : fround(1 / scale);
      scales[column * count + at] = scale;
      zeros[column * zeroBytes + Math.floor((at * bits) / 8)] |= zero << ((at * bits) % 8);
      own.forEach((x, i) => {
        const code = clamped(halfAway(fround(fround(x * reciprocal) + zero)), 2 ** bits - 1);
        B[(column * count + at) * bytes + Math.floor((i * bits) / 8)] |= code << ((i * bits) % 8);
      });
    }
  return { B, scales, zeros };
}

/** The weights that packed ones stand for, as float32. */
function unpacked({ B, scales, zeros }, [K, N], { bits, block, symmetric }) {
  const count = Math.ceil(K / block);
  const zeroFields = (Math.ceil((count * bits) / 8) * 8) / bits;
  const field = (bytes, at) => (bytes[Math.floor((at * bits) / 8)] >> ((at * bits) % 8)) & (2 ** bits - 1);
  return Float32Array.from({ length: K * N }, (_, i) => {
    const [row, column] = [Math.floor(i / N), i % N];
    const at = Math.floor(row / block);
    const zero = symmetric ? 2 ** (bits - 1) : field(zeros, column * zeroFields + at);
    return (field(B, column * count * block + row) - zero) * scales[column * count + at];
  });
}

test.each([
  [4, 32, [96, 1024], 'float32'],
  [4, 32, [70, 4200], 'float32'],
  [4, 16, [1030, 130], 'float16'],
  [8, 256, [300, 520], 'bfloat16'],
  [2, 128, [129, 1025], 'float32'],
  [4, 64, [9000, 3], 'float16'],
  [8, 16, [8200, 16], 'float32'],
])('%i bits, blocks of %i, %p of %s', (bits, block, dims, type) => {
  const random = generator(bits * block + dims[1]);
  const [K, N] = dims;
  const exact = Float32Array.from({ length: K * N }, () => ((random() % 4001) - 2000) * 0.0137);
  const weights = asType(type, exact);
  const numbers = weights.toArray();
  for (const symmetric of [false, true]) {
    const wanted = packed(numbers, dims, { bits, block, symmetric }, type);
    const result = packMatMulNBits({ ...weights, dims }, { bits, blockSize: block, symmetric });
    const { B, scales, zero_points: zeros } = result;
    expect(Buffer.compare(B.data, wanted.B)).toBe(0);
    expect(scales.toArray()).toEqual(asType(type, wanted.scales).toArray());
    expect(zeros && Buffer.compare(zeros.data, wanted.zeros)).toBe(symmetric ? undefined : 0);
    const back = unpackMatMulNBits(result);
    const exactly = unpacked({ ...wanted, scales: scales.toArray() }, dims, { bits, block, symmetric });
    expectTensor(back, type, dims, asType(type, exactly).data);
  }
});

describe("models that went through onnxruntime's quantizer", () => {
  test.each([
    ['matmulnbits', false],
    ['qdq', true],
  ])('the error of weights of several pieces, as %s', (form, symmetric) => {
    const dims = [1500, 300];
    const data = Float32Array.from({ length: 450_000 }, (_, i) => Math.sin(i * 1.7) * (1 + (i % 7)));
    const weights = { type: 'float32', data, dims };
    const file = writeInitializers(modelFile('before/matmul-float32.onnx'), new Map([['W0', weights]]));
    const { report } = quantizeWeights(file, { form, symmetric, include: ['W0'] });
    // The forms differ in ties alone.
    const back = unpackMatMulNBits(packMatMulNBits(weights, { symmetric })).data;
    const squares = back.reduce((sum, number, i) => sum + (number - data[i]) ** 2, 0);
    const { rms } = report.find(({ packed }) => packed);
    expect(rms / Math.sqrt(squares / data.length)).toBeCloseTo(1, 6);
  });
});
