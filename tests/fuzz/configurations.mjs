/**
 * Fuzzes configurations: each setting of each class of pictures, videos and audio is set to large numbers and to odd
 * kinds of values, and the class is called with a picture, a clip or a sound of few elements. The answer must be
 * tensors or one of our errors, in little CPU time and memory.
 *
 * `node tests/fuzz/configurations.mjs [--every N] [--only TEXT] [--kinds]` tries every Nth case, of the classes with
 * TEXT in their name. Ends with a line `N passed, M failed`.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as audio from 'onnx-layout/audio';
import * as processors from 'onnx-layout/processors';

const large = [1e5, 1e6, 1e9, 2 ** 31, 2 ** 32, 2 ** 53];
const long = 'x'.repeat(100_000);
const cyclic = {};
cyclic.own = cyclic;
const odd = [
  ...[{}, { height: {} }, { height: 'x', width: [] }, [], [[]], [[1, 2], [3]], [null], ['x', {}], long, '', 'x', true],
  ...[false, -1, 0, -0, 0.5, 1e-300, 1e308, NaN, Infinity, -Infinity, 10n, Symbol('s'), () => 1, new Date(0), cyclic],
  ...[new Uint8Array(3), [1, 2, 3, 4], Array(100_000).fill(1), [[[[[[[[1]]]]]]]]],
];

/** Sizes as objects hold them in files. */
const sizeForms = [
  (n) => ({ height: n, width: n }),
  (n) => ({ height: 8, width: n }),
  (n) => ({ height: n, width: 8 }),
  (n) => ({ shortest_edge: n }),
  (n) => ({ longest_edge: n }),
  (n) => ({ shortest_edge: n, longest_edge: n }),
  (n) => ({ shortest_edge: 8, longest_edge: n }),
  (n) => ({ max_height: n, max_width: n }),
  (n) => [n, n],
];

const image = (width, height, channels = 3) => ({
  data: Uint8Array.from({ length: width * height * channels }, (_, i) => (i * 37) % 256),
  width,
  height,
  channels,
});
const samples = Float32Array.from({ length: 1600 }, (_, i) => Math.sin(i / 7));

/** Settings without which a class of pictures makes nothing of any picture. */
const needed = {
  LayoutLMv2: { apply_ocr: false },
  LayoutLMv3: { apply_ocr: false },
  LayoutXLM: { apply_ocr: false },
  VitPose: { boxes: [[[1, 2, 4, 4]]] },
  ImageGPT: { clusters: [[0, 0, 0]] },
};

/** Whether a class ignores what a case sets: then there is nothing to try. */
const isUnread = ({ ignored }, config) => Object.keys(config).every((key) => ignored.includes(key));

const calls = {
  image(name, config) {
    const [base] = name.split('ImageProcessor');
    const { boxes, ...rest } = { ...needed[base], ...config };
    const options = {
      ...(boxes !== undefined && { boxes }),
      ...(base === 'VitMatte' && { trimaps: [image(6, 5, 1)] }),
      ...(base === 'SegGpt' && { prompt_images: [image(6, 5)] }),
    };
    const pairs = ['EfficientLoFTR', 'LightGlue', 'SuperGlue'].includes(base);
    const processor = processors.imageProcessor(rest, { className: name });
    if (isUnread(processor, config)) return {};
    const outputs = processor(pairs ? [image(6, 5), image(6, 5)] : image(6, 5), options);
    processor.get_number_of_image_patches?.(6, 5);
    return outputs;
  },
  video(name, config) {
    const frames = Array.from({ length: 4 }, () => image(6, 5));
    const video_metadata = { fps: 2, total_num_frames: 4, duration: 2 };
    const processor = processors.videoProcessor(config, { className: name });
    if (isUnread(processor, config)) return {};
    const outputs = processor([frames], { video_metadata: [video_metadata] });
    processor.sampleFrames({ fps: 2, total_num_frames: 400, duration: 200 });
    processor.get_num_of_video_patches?.(4, 6, 5);
    return outputs;
  },
  audio(name, config) {
    const extract = audio.featureExtractor(config, { className: name });
    if (isUnread(extract, config)) return {};
    const outputs = extract(samples);
    const stream = extract.stream();
    stream.push(samples);
    stream.end();
    return outputs;
  },
};

