/**
 * The workloads, one row each: name, title, element types, dims, attributes, and the bar. The bar is the least speed as
 * a part of memcpy's, for the same bytes in the same run.
 */

const row = (operator) => (fields) => ({ operator, ...fields });
const [transpose, split, cast] = ['Transpose', 'SplitToSequence', 'Cast'].map(row);
const transposeRow = (name, title, type, dims, perm, must) => transpose({ name, title, type, dims, perm, must });
const splitRow = (name, title, type, dims, axis, size, must) => split({ name, title, type, dims, axis, size, must });
const castRow = (type, to, must) =>
  cast({ name: `${type}-${to}`, title: `${type} to ${to}`, type, to, dims: [2 ** 24], must });

export const workloads = [
  transposeRow('T1', 'HWC to CHW', 'uint8', [1080, 1920, 3], [2, 0, 1], 0.26),
  transposeRow('T1r', 'CHW to HWC', 'uint8', [3, 1080, 1920], [1, 2, 0], 0.22),
  transposeRow('T2', 'NHWC to NCHW', 'float32', [8, 224, 224, 3], [0, 3, 1, 2], 0.28),
  transposeRow('T3', 'NCHW to NHWC', 'float32', [1, 64, 112, 112], [0, 2, 3, 1], 0.21),
  transposeRow('T4', '2-D', 'float32', [2048, 2048], [1, 0], 0.32),
  transposeRow('T5', '2-D', 'uint8', [4096, 4096], [1, 0], 0.32),
  transposeRow('T6', 'attention heads', 'float32', [1, 512, 12, 64], [0, 2, 1, 3], 0.21),
  transposeRow('T7', '4-D reversed', 'float32', [64, 64, 64, 64], [3, 2, 1, 0], 0.26),
  transposeRow('T8', '2-D', 'float16', [4096, 4096], [1, 0], 0.39),
  transposeRow('T9', '2-D', 'int64', [1024, 1024], [1, 0], 0.22),
  // This is a latency and no throughput; its bar is `mostMs`.
  { ...transposeRow('T10', 'tiny', 'float32', [1, 3, 4], [0, 2, 1]), mostMs: 0.0004 },
  transposeRow('T11', '2-D, packed', 'int4', [4096, 4096], [1, 0], 0.12),
  transposeRow('T12', '6-D', 'float32', [2, 3, 4, 5, 6, 7], [5, 3, 1, 0, 2, 4], 0.09),
  transposeRow('T13', '2-D', 'complex128', [1024, 512], [1, 0], 0.18),
  transposeRow('T14', '2-D, packed', 'uint2', [4096, 4096], [1, 0], 0.1),
  splitRow('S1b', 'split by planes', 'float32', [64, 3, 224, 224], 1, 1, 0.95),
  splitRow('S2', 'split columns by 64', 'float32', [1024, 1024], 1, 64, 0.27),
  castRow('float32', 'float16', 0.29),
  castRow('float16', 'float32', 0.38),
  castRow('float32', 'bfloat16', 0.5),
  castRow('bfloat16', 'float32', 0.53),
  castRow('float32', 'float8e4m3fn', 0.27),
  castRow('float8e4m3fn', 'float32', 0.4),
  castRow('float32', 'float4e2m1', 0.26),
  castRow('float4e2m1', 'float32', 0.52),
  castRow('int4', 'int8', 0.41),
  castRow('int8', 'int4', 0.37),
  castRow('uint2', 'uint8', 0.35),
  castRow('uint8', 'float32', 0.45),
  castRow('int32', 'float32', 0.45),
  castRow('float32', 'uint8', 0.45),
  castRow('float64', 'float32', 0.45),
];

/** The dims of each result: of the one tensor, or of each piece. */
export function outputDims({ operator, dims, perm, axis, size }) {
  if (operator === 'Transpose') return [perm.map((i) => dims[i])];
  if (operator === 'SplitToSequence') return Array.from({ length: dims[axis] / size }, () => dims.with(axis, size));
  return [dims];
}

/** The dtype of a workload's results. */
export const outputType = ({ type, to }) => to ?? type;
