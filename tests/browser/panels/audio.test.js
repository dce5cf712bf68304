/** The drawings and the files of the audio panel, without a DOM. */
import { describe, expect, test } from '@jest/globals';
import { featureExtractor, init as initAudio } from 'onnx-layout/audio';
import { pictureOf, outlineOf } from '../../../web/audio/drawing.js';
import * as audioFiles from '../../../web/audio/files.js';

describe('sounds', () => {
  test('are outlined by their least and greatest samples', () =>
    expect([...outlineOf(Float32Array.of(0.5, -0.25, 0.75, 0.25, -1, 0), 3)]).toEqual([-0.25, 0.5, 0, 0.75, -1, 0]));

  const gray = Uint32Array.from({ length: 256 }, (_, i) => i);
  test.each([
    ['time to the right', true, [1, 2, 4], [0, 1, 9, 9, 2, 3, 9, 9]],
    ['time of the last axis but one', false, [1, 4, 2], [0, 2, 1, 3, 9, 9, 9, 9]],
  ])('are drawn upwards and without padding, %s', (_, isTimeLast, dims, numbers) => {
    const { data, ...size } = pictureOf({ dims, data: Float32Array.from(numbers) }, isTimeLast, gray);
    expect(size).toEqual({ width: 2, height: 2, frames: 4 });
    expect([...new Uint32Array(data.buffer)]).toEqual([2, 3, 0, 1].map((value) => Math.round((value * 255) / 9)));
  });

  test('are drawn whole in a range that is given', () => {
    const { data, width } = pictureOf({ dims: [1, 3], data: Float32Array.of(-9, 0, 9) }, true, gray, [-1, 1]);
    expect([width, ...new Uint32Array(data.buffer)]).toEqual([3, 0, 128, 255]);
  });

  test.each(Object.keys(audioFiles.configs))('%s: every setting is one of the class', async (name) => {
    await initAudio();
    const extract = featureExtractor(audioFiles.textOf(name));
    expect(extract.ignored).toEqual([]);
    const outputs = extract(new Float32Array(extract.sampling_rate));
    const [first] = Object.keys(outputs);
    const code = audioFiles.codeFor(extract.sampling_rate, outputs);
    expect(code).toContain(`new_freq: ${extract.sampling_rate} }`);
    expect(code).toContain(`// ${first}: float32 [${outputs[first].dims.join(', ')}]`);
  });
});
