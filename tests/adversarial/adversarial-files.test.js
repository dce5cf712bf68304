/**
 * Damaged files: all truncations and many corruptions of each format give a result or one of our errors.
 * `CORRUPTIONS=100000` makes as many of each format; the commit's hash seeds them.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { init } from 'onnx-layout';
import {
  readModel,
  readNpy,
  readNpz,
  readSafetensors,
  readTensorProto,
  runModel,
  writeNpy,
  writeNpz,
  writeSafetensors,
  writeTensorProto,
} from 'onnx-layout/io';
import { commitHash } from '../support/sample.js';
import { generator } from '../support/samples.js';
import { words } from '../support/tables.js';
import { corruptions } from './corrupt.js';

beforeAll(() => init());

/** Milliseconds of CPU time, which does not run while the machine is busy with others. */
function clock() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const utf8 = (text) => Uint8Array.from(Buffer.from(text));
/** A field of protobuf that holds bytes, or a number below 128. */
const field = (number, value) =>
  typeof value === 'number'
    ? Uint8Array.of(number << 3, value)
    : Uint8Array.from([(number << 3) | 2, (value.length & 0x7f) | 0x80, value.length >> 7, ...value]);
const message = (...fields) => Uint8Array.from(fields.flatMap((bytes) => [...bytes]));

const tensor = { type: 'uint8', data: Uint8Array.of(1, 2, 3, 4, 5, 6), dims: [2, 3] };
const valueInfo = (name) =>
  message(
    field(1, utf8(name)),
    field(2, field(1, message(field(1, 2), field(2, message(field(1, field(1, 2)), field(1, field(1, 3))))))),
  );
const node = (operator, input, output, ...attributes) =>
  field(
    1,
    message(
      field(1, utf8(input)),
      field(2, utf8(output)),
      field(4, utf8(operator)),
      ...attributes.map((bytes) => field(5, bytes)),
    ),
  );
const attribute = (name, type, ...values) => message(field(1, utf8(name)), ...values, Uint8Array.of(0xa0, 0x01, type));
const model = message(
  field(1, 8),
  field(8, field(2, 19)),
  field(
    7,
    message(
      node('Transpose', 'w', 'a', attribute('perm', 7, field(8, 1), field(8, 0))),
      node('Cast', 'a', 'b', attribute('to', 2, field(3, 1))),
      node('Flatten', 'b', 'c', attribute('axis', 2, field(3, 1))),
      node('SplitToSequence', 'c', 'y'),
      field(5, writeTensorProto(tensor, { name: 'w' })),
      field(11, valueInfo('w')),
      field(12, valueInfo('y')),
    ),
  ),
);

const npyBig = Uint8Array.from(
  Buffer.from(writeNpy({ type: 'int16', data: new Int16Array(6), dims: [2, 3] })).map((byte, i, all) =>
    all.toString('latin1', i, i + 3) === '<i2' ? 0x3e : byte,
  ),
);
const strings = writeTensorProto({ type: 'string', data: ['a', 'ß'], dims: [2] });
const external = message(
  field(1, 2),
  field(2, 5),
  field(14, 1),
  field(13, message(field(1, utf8('location')), field(2, utf8('w.bin')))),
);
const unpacked = message(field(1, 2), field(2, 22), field(5, Uint8Array.of(0x21)), field(8, utf8('x')));

const { archives } = JSON.parse(readFileSync(new URL('../io/npz/npz-goldens.json', import.meta.url), 'utf8'));
const deflated = new Uint8Array(Buffer.from(archives.short.file, 'base64'));

const formats = {
  npy: {
    files: () => [
      writeNpy({ type: 'float32', data: Float32Array.of(1, 2, 3, 4, 5, 6), dims: [2, 3] }),
      npyBig,
      fortran(npyBig),
      writeNpy({ ...tensor, type: 'float8e5m2' }),
      unknownPacked(),
    ],
    read: (bytes, i) => readNpy(bytes, i < 3 ? {} : { dtype: i === 3 ? 'float8e5m2' : 'int4' }),
  },
  npz: {
    files: () => [writeNpz(new Map([...'ab'].map((name) => [name, tensor]))), deflated],
    read: (bytes) => readNpz(bytes),
  },
  safetensors: {
    files: () => [
      writeSafetensors(
        new Map([
          ['a', tensor],
          ['__proto__', { type: 'bfloat16', data: Uint16Array.of(1), dims: [1] }],
        ]),
        { metadata: new Map([['format', 'pt']]) },
      ),
    ],
    read: (bytes) => readSafetensors(bytes),
  },
  TensorProto: {
    files: () => [writeTensorProto(tensor, { name: 'x' }), strings, external, unpacked],
    read: (bytes) => readTensorProto(bytes, { external: ({ length }) => new Uint8Array(Math.min(length, 100)) }),
  },
  ONNX: { files: () => [model], read: (bytes) => runModel(readModel(bytes), {}) },
};
const unknownPacked = () => writeNpy({ type: 'int4', data: Uint8Array.of(0x21, 0x43, 0x65), dims: [6] });
const fortran = (bytes) =>
  Uint8Array.from(Buffer.from(Buffer.from(bytes).toString('latin1').replace('False', 'True '), 'latin1'));

