/** Strings of .npy files, descr without an order, and bytes after the array, by NumPy's rules. */
import { expect, test } from '@jest/globals';
import { init, Tensor } from 'onnx-layout';
import { openNpy, readNpy, saveNpy, writeNpy } from 'onnx-layout/io';
import { refuses, rejects } from '../../support/assertions.js';

await init();

/** A file of version 1.0. */
function file(descr, shape, data, order = 'False') {
  const text = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }`.padEnd(117);
  return new Uint8Array(
    Buffer.concat([Buffer.from('\x93NUMPY\x01\0\x76\0', 'latin1'), Buffer.from(`${text}\n`), data]),
  );
}

const utf32 = (big, ...codes) => {
  const bytes = Buffer.alloc(4 * codes.length);
  codes.forEach((code, i) => (big ? bytes.writeUInt32BE(code, 4 * i) : bytes.writeUInt32LE(code, 4 * i)));
  return bytes;
};
const cases = [
  ['<U2', '(2,)', utf32(false, 97, 0x1f600, 98, 0), [2], ['a😀', 'b']],
  ['>U2', '(2,)', utf32(true, 97, 0x10ffff, 0, 98), [2], ['a\u{10ffff}', '\0b']],
  ['U1', '()', utf32(false, 0xfeff), [], ['\ufeff']],
  ['|S3', '(2,)', Buffer.from('ab\0\xc3\xa9\0', 'latin1'), [2], ['ab', 'é']],
  ['S2', '(1, 2)', Buffer.from('a\0\0b'), [1, 2], ['a', '\0b']],
  ['<U0', '(3,)', Buffer.alloc(0), [3], ['', '', '']],
];

test.each(cases)('%s %s', async (descr, shape, data, dims, expected) => {
  for (const more of [Buffer.alloc(0), Buffer.from('more')]) {
    const bytes = file(descr, shape, Buffer.concat([data, more]));
    const opened = await (await openNpy(bytes)).read();
    for (const tensor of [readNpy(bytes), readNpy(bytes, { dtype: 'string' }), opened])
      expect([tensor.type, tensor.dims, tensor.data]).toEqual(['string', dims, expected]);
  }
});

test('strings of Fortran order', async () => {
  const bytes = file('|S1', '(2, 3)', Buffer.from('adbecf'), 'True');
  const entry = await openNpy(bytes);
  for (const tensor of [readNpy(bytes), await entry.read()])
    expect([tensor.dims, tensor.data.join('')]).toEqual([[2, 3], 'abcdef']);
  expect((await entry.read({ rows: [1, 2] })).data).toEqual(['d', 'e', 'f']);
});

test('strings are written as wide as the longest', () => {
  const strings = Tensor.from('string', ['a😀', '', 'ß'], [3]);
  const bytes = writeNpy(strings);
  expect([bytes.length, Buffer.from(bytes.subarray(10, 60)).toString()]).toEqual([
    128 + 3 * 8,
    "{'descr': '<U2', 'fortran_order': False, 'shape': ",
  ]);
  expect(readNpy(bytes)).toEqual(strings);
  expect(readNpy(writeNpy(Tensor.from('string', [], [0])))).toEqual(Tensor.from('string', [], [0]));
});

test.each(['f4', '=f4', '|f4', '<f4'])('descr %s, with bytes after the array', async (descr) => {
  const data = Buffer.from(Float32Array.of(1, 2, 3).buffer);
  const bytes = file(descr, '(2,)', data);
  expect([...readNpy(bytes).data]).toEqual([1, 2]);
  expect([...(await (await openNpy(bytes)).read()).data]).toEqual([1, 2]);
});

const structured = () => {
  const text = "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }".padEnd(117);
  return new Uint8Array(Buffer.concat([Buffer.from('\x93NUMPY\x01\0\x76\0', 'latin1'), Buffer.from(`${text}\n`)]));
};

refuses('readNpy', {
  'RangeError: data must have 8 bytes for strings [2], got 7': () => readNpy(file('|S4', '(2,)', Buffer.alloc(7))),
  'RangeError: strings must hold code points of Unicode, got 55296': () =>
    readNpy(file('<U1', '()', utf32(false, 0xd800))),
  'RangeError: strings of bytes must be UTF-8, got other bytes': () => readNpy(file('|S1', '()', Buffer.of(0xff))),
  'RangeError: strings of no bytes must be at most 1000000, got 1000001': () =>
    readNpy(file('|S0', '(1000001,)', Buffer.alloc(0))),
  'TypeError: dtype must be string, as in the file, got uint8': () =>
    readNpy(file('|S1', '()', Buffer.alloc(1)), { dtype: 'uint8' }),
  'RangeError: descr must be of one type, got a structured one, of fields': () => readNpy(structured()),
});

rejects('openNpy', {
  'RangeError: data must have 8 bytes for strings [2], got 7': () => openNpy(file('|S4', '(2,)', Buffer.alloc(7))),
});

refuses('', {
  "RangeError: writeNpy: strings must not end with a zero, which fills up, got 'a\0'": () =>
    writeNpy(Tensor.from('string', ['a\0'])),
  'TypeError: saveNpy: type must not be string, got string': () => saveNpy(Tensor.from('string', ['a'])),
});
