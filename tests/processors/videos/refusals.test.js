/** Videos, metadata, settings and choices of frames that video processors refuse: whole messages. */
import { beforeAll, expect, test } from '@jest/globals';
import { init, videoProcessor, videoProcessorAsync } from 'onnx-layout/processors';
import { expectError, expectRejection } from '../../support/assertions.js';

beforeAll(() => init());

const image = { data: new Uint8Array(12), width: 2, height: 2 };
const configOf = (name, settings) => ({ video_processor_type: `${name}VideoProcessor`, ...settings });
const run = (videos, options, config = configOf('VideoMAE')) => videoProcessor(config)(videos, options);
const tensor = (data, type = 'uint8') => ({ type, dims: [1], data });
const argumentsOf = (name, settings) => [[image], all, configOf(name, settings)];
const withMetadata = (video_metadata, videos = [image], options = {}) => run(videos, { video_metadata, ...options });
const chooseFrames = (name, metadata, options) => videoProcessor(configOf(name)).sampleFrames(metadata, options);
const all = { do_sample_frames: false };
const raw = { ...all, do_resize: false };
const chosen = { do_sample_frames: true, num_frames: 1 };

const two = [[image], [image]];
const draws = { draw_on_frames: true };
const oblong = { size: { max_height: 5, max_width: 6 } };
const overflow = { overflow_strategy: 'x' };
const total = 'video_metadata total_num_frames must be';
test.each([
  ['TypeError', 'videos must be a list of images, a tensor [T, H, W, C] or a list of those, got an object', run, image],
  ['TypeError', 'videos[1] must be a video as the others, got 5', run, [[image], 5]],
  ['RangeError', 'videos must hold at least one image, got []', run, []],
  ['RangeError', 'videos must have dims [T, H, W, 1 or 3], none of them 0, got [1]', run, tensor(new Uint8Array(1))],
  ['TypeError', 'videos must be of uint8, got float32', run, tensor(new Float32Array(1), 'float32')],
  ['TypeError', 'options must be an object, got 5', run, [image], 5],
  ['TypeError', 'onStep must be a function, got 5', run, [image], { onStep: 5 }],
  ['TypeError', 'video_metadata must be an object, got 5', withMetadata, 5],
  ['TypeError', "video_metadata fps must be a number, got 'x'", withMetadata, { fps: 'x' }],
  ['RangeError', 'video_metadata fps must be positive, got 0', withMetadata, { fps: 0 }],
  ['TypeError', `${total} a whole number from 1 to 16777216, got 'x'`, withMetadata, { total_num_frames: 'x' }],
  ['RangeError', `${total} a whole number from 1 to 16777216, got 1.5`, withMetadata, { total_num_frames: 1.5 }],
  ['RangeError', `${total} 1, as many as videos has, got 2`, withMetadata, { total_num_frames: 2 }, [image], chosen],
  ['RangeError', 'video_metadata must hold 1, one for each video, got 2', withMetadata, [{}, {}]],
  ['RangeError', 'video_metadata must be a list of 2, one for each video, got one', withMetadata, {}, two],
  ['TypeError', 'video_sampling must be an object, got 5', videoProcessor, configOf('SmolVLM', { video_sampling: 5 })],
  ['TypeError', 'video_processor_type must be a string, got 7', videoProcessor, { video_processor_type: 7 }],
  ['RangeError', 'draw_on_frames must be false: no text is drawn here', run, ...argumentsOf('Ernie4_5_VLMoe', draws)],
  [
    'RangeError',
    'size must have the keys max_height and max_width, and be square',
    run,
    ...argumentsOf('Kimi_K25', oblong),
  ],
  ['RangeError', 'size must give 1 to 65536 pixels a side, got 0 x 0', run, [image], raw, configOf('MiniCPMV4_6')],
  [
    'RangeError',
    "overflow_strategy must be 'uniform' or 'truncate', got 'x'",
    run,
    ...argumentsOf('EmbeddingGemma2', overflow),
  ],
])('%s: %s', (name, rule, call, ...given) => {
  expectError(() => call(...given), { TypeError, RangeError }[name], `videoProcessor: ${rule}`);
});

test.each([
  ['metadata total_num_frames must be given, got undefined', 'VideoMAE', { total_num_frames: null }],
  ['num_frames must be null here, got 2', 'EmbeddingGemma2', { total_num_frames: 4 }, { num_frames: 2 }],
  ['num_frames must be at least 2, got 1', 'PeVideo', { total_num_frames: 4 }, { num_frames: 1 }],
  ['initial_shift must not be negative, got -1', 'InternVL', { total_num_frames: 4 }, { initial_shift: -1 }],
])('no frames are chosen where %s', (rule, ...given) => {
  expectError(() => chooseFrames(...given), RangeError, `videoProcessor sampleFrames: ${rule}`);
});

test('the number of frames of a stream is not needed but where it counts', async () => {
  const processStream = (count, options, name) => {
    const frames = (async function* () {
      for (let i = 0; i < count; i++) yield image;
    })();
    return videoProcessorAsync(configOf(name))(frames, options);
  };
  // The memory grows.
  const many = (await processStream(20, { ...all, size: { shortest_edge: 2 }, do_center_crop: false }, 'VideoMAE'))
    .pixel_values;
  expect(many.dims).toEqual([1, 20, 3, 2, 2]);
  expect(many.data).toEqual(new Float32Array(240).fill(-1));
  const small = { ...all, size: { shortest_edge: 64, longest_edge: 1024 } };
  const odd = (await processStream(3, small, 'Qwen2VL')).pixel_values_videos;
  expect(odd).toEqual(run([image, image, image], small, configOf('Qwen2VL')).pixel_values_videos);
  const rule = 'videoProcessorAsync: video_metadata total_num_frames must be given';
  await expectRejection(
    () => processStream(1, chosen, 'VideoMAE'),
    RangeError,
    `${rule} to choose frames of videos, got undefined`,
  );
  const sized = `${rule}, on which the sizes of videos depend, got undefined`;
  await expectRejection(() => processStream(1, all, 'Glm5Next'), RangeError, sized);
});

test("Qwen2.5-VL's processor says how many seconds a group of frames has", () => {
  const config = configOf('Qwen2VL', { processor_class: 'Qwen2_5_VLProcessor', fps: 4 });
  expect(run([image], all, config).second_per_grid_ts.toArray()).toEqual([0.5]);
});
