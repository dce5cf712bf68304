/** Two calls, and both again: earlier calls do not change the results. The commit's hash chooses the classes. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { imageProcessor, init, videoProcessor } from 'onnx-layout/processors';
import { goldenJson, hashOf } from '../support/goldens.js';
import { chooseSample } from '../support/sample.js';
import { randomData } from '../support/samples.js';

beforeAll(() => init());

const classes = goldenJson('processors/classes.json');
const picture = (width, height, seed) => ({ data: randomData('uint8', 3 * width * height, seed), width, height });
const clip = (count, width, height, seed) => Array.from({ length: count }, (_, i) => picture(width, height, seed + i));

/** The hashes of the outputs, or the message of an error: some classes need prompts or pairs. */
function outcomeOf(call) {
  const hashesOf = (value) => (value?.data ? [hashOf(value.data)] : Object.values(value ?? {}).flatMap(hashesOf));
  try {
    return hashesOf(call());
  } catch (error) {
    return error.message;
  }
}

const expectSameTwice = (first, second) => {
  const before = [outcomeOf(first), outcomeOf(second)];
  expect([outcomeOf(first), outcomeOf(second)]).toEqual(before);
};

describe('pictures', () => {
  test.each(chooseSample(Object.keys(classes.image), 8))('%s', (image_processor_type) => {
    const run = imageProcessor({ image_processor_type });
    expectSameTwice(
      () => run(picture(97, 64, 1)),
      () => run(picture(40, 51, 2)),
    );
  });
});

describe('videos, of more frames and of fewer', () => {
  const config = { draw_on_frames: false, do_sample_frames: false };
  test.each(chooseSample(Object.keys(classes.video), 4))('%s', (video_processor_type) => {
    const run = videoProcessor({ video_processor_type, ...config });
    expectSameTwice(
      () => run(clip(7, 97, 64, 1)),
      () => run(clip(3, 60, 71, 9)),
    );
  });
});
