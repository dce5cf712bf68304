/** Times processors and feature extractors of transformers.js beside the same objects with Python's numbers. */
import { readFileSync } from 'node:fs';
import { usePython } from '../../js/transformers/index.js';
import { checksOf, contest } from './contest.js';
import { installPeers } from './peers.js';
import { pictureOf } from './photo.js';
import { half, imagenet, on, square } from './processors-workloads.js';

const goldens = new URL('../goldens/transformers/configs.json', import.meta.url);
/** Configurations of checkpoints that the goldens do not have. */
const more = {
  donut: {
    ...on,
    ...half,
    image_processor_type: 'DonutImageProcessor',
    do_align_long_axis: false,
    do_pad: true,
    do_thumbnail: true,
    resample: 2,
    size: { height: 1280, width: 960 },
  },
  florence2: {
    ...on,
    ...imagenet,
    image_processor_type: 'CLIPImageProcessor',
    crop_size: square(768),
    do_center_crop: false,
    resample: 3,
    size: square(768),
  },
};

/** A bar is our time as a part of theirs. */
const usualBar = 0.5;
const bars = { smolvlm: 0.06 };

const pictures = ['vit', 'clip', 'dinov2', 'rt_detr', 'detr', 'segformer', 'depth_anything', 'sam', 'owlvit'];
const chats = ['donut', 'florence2', 'qwen2_vl', 'smolvlm', 'gemma3'];
/** Feature extractors, with the seconds of sound that they get. */
const sounds = { whisper: 30, ast: 10, clap: 10 };

/** @type {(workload: { name: string }, options: object) => Promise<object>} */
async function measure({ name }, options) {
  installPeers();
  const hf = await import('@huggingface/transformers');
  const config = { ...JSON.parse(readFileSync(goldens, 'utf8')), ...more }[name];
  const className = config.image_processor_type ?? config.feature_extractor_type;
  const [theirs, ours] = [new hf[className](config), new hf[className](config)];
  await usePython(hf).use(ours);
  const seconds = sounds[name];
  const input = seconds ? soundOf(config.sampling_rate * seconds) : imageOf(hf);
  const contenders = { ours: () => ours(input()), 'transformers.js': () => theirs(input()) };
  const title = `transformers: ${className} of ${seconds ? `${seconds} s` : 'RGB 1920x1080'} with Python's numbers`;
  return contest(title, contenders, { ours: { 'transformers.js': [bars[name] ?? usualBar] } }, options);
}

/** A RawImage of its own for each call, which shares the pixels. */
function imageOf({ RawImage }) {
  const { data, width, height } = pictureOf(3, [1920, 1080]);
  return () => new RawImage(new Uint8ClampedArray(data.buffer), width, height, 3);
}

function soundOf(count) {
  const samples = Float32Array.from({ length: count }, (_, i) => Math.sin(i * i * 1e-6) / 2);
  return () => samples;
}

const names = [...pictures, ...chats, ...Object.keys(sounds)];
/** The checks by the name that `--only` takes: `transformers` takes all of them. */
export const transformersChecks = checksOf(
  'transformers',
  names.map((name) => ({ name })),
  measure,
);
