/** Every golden of answers: torch's, torchvision's and transformers', to the bit or within the stated tolerance. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'onnx-layout/image';
import { init as initAnswers } from 'onnx-layout/postprocess';
import { answerTo } from './golden-calls.js';
import { readCases, recordOf } from './goldens.js';

beforeAll(() => Promise.all([init(), initAnswers()]));

describe.each(Object.keys(answerTo))('%s', (file) => {
  const named = readCases(file).map((one) => [one.id, one]);
  test.each(named)('%s', (_, one) => {
    expect(recordOf(answerTo[file](one), one.expect)).toEqual(one.expect);
  });
});

test('all cases are there', () => {
  expect(Object.keys(answerTo).map((file) => readCases(file).length)).toEqual([52, 170, 21, 116, 43]);
});