/** @returns {{ kind: string, name: string, settings: Record<string, any> }[]} */
function readClasses() {
  const read = (room) => JSON.parse(readFileSync(new URL(`../goldens/${room}/classes.json`, import.meta.url), 'utf8'));
  const pictures = read('processors');
  const list = (kind, classes) => Object.entries(classes).map(([name, { settings }]) => ({ kind, name, settings }));
  return [...list('image', pictures.image), ...list('video', pictures.video), ...list('audio', read('audio').audio)];
}

/** All that one setting is set to, beside the class's defaults. */
function valuesOf(key, value, takesKinds) {
  const numbers = large.flatMap((n) => {
    if (typeof value === 'number') return [n, -n];
    if (Array.isArray(value)) return [n, value.map(() => n), [[n, n]]];
    if (/size|length|edge|num|max|min|patch/.test(key) || value === null) return [n];
    return [];
  });
  const sizes = /size/.test(key) ? large.flatMap((n) => sizeForms.map((form) => form(n))) : [];
  return [...numbers, ...sizes, ...(takesKinds ? odd : [])];
}

/** @param {{ only?: string, kinds?: boolean }} options @returns {{ kind: string, name: string, config: object }[]} */
export function configurationCases({ only = '', kinds = false }) {
  return readClasses()
    .filter(({ name }) => name.includes(only))
    .flatMap(({ kind, name, settings }) =>
      Object.entries(settings ?? {}).flatMap(([key, value]) =>
        valuesOf(key, value, kinds).map((odd) => ({ kind, name, config: { [key]: odd } })),
      ),
    );
}

const shown = (value) => {
  try {
    return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one))?.slice(0, 80);
  } catch {
    return String(value).slice(0, 80);
  }
};

/** MiB that the process may take: 1 GiB of one call, and results of earlier ones that wait to be collected. */
const mostPeak = 3072;

/** CPU time that a call may take, in milliseconds: it writes at most 1 GiB. */
const longest = 8000;

/** @returns {string | undefined} the fault of a case, if it has one */
export function faultOf({ kind, name, config }) {
  const before = process.cpuUsage();
  let fault;
  let bytes = 0;
  try {
    const outputs = calls[kind](name, config);
    for (const one of Object.values(outputs).flat()) bytes += one?.data?.byteLength ?? 0;
  } catch (error) {
    const isOurs =
      (error instanceof RangeError || error instanceof TypeError) &&
      /^(imageProcessor|videoProcessor|featureExtractor|[A-Za-z0-9_]+(FeatureExtractor|Processor))[ a-zA-Z_]*: /.test(
        error.message,
      ) &&
      error.message.length < 4000;
    if (!isOurs) fault = `${error?.stack?.slice(0, 600)}`;
  }
  const { user, system } = process.cpuUsage(before);
  const time = (user + system) / 1000;
  if (time > longest) fault = `took ${Math.round(time)} ms`;
  if (bytes > 2 ** 30) fault = `made ${bytes} bytes`;
  return fault && `${name} ${shown(config)}: ${fault}`;
}

async function main() {
  const { values } = parseArgs({
    options: { every: { type: 'string' }, only: { type: 'string' }, kinds: { type: 'boolean' } },
  });
  await Promise.all([audio.init(), processors.init()]);
  const every = Number(values.every ?? 1);
  const cases = configurationCases(values).filter((_, i) => i % every === 0);
  const faults = cases.map(faultOf).filter((fault) => fault !== undefined);
  for (const fault of faults) console.log(`FAILED ${fault}`);
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  if (peak > mostPeak) faults.push(`peak memory ${peak} MiB`);
  console.log(`peak memory ${peak} MiB`);
  console.log(`${cases.length - faults.length} passed, ${faults.length} failed`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
