/**
 * The libraries that JavaScript can call for the same work on tensors, timed from typed array to typed arrays. Only the
 * benchmark installs them.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { install } from '../../install.mjs';
import { clear, hashOf } from './data.js';
import { modelOf } from './model.js';

const folder = import.meta.dirname;
const require = createRequire(import.meta.url);

/** Installs the peers, whose builds for CPUs are in their packages, and loads one of them. */
export function importPeer(name) {
  install('bench');
  return import(name);
}

export const loadTransformers = () => importPeer('@huggingface/transformers');

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
 * Prepares a peer for a workload, which has the parts of a model (see model.js) and what the peer reads beside them.
 * Throws where the peer lacks the operator, the type or the rank.
 * @typedef {(workload: any, arrays: any[], outs: any[]) => Contender | Promise<Contender>} Prepare
 */

/**
 * Both builds of onnxruntime. The native build can write to tensors that it is given; the wasm build writes to its own.
 * A workload may have options of the session.
 * @type {(name: string) => Promise<Prepare>}
 */
async function onnxruntime(name) {
  const { InferenceSession, Tensor, env } = await importPeer(name);
  env.logLevel = 'fatal';
  return async (workload, arrays, outs) => {
    const session = await InferenceSession.create(modelOf(workload), { ...workload.session, logSeverityLevel: 4 });
    const tensors = (letter, list, data) =>
      Object.fromEntries(list.map(([type, dims], i) => [`${letter}${i}`, new Tensor(type, data[i], dims)]));
    const feeds = tensors('x', workload.inputs, arrays);
    const fetches = name === 'onnxruntime-node' ? [tensors('y', workload.results, outs)] : [];
    return {
      run: () => session.run(feeds, ...fetches),
      outputs: (result) => workload.results.map((_, i) => result[`y${i}`].data),
      end: () => session.release(),
    };
  };
}

/** @returns {Promise<Prepare>} */
async function tfjs() {
  const tf = await importPeer('@tensorflow/tfjs-core');
  const { setWasmPaths } = await importPeer('@tensorflow/tfjs-backend-wasm');
  setWasmPaths(join(require.resolve('@tensorflow/tfjs-backend-wasm'), '..', sep));
  tf.env().set('PROD', true);
  await tf.setBackend('wasm');
  const known = ['float32', 'int32'];
  return ({ operator, type, dims, perm, axis, to, results: outputs }, [data]) => {
    if (!known.includes(type) || !known.includes(outputs[0][0])) throw new Error('no such dtype');
    const work = {
      Transpose: (x) => [tf.transpose(x, perm)],
      SplitToSequence: (x) => tf.split(x, outputs.length, axis),
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

/** ndarray-ops copies between views; it has no operators of its own. @returns {Promise<Prepare>} */
async function ndarrayOps() {
  const { default: ndarray } = await importPeer('ndarray');
  const { default: ops } = await importPeer('ndarray-ops');
  return ({ boxes, fill }, arrays, [out]) => {
    if (boxes === undefined) throw new Error('no views of one stride an axis');
    const pairs = boxes.map(([input, extents, fromStrides, from, toStrides, to]) => [
      ndarray(out, extents, toStrides, to),
      ndarray(arrays[input], extents, fromStrides, from),
    ]);
    const all = ndarray(out, [out.length]);
    return {
      run: () => {
        if (fill !== undefined) ops.assigns(all, fill);
        for (const [target, source] of pairs) ops.assign(target, source);
      },
      outputs: () => [out],
    };
  };
}

/**
 * numpy-ts keeps its arrays in a wasm memory, into which the inputs are copied before the time begins.
 * @returns {Promise<Prepare>}
 */
async function numpyTs() {
  const np = await importPeer('numpy-ts');
  return ({ inputs, numpyTs: call }, arrays) => {
    if (call === undefined) throw new Error('not in numpy-ts');
    const tensors = inputs.map(([type, dims], i) => np.frombuffer(arrays[i].buffer, type).reshape(...dims));
    let last;
    return {
      run: () => {
        last?.dispose?.();
        last = call(np, tensors);
        return last;
      },
      outputs: (result) => [result.data.subarray(0, result.size)],
      // Its memory is bounded, and the next workload needs it.
      end: () => [last, ...tensors].forEach((array) => array?.dispose?.()),
    };
  };
}

const loaders = {
  'onnxruntime-web': () => onnxruntime('onnxruntime-web'),
  'onnxruntime-node': () => onnxruntime('onnxruntime-node'),
  'tfjs-wasm': tfjs,
  'ndarray-ops': ndarrayOps,
  'numpy-ts': numpyTs,
};
const loaded = {};

/**
 * The contenders of peers that give the expected results. A peer that cannot do the workload, or gives others, is left
 * out after a line that says why. All peers that take memory for their results write to the same memory.
 * @param {string[]} names
 * @param {any} workload see {@link Prepare}
 * @param {ArrayBufferView[]} arrays of the inputs
 * @param {ArrayBufferView[]} outs for the results
 * @param {string} expected the hash of the results
 */
export async function peersOf(names, workload, arrays, outs, expected) {
  const contenders = {};
  const ends = [];
  for (const name of names) {
    loaded[name] ??= await loaders[name]();
    outs.forEach(clear);
    try {
      const { run, outputs, end } = await loaded[name](workload, arrays, outs);
      if (end) ends.push(end);
      if (hashOf(...outputs(await run())) === expected) contenders[name] = run;
      else console.error(`bench: ${workload.name}: ${name} gives other results and is left out`);
    } catch (error) {
      console.error(`bench: ${workload.name}: without ${name}: ${String(error.message).slice(0, 120)}`);
    }
  }
  return {
    contenders,
    end: async () => {
      for (const end of ends) await end();
    },
  };
}
