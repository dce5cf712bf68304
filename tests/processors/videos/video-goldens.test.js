/** The video processors' outputs, their choice of frames, their files and refusals against those of transformers. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init, videoProcessor, videoProcessorAsync } from 'onnx-layout/processors';
import { refuseUndeclared } from '../../support/declared-settings.js';
import { chooseSample } from '../../support/sample.js';
import { expectOutputs, hashOf, readClip, readGoldens } from '../../support/processor-goldens.js';

const [cases, configs, classes] = ['index.json', 'configs.json', 'classes.json'].map(readGoldens);
const ofVideos = cases.filter(({ kind, of }) => kind === 'video' || of === 'video');
const samples = cases.filter(({ kind }) => kind === 'sample');

beforeAll(() => init());
beforeAll(refuseUndeclared);

/** @type {(list: any[], key: (one: any) => string) => [string, any[]][]} */
function groupsOf(list, key) {
  const groups = new Map();
  for (const one of list) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return [...groups];
}

const configOf = ({ files, config }) => files ?? configs[config];
/** Python takes one clip as one video. */
const videosOf = ({ videos }) => (videos.length > 1 ? videos.map(readClip) : readClip(videos[0]));

/** Frames as images, as a canvas or a decoder gives them. */
function imagesOf({ dims: [count, height, width, channels], data }) {
  const size = height * width * channels;
  return Array.from({ length: count }, (_, i) => ({
    data: data.subarray(i * size, (i + 1) * size),
    width,
    height,
    channels,
  }));
}

describe.each(groupsOf(ofVideos, ({ kind, type }) => (kind === 'load' ? 'files' : type)))('%s', (_, group) => {
  test.each(group.map((golden) => [golden.id, golden]))('%s', (_id, golden) => {
    const run = () => {
      const processor = videoProcessor(configOf(golden));
      return { processor, outputs: processor(videosOf(golden), golden.options) };
    };
    if (golden.error) {
      expect(run).toThrow(/^videoProcessor: /);
      return;
    }
    const { processor, outputs } = run();
    expect(processor.className).toBe(golden.type);
    expectOutputs(outputs, golden);
  });
});

describe('frames that come one by one', () => {
  const some = chooseSample(
    ofVideos.filter(({ error }) => !error),
    4,
  );
  test.each(some.map((golden) => [golden.id, golden]))('%s', async (_, golden) => {
    const clips = golden.videos.map(readClip);
    const processor = videoProcessorAsync(configOf(golden));
    // A decoder may write the next frame to the same memory.
    const stream = async function* (clip) {
      const memory = new Uint8Array(imagesOf(clip)[0].data.length);
      for (const image of imagesOf(clip)) {
        memory.set(image.data);
        yield { ...image, data: memory };
        memory.fill(77);
      }
    };
    const video_metadata = clips.map(({ dims: [count] }, i) => ({
      total_num_frames: count,
      ...golden.options?.video_metadata?.[i],
    }));
    expectOutputs(await processor(clips.map(stream), { ...golden.options, video_metadata }), golden);
    expectOutputs(await processor(clips.map(imagesOf), golden.options), golden);
    expectOutputs(videoProcessor(configOf(golden))(clips.map(imagesOf), golden.options), golden);
  });
});

test('a stream is asked for no frame after the last that is chosen, and ended', async () => {
  let asked = 0;
  let isEnded = false;
  async function* stream() {
    try {
      for (;;) {
        asked++;
        yield { data: new Uint8Array(48), width: 4, height: 4 };
      }
    } finally {
      isEnded = true;
    }
  }
  const processor = videoProcessorAsync({ video_processor_type: 'VideoMAEVideoProcessor', crop_size: 2 });
  const video_metadata = [{ total_num_frames: 100, fps: 10, duration: 10 }];
  const { pixel_values: values } = await processor(stream(), { do_sample_frames: true, num_frames: 4, video_metadata });
  expect([values.dims, asked, isEnded]).toEqual([[1, 4, 3, 2, 2], 76, true]);
});

test('a group may have as many frames as one likes', () => {
  const frames = 65_536;
  const data = Uint8Array.from({ length: frames * 3 }, (_, i) => i % 251);
  const numbers = { do_resize: false, do_rescale: false, do_normalize: false };
  const sizes = { patch_size: 1, merge_size: 1, temporal_patch_size: frames };
  const processor = videoProcessor({ video_processor_type: 'Qwen2VLVideoProcessor', ...numbers, ...sizes });
  // Of the processor: tests share the machine. Looking through the group at each frame takes minutes.
  const start = process.cpuUsage();
  const outputs = processor({ type: 'uint8', dims: [frames, 1, 1, 3], data });
  expect(process.cpuUsage(start).user).toBeLessThan(30e6);
  expect(outputs.pixel_values_videos.dims).toEqual([1, 3 * frames]);
  expect([...outputs.video_grid_thw.data]).toEqual([1n, 1n, 1n]);
  const red = Uint8Array.from({ length: frames }, (_, i) => data[3 * i]);
  expect(Uint8Array.from(outputs.pixel_values_videos.data.subarray(0, frames))).toEqual(red);
});

/** Python names a frame after the last now and then, and fails: `inside` is without it. */
const frames = ({ inside, indices, ...long }) => inside ?? indices ?? long;

describe.each(groupsOf(samples, ({ type }) => type))('frames of %s', (_, group) => {
  test.each(group.map((golden) => [golden.id, golden]))('%s', (_id, golden) => {
    const choose = () => videoProcessor(golden.settings).sampleFrames(golden.metadata, golden.options);
    if (golden.error) {
      expect(choose).toThrow(/^videoProcessor sampleFrames: /);
      return;
    }
    const got = choose();
    const wanted = frames(golden);
    if (Array.isArray(wanted)) expect(got).toEqual(wanted);
    else expect([got.length, hashOf(Int32Array.from(got))]).toEqual([wanted.count, wanted.sha256]);
  });
});

test('the goldens are all there', () => {
  const counts = ['video', 'sample'].map((name) => cases.filter(({ kind }) => kind === name).length);
  expect(counts).toEqual([232, 501]);
});

test('every class has a row', () => {
  const missing = Object.keys(classes.video).filter((name) => {
    try {
      return videoProcessor({ video_processor_type: name }).className !== name;
    } catch {
      return true;
    }
  });
  expect(missing).toEqual([]);
});

test('every model type leads to its class', () => {
  const types = Object.entries(classes.video_model_types).map(([type, of]) => [
    type,
    typeof of === 'string' ? of : Object.values(of)[0],
  ]);
  for (const [model_type, name] of types) {
    const files = { 'preprocessor_config.json': {}, 'config.json': { model_type } };
    expect(videoProcessor(files).className).toBe(name);
  }
});
