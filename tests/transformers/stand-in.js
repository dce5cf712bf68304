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

export class Tensor {
  constructor(type, data, dims) {
    Object.assign(this, { type, data, dims, size: data.length });
  }
}

export class RawImage {
  constructor(data, width, height, channels) {
    Object.assign(this, { data, width, height, channels });
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
    return new this(this.uses_processor_config ? readFile(id, 'processor_config.json') : {}, {});
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

export class ImageClassificationPipeline extends Pipeline {
  async _call(images) {
    return this.model(await this.processor(images));
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
