/** Tensors of goldens as onnxruntime-web takes them. */
import * as ort from 'onnxruntime-web';

const arrays = {
  float32: Float32Array,
  int64: BigInt64Array,
  int32: Int32Array,
  bool: Uint8Array,
  float64: Float64Array,
  float16: Uint16Array,
};

/** @type {(golden: { dtype: keyof typeof arrays, dims: number[], data: string }) => ort.Tensor} */
export const ortTensor = ({ dtype, dims, data }) =>
  new ort.Tensor(dtype, new arrays[dtype](new Uint8Array(Buffer.from(data, 'base64')).buffer), dims);
