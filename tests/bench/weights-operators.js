/** Times what quantizes weights: QuantizeLinear, DequantizeLinear, and packing for MatMulNBits. */
import { cast, dequantizeLinear, quantizeLinear } from '../../js/index.js';
import { packMatMulNBits } from '../../js/convert/index.js';
import { contest, expectHash, inPython, judged, ratioOf } from './contest.js';
import { hashOf, randomData, roomFor } from './data.js';
import { installPeers, onnxruntime } from './peers.js';

const [rows, columns] = [4096, 4096];
const size = rows * columns;
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

const sizeOf = (dims) => dims.reduce((a, b) => a * b, 1);
const tensorOf = (type, dims, data) => ({ type, dims, data });
const random = (type, dims) => tensorOf(type, dims, randomData(type, sizeOf(dims)));

/** Scales near a hundredth, of which no quotient is exact. */
function scalesOf(type, { dims }) {
  const numbers = tensorOf(
    'float32',
    dims,
    Float32Array.from({ length: sizeOf(dims) }, (_, i) => 0.02 + (i % 97) / 9e4),
  );
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

/** onnxruntime with one thread; undefined where it lacks the operator or a type. */
async function onnxruntimeOf(workload, arrays, expected) {
  installPeers();
  const prepare = await onnxruntime('onnxruntime-node', true, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const out = roomFor(workload.results[0][0], size);
  try {
    const { run, outputs, end } = await prepare(workload, arrays, [out]);
    if (hashOf(outputs(await run())[0]) === expected) return { run, end };
    console.error(`bench: ${workload.name}: onnxruntime-node gives other results and is left out`);
    end();
  } catch (error) {
    console.error(`bench: ${workload.name}: without onnxruntime-node: ${String(error.message).slice(0, 120)}`);
  }
  return undefined;
}

/** An operator on a matrix, beside memcpy of half the bytes in and out. */
async function measure({ operator, from, to, form, scale = 'float32' }, options) {
  const { attributes, dims, indexOf } = forms[form];
  const inputs = [random(from, [rows, columns]), scalesOf(scale, { dims }), random(from === 'int4' ? from : to, dims)];
  const [x, scales, zeros] = inputs;
  const out = tensorOf(to, x.dims, roomFor(to, size));
  const call = calls[operator];
  const given = { ...attributes, out };
  call(...inputs, given);
  const expected = hashOf(out.data);
  const [source, target] = [0, 1].map(() => roomFor('uint8', (x.data.byteLength + out.data.byteLength) / 2));
  const contenders = { memcpy: () => target.set(source), ours: () => call(...inputs, given) };
  const title = `${operator} of ${from} [${x.dims}] to ${to}, ${form}`;
  // A loop has no type of 16 bits to write to.
  if (to !== 'float16') {
    const loopOut = roomFor(to, size);
    contenders['JS loop'] = () => loops[operator](x, scales, zeros, loopOut, indexOf);
    contenders['JS loop']();
    expectHash(`${title}, JS loop`, loopOut, expected);
  }
  const workload = {
    name: title,
    nodes: [[operator, ['x0', 'x1', 'x2'], attributes]],
    inputs: inputs.map((tensor) => [tensor.type, tensor.dims]),
    results: [[to, x.dims]],
  };
  const peer = await onnxruntimeOf(
    workload,
    inputs.map(({ data }) => data),
    expected,
  );
  if (peer) contenders['onnxruntime-node'] = peer.run;
  const bars = { memcpy: parts[operator].map((part) => 1 / part), 'JS loop': [1], 'onnxruntime-node': [1] };
  const result = await contest(title, contenders, { ours: bars }, options);
  peer?.end();
  return result;
}

/** Packing a matrix for MatMulNBits. */
async function pack(symmetric, options) {
  const weights = random('float32', [rows, columns]);
  const run = () => packMatMulNBits(weights, { bits: 4, blockSize: block, symmetric });
  const title = `packMatMulNBits of float32 [${weights.dims}], 4 bits, block ${block}, symmetric ${symmetric}`;
  // onnxruntime's own tool on one core.
  const tool = 'onnxruntime.quantization';
  const requestsOf = ([file]) => ({ [tool]: { file, rows, columns, block, symmetric } });
  const python = await inPython('weights', [weights.data], requestsOf);
  const { B: codes, scales, zero_points: zeros } = run();
  for (const [name, tensor] of Object.entries(python.answers[tool] ? { codes, scales, ...(zeros && { zeros }) } : {}))
    expectHash(`the tool's ${name}`, tensor.data, python.answers[tool][name]);
  const [source, target] = [0, 1].map(() => roomFor('uint8', weights.data.byteLength / 2));
  const contenders = { memcpy: () => target.set(source), ours: run, ...python.contenders };
  const { times, ratios } = await contest(title, contenders, { ours: { [tool]: [0.2] } }, options);
  python.end();
  const gigabyte = times.ours / (weights.data.byteLength / 1e6);
  return judged(title, times, [ratioOf('ours', '1 GB/s of input', gigabyte, 1, 0.5), ...ratios]);
}

const quantized = ['tensor', 'axis', 'blocks of rows', 'blocks of columns'].map((form) => ({
  ...{ operator: 'QuantizeLinear', from: 'float32', to: 'int8', form },
}));
const dequantized = ['float32', 'float16'].flatMap((to) =>
  ['blocks of rows', 'blocks of columns'].map((form) => ({
    ...{ operator: 'DequantizeLinear', from: 'int4', to, scale: to, form },
  })),
);

/** The checks by the name that `--only` takes. */
export const operatorChecks = {
  ...Object.fromEntries(
    [...quantized, ...dequantized].map((workload) => [
      `weights-${workload.operator}-${workload.to}-${workload.form.replaceAll(' ', '-')}`,
      (options) => measure(workload, options),
    ]),
  ),
  'weights-pack': (options) => pack(false, options),
  'weights-pack-symmetric': (options) => pack(true, options),
};
