/** How much memory an image, a video or a sound may become, whatever the configuration says. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init, transpose } from 'onnx-layout';
import * as audio from 'onnx-layout/audio';
import * as processors from 'onnx-layout/processors';
import { refuses } from '../support/assertions.js';

beforeAll(() => Promise.all([init(), audio.init(), processors.init()]));

const image = (fill = 7) => ({ data: new Uint8Array(48).fill(fill), width: 4, height: 4 });
const frames = (count) => Array.from({ length: count }, (_, i) => image(i));
const { featureExtractor } = audio;
const { imageProcessor, imageProcessorAsync, videoProcessor, videoProcessorAsync } = processors;

const ofImage = (className, config) => () => imageProcessor(config, { className })(image());
const ofVideo = (className, config) => () => {
  const config_ = { do_sample_frames: false, ...config };
  return videoProcessor(config_, { className: `${className}VideoProcessor` })(frames(2));
};
const ofAudio = (className, config, options) => () =>
  featureExtractor(config, { className })(new Float32Array(1600), options);
const limit = 2 ** 30;

describe('one large number is refused before it is memory:', () => {
  /** The bytes that the class asks for first beyond the limit. */
  test.each([
    ['an image', ofImage('ViT', { size: { height: 32768, width: 32768 } }), 12 * 2 ** 30],
    ['an image', ofImage('CLIP', { crop_size: 32768 }), 12 * 2 ** 30],
    ['an image', ofImage('Qwen2VL', { temporal_patch_size: 1e5 }), 12 * 56 * 56 * 1e5],
    ['an image', ofImage('Pix2Struct', { max_patches: 1e6 }), 4 * 770 * 1e6],
    ['an image', ofImage('Pix2Struct', { patch_size: { height: 8, width: 65536 } }), 4 * 2048 * (2 + 24 * 65536)],
    ['an image', ofImage('Siglip2', { max_num_patches: 1e6 }), 4 * 768 * 1e6],
    ['an image', ofImage('Owlv2', { size: { height: 32768, width: 32768 } }), 12 * 2 ** 30],
    ['an image', ofImage('Swin2SR', { size_divisor: 32768 }), 12 * 2 ** 30],
    ['an image', ofImage('Mask2Former', { size_divisor: 32768 }), 12 * 2 ** 30],
    ['a video', ofVideo('VideoMAE', { size: { shortest_edge: 32768 }, crop_size: 32768 }), 24 * 2 ** 30],
    ['an image', ofImage('Molmo2', { pooling_size: [1e9, 1e9] }), 128e18],
    ['audio', ofAudio('Whisper', { chunk_length: 1e5 }), 4 * 16000 * 1e5],
    ['audio', ofAudio('Clvp', { default_audio_length: 1e6 }), 4 * 22050 * 1e6],
    ['audio', ofAudio('Clap', { max_length_s: 1e6 }), 4 * 48000 * 1e6],
    ['audio', ofAudio('PocketTTS', { pause_duration: 1e6 }), 4 * (24000 * 1e6 + 1440)],
    ['audio', ofAudio('Wav2Vec2', {}, { padding: 'max_length', max_length: 1e9 }), 4e9],
  ])('%s #%#', (item, call, bytes) => {
    const message = `${item} must become at most ${limit} bytes (maxBytes), got ${bytes}`;
    expect(call).toThrow(new RegExp(`^[A-Za-z0-9]+: ${message.replace(/[()]/g, '\\$&')}$`));
    expect(call).toThrow(RangeError);
  });

  test('at the end of a stream, too', () => {
    for (const [className, config, options] of [
      ['Whisper', { chunk_length: 1e5 }],
      ['Gemma4Audio', {}, { padding: 'max_length', max_length: 1e9, truncation: false }],
      ['Dac', {}, { padding: 'max_length', max_length: 1e9 }],
      ['Wav2Vec2', {}, { padding: 'max_length', max_length: 1e9 }],
    ]) {
      const stream = featureExtractor(config, { className }).stream(options);
      stream.push(new Float32Array(1600));
      expect(() => stream.end()).toThrow(/audio must become at most 1073741824 bytes \(maxBytes\), got \d+$/);
    }
  });
});

/** 192 bytes of each picture. */
const small = { size: { height: 4, width: 4 } };
const strict = (maxBytes) => imageProcessor(small, { className: 'ViT', maxBytes });

