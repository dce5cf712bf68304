/** `out` of video processors: the same bytes over a caller's memory, by each road, and refusals that leave it alone. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { init, videoProcessor, videoProcessorAsync } from 'onnx-layout/processors';
import { expectOutputs, readClip, readGoldens } from '../../support/processor-goldens.js';
import { expectError } from '../../support/assertions.js';

const [cases, configs] = ['index.json', 'configs.json'].map(readGoldens);
/** @type {(golden: any) => string} */
const nameOf = ({ outputs }) => (outputs.pixel_values ? 'pixel_values' : 'pixel_values_videos');
const ofOne = cases.filter(
  (golden) => golden.kind === 'video' && !golden.error && !golden.outputs[nameOf(golden)].list,
);
/** For each class the call with the most videos, whose parts lie side by side. @type {Map<string, any>} */
const goldens = new Map(ofOne.sort((a, b) => a.videos.length - b.videos.length).map((one) => [one.type, one]));

beforeAll(() => init());

/** @type {(clip: any) => AsyncGenerator<any>} */
async function* streamOf({ dims: [count, height, width, channels], data }) {
  const size = height * width * channels;
  for (let i = 0; i < count; i++) yield { data: data.subarray(i * size, (i + 1) * size), width, height, channels };
}

test.each([...goldens])('%s', async (_, golden) => {
  const config = golden.files ?? configs[golden.config];
  const clips = golden.videos.map(readClip);
  const name = nameOf(golden);
  const { dims, dtype: type } = golden.outputs[name];
  const Data = type === 'uint8' ? Uint8Array : Float32Array;
  const count = dims.reduce((product, dim) => product * dim, 1);
  const video_metadata = clips.map((clip, i) => ({
    total_num_frames: clip.dims[0],
    ...golden.options?.video_metadata?.[i],
  }));
  for (const call of [
    (options) => videoProcessor(config)(clips, options),
    (options) => videoProcessorAsync(config)(clips, options),
    (options) => videoProcessorAsync(config)(clips.map(streamOf), { ...options, video_metadata }),
  ]) {
    const tensor = { type, dims, data: new Data(count).fill(85) };
    const made = await call({ ...golden.options, out: { [name]: tensor } });
    expectOutputs(made, golden);
    expect(made[name].data).toBe(tensor.data);
  }
  const half = { ...golden.options, dtype: 'float16' };
  const tensor = { type: 'float16', dims, data: new Uint16Array(count).fill(85) };
  const made = videoProcessor(config)(clips, { ...half, out: { [name]: tensor } });
  const { data } = videoProcessor(config, { dtype: 'float32' })(clips, half)[name];
  expect(made[name].data).toBe(tensor.data);
  expect(Buffer.compare(bytesOf(tensor.data), bytesOf(data))).toBe(0);
});

const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);

describe('refuses, and leaves memory as it was', () => {
  const mae = { video_processor_type: 'VideoMAEVideoProcessor', crop_size: 2, size: 2 };
  const pe = { video_processor_type: 'PeVideoVideoProcessor', do_rescale: true };
  const llava = { video_processor_type: 'LlavaOnevisionVideoProcessor', size: 2 };
  const data = Float32Array.from({ length: 24 }, (_, i) => i);
  const tensor = { type: 'float32', dims: [1, 2, 3, 2, 2], data };
  const frame = (count = 12, at = 0) => ({ data: new Uint8Array(data.buffer, at, count), width: 2, height: 2 });
  const clip = (count = 2) => ({ type: 'uint8', dims: [count, 2, 2, 3], data: new Uint8Array(12 * count) });

  test.each([
    [TypeError, mae, 5, 'out must be { pixel_values }, got 5'],
    [TypeError, mae, { pixel_values_videos: tensor }, "unknown output 'pixel_values_videos'. Known: pixel_values"],
    [TypeError, llava, { pixel_values: tensor }, "unknown output 'pixel_values'. Known: pixel_values_videos"],
    [
      TypeError,
      mae,
      { pixel_values: data },
      'out pixel_values must be a tensor { type, dims, data }, got Float32Array',
    ],
    [
      TypeError,
      mae,
      { pixel_values: new Tensor('uint8', new Uint8Array(24), [1, 2, 3, 2, 2]) },
      'out pixel_values type must be float32, got uint8',
    ],
    [
      RangeError,
      mae,
      { pixel_values: { ...tensor, dims: [2, 3, 2, 2] } },
      'out pixel_values dims must be [1, 2, 3, 2, 2], got [2, 3, 2, 2]',
    ],
    [
      RangeError,
      mae,
      { pixel_values: { ...tensor, data: data.subarray(1) } },
      'float32 data of dims [1, 2, 3, 2, 2] has 24 entries, got 23',
    ],
    [
      RangeError,
      llava,
      { pixel_values_videos: tensor },
      'out pixel_values_videos must be omitted where videos become tensors of several dims, got one',
      [clip(1), clip(2)],
    ],
    [
      RangeError,
      pe,
      { pixel_values_videos: tensor },
      'out pixel_values_videos dims must be [2, 2, 3, 2, 2], got [1, 2, 3, 2, 2]',
      [clip(1), clip(2)],
    ],
    [
      RangeError,
      mae,
      { pixel_values: tensor },
      'out pixel_values must not overlap videos[1]',
      [{ ...frame(), data: new Uint8Array(12) }, frame(12, 84)],
    ],
    [
      RangeError,
      mae,
      { pixel_values: tensor },
      'out pixel_values must not overlap videos',
      { ...clip(), data: new Uint8Array(data.buffer, 60, 24) },
    ],
  ])('%p %j', (Class, config, out, rule, videos = clip()) => {
    expectError(() => videoProcessor(config)(videos, { out }), Class, `videoProcessor: ${rule}`);
    expect(data).toEqual(Float32Array.from({ length: 24 }, (_, i) => i));
  });

  test('a frame of a stream that lies in `out`', async () => {
    async function* frames() {
      yield frame();
    }
    const call = () => videoProcessorAsync(mae)(frames(), { out: { pixel_values: tensor } });
    await expect(call()).rejects.toEqual(
      new RangeError('videoProcessorAsync: out pixel_values must not overlap videos[0]'),
    );
    expect(data).toEqual(Float32Array.from({ length: 24 }, (_, i) => i));
  });

  test('takes no memory for an `out` that names none', () =>
    expect(videoProcessor(mae)(clip(), { out: {} })).toEqual(videoProcessor(mae)(clip())));
});
