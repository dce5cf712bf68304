/** Times what quantizes weights: QuantizeLinear, DequantizeLinear, and packing for MatMulNBits. */
import { cast, dequantizeLinear, quantizeLinear } from '../../js/index.js';
import { packMatMulNBits } from '../../js/convert/index.js';
import { elementCount } from '../support/reference.js';
import { contestsOf, expectHash } from './contest.js';
import { hashOf, inputOf, memcpyOf, outOf } from './data.js';
import { peersOf } from './peers.js';

const [rows, columns] = [4096, 4096];
const block = 32;

/** How elements share scales: the dims of the scales, the attributes, and which scale an element has. */
const forms = {
  tensor: { dims: [1], attributes: {}, indexOf: () => 0 },
  axis: { dims: [columns], attributes: { axis: 1 }, indexOf: (row, column) => column },
  'blocks of rows': {
    dims: [rows / block, columns],
    attributes: { axis: 0, block_size: block },
    indexOf: (row, column) => Math.floor(row / block) * columns + column,
  },
  'blocks of columns': {
    dims: [rows, columns / block],
    attributes: { axis: 1, block_size: block },
    indexOf: (row, column) => row * (columns / block) + Math.floor(column / block),
  },
};

/** Scales near a hundredth, of which no quotient is exact. */
function scalesOf(type, { dims }) {
  const data = new Float32Array(elementCount(dims)).map((_, i) => 0.02 + (i % 97) / 9e4);
  const numbers = { type: 'float32', dims, data };
  return type === 'float32' ? numbers : cast(numbers, type);
}

/** A plain loop over the rows: the scales are numbers, the codes are looked up one by one. */
const loops = {
  QuantizeLinear({ data: x }, { data: scales }, { data: zeros }, out, indexOf) {
    const nearest = 1.5 * 2 ** 52;
    for (let row = 0, at = 0; row < rows; row++)
      for (let column = 0; column < columns; column++, at++) {
        const scale = indexOf(row, column);
        const code = Math.fround(x[at] / scales[scale]) + nearest - nearest + zeros[scale];
        out[at] = code < -128 ? -128 : code > 127 ? 127 : code;
      }
  },
  DequantizeLinear({ data: x }, { data: scales }, { data: zeros }, out, indexOf) {
    for (let row = 0, at = 0; row < rows; row++)
      for (let column = 0; column < columns; column++, at++) {
        const scale = indexOf(row, column);
        const code = (x[at >> 1] << (at & 1 ? 24 : 28)) >> 28;
        const zero = (zeros[scale >> 1] << (scale & 1 ? 24 : 28)) >> 28;
        out[at] = (code - zero) * scales[scale];
      }
  },
};

const calls = { QuantizeLinear: quantizeLinear, DequantizeLinear: dequantizeLinear };
/** Parts of memcpy's speed over the bytes in and out that a call must and should reach. */
const parts = { QuantizeLinear: [0.35, 0.5], DequantizeLinear: [0.4, 0.6] };

/** An operator on a matrix, beside memcpy of half the bytes in and out, and onnxruntime with one thread. */
async function prepare({ operator, from, to, form, scale = 'float32' }) {
  const { attributes, dims, indexOf } = forms[form];
  const matrix = [from, [rows, columns]];
  const result = [to, [rows, columns]];
  const inputs = [inputOf(matrix), scalesOf(scale, { dims }), inputOf([from === 'int4' ? from : to, dims])];
  const out = outOf(result);
  const options = { ...attributes, out };
  const ours = () => calls[operator](...inputs, options);
  ours();
  const expected = hashOf(out.data);
  const contenders = { memcpy: memcpyOf((inputs[0].data.byteLength + out.data.byteLength) / 2), ours };
  const title = `${operator} of ${from} [${matrix[1]}] to ${to}, ${form}`;
  // A loop has no type of 16 bits to write to.
  if (to !== 'float16') {
    const loopOut = outOf(result).data;
    contenders['JS loop'] = () => loops[operator](...inputs, loopOut, indexOf);
    contenders['JS loop']();
    expectHash(`${title}, JS loop`, loopOut, expected);
  }
  const workload = {
    name: title,
    nodes: [[operator, ['x0', 'x1', 'x2'], attributes]],
    inputs: inputs.map((tensor) => [tensor.type, tensor.dims]),
    results: [result],
    session: { intraOpNumThreads: 1, interOpNumThreads: 1 },
  };
  const arrays = inputs.map(({ data }) => data);
  const peers = await peersOf(['onnxruntime-node'], workload, arrays, [outOf(result).data], expected);
  const bars = { memcpy: parts[operator].map((part) => 1 / part), 'JS loop': [1], 'onnxruntime-node': [1] };
  return { title, contenders: { ...contenders, ...peers.contenders }, bars: { ours: bars }, end: peers.end };
}

/** Packing a matrix for MatMulNBits, beside onnxruntime's own tool on one core. */
function preparePacking(symmetric) {
  const weights = inputOf(['float32', [rows, columns]]);
  const ours = () => packMatMulNBits(weights, { bits: 4, blockSize: block, symmetric });
  const { B: codes, scales, zero_points: zeros } = ours();
  const expected = hashOf(...[codes, scales, zeros].filter(Boolean).map(({ data }) => data));
  return {
    title: `packMatMulNBits of float32 [${weights.dims}], 4 bits, block ${block}, symmetric ${symmetric}`,
    contenders: { memcpy: memcpyOf(weights.data.byteLength / 2), ours },
    python: { name: 'weights', arrays: [weights.data], requests: [{ rows, columns, block, symmetric, expected }] },
    references: () => ({ '1 GB/s of input': weights.data.byteLength / 1e6 }),
    bars: { ours: { '1 GB/s of input': [1, 0.5], 'onnxruntime.quantization': [0.2] } },
  };
}

const quantized = Object.keys(forms).map((form) => ({ operator: 'QuantizeLinear', from: 'float32', to: 'int8', form }));
const dequantized = ['float32', 'float16'].flatMap((to) =>
  ['blocks of rows', 'blocks of columns'].map((form) => ({
    ...{ operator: 'DequantizeLinear', from: 'int4', to, scale: to, form },
  })),
);
const workloads = [...quantized, ...dequantized].map((workload) => ({
  ...workload,
  name: `${workload.operator}-${workload.to}-${workload.form.replaceAll(' ', '-')}`,
}));

/** Contests by their names. */
export const operatorContests = {
  ...contestsOf(workloads, prepare),
  pack: () => preparePacking(false),
  'pack-symmetric': () => preparePacking(true),
};
