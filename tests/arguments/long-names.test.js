/** Names and texts of megabytes: a message shows their beginning, wherever it repeats them. */
import { expect, test } from '@jest/globals';
import { featureExtractor } from 'onnx-layout/audio';
import { saveOutputs } from 'onnx-layout/node';
import { imageProcessor } from 'onnx-layout/processors';

const long = 'x'.repeat(100_000);
const shown = `${'x'.repeat(60)}…`;
const vit = { image_processor_type: 'ViTImageProcessor' };

test.each([
  [
    'the name of a file',
    () => imageProcessor({ [`${long}.json`]: '{' }),
    `imageProcessor: ${shown} must be JSON, got '{'`,
  ],
  [
    'also of sound',
    () => featureExtractor({ [`${long}.json`]: '{' }),
    `featureExtractor: ${shown} must be JSON, got '{'`,
  ],
  [
    'a key',
    () => imageProcessor({ ...vit, size: { [long]: 1 } }),
    /^imageProcessor: size must have the keys .{1,400}$/,
  ],
  [
    'the name of an output',
    () => saveOutputs('x.npy', [{ paths: ['a'], outputs: { [long]: 5 }, failed: [] }]),
    `saveOutputs: ${shown} must be a tensor of pictures to be joined, got 5`,
  ],
])('%s', async (_, call, message) => {
  const work = async () => call();
  await expect(work()).rejects.toThrow(message);
  expect((await work().catch((error) => error)).message.length).toBeLessThan(500);
});
