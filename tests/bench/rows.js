/** Measures the rows of the table: the package, memcpy and the peers on one workload. */
import { bytesOf, randomData, roomFor } from './data.js';
import { loopsFor } from './loops.js';
import { race } from './measure.js';
import { ourCall } from './ours.js';
import { outputDims, outputType, sizeOf } from './workloads.js';

/** The names of the contenders that are plain JavaScript loops. */
export const loopNames = { naive: 'JS loop', tuned: 'tuned JS loop' };

/** Two contenders that do the same differ by a few percent in any run. A peer is ahead only if it leads by more. */
const noise = 0.05;

const isSame = (results, expected) =>
  results.length === expected.length &&
  results.every((data, i) => Buffer.compare(bytesOf(data), bytesOf(expected[i])) === 0);

const clear = (arrays) => arrays.forEach((array) => bytesOf(array).fill(0));

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
 * Prepares the peers that give the expected results; a peer that cannot do the workload is left out. All contenders
 * that take memory for their results write to the same memory: its place alone makes up to 7 % between two that do the
 * same.
 */
async function contendersOf(workload, data, outputs, expected, peers) {
  const contenders = {};
  const ends = [];
  const { tuned } = loopsFor(workload, data, outputs);
  if (tuned) {
    clear(outputs);
    tuned();
    if (!isSame(outputs, expected))
      throw new Error(`${workload.name}: the tuned loop's results differ from the naive one's`);
    contenders[loopNames.tuned] = tuned;
  }
  for (const [name, prepare] of Object.entries(peers)) {
    let peer;
    try {
      clear(outputs);
      peer = await prepare(workload, data, () => outputs);
      if (peer.end) ends.push(peer.end);
      const results = peer.outputs(await peer.run());
      if (isSame(results, expected)) contenders[name] = peer.run;
      else console.error(`bench: ${workload.name}: ${name} gives other results and is left out`);
    } catch {
      // The peer lacks the operator, the type or the rank; the table has a dash there.
    }
  }
  return {
    contenders,
    end: async () => {
      for (const end of ends) await end();
    },
  };
}

/**
 * Measures one workload.
 * @param {object} workload a row of the table
 * @param {Record<string, Function>} peers
 * @param {number} budgetMs
 * @returns the row's figures: milliseconds a call, and `bytes`, half of the bytes in and out, which memcpy moves
 */
export async function measureRow(workload, peers, budgetMs) {
  const size = sizeOf(workload.dims);
  const data = randomData(workload.type, size, workload.to);
  const dims = outputDims(workload);
  const room = () => dims.map((extents) => roomFor(outputType(workload), sizeOf(extents)));
  const expected = room();
  loopsFor(workload, data, expected).naive();

  const outputs = room();
  const { naive } = loopsFor(workload, data, outputs);
  const into = ourCall(
    workload,
    data,
    outputs.map((array, i) => ({ type: outputType(workload), data: array, dims: dims[i] })),
  );
  const fresh = ourCall(workload, data);
  for (const call of [into, fresh]) {
    if (!isSame(call.outputs(call.run()), expected))
      throw new Error(`${workload.name}: the results differ from the naive loop's`);
  }
  const outputBytes = outputs.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const bytes = (data.byteLength + outputBytes) / 2;
  const { contenders, end } = await contendersOf(workload, data, outputs, expected, peers);
  const times = await race(
    { ...copies(bytes, outputBytes), into: into.run, fresh: fresh.run, [loopNames.naive]: naive, ...contenders },
    budgetMs,
  );
  await end();
  const { memcpy, slice, touch, into: intoMs, fresh: freshMs, ...others } = times;
  return judged({ ...workload, bytes, memcpy, slice, touch, into: intoMs, fresh: freshMs, peers: others });
}

/** Adds the ratio to memcpy, the best peer, and whether the row reaches its bar and no peer is ahead. */
function judged(row) {
  const [best, bestMs] = Object.entries(row.peers).reduce((a, b) => (b[1] < a[1] ? b : a));
  const ratio = row.memcpy / row.into;
  const timesBest = bestMs / row.into;
  const pass = row.mostMs ? Math.max(row.into, row.fresh) <= row.mostMs : ratio >= row.must && timesBest >= 1 - noise;
  return { ...row, ratio, best, bestMs, timesBest, pass };
}
