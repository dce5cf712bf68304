/** Answers as pictures: results and whole messages. */
import { beforeAll, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import * as answers from 'onnx-layout/postprocess';

const { applyAlpha, init, labelMapToImage, maskToPolygons } = answers;

beforeAll(() => init());

const image = Tensor.from('uint8', [1, 2, 3, 9, 4, 5, 6, 9], [1, 2, 4]);

test.each([
  ['bool', [0, 1], [0, 255]],
  ['uint8', [7, 200], [7, 200]],
  ['float32', [0.5, 2], [128, 255]],
  ['float32', [-1, NaN], [0, 0]],
  ['float32', [Infinity, -Infinity], [255, 0]],
  ['float32', [100.5 / 255, 100.49 / 255], [101, 100]],
])('an alpha of %s %p is %p', (type, values, [first, second]) => {
  const mask = Tensor.from(type, values, [1, 2]);
  expect(applyAlpha(image, mask).toArray()).toEqual([1, 2, 3, first, 4, 5, 6, second]);
});

test('labels beyond the palette are transparent', () => {
  const map = Tensor.from('int64', [2, -1, 1, 0], [2, 2]);
  const colors = [
    [1, 2, 3],
    [4, 5, 6, 7],
  ];
  expect(labelMapToImage(map, colors).toArray()).toEqual([...Array(8).fill(0), 4, 5, 6, 7, 1, 2, 3, 255]);
});

test('polygons leave out holes and lines of two points', () => {
  const rows = [
    [1, 1, 1, 0, 1],
    [1, 0, 1, 0, 1],
    [1, 1, 1, 0, 0],
  ];
  expect(maskToPolygons(Tensor.from('bool', rows.flat(), [3, 5]))).toEqual([[0, 0, 0, 2, 2, 2, 2, 0]]);
});

const box = (values) => Tensor.from('float32', values, [4, 2]);
const gray = Tensor.from('uint8', [1, 2], [1, 2, 1]);
test.each([
  ['labelMapToImage', [gray, []], RangeError, 'map must have dims [height, width], got [1, 2, 1]'],
  ['labelMapToImage', [Tensor.from('int32', [1], [1, 1]), 7], TypeError, 'palette must be an array, got 7'],
  [
    'labelMapToImage',
    [Tensor.from('int32', [1], [1, 1]), [[1, 2, 256]]],
    RangeError,
    'palette[0] must be 3 or 4 whole numbers of 0 to 255, got [1, 2, 256]',
  ],
  ['applyAlpha', [gray, gray], RangeError, 'image must have 3 or 4 channels, got dims [1, 2, 1]'],
  ['applyAlpha', [image, gray], RangeError, 'mask must have dims [1, 2], got [1, 2, 1]'],
  ['cropTextBox', [image, box([0, 0, 1, 0, 1, 1, 0, NaN])], RangeError, 'box must be finite'],
  ['cropTextBox', [image, box([0, 0, 2, 2, 4, 4, 6, 6])], RangeError, 'box must have corners that are not on one line'],
  [
    'cropTextBox',
    [image, box([0, 0, 0, 0, 0, 0, 0, 0])],
    RangeError,
    'size of box must hold whole numbers from 1 to 32768, got [0, 0]',
  ],
])('%s refuses', (name, given, Class, message) => {
  expect(() => answers[name](...given)).toThrow(new Class(`${name}: ${message}`));
});
