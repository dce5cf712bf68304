/** Times tensor surgery beside memcpy, plain loops, and the libraries of JavaScript and Python that do the same. */
import * as layout from '../../js/index.js';
import { readModel, runModel } from '../../js/io/index.js';
import { checksOf, contest, expectHash, inPython, judged, ratioOf } from './contest.js';
import { hashOf, inputOf, outOf, roomFor } from './data.js';
import { budgetOf, race } from './measure.js';
import { modelOf } from './model.js';
import { installPeers } from './peers.js';
import { chain, packedMost, packedWorkloads, surgeryWorkloads, tinyBars, tinyWorkloads } from './surgery-workloads.js';
import { sizeOf } from './workloads.js';

/** Two contenders that do the same differ by a few percent in any run. A peer is ahead only if it leads by more. */
const noise = 1.05;

/** memcpy of as many bytes as the result has, between two buffers that were touched before. */
function memcpyOf({ data }) {
  const [source, target] = [0, 1].map(() => roomFor('uint8', data.byteLength));
  return () => target.set(source);
}

let peers;

/** The peers that give the expected result; the others are left out, after a line that says so. */
async function peersOf(workload, arrays, expected) {
  installPeers();
  const { loadSurgeryPeers } = await import('./surgery-peers.js');
  peers ??= await loadSurgeryPeers();
  const contenders = {};
  const ends = [];
  for (const [name, prepare] of Object.entries(peers)) {
    const out = roomFor(workload.result[0], sizeOf(workload.result[1]));
    try {
      const { run, outputs, end } = await prepare(workload, arrays, out);
      if (end) ends.push(end);
      if (hashOf(outputs(await run())[0]) === expected) contenders[name] = run;
      else console.error(`bench: ${workload.name}: ${name} gives other results and is left out`);
    } catch (error) {
      console.error(`bench: ${workload.name}: without ${name}: ${String(error.message).slice(0, 120)}`);
    }
  }
  return { contenders, end: () => ends.forEach((end) => end()) };
}

/** NumPy and einops. */
const pythonsOf = (workload, tensors) =>
  inPython(
    'surgery',
    tensors.map(({ data }) => data),
    (files, { versions }) => {
      const inputs = tensors.map(({ type, dims }, i) => ({ type, dims, file: files[i] }));
      const [type, dims] = workload.result;
      const libraries = Object.keys(versions).filter((name) => workload[name] !== undefined);
      const requestOf = (library) => ({ library, expression: workload[library], inputs, out: { type, dims } });
      return Object.fromEntries(libraries.map((library) => [library, requestOf(library)]));
    },
  );

/** One workload beside its peers, all in turn. No peer of JavaScript may be ahead. */
async function measure(workload, options) {
  const tensors = workload.inputs.map(inputOf);
  const arrays = tensors.map(({ data }) => data);
  const [out, loopOut] = [outOf(workload.result), outOf(workload.result)];
  const loop = () => workload.loop(arrays, loopOut.data);
  loop();
  const expected = hashOf(loopOut.data);
  const contenders = {
    memcpy: memcpyOf(out),
    'JS loop': loop,
    ours: () => workload.run(layout, tensors, { out }),
    'ours, new memory': () => workload.run(layout, tensors, {}),
  };
  contenders.ours();
  expectHash(workload.title, out.data, expected);
  const others = await peersOf(workload, arrays, expected);
  const python = await pythonsOf(workload, tensors);
  for (const [library, { sha256 }] of Object.entries(python.answers))
    expectHash(`${workload.title}, ${library}`, sha256, expected);
  const rivals = ['JS loop', ...Object.keys(others.contenders)].map((name) => [name, [noise]]);
  const result = await contest(
    `${workload.name}: ${workload.title}`,
    { ...contenders, ...others.contenders, ...python.contenders },
    { ours: { memcpy: workload.bars, ...Object.fromEntries(rivals) } },
    options,
  );
  others.end();
  python.end();
  return result;
}

/** A byte of int4 beside a byte of int8. */
async function measurePacked({ int4, int8 }, options) {
  const contenders = {};
  const bytes = {};
  for (const [name, workload] of Object.entries({ int4, int8 })) {
    const tensors = workload.inputs.map(inputOf);
    const out = outOf(workload.result);
    // No version of most operators lists int4; the calls beside ONNX take it as it is.
    const given = workload.call === 'rearrange' ? { out } : { out, strict: false };
    contenders[name] = () => workload.run(layout, tensors, given);
    bytes[name] = out.data.byteLength;
  }
  const times = await race(contenders, budgetOf(options));
  const ratio = times.int4 / bytes.int4 / (times.int8 / bytes.int8);
  return judged(`int4: ${int4.title}`, times, [ratioOf('int4', 'int8, per byte', ratio, packedMost)]);
}

/** Calls of each tiny workload before they are timed. */
const warmCalls = 50_000;

/** Calls of 12 elements, in microseconds. */
async function measureTiny(options) {
  const contenders = Object.fromEntries(
    tinyWorkloads.map(({ call, run, inputs, result, options: own }) => {
      const tensors = inputs.map(inputOf);
      const given = result && { ...own, out: outOf(result) };
      return [call, () => run(layout, tensors, given)];
    }),
  );
  // The engine compiles a call once more when it has seen the others' types.
  for (let i = 0; i < warmCalls; i++) for (const run of Object.values(contenders)) run();
  const times = await race(contenders, budgetOf(options));
  return judged(
    'tiny: calls of 12 elements',
    times,
    Object.entries(times).map(([name, ms]) => ratioOf(name, 'a microsecond', ms * 1000, ...tinyBars)),
  );
}

/** A chain of nodes by `runModel`, beside the one call that moves the same elements; both into new memory. */
async function measureChain(options) {
  const title = `chain: Transpose, Slice, Unsqueeze and Transpose of ${chain.inputs[0].join(' ')} by runModel`;
  const model = readModel(modelOf(chain));
  const tensors = chain.inputs.map(inputOf);
  const contenders = {
    chain: () => runModel(model, { x0: tensors[0] }).get('y0'),
    'one copy': () => chain.one(layout, tensors),
  };
  expectHash(title, contenders.chain().data, hashOf(contenders['one copy']().data));
  return contest(title, contenders, { chain: { 'one copy': chain.bars } }, options);
}

/** The checks by the name that `--only` takes: `surgery` takes all of them. */
export const surgeryChecks = {
  ...checksOf('surgery', surgeryWorkloads, measure),
  ...checksOf('surgery-int4', packedWorkloads, measurePacked),
  'surgery-tiny': measureTiny,
  'surgery-chain': measureChain,
};
