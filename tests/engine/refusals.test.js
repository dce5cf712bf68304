/** After 40 refusals for lack of memory, the audio and the postprocess module work as before. */
import { expect, test } from '@jest/globals';
import * as audio from 'onnx-layout/audio';
import * as answers from 'onnx-layout/postprocess';

await Promise.all([audio.init(), answers.init()]);

const samples = Float32Array.from({ length: 3000 }, (_, i) => Math.sin(i * i * 1e-4) / 2);
const floats = (values, dims) => ({ type: 'float32', data: Float32Array.from(values), dims });
const x = floats(
  Array.from({ length: 96 }, (_, i) => Math.sin(i)),
  [1, 6, 4, 4],
);
const large = 2 ** 15;

/** For each module, calls that throw and calls that work. */
const modules = {
  audio: {
    failing: [
      () => audio.windowFunction(2 ** 24),
      () => audio.spectrogram(samples, { window: new Float64Array(2 ** 18), frame_length: 2 ** 18, hop_length: 1 }),
      () => audio.resampleAudio(samples, { orig_freq: 1, new_freq: 2 ** 31 - 1 }),
    ],
    working: [
      () => audio.resampleAudio(samples, { orig_freq: 16000, new_freq: 11025 }),
      () => audio.mfcc(samples, { preset: 'librosa' }).data,
      () => audio.featureExtractor({ feature_extractor_type: 'ASTFeatureExtractor' })(samples).input_values.data,
    ],
  },
  postprocess: {
    failing: [
      () => answers.interpolate(x, { size: [large, large], mode: 'bicubic' }),
      () => answers.interpolate(x, { size: [large, large], mode: 'bilinear' }),
    ],
    working: [
      () => answers.interpolate(x, { size: [7, 9], mode: 'bicubic' }).data,
      () => answers.softmax(x).data,
      () => answers.topk(floats(x.data, [96]), 9).values.data,
    ],
  },
};

test.each(Object.entries(modules))('%s: 40 refusals', (_, { failing, working }) => {
  const bytes = () => working.map((call) => Buffer.from(call().slice().buffer).toString('base64'));
  const before = bytes();
  for (let i = 0; i < 40; i++) expect(failing[i % failing.length]).toThrow(RangeError);
  expect(bytes()).toEqual(before);
});
