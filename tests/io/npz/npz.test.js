/** .npz archives: NumPy's, read in both ways; and ours, whose bytes NumPy and `unzip -t` read. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { init, Tensor } from 'onnx-layout';
import { Entry, openNpz, readNpz, saveNpz, writeNpz } from 'onnx-layout/io';

const { arrays, archives, refused } = JSON.parse(readFileSync(new URL('npz-goldens.json', import.meta.url), 'utf8'));
const decode = (text) => new Uint8Array(Buffer.from(text, 'base64'));
const goldenOf = (name) => decode(archives[name].file);

beforeAll(() => init());

/** @type {(tensor: Tensor) => object} */
const described = ({ type, dims, data }) => ({
  type,
  dims,
  values: Array.from(data, (x) => (type === 'string' ? x : Number(x))),
});
const wanted = (name) => {
  const { type, dims, values } = arrays[name];
  if (name === 'zeros') return { type, dims, values: Array(40_000).fill(0) };
  return { type, dims, values: type === 'float16' ? [0x3800, 0xc000] : values };
};
const collect = async (file) => {
  const chunks = [];
  for await (const chunk of file) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
};
const one = (name = 'one') => new Map([[name, { type: 'int16', data: Int16Array.of(1, 2, 3), dims: [3] }]]);

describe.each(Object.entries(archives))('%s', (name, { names }) => {
  test('is read as NumPy reads it', () => {
    const tensors = readNpz(goldenOf(name));
    expect([...tensors.keys()]).toEqual(names);
    for (const [key, tensor] of tensors) expect([key, described(tensor)]).toEqual([key, wanted(key)]);
  });

  test('is read in the middle of other bytes', async () => {
    const file = goldenOf(name);
    const around = new Uint8Array(file.length + 1000).fill(0x50);
    around.set(file, 333);
    const within = around.subarray(333, 333 + file.length);
    for (const [key, tensor] of readNpz(within)) expect([key, described(tensor)]).toEqual([key, wanted(key)]);
    for (const [key, entry] of await openNpz(within))
      expect([key, described(await entry.read())]).toEqual([key, wanted(key)]);
  });

  test('is opened, and parts of it are read in any order', async () => {
    const entries = await openNpz(goldenOf(name));
    expect([...entries.keys()]).toEqual(names);
    for (const [key, entry] of entries) {
      const { dims, values } = wanted(key);
      expect(described(await entry.read())).toEqual(wanted(key));
      if (!(dims[0] > 1)) continue;
      const run = values.length / dims[0];
      const parts = await Promise.all(
        [
          [1, dims[0]],
          [0, 1],
        ].map((rows) => entry.read({ rows })),
      );
      expect(parts.map((part) => described(part).values)).toEqual([values.slice(run), values.slice(0, run)]);
    }
  });
});

