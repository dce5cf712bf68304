/** Runs tasks of transformers.js with Python's numbers: node real.mjs MODELS RESULTS PICTURE [CASE,CASE]. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as hf from '@huggingface/transformers';
import { resize } from 'onnx-layout/image';
import { readImage } from 'onnx-layout/node';
import { usePython } from 'onnx-layout/transformers';
import { boxList, isNear, pairs } from './answers.js';
import { runForms } from './forms.mjs';

const [models, resultsPath, photo, only] = process.argv.slice(2);
const isChosen = (name) => !only || only.split(',').includes(name.split(' ')[0]);
const results = JSON.parse(readFileSync(resultsPath, 'utf8'));
Object.assign(hf.env, { localModelPath: `${models}/`, allowRemoteModels: false, allowLocalModels: true });
const options = { dtype: 'fp32', device: 'cpu' };
const texts = ['cat', 'dog', 'lake mountain'];
const failures = [];
let passed = 0;

function expectNear(name, found, expected, tolerance) {
  if (isNear(found, expected, tolerance)) passed += 1;
  else failures.push(`${name}: ${JSON.stringify(found)?.slice(0, 300)} for ${JSON.stringify(expected).slice(0, 300)}`);
}

/** The bytes of pixels and features are Python's. */
function expectBytes(name, tensor, { dims, sha256 }) {
  const { buffer, byteOffset, byteLength } = tensor.data;
  const hash = createHash('sha256')
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest('hex');
  expectNear(name, [[...tensor.dims], hash], [dims, sha256]);
}

async function attempt(name, run) {
  if (!isChosen(name)) return;
  try {
    await run();
  } catch (error) {
    failures.push(`${name}: ${error.stack.split('\n').slice(0, 3).join(' ')}`);
  }
}

/** Whole numbers that JavaScript and NumPy compute alike, as samples. */
function wave(rate, seconds) {
  const samples = new Float32Array(rate * seconds);
  for (let i = 0; i < samples.length; i++) {
    const j = BigInt(i);
    samples[i] = (Number(((j * j) / 7n + j * 31n) % 2001n) - 1000) / 2048;
  }
  return samples;
}

function fractions(dims, map = (value) => value) {
  const data = new Float32Array(dims.reduce((a, b) => a * b));
  for (let i = 0; i < data.length; i++) data[i] = map(((i * 7919 + ((i * i) % 10007) * 31) % 4096) / 4096);
  return new hf.Tensor('float32', data, dims);
}

const sum = (data) => data.reduce((all, value) => all + value, 0);
const masks = (found) => found.map(({ label, score, mask }) => [label, score, sum(mask.data) / 255]);
const chw = ({ channels, height, width, data }) => [[channels, height, width], sum(data)];

/** How each task is called, and what is compared of its result. */
const tasks = {
  'image-classification': { input: [photo, { top_k: 3 }], of: pairs },
  'zero-shot-image-classification': { input: [photo, texts], of: pairs },
  'object-detection': { input: [photo, { threshold: 0.9 }], of: boxList, isCounted: true },
  'zero-shot-object-detection': { input: [photo, texts, { threshold: 0.9 }], of: boxList, isCounted: true },
  'image-segmentation': { input: [photo, { threshold: 0.3 }], of: masks },
  'background-removal': { input: [photo], of: ({ data }) => [sum(data.filter((_, i) => i % 4 === 3))] },
  'depth-estimation': {
    input: [photo],
    of: ({ predicted_depth: { dims, data }, depth }) => [
      dims,
      sum(Float64Array.from(data)) / data.length,
      sum(depth.data),
    ],
    tolerance: 1e-5,
  },
  'image-feature-extraction': {
    input: [photo],
    of: ({ data }) => [sum(Float64Array.from(data)) / data.length, data[0]],
    tolerance: 1e-5,
  },
  'image-to-image': { input: [photo], of: chw },
  'automatic-speech-recognition': {
    input: [wave(16_000, 2), { max_new_tokens: 8 }],
    of: ({ text }) => text.replace(/[ |]/g, ''),
  },
  'audio-classification': { input: [wave(16_000, 5), { top_k: 3 }], of: pairs },
  'zero-shot-audio-classification': { input: [wave(48_000, 2), ['cat', 'sound']], of: pairs },
  'image-to-text': { input: [photo, { max_new_tokens: 8 }], of: ([{ generated_text }]) => generated_text },
};

