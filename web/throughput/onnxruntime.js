/** onnxruntime-web's Transpose in the calling thread, from typed array to typed array. */
import { Graph } from '../models/graph.js';
import { Tensor, openSession } from '../models/onnxruntime.js';

/**
 * @param {import('./workloads.js').Workload} workload
 * @returns {Promise<() => Promise<ArrayBufferView>>}
 */
export async function onnxruntimeCall({ type, dims, perm }, data) {
  const graph = new Graph();
  graph.add('Transpose', ['x'], { perm }, 'y');
  const result = perm.map((axis) => dims[axis]);
  const session = await openSession(graph.model('transpose', [['x', type, dims]], [['y', type, result]]));
  const feeds = { x: new Tensor(type, data, dims) };
  return async () => (await session.run(feeds)).y.data;
}