describe('what is written', () => {
  // `numpy.load` gives {'one': array([1, 2, 3], dtype=int16)} of both.
  const written =
    'UEsDBBQAAAAAAAAAIQBgggCRhgAAAIYAAAAHABsAb25lLm5weTXZFwBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJNOVU1QWQEAdgB7' +
    'J2Rlc2NyJzogJzxpMicsICdmb3J0cmFuX29yZGVyJzogRmFsc2UsICdzaGFwZSc6ICgzLCksIH0gICAgICAgICAgICAgICAgICAg' +
    'ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAKAQACAAMAUEsBAhQAFAAAAAAAAAAhAGCCAJGGAAAAhgAA' +
    'AAcAAAAAAAAAAAAAAAAAAAAAAG9uZS5ucHlQSwUGAAAAAAEAAQA1AAAAxgAAAAAA';
  const saved =
    'UEsDBBQACAAAAAAAIQAAAAAAhgAAAIYAAAAHABsAb25lLm5weTXZFwBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJNOVU1QWQEAdgB7' +
    'J2Rlc2NyJzogJzxpMicsICdmb3J0cmFuX29yZGVyJzogRmFsc2UsICdzaGFwZSc6ICgzLCksIH0gICAgICAgICAgICAgICAgICAg' +
    'ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAKAQACAAMAUEsHCGCCAJGGAAAAhgAAAFBLAQIUABQACAAA' +
    'AAAAIQBgggCRhgAAAIYAAAAHAAAAAAAAAAAAAAAAAAAAAABvbmUubnB5UEsFBgAAAAABAAEANQAAANYAAAAAAA==';

  test('by writeNpz has these bytes', () => {
    expect(Buffer.from(writeNpz(one())).toString('base64')).toBe(written);
  });

  test('by saveNpz has these bytes', async () => {
    expect(Buffer.from(await collect(saveNpz(one()))).toString('base64')).toBe(saved);
  });

  test('has elements at multiples of 64, which readNpz shares', () => {
    for (let length = 0; length < 70; length++) {
      const file = writeNpz(one('x'.repeat(length)));
      const { data } = readNpz(file).get('x'.repeat(length));
      expect([data.buffer === file.buffer, data.byteOffset % 64]).toEqual([true, 0]);
    }
  });

  test('is read back: every type, strings, names', async () => {
    const tensors = new Map([
      ['', new Tensor('bfloat16', Uint16Array.of(1, 2), [2])],
      ['a.npy', new Tensor('int4', Uint8Array.of(0x21, 3), [3])],
      ['b/ü', new Tensor('string', ['ä', ''], [2])],
      ['__proto__', new Tensor('complex128', Float64Array.of(1, 2), [1])],
    ]);
    const options = { dtype: { '': 'bfloat16', 'a.npy': 'int4' } };
    expect(readNpz(writeNpz(tensors), options)).toEqual(tensors);
    tensors.delete('b/ü');
    const file = await collect(saveNpz(tensors));
    expect(readNpz(file, options)).toEqual(tensors);
    const opened = await openNpz(file, options);
    for (const [name, tensor] of tensors) expect(await opened.get(name).read()).toEqual(tensor);
  });

  test('has 65,536 members', () => {
    const empty = new Tensor('uint8', new Uint8Array(0), [0]);
    const file = writeNpz(new Map(Array.from({ length: 65_536 }, (_, i) => [String(i), empty])));
    expect(readNpz(file).size).toBe(65_536);
  });

  test('in tiles and in order has one CRC', async () => {
    const entry = new Entry(
      new Tensor(
        'uint8',
        Uint8Array.from({ length: 9_000_000 }, (_, i) => i * i),
        [3000, 3000],
      ),
    );
    const file = saveNpz(new Map([['turned', Entry.concat([entry, entry, entry, entry], { axis: 0 }).transpose()]]));
    const placed = new Uint8Array(file.byteLength);
    let pieces = 0;
    for await (const { at, bytes } of file.writes()) {
      placed.set(bytes, at);
      pieces += 1;
    }
    expect(pieces).toBeGreaterThan(3000);
    expect(Buffer.compare(placed, await collect(file))).toBe(0);
    expect(readNpz(placed).get('turned').dims).toEqual([3000, 12_000]);
  });
});

test('maxBytes counts the bytes of a deflated member once', () => {
  const file = goldenOf('short');
  expect(readNpz(file, { maxBytes: 152 }).size).toBe(1);
  expect(() => readNpz(file, { maxBytes: 151 })).toThrow(
    "readNpz: member 'float32.npy': deflated members must become at most 151 bytes (maxBytes), got 152",
  );
});

