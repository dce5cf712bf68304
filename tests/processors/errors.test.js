/** Refusals of image processors: whole messages, before any pixel is read. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import {
  imageProcessor,
  imageProcessorAsync,
  init,
  processorNames,
  videoProcessor,
  videoProcessorAsync,
} from 'onnx-layout/processors';
import { expectError, expectRejection, refuses } from '../support/assertions.js';

const configOf = (type, config) => ({ image_processor_type: `${type}ImageProcessor`, ...config });
const vit = { image_processor_type: 'ViTImageProcessor', size: { height: 2, width: 2 } };
const image = { data: new Uint8Array(12), width: 2, height: 2 };
const wide = { data: new Uint8Array(240), width: 40, height: 2 };
const seventyOne = { data: new Uint8Array(213), width: 71, height: 1 };
const seventyPatches = { do_resize: false, patch_size: 1, pooling_kernel_size: 1, max_soft_tokens: 70 };
const crops = { do_pan_and_scan: true, pan_and_scan_min_ratio_to_activate: 1.2 };

const run = (className, images, options) => imageProcessor({}, { className })(images, options);

const resampleRule =
  'resample must be a number from 0 to 5 or one of nearest, lanczos, bilinear, bicubic, box, hamming, ' +
  'nearest-exact';
const knownOptions = 'Known: dtype, maskDtype, trimaps, prompt_images, prompt_masks, onStep, out, returnSizes, …';

/** An image that must not be looked at. */
const untouched = new Proxy(
  {},
  {
    get(_, key) {
      throw new Error(`reads ${String(key)}`);
    },
  },
);

const sizeKeys =
  '{ height, width }, { shortest_edge }, { shortest_edge, longest_edge }, { longest_edge }, ' +
  '{ max_height, max_width } or { min_pixels, max_pixels }';

