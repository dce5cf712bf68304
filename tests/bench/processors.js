/** Times image processors beside transformers.js, and beside transformers in Python. */
import * as processors from '../../js/processors/index.js';
import { checksOf, contestsOf, ratioOf } from './contest.js';
import { hashOf } from './data.js';
import { wasmBytes } from './ours.js';
import { pictureOf } from './photo.js';
import { prepareFiles } from './processors-files.js';
import { mostMemory, processorWorkloads, qwenVideo, video } from './processors-workloads.js';
import { loadProcessor } from './resize-peers.js';

const backends = ['torchvision', 'pil'];

/** Our call. */
export function processorCall({ config }, { rgba: _, ...picture }, backend, build = processors) {
  const processor = build.imageProcessor(config, { backend });
  return () => processor(picture);
}

/**
 * Backends of transformers, each with the hash of its result. None where Python or transformers is missing: `pip
 * install torch torchvision transformers` in build/bench/python brings it.
 */
const inPython = ({ data, width, height }, requests) => ({
  name: 'processors',
  arrays: [data],
  requests: requests.map((request) => ({ ...request, width, height })),
});

/**
 * Bytes that a call uses beyond its input and its outputs: the module's memory, and all arrays that the call makes,
 * whether they live at one time or not.
 */
function memoryOf(run) {
  run();
  globalThis.gc?.();
  const before = process.memoryUsage().arrayBuffers;
  const outputs = run();
  const after = process.memoryUsage().arrayBuffers;
  const kept = Object.values(outputs).reduce((sum, { data }) => sum + data.byteLength, 0);
  return wasmBytes() + Math.max(0, after - before - kept);
}

/** One workload. Both backends give the bytes of Python's; transformers.js resizes otherwise. */
async function prepare(workload) {
  const { name, kind, from, config, bars } = workload;
  const picture = pictureOf(3, from);
  const ours = Object.fromEntries(backends.map((backend) => [backend, processorCall(workload, picture, backend)]));
  const memory = memoryOf(ours.torchvision);
  const fasterIn = (times) => Math.min(...backends.map((backend) => times[`Python ${backend}`] ?? Infinity));
  const limits = { 'transformers.js': [bars['transformers.js'], 0.1], "Python's faster": [bars.python] };
  return {
    title: `${name}: ${kind} of RGB ${from.join('x')} to pixel_values`,
    contenders: { ...ours, 'transformers.js': await loadProcessor(`${kind}ImageProcessor`, config, picture) },
    python: inPython(
      picture,
      backends.map((backend) => ({ config, backend, expected: hashOf(ours[backend]().pixel_values.data) })),
    ),
    references: (times) => ({ "Python's faster": fasterIn(times) }),
    bars: { torchvision: limits, pil: limits },
    ratios: [ratioOf('memory', `${mostMemory / 1e6} MB`, memory / mostMemory, 1)],
  };
}

/** The part of a core that a video's frames take. */
function prepareVideo() {
  const { from, config, framesPerSecond, most } = video;
  const { rgba, width, height } = pictureOf(4, from);
  const frame = { data: rgba, width, height, channels: 4 };
  const callOf = (backend) => {
    const processor = processors.imageProcessor(config, { backend });
    return () => processor(frame, { do_convert_rgb: false });
  };
  return {
    title: `video: CLIP of ${framesPerSecond} frames a second, RGBA ${from.join('x')}`,
    contenders: Object.fromEntries(backends.map((backend) => [backend, callOf(backend)])),
    references: () => ({ 'a core': 1000 / framesPerSecond }),
    bars: Object.fromEntries(backends.map((backend) => [backend, { 'a core': [most] }])),
  };
}

/** Frames of the photograph, each a pixel further right than the one before. */
function clipOf(frames, [width, height]) {
  const { data } = pictureOf(3, [width + frames, height]);
  const clip = new Uint8Array(frames * height * width * 3);
  for (let row = 0; row < frames * height; row++) {
    const from = 3 * ((row % height) * (width + frames) + Math.floor(row / height));
    clip.set(data.subarray(from, from + 3 * width), 3 * row * width);
  }
  return { data: clip, width, height };
}

/** A video beside Python's video processor. */
function prepareQwenVideo() {
  const { frames, from, config, threads, most, mostIntoOut } = qwenVideo;
  const clip = clipOf(frames, from);
  const processor = processors.videoProcessor(config);
  const video = { type: 'uint8', dims: [frames, clip.height, clip.width, 3], data: clip.data };
  const ours = () => processor(video, { do_sample_frames: false });
  const out = { pixel_values_videos: ours().pixel_values_videos };
  const expected = hashOf(out.pixel_values_videos.data);
  const theirs = 'Python torchvision';
  return {
    title: `video: Qwen2.5-VL of ${frames} frames of ${from.join('x')} to pixel_values_videos`,
    contenders: { ours, 'ours into out': () => processor(video, { do_sample_frames: false, out }) },
    python: inPython(clip, [{ config, frames, threads, backend: 'torchvision', expected }]),
    bars: { ours: { [theirs]: [most] }, 'ours into out': { [theirs]: [mostIntoOut] } },
  };
}

/** The checks by the name that `--only` takes: `processors` takes all of them. */
export const processorChecks = checksOf('processors', {
  ...contestsOf(processorWorkloads, prepare),
  video: prepareVideo,
  'qwen-video': prepareQwenVideo,
  files: prepareFiles,
});
