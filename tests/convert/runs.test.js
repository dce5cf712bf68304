/** Converted models run in onnxruntime-web, within the goldens' tolerances of the float32 outputs. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'onnx-layout';
import { convertModel } from 'onnx-layout/convert';
import * as ort from 'onnxruntime-web';
import { halfGoldens, modelBefore, models } from '../support/convert-goldens.js';
import { sampled } from '../support/sample.js';

// Threads would outlive the test.
ort.env.wasm.numThreads = 1;
beforeAll(() => init());

const arrays = {
  float32: Float32Array,
  int64: BigInt64Array,
  int32: Int32Array,
  bool: Uint8Array,
  float64: Float64Array,
  float16: Uint16Array,
};
const tensorOf = ({ dtype, dims, data }) =>
  new ort.Tensor(dtype, new arrays[dtype](new Uint8Array(Buffer.from(data, 'base64')).buffer), dims);

/** Cases whose inputs are those of the float32 model. */
const cases = halfGoldens.filter(({ keepIo, run }) => keepIo === true && run);

describe.each(sampled(cases, 8))('$name', ({ model: name, tolerance }) => {
  test.each(['all', 'disabled'])('with optimizations %s', async (graphOptimizationLevel) => {
    const { inputs, outputs } = models.get(name);
    const { model } = convertModel(modelBefore(name), { dtype: 'fp16' });
    const session = await ort.InferenceSession.create(model, { graphOptimizationLevel, executionProviders: ['wasm'] });
    const feeds = Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, tensorOf(value)]));
    const results = await session.run(feeds);
    await session.release();
    Object.entries(outputs).forEach(([key, golden], i) => {
      const wanted = tensorOf(golden).data;
      const { data } = results[key];
      let distance = 0;
      for (let at = 0; at < wanted.length; at++)
        distance = Math.max(distance, Math.abs(Number(data[at]) - Number(wanted[at])));
      expect([key, distance <= tolerance[i]]).toEqual([key, true]);
    });
  });
});