describe('maxBytes', () => {
  test('counts for each image, however many there are', () => {
    expect(strict(192)([image(), image(), image()]).pixel_values.dims).toEqual([3, 3, 4, 4]);
    const message = 'imageProcessor: an image must become at most 191 bytes (maxBytes), got 192';
    expect(() => strict(191)([image(), image(), image()])).toThrow(new RangeError(message));
    // The caller's own memory does not count.
    const out = strict(192)(image());
    expect(strict(1)(image(), { out }).pixel_values.data).toBe(out.pixel_values.data);
  });

  test('counts what lies between the image and the result', () => {
    const config = { ...small, size: { height: 8, width: 8 }, crop_size: 2, do_center_crop: true };
    const tiled = imageProcessor({ tile_size: 2, max_image_tiles: 4 }, { className: 'PerceptionLM', maxBytes: 100 });
    expect(() => imageProcessor(config, { className: 'ViT', maxBytes: 48 })(image())).not.toThrow();
    expect(() => tiled(image())).toThrow(/^imageProcessor: an image must become at most 100 bytes \(maxBytes\)/);
  });

  test('may be more than 1 GiB', () => {
    const processor = imageProcessor(
      { size: { height: 65536, width: 65536 } },
      { className: 'ViT', maxBytes: Infinity },
    );
    expect(() => processor(Array(800).fill(image()))).toThrow(/^imageProcessor: result must fit in memory, got/);
  });

  test('does not count what a listener does, and holds for its pixels', () => {
    const names = [];
    const onStep = ({ name, pixels }) => {
      names.push([name, pixels?.().data.length]);
      transpose({ type: 'uint8', dims: [100, 100], data: new Uint8Array(1e4) });
    };
    imageProcessor({ size: { height: 6, width: 6 } }, { className: 'ViT', maxBytes: 432 })(image(), { onStep });
    expect(names[0]).toEqual(['resize', 108]);
    const show = ({ pixels }) => pixels?.();
    const processor = imageProcessor(
      { size: { height: 60, width: 60 }, crop_size: 2, do_center_crop: true },
      { className: 'CLIP', maxBytes: 48 },
    );
    const message = 'imageProcessor: an image must become at most 48 bytes (maxBytes), got 10800';
    expect(() => processor(image(), { onStep: show })).toThrow(new RangeError(message));
  });

  test('leaves the next call and other functions as they were', () => {
    expect(() => strict(1)(image())).toThrow(RangeError);
    const { dims } = transpose({ type: 'uint8', dims: [100, 100], data: new Uint8Array(1e4) });
    expect(dims).toEqual([100, 100]);
    expect(strict(192)(image()).pixel_values.dims).toEqual([1, 3, 4, 4]);
  });

  test('counts for each video', async () => {
    const config = { size: { shortest_edge: 4 }, crop_size: 4, do_sample_frames: false };
    const options = { className: 'VideoMAEVideoProcessor', maxBytes: 4 * 192 };
    expect(videoProcessor(config, options)([frames(2), frames(2)]).pixel_values.dims).toEqual([2, 2, 3, 4, 4]);
    const message = 'a video must become at most 768 bytes (maxBytes), got 960';
    expect(() => videoProcessor(config, options)(frames(5))).toThrow(new RangeError(`videoProcessor: ${message}`));
    const late = videoProcessorAsync(config, options);
    expect((await late([frames(2), frames(2)])).pixel_values.dims).toEqual([2, 2, 3, 4, 4]);
    await expect(late(frames(5))).rejects.toThrow(new RangeError(`videoProcessorAsync: ${message}`));
  });

  test('counts for each sound, and for each part of a stream', async () => {
    const extract = featureExtractor({ do_normalize: false }, { className: 'Wav2Vec2', maxBytes: 4000 });
    const options = { padding: 'max_length', max_length: 1000 };
    const one = new Float32Array(10);
    expect(() => extract(one, { ...options, max_length: 1001 })).toThrow(
      new RangeError('Wav2Vec2FeatureExtractor: audio must become at most 4000 bytes (maxBytes), got 4004'),
    );
    expect(extract(one, options).input_values.dims).toEqual([1, 1000]);
    const { pixel_values: values } = await imageProcessorAsync(small, { className: 'ViT', maxBytes: 192 })(image());
    expect(values.dims).toEqual([1, 3, 4, 4]);
  });
});

test('lists of any length are measured before they are read', () => {
  const long = new Array(2 ** 32 - 1);
  const rule = 'must have 0 to 1000000 entries, got 4294967295';
  const calls = {
    'imageProcessor: images': () => imageProcessor({}, { className: 'Idefics3' })(long),
    'imageProcessor: images[0]': () => imageProcessor({}, { className: 'Idefics3' })([long]),
    'imageProcessor: input_points': () => imageProcessor({}, { className: 'Sam' })(image(), { input_points: [[long]] }),
    'videoProcessor: videos': () => videoProcessor({}, { className: 'VideoMAEVideoProcessor' })(long),
    'featureExtractor: mel_norms': () => featureExtractor({ mel_norms: [long] }, { className: 'Clvp' }),
  };
  for (const [name, call] of Object.entries(calls)) expect(call).toThrow(new RangeError(`${name} ${rule}`));
  const own = [];
  own.push(own);
  expect(() => imageProcessor({}, { className: 'Sam' })(image(), { input_points: own })).toThrow(
    new RangeError('imageProcessor: input_points must be nested at most 8 deep, got 9'),
  );
});

const wrong = {
  "TypeError: maxBytes must be a number, got '1'": '1',
  'TypeError: maxBytes must be a number, got null': null,
  'RangeError: maxBytes must be at least 1, got 0': 0,
  'RangeError: maxBytes must be at least 1, got NaN': NaN,
};
for (const [name, door, className] of [
  ['imageProcessor', imageProcessor, 'ViT'],
  ['videoProcessor', videoProcessor, 'VideoMAEVideoProcessor'],
  ['featureExtractor', featureExtractor, 'Whisper'],
])
  refuses(
    name,
    Object.fromEntries(
      Object.entries(wrong).map(([message, maxBytes]) => [message, () => door({}, { className, maxBytes })]),
    ),
  );
