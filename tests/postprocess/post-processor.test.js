/** Configurations, outputs and options of `postProcessor`: whole messages, and what a method does not depend on. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { init, postProcessor } from 'onnx-layout/postprocess';
import { refuses } from '../support/assertions.js';

const tensor = (dims, values) =>
  Tensor.from('float32', values ?? new Array(dims.reduce((a, b) => a * b, 1)).fill(0), dims);
const detr = { image_processor_type: 'DetrImageProcessor' };
const outputs = () => ({
  logits: tensor([1, 2, 3], [9, 0, 0, 0, 0, 9]),
  pred_boxes: tensor([1, 2, 4], [0.5, 0.5, 0.5, 0.5, 0, 0, 1, 1]),
});
const detect = (given = outputs(), options = {}, config = detr) =>
  postProcessor(config).post_process_object_detection(given, options);
const name = 'DetrImageProcessor.post_process_object_detection';

describe('after init,', () => {
  beforeAll(() => init());

  refuses('postProcessor', {
    'TypeError: config must be an object or its JSON, got undefined': () => postProcessor(),
    'TypeError: config must have the key image_processor_type, or config.json a model_type, or pass className': () =>
      postProcessor({}),
    'TypeError: className must be a string, got 7': () => postProcessor({}, { className: 7 }),
    'RangeError: config must have the file processor_config.json or preprocessor_config.json, got config.json': () =>
      postProcessor({ 'config.json': { model_type: 'detr' } }),
  });

  test('the model type of config.json tells the class where nothing else does', () => {
    const { image_model_types: types } = JSON.parse(
      readFileSync(new URL('../goldens/processors/classes.json', import.meta.url), 'utf8'),
    );
    const nameOf = (...call) => {
      try {
        return postProcessor(...call).className;
      } catch {
        return undefined;
      }
    };
    const named = Object.entries(types).map(([type, of]) => [
      type,
      nameOf({}, { className: of.torchvision ?? of.pil ?? of }),
    ]);
    expect(named.filter(([, className]) => className !== undefined).length).toBeGreaterThan(60);
    const byType = named.map(([model_type]) => [
      model_type,
      nameOf({ 'preprocessor_config.json': {}, 'config.json': { model_type } }),
    ]);
    expect(byType).toEqual(named);
  });

  test('an unknown class is refused with names that are near', () => {
    expect(() => postProcessor({}, { className: 'DetrImageProcesor' })).toThrow(
      /^postProcessor: unknown class 'DetrImageProcesor', did you mean 'DetrImageProcessor'/,
    );
  });

  test.each([
    ['no outputs', [null], TypeError, 'outputs must be an object of tensors, got null'],
    ['outputs of other names', [{ output0: tensor([1]) }], TypeError, 'outputs must have logits, got output0'],
    ['a missing output', [{ logits: outputs().logits }], TypeError, 'outputs must have pred_boxes, got logits'],
    [
      'an output of another type',
      [{ ...outputs(), logits: Tensor.from('int32', [1, 2], [1, 1, 2]) }],
      TypeError,
      'logits type must be float32 or float16, got int32',
    ],
    [
      'an output of another rank',
      [{ ...outputs(), logits: tensor([2, 3]) }],
      RangeError,
      'logits must have dims [batch, queries, classes], got [2, 3]',
    ],
    [
      'outputs that do not fit together',
      [{ ...outputs(), pred_boxes: tensor([1, 3, 4]) }],
      RangeError,
      'pred_boxes must have dims [1, 2, 4], got [1, 3, 4]',
    ],
    [
      'no classes',
      [{ ...outputs(), logits: tensor([1, 2, 0]) }],
      RangeError,
      'logits must have elements, got dims [1, 2, 0]',
    ],
    [
      'one class',
      [{ ...outputs(), logits: tensor([1, 2, 1]) }],
      RangeError,
      'logits must have at least 2 classes, got 1',
    ],
    [
      'an output on the GPU',
      [{ ...outputs(), logits: { type: 'float32', dims: [1, 2, 3], location: 'gpu-buffer' } }],
      TypeError,
      "logits must be on the CPU, got 'gpu-buffer': await its getData()",
    ],
    [
      'an unknown option',
      [outputs(), { treshold: 0.5 }],
      TypeError,
      "unknown option 'treshold', did you mean 'threshold'? Known: threshold, target_sizes",
    ],
    ['options that are a list', [outputs(), []], TypeError, 'options must be an object, got []'],
    ['a threshold that is text', [outputs(), { threshold: '1' }], TypeError, "threshold must be a number, got '1'"],
    [
      'too few target_sizes',
      [outputs(), { target_sizes: [] }],
      RangeError,
      'target_sizes must have 1 entries, one a picture, got 0',
    ],
    [
      'a target size of one number',
      [outputs(), { target_sizes: [[5]] }],
      RangeError,
      'target_sizes[0] must have 2 entries, got 1',
    ],
    [
      'a target size of 0',
      [outputs(), { target_sizes: [[0, 5]] }],
      RangeError,
      'target_sizes[0] must hold whole numbers from 1 to 32768, got [0, 5]',
    ],
    [
      'target_sizes of rank 1',
      [outputs(), { target_sizes: tensor([2]) }],
      RangeError,
      'target_sizes must have dims [pictures, 2], got [2]',
    ],
  ])('%s are refused', (_, args, Class, message) => {
    expect(() => detect(...args)).toThrow(new Class(`${name}: ${message}`));
  });

  test.each([
    [
      'EomtImageProcessor',
      'post_process_panoptic_segmentation',
      { class_queries_logits: tensor([1, 1, 2]), masks_queries_logits: tensor([1, 1, 2, 2]) },
      { target_sizes: [[1, 2000]], threshold: 0 },
      'target_sizes must keep a row and a column of the masks, got [1, 2000]',
    ],
    ['SamImageProcessor', 'post_process_masks', { masks: [] }, {}, 'original_sizes must be given'],
    [
      'Sam2ImageProcessor',
      'post_process_masks',
      { masks: [] },
      { original_sizes: [], max_hole_area: 8 },
      'max_hole_area must be 0, as Python does nothing with it, got 8',
    ],
    [
      'SamImageProcessor',
      'generate_crop_boxes',
      {},
      { size: [9, 9], target_size: 9, crop_n_layers: 9 },
      'crop_n_layers must be at most 4, got 9',
    ],
    [
      'MaskFormerImageProcessor',
      'post_process_instance_segmentation',
      { class_queries_logits: tensor([1, 1, 2]), masks_queries_logits: tensor([1, 1, 2, 2]) },
      { return_coco_annotation: true, return_binary_maps: true },
      'return_coco_annotation and return_binary_maps must not both be true',
    ],
    [
      'EomtImageProcessor',
      'post_process_panoptic_segmentation',
      {
        class_queries_logits: tensor([1, 1, 2]),
        masks_queries_logits: tensor([1, 1, 2, 2]),
        patch_offsets: tensor([1, 3]),
      },
      { target_sizes: [[4, 4]] },
      'patch_offsets must be omitted: pictures in patches are not put together here',
    ],
    [
      'VitPoseImageProcessor',
      'post_process_pose_estimation',
      { heatmaps: tensor([2, 1, 4, 4]) },
      { boxes: [[[1, 2, 3, 4]]] },
      'boxes must have 2 boxes in all, one a heat map, got 1',
    ],
    [
      'PPOCRV5ServerRecImageProcessor',
      'post_process_text_recognition',
      { last_hidden_state: tensor([1, 2, 3]) },
      { character_list: ['a'] },
      'character_list must have 3 entries, got 1',
    ],
  ])('%s.%s: %j', (className, method, given, options, message) => {
    expect(() => postProcessor({}, { className })[method](given, options)).toThrow(
      `${className}.${method}: ${message}`,
    );
  });

  const square = (count) => tensor([count, 1, 2, 2]);
  const queries = (count) => ({ class_queries_logits: tensor([count, 1, 2]), masks_queries_logits: square(count) });
  const patches = (...patch_offsets) => ({ ...queries(2), patch_offsets });
  const found = { scores: tensor([1]), boxes: tensor([1, 4]) };
  const cropped = { masks: tensor([1, 1, 2, 2], [9, 9, 9, -9]), iou_scores: tensor([1, 1], [1]) };
  const crops = { size: [9, 9], target_size: 9 };
  const layers = { ...crops, crop_n_layers: 1, crop_n_points_downscale_factor: 2 };
  const inBox = (cropped_box_image) => ({ original_size: [4, 5], cropped_box_image });
  const sized = { target_sizes: [[4, 4]] };
  const words = { last_hidden_state: tensor([1, 2, 3]) };
  const run = (method, ...given) => {
    const [, className, key] = /(.*)\.(.*)/.exec(method);
    return postProcessor({}, { className })[key](...given);
  };
  const [generate, filter] = ['generate_crop_boxes', 'filter_masks'].map((key) => `SamImageProcessor.${key}`);
  const rles = 'SamImageProcessor.post_process_for_mask_generation';
  const semantic = 'EomtImageProcessor.post_process_semantic_segmentation';
  const panoptic = 'MaskFormerImageProcessor.post_process_panoptic_segmentation';
  const text = 'PPOCRV5ServerRecImageProcessor.post_process_text_recognition';
  const poses = 'VitPoseImageProcessor.post_process_pose_estimation';

  test.each([
    [generate, {}, { ...crops, points_per_crop: 1000 }, 'points_per_crop must be at most 256, got 1000'],
    [generate, {}, layers, 'crops must have the same number of points in each layer, got 32, 16'],
    [filter, cropped, inBox([0, 0]), 'cropped_box_image must hold 4 whole numbers from 0 on, got [0, 0]'],
    [filter, cropped, inBox(5), 'cropped_box_image must be an array, got 5'],
    [rles, found, { rle_masks: [] }, 'rle_masks must have 1 entries, one a score, got 0'],
    [rles, found, { rle_masks: [5] }, 'rle_masks must hold objects { size, counts }'],
    [semantic, patches([0, 0, 2]), {}, 'patch_offsets must have 2 entries, one a patch, got 1'],
    [semantic, patches(5, 5), {}, 'patch_offsets[0] must hold a picture, a start and an end, got 5'],
    [semantic, patches([0, 0, 2], [0, 0, 2]), sized, 'patch_offsets[0] must be a part of 640 of 640 x 640, got 0 to 2'],
    [panoptic, queries(1), { label_ids_to_fuse: 5 }, 'label_ids_to_fuse must be a list or a Set, got 5'],
    [text, words, { character_list: 5 }, 'character_list must be an array, got 5'],
    [poses, { heatmaps: square(1) }, { boxes: [[[1]]] }, 'boxes[0][0] must hold 4 numbers, got [1]'],
    [name, {}, {}, 'outputs must have logits, got none'],
    [name, outputs(), { target_sizes: 5 }, 'target_sizes must be an array, got 5'],
  ])('%s of %j', (method, given, options, message) => {
    expect(() => run(method, given, options)).toThrow(`${method}: ${message}`);
  });

  test('masks of a crop lie in the whole picture, whatever they score', () => {
    const options = inBox([1, 1, 3, 3]);
    const made = run(filter, cropped, options);
    expect(made.masks).toEqual([{ size: [4, 5], counts: [5, 2, 2, 1, 10] }]);
    expect(made.boxes.toArray()).toEqual([1, 1, 2, 2]);
    const every = { ...options, pred_iou_thresh: 0, stability_score_thresh: 0 };
    expect(run(filter, cropped, every)).toEqual(made);
    const { points_per_crop: points } = run(generate, {}, { ...crops, points_per_crop: 1 });
    expect(points.toArray()).toEqual([4.5, 4.5]);
  });

  test("Sam 3's labels stay beside their scores, and have no names of a list", () => {
    const given = { semantic_seg: tensor([1, 1, 1, 2], [0, 9]) };
    const method = 'Sam3ImageProcessor.post_process_semantic_segmentation';
    const [labels] = run(method, given, { id2label: { 0: 'a' } });
    const [both] = run(method, given, { return_segmentation_scores: true });
    expect(both.segmentation).toEqual(labels);
    expect(both.segmentation_scores.toArray()).toEqual([0.5, Math.fround(1 / (1 + Math.exp(-9)))]);
    expect(labels.toArray()).toEqual([0, 1]);
  });

  test('files by name, their text, earlier names and className lead to the same class', () => {
    const nested = { 'processor_config.json': { image_processor: detr } };
    const earlier = { feature_extractor_type: 'DetrFeatureExtractor' };
    const configs = [detr, JSON.stringify(detr), nested, { 'preprocessor_config.json': detr }, earlier];
    expect(configs.map((config) => postProcessor(config).className)).toEqual(configs.map(() => 'DetrImageProcessor'));
    expect(postProcessor(detr, { className: 'YolosImageProcessorFast' }).className).toBe('YolosImageProcessor');
  });

  test('target_sizes are a list, typed arrays or a tensor; null is none; other outputs are left alone', () => {
    const [wanted] = detect(outputs(), { target_sizes: [[40, 80]] });
    expect(wanted.boxes.toArray()).toEqual([20, 10, 60, 30]);
    const sizes = Tensor.from('int64', [40n, 80n], [1, 2]);
    expect(detect({ ...outputs(), loss: 3 }, { target_sizes: sizes })[0].boxes.data).toEqual(wanted.boxes.data);
    expect(detect(outputs(), { target_sizes: [Int32Array.of(40, 80)] })[0].boxes.data).toEqual(wanted.boxes.data);
    expect(detect(outputs(), { target_sizes: null })[0].boxes.toArray()).toEqual([0.25, 0.25, 0.75, 0.75]);
  });

  test('float16 is widened, and id2label adds names', () => {
    const half = { ...outputs(), logits: Tensor.from('float16', [9, 0, 0, 0, 0, 9], [1, 2, 3]) };
    const [{ label_names: names, labels }] = detect(half, { id2label: ['cat', 'dog'] });
    expect([names, labels.type]).toEqual([['cat'], 'int32']);
  });

  test('thresholds beyond [0, 1], NaN scores and boxes without area are what Python makes of them', () => {
    expect(detect(outputs(), { threshold: 2 })[0].scores.dims).toEqual([0]);
    expect(detect(outputs(), { threshold: -1 })[0].scores.dims).toEqual([2]);
    const broken = { ...outputs(), logits: tensor([1, 2, 3], [NaN, 0, 0, 9, 0, 0]) };
    expect(detect(broken)[0].scores.dims).toEqual([1]);
    const flat = { ...outputs(), pred_boxes: tensor([1, 2, 4]) };
    expect(detect(flat)[0].boxes.toArray()).toEqual([0, 0, 0, 0]);
  });

  test('a picture without queries has no answers, and no picture none at all', () => {
    const none = { logits: tensor([1, 0, 3]), pred_boxes: tensor([1, 0, 4]) };
    expect(detect(none)[0].boxes.dims).toEqual([0, 4]);
    const config = { image_processor_type: 'RTDetrImageProcessor' };
    expect(detect(none, {}, config)[0].labels.dims).toEqual([0]);
    expect(detect({ logits: tensor([0, 2, 3]), pred_boxes: tensor([0, 2, 4]) })).toEqual([]);
  });

  test('a label map that would not fit in memory is refused', () => {
    const given = { logits: tensor([1, 2, 2, 2]) };
    const { post_process_semantic_segmentation: label } = postProcessor({}, { className: 'BeitImageProcessor' });
    expect(() => label(given, { target_sizes: [[32768, 32768]], return_segmentation_scores: true })).toThrow(
      /^BeitImageProcessor\.post_process_semantic_segmentation: outputs must fit in the module's 2 GiB/,
    );
  });
});
