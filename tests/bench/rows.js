/** Measures the rows of the table: the package, memcpy and the peers on one workload. */
import { elementCount } from '../support/reference.js';
import { expectHash } from './contest.js';
import { clear, hashOf, randomData, roomFor } from './data.js';
import { loopsFor } from './loops.js';
import { race } from './measure.js';
import { partsOf } from './model.js';
import { ourCall } from './ours.js';
import { peersOf } from './peers.js';
import { outputDims, outputType } from './workloads.js';

/** The names of the contenders that are plain JavaScript loops. */
export const loopNames = { naive: 'JS loop', tuned: 'tuned JS loop' };

/** Two contenders that do the same differ by a few percent in any run. A peer is ahead only if it leads by more. */
const noise = 0.05;

/** The libraries beside which the rows are timed. */
export const peerNames = ['onnxruntime-web', 'onnxruntime-node', 'tfjs-wasm'];

/**
 * The bounds of the memory itself: memcpy between two buffers that were touched before, `slice()` of one, and the
 * allocation and first touch of as many bytes as the results have.
 */
function copies(bytes, outputBytes) {
  const [source, target] = [roomFor('uint8', bytes), roomFor('uint8', bytes)];
  return {
    memcpy: () => target.set(source),
    slice: () => source.slice(),
    touch: () => new Uint8Array(outputBytes).fill(1),
  };
}

/**
 * Measures one workload.
 * @param {object} workload a row of the table
 * @param {string[]} peers their names
 * @param {number} budgetMs
 * @returns the row's figures: milliseconds a call, and `bytes`, half of the bytes in and out, which memcpy moves
 */
export async function measureRow(workload, peers, budgetMs) {
  const size = elementCount(workload.dims);
  const data = randomData(workload.type, size, workload.to);
  const dims = outputDims(workload);
  // All contenders write to the same memory: its place alone makes up to 7 % between two that do the same.
  const outputs = dims.map((extents) => roomFor(outputType(workload), elementCount(extents)));
  const { naive, tuned } = loopsFor(workload, data, outputs);
  naive();
  const expected = hashOf(...outputs);
  const outs = outputs.map((array, i) => ({ type: outputType(workload), data: array, dims: dims[i] }));
  const [into, fresh] = [ourCall(workload, data, outs), ourCall(workload, data)];
  const loop = tuned && { run: tuned, outputs: () => outputs };
  for (const call of [into, fresh, loop].filter(Boolean)) {
    outputs.forEach(clear);
    expectHash(workload.name, hashOf(...call.outputs(call.run())), expected);
  }
  const loops = { [loopNames.naive]: naive, ...(tuned && { [loopNames.tuned]: tuned }) };
  const outputBytes = outputs.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const bytes = (data.byteLength + outputBytes) / 2;
  const parts = { ...workload, ...partsOf(workload) };
  const { contenders, end } = await peersOf(peers, parts, [data], outputs, expected);
  const times = await race(
    { ...copies(bytes, outputBytes), into: into.run, fresh: fresh.run, ...loops, ...contenders },
    budgetMs,
  );
  await end();
  const { memcpy, slice, touch, into: intoMs, fresh: freshMs, ...others } = times;
  return judgeRow({ ...workload, bytes, memcpy, slice, touch, into: intoMs, fresh: freshMs, peers: others });
}

/** Adds the ratio to memcpy, the best peer, and whether the row reaches its bar and no peer is ahead. */
function judgeRow(row) {
  const [best, bestMs] = Object.entries(row.peers).reduce((a, b) => (b[1] < a[1] ? b : a));
  const ratio = row.memcpy / row.into;
  const timesBest = bestMs / row.into;
  const pass = row.mostMs ? Math.max(row.into, row.fresh) <= row.mostMs : ratio >= row.must && timesBest >= 1 - noise;
  return { ...row, ratio, best, bestMs, timesBest, pass };
}
