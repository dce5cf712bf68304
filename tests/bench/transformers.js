/** Times processors and feature extractors of transformers.js beside the same objects with Python's numbers. */
import { usePython } from '../../js/transformers/index.js';
import { words } from '../support/tables.js';
import { configurations } from './configurations.js';
import { checksOf, contestsOf } from './contest.js';
import { loadTransformers } from './peers.js';
import { pictureOf } from './photo.js';

/**
 * A bar is our time as a part of theirs. SmolVLM misses it: its result has 41 MB, and to fill as much new memory takes
 * .04 to .11. Three resizings take .04, numbers .01, and V8 collects garbage once a call, .02 (processor time).
 */
const usualBar = 0.5;
const bars = { smolvlm: 0.06 };

const pictures = words('vit clip dinov2 rt_detr detr segformer depth_anything sam owlvit');
const chats = words('donut florence2 qwen2_vl smolvlm gemma3');
/** Feature extractors, with the seconds of sound that they get. */
const sounds = { whisper: 30, ast: 10, clap: 10 };

async function prepare({ name }) {
  const hf = await loadTransformers();
  const config = configurations[name];
  const className = config.image_processor_type ?? config.feature_extractor_type;
  const [theirs, ours] = [new hf[className](config), new hf[className](config)];
  await usePython(hf).use(ours);
  const seconds = sounds[name];
  const input = seconds ? soundOf(config.sampling_rate * seconds) : imageOf(hf);
  const contenders = { ours: () => ours(input()), 'transformers.js': () => theirs(input()) };
  const { pixel_values: pixels } = await ours(input());
  if (pixels) contenders['new memory'] = () => new pixels.data.constructor(pixels.data.length).fill(1);
  return {
    title: `transformers: ${className} of ${seconds ? `${seconds} s` : 'RGB 1920x1080'} with Python's numbers`,
    contenders,
    bars: { ours: { 'transformers.js': [bars[name] ?? usualBar] }, 'new memory': { 'transformers.js': [] } },
  };
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

const workloads = [...pictures, ...chats, ...Object.keys(sounds)].map((name) => ({ name }));
/** The checks by the name that `--only` takes: `transformers` takes all of them. */
export const transformersChecks = checksOf('transformers', contestsOf(workloads, prepare));
