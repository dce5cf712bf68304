/** Images whose memory changes, that contradict themselves, or are not images. */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { imageToTensor, imageToTensorAsync, init } from 'onnx-layout/image';
import { changingViews, detach, otherRealm, goodViews } from './adversarial.js';

beforeAll(() => init());
afterEach(() => {
  delete globalThis.OffscreenCanvas;
  delete globalThis.createImageBitmap;
});

const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
const image = (data = bytes.slice(), changes = {}) => ({ data, width: 2, height: 2, ...changes });
const expected = [1, 4, 7, 10, 2, 5, 8, 11, 3, 6, 9, 12];

/** The data that a call gives, or the class and message of what it throws. */
async function outcome(call, ...args) {
  try {
    return [...(await call(...args)).data];
  } catch (error) {
    return [error.constructor, error.message];
  }
}

describe.each(Object.entries({ imageToTensor, imageToTensorAsync }))('%s', (name, call) => {
  const expectRefusal = async (argument, Class, rule, options) => {
    expect(await outcome(call, argument, options)).toEqual([Class, `${name}: ${rule}`]);
    expect(await outcome(call, image())).toEqual(expected);
  };

  test.each(Object.entries(goodViews))('takes data %s', async (_, make) => {
    for (const Class of [Uint8Array, Uint8ClampedArray]) {
      const data = make(Class, 12);
      Uint8Array.prototype.set.call(data, bytes);
      expect(await outcome(call, image(data))).toEqual(expected);
      expect(await outcome(call, [image(), image(data)])).toEqual([...expected, ...expected]);
      expect(bytes.every((byte, i) => data[i] === byte)).toBe(true);
    }
  });

  test.each(changingViews)('refuses data that was %s', async (_, make, change, left) => {
    const rule = (argument) => `${argument} data of 2 x 2 pixels has 12 bytes, got ${left(12)}`;
    const gone = make(Uint8Array, 12);
    change(gone);
    await expectRefusal(image(gone, { channels: 3 }), RangeError, rule('image'));
  });

  const noImage = 'image must be an image { data, width, height }, got Uint8Array';
  const noDecode = 'image needs decode, got Uint8Array: readImage of onnx-layout/node is one';
  const imageOf = (width, height, channels) => image(bytes, { width, height, channels });
  const lengthRule = (text) => `image data of ${text} bytes, got 12`;
  test.each([
    [TypeError, undefined, 'image must be an image { data, width, height }, got undefined'],
    [TypeError, bytes, name === 'imageToTensor' ? noImage : noDecode],
    [TypeError, [[image()]], 'image[0] must be an image { data, width, height }, got Array'],
    // eslint-disable-next-line no-sparse-arrays
    [TypeError, [image(), , image()], 'image[1] must be an image { data, width, height }, got undefined'],
    [RangeError, new otherRealm.Array(0), 'image must hold at least one image, got []'],
    [TypeError, image([...bytes]), 'image data must be a Uint8Array or Uint8ClampedArray, got Array'],
    [TypeError, image(bytes.buffer), 'image data must be a Uint8Array or Uint8ClampedArray, got an object'],
    [TypeError, image(new Proxy(bytes, {})), 'image data must be a Uint8Array or Uint8ClampedArray, got an object'],
    [TypeError, image(new Int8Array(12)), 'image data must be a Uint8Array or Uint8ClampedArray, got Int8Array'],
    [RangeError, image(bytes, { width: NaN }), 'image width must be a whole number, got NaN'],
    [RangeError, image(bytes, { width: 1.5 }), 'image width must be a whole number, got 1.5'],
    [RangeError, image(bytes, { width: -0 }), 'image width must be at least 1, got 0'],
    [RangeError, image(bytes, { height: 2 ** 53 }), 'image height must be at least 1, got 9007199254740992'],
    [RangeError, image(bytes, { height: 2n ** 63n }), 'image height must fit int64, got 9223372036854775808'],
    [TypeError, image(bytes, { height: '2' }), "image height must be a number or a bigint, got '2'"],
    [TypeError, imageOf(2, { valueOf: () => 2 }), 'image height must be a number or a bigint, got an object'],
    [TypeError, image(bytes, { height: Symbol('2') }), 'image height must be a number or a bigint, got Symbol(2)'],
    [RangeError, image(bytes, { channels: 2 }), 'image channels must be 1, 3 or 4, got 2'],
    [TypeError, image(bytes, { channels: '3' }), "image channels must be 1, 3 or 4, got '3'"],
    [TypeError, image(bytes, { rowstride: 6 }), 'image channels must stand beside rowstride, got undefined'],
    [RangeError, image(bytes, { channels: 3, rowstride: 5 }), 'image rowstride must be at least 6, got 5'],
    // Products beyond 32 and 53 bits, which would be 12 or 0 if they wrapped or rounded.
    [RangeError, imageOf(2 ** 16, 2 ** 16, 3), lengthRule('65536 x 65536 pixels has 12884901888')],
    [RangeError, imageOf(2 ** 31, 2, 4), lengthRule('2147483648 x 2 pixels has 17179869184')],
    [RangeError, imageOf(2 ** 52, 2 ** 52, 1), lengthRule(`${2 ** 52} x ${2 ** 52} pixels has 2.028240960365167e+31`)],
    [
      RangeError,
      image(bytes, { channels: 3, rowstride: 2 ** 53 - 1 }),
      lengthRule('2 x 2 pixels has 18014398509481982'),
    ],
    [
      RangeError,
      image(new Uint8Array(0), { width: 2 ** 32, height: 2 ** 32 }),
      'image data of 4294967296 x 4294967296 pixels has 18446744073709552000, 55340232221128655000 or ' +
        '73786976294838210000 bytes, got 0',
    ],
  ])('%p for image %#', async (Class, argument, rule) => expectRefusal(argument, Class, rule));

  test('refuses what claims to be drawable and has no size', async () => {
    for (const [size, shown] of [
      [0, '0'],
      [NaN, 'NaN'],
      [1.5, '1.5'],
      [Infinity, 'Infinity'],
      ['2', "'2'"],
      [2n, '2'],
      [{ valueOf: () => 2 }, 'an object'],
      [Symbol('2'), 'Symbol(2)'],
      [undefined, 'undefined'],
    ]) {
      const rule = `image must be loaded and open, got ${shown} x 2 pixels`;
      await expectRefusal({ [Symbol.toStringTag]: 'ImageBitmap', width: size, height: 2 }, RangeError, rule);
    }
  });

  test('does not wait for an image that claims to be a promise', async () => {
    let asked = 0;
    const then = () => {
      asked++;
      return () => {};
    };
    expect(await outcome(call, Object.defineProperty(image(), 'then', { get: then }))).toEqual(expected);
    expect(asked).toBe(0);
    const rule = 'image data must be a Uint8Array or Uint8ClampedArray, got undefined';
    await expectRefusal(Promise.resolve(image()), TypeError, rule);
  });

  test('leaves out as it was where the last image of a batch cannot be drawn', async () => {
    class Own extends Error {}
    globalThis.OffscreenCanvas = class {
      constructor(width, height) {
        Object.assign(this, { width, height });
      }
      getContext() {
        return this.width > 2
          ? null
          : {
              canvas: this,
              drawImage() {},
              getImageData() {
                throw new Own('The canvas has been tainted by cross-origin data.');
              },
            };
      }
    };
    const bitmap = (width) => ({ [Symbol.toStringTag]: 'ImageBitmap', width, height: 2 });
    const wide = Uint8Array.from({ length: 18 }, (_, i) => i);
    for (const [batch, extent, error] of [
      [[image(), bitmap(2)], 2, [Own, 'The canvas has been tainted by cross-origin data.']],
      [
        [image(wide, { width: 3 }), bitmap(3)],
        3,
        [RangeError, `${name}: a canvas must be possible for the image, got 3 x 2 pixels`],
      ],
    ]) {
      const out = { type: 'float32', data: new Float32Array(12 * extent).fill(-1), dims: [2, 3, 2, extent] };
      expect(await outcome(call, batch, { out })).toEqual(error);
      expect(out.data.every((value) => value === -1)).toBe(true);
    }
  });
});

test('imageToTensorAsync takes the memory that is there when all is decoded', async () => {
  globalThis.createImageBitmap = async () => ({ [Symbol.toStringTag]: 'ImageBitmap', width: 2, height: 2, close() {} });
  const detached = image(undefined, { channels: 3 });
  const pending = outcome(imageToTensorAsync, [detached, new Blob([])]);
  detach(detached.data);
  expect(await pending).toEqual([RangeError, 'imageToTensorAsync: image[0] data of 2 x 2 pixels has 12 bytes, got 0']);
});
