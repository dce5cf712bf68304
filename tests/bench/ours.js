/** The package itself, called as users call it. */
import { init as initAudio } from '../../js/audio/index.js';
import { init as initImages } from '../../js/image/index.js';
import * as ours from '../../js/index.js';
import { init as initPostprocess } from '../../js/postprocess/index.js';
import { memoriesOf } from '../support/wasm-memory.js';

export const { cast, transpose } = ours;

/** @type {WebAssembly.Memory} */
let memory;

/** Loads the package's modules, and gets hold of the wasm memory of tensors and images. */
export async function load() {
  [memory] = await memoriesOf(initImages);
  await Promise.all([initAudio(), initPostprocess()]);
}

export const wasmBytes = () => memory.buffer.byteLength;

/**
 * The public call of a workload.
 * @param {object} workload a row of the table
 * @param {ArrayBufferView} data
 * @param {object[]} [out] the tensors to write to
 * @param {typeof ours} [build] whose functions are called
 * @returns {{ run: () => any, outputs: (result: any) => ArrayBufferView[] }}
 */
export function ourCall({ operator, type, dims, perm, axis, size, to }, data, out, build = ours) {
  const { cast, splitToSequence, transpose } = build;
  const x = { type, data, dims };
  if (operator === 'SplitToSequence') {
    const options = { axis, out };
    return { run: () => splitToSequence(x, size, options), outputs: (pieces) => pieces.map((piece) => piece.data) };
  }
  const options = operator === 'Cast' ? { out: out?.[0] } : { perm, out: out?.[0] };
  const outputs = (result) => [result.data];
  return operator === 'Cast'
    ? { run: () => cast(x, to, options), outputs }
    : { run: () => transpose(x, options), outputs };
}
