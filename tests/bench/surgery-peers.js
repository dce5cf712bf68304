/**
 * The libraries that JavaScript can call for tensor surgery. Each gives a contender for a workload, or throws where it
 * lacks the operator or the type.
 */
import ndarray from 'ndarray';
import ops from 'ndarray-ops';
import { modelOf } from './model.js';

/** The model of a workload. Every node but the last gives n0, n1, …; the last one gives y. */
export const modelBytes = ({ name, nodes, constants = {}, inputs, result }) =>
  modelOf({
    name,
    nodes: nodes.map(([operator, from, attributes], i) => [
      operator,
      from,
      [i === nodes.length - 1 ? 'y' : `n${i}`],
      attributes,
    ]),
    inputs: inputs.map(([type, dims], i) => [`x${i}`, type, dims]),
    outputs: [['y', ...result]],
    constants: Object.fromEntries(Object.entries(constants).map(([key, [, values]]) => [key, values])),
  });

/**
 * Both builds of onnxruntime. The native build writes to a tensor that it is given, the wasm build to its own.
 * @param {string} name
 * @param {boolean} takesOutputs
 * @param {object} [options] of the session
 */
export async function onnxruntime(name, takesOutputs, options) {
  const { InferenceSession, Tensor, env } = await import(name);
  env.logLevel = 'fatal';
  return async (workload, arrays, out) => {
    const session = await InferenceSession.create(modelBytes(workload), { ...options, logSeverityLevel: 4 });
    const feeds = Object.fromEntries(
      workload.inputs.map(([type, dims], i) => [`x${i}`, new Tensor(type, arrays[i], dims)]),
    );
    const fetches = takesOutputs && { y: new Tensor(workload.result[0], out, workload.result[1]) };
    return {
      run: fetches ? () => session.run(feeds, fetches) : () => session.run(feeds),
      output: (result) => result.y.data,
      end: () => session.release(),
    };
  };
}

/** ndarray-ops copies between views; it has no operators of its own. */
const ndarrayOps = ({ boxes, fill }, arrays, out) => {
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
    output: () => out,
  };
};

/** numpy-ts keeps its arrays in a wasm memory, into which the inputs are copied before the time begins. */
async function numpyTs() {
  const np = await import('numpy-ts');
  return (workload, arrays) => {
    if (workload.numpyTs === undefined) throw new Error('not in numpy-ts');
    const given = workload.inputs.map(([type, dims], i) => np.frombuffer(arrays[i].buffer, type).reshape(...dims));
    let last;
    return {
      run: () => {
        last?.dispose?.();
        last = workload.numpyTs(np, given);
        return last;
      },
      output: (result) => result.data.subarray(0, result.size),
      // Its memory is bounded, and the next workload needs it.
      end: () => [last, ...given].forEach((array) => array?.dispose?.()),
    };
  };
}

/**
 * Loads the libraries, which have to be installed.
 * @returns {Promise<Record<string, Function>>} by name; each makes a contender of a workload, the arrays of its inputs
 *   and the array of its result
 */
export async function loadSurgeryPeers() {
  return {
    'onnxruntime-web': await onnxruntime('onnxruntime-web', false),
    'onnxruntime-node': await onnxruntime('onnxruntime-node', true),
    'ndarray-ops': ndarrayOps,
    'numpy-ts': await numpyTs(),
  };
}
