/** Sample configurations, as models' files state them. No DOM. */

const square = (side) => ({ height: side, width: side });
const half = { image_mean: [0.5, 0.5, 0.5], image_std: [0.5, 0.5, 0.5] };
const imagenet = { image_mean: [0.485, 0.456, 0.406], image_std: [0.229, 0.224, 0.225] };

/** @type {Record<string, object>} */
export const configs = {
  ViT: { image_processor_type: 'ViTImageProcessor', size: square(224), resample: 2, ...half },
  CLIP: {
    feature_extractor_type: 'CLIPFeatureExtractor',
    size: 224,
    do_center_crop: true,
    crop_size: 224,
    resample: 3,
    image_mean: [0.48145466, 0.4578275, 0.40821073],
    image_std: [0.26862954, 0.26130258, 0.27577711],
  },
  DETR: {
    image_processor_type: 'DetrImageProcessor',
    size: { shortest_edge: 320, longest_edge: 400 },
    pad_size: square(400),
    ...imagenet,
  },
  SegFormer: { image_processor_type: 'SegformerImageProcessor', size: square(512), resample: 2, ...imagenet },
  SAM: { image_processor_type: 'SamImageProcessor', ...imagenet },
  Donut: {
    image_processor_type: 'DonutImageProcessor',
    size: { height: 320, width: 240 },
    do_align_long_axis: true,
    resample: 2,
    ...half,
  },
  'LLaVA-NeXT': {
    image_processor_type: 'LlavaNextImageProcessor',
    size: { shortest_edge: 168 },
    crop_size: square(168),
    image_grid_pinpoints: [
      [168, 336],
      [336, 168],
      [336, 336],
    ],
  },
  'Qwen2-VL': {
    image_processor_type: 'Qwen2VLImageProcessor',
    min_pixels: 3136,
    max_pixels: 100352,
    patch_size: 14,
    temporal_patch_size: 2,
    merge_size: 2,
  },
};

/** @param {string} name */
export const textOf = (name) => JSON.stringify(configs[name], undefined, 2);

/**
 * The program that does the same.
 * @param {string} backend
 * @param {Record<string, { type: string, dims: readonly number[] }>} outputs
 */
export function codeFor(backend, outputs) {
  const names = Object.keys(outputs);
  const lines = names.map((name) => `// ${name}: ${outputs[name].type} [${outputs[name].dims.join(', ')}]`);
  return `import { imageProcessorAsync } from 'onnx-layout/processors';

const config = await (await fetch('preprocessor_config.json')).json();
const processor = imageProcessorAsync(config, { backend: '${backend}' });
// file: a File or Blob, an <img>, <canvas> or <video>
const { ${names.join(', ')} } = await processor(file);
${lines.join('\n')}
// toOrt(ort, { ${names.join(', ')} }, session) makes a session's inputs of them
`;
}

/** The results of each method, and its options. */
const answers = {
  post_process_object_detection: ['{ boxes, scores, labels }', '{ threshold: 0.9, target_sizes: [[height, width]] }'],
  post_process_semantic_segmentation: ['map', '{ target_sizes: [[height, width]] }'],
  post_process_masks: ['masks', '{ original_sizes, reshaped_input_sizes }'],
};

/**
 * The program that goes from a picture to a model's answer.
 * @param {string} method
 * @param {Record<string, string>} outputs
 */
export function answerCode(method, outputs) {
  const [result, options] = answers[method];
  const prompts = method === 'post_process_masks' ? ', { input_points: [[[x, y]]], input_labels: [[1]] }' : '';
  return `import * as ort from 'onnxruntime-web';
import { toOrt } from 'onnx-layout';
import { postProcessor } from 'onnx-layout/postprocess';
import { imageProcessorAsync } from 'onnx-layout/processors';

const config = await (await fetch('preprocessor_config.json')).json();
const session = await ort.InferenceSession.create('model.onnx');
const inputs = await imageProcessorAsync(config)(file${prompts});
const outputs = await session.run(toOrt(ort, inputs, session));
${Object.entries(outputs)
  .map(([name, about]) => `// ${name}: ${about}`)
  .join('\n')}
${prompts && 'const { original_sizes, reshaped_input_sizes } = inputs;\n'}const { ${method} } = postProcessor(config);
const [${result}] = ${method}(outputs, ${options});
`;
}
