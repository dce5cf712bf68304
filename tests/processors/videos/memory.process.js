/** Prints by how many MB the process grew while it read a stream of 400 frames of 2.8 MB, which are new memory each. */
import { init, videoProcessorAsync } from 'onnx-layout/processors';

const [width, height] = [1280, 720];
async function* stream(count) {
  for (let i = 0; i < count; i++) yield { data: new Uint8Array(3 * width * height).fill(i), width, height };
}

await init();
const config = { size: { shortest_edge: 8 }, crop_size: 8, do_sample_frames: false };
const processor = videoProcessorAsync(config, { className: 'VideoMAEVideoProcessor' });
await processor(stream(20));
const peak = () => process.resourceUsage().maxRSS / 1024;
const before = peak();
const { pixel_values: values } = await processor(stream(400));
console.log(JSON.stringify({ used: peak() - before, dims: values.dims }));
