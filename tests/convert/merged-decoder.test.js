/** A merged decoder, an If with a cache, as q4f16 in onnxruntime-web. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'onnx-layout';
import { convertModel } from 'onnx-layout/convert';
import { readModel } from 'onnx-layout/io';
import * as ort from 'onnxruntime-web';
import { goldenJson } from '../support/goldens.js';
import { ortTensor } from '../support/ort-tensors.js';

// Threads would outlive the test.
ort.env.wasm.numThreads = 1;
beforeAll(() => init());

const { model, runs } = goldenJson('convert/merged-decoder.json');
const file = new Uint8Array(Buffer.from(model, 'base64'));

/** The outputs of a model for the inputs of each run. */
async function outputsOf(bytes) {
  const session = await ort.InferenceSession.create(bytes, { executionProviders: ['wasm'] });
  const all = [];
  for (const { inputs } of runs) {
    const feeds = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, ortTensor(value)]));
    const results = await session.run(feeds);
    all.push(session.outputNames.map((name) => results[name]));
  }
  await session.release();
  return all;
}

/** The largest distance of outputs, in parts of the largest number. */
function distanceOf(actual, wanted) {
  let [distance, largest] = [0, 0];
  actual.forEach((outputs, run) => {
    outputs.forEach(({ data, dims }, i) => {
      expect(dims).toEqual(wanted[run][i].dims);
      for (let at = 0; at < data.length; at++) {
        distance = Math.max(distance, Math.abs(data[at] - wanted[run][i].data[at]));
        largest = Math.max(largest, Math.abs(wanted[run][i].data[at]));
      }
    });
  });
  return distance / largest;
}

describe('a merged decoder', () => {
  const wanted = runs.map(({ outputs }) => outputs.map(ortTensor));

  test('runs as onnxruntime runs it in Python', async () => {
    expect(distanceOf(await outputsOf(file), wanted)).toBeLessThan(1e-5);
  });

  test('q4f16 packs the matrices of both branches and of the graph around them', async () => {
    const { model: converted, report } = convertModel(file, { dtype: 'q4f16' });
    const packed = report.filter(({ to }) => to === 'int4').map(({ value }) => value);
    expect(packed.sort()).toEqual([
      ...['k_proj', 'lm_head', 'merged/else_branch/first_o_proj', 'merged/then_branch/past_o_proj', 'q_proj', 'v_proj'],
    ]);
    expect(readModel(converted).initializers.get('embed').type).toBe('float16');
    const results = await outputsOf(converted);
    const whole = await outputsOf(convertModel(file, { dtype: 'q4' }).model);
    expect(distanceOf(results, whole)).toBeLessThan(0.005);
    expect(distanceOf(results, wanted)).toBeLessThan(0.25);
  });

  test('fp16 and q8 run too', async () => {
    for (const [dtype, limit] of [
      ['fp16', 0.005],
      ['q8', 0.05],
    ])
      expect([dtype, distanceOf(await outputsOf(convertModel(file, { dtype }).model), wanted) < limit]).toEqual([
        dtype,
        true,
      ]);
  });
});
