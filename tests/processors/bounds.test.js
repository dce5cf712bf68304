/** Sizes and choices of frames where a rule meets its bound or a tie exactly: Python's own, of bounds.json. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { imageProcessor, init, videoProcessor } from 'onnx-layout/processors';
import { goldenJson } from '../support/goldens.js';

beforeAll(() => init());

const { sizes, frames } = goldenJson('processors/bounds.json');

describe('sizes', () => {
  test.each(sizes)('%s %j: a picture of %j', (className, settings, [width, height], expected) => {
    const picture = { data: new Uint8Array(3 * width * height), width, height };
    const dims = () => {
      const outputs = imageProcessor(settings, { className })(picture);
      return Object.fromEntries(Object.entries(outputs).map(([name, output]) => [name, output.dims]));
    };
    if (expected) expect(dims()).toEqual(expected);
    else expect(dims).toThrow(RangeError);
  });
});

describe('frames', () => {
  test.each(frames)('%s %j: of %j, %j', (name, settings, metadata, options, expected) => {
    const processor = videoProcessor(settings, { className: `${name}VideoProcessor` });
    const choose = () => processor.sampleFrames(metadata, options);
    if (expected) expect(choose()).toEqual(expected);
    else expect(choose).toThrow(RangeError);
  });
});
