/** The rows of the table "Where the forms differ": outputs and results are as transformers.js has them. */
import { readImage } from 'onnx-layout/node';
import { usePython } from 'onnx-layout/transformers';

/** A value's types without its numbers: those of tensors, lists and objects. */
function formOf(value) {
  if (value?.dims && value.data) return `${value.type} of ${value.dims.length} dims`;
  if (Array.isArray(value)) return value.length > 0 ? [formOf(value[0])] : [];
  if (!value || typeof value !== 'object') return typeof value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, formOf(value[name])]));
}

/** The part of a form that transformers.js has too: ours has more, such as Python's `num_crops` and `was_fused`. */
function sharedForm(ours, theirs) {
  if (Array.isArray(ours)) return ours.map((one) => sharedForm(one, theirs[0]));
  if (typeof ours !== 'object') return ours;
  return Object.fromEntries(Object.keys(theirs).map((name) => [name, sharedForm(ours[name], theirs[name])]));
}

/** Levels that no two neighbors share. */
const levels = (count) => Uint8ClampedArray.from({ length: count }, (_, i) => (i * 7) % 251);

/** Cases that need nothing but classes: `check` compares, `attempt` catches. */
export async function runForms({ hf, configs, photo, attempt, check }) {
  const python = usePython(hf, { decode: readImage });
  const picture = new hf.RawImage(levels(300 * 200 * 3), 300, 200, 3);
  const sound = Float32Array.from({ length: 16_000 }, (_, i) => ((i * i) % 97) / 97 - 0.5);
  const classOf = (config) => (config.image_processor_type ?? config.feature_extractor_type).replace(/Fast$/, '');
  const make = (name, more) => new hf[classOf(configs[name])]({ ...configs[name], ...more });
  const patched = (name, sessions) => python.use(make(name), sessions && { sessions: { model: sessions } });
  const asking = (name, type, shape) => ({ inputMetadata: [{ name, type, shape }] });

  // Pixtral's file fails in transformers.js. All versions lack LeViT, the oldest one Lfm3Vl.
  for (const name of Object.keys(configs).filter((key) => key !== 'pixtral' && hf[classOf(configs[key])]))
    await attempt(`form ${name}`, async () => {
      const options = /Idefics3|Lfm2Vl/.test(classOf(configs[name])) ? { return_row_col_info: true } : {};
      const processor = make(name);
      const input = configs[name].sampling_rate ? sound : picture;
      const theirs = formOf(await processor(input, options));
      const ours = formOf(await (await python.use(processor))(input, options));
      check(`form of ${name}'s outputs`, sharedForm(ours, theirs), theirs);
    });

  await attempt('form image_sizes', async () => {
    const { image_sizes } = await (await patched('pixtral'))(picture);
    check('form image_sizes', image_sizes, [[208, 304]]);
  });

  await attempt('form pixel_attention_mask', async () => {
    const session = asking('pixel_attention_mask', 'int64', ['n', 'k', 'h', 'w']);
    const { pixel_attention_mask } = await (await patched('smolvlm', session))(picture);
    check('form pixel_attention_mask that a session asks for', pixel_attention_mask.type, 'int64');
  });

  await attempt('form pixel_mask', async () => {
    const { pixel_mask } = await (await patched('detr'))(picture);
    check('form pixel_mask', pixel_mask.dims, [1, 64, 64]);
    const session = asking('pixel_mask', 'bool', ['n', 20, 30]);
    const { pixel_mask: asked } = await (await patched('detr', session))(picture);
    check('form pixel_mask that a session asks for', [asked.type, asked.dims], ['bool', [1, 20, 30]]);
  });

  await attempt('form options of text', async () => {
    const processor = await patched('vit');
    const { pixel_values } = await processor(picture, { padding: true, truncation: true, max_length: 9 });
    check('form options of text', [...pixel_values.data], [...(await processor(picture)).pixel_values.data]);
  });

  await attempt('form alpha', async () => {
    const data = levels(300 * 200 * 4);
    const withoutAlpha = new hf.RawImage(
      data.filter((_, i) => i % 4 !== 3),
      300,
      200,
      3,
    );
    for (const name of ['vit', 'qwen2_vl']) {
      const processor = await patched(name);
      const [dropped, rgb] = [new hf.RawImage(data, 300, 200, 4), withoutAlpha];
      const values = async (image) => (await processor(image)).pixel_values.data;
      check(`form alpha of ${name}`, String(await values(dropped)), String(await values(rgb)));
    }
  });

  await attempt('form files', async () => {
    python.install();
    const { data, width, height } = await hf.RawImage.read(photo);
    python.uninstall();
    const ours = await readImage(photo);
    const isEqual = Buffer.compare(Buffer.from(data), Buffer.from(ours.data)) === 0;
    check('form files', [isEqual, width, height], [true, ours.width, ours.height]);
  });

  await attempt('form LLaVA-OneVision', async () => {
    const config = { ...configs.vit, image_processor_type: 'LlavaOnevisionImageProcessor' };
    const size = { height: 384, width: 384 };
    const processor = await python.use(new hf.LlavaOnevisionImageProcessor({ ...config, size }));
    check('form LLaVA-OneVision', (await processor(picture)).pixel_values.dims, [1, 3, 384, 384]);
    const row = python.report().find(({ className }) => className === config.image_processor_type);
    check('form LLaVA-OneVision, by whom', row.by, 'transformers.js');
  });

  await attempt('form boxes of ViTPose', async () => {
    const { pixel_values } = await (await patched('vitpose'))(picture);
    check('form boxes of ViTPose', pixel_values.dims, [1, 3, 256, 192]);
  });

  const zeros = (...dims) => new hf.Tensor('float32', new Float32Array(dims.reduce((a, b) => a * b)), dims);
  /** Three of four queries with a first class that is sure. */
  const logits = (...dims) => {
    const tensor = zeros(...dims);
    for (let i = 0; i < 3; i++) tensor.data[i * dims.at(-1)] = 9;
    return tensor;
  };
  const halves = { height: 40, width: 60 };
  const sizes = [[halves.height, halves.width]];
  const masks = () => zeros(1, 4, 10, 15).map((_, i) => (Math.floor(i / 30) % 5 === Math.floor(i / 150) ? 4 : -4));
  const detr = () => ({ logits: logits(1, 4, 7), pred_boxes: zeros(1, 4, 4), pred_masks: masks() });
  const former = () => ({ class_queries_logits: logits(1, 4, 7), masks_queries_logits: masks() });
  const heatmaps = zeros(1, 17, 64, 48).map((_, i) => (i % 97) / 97);
  const methods = {
    post_process_object_detection: ['yolos', () => [detr(), 0.5, sizes]],
    post_process_panoptic_segmentation: ['maskformer', () => [former(), 0.5, 0.5, 0.8, new Set(), sizes]],
    post_process_semantic_segmentation: ['segformer', () => [{ logits: zeros(1, 8, 10, 15) }, sizes]],
    post_process_masks: ['sam', () => [zeros(1, 1, 3, 256, 256), sizes, [[683, 1024]]]],
    post_process_pose_estimation: ['vitpose', () => [heatmaps, [[[0, 0, 60, 40]]], { threshold: 0.5 }]],
  };
  for (const [method, [name, values]] of Object.entries(methods))
    await attempt(`form ${method}`, async () => {
      const processor = make(name);
      const theirs = formOf(await processor[method](...values()));
      const ours = formOf(await (await python.use(processor))[method](...values()));
      check(`form ${method}`, sharedForm(ours, theirs), theirs);
    });
  python.uninstall();
}