/** One task: its input's bytes, and its result, of a pipeline that is given Python's numbers in some way. */
async function runTask(kind, name, pipeOf) {
  const { task, pixels, result, count, tolerance } = results[name];
  await attempt(name, async () => {
    const pipe = await pipeOf(task, name);
    const { input, of, isCounted, ...rest } = tasks[task];
    const found = of(await pipe(...input));
    if (isCounted) {
      const [counted, placed] = [`${kind} ${name} count`, ([label, , box]) => [label, box]];
      const [first, expected] = [found.slice(0, result.length), result];
      expectNear(counted, found.length, count);
      expectNear(`${kind} ${task} ${name}`, first.map(placed), expected.map(placed), 2e-5);
      const scores = (list) => list.map(([, score]) => score);
      expectNear(`${kind} ${name} scores`, scores(first), scores(expected), 2e-5);
    } else if (result !== undefined)
      expectNear(`${kind} ${task} ${name}`, found, result, tolerance ?? rest.tolerance ?? 2e-5);
    if (!pixels) return;
    const image = typeof input[0] === 'string' ? await hf.load_image(input[0]) : input[0];
    const inputs = await pipe.processor(image);
    expectBytes(`${kind} ${name} input`, inputs.pixel_values ?? inputs.input_features ?? inputs.input_values, pixels);
  });
}

/** A picture of half the size, as Pillow makes it. */
function halfOf({ data, width, height }) {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.length);
  const size = { width: Math.floor(width / 2), height: Math.floor(height / 2) };
  const half = resize({ data: bytes, width, height }, { ...size, filter: 'bicubic' });
  return new hf.RawImage(new Uint8ClampedArray(half.data.buffer), size.width, size.height, 3);
}

/** Processors of chat models: ids of a prompt with one and with two pictures, and their pixels. */
async function runPrompts() {
  const image = await hf.load_image(photo);
  const both = [image, halfOf(image)];
  for (const [key, { prompt, ids, pixels }] of Object.entries(results).filter(([, { prompt }]) => prompt)) {
    const [name, count] = key.split(' ');
    await attempt(key, async () => {
      const processor = await hf.AutoProcessor.from_pretrained(name);
      const images = both.slice(0, Number(count));
      const outputs = await (name === 'pixtral' ? processor(image, prompt) : processor(prompt, images));
      expectBytes(`${key} input_ids`, outputs.input_ids, ids);
      expectBytes(`${key} pixel_values`, outputs.pixel_values, pixels);
    });
  }
  await attempt('lfm3_vl', async () => {
    if (!hf.Lfm3VlImageProcessor) return;
    const processor = await python.use(new hf.Lfm3VlImageProcessor(configs.lfm3_vl));
    const { pixel_values, image_grid_thw } = await processor(both);
    expectBytes('lfm3_vl pixel_values', pixel_values, results.lfm3_vl.pixels);
    expectNear('lfm3_vl grid', image_grid_thw.tolist().flat().map(Number), results.lfm3_vl.grid.flat());
  });
  await attempt('video', async () => {
    if (!hf.EmbeddingGemma2VideoProcessor) return;
    const { pixels, ids, counts } = results.video;
    const frames = [0, 1, 2, 3].map((i) => partOf(image, [40 * i, 20 * i], [320, 240]));
    const processor = await python.use(new hf.EmbeddingGemma2VideoProcessor({ patch_size: 8 }));
    const outputs = await processor(new hf.RawVideo(frames, 2));
    expectBytes('video pixels', outputs.pixel_values_videos, pixels);
    expectBytes('video ids', outputs.video_position_ids, ids);
    expectNear('video counts', [outputs.num_frames_per_video, outputs.num_soft_tokens_per_video], counts);
  });
}