describe('a damaged archive', () => {
  const deflated = goldenOf('savez_compressed');
  const stored = writeNpz(one());
  const find = (file, text) => Buffer.from(file).lastIndexOf(Buffer.from(text, 'latin1'));
  const directory = find(stored, 'PK\x01\x02');
  const end = find(stored, 'PK\x05\x06');
  /** @type {(file: Uint8Array, at: number, ...bytes: number[]) => Uint8Array} */
  const changed = (file, at, ...bytes) => {
    const copy = file.slice();
    copy.set(bytes, at);
    return copy;
  };
  const two = writeNpz(new Map([...one('a'), ...one('b')]));
  const second = find(two, 'PK\x01\x02');
  const isDirectory = 'bytes must end with the directory of an archive, got none: a part of the file is missing';
  test.each([
    ['without an end', stored.subarray(0, end + 21), isDirectory],
    ['of no zip', Uint8Array.of(1, 2, 3), isDirectory],
    ['of another kind', Buffer.from('<!doctype html>'), 'bytes must be a .npz archive, got a web page of 15 bytes'],
    [
      'with a directory beyond the file',
      changed(stored, end + 16, 0, 0, 0, 1),
      `directory must end by byte ${end}, got 16777216 and 53 bytes`,
    ],
    ['with too many members', changed(stored, end + 10, 9), 'directory must have 9 members, got 53 bytes'],
    ['with a directory of other bytes', changed(stored, directory, 0), 'directory must have 1 members, got 0'],
    [
      'with an encrypted member',
      changed(stored, directory + 8, 1),
      "member 'one.npy': must not be encrypted, got an encrypted one",
    ],
    [
      'of an unknown method',
      changed(stored, directory + 10, 14),
      "member 'one.npy': method must be 0 (stored) or 8 (deflated), got 14",
    ],
    ['with two sizes', changed(stored, directory + 24, 1), "member 'one.npy': stored bytes must be 1, got 134"],
    [
      'with a size beyond the ratio',
      changed(changed(stored, directory + 10, 8), directory + 24, 0, 0, 0, 1),
      "member 'one.npy': 134 deflated bytes must become at most 1032 times as many, got 16777216",
    ],
    [
      'with a member beyond the directory',
      changed(changed(stored, directory + 20, 255), directory + 24, 255),
      `member 'one.npy' must end by byte ${directory}, got 0 and 255 bytes`,
    ],
    [
      'with a header of other bytes',
      changed(stored, 3, 9),
      "member 'one.npy': header must begin with PK\\3\\4 at byte 0, got other bytes",
    ],
    [
      'with a long header',
      changed(stored, 28, 255),
      `member 'one.npy': must end by byte ${directory}, got 292 and 134 bytes`,
    ],
    [
      'with another CRC',
      changed(stored, directory + 16, 0),
      /^member 'one.npy': bytes must have the CRC \d+, got \d+: the file is damaged$/,
    ],
    ['with a name twice', changed(two, second + 46, 97), "members must have different names, got 'a' twice"],
    [
      'with overlapping members',
      changed(two, second + 42, 60),
      "member 'a.npy' must end by byte 60, got 0 and 134 bytes",
    ],
    [
      'of damaged deflated bytes',
      changed(deflated, 60, 255, 255, 255),
      /^member 'float32.npy': deflated bytes must be valid, got /,
    ],
    ['of text', decode(refused.text), "member 'x.npy': bytes must be a .npy file, got text of 8 bytes: 'no array'"],
    [
      'of Python objects',
      decode(refused['Python objects']),
      "member 'x.npy': descr must be of a type that ONNX has, got '|O'",
    ],
    ['of LZMA', decode(refused.LZMA), "member 'x.npy': method must be 0 (stored) or 8 (deflated), got 14"],
    [
      'of fields',
      decode(refused['a structured array']),
      "member 'x.npy': descr must be of one type, got a structured one, of fields",
    ],
  ])('%s', async (_, file, message) => {
    const pattern = (name) =>
      typeof message === 'string' ? `${name}: ${message}` : new RegExp(`^${name}: ${message.source.slice(1)}`);
    expect(() => readNpz(new Uint8Array(file))).toThrow(pattern('readNpz'));
    if (/another CRC|damaged/.test(_)) return;
    await expect(openNpz(new Uint8Array(file))).rejects.toThrow(pattern('openNpz'));
  });
});
