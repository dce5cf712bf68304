/**
 * A sample of the settings that `node tests/fuzz/configurations.mjs --kinds` tries whole: each setting of each class,
 * set to large numbers and to odd kinds of values.
 */
import { beforeAll, expect, test } from '@jest/globals';
import * as audio from 'onnx-layout/audio';
import * as processors from 'onnx-layout/processors';
import { configurationCases, faultOf } from '../fuzz/configurations.mjs';
import { chooseSample } from '../support/sample.js';

beforeAll(() => Promise.all([audio.init(), processors.init()]));

test('settings of any number and kind give tensors or a documented error, in little time and memory', () => {
  const cases = chooseSample(configurationCases({ kinds: true }), 601);
  expect(cases.length).toBeGreaterThan(250);
  expect(cases.map(faultOf).filter((fault) => fault !== undefined)).toEqual([]);
});
