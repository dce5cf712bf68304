/** Segments of speech: Silero's answers, and whole messages. */
import { beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Tensor } from 'onnx-layout';
import { init, speechSegments } from 'onnx-layout/postprocess';

beforeAll(() => init());

const file = new URL('../goldens/postprocess/speech.json', import.meta.url);
const cases = JSON.parse(readFileSync(file, 'utf8'));

/** @type {(digits: string) => Tensor} a hexadecimal digit a window, over 15 */
const probabilitiesOf = (digits) =>
  new Tensor(
    'float32',
    Float32Array.from(digits, (digit) => parseInt(digit, 16) / 15),
    [digits.length],
  );

test.each(cases.map((one, i) => [i, one]))('Silero answers %i', (_, { probabilities, options, expect: expected }) => {
  expect(speechSegments(probabilitiesOf(probabilities), options)).toEqual(expected);
});

test.each([
  [7, 25, 0.2],
  [7, 26, 0.2],
  [7, 26.0625, 0.3],
  [23, 14, 0.8],
])('%i windows and %d ms end at %d seconds: ties go to the even digit', (count, speech_pad_ms, end) => {
  const probabilities = probabilitiesOf('f'.repeat(count) + '0'.repeat(20));
  const options = { speech_pad_ms, min_speech_duration_ms: 0, return_seconds: true };
  expect(speechSegments(probabilities, options)).toEqual([{ start: 0, end }]);
});

const one = probabilitiesOf('f');
test.each([
  [[7], TypeError, 'probabilities must be a tensor { type, dims, data }, got 7'],
  [[Tensor.from('float32', [1], [1, 1])], RangeError, 'probabilities must have dims [windows], got [1, 1]'],
  [[one, { sampling_rate: 44100 }], RangeError, 'sampling_rate must be 8000 or 16000, got 44100'],
  [[one, { threshold: NaN }], RangeError, 'threshold must be a number, got NaN'],
  [[one, { neg_threshold: '1' }], TypeError, "neg_threshold must be a number, got '1'"],
  [[one, { speech_pad_ms: -1 }], RangeError, 'speech_pad_ms must be at least 0, got -1'],
  [[one, { audio_length_samples: 513 }], RangeError, 'audio_length_samples must be of 1 windows of 512, got 513'],
  [[one, { time_resolution: 21 }], RangeError, 'time_resolution must be in [0, 20], got 21'],
  [[one, { return_seconds: 'x' }], TypeError, "return_seconds must be 0 or 1, got 'x'"],
])('it refuses %#', (given, Class, message) => {
  expect(() => speechSegments(...given)).toThrow(new Class(`speechSegments: ${message}`));
});
