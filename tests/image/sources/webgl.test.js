/**
 * Bitmaps with transparent pixels, where WebGL2 is there, with a fake of it in Node. These tests check when WebGL2 is
 * asked, that it is asked to convert nothing, and what happens if it fails. tests/browser uses the real one.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { imageToTensor, imageToTensorAsync, init } from 'onnx-layout/image';
import { expectTensor } from '../../support/assertions.js';
import { randomData } from '../../support/samples.js';

beforeAll(() => init());

const width = 5;
const height = 3;
const bitmap = { width, height, [Symbol.toStringTag]: 'ImageBitmap' };

/** A bitmap's pixels with every alpha from 0 to 255. */
const stored = randomData('uint8', 4 * width * height, 1);
stored.set([0, 3, 255, 0, 128, 1, 254, 1], 0);
stored.set([9, 8, 7, 254], 8);

/** The bitmap's pixels, as they come from a canvas: multiplied by alpha, rounded, divided by alpha, rounded. */
function drawnOf(pixels) {
  return Uint8ClampedArray.from(pixels, (byte, i) => {
    const alpha = pixels[i | 3];
    if (i % 4 === 3) return alpha;
    return alpha === 0 ? 0 : Math.round((Math.round((byte * alpha) / 255) * 255) / alpha);
  });
}

/** The pixels that a canvas gives of a bitmap, of an image element, and that WebGL2 gives; the contexts so far. */
let drawn;
let shown;
let uploaded;
let contexts;
/** Faults of the next readings, instead of pixels. */
let failures;

/** As much of WebGL2 as one needs to read a bitmap. Constants are their names. */
class FakeContext {
  static {
    for (const name of [
      ...['TEXTURE_2D', 'FRAMEBUFFER', 'COLOR_ATTACHMENT0', 'PIXEL_PACK_BUFFER', 'MAX_TEXTURE_SIZE', 'STREAM_READ'],
      ...['RGBA8', 'RGBA', 'UNSIGNED_BYTE', 'NONE', 'NO_ERROR'],
      ...['UNPACK_PREMULTIPLY_ALPHA_WEBGL', 'UNPACK_COLORSPACE_CONVERSION_WEBGL'],
    ])
      FakeContext.prototype[name] = name;
  }

  isLost = false;

  objects = new Set();

  bound = {};

  modes = {};

  errors = [];

  isContextLost() {
    return this.isLost;
  }

  getParameter(name) {
    return { MAX_TEXTURE_SIZE: 8192 }[name];
  }

  getError() {
    return this.errors.shift() ?? 'NO_ERROR';
  }

  create() {
    const object = {};
    this.objects.add(object);
    return object;
  }

  createTexture = this.create;

  createFramebuffer = this.create;

  createBuffer = this.create;

  delete(object) {
    expect(this.objects.delete(object)).toBe(true);
  }

  deleteTexture = this.delete;

  deleteFramebuffer = this.delete;

  deleteBuffer = this.delete;

  bind(target, object) {
    expect(this.objects.has(object)).toBe(true);
    this.bound[target] = object;
  }

  bindTexture = this.bind;

  bindFramebuffer = this.bind;

  bindBuffer = this.bind;

  pixelStorei(mode, value) {
    this.modes[mode] = value;
  }

  texImage2D(...args) {
    const size = [args[3], args[4]];
    expect(args).toEqual(['TEXTURE_2D', 0, 'RGBA8', ...size, 0, 'RGBA', 'UNSIGNED_BYTE', expect.anything()]);
    expect(args.at(-1)).toMatchObject({ width: size[0], height: size[1] });
    expect(this.modes).toEqual({ UNPACK_PREMULTIPLY_ALPHA_WEBGL: false, UNPACK_COLORSPACE_CONVERSION_WEBGL: 'NONE' });
    this.bound.TEXTURE_2D.size = size;
  }

  framebufferTexture2D(...args) {
    expect(args).toEqual(['FRAMEBUFFER', 'COLOR_ATTACHMENT0', 'TEXTURE_2D', this.bound.TEXTURE_2D, 0]);
    this.bound.FRAMEBUFFER.size = this.bound.TEXTURE_2D.size;
  }

  bufferData(target, length) {
    this.bound[target].length = length;
  }

  readPixels(...args) {
    expect(args).toEqual([0, 0, ...this.bound.FRAMEBUFFER.size, 'RGBA', 'UNSIGNED_BYTE', 0]);
    this.bound.PIXEL_PACK_BUFFER.pixels = uploaded;
  }

  getBufferSubData(target, offset, bytes) {
    const { length, pixels } = this.bound[target];
    expect([target, offset, length]).toEqual(['PIXEL_PACK_BUFFER', 0, bytes.length]);
    const fail = failures.shift();
    if (fail) fail(this);
    else bytes.set(pixels);
  }
}

class FakeCanvas {
  constructor(...size) {
    this.size = size;
  }

