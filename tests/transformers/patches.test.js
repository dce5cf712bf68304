/** `usePython` on a stand-in of transformers.js: patches, their end, reports, errors. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { usePython } from 'onnx-layout/transformers';
import * as hf from './stand-in.js';

const small = { height: 2, width: 2 };
const vit = { image_processor_type: 'ViTImageProcessor', size: small };
const detr = { image_processor_type: 'DetrImageProcessor', size: { shortest_edge: 2, longest_edge: 4 } };
const picture = () => new hf.RawImage(new Uint8ClampedArray(12).fill(255), 2, 2, 3);
const ownNames = (object) => Object.getOwnPropertyNames(object).filter((name) => name !== 'config');

beforeEach(() => {
  for (const id of Object.keys(hf.files)) delete hf.files[id];
  Object.assign(hf.files, { 'a/preprocessor_config.json': vit, 'a/config.json': { model_type: 'vit' } });
});

describe('use', () => {
  test('replaces _call and the methods of results in place, and uninstall removes them', async () => {
    const python = usePython(hf);
    const processor = new hf.DetrImageProcessor(detr);
    const before = ownNames(processor);
    expect(await python.use(processor)).toBe(processor);
    expect(ownNames(processor)).toEqual([
      ...before,
      '_call',
      'post_process_instance_segmentation',
      'post_process_object_detection',
      'post_process_panoptic_segmentation',
      'post_process_semantic_segmentation',
    ]);
    expect([processor instanceof hf.DetrImageProcessor, processor.config]).toEqual([true, detr]);
    python.uninstall();
    expect(ownNames(processor)).toEqual(before);
  });

  test("gives Python's pixels as tensors of the module, with sizes as lists", async () => {
    const processor = await usePython(hf).use(new hf.ViTImageProcessor(vit));
    const { pixel_values, ...sizes } = await processor(picture());
    expect(pixel_values).toBeInstanceOf(hf.Tensor);
    expect([pixel_values.dims, [...pixel_values.data]]).toEqual([[1, 3, 2, 2], new Array(12).fill(1)]);
    expect(sizes).toEqual({ original_sizes: [[2, 2]], reshaped_input_sizes: [[2, 2]] });
  });

  test('gives masks the size that the model asks for', async () => {
    const processor = await usePython(hf).use(new hf.DetrImageProcessor(detr));
    expect((await processor(picture())).pixel_mask.dims).toEqual([1, 64, 64]);
    const sessions = { model: { inputMetadata: [{ name: 'pixel_mask', type: 'bool', shape: ['n', 3, 5] }] } };
    const asked = await usePython(hf).use(new hf.DetrImageProcessor(detr), { sessions });
    const { pixel_mask } = await asked(picture());
    expect([pixel_mask.type, pixel_mask.dims]).toEqual(['bool', [1, 3, 5]]);
  });

  test('knows a class by the name that transformers saves', async () => {
    const python = usePython(hf);
    const fast = new hf.DetrImageProcessor({ ...detr, image_processor_type: 'DetrImageProcessorFast' });
    expect((await (await python.use(fast))(picture())).pixel_mask.dims).toEqual([1, 64, 64]);
    const jina = new hf.JinaCLIPImageProcessor({ image_processor_type: 'JinaCLIPImageProcessorFast' });
    await python.use(jina);
    expect(python.report().find(({ by }) => by === 'transformers.js')).toEqual({
      part: 'image_processor',
      className: 'JinaCLIPImageProcessor',
      by: 'transformers.js',
      reason: 'Python has no such class',
    });
  });

  test('takes a pipeline, a Processor and a feature extractor', async () => {
    const image_processor = new hf.ViTImageProcessor(vit);
    const extractor = new hf.Wav2Vec2FeatureExtractor({ feature_extractor_type: 'Wav2Vec2FeatureExtractor' });
    const processor = new hf.Processor({}, { image_processor, feature_extractor: extractor });
    const model = Object.assign((inputs) => inputs, { sessions: {}, config: {} });
    const pipe = new hf.ImageClassificationPipeline({ task: 'image-classification', model, processor });
    const python = usePython(hf);
    await python.use(pipe);
    expect((await pipe(picture())).pixel_values.data[0]).toBe(1);
    const { input_values, attention_mask } = await extractor(Float32Array.of(1, 2, 3, 4));
    expect([input_values.dims, attention_mask.type, attention_mask.dims]).toEqual([[1, 4], 'int64', [1, 4]]);
    expect(python.report().map(({ part, by }) => [part, by])).toEqual([
      ['image_processor', 'python'],
      ['feature_extractor', 'python'],
    ]);
  });

  test('gives the likeliest label of a sound first', async () => {
    const feature_extractor = new hf.Wav2Vec2FeatureExtractor({ feature_extractor_type: 'Wav2Vec2FeatureExtractor' });
    const processor = new hf.Processor({}, { feature_extractor });
    const task = 'zero-shot-audio-classification';
    const pipe = new hf.ZeroShotAudioClassificationPipeline({ task, model: { sessions: {} }, processor });
    await usePython(hf).use(pipe);
    const sorted = [
      { label: 'dog', score: 0.125 },
      { label: 'cat', score: 0 },
    ];
    expect(await pipe({}, ['cat', 'dog'])).toEqual(sorted);
    expect(await pipe([{}, {}], ['cat', 'dog'])).toEqual([sorted, sorted]);
  });

  test('leaves options of text alone, and refuses wrong settings in our words', async () => {
    const processor = await usePython(hf).use(new hf.ViTImageProcessor(vit));
    const { pixel_values } = await processor(picture(), { padding: true, truncation: true, do_normalize: null });
    expect(pixel_values.dims).toEqual([1, 3, 2, 2]);
    const message = "imageProcessorAsync: size must be a number, a list or an object, got 'big'";
    await expect(processor(picture(), { size: 'big' })).rejects.toThrow(new TypeError(message));
  });

  test.each([
    [new hf.JinaCLIPImageProcessor({ image_processor_type: 'JinaCLIPImageProcessor' }), 'Python has no such class'],
    [
      new hf.ViTImageProcessor({ image_processor_type: 'ViTImageProcessor', size: 'big' }),
      "imageProcessorAsync: size must be a number, a list or an object, got 'big'",
    ],
  ])('leaves what Python refuses to transformers.js #%#', async (processor, reason) => {
    const python = usePython(hf);
    const before = ownNames(processor);
    await python.use(processor);
    expect(ownNames(processor)).toEqual(before);
    const { image_processor_type: className } = processor.config;
    expect(python.report()).toEqual([{ part: 'image_processor', className, by: 'transformers.js', reason }]);
  });
});

describe('install', () => {
  const patchedClasses = ['AutoProcessor', 'AutoImageProcessor', 'AutoFeatureExtractor', 'AutoConfig', 'RawImage'];
  const loaders = () => patchedClasses.map((name) => hf[name].from_pretrained ?? hf[name].fromBlob);
  const before = loaders();
  let python;
  beforeEach(() => {
    python = usePython(hf, { decode: () => ({ data: new Uint8Array(3).fill(9), width: 1, height: 1, channels: 3 }) });
  });
  afterEach(() => python.uninstall());

  test('twice is once, and uninstall puts everything back', async () => {
    python.install();
    const installed = loaders();
    const prototype = hf.ImageClassificationPipeline.prototype._call;
    python.install();
    expect(installed.filter((loader, i) => loader === before[i])).toEqual([]);
    const { image_processor } = await hf.AutoProcessor.from_pretrained('a');
    expect(ownNames(image_processor)).toContain('_call');
    python.uninstall();
    expect(loaders()).toEqual(before);
    expect(hf.ImageClassificationPipeline.prototype._call).not.toBe(prototype);
    expect(ownNames(image_processor)).not.toContain('_call');
  });

  test('loads a class that transformers.js lacks', async () => {
    hf.files['b/preprocessor_config.json'] = { image_processor_type: 'LevitImageProcessor' };
    await expect(hf.AutoProcessor.from_pretrained('b')).rejects.toThrow('Unknown image_processor_type');
    python.install();
    const processor = await hf.AutoProcessor.from_pretrained('b');
    expect((await processor(picture())).pixel_values.dims).toEqual([1, 3, 224, 224]);
    await expect(hf.AutoProcessor.from_pretrained('c')).rejects.toThrow('Could not locate file');
  });

  test('gives a pipeline the processor of processor_config.json', async () => {
    hf.files['d/processor_config.json'] = { image_processor: vit };
    hf.files['d/config.json'] = { model_type: 'vit' };
    const pipeOf = async () => {
      const config = await hf.AutoConfig.from_pretrained('d');
      const model = Object.assign((inputs) => inputs, { sessions: {}, config });
      return new hf.ImageClassificationPipeline({ task: 'image-classification', model, processor: null });
    };
    const early = await pipeOf();
    const message = 'use: model must be the id of a pipeline without a processor, got undefined';
    await expect(python.use(early)).rejects.toThrow(new TypeError(message));
    await python.use(early, 'd');
    expect((await early(picture())).pixel_values.dims).toEqual([1, 3, 2, 2]);
    python.install();
    expect((await (await pipeOf())(picture())).pixel_values.dims).toEqual([1, 3, 2, 2]);
  });

  test('reads files of pictures by decode', async () => {
    python.install();
    const { data, width } = await hf.RawImage.read({});
    expect([data, width]).toEqual([new Uint8ClampedArray(3).fill(9), 1]);
  });
});

test('compare runs both, and leaves the objects as they are', async () => {
  const python = usePython(hf);
  const processor = await python.use(new hf.ViTImageProcessor(vit));
  const { inputs, results, milliseconds } = await python.compare(processor, picture());
  expect(inputs).toEqual({
    pixel_values: {
      differing: 12,
      maxDifference: 1,
      dims: [
        [1, 3, 2, 2],
        [1, 3, 2, 2],
      ],
    },
  });
  expect(results.map(({ pixel_values }) => pixel_values.data[0])).toEqual([0, 1]);
  expect(milliseconds.every((time) => time >= 0)).toBe(true);
  expect((await processor(picture())).pixel_values.data[0]).toBe(1);
});

describe('usePython', () => {
  test.each([
    [[{}], TypeError, 'hf must be the module @huggingface/transformers, which has Tensor, got an object'],
    [[hf, { backend: 'opencv' }], RangeError, "backend must be 'torchvision' or 'pil', got 'opencv'"],
    [[hf, { decode: 1 }], TypeError, 'decode must be a function, got 1'],
    [[hf, { decoder: 1 }], TypeError, "unknown option 'decoder', did you mean 'decode'? Known: backend, decode"],
  ])('refuses #%#', (values, Class, message) =>
    expect(() => usePython(...values)).toThrow(new Class(`usePython: ${message}`)),
  );

  test('refuses what it does not know', async () => {
    const kinds = 'a pipeline, a Processor, an image or video processor or a feature extractor of transformers.js';
    const message = `use: object must be ${kinds}, got 'Object'`;
    for (const object of [{}, Object.create(null)])
      await expect(usePython(hf).use(object)).rejects.toThrow(new TypeError(message));
  });

  test('warns once of a version that is not tested', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    const other = { ...hf, env: { version: '9.1.0' } };
    usePython(other);
    usePython(other);
    usePython(hf);
    const detached = new Float32Array(8);
    structuredClone(detached, { transfer: [detached.buffer] });
    usePython({ ...hf, env: { version: detached } });
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^onnx-layout\/transformers is tested with .*, and this is 9\.1\.0$/)],
      [expect.stringMatching(/^onnx-layout\/transformers is tested with .*, and this is Float32Array$/)],
    ]);
    warn.mockRestore();
  });
});
