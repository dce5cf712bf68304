/** A worker that answers each tensor with its transpose, both moved. */
import { init, transpose } from 'onnx-layout';

const ready = init();
onmessage = async ({ data: { tensor, perm } }) => {
  await ready;
  const { type, dims, data } = transpose(tensor, { perm });
  postMessage({ type, dims, data }, [data.buffer]);
};