const functions = ['readNpy', 'readNpz', 'readSafetensors', 'readTensorProto', 'readModel', 'runModel'];
const operators = ['Flatten', 'Reshape', 'Transpose', 'SplitToSequence', 'Cast', 'Identity'];
const ours = new RegExp(`^(${[...functions, ...operators].join('|')})[-:]`);

/** Bytes that a result holds, which is memory that the file has asked for. */
function countBytes(result) {
  if (result instanceof Map || Array.isArray(result))
    return [...result.values()].reduce((total, value) => total + countBytes(value), 0);
  return Array.isArray(result.data) ? result.data.join('').length : result.data.byteLength;
}

/** Reads one file, which must give a result or one of our errors. */
function tryFile(read, bytes, which, tally) {
  if (++tally.files % 100 === 0) takeTime(tally);
  try {
    const result = read(bytes, which);
    tally.results++;
    tally.heldBytes = Math.max(tally.heldBytes, countBytes(result) / (bytes.length + 100));
  } catch (error) {
    const isOurs =
      (error.constructor === RangeError || error.constructor === TypeError) &&
      ours.test(error.message) &&
      error.message.length < 1000;
    if (!isOurs) throw new Error(`on ${Buffer.from(bytes).toString('hex')}: ${error.stack}`, { cause: error });
    tally.errors++;
  }
}

const count = Number(process.env.CORRUPTIONS ?? 15_000);

const newTally = () => ({ files: 0, results: 0, errors: 0, since: clock(), slowest: 0, heldBytes: 0 });

/** Takes the time of at most a hundred files together: reading the clock takes longer than a file. */
function takeTime(tally) {
  const now = clock();
  tally.slowest = Math.max(tally.slowest, now - tally.since);
  tally.since = now;
}

function checkTally(tally) {
  takeTime(tally);
  expect(tally.slowest).toBeLessThan(30_000);
  // The most that these files can ask for is Cast from 8 to 32 bits, and 100 bytes of external data.
  expect(tally.heldBytes).toBeLessThan(8);
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(
    words(`
    __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ constructor hasOwnProperty
    isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf
  `),
  );
}

describe.each(Object.entries(formats))('%s', (name, { files, read }) => {
  test('the files themselves are read', () => {
    const tally = newTally();
    files().forEach((bytes, i) => tryFile(read, bytes, i, tally));
    expect([tally.results, tally.errors]).toEqual([files().length, 0]);
  });

  test('truncated at every byte', () => {
    const tally = newTally();
    files().forEach((bytes, i) => {
      for (let length = 0; length < bytes.length; length++) tryFile(read, bytes.slice(0, length), i, tally);
    });
    checkTally(tally);
    // A protobuf message that ends between two fields is a whole one, so some of these are read.
    if (['npy', 'npz', 'safetensors'].includes(name)) expect(tally.results).toBe(0);
    expect(tally.errors).toBeGreaterThan(20);
  });

  test(`${count} seeded corruptions`, () => {
    const random = generator(Number.parseInt(commitHash().slice(0, 8), 16));
    const tally = newTally();
    for (const [bytes, which] of corruptions(files(), count, random)) tryFile(read, bytes, which, tally);
    checkTally(tally);
    expect(tally.results + tally.errors).toBe(count);
    expect(Math.min(tally.results, tally.errors)).toBeGreaterThan(count / 100);
  });
});

test('sizes that a file claims and does not have take neither time nor memory', () => {
  const u64 = (value) =>
    Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 7], (byte) => Number(BigInt.asUintN(8, value >> BigInt(8 * byte))));
  const huge = Uint8Array.of(0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f);
  const claims = [
    ['npy', message(Uint8Array.of(0x93), utf8('NUMPY'), Uint8Array.of(2, 0, 0xff, 0xff, 0xff, 0xff))],
    [
      'npy',
      message(
        Uint8Array.of(0x93),
        utf8('NUMPY'),
        Uint8Array.of(1, 0, 0x10, 0x27),
        utf8(`{'descr': '<f4', 'fortran_order': True, 'shape': (${'9, '.repeat(3000)})}`.padEnd(10000)),
      ),
    ],
    ['safetensors', message(u64(100_000_000n), utf8('{}'))],
    [
      'safetensors',
      message(
        u64(90n),
        utf8('{"x":{"dtype":"F64","shape":[9007199254740991,9007199254740991],"data_offsets":[0,8]}}'.padEnd(90)),
        new Uint8Array(8),
      ),
    ],
    ['TensorProto', message(huge, huge, Uint8Array.of(0x10, 1))],
    [
      'TensorProto',
      message(
        ...Array.from({ length: 3000 }, () => huge),
        Uint8Array.of(0x10, 1, 0x70, 1),
        field(13, message(field(1, utf8('location')), field(2, utf8('w')))),
      ),
    ],
    ['TensorProto', Uint8Array.of(0x10, 1, 0x4a, 0xff, 0xff, 0xff, 0xff, 0x0f)],
    ['ONNX', new Uint8Array(200_000).fill(0x3b)], // groups in groups
  ];
  const before = process.memoryUsage().arrayBuffers;
  for (const [name, bytes] of claims) {
    const tally = newTally();
    tryFile(formats[name].read, bytes, 0, tally);
    checkTally(tally);
    expect([name, tally.errors]).toEqual([name, 1]);
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16e6);
});