/** A part of a picture, from a point on. */
function partOf({ data, width: stride, channels }, [x, y], [width, height]) {
  const part = new Uint8ClampedArray(width * height * channels);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * stride + x) * channels;
    part.set(data.subarray(from, from + width * channels), row * width * channels);
  }
  return new hf.RawImage(part, width, height, channels);
}

/** Models whose processors are saved as processor_config.json alone, which transformers.js does not read. */
async function runSaved() {
  await attempt('saved/vit', async () => {
    const pipe = await plainPipe('image-classification', 'saved/vit');
    expectNear('saved/vit', pairs(await pipe(photo, { top_k: 3 })), results.vit.result, 2e-5);
  });
  await attempt('saved/wav2vec2', async () => {
    const pipe = await plainPipe('automatic-speech-recognition', 'saved/wav2vec2');
    const { input, of } = tasks['automatic-speech-recognition'];
    expectNear('saved/wav2vec2', of(await pipe(...input)), results.wav2vec2.result);
  });
  await attempt('saved/qwen2_vl', async () => {
    const { prompt, ids, pixels } = results['qwen2_vl 1'];
    const processor = await hf.AutoProcessor.from_pretrained('saved/qwen2_vl');
    const outputs = await processor(prompt, [await hf.load_image(photo)]);
    expectBytes('saved/qwen2_vl input_ids', outputs.input_ids, ids);
    expectBytes('saved/qwen2_vl pixel_values', outputs.pixel_values, pixels);
  });
}

/** Points, boxes and masks of SAM, poses, phrases. */
async function runPoints() {
  const image = await hf.load_image(photo);
  await attempt('sam', async () => {
    const { sam } = results;
    const processor = await python.use(new hf.SamImageProcessor(configs.sam));
    const prompts = {
      input_points: [
        [
          [
            [320, 240],
            [100, 50],
          ],
        ],
      ],
      input_labels: [[[1, 0]]],
      input_boxes: [[[10, 20, 300, 400]]],
    };
    const outputs = await processor(image, prompts);
    for (const name of Object.keys(prompts))
      expectNear(`sam ${name}`, Array.from(outputs[name].data, Number), sam[name], 1e-6);
    expectNear(
      'sam types',
      Object.keys(prompts).map((name) => outputs[name].type),
      ['float32', 'int64', 'float32'],
    );
    expectBytes('sam pixel_values', outputs.pixel_values, sam.pixels);
    const pred = fractions([1, 1, 3, 256, 256], (value) => value - 0.5);
    const [found] = await processor.post_process_masks(pred, outputs.original_sizes, outputs.reshaped_input_sizes);
    expectBytes('sam masks', found, sam.masks);
  });
  await attempt('vitpose', async () => {
    const { boxes, people, pixels } = results.vitpose;
    const processor = await python.use(new hf.VitPoseImageProcessor(configs.vitpose));
    expectBytes('vitpose pixel_values', (await processor(image)).pixel_values, pixels);
    const [found] = processor.post_process_pose_estimation(fractions([2, 17, 64, 48]), boxes, { threshold: 0.5 });
    for (const [i, person] of people.entries())
      for (const [name, expected] of Object.entries(person))
        expectNear(`vitpose ${name}`, found[i][name], expected, 1e-5);
  });
  await attempt('grounding_dino', async () => {
    const { ids, scores, boxes, labels, pixels } = results.grounding_dino;
    const processor = await hf.AutoProcessor.from_pretrained('grounding_dino');
    expectBytes('grounding_dino pixel_values', (await processor(image, 'cat')).pixel_values, pixels);
    const outputs = { logits: fractions([1, 20, 8], (value) => value * 8 - 6), pred_boxes: fractions([1, 20, 4]) };
    const input_ids = new hf.Tensor('int64', BigInt64Array.from(ids.flat(), BigInt), [1, ids[0].length]);
    const given = { box_threshold: 0.8, text_threshold: 0.6, target_sizes: [[image.height, image.width]] };
    const [found] = processor.post_process_grounded_object_detection(outputs, input_ids, given);
    expectNear('grounding_dino scores', found.scores, scores, 1e-6);
    expectNear('grounding_dino boxes', found.boxes, boxes, 1e-5);
    expectNear('grounding_dino labels', found.labels, labels);
  });
  for (const name of ['lfm2_vl'])
    await attempt(name, async () => {
      const { image_processor_type: className } = configs[name];
      const processor = await python.use(new hf[className.replace(/Fast$/, '')](configs[name]));
      expectBytes(`${name} pixel_values`, (await processor(image)).pixel_values, results[name].pixels);
    });
}