describe('after init()', () => {
  beforeAll(() => init());

  for (const [name, make] of Object.entries({ imageProcessor, imageProcessorAsync }))
    refuses(name, make, {
      'TypeError: config must be an object or its JSON, got undefined': [undefined],
      'TypeError: config must be an object or its JSON, got null': [null],
      'TypeError: config must be an object or its JSON, got 5': [5],
      'TypeError: config must be an object or its JSON, got Uint8Array': [new Uint8Array(50e6)],
      'TypeError: config must be an object or its JSON, got [an object]': [[vit]],
      'TypeError: config must be an object or its JSON, got []': ['[]'],
      "RangeError: config must be JSON, got '{'": ['{'],
      'TypeError: image_processor_type must be a string, got 5': [{ image_processor_type: 5 }],
      "TypeError: do_resize must be true or false, got 'yes'": [{ ...vit, do_resize: 'yes' }],
      'TypeError: do_normalize must be true or false, got 2': [{ ...vit, do_normalize: 2 }],
      "TypeError: rescale_factor must be a number, got '1/255'": [{ ...vit, rescale_factor: '1/255' }],
      'RangeError: rescale_factor must be positive, got 0': [{ ...vit, rescale_factor: 0 }],
      'RangeError: rescale_factor must be positive, got Infinity': [{ ...vit, rescale_factor: Infinity }],
      'RangeError: background_color must be 3 whole numbers from 0 to 255, got 256': [
        configOf('DeepseekOcr2', { background_color: 256 }),
      ],
      'RangeError: background_color must be 3 whole numbers from 0 to 255, got [0, 0]': [
        configOf('DeepseekOcr2', { background_color: [0, 0] }),
      ],
      'RangeError: image_std must not be 0, got 1e-50': [{ ...vit, image_std: 1e-50 }],
      "TypeError: image_mean must be a number or a list of 3, got '0.5'": [{ ...vit, image_mean: '0.5' }],
      "TypeError: image_mean must be a number or a list of 3, got [1, 2, '3']": [{ ...vit, image_mean: [1, 2, '3'] }],
      'RangeError: image_std must be a number or a list of 3, got [1, 2]': [{ ...vit, image_std: [1, 2] }],
      'RangeError: image_mean must be finite in float32, got [1, 2, 1e+39]': [{ ...vit, image_mean: [1, 2, 1e39] }],
      'RangeError: image_std must not be 0, got [1, 0, 1]': [{ ...vit, image_std: [1, 0, 1] }],
      'RangeError: codebook_image_std must not be 0, got 0': [configOf('Flava', { codebook_image_std: 0 })],
      'RangeError: high_res_image_std must not be 0, got [1, 0, 1]': [
        configOf('DeepseekVLHybrid', { high_res_image_std: [1, 0, 1] }),
      ],
      'RangeError: norm_std must not be 0, got 0': [configOf('NemotronH_Omni_Reasoning_V3', { norm_std: 0 })],
      'RangeError: pretrained_cfg std must not be 0, got [0, 1, 1]': () =>
        make(configOf('TimmWrapper', { pretrained_cfg: { std: [0, 1, 1] } })),
      [`RangeError: ${resampleRule}, got 'cubic'`]: [{ ...vit, resample: 'cubic' }],
      [`TypeError: ${resampleRule}, got []`]: [{ ...vit, resample: [] }],
      [`RangeError: ${resampleRule}, got 6`]: [{ ...vit, resample: 6 }],
      "TypeError: size must be a number, a list or an object, got 'large'": [{ ...vit, size: 'large' }],
      'RangeError: size must be a whole number from 1 on, got 0': [{ ...vit, size: 0 }],
      'RangeError: size must be a whole number from 1 on, got 2.5': [{ ...vit, size: 2.5 }],
      'RangeError: size must hold 2 numbers, got [1, 2, 3]': [{ ...vit, size: [1, 2, 3] }],
      'TypeError: size[1] must be a number, got null': [{ ...vit, size: [1, null] }],
      [`RangeError: size must have the keys ${sizeKeys}, got { height }`]: [{ ...vit, size: { height: 5 } }],
      "TypeError: size width must be a number, got '5'": [{ ...vit, size: { height: 5, width: '5' } }],
      'TypeError: patch_size must be a number, got an object': () =>
        make(configOf('Qwen2VL', { patch_size: { height: 1, width: 1 } })),
      'TypeError: pretrained_cfg must be an object, got 5': [configOf('TimmWrapper', { pretrained_cfg: 5 })],
      "RangeError: pretrained_cfg interpolation must be nearest, lanczos, bilinear, bicubic, box or hamming, got 'x'": [
        configOf('TimmWrapper', { pretrained_cfg: { interpolation: 'x' } }),
      ],
      'TypeError: pretrained_cfg input_size must be a list, got 224': () =>
        make(configOf('TimmWrapper', { pretrained_cfg: { input_size: 224 } })),
      'RangeError: pretrained_cfg input_size must be [channels, height, width], got []': () =>
        make(configOf('TimmWrapper', { pretrained_cfg: { input_size: [] } })),
      'RangeError: pretrained_cfg input_size must be [channels, height, width], got [224]': () =>
        make(configOf('TimmWrapper', { pretrained_cfg: { input_size: [224] } })),
      'TypeError: image_grid_pinpoints[1] must be [height, width], got 3': () =>
        make(configOf('LlavaNext', { image_grid_pinpoints: [[1, 2], 3] })),
      'TypeError: image_grid_pinpoints must be a list of [height, width], got 336': () =>
        make(configOf('LlavaNext', { image_grid_pinpoints: 336 })),
      'RangeError: image_grid_pinpoints must be a list of [height, width], got []': () =>
        make(configOf('LlavaNext', { image_grid_pinpoints: [] })),
      'TypeError: clusters must be a list, got 5': [configOf('ImageGPT', { clusters: 5 })],
      'TypeError: clusters[0] must be 3 finite numbers, got [1, 2]': [configOf('ImageGPT', { clusters: [[1, 2]] })],
      'RangeError: clusters must hold a color at least, got []': [configOf('ImageGPT', { clusters: [] })],
      'RangeError: clusters must hold at most 262144 colors, got 262145': [
        configOf('ImageGPT', { clusters: Array(262145).fill([0, 0, 0]) }),
      ],
      'RangeError: max_tiles must be at most 1024, got 1025': [configOf('Lfm2Vl', { max_tiles: 1025 })],
    });

  refuses('imageProcessor', run, {
    'RangeError: return_image_mask must be false: masks are random': ['Flava', image, { return_image_mask: true }],
    'RangeError: images[1] must be a pair, got 1': ['LightGlue', [[image, image], [image]]],
    'RangeError: images[1] must hold an image at least, got []': ['Idefics3', [[image], []]],
    'RangeError: images[0] must become 34 tiles, got 17': ['SmolVLM', [[image], [image, image]], { do_pad: false }],
    'RangeError: max_patches must be at most 1024, got 1025': [
      ...['GotOcr2', image],
      { crop_to_patches: true, max_patches: 1025 },
    ],
    'RangeError: max_num_tiles must be at most 1024, got 1025': ['PerceptionLM', image, { max_num_tiles: 1025 }],
  });

  test('a key of the wrong kind, by the name that the file has for it', () => {
    const config = { image_processor_type: 'DetrImageProcessor', pad_and_return_pixel_mask: 'yes' };
    const rule = "pad_and_return_pixel_mask must be true or false, got 'yes'";
    expectError(() => imageProcessor(config), TypeError, `imageProcessor: ${rule}`);
  });

  test('crops of Molmo 2 that patches do not divide', () => {
    const config = { size: 16, patch_size: 3, overlap_margins: [1, 1] };
    const rule = 'size must be a multiple of patch_size 3, got 16';
    const pictures = imageProcessor({ ...config, image_processor_type: 'Molmo2ImageProcessor' });
    expectError(() => pictures(image), RangeError, `imageProcessor: ${rule}`);
    const videos = videoProcessor({ ...config, video_processor_type: 'Molmo2VideoProcessor' });
    expectError(() => videos([image], { do_sample_frames: false }), RangeError, `videoProcessor: ${rule}`);
  });

  test.each([
    ['image', 'overlap_margins', imageProcessor, image],
    ['image', 'pooling_size', imageProcessor, image],
    ['image', 'max_crops', imageProcessor, image],
    ['video', 'pooling_size', videoProcessor, [image]],
  ])('a setting of Molmo 2 that is null: %s, %s', (kind, key, make, input) => {
    const processor = make({
      [`${kind}_processor_type`]: `Molmo2${kind[0].toUpperCase()}${kind.slice(1)}Processor`,
      [key]: null,
    });
    expectError(() => processor(input), RangeError, `${kind}Processor: ${key} must be given, got null`);
  });

  test('sizes of MiniCPM-OCR that would follow from pixels', () => {
    const config = { image_processor_type: 'MiniCPMOcrImageProcessor', small_image_upsize: 'adaptive' };
    const rule = "small_image_upsize must be 'always' or 'never', for sizes follow no pixels here, got 'adaptive'";
    expectError(() => imageProcessor(config)(image), RangeError, `imageProcessor: ${rule}`);
  });

  test('a pair of a video processor', () => {
    const refuses = (pair, Class, rule) =>
      expectError(
        () => videoProcessor({ video_processor_type: 'Molmo2VideoProcessor', pooling_size: pair }),
        Class,
        `videoProcessor: pooling_size must be ${rule}`,
      );
    refuses(0, TypeError, 'a list, got 0');
    refuses([2, 0], RangeError, '2 whole numbers from 1 on, got [2, 0]');
    refuses([2], RangeError, '2 whole numbers from 1 on, got [2]');
  });

  test('a stream of fewer or more frames than were told, and of other sizes', async () => {
    const streams = videoProcessorAsync({ video_processor_type: 'VideoMAEVideoProcessor' });
    const refuses = (frames, options, rule) => {
      const stream = (async function* () {
        yield* frames;
      })();
      const call = () => streams(stream, { video_metadata: { total_num_frames: 3, fps: 1 }, ...options });
      return expectRejection(call, RangeError, `videoProcessorAsync: ${rule}`);
    };
    const chosen = { do_sample_frames: true, num_frames: 2 };
    const [high, broad] = [
      [2, 1],
      [1, 2],
    ].map(([width, height]) => ({ data: new Uint8Array(6), width, height }));
    await refuses([image, image], {}, 'videos must give 3 frames, got 2');
    await refuses([], {}, 'videos must give 3 frames, got 0');
    await refuses([image], chosen, 'videos must give 2 frames, got 1');
    await refuses(Array(4).fill(image), {}, 'videos must give 3 frames, as video_metadata says, got more');
    const rule = 'videos[1] must have 2 x 2 pixels as the first frame, got';
    await refuses([image, high], {}, `${rule} 2 x 1`);
    await refuses([image, broad], {}, `${rule} 1 x 2`);
  });

  test('no type, and an unknown one: the nearest are named, and how to list all', () => {
    const all = 'processorNames lists all';
    const refuses = (config, rule, options) =>
      expectError(() => imageProcessor(config, options), TypeError, `imageProcessor: ${rule}`);
    refuses({}, `config must have the key image_processor_type, or config.json a model_type: ${all} classes`);
    const nearest = ['ViT', 'Bit', 'Vilt', 'Beit', 'DPT'].map((name) => `${name}ImageProcessor`).join(', ');
    refuses(
      { image_processor_type: 'VitImageProcessor' },
      `unknown class 'VitImageProcessor'. Nearest: ${nearest}; ${all}`,
    );
    expect(() => imageProcessor({ ...vit, feature_extractor_type: 'X' }, { className: 'nothing' })).toThrow(
      /^imageProcessor: unknown class 'nothing'\. Nearest: (\w+ImageProcessor, ){4}\w+ImageProcessor; /,
    );
    for (const name of ['toString', '__proto__', 'constructor'])
      expect(() => imageProcessor({ image_processor_type: name })).toThrow(all);
    expect([processorNames.includes('ViTImageProcessor'), Object.isFrozen(processorNames)]).toEqual([true, true]);
  });

  test('settings of a call: misspelt, of another class, and of labels', () => {
    const rule = (key, near) => `unknown option '${key}'${near ? `, did you mean '${near}'?` : '.'} ${knownOptions}`;
    const call = (options) => imageProcessor(vit)(image, options).pixel_values.dims;
    for (const [key, near] of Object.entries({ do_resze: 'do_resize', high_res_sizes: undefined, do_: undefined }))
      expectError(() => call({ [key]: false }), TypeError, `imageProcessor: ${rule(key, near)}`);
    const others = { do_pan_and_scan: true, high_res_size: 4, do_reduce_labels: true };
    expect(call({ ...others, size: 2 })).toEqual([1, 3, 2, 2]);
  });

  test('options of imageProcessor', () => {
    const refuses = (options, Class, rule) =>
      expectError(() => imageProcessor(vit, options), Class, `imageProcessor: ${rule}`);
    refuses(5, TypeError, 'options must be an object, got 5');
    refuses(
      { backends: 'pil' },
      TypeError,
      "unknown option 'backends', did you mean 'backend'? Known: backend, className, dtype, maxBytes, unknown",
    );
    refuses({ backend: 'numpy' }, RangeError, "backend must be 'torchvision' or 'pil', got 'numpy'");
    refuses({ className: 5 }, TypeError, 'className must be a string, got 5');
    // As in Python, a class that has one backend takes that one.
    expect(imageProcessor({}, { className: 'Sam2ImageProcessor', backend: 'pil' }).backend).toBe('torchvision');
  });

  refuses('imageProcessor', (options) => imageProcessor(vit)(untouched, options), {
    'TypeError: options must be an object, got 5': [5],
    'TypeError: options must be an object, got null': [null],
    "TypeError: do_resize must be true or false, got 'no'": [{ do_resize: 'no' }],
    'RangeError: size height must be a whole number from 1 on, got 0': [{ size: { height: 0, width: 5 } }],
    'RangeError: rescale_factor must be given where do_rescale is on, got null': [{ rescale_factor: null }],
    'RangeError: image_mean must be given where do_normalize is on, got null': [{ image_mean: null }],
    'RangeError: image_std must be given where do_normalize is on, got null': [{ image_std: null }],
    'RangeError: size must be given where do_resize is on, got null': [{ size: null }],
    'RangeError: resample must be given where do_resize is on, got null': [{ resample: null }],
    'RangeError: crop_size must be given where do_center_crop is on, got null': [{ do_center_crop: true }],
    'TypeError: dtype must be float32, float16 or bfloat16, got int8': [{ dtype: 'int8' }],
    "TypeError: dtype must be float32, float16 or bfloat16, got 'ViTImageProcessor'": [{ dtype: 'ViTImageProcessor' }],
    [`TypeError: unknown option 'sizes', did you mean 'size'? ${knownOptions}`]: [{ sizes: 5 }],
  });

  refuses('imageProcessor', (options) => imageProcessor(vit)(wide, options), {
    "RangeError: resample of backend 'torchvision' must be 0 to 3, got 4": [{ resample: 4 }],
    "RangeError: resample of backend 'torchvision' must be 0 to 3, got 5": [{ resample: 5 }],
  });

  test('`out`, which stays as it was', () => {
    const zeros = () => Tensor.from('float32', new Float32Array(12), [1, 3, 2, 2]);
    const data = Float32Array.from(image.data);
    const shared = new Tensor('float32', data, [1, 3, 2, 2]);
    const bytes = { ...image, data: new Uint8Array(data.buffer, 36) };
    const call = (out, pictures = image) => imageProcessor(vit)(pictures, { size: 2, out });
    for (const [Class, out, rule, pictures] of [
      [TypeError, 5, 'out must be { pixel_values }, got 5'],
      [TypeError, { pixels: zeros() }, "unknown output 'pixels'. Known: pixel_values"],
      [TypeError, { pixel_values: data }, 'out pixel_values must be a tensor { type, dims, data }, got Float32Array'],
      [
        TypeError,
        { pixel_values: new Tensor('uint8', new Uint8Array(12), [1, 3, 2, 2]) },
        'out pixel_values type must be float32, got uint8',
      ],
      [
        RangeError,
        { pixel_values: new Tensor('float32', data, [3, 2, 2]) },
        'out pixel_values dims must be [1, 3, 2, 2], got [3, 2, 2]',
      ],
      [
        RangeError,
        { pixel_values: { type: 'float32', dims: [1, 3, 2, 2], data: new Float32Array(11) } },
        'float32 data of dims [1, 3, 2, 2] has 12 entries, got 11',
      ],
      [RangeError, { pixel_values: shared }, 'out pixel_values must not overlap images[1]', [image, bytes]],
    ])
      expectError(() => call(out, pictures), Class, `imageProcessor: ${rule}`);
    expect(data).toEqual(Float32Array.from(image.data));
    expect(call({})).toEqual(call(undefined));
    const values = zeros();
    expect(call({ pixel_values: values }).pixel_values.data).toBe(values.data);
    expect(values).toEqual(call(undefined).pixel_values);
  });

  test('a picture that is too large for the kernels, before `out` is touched', () => {
    const long = { data: new Uint8Array(3 * 65537), width: 65537, height: 1, channels: 3 };
    const values = Tensor.from('float32', Array(24).fill(7), [2, 3, 2, 2]);
    const rule = 'an image must have at most 65536 pixels a side, got 65537 x 1';
    const call = () => imageProcessor(vit)([image, long], { size: 2, out: { pixel_values: values } });
    expectError(call, RangeError, `imageProcessor: ${rule}`);
    expect(values.data).toEqual(new Float32Array(24).fill(7));
  });

  refuses('imageProcessor', run, {
    'TypeError: images must be an image { data, width, height }, got undefined': ['ViT', undefined, {}],
    'RangeError: images must hold at least one image, got []': ['ViT', [], {}],
    'TypeError: images[1] must be an image { data, width, height }, got 5': ['ViT', [image, 5], {}],
    'RangeError: images data of 2 x 5 pixels has 10, 20, 30 or 40 bytes, got 12': ['ViT', { ...image, height: 5 }, {}],
    'TypeError: images data must be a Uint8Array or Uint8ClampedArray, got Float32Array': () =>
      run('ViT', { ...image, data: new Float32Array(4) }, {}),
    'RangeError: images[1] must become 2 x 2 pixels as the first, got 4 x 1': () =>
      run('ViT', [image, { ...image, width: 4, height: 1 }], { do_resize: false }),
    'RangeError: size must give 1 to 65536 pixels a side, got 1 x 65537': () =>
      run('ViT', image, { size: { height: 65537, width: 1 } }),
    'RangeError: size must have the keys height and width here': ['ViT', image, { size: { longest_edge: 5 } }],
    'RangeError: pad_size must be at least 2 x 2, got 1 x 1': () =>
      run('ViT', image, { do_pad: true, pad_size: 1, do_resize: false }),
    'RangeError: pad_size must be at least 2 x 2, got 4 x 1': () =>
      run('ViT', image, { do_pad: true, pad_size: { height: 1, width: 4 }, do_resize: false }),
    'RangeError: size must have the key longest_edge here': ['Sam', image, { size: 5 }],
    'RangeError: size must be square, got 2 x 1': ['Janus', image, { size: [1, 2] }],
    'RangeError: an image must have sides of a ratio up to 200, got 201 x 1': () =>
      run('Qwen2VL', { data: new Uint8Array(603), width: 201, height: 1 }, {}),
    'RangeError: an image must have sides of multiples of 28 here, got 2 x 2': ['Qwen2VL', image, { do_resize: false }],
    'RangeError: images must have at most 3 patches, got 9': () =>
      run('Siglip2', [image, { data: new Uint8Array(27), width: 3, height: 3 }], {
        do_resize: false,
        patch_size: 1,
        max_num_patches: 3,
      }),
    'RangeError: an image must become at most 4096 tiles, got 2119936': () =>
      run('Idefics3', image, { max_image_size: { longest_edge: 1 } }),
    'RangeError: pan_and_scan_min_ratio_to_activate must be given where do_pan_and_scan is on, got null': () =>
      run('Gemma3', image, { do_pan_and_scan: true }),
    'RangeError: an image must be long enough for 4 crops of 2 pixels, got 5 x 1': () =>
      run(
        'Gemma3',
        { data: new Uint8Array(15), width: 5, height: 1 },
        { ...crops, pan_and_scan_min_crop_size: 1, pan_and_scan_max_num_crops: 4 },
      ),
    'RangeError: an image must be long enough for 4 crops of 3 pixels, got 1 x 9': () =>
      run(
        'Gemma3',
        { data: new Uint8Array(9), width: 1, height: 9 },
        { ...crops, pan_and_scan_min_crop_size: 1, pan_and_scan_max_num_crops: 4 },
      ),
    'RangeError: min_tiles must be at most max_tiles, got 11 and 10': ['Lfm2Vl', image, { min_tiles: 11 }],
    'RangeError: an image must be larger than its mirrored border, got 2 x 2 pixels': ['ZoeDepth', image, {}],
    'RangeError: an image must become at most 1073741824 bytes (maxBytes), got 12000928512': () =>
      run('HunYuanVL', image, { patch_size: 4, min_pixels: 1e9, max_pixels: 2e9 }),
    'RangeError: resample must be 0, 2 or 3 here, got 1': ['DepthPro', image, { resample: 1 }],
    'RangeError: resample must be 0, 2 or 3 here, where nothing is antialiased, got 1': () =>
      run('PPDocLayoutV2', image, { resample: 1 }),
    'RangeError: min_patches must be given where a picture is cut, got null': () =>
      run('GotOcr2', image, { crop_to_patches: true, min_patches: null }),
    'RangeError: patch_size must be given for a picture that is cut into windows, got null': () =>
      run('Step3p7', { data: new Uint8Array(6480), width: 60, height: 36 }, { patch_size: null }),
    'RangeError: an image must have 10 pixels or more a side once it is fitted into 3 x 1 tiles, got 1344 x 9': () =>
      run('Phi4Multimodal', { data: new Uint8Array(3 * 1344 * 9), width: 1344, height: 9 }),
    'RangeError: an image must have 10 pixels or more a side once it is fitted into 1 x 1 tiles, got 8 x 448': () =>
      run('Phi4Multimodal', { data: new Uint8Array(3 * 6 * 300), width: 6, height: 300 }),
    'RangeError: codebook_image_mean must be given, got null': () =>
      run('Flava', image, { return_codebook_pixels: true, codebook_image_mean: null }),
    'TypeError: trimaps must be given, got undefined': ['VitMatte', image, {}],
    'RangeError: trimaps must hold 1, one for each image, got 2': ['VitMatte', image, { trimaps: [image, image] }],
    'RangeError: trimaps[0] must have 2 x 2 pixels as its image, got 4 x 1': () =>
      run('VitMatte', [image], { trimaps: [{ data: new Uint8Array(4), width: 4, height: 1 }] }),
    'RangeError: images[1] must become 32 x 32 pixels as the first, got 64 x 32': () =>
      run('VitMatte', [image, wide], { trimaps: [image, wide] }),
    'RangeError: images[1] must become 2 x 2 pixels as the first, got 40 x 2': () =>
      run('DINOv3ViT', [image, wide], { do_resize: false }),
  });

  test('Phi-4 takes a picture of 10 pixels a side', () => {
    const thin = { data: new Uint8Array(3 * 1344 * 10), width: 1344, height: 10 };
    expect(run('Phi4Multimodal', thin).num_img_tokens.data).toEqual(BigInt64Array.of(322n));
  });

  test.each(['Gemma4', 'Gemma4Unified'])('%s refuses numbers of tokens that it was not trained with', (className) =>
    expectError(
      () => run(className, image, { max_soft_tokens: 100 }),
      RangeError,
      'imageProcessor: max_soft_tokens must be 70, 140, 280, 560 or 1120, got 100',
    ),
  );

  test.each(['Gemma4', 'Gemma4Unified'])('%s refuses a picture of too many patches beside others', (className) => {
    const refuses = (images) =>
      expectError(
        () => run(className, images, seventyPatches),
        RangeError,
        'imageProcessor: images must have at most 70 patches, got 71',
      );
    refuses([image, seventyOne]);
    refuses([seventyOne, image]);
  });

  test.each(['Gemma4', 'Gemma4Unified'])('%s takes pictures that have as many patches too many', (className) => {
    const { pixel_values: values, image_position_ids: places } = run(
      className,
      [seventyOne, seventyOne],
      seventyPatches,
    );
    expect(values.dims).toEqual([2, 71, 3]);
    expect(places.dims).toEqual([2, 71, 2]);
    const columnsAndRows = Array.from({ length: 71 }, (_, column) => [BigInt(column), 0n]).flat();
    expect([...places.data]).toEqual([...columnsAndRows, ...columnsAndRows]);
  });

  test('timm takes one number as the mean of all colors, of the bars too', () => {
    const broad = { data: new Uint8Array(24), width: 4, height: 2 };
    const make = (mean) => {
      const pretrained_cfg = { input_size: [3, 4, 4], mean, std: 0.5, crop_mode: 'border' };
      return imageProcessor({ image_processor_type: 'TimmWrapperImageProcessor', pretrained_cfg })(broad);
    };
    expect(make(0.25)).toEqual(make([0.25, 0.25, 0.25]));
  });

  test('Qwen2-VL takes sides of a ratio of exactly 200', () => {
    const long = { data: new Uint8Array(2400), width: 400, height: 2 };
    const config = { size: { shortest_edge: 3136, longest_edge: 12845056 } };
    const { image_grid_thw: grid } = imageProcessor(config, { className: 'Qwen2VL' })(long);
    expect(grid.data).toEqual(BigInt64Array.of(1n, 2n, 58n));
  });

  test('a Blob needs the other function, and createImageBitmap', async () => {
    const rule = 'images must be decoded, which imageProcessorAsync does, got a Blob';
    expectError(() => imageProcessor(vit)(new Blob([])), TypeError, `imageProcessor: ${rule}`);
    await expect(imageProcessorAsync(vit)(new Blob([]))).rejects.toThrow(
      new Error(
        'imageProcessorAsync: a Blob needs createImageBitmap, which is not there, or decode: readImage of ' +
          'onnx-layout/node is one',
      ),
    );
    await expect(imageProcessorAsync(vit)(image, { orientation: 'up' })).rejects.toThrow(
      new RangeError("imageProcessorAsync: orientation must be 'upright' or 'ignore', got 'up'"),
    );
  });
});
