/** Times image processors beside transformers.js, and beside transformers in Python. */
import { imageProcessor, videoProcessor } from '../../js/processors/index.js';
import { checksOf, contest, expectHash, inPython, judged, ratioOf, ratiosOf } from './contest.js';
import { budgetOf, race } from './measure.js';
import { wasmBytes } from './ours.js';
import { pictureOf } from './photo.js';
import { mostMemory, processorWorkloads, qwenVideo, video } from './processors-workloads.js';
import { loadProcessor } from './resize-peers.js';

const backends = ['torchvision', 'pil'];

/**
 * Both backends of transformers, each with the hash of its result. Empty where Python or transformers is missing: `pip
 * install torch torchvision transformers` in build/bench/python brings it.
 */
const pythonsOf = (request, { data, width, height }, names = backends) =>
  inPython('processors', [data], ([file], { versions, folder }) =>
    Object.fromEntries(
      (versions.transformers ? names : []).map((backend) => [
        `Python ${backend}`,
        { ...request, backend, file, width, height, folder },
      ]),
    ),
  );

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
async function measure(workload, options) {
  const { name, kind, from, config, bars } = workload;
  const { rgba: _, ...picture } = pictureOf(3, from);
  const title = `${name}: ${kind} of RGB ${from.join('x')} to pixel_values`;
  const ours = {};
  for (const backend of backends) {
    const processor = imageProcessor(config, { backend });
    ours[backend] = () => processor(picture);
  }
  const memory = memoryOf(ours.torchvision);
  const prepare = await loadProcessor(`${kind}ImageProcessor`, config);
  const python = await pythonsOf(workload, picture);
  for (const backend of backends) {
    const answer = python.answers[`Python ${backend}`];
    if (answer) expectHash(`${title}, Python ${backend}`, ours[backend]().pixel_values.data, answer.sha256);
  }
  const contenders = { ...ours, 'transformers.js': prepare(picture), ...python.contenders };
  const times = await race(contenders, budgetOf(options));
  python.end();
  const faster = Math.min(...backends.map((backend) => times[`Python ${backend}`] ?? Infinity));
  const limits = { 'transformers.js': [bars['transformers.js'], 0.1], "Python's faster": [bars.python] };
  const ratios = ratiosOf(
    { ...times, ...(faster < Infinity && { "Python's faster": faster }) },
    { torchvision: limits, pil: limits },
  );
  return judged(title, times, [...ratios, ratioOf('memory', `${mostMemory / 1e6} MB`, memory / mostMemory, 1)]);
}

/** The part of a core that a video's frames take. */
async function measureVideo(options) {
  const { from, config, framesPerSecond, most } = video;
  const { rgba, width, height } = pictureOf(4, from);
  const frame = { data: rgba, width, height, channels: 4 };
  const contenders = {};
  for (const backend of backends) {
    const processor = imageProcessor(config, { backend });
    contenders[backend] = () => processor(frame, { do_convert_rgb: false });
  }
  const times = await race(contenders, budgetOf(options));
  const ratios = Object.entries(times).map(([backend, ms]) =>
    ratioOf(backend, 'a core', (framesPerSecond * ms) / 1000, most),
  );
  const title = `video: CLIP of ${framesPerSecond} frames a second, RGBA ${from.join('x')}`;
  return judged(title, times, ratios);
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
async function measureQwenVideo(options) {
  const { frames, from, config, threads, most, mostIntoOut } = qwenVideo;
  const clip = clipOf(frames, from);
  const processor = videoProcessor(config);
  const video = { type: 'uint8', dims: [frames, clip.height, clip.width, 3], data: clip.data };
  const ours = () => processor(video, { do_sample_frames: false });
  const out = { pixel_values_videos: ours().pixel_values_videos };
  const intoOut = () => processor(video, { do_sample_frames: false, out });
  const python = await pythonsOf({ config, frames, threads }, clip, ['torchvision']);
  const theirs = 'Python torchvision';
  const title = `video: Qwen2.5-VL of ${frames} frames of ${from.join('x')} to pixel_values_videos`;
  if (python.answers[theirs]) expectHash(title, ours().pixel_values_videos.data, python.answers[theirs].sha256);
  const contenders = { ours, 'ours into out': intoOut, ...python.contenders };
  const bars = { ours: { [theirs]: [most] }, 'ours into out': { [theirs]: [mostIntoOut] } };
  const result = await contest(title, contenders, bars, options);
  python.end();
  return result;
}

/** The checks by the name that `--only` takes: `processors` takes all of them. */
export const processorChecks = {
  ...checksOf('processors', processorWorkloads, measure),
  'processors-video': measureVideo,
  'processors-qwen-video': measureQwenVideo,
};
