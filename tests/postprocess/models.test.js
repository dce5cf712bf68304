/** Outputs of real models (`tests/goldens/models`): RapidOCR's boxes and texts, Silero's segments of speech. */
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { cropTextBox, ctcDecode, init, sortTextBoxes, speechSegments, textDetection } from 'onnx-layout/postprocess';
import { PNG } from 'pngjs';
import { goldenFile, goldenJson } from '../support/goldens.js';

beforeAll(() => init());

describe('PP-OCR', () => {
  const golden = goldenJson('models/ocr.json');
  const { data, width, height } = PNG.sync.read(goldenFile('models/text.png'));
  const image = new Tensor('uint8', new Uint8Array(data), [height, width, 4]);
  const map = Float32Array.from(gunzipSync(goldenFile('models/text-map.gz')), (level) => level / 255);
  const detected = () => textDetection(new Tensor('float32', map, golden.map), { size: [height, width] });

  test("a map of probabilities becomes RapidOCR's boxes, in its order", () => {
    const { boxes, scores } = detected();
    expect(sortTextBoxes(boxes).toArray()).toEqual(golden.boxes.flat(2));
    // RapidOCR sorts the boxes and leaves their scores.
    scores.data.forEach((score, i) => expect(Math.abs(score - golden.scores[i])).toBeLessThan(1e-6));
    expect(scores.dims).toEqual([golden.scores.length]);
  });

  test('each box is cut out and straightened', () => {
    const crops = golden.boxes.map((box) => cropTextBox(image, Tensor.from('float32', box.flat(), [4, 2])));
    const sides = golden.boxes.map(([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) => [
      Math.trunc(Math.max(Math.hypot(x0 - x3, y0 - y3), Math.hypot(x1 - x2, y1 - y2))),
      Math.trunc(Math.max(Math.hypot(x0 - x1, y0 - y1), Math.hypot(x2 - x3, y2 - y3))),
      4,
    ]);
    expect(crops.map(({ dims }) => dims)).toEqual(sides);
  });

  test("a recognizer's steps become RapidOCR's texts", () => {
    const lines = golden.steps.flatMap(({ dims: [batch, steps, classes], indices, values }) => {
      const characters = Array.from({ length: classes }, (_, i) => golden.characters[i] ?? '?');
      const probs = new Float32Array(batch * steps * classes);
      indices.flat().forEach((index, i) => {
        probs[i * classes + index] = values.flat()[i];
      });
      return ctcDecode(new Tensor('float32', probs, [batch, steps, classes]), { character_list: characters, round: 5 });
    });
    // RapidOCR reads lines by their width.
    const expected = golden.texts.map((text, i) => ({ text, score: golden.text_scores[i] }));
    const byText = (a, b) => (a.text < b.text ? -1 : 1);
    expect(lines.sort(byText)).toEqual(expected.sort(byText));
  });
});

test.each(goldenJson('models/vad.json').map((one) => [one.input, one]))(
  "Silero's probabilities of %s become its segments",
  (_, { probabilities, samples, segments, options, loose }) => {
    const tensor = Tensor.from('float32', probabilities);
    expect(speechSegments(tensor, { audio_length_samples: samples })).toEqual(segments);
    expect(speechSegments(tensor, { audio_length_samples: samples, ...options })).toEqual(loose);
  },
);