/** The names that the entry point leans on. */
function checkModule() {
  const classes = [
    'Tensor',
    'RawImage',
    'Processor',
    'FeatureExtractor',
    'ImageProcessor',
    'AutoConfig',
    'AutoTokenizer',
  ];
  const loaders = ['AutoProcessor', 'AutoImageProcessor', 'AutoFeatureExtractor', 'AutoConfig'];
  for (const name of classes) expectNear(`module ${name}`, typeof hf[name], 'function');
  for (const name of loaders)
    expectNear(`module ${name}.from_pretrained`, typeof hf[name]?.from_pretrained, 'function');
  for (const name of ['ImageClassificationPipeline', 'ObjectDetectionPipeline', 'DepthEstimationPipeline'])
    expectNear(`module ${name}._call`, typeof hf[name]?.prototype._call, 'function');
  for (const name of ['ViTImageProcessor', 'WhisperFeatureExtractor'])
    expectNear(`module ${name}._call`, typeof hf[name]?.prototype._call, 'function');
  expectNear('module RawImage.fromBlob', typeof hf.RawImage.fromBlob, 'function');
}

const configs = JSON.parse(readFileSync(join(dirname(resultsPath), 'configs.json'), 'utf8'));
const python = usePython(hf, { decode: readImage });
const plainPipe = (task, name) => hf.pipeline(task, name, options);
const names = Object.keys(results).filter((name) => results[name].task);
checkModule();

const check = (name, found, expected) => expectNear(name, JSON.stringify(found), JSON.stringify(expected));
await runForms({ hf, configs, photo, attempt, check });
const before = await (await plainPipe('image-classification', 'vit'))(photo);
// Files are decoded by readImage after install: until then, pictures of both are decoded by sharp, and equal here.
for (const name of names.filter((one) => one !== 'levit'))
  await runTask('use', name, async (task) => python.use(await plainPipe(task, name)));
python.install();
for (const name of names) await runTask('install', name, plainPipe);
await runPrompts();
await runSaved();
await runPoints();
await attempt('model', async () => {
  const { model, processor } = await plainPipe('object-detection', 'detr');
  check('Processor.components', Object.keys(processor.components), ['image_processor']);
  check('config', typeof processor.image_processor.config, 'object');
  const [{ inputMetadata }] = Object.values(model.sessions);
  expectNear('sessions[].inputMetadata', inputMetadata.map(({ name, shape }) => [name, shape.slice(-2)])[1], [
    'pixel_mask',
    [64, 64],
  ]);
});
await attempt('compare', async () => {
  const pipe = await plainPipe('object-detection', 'yolos');
  const { inputs, results: both } = await python.compare(pipe, photo, { threshold: 0.9 });
  expectNear('compare count', both[1].length, results.yolos.count);
  expectNear('compare dims', inputs.pixel_values.dims[1], results.yolos.pixels.dims);
  if (String(inputs.pixel_values.dims[0]) === String(inputs.pixel_values.dims[1]))
    failures.push('compare: theirs equals ours');
});
python.uninstall();
await attempt('uninstall', async () => {
  const after = await (await plainPipe('image-classification', 'vit'))(photo);
  expectNear('after uninstall', pairs(after), pairs(before), 0);
});
for (const failure of failures) console.log(failure);
console.log(`transformers.js ${hf.env.version}: ${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
