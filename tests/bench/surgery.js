/** Times tensor surgery beside memcpy, plain loops, and the libraries of JavaScript and Python that do the same. */
import * as layout from '../../js/index.js';
import { readModel, runModel } from '../../js/io/index.js';
import { checksOf, contestsOf, expectHash } from './contest.js';
import { hashOf, inputOf, memcpyOf, outOf } from './data.js';
import { modelOf } from './model.js';
import { peersOf } from './peers.js';
import { chain, packedMost, packedWorkloads, surgeryWorkloads, tinyBars, tinyWorkloads } from './surgery-workloads.js';

/** Two contenders that do the same differ by a few percent in any run. A peer is ahead only if it leads by more. */
const noise = 1.05;

const peerNames = ['onnxruntime-web', 'onnxruntime-node', 'ndarray-ops', 'numpy-ts'];

/** The memory of a workload, and a function that gives the call on it of a build. */
export function taskOf({ inputs, result, options, run }) {
  const tensors = inputs.map(inputOf);
  const out = result && outOf(result);
  const settings = { ...options, out };
  return { tensors, out, callOf: (build) => () => run(build, tensors, settings) };
}

/** One workload beside its peers, all in turn. No peer of JavaScript may be ahead. */
async function prepare(workload) {
  const { name, title, result, bars } = workload;
  const { tensors, out, callOf } = taskOf(workload);
  const arrays = tensors.map(({ data }) => data);
  const [loopOut, peerOut] = [outOf(result).data, outOf(result).data];
  const contenders = {
    memcpy: memcpyOf(out.data.byteLength),
    'JS loop': () => workload.loop(arrays, loopOut),
    ours: callOf(layout),
    'ours, new memory': () => workload.run(layout, tensors, {}),
  };
  contenders['JS loop']();
  const expected = hashOf(loopOut);
  contenders.ours();
  expectHash(title, out.data, expected);
  const peers = await peersOf(peerNames, workload, arrays, [peerOut], expected);
  const requestOf = (library) => ({
    ...{ library, expression: workload[library], expected },
    ...{ inputs: tensors.map(({ type, dims }) => ({ type, dims })), out: { type: out.type, dims: out.dims } },
  });
  const rivals = ['JS loop', ...Object.keys(peers.contenders)].map((rival) => [rival, [noise]]);
  return {
    title: `${name}: ${title}`,
    contenders: { ...contenders, ...peers.contenders },
    python: {
      name: 'surgery',
      arrays,
      requests: ['NumPy', 'einops'].filter((library) => workload[library]).map(requestOf),
    },
    bars: { ours: { memcpy: bars, ...Object.fromEntries(rivals) } },
    end: peers.end,
  };
}

/** A byte of int4 beside a byte of int8. */
function preparePacked({ int4, int8 }) {
  const [task4, task8] = [int4, int8].map(taskOf);
  const ratio = task4.out.data.byteLength / task8.out.data.byteLength;
  return {
    title: `int4: ${int4.title}`,
    contenders: { int4: task4.callOf(layout), int8: task8.callOf(layout) },
    references: (times) => ({ 'int8, per byte': ratio * times.int8 }),
    bars: { int4: { 'int8, per byte': [packedMost] } },
  };
}

/** Calls of each tiny workload before they are timed. */
const warmCalls = 50_000;

/** Calls of 12 elements, in microseconds. */
function prepareTiny() {
  const contenders = Object.fromEntries(
    tinyWorkloads.map((workload) => [workload.name, taskOf(workload).callOf(layout)]),
  );
  // The engine compiles a call once more when it has seen the others' types.
  for (let i = 0; i < warmCalls; i++) for (const run of Object.values(contenders)) run();
  return {
    title: 'tiny: calls of 12 elements',
    contenders,
    references: () => ({ 'a microsecond': 1e-3 }),
    bars: Object.fromEntries(Object.keys(contenders).map((name) => [name, { 'a microsecond': tinyBars }])),
  };
}

/** A chain of nodes by `runModel`, beside the one call that moves the same elements; both into new memory. */
function prepareChain() {
  const title = `chain: Transpose, Slice, Unsqueeze and Transpose of ${chain.inputs[0].join(' ')} by runModel`;
  const model = readModel(modelOf(chain));
  const { tensors, callOf } = taskOf(chain);
  const contenders = { chain: () => runModel(model, { x0: tensors[0] }).get('y0'), 'one copy': callOf(layout) };
  expectHash(title, contenders.chain().data, hashOf(contenders['one copy']().data));
  return { title, contenders, bars: { chain: { 'one copy': chain.bars } } };
}

/** The checks by the name that `--only` takes: `surgery` takes all of them. */
export const surgeryChecks = {
  ...checksOf('surgery', contestsOf(surgeryWorkloads, prepare)),
  ...checksOf('surgery-int4', contestsOf(packedWorkloads, preparePacked)),
  ...checksOf('surgery', { tiny: prepareTiny, chain: prepareChain }),
};
