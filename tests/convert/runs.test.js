/** Converted models run in onnxruntime-web, within the goldens' tolerances of the float32 outputs. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'onnx-layout';
import { convertModel } from 'onnx-layout/convert';
import * as ort from 'onnxruntime-web';
import { combinedGoldens, halfGoldens, modelBefore, models } from '../support/convert-goldens.js';
import { ortTensor } from '../support/ort-tensors.js';
import { chooseSample } from '../support/sample.js';

// Threads would outlive the test.
ort.env.wasm.numThreads = 1;
beforeAll(() => init());

/** The results of a model of a given dtype, within a tolerance of each output. */
async function expectNear(name, options, level, wanted, tolerance) {
  const { model } = convertModel(modelBefore(name), options);
  const how = { graphOptimizationLevel: level, executionProviders: ['wasm'] };
  const session = await ort.InferenceSession.create(model, how);
  const { inputs } = models.get(name);
  const feeds = Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, ortTensor(value)]));
  const results = await session.run(feeds);
  await session.release();
  session.outputNames.forEach((key, i) => {
    const { data } = ortTensor(wanted[i]);
    let distance = 0;
    for (let at = 0; at < data.length; at++)
      distance = Math.max(distance, Math.abs(Number(results[key].data[at]) - Number(data[at])));
    expect([key, distance <= tolerance[i]]).toEqual([key, true]);
  });
}

/** Cases whose inputs are those of the float32 model. */
const cases = [
  ...halfGoldens
    .filter(({ keepIo, run }) => keepIo === true && run)
    .map(({ model, ...row }) => {
      const outputs = Object.values(models.get(model).outputs);
      return { ...row, model, options: { dtype: 'fp16' }, outputs };
    }),
  ...combinedGoldens.map(({ bits, block, symmetric, ...row }) => {
    return { ...row, options: { dtype: `q${bits}f16`, blockSize: block, symmetric } };
  }),
];

describe.each(chooseSample(cases, 8))('$name', ({ model, options, outputs, tolerance }) => {
  test.each(['all', 'disabled'])('with optimizations %s', (level) =>
    expectNear(model, options, level, outputs, tolerance),
  );
});
