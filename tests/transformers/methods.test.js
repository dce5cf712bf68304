/** Results, pipelines that resize, videos and files of processors, on a stand-in of transformers.js. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { usePython } from 'onnx-layout/transformers';
import * as hf from './stand-in.js';

const tensor = (data, dims) => new hf.Tensor('float32', Float32Array.from(data), dims);
const picture = (width = 2, height = 2) =>
  new hf.RawImage(new Uint8ClampedArray(width * height * 3).fill(255), width, height, 3);
const small = { height: 2, width: 2 };
const patched = (name, more) => usePython(hf).use(new hf[name]({ image_processor_type: name, size: small, ...more }));
const pipeOf = (name, task, image_processor, model) =>
  new hf[name]({ task, model, processor: new hf.Processor({}, { image_processor }) });

describe('results', () => {
  test('boxes are lists', async () => {
    const detr = await patched('DetrImageProcessor', { size: { shortest_edge: 2, longest_edge: 4 } });
    const outputs = { logits: tensor([9, 0, 0], [1, 1, 3]), pred_boxes: tensor([0.5, 0.5, 1, 0.5], [1, 1, 4]) };
    const [{ boxes, classes, scores }] = detr.post_process_object_detection(outputs, 0.5, [[8, 4]]);
    expect([boxes, classes]).toEqual([[[0, 2, 4, 6]], [0]]);
    expect(scores[0]).toBeCloseTo(Math.exp(9) / (Math.exp(9) + 2), 5);
  });

  test('segments take arguments by place, sets too', async () => {
    const former = await patched('MaskFormerImageProcessor', { size: { shortest_edge: 32 } });
    const outputs = {
      class_queries_logits: tensor([9, 0, 0], [1, 1, 3]),
      masks_queries_logits: tensor([5, 5, 5, 5], [1, 1, 2, 2]),
    };
    const panoptic = former.post_process_panoptic_segmentation(outputs, 0.5, 0.5, 0.8, new Set([1]), [[4, 4]]);
    expect([panoptic[0].segmentation.dims, panoptic[0].segments_info[0].label_id]).toEqual([[4, 4], 0]);
    const byTwo = former.post_process_instance_segmentation(outputs, 0.5, [[4, 4]]);
    const byFive = former.post_process_instance_segmentation(outputs, 0.5, 0.5, 0.8, null, [[4, 4]]);
    expect(byTwo[0].segmentation).toBeInstanceOf(hf.Tensor);
    expect([byTwo[0].segmentation.dims, byFive[0].segmentation.dims]).toEqual([
      [4, 4],
      [4, 4],
    ]);
  });

  test('labels of a map are listed', async () => {
    const segformer = await patched('SegformerImageProcessor');
    const logits = tensor([1, 0, 0, 1, 0, 1, 1, 0], [1, 2, 2, 2]);
    const [{ segmentation, labels }] = segformer.post_process_semantic_segmentation({ logits });
    expect([[...segmentation.data].map(Number), labels.map(Number)]).toEqual([
      [0, 1, 1, 0],
      [0, 1],
    ]);
  });

  test.each([['SamImageProcessor'], ['Sam2ImageProcessor']])('masks of %s come as a promise', async (name) => {
    const size = name === 'SamImageProcessor' ? { longest_edge: 4 } : { height: 4, width: 4 };
    const sam = await patched(name, { size, pad_size: { height: 4, width: 4 }, mask_size: { longest_edge: 4 } });
    const masks = sam.post_process_masks(tensor(Array(16).fill(1), [1, 1, 1, 4, 4]), [[2, 2]], [[4, 4]]);
    expect(masks).toBeInstanceOf(Promise);
    const [mask] = await masks;
    expect([mask.dims, [...mask.data]]).toEqual([
      [1, 1, 2, 2],
      [1, 1, 1, 1],
    ]);
  });

  test('poses are lists of people', async () => {
    const pose = await patched('VitPoseImageProcessor', { size: { height: 8, width: 8 } });
    expect((await pose(picture(4, 4))).pixel_values.dims).toEqual([1, 3, 8, 8]);
    const heatmaps = tensor(
      Array.from({ length: 17 * 64 }, (_, i) => (i % 64 === 20 ? 1 : 0)),
      [1, 17, 8, 8],
    );
    const [[person]] = pose.post_process_pose_estimation(heatmaps, [[[0, 0, 4, 4]]], { threshold: 0.5 });
    expect([person.keypoints.length, person.scores.length, person.bbox.length]).toEqual([17, 17, 4]);
  });

  test('phrases of a prompt are decoded by the Processor', async () => {
    const config = { image_processor_type: 'DetrImageProcessor', size: { shortest_edge: 2, longest_edge: 4 } };
    const processor = new hf.GroundingDinoProcessor({}, { image_processor: new hf.DetrImageProcessor(config) });
    await usePython(hf).use(processor);
    const outputs = { logits: tensor([-9, 9, -9, -9], [1, 1, 4]), pred_boxes: tensor([0.5, 0.5, 1, 0.5], [1, 1, 4]) };
    const ids = new hf.Tensor('int64', BigInt64Array.of(101n, 7n, 1012n, 102n), [1, 4]);
    const options = { box_threshold: 0.5, text_threshold: 0.5, target_sizes: [[8, 4]] };
    const grounded = (logits) => processor.post_process_grounded_object_detection({ ...outputs, logits }, ids, options);
    expect(grounded(outputs.logits)[0]).toEqual({
      boxes: [[0, 2, 4, 6]],
      scores: [expect.closeTo(0.99988, 4)],
      labels: ['7'],
    });
    const ofNothing = processor.post_process_grounded_object_detection(outputs, ids, {
      box_threshold: 0.5,
      text_threshold: 0.99999,
    });
    expect(ofNothing[0].labels).toEqual(['']);
    expect(processor.post_process_grounded_object_detection(outputs, ids)[0].scores).toHaveLength(1);
  });
});

describe('pipelines', () => {
  const sessions = { model: { inputNames: ['input'], outputNames: ['output'] } };
  const modelOf = (outputs, more) => Object.assign(() => outputs(), { sessions, config: {}, ...more });

  test('depth is resized by its class, and its levels are bytes', async () => {
    const dpt = new hf.DPTImageProcessor({ image_processor_type: 'DPTImageProcessor', size: small });
    const model = modelOf(() => ({ predicted_depth: tensor([0, 1, 2, 3], [1, 2, 2]) }));
    const pipe = pipeOf('DepthEstimationPipeline', 'depth-estimation', dpt, model);
    await usePython(hf).use(pipe);
    const { predicted_depth, depth } = await pipe(picture());
    expect([[...predicted_depth.data], [...depth.data]]).toEqual([
      [0, 1, 2, 3],
      [0, 85, 170, 255],
    ]);
    expect(await pipe([picture()])).toHaveLength(1);
  });

  test("masks of one number a pixel are resized as Pillow's", async () => {
    const vit = () => new hf.ViTImageProcessor({ image_processor_type: 'ImageFeatureExtractor', size: small });
    const probabilities = modelOf(() => ({ output: [tensor([0, 1, 1, 0], [1, 2, 2])] }));
    const logits = modelOf(() => ({ output: [tensor([-90, 90, 90, -90], [1, 2, 2])] }));
    for (const model of [probabilities, logits]) {
      const segment = pipeOf('ImageSegmentationPipeline', 'image-segmentation', vit(), model);
      const remove = pipeOf('BackgroundRemovalPipeline', 'background-removal', vit(), model);
      await usePython(hf).use(segment);
      await usePython(hf).use(remove);
      const [{ label, score, mask }] = await segment(picture());
      expect([label, score, [...mask.data]]).toEqual([null, null, [0, 255, 255, 0]]);
      expect([...(await remove(picture())).alpha.data]).toEqual([0, 255, 255, 0]);
      expect((await remove([picture()]))[0].alpha.width).toBe(2);
    }
  });

  test('several inputs keep their names', async () => {
    const model = Object.assign(
      (inputs) => ({ output: [tensor(Array(4).fill(Number('pixel_values' in inputs)), [1, 2, 2])] }),
      {
        sessions: { model: { inputNames: ['pixel_values', 'other'], outputNames: ['output'] } },
      },
    );
    const vit = new hf.ViTImageProcessor({ image_processor_type: 'ViTImageProcessor', size: small });
    const pipe = pipeOf('ImageSegmentationPipeline', 'image-segmentation', vit, model);
    await usePython(hf).use(pipe);
    expect([...(await pipe(picture()))[0].mask.data]).toEqual([255, 255, 255, 255]);
  });

  test('a subtask and labels stay the call of transformers.js', async () => {
    const segformer = new hf.SegformerImageProcessor({ image_processor_type: 'SegformerImageProcessor', size: small });
    for (const name of ['ImageSegmentationPipeline', 'BackgroundRemovalPipeline']) {
      const pipe = pipeOf(
        name,
        'image-segmentation',
        segformer,
        modelOf(() => 'theirs'),
      );
      await usePython(hf).use(pipe);
      expect(await pipe(picture())).toBe('theirs');
      expect(await pipe(picture(), { subtask: 'semantic' })).toBe('theirs');
    }
  });

  test('a processor that stays theirs leaves its pipeline alone', async () => {
    const jina = new hf.JinaCLIPImageProcessor({ image_processor_type: 'JinaCLIPImageProcessor' });
    const pipe = pipeOf(
      'DepthEstimationPipeline',
      'depth-estimation',
      jina,
      modelOf(() => 'theirs'),
    );
    await usePython(hf).use(pipe);
    expect(await pipe(picture())).toBe('theirs');
  });
});

describe('objects', () => {
  test('a video processor chooses and resizes frames', async () => {
    const video = await usePython(hf).use(new hf.EmbeddingGemma2VideoProcessor({ patch_size: 4 }));
    const frames = [0, 1].map(() => ({ image: picture(24, 24) }));
    const { pixel_values_videos, num_frames_per_video } = await video({ frames, fps: 1, duration: 2 });
    expect([pixel_values_videos.dims[0], num_frames_per_video]).toEqual([2, [2]]);
    const refused = new hf.EmbeddingGemma2VideoProcessor({ patch_size: 'large' });
    const python = usePython(hf);
    await python.use(refused);
    expect(python.report()).toEqual([
      {
        part: 'video_processor',
        className: 'EmbeddingGemma2VideoProcessor',
        by: 'transformers.js',
        reason: "videoProcessorAsync: patch_size must be a number, a list or an object, got 'large'",
      },
    ]);
  });

  test('a Processor has a video processor beside others', async () => {
    const video_processor = new hf.EmbeddingGemma2VideoProcessor({});
    const processor = Object.assign(new hf.Processor({}, {}), { video_processor });
    const python = usePython(hf);
    await python.use(processor, { sessions: {} });
    expect(python.report().map(({ part, by }) => [part, by])).toEqual([['video_processor', 'python']]);
  });

  test('trimaps come by place', async () => {
    const matte = await patched('VitMatteImageProcessor', { size: undefined });
    const trimap = new hf.RawImage(new Uint8ClampedArray(4), 2, 2, 1);
    expect((await matte(picture(), trimap)).pixel_values.dims).toEqual([1, 4, 32, 32]);
  });

  test('sizes are cut to multiples by the object itself', async () => {
    const config = { image_processor_type: 'ImageProcessor', size: { shortest_edge: 2 }, size_divisibility: 2 };
    const object = Object.assign(new hf.ViTImageProcessor(config), {
      get_resize_output_image_size: () => [4, 2],
    });
    await usePython(hf).use(object);
    expect((await object(picture())).pixel_values.dims).toEqual([1, 3, 2, 4]);
  });
});

describe('compare', () => {
  const model = Object.assign((inputs) => inputs, { sessions: {}, config: {} });

  test('a Processor and a pipeline, whose words stay', async () => {
    const image_processor = new hf.ViTImageProcessor({ image_processor_type: 'ViTImageProcessor', size: small });
    const processor = new hf.Processor({}, { image_processor, tokenizer: {} });
    const pipe = new hf.ImageClassificationPipeline({ task: 'image-classification', model, processor });
    const python = usePython(hf);
    await python.use(pipe);
    for (const object of [processor, pipe]) {
      const { inputs, results } = await python.compare(object, picture());
      expect(inputs.pixel_values.differing).toBe(12);
      expect(results.map(({ pixel_values }) => pixel_values.data[0])).toEqual([0, 1]);
    }
  });

  test('says where sizes differ, and what only one of both gives', async () => {
    const config = { image_processor_type: 'DetrImageProcessor', size: { shortest_edge: 4, longest_edge: 8 } };
    const detr = new hf.DetrImageProcessor(config);
    const python = usePython(hf);
    await python.use(detr);
    const { inputs } = await python.compare(detr, picture());
    expect(inputs).toEqual({
      pixel_values: {
        differing: NaN,
        maxDifference: NaN,
        dims: [
          [1, 3, 2, 2],
          [1, 3, 4, 4],
        ],
      },
      pixel_mask: { differing: NaN, maxDifference: NaN, dims: [undefined, [1, 64, 64]] },
    });
  });

  test('equal values do not differ, also NaN, infinities and both zeros', async () => {
    const extractor = new hf.FeatureExtractor({});
    const calls = [];
    const differenceOf = async (...values) => {
      extractor._call = async () => ({ input_values: tensor(values[calls.push(0) % 2], [values[0].length]) });
      const { inputs } = await usePython(hf).compare(extractor, Float32Array.of(1));
      return [inputs.input_values.differing, inputs.input_values.maxDifference];
    };
    expect(await differenceOf([Infinity, -Infinity, NaN, 0, 1], [Infinity, -Infinity, NaN, -0, 3])).toEqual([1, 2]);
    expect(await differenceOf([Infinity, 1], [-Infinity, 1])).toEqual([1, Infinity]);
    expect(await differenceOf([NaN, 1], [1, 3])).toEqual([2, NaN]);
  });

  test('a sound is read by nobody', async () => {
    const extractor = new hf.Wav2Vec2FeatureExtractor({ feature_extractor_type: 'Wav2Vec2FeatureExtractor' });
    const processor = new hf.Processor({}, { feature_extractor: extractor });
    const python = usePython(hf);
    await python.use(processor);
    const { inputs } = await python.compare(processor, Float32Array.of(1, 2, 3));
    expect(inputs.input_values.dims).toEqual([
      [1, 3],
      [1, 3],
    ]);
  });

  test('refuses what it cannot call', () =>
    expect(usePython(hf).compare({}, picture())).rejects.toThrow(
      new TypeError('compare: object must be a pipeline or processor, got an object'),
    ));
});

describe('what is left out', () => {
  test('a pipeline of texts has no processor, and needs none', async () => {
    const pipe = new hf.ImageClassificationPipeline({ task: 'text-generation', model: {}, processor: null });
    const python = usePython(hf);
    expect(await python.use(pipe)).toBe(pipe);
    expect(python.report()).toEqual([]);
  });

  test('a file without a class is that of its object', async () => {
    const python = usePython(hf);
    await python.use(new hf.ViTImageProcessor({ size: small }));
    expect(python.report()[0].className).toBe('ViTImageProcessor');
  });

  test("a mask without a size of the model's stays Python's", async () => {
    const former = await patched('MaskFormerImageProcessor', { size: { shortest_edge: 32 } });
    expect((await former(picture())).pixel_mask.dims).toEqual([1, 32, 32]);
    const sessions = { model: {}, other: { inputMetadata: [{ name: 'pixel_mask', shape: ['n', 'h', 'w'] }] } };
    const config = { image_processor_type: 'DetrImageProcessor', size: { shortest_edge: 4, longest_edge: 8 } };
    const detr = await usePython(hf).use(new hf.DetrImageProcessor(config), { sessions });
    expect((await detr(picture())).pixel_mask.dims).toEqual([1, 4, 4]);
  });

  test('a model without sessions asks for nothing', async () => {
    const vit = new hf.ViTImageProcessor({ image_processor_type: 'ViTImageProcessor', size: small });
    await usePython(hf).use(vit, {});
    expect((await vit(picture(), null)).pixel_values.dims).toEqual([1, 3, 2, 2]);
  });

  test('install leaves pipelines alone whose files have no processor, or that have their own', async () => {
    const python = usePython(hf);
    python.install();
    hf.files['t/config.json'] = {};
    const pipelineOf = (config, processor) =>
      new hf.ImageClassificationPipeline({
        task: 'image-classification',
        model: Object.assign(() => 'theirs', { config, sessions: {} }),
        processor,
      });
    const without = pipelineOf(await hf.AutoConfig.from_pretrained('t'), null);
    await expect(without(picture())).rejects.toThrow(TypeError);
    expect(without.processor).toBeNull();
    const image_processor = new hf.ViTImageProcessor({ image_processor_type: 'ViTImageProcessor', size: small });
    expect(await pipelineOf({}, new hf.Processor({}, { image_processor }))(picture())).toBe('theirs');
    python.uninstall();
    delete hf.files['t/config.json'];
  });
});

describe('files', () => {
  beforeEach(() => {
    for (const id of Object.keys(hf.files)) delete hf.files[id];
  });

  test('a Processor of processor_config.json has its words and its template', async () => {
    const image_processor = { image_processor_type: 'ViTImageProcessorFast', size: small };
    hf.files['q/processor_config.json'] = { processor_class: 'Qwen2VLProcessor', image_processor };
    hf.files['q/chat_template.jinja'] = 'template';
    const python = usePython(hf);
    python.install();
    const processor = await hf.AutoProcessor.from_pretrained('q');
    python.uninstall();
    expect(processor).toBeInstanceOf(hf.Qwen2VLProcessor);
    expect([processor.chat_template, processor.components.tokenizer]).toEqual(['template', { words: 'q' }]);
    expect(processor.image_processor).toBeInstanceOf(hf.ViTImageProcessor);
  });

  test('a part alone is loaded too, of a class that transformers.js lacks', async () => {
    hf.files['s/preprocessor_config.json'] = { feature_extractor_type: 'SpeechT5FeatureExtractor', feature_size: 1 };
    hf.files['i/preprocessor_config.json'] = { image_processor_type: 'LevitImageProcessor' };
    const python = usePython(hf);
    python.install();
    expect(await hf.AutoImageProcessor.from_pretrained('i')).toBeInstanceOf(hf.ImageProcessor);
    expect(await hf.AutoFeatureExtractor.from_pretrained('s')).toBeInstanceOf(hf.FeatureExtractor);
    await expect(hf.AutoFeatureExtractor.from_pretrained('x')).rejects.toThrow('Could not locate file');
    python.uninstall();
  });

  test('a sound class beside a picture class, and one alone', async () => {
    const feature_extractor = { feature_extractor_type: 'Wav2Vec2FeatureExtractor' };
    hf.files['b/processor_config.json'] = { feature_extractor };
    const python = usePython(hf);
    python.install();
    const { components } = await hf.AutoProcessor.from_pretrained('b');
    python.uninstall();
    expect(components.feature_extractor).toBeInstanceOf(hf.Wav2Vec2FeatureExtractor);
    expect((await components.feature_extractor(Float32Array.of(1, 2), null)).input_values.dims).toEqual([1, 2]);
  });

  test('a pipeline whose id has no files of a processor is refused', async () => {
    const pipe = new hf.ImageClassificationPipeline({ task: 'image-classification', model: {}, processor: null });
    const message = "use: model must have files of a processor, got 'none'";
    await expect(usePython(hf).use(pipe, 'none')).rejects.toThrow(new RangeError(message));
  });

  test('compare reads files by transformers.js and by decode', async () => {
    const python = usePython(hf, {
      decode: () => ({ data: new Uint8Array(3).fill(9), width: 1, height: 1, channels: 3 }),
    });
    const processor = new hf.ViTImageProcessor({ image_processor_type: 'ViTImageProcessor', size: small });
    await python.use(processor);
    const before = hf.RawImage.fromBlob;
    for (const installs of [false, true]) {
      if (installs) python.install();
      const { inputs } = await python.compare(processor, 'a.png');
      expect(inputs.pixel_values.dims).toEqual([
        [1, 3, 2, 2],
        [1, 3, 2, 2],
      ]);
      expect((await python.compare(processor, [new Blob([])])).milliseconds).toHaveLength(2);
    }
    expect(hf.RawImage.fromBlob).not.toBe(before);
    python.uninstall();
    expect(hf.RawImage.fromBlob).toBe(before);
  });
});
