/**
 * A stand-in for the module of transformers.js, with its shape and none of its numbers: objects that can be called,
 * classes, loaders that read `files`, and pipelines. `npm run test:transformers` runs the real one.
 */

/** An object that is called like a function, as in transformers.js. */
class Callable {
  constructor() {
    const closure = (...values) => closure._call(...values);
    // eslint-disable-next-line no-constructor-return -- as the module makes its objects
    return Object.setPrototypeOf(closure, new.target.prototype);
  }
}

/** With the arithmetic that pipelines of depth and of masks use. */
export class Tensor {
  constructor(type, data, dims) {
    Object.assign(this, { type, data, dims, size: data.length });
  }

  min() {
    return new Tensor(this.type, [Math.min(...this.data)], []);
  }

  max() {
    return new Tensor(this.type, [Math.max(...this.data)], []);
  }

  item() {
    return this.data[0];
  }

  sub(number) {
    return this.map((value) => value - number);
  }

  map(change) {
    return new Tensor(this.type, this.data.map(change), this.dims);
  }

  div_(number) {
    return Object.assign(this, { data: this.data.map((value) => value / number) });
  }

  mul_(number) {
    return Object.assign(this, { data: this.data.map((value) => value * number) });
  }

  sigmoid_() {
    return Object.assign(this, { data: this.data.map((value) => 1 / (1 + Math.exp(-value))) });
  }

  to(type) {
    return new Tensor(type, Uint8Array.from(this.data), this.dims);
  }

  unsqueeze() {
    return new Tensor(this.type, this.data, [1, ...this.dims]);
  }
}

export class RawImage {
  constructor(data, width, height, channels) {
    Object.assign(this, { data, width, height, channels });
  }

  static fromTensor({ data, dims: [channels, height, width] }) {
    return new RawImage(Uint8ClampedArray.from(data), width, height, channels);
  }

  clone() {
    return new RawImage(this.data, this.width, this.height, this.channels);
  }

  putAlpha(mask) {
    this.alpha = mask;
  }

  static async read(image) {
    return image instanceof RawImage ? image : this.fromBlob(image);
  }

  static async fromBlob() {
    return new RawImage(new Uint8ClampedArray(3), 1, 1, 3);
  }
}

const zeros = (dims) => new Tensor('float32', new Float32Array(dims.reduce((a, b) => a * b)), dims);

export class ImageProcessor extends Callable {
  constructor(config) {
    super();
    this.config = config;
  }

  async _call(images) {
    const list = [images].flat();
    return { pixel_values: zeros([list.length, 3, 2, 2]), original_sizes: [], reshaped_input_sizes: [] };
  }
}

export class ViTImageProcessor extends ImageProcessor {}
export class DPTImageProcessor extends ImageProcessor {}
export class VitMatteImageProcessor extends ImageProcessor {}
export class SegformerImageProcessor extends ImageProcessor {
  post_process_semantic_segmentation() {
    return [];
  }
}
export class MaskFormerImageProcessor extends SegformerImageProcessor {}
export class SamImageProcessor extends ImageProcessor {
  post_process_masks() {
    return [];
  }
}
export class Sam2ImageProcessor extends SamImageProcessor {}
export class VitPoseImageProcessor extends ImageProcessor {
  post_process_pose_estimation() {
    return [];
  }
}

/** A video processor, which has no base class there. */
export class EmbeddingGemma2VideoProcessor extends Callable {
  constructor(config) {
    super();
    this.config = config;
  }
}
export class JinaCLIPImageProcessor extends ImageProcessor {}
export class DetrImageProcessor extends ImageProcessor {
  post_process_object_detection() {
    return [];
  }
}

export class FeatureExtractor extends Callable {
  constructor(config) {
    super();
    this.config = config;
  }

  static async from_pretrained(id) {
    return new this(readFile(id, 'preprocessor_config.json'));
  }
}

export class Wav2Vec2FeatureExtractor extends FeatureExtractor {
  async _call(samples) {
    return { input_values: zeros([1, samples.length]) };
  }
}

export class Processor extends Callable {
  static classes = [];
  static uses_processor_config = false;

  constructor(config, components) {
    super();
    Object.assign(this, { config, components });
  }

  get image_processor() {
    return this.components.image_processor;
  }

  async _call(input, ...rest) {
    return (this.components.image_processor ?? this.components.feature_extractor)(input, ...rest);
  }

  static async from_pretrained(id) {
    const made = new this(this.uses_processor_config ? readFile(id, 'processor_config.json') : {}, {});
    return Object.assign(made, this.uses_chat_template_file && { chat_template: readFile(id, 'chat_template.jinja') });
  }
}

/** A Processor with words and a template of chats. */
export class Qwen2VLProcessor extends Processor {
  static tokenizer_class = Object;
  static uses_chat_template_file = true;

  constructor(config, components, chat_template) {
    super(config, components);
    this.chat_template = chat_template;
  }
}

export class AutoTokenizer {
  static async from_pretrained(id) {
    return { words: id };
  }
}

/** The files of models by their ids, as `id/name`. */
export const files = {};

function readFile(id, name) {
  const file = files[`${id}/${name}`];
  if (!file) throw new Error(`Could not locate file: ${id}/${name}`);
  return structuredClone(file);
}

/** Loads the class that a file names, as transformers.js does. */
const loaderOf = (make) =>
  class {
    static async from_pretrained(id) {
      return make(readFile(id, 'preprocessor_config.json'));
    }
  };

const imageClasses = { DetrImageProcessor, ImageProcessor, JinaCLIPImageProcessor, ViTImageProcessor };

function imageProcessorOf(config) {
  const Class = imageClasses[config.image_processor_type];
  if (!Class) throw new Error(`Unknown image_processor_type: '${config.image_processor_type}'.`);
  return new Class(config);
}

export const AutoImageProcessor = loaderOf(imageProcessorOf);
export const AutoFeatureExtractor = loaderOf((config) => new Wav2Vec2FeatureExtractor(config));
export const AutoProcessor = loaderOf((config) => new Processor({}, { image_processor: imageProcessorOf(config) }));

export class AutoConfig {
  static async from_pretrained(id) {
    return readFile(id, 'config.json');
  }
}

class Pipeline extends Callable {
  constructor(parts) {
    super();
    Object.assign(this, parts);
  }
}

class PicturePipeline extends Pipeline {
  async _call(images) {
    return this.model(await this.processor(images));
  }
}

export class ImageClassificationPipeline extends PicturePipeline {}
export class DepthEstimationPipeline extends PicturePipeline {}
export class ImageSegmentationPipeline extends PicturePipeline {}
export class BackgroundRemovalPipeline extends ImageSegmentationPipeline {}

/** A Processor whose labels are words of the prompt. */
export class GroundingDinoProcessor extends Processor {
  batch_decode(rows) {
    return rows.map((row) => row.join(' '));
  }
}

/** Labels in the order in which they are given. */
export class ZeroShotAudioClassificationPipeline extends Pipeline {
  async _call(sounds, labels) {
    const results = labels.map((label, i) => ({ label, score: i / 8 }));
    return Array.isArray(sounds) ? sounds.map(() => results) : results;
  }
}

export const env = { version: '4.3.2' };