  getContext(kind, settings) {
    if (kind === '2d') {
      let isBitmap;
      const drawImage = (source) => {
        isBitmap = !('naturalWidth' in source);
      };
      return { drawImage, getImageData: () => ({ data: isBitmap ? drawn : shown }) };
    }
    expect([kind, this.size, settings.alpha]).toEqual(['webgl2', [1, 1], false]);
    const context = new FakeContext();
    contexts.push(context);
    return context;
  }
}

beforeEach(() => {
  drawn = drawnOf(stored);
  uploaded = stored;
  contexts = [];
  failures = [];
  globalThis.OffscreenCanvas = FakeCanvas;
});

afterEach(() => {
  // A context outlives the test that made it, as it outlives a call.
  for (const context of contexts) context.isLost = true;
  delete globalThis.OffscreenCanvas;
});

const options = { channels: 'RGBA', layout: 'HWC', dtype: 'uint8' };
const expectPixels = (pixels, image = bitmap) =>
  expectTensor(imageToTensor(image, options), 'uint8', [image.height, image.width, 4], Uint8Array.from(pixels));

test('gives the pixels that the bitmap stores', () => {
  expect(Uint8Array.from(drawn)).not.toEqual(stored);
  expectPixels(stored);
  expect(contexts[0].objects.size).toBe(0);
});

test('reads all bitmaps through one context', () => {
  for (let i = 0; i < 20; i++) expectPixels(stored);
  expect(contexts.length).toBe(1);
});

test.each(Array.from({ length: width * height }, (_, pixel) => pixel))(
  'is asked where pixel %i alone is not opaque',
  (pixel) => {
    uploaded = stored.map((byte, i) => (i % 4 === 3 ? 255 - (i >> 2 === pixel) : byte));
    drawn = Uint8ClampedArray.from(uploaded, (byte, i) => (i % 4 === 3 ? byte : byte ^ 1));
    expectPixels(uploaded);
  },
);

test('is not asked for an opaque bitmap', () => {
  drawn = drawn.map((byte, i) => (i % 4 === 3 ? 255 : byte));
  expectPixels(drawn);
  expect(contexts).toEqual([]);
});

test('is not asked for what is no bitmap', () => {
  expectPixels(drawn, { width, height, [Symbol.toStringTag]: 'OffscreenCanvas' });
  expect(contexts).toEqual([]);
});

describe('leaves the pixels to the canvas', () => {
  test('if the bitmap stores products with alpha', () => {
    uploaded = stored.map((byte, i) => (i % 4 === 3 ? byte : Math.round((byte * stored[i | 3]) / 255)));
    expectPixels(drawn);
  });

  test.each(['red', 'green', 'blue', 'alpha'])('if %s differs in one pixel', (name) => {
    const at = 8 + ['red', 'green', 'blue', 'alpha'].indexOf(name);
    uploaded = stored.map((byte, i) => (i === at ? byte ^ 4 : byte));
    expectPixels(drawn);
  });

  test.each([
    [8192, 1, true],
    [8193, 1, false],
    [1, 8193, false],
  ])('if a texture of %i x %i is too large', (w, h, isAsked) => {
    uploaded = randomData('uint8', 4 * w * h, 2);
    drawn = drawnOf(uploaded);
    expectPixels(isAsked ? uploaded : drawn, { ...bitmap, width: w, height: h });
  });

  test('if memory runs out', () => {
    const runOut = (context) => context.errors.push('OUT_OF_MEMORY', 'INVALID_FRAMEBUFFER_OPERATION');
    failures = [runOut, runOut];
    expectPixels(drawn);
    expect(contexts[0].objects.size).toBe(0);
    // The next call finds no error of this one.
    expectPixels(stored);
  });
});

describe('an image element', () => {
  const element = { naturalWidth: width, naturalHeight: height, [Symbol.toStringTag]: 'HTMLImageElement' };
  const expectElement = async (pixels) =>
    expectTensor(await imageToTensorAsync(element, options), 'uint8', [height, width, 4], Uint8Array.from(pixels));

  beforeEach(() => {
    globalThis.createImageBitmap = async () => ({ ...bitmap, close() {} });
  });
  afterEach(() => delete globalThis.createImageBitmap);

  test('has the pixels that its file stores', async () => {
    shown = drawn;
    await expectElement(stored);
  });

  test('is drawn itself if its bitmap stores another picture', async () => {
    // Firefox multiplies an SVG's bitmap by alpha twice, so that the canvas and WebGL2 agree on it.
    shown = drawnOf(stored.map((byte, i) => (i % 4 === 3 ? byte : 255 - byte)));
    await expectElement(shown);
  });
});

describe('a context that is lost', () => {
  const lose = (context) => {
    context.isLost = true;
    context.errors.push('CONTEXT_LOST_WEBGL');
  };

  test('between two calls has a successor', () => {
    expectPixels(stored);
    contexts[0].isLost = true;
    expectPixels(stored);
    expect(contexts.length).toBe(2);
  });

  test('while it reads has a successor too', () => {
    failures = [lose];
    expectPixels(stored);
    expect(contexts.length).toBe(2);
  });

  test('twice leaves the pixels to the canvas', () => {
    failures = [lose, lose];
    expectPixels(drawn);
    expectPixels(stored);
    expect(contexts.length).toBe(3);
  });
});
