/**
 * The libraries that JavaScript can call for tensor surgery. Each gives a contender for a workload, or throws where it
 * lacks the operator or the type.
 */
import ndarray from 'ndarray';
import ops from 'ndarray-ops';
import { onnxruntime } from './peers.js';

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
    outputs: () => [out],
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
      outputs: (result) => [result.data.subarray(0, result.size)],
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
  const [web, native] = [await onnxruntime('onnxruntime-web', false), await onnxruntime('onnxruntime-node', true)];
  return {
    'onnxruntime-web': (workload, arrays, out) => web(workload, arrays, [out]),
    'onnxruntime-node': (workload, arrays, out) => native(workload, arrays, [out]),
    'ndarray-ops': ndarrayOps,
    'numpy-ts': await numpyTs(),
  };
}
