/** The presets of YOLO, YOLOX, SCRFD and RapidOCR: whole tensors, against what their projects make. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { cast } from 'onnx-layout';
import { imageToTensor, init, letterboxGeometry, tensorToImage, unletterbox } from 'onnx-layout/image';
import { expectTensor } from '../support/assertions.js';
import { recordOf } from '../support/goldens.js';
import { openCvGoldens, readInput } from '../support/opencv-goldens.js';
import { randomData } from '../support/samples.js';
import { tensorOf } from './image.reference.js';
import { letterboxOf } from './letterbox.reference.js';
import { recipes } from './resizing/opencv-calls.js';
import { cvResize, rint } from './resizing/opencv-resize.reference.js';

beforeAll(() => init());

const picture = (width, height, channels = 3, seed = 7) => ({
  data: randomData('uint8', width * height * channels, seed),
  width,
  height,
  channels,
});

describe('what the projects make', () => {
  const goldens = openCvGoldens(...Object.keys(recipes));

  test('there are 100 goldens', () => expect(goldens.length).toBe(100));

  test.each(goldens.map((golden) => [`${golden.id}: ${JSON.stringify(golden.options)}`, golden]))(
    '%s',
    (_, { kind, input, options, output, resized, scale }) => {
      const image = readInput(input);
      const given = recipes[kind](options, image);
      const { type, dims, data } = imageToTensor(image, { ...given, dtype: output.dtype });
      expect(recordOf(type, dims, data, output)).toEqual(output);
      if (kind === 'ocr_det') expect([given.width, given.height]).toEqual(resized);
      if (kind === 'yolox') {
        const geometry = letterboxGeometry(image, { ...options, rounding: 'floor', center: false });
        expect([geometry.resized.width, geometry.resized.height, geometry.scale]).toEqual([...resized, scale]);
      }
      if (kind === 'scrfd') {
        const geometry = letterboxGeometry(image, { ...options, rounding: 'aspect', center: false });
        expect([geometry.resized.width, geometry.resized.height, geometry.scale]).toEqual([...resized, scale]);
      }
    },
  );
});

test("what a classifier's preset brings gives way to the caller's", () => {
  const image = picture(90, 50);
  const size = { width: 20, height: 20 };
  const own = { ...size, fit: 'fill', filter: 'nearest' };
  const unit = imageToTensor(image, { ...own, preset: 'yolo', backend: 'pil' });
  expect(imageToTensor(image, { ...own, preset: 'yolo-cls' })).toEqual(unit);
  expect(imageToTensor(image, { preset: 'yolo-cls' }).dims).toEqual([1, 3, 50, 90]);
});

describe('YOLO', () => {
  test('from a picture to boxes in it', () => {
    const image = picture(1280, 720);
    const letterbox = { width: 640, height: 640 };
    const input = imageToTensor(image, { preset: 'yolo', letterbox });
    expect(input.dims).toEqual([1, 3, 640, 640]);
    expect(input.data[0]).toBe(Math.fround(114 / 255));
    // The outputs of a session: a box, its score and its class.
    const found = Float32Array.of(100, 150, 300, 400, 0.9, 2);
    const boxes = unletterbox(found, letterboxGeometry(image, letterbox), { columns: 6 });
    expect(boxes).toEqual(Float32Array.of(200, 20, 600, 520, 0.9, 2));
  });

  test.each(['NCHW', 'NHWC'])('every byte is divided by 255 in float32, %s', (layout) => {
    const data = Uint8Array.from({ length: 256 }, (_, i) => i);
    const image = { data, width: 16, height: 16, channels: 1 };
    const { data: numbers } = imageToTensor(image, { preset: 'yolo', letterbox: { width: 16, height: 16 }, layout });
    const step = layout === 'NHWC' ? 3 : 1;
    for (let i = 0; i < 256; i++) expect(numbers[i * step]).toBe(Math.fround(i / 255));
  });
});

describe('by the rules, number by number', () => {
  const box = { width: 61, height: 48 };
  const pictures = [picture(50, 31), picture(31, 50, 3, 8), picture(200, 20, 3, 9), picture(10, 90, 3, 10)];

  test.each([
    ['yolo', {}, { channels: 'RGB', std: 255 }],
    ['yolox', { center: false, rounding: 'floor' }, { channels: 'BGR' }],
    ['scrfd', { center: false, rounding: 'aspect', background: 0 }, { channels: 'RGB', mean: 127.5, std: 128 }],
  ])('%s', (preset, letterbox, numbers) => {
    for (const image of pictures) {
      const { dims, data } = tensorOf([letterboxOf(image, { ...box, ...letterbox })], numbers);
      expectTensor(imageToTensor(image, { preset, letterbox: box }), 'float32', dims, data);
    }
  });

  const { ceil, fround, min } = Math;
  const planes = ({ data, width, height }, columns, numberOf) => {
    const result = new Float32Array(3 * columns * height);
    for (let c = 0; c < 3; c++)
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++)
          result[(c * height + y) * columns + x] = numberOf(data[(y * width + x) * 3 + 2 - c], c);
    return result;
  };

  test('rapidocr-text: the bars are 0 behind the numbers', () => {
    for (const image of pictures) {
      const resized = cvResize(image, min(ceil((48 * image.width) / image.height), 61), 48);
      const expected = planes(resized, 61, (byte) => fround(fround(fround(byte / 255) - 0.5) / 0.5));
      const actual = imageToTensor(image, { preset: 'rapidocr-text', letterbox: box });
      expectTensor(actual, 'float32', [1, 3, 48, 61], expected);
    }
  });

  test('paddleocr-det: a product in float32, and the rest in double', () => {
    const [mean, std] = [
      [0.485, 0.456, 0.406],
      [0.229, 0.224, 0.225],
    ];
    for (const image of pictures) {
      const resized = cvResize(image, 32, 64);
      const expected = planes(resized, 32, (byte, c) => (fround(byte * fround(1 / 255)) - mean[c]) / std[c]);
      const options = { preset: 'paddleocr-det', width: 32, height: 64 };
      expectTensor(imageToTensor(image, options), 'float32', [1, 3, 64, 32], expected);
    }
  });
});

test('what the caller gives wins over the preset', () => {
  const image = picture(10, 10);
  const letterbox = { width: 16, height: 12 };
  const own = { background: 1, center: true, rounding: 'round' };
  const tensor = imageToTensor(image, { preset: 'scrfd', channels: 'BGR', letterbox: { ...letterbox, ...own } });
  const plain = { channels: 'BGR', mean: 127.5, std: 128, letterbox: { ...letterbox, background: 1 } };
  expect(tensor).toEqual(imageToTensor(image, plain));
  const size = { width: 5, height: 5 };
  expect(imageToTensor(image, { preset: 'yolox', backend: 'pil', ...size })).toEqual(
    imageToTensor(image, { channels: 'BGR', ...size }),
  );
});

test.each(['yolo', 'yolox', 'scrfd', 'rapidocr-det', 'paddleocr-det', 'rapidocr-text'])(
  'tensorToImage undoes %s',
  (preset) => {
    const image = picture(8, 4);
    const channels = preset === 'yolo' || preset === 'scrfd' ? 'RGB' : 'BGR';
    const back = tensorToImage(imageToTensor(image, { preset }), { preset, channels });
    const opaque = Array.from({ length: 32 }, (_, i) => [...image.data.subarray(3 * i, 3 * i + 3), 255]);
    expect([...back.data]).toEqual(opaque.flat());
  },
);

test.each(['float16', 'bfloat16', 'uint8', 'int8'])('numbers by tables in %s are those of float32, rounded', (type) => {
  const data = Uint8Array.from({ length: 768 }, (_, i) => i / 3);
  const image = { data, width: 16, height: 16, channels: 3 };
  const exact = imageToTensor(image, { preset: 'paddleocr-det' });
  const { data: actual } = imageToTensor(image, { preset: 'paddleocr-det', dtype: type });
  if (type.endsWith('int8')) {
    const [least, most] = { uint8: [0, 255], int8: [-128, 127] }[type];
    expect([...actual]).toEqual(Array.from(exact.data, (x) => Math.min(Math.max(rint(x), least), most) + 0));
  } else {
    expect(actual).toEqual(cast(exact, type).data);
  }
});
