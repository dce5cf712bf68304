/** Protobuf's rules for fields that a message repeats, leaves empty or gives another wire type, in models. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init, Tensor } from 'onnx-layout';
import { openModel, readModel, readTensorProto, runModel, saveModel, writeInitializers } from 'onnx-layout/io';
import { expectError, expectTensor, expectErrors, expectRejection } from '../../support/assertions.js';
import { bytesOf } from '../../weights/files.js';

beforeAll(() => init());

const field = (number, bytes) => Buffer.from([(number << 3) | 2, bytes.length, ...bytes]);
const text = (number, string) => field(number, Buffer.from(string));
const number = (key, value) => Buffer.from(key < 16 ? [key << 3, value] : [((key & 15) << 3) | 0x80, key >> 4, value]);
const message = (...fields) => Buffer.concat(fields);
const modelOf = (...graph) => new Uint8Array(message(number(1, 8), field(7, message(...graph))));
/** A TensorProto: int8 [2], named w. */
const tensorOf = (...fields) => field(5, message(number(1, 2), number(2, 3), ...fields, text(8, 'w')));

test('of an attribute that comes twice the last counts', () => {
  const axis = message(text(1, 'axis'), number(20, 2), number(3, 1), number(3, 2));
  const node = field(1, message(text(2, 'y'), text(4, 'Flatten'), field(5, axis)));
  expect(readModel(modelOf(node)).nodes[0].attributes).toEqual(new Map([['axis', 2]]));
});

test('of a name that comes twice the last counts, where initializers are read, replaced and saved', async () => {
  const twice = (name) => modelOf(field(5, message(text(8, 'a'), number(2, 3), field(9, [7]), text(8, name))));
  const one = Tensor.from('int8', [1], []);
  for (const bytes of [twice('w'), writeInitializers(twice('w'), new Map([['w', one]]))])
    expect([...readModel(bytes).initializers.keys()]).toEqual(['w']);
  expect([...(await openModel(twice('w'))).initializers.keys()]).toEqual(['w']);
  expectErrors({
    "RangeError: writeInitializers: tensors must be by the name of an initializer, got 'a'": () =>
      writeInitializers(twice('w'), new Map([['a', one]])),
  });
  const { model } = await saveModel(twice('w'), new Map([['w', one]]));
  expect([...readModel(await bytesOf(model)).initializers.keys()]).toEqual(['w']);
});

describe('data', () => {
  test('an empty field beside the one with data holds nothing', async () => {
    const beside = [
      [field(9, []), field(5, [1, 2])],
      [field(5, []), field(9, [1, 2])],
      [field(5, [1, 2]), field(9, []), field(4, [])],
    ];
    for (const fields of beside) {
      const bytes = modelOf(tensorOf(...fields));
      expectTensor(readModel(bytes).initializers.get('w'), 'int8', [2], Int8Array.of(1, 2));
      expectTensor(await (await openModel(bytes)).initializers.get('w').read(), 'int8', [2], Int8Array.of(1, 2));
    }
  });

  test('raw_data as a number is refused', async () => {
    const bytes = modelOf(tensorOf(number(9, 1)));
    const rule = 'protobuf field 9 must hold bytes, got another wire type';
    expectError(() => readModel(bytes), RangeError, `readModel: ${rule}`);
    expectError(() => readTensorProto(message(number(2, 3), number(9, 1))), RangeError, `readTensorProto: ${rule}`);
    await expectRejection(() => openModel(bytes), RangeError, `openModel: ${rule}`);
  });
});

test('a Constant whose attribute holds nothing of its type', () => {
  const value = message(text(1, 'value_int'), number(20, 4));
  const node = field(1, message(text(2, 'y'), text(4, 'Constant'), field(5, value)));
  const opset = field(8, number(2, 13));
  const model = new Uint8Array(message(modelOf(node, field(12, text(1, 'y'))), opset));
  expectErrors({
    "RangeError: runModel: Constant node 'y' must have one value of a kind other than sparse, got 'value_int'": () =>
      runModel(readModel(model), {}),
  });
});

test('a graph of more than 100 MB between initializers is refused', async () => {
  // 120 times a node of 1 MB and an initializer. All bytes of the nodes' text are zero.
  const varint = (value) => [0, 7, 14, 21].map((shift) => ((value >> shift) & 0x7f) | (shift < 21 ? 0x80 : 0));
  const head = Buffer.from([0x0a, ...varint(1e6), 0x12, ...varint(1e6 - 5)]);
  const tail = tensorOf(field(9, [1, 2]));
  const step = head.length + 1e6 - 5 + tail.length;
  const count = 120;
  const start = Buffer.from([0x3a, ...varint(step * count)]);
  const source = {
    byteLength: start.length + step * count,
    slice(from, to) {
      const bytes = new Uint8Array(to - from);
      const put = (part, at) => {
        for (let i = Math.max(0, from - at); i < Math.min(part.length, to - at); i++) bytes[at + i - from] = part[i];
      };
      put(start, 0);
      for (let i = 0; i < count; i++) {
        put(head, start.length + i * step);
        put(tail, start.length + (i + 1) * step - tail.length);
      }
      return bytes;
    },
  };
  const message = "openModel: model without its initializers' data must have at most 100000000 bytes, got more";
  await expectRejection(() => openModel(source), RangeError, message);
  // Bytes behind the limit are not read.
  const name = Buffer.of(0x12, ...varint(1e8));
  const slice = (from, to) => Buffer.concat([name, Buffer.alloc(to)]).subarray(from, to);
  await expectRejection(() => openModel({ byteLength: 1e8 + 9, slice }), RangeError, message);
});
