/** JSON as Python's json module reads it, in all that takes a configuration. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { featureExtractor } from 'onnx-layout/audio';
import { postProcessor } from 'onnx-layout/postprocess';
import { imageProcessor, videoProcessor } from 'onnx-layout/processors';
import { refuses } from '../support/assertions.js';

const texts = JSON.parse(readFileSync(new URL('../goldens/processors/json-texts.json', import.meta.url), 'utf8'));

test('400 texts are read or refused as Python does', () => {
  expect(texts.length).toBeGreaterThan(390);
  const wrong = texts.filter(([text, read]) => {
    let keys;
    try {
      keys = [...imageProcessor(text, { className: 'ViT' }).ignored];
    } catch (error) {
      // Settings of ViT do not stand in these texts: only the text can be refused.
      if (!error.message.startsWith('imageProcessor: config must be')) throw error;
    }
    return JSON.stringify(keys?.sort()) !== JSON.stringify(read?.keys.sort());
  });
  expect(wrong).toEqual([]);
});

test('a number is what Python reads: the last of a key that stands twice', () => {
  const number = { inf: 'Infinity', '-inf': '-Infinity', nan: 'NaN' };
  const read = texts.filter(([, one]) => one);
  // The message of a flag shows what was read.
  const messages = read.map(([text]) => {
    try {
      return imageProcessor(text.replaceAll('"value"', '"do_resize"'), { className: 'ViT' }).className;
    } catch ({ message }) {
      return message;
    }
  });
  expect(messages).toEqual(
    read.map(([, { value }]) => {
      const shown = number[value] ?? String(Number(value));
      if (shown === '1') return 'ViTImageProcessor';
      return `imageProcessor: do_resize must be true or false, got ${shown}`;
    }),
  );
});

test('every function of configurations reads them', () => {
  const text = '{ "unread": [NaN, -Infinity], "last": Infinity }';
  const ignored = ['unread', 'last'];
  expect(imageProcessor(text, { className: 'ViT' }).ignored).toEqual(ignored);
  expect(imageProcessor({ 'preprocessor_config.json': text }, { className: 'ViT' }).ignored).toEqual(ignored);
  expect(videoProcessor(text, { className: 'VideoMAEVideoProcessor' }).ignored).toEqual(ignored);
  expect(featureExtractor(text, { className: 'Whisper' }).ignored).toEqual(ignored);
  expect(postProcessor(text, { className: 'DetrImageProcessor' }).className).toBe('DetrImageProcessor');
});

refuses('imageProcessor', {
  'RangeError: config must be JSON, got text with a byte order mark of 3 bytes': () => imageProcessor('\ufeff{}'),
  'RangeError: config must be JSON, got text of 22 bytes: \'{ "a": nan, "b": NaN }\'': () =>
    imageProcessor('{ "a": nan, "b": NaN }'),
  'RangeError: image_mean must be finite in float32, got [NaN, 0, 0]': () =>
    imageProcessor('{ "image_mean": [NaN, 0, 0] }', { className: 'ViT' }),
});
