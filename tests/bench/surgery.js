/** Times tensor surgery beside memcpy, plain loops, and the libraries of JavaScript and Python that do the same. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as layout from '../../js/index.js';
import { readModel, runModel } from '../../js/io/index.js';
import { bytesOf, hashOf, randomData, roomFor } from './data.js';
import { budgetOf, judged, race, ratioOf } from './measure.js';
import { installPeers } from './peers.js';
import { startPython } from './python.js';
import { chain, packedMost, packedWorkloads, surgeryWorkloads, tinyBars, tinyWorkloads } from './surgery-workloads.js';
import { sizeOf } from './workloads.js';

/** Two contenders that do the same differ by a few percent in any run. A peer is ahead only if it leads by more. */
const noise = 1.05;

/** Random data of an input; the third entry is a limit of indices. */
function inputOf([type, dims, limit]) {
  const data = randomData(type, sizeOf(dims));
  if (limit !== undefined) data.forEach((_, i) => (data[i] = BigInt((i * 7919) % limit)));
  return { type, dims, data };
}

/** A tensor for the result. */
const outOf = ([type, dims]) => ({ type, dims, data: roomFor(type, sizeOf(dims)) });

/** memcpy of as many bytes as the result has, between two buffers that were touched before. */
function memcpyOf({ data }) {
  const [source, target] = [0, 1].map(() => roomFor('uint8', data.byteLength));
  return () => target.set(source);
}

/** Names the calls that the package lacks: a check without them fails. */
const lacking = (...names) => {
  const missing = names.filter((name) => typeof layout[name] !== 'function');
  return missing.length > 0 ? `the package lacks ${missing.join(', ')}: ` : '';
};

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
      const { run, output, end } = await prepare(workload, arrays, out);
      if (end) ends.push(end);
      if (hashOf(output(await run())) === expected) contenders[name] = run;
      else console.error(`bench: ${workload.name}: ${name} gives other results and is left out`);
    } catch (error) {
      console.error(`bench: ${workload.name}: without ${name}: ${String(error.message).slice(0, 120)}`);
    }
  }
  return { contenders, end: () => ends.forEach((end) => end()) };
}

/** NumPy and einops, where Python is there. */
async function pythonsOf(workload, tensors, expected) {
  const python = await startPython('surgery-python.py', 'surgery-python.txt');
  if (python === undefined) return { contenders: {}, end: () => {} };
  const { ask, versions, folder, end } = python;
  const inputs = tensors.map(({ type, dims, data }, i) => {
    const file = join(folder, `x${i}`);
    writeFileSync(file, bytesOf(data));
    return { type, dims, file };
  });
  const [type, dims] = workload.result;
  const contenders = {};
  for (const library of Object.keys(versions).filter((name) => workload[name] !== undefined)) {
    const { sha256 } = await ask({ library, expression: workload[library], inputs, out: { type, dims } });
    if (sha256 !== expected) throw new Error(`${workload.title}: the results of ${library} differ`);
    contenders[library] = { time: async (calls) => (await ask({ time: library, calls })).ms };
  }
  return { contenders, end };
}

/** One workload beside its peers, all in turn. No peer of JavaScript may be ahead. */
async function measure(workload, options) {
  const tensors = workload.inputs.map(inputOf);
  const arrays = tensors.map(({ data }) => data);
  const [out, loopOut] = [outOf(workload.result), outOf(workload.result)];
  const loop = () => workload.loop(arrays, loopOut.data);
  loop();
  const expected = hashOf(loopOut.data);
  const lacks = lacking(workload.call);
  const contenders = { memcpy: memcpyOf(out), 'JS loop': loop };
  if (!lacks) {
    contenders.ours = () => workload.run(layout, tensors, { out });
    contenders['ours, new memory'] = () => workload.run(layout, tensors, {});
    contenders.ours();
    if (hashOf(out.data) !== expected) throw new Error(`${workload.title}: the results differ from the loop's`);
  }
  const others = await peersOf(workload, arrays, expected);
  const pythons = await pythonsOf(workload, tensors, expected);
  const times = await race({ ...contenders, ...others.contenders, ...pythons.contenders }, budgetOf(options));
  others.end();
  pythons.end();
  const title = `${workload.name}: ${lacks}${workload.title}`;
  if (lacks) return judged(title, times, []);
  const rivals = ['JS loop', ...Object.keys(others.contenders)];
  return judged(title, times, [
    ratioOf('ours', 'memcpy', times.ours / times.memcpy, ...workload.bars),
    ...rivals.map((name) => ratioOf('ours', name, times.ours / times[name], noise)),
  ]);
}

/** A byte of int4 beside a byte of int8. */
async function measurePacked({ int4, int8 }, options) {
  const lacks = lacking(int8.call);
  const title = `int4: ${lacks}${int4.title}`;
  if (lacks) return judged(title, {}, []);
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
  return judged(title, times, [ratioOf('int4', 'int8, per byte', ratio, packedMost)]);
}

/** Calls of each tiny workload before they are timed. */
const warmCalls = 50_000;

/** Calls of 12 elements, in microseconds. */
async function measureTiny(options) {
  const lacks = lacking(...tinyWorkloads.map(({ call }) => call));
  const title = `tiny: ${lacks}calls of 12 elements`;
  if (lacks) return judged(title, {}, []);
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
    title,
    times,
    Object.entries(times).map(([name, ms]) => ratioOf(name, 'a microsecond', ms * 1000, ...tinyBars)),
  );
}

/** A chain of nodes by `runModel`, beside the one call that moves the same elements; both into new memory. */
async function measureChain(options) {
  const lacks = lacking('slice', 'unsqueeze');
  const title = `chain: ${lacks}Transpose, Slice, Unsqueeze and Transpose of ${chain.inputs[0].join(' ')} by runModel`;
  if (lacks) return judged(title, {}, []);
  installPeers();
  const { modelBytes } = await import('./surgery-peers.js');
  const model = readModel(modelBytes({ name: 'chain', ...chain }));
  const tensors = chain.inputs.map(inputOf);
  const contenders = {
    chain: () => runModel(model, { x0: tensors[0] }).get('y'),
    'one copy': () => chain.one(layout, tensors),
  };
  const [actual, expected] = Object.values(contenders).map((run) => hashOf(run().data));
  if (actual !== expected) throw new Error(`${title}: the results differ`);
  const times = await race(contenders, budgetOf(options));
  return judged(title, times, [ratioOf('chain', 'one copy', times.chain / times['one copy'], ...chain.bars)]);
}

/** The checks by the name that `--only` takes: `surgery` takes all of them. */
export const surgeryChecks = {
  ...Object.fromEntries(
    surgeryWorkloads.map((workload) => [`surgery-${workload.name}`, (options) => measure(workload, options)]),
  ),
  ...Object.fromEntries(
    packedWorkloads.map((workload) => [
      `surgery-int4-${workload.int8.call}`,
      (options) => measurePacked(workload, options),
    ]),
  ),
  'surgery-tiny': measureTiny,
  'surgery-chain': measureChain,
};
