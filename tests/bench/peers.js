/**
 * The libraries that JavaScript can call for the same work, timed from typed array to typed arrays. Only the benchmark
 * installs them.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { install } from '../../install.mjs';
import { modelOf, partsOf } from './model.js';
import { outputDims, outputType } from './workloads.js';

const folder = import.meta.dirname;
const require = createRequire(import.meta.url);

/** Installs the peers, whose builds for CPUs are in their packages. */
export const installPeers = () => install('bench');

/** The versions of the peers of the table's rows alone, without their own dependencies. */
export function peerVersions() {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  return Object.fromEntries(
    Object.keys(packages[''].dependencies)
      .filter((name) => /tensorflow|onnxruntime/.test(name))
      .map((name) => [name, packages[`node_modules/${name}`].version]),
  );
}

/**
 * How a peer does a workload.
 * @typedef {object} Contender
 * @property {() => any} run may return a promise
 * @property {(result: any) => ArrayBufferView[]} outputs the data of the result of `run`
 * @property {() => unknown} [end] frees what the garbage collector does not
 */

/**
 * Prepares a peer for a workload; `room` gives the memory for the results.
 * @typedef {(workload: object, data: ArrayBufferView, room: () => ArrayBufferView[]) => Promise<Contender>} Prepare
 */

/**
 * Both builds of onnxruntime. The native build can write to tensors that it is given; the wasm build writes to its own.
 * @param {string} name
 * @param {boolean} takesOutputs
 * @param {object} [options] of the session
 * @returns {Promise<(parts: object, arrays: ArrayBufferView[], outs: ArrayBufferView[]) => Promise<Contender>>} of the
 *   parts of a model, see model.js
 */
export async function onnxruntime(name, takesOutputs, options = {}) {
  const { InferenceSession, Tensor, env } = await import(name);
  env.logLevel = 'fatal';
  return async (parts, arrays, outs) => {
    const session = await InferenceSession.create(modelOf(parts), { ...options, logSeverityLevel: 4 });
    const tensors = (letter, list, data) =>
      Object.fromEntries(list.map(([type, dims], i) => [`${letter}${i}`, new Tensor(type, data[i], dims)]));
    const feeds = tensors('x', parts.inputs, arrays);
    const fetches = takesOutputs ? [tensors('y', parts.results, outs)] : [];
    return {
      run: () => session.run(feeds, ...fetches),
      outputs: (result) => parts.results.map((_, i) => result[`y${i}`].data),
      end: () => session.release(),
    };
  };
}

async function tfjs() {
  const tf = await import('@tensorflow/tfjs-core');
  const { setWasmPaths } = await import('@tensorflow/tfjs-backend-wasm');
  setWasmPaths(join(require.resolve('@tensorflow/tfjs-backend-wasm'), '..', sep));
  tf.env().set('PROD', true);
  await tf.setBackend('wasm');
  const known = ['float32', 'int32'];
  return async (workload, data) => {
    const { operator, type, dims, perm, axis, to } = workload;
    if (!known.includes(type) || !known.includes(outputType(workload))) throw new Error('no such dtype');
    const pieces = outputDims(workload).length;
    const work = {
      Transpose: (x) => [tf.transpose(x, perm)],
      SplitToSequence: (x) => tf.split(x, pieces, axis),
      Cast: (x) => [tf.cast(x, to)],
    }[operator];
    return {
      run: () => {
        let results;
        // Results that the block returned would be searched for tensors, element by element.
        tf.tidy(() => {
          results = work(tf.tensor(data, dims, type)).map((y) => y.dataSync());
        });
        return results;
      },
      outputs: (results) => results,
    };
  };
}

/**
 * Installs and loads the peers.
 * @returns {Promise<Record<string, Prepare>>}
 */
export async function loadPeers() {
  installPeers();
  const [web, native] = [await onnxruntime('onnxruntime-web', false), await onnxruntime('onnxruntime-node', true)];
  return {
    'onnxruntime-web': (workload, data, room) => web(partsOf(workload), [data], room()),
    'onnxruntime-node': (workload, data, room) => native(partsOf(workload), [data], room()),
    'tfjs-wasm': await tfjs(),
  };
}
