/**
 * Files in every kind of memory. The TextDecoder of browsers takes neither shared nor resizable memory. Node's takes
 * both, so these tests replace it by a strict one.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'onnx-layout';
import * as io from 'onnx-layout/io';

beforeAll(() => init());

const tensor = { type: 'int16', data: Int16Array.of(1, -2, 3, 4, 5, 6), dims: [2, 3] };
/** A protobuf field that holds bytes. */
const field = (number, ...bytes) => [(number << 3) | 2, bytes.length, ...bytes];
const text = (value) => new TextEncoder().encode(value);
const model = Uint8Array.from([
  0x08,
  8,
  ...field(8, 0x10, 21),
  ...field(
    7,
    ...field(1, ...field(1, ...text('größe')), ...field(2, ...text('y')), ...field(4, ...text('Identity'))),
    ...field(2, ...text('g')),
    ...field(5, ...io.writeTensorProto(tensor, { name: 'größe' })),
  ),
]);
const named = new Map([['größe', tensor]]);

const files = {
  readNpy: [io.writeNpy(tensor), (bytes) => io.readNpy(bytes)],
  'readNpy of the other byte order': [
    io.writeNpy(tensor).map((byte, i, all) => (byte === 0x3c && all[i + 1] === 0x69 ? 0x3e : byte)),
    (bytes) => io.readNpy(bytes),
  ],
  readSafetensors: [
    io.writeSafetensors(named, { metadata: new Map([['a', 'ß']]) }),
    (bytes) => {
      const { metadata, ...tensors } = io.readSafetensors(bytes);
      return [tensors, [...metadata], [...io.readSafetensors(bytes)]];
    },
  ],
  readTensorProto: [io.writeTensorProto(tensor, { name: 'größe' }), (bytes) => io.readTensorProto(bytes)],
  'readTensorProto of strings': [
    io.writeTensorProto({ type: 'string', data: ['a', 'ß'], dims: [2] }),
    (bytes) => io.readTensorProto(bytes),
  ],
  readModel: [
    model,
    (bytes) =>
      Object.entries(io.readModel(bytes)).map(([key, value]) => [key, value instanceof Map ? [...value] : value]),
  ],
  writeInitializers: [model, (bytes) => io.writeInitializers(bytes, named)],
};

const memories = {
  shared: (length) => new SharedArrayBuffer(length),
  'shared and growable': (length) => new SharedArrayBuffer(length, { maxByteLength: 2 * length }),
  resizable: (length) => new ArrayBuffer(length, { maxByteLength: 2 * length }),
  plain: (length) => new ArrayBuffer(length),
};

/** Runs a call with a TextDecoder that takes plain memory alone. */
function strictly(call) {
  const { decode } = TextDecoder.prototype;
  TextDecoder.prototype.decode = function (bytes, ...rest) {
    const { buffer } = bytes;
    if (Object.prototype.toString.call(buffer) !== '[object ArrayBuffer]' || buffer.resizable)
      throw new TypeError('The provided ArrayBufferView must be neither shared nor resizable');
    return decode.call(this, bytes, ...rest);
  };
  try {
    return call();
  } finally {
    TextDecoder.prototype.decode = decode;
  }
}

describe.each(Object.entries(files))('%s', (_, [file, read]) => {
  test.each(Object.entries(memories))('of %s memory, at every alignment', (kind, make) => {
    const plain = read(file.slice());
    for (let offset = 0; offset < 4; offset++) {
      const bytes = new Uint8Array(make(file.length + 8), offset, file.length);
      bytes.set(file);
      expect(strictly(() => read(bytes))).toEqual(plain);
      expect(Array.from(bytes)).toEqual(Array.from(file));
    }
  });
});

test('tensors in shared and resizable memory are written', () => {
  for (const make of Object.values(memories)) {
    const data = new Int16Array(make(12), 0, 6);
    data.set(tensor.data);
    for (const write of [io.writeNpy, io.writeTensorProto, (x) => io.writeSafetensors(new Map([['x', x]]))])
      expect(write({ ...tensor, data })).toEqual(write(tensor));
  }
});
