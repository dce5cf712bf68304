/** Bytes, tensors and models for onnx-layout/io that change during a call, or are not what they stand for. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'onnx-layout';
import {
  readModel,
  readNpy,
  readSafetensors,
  readTensorProto,
  runModel,
  writeInitializers,
  writeNpy,
  writeSafetensors,
  writeTensorProto,
} from 'onnx-layout/io';
import { expectError, expectErrors } from '../support/assertions.js';
import { changingViews, detach, goodViews } from './adversarial.js';

beforeAll(() => init());

const tensor = (data = Int16Array.of(1, 2, 3, 4, 5, 6), dims = [2, 3]) => ({ type: 'int16', data, dims });
const proto = writeTensorProto(tensor(), { name: 'w' });
const field = (number, ...bytes) => [(number << 3) | 2, bytes.length, ...bytes];
const text = (value) => [...new TextEncoder().encode(value)];
const info = (name) =>
  field(
    11,
    ...field(1, ...text(name)),
    ...field(2, ...field(1, 0x08, 5, ...field(2, ...field(1, 0x08, 2), ...field(1, 0x08, 3)))),
  );
const model = Uint8Array.from([0x08, 8, ...field(7, ...field(5, ...proto), ...info('w'))]);

const readers = {
  readNpy: [writeNpy(tensor()), readNpy, 'readNpy: bytes must be a .npy file, got an empty file of 0 bytes'],
  readSafetensors: [
    writeSafetensors(new Map([['w', tensor()]])),
    (bytes) => [...readSafetensors(bytes)],
    'readSafetensors: bytes must be a safetensors file, got an empty file of 0 bytes',
  ],
  readTensorProto: [proto, readTensorProto, 'readTensorProto: data_type must be the code of a type, 1 to 28, got 0'],
  readModel: [
    model,
    (bytes) => readModel(bytes).initializers,
    'readModel: bytes must be an ONNX model, got an empty file of 0 bytes',
  ],
  writeInitializers: [
    model,
    (bytes) => writeInitializers(bytes, new Map([['w', tensor()]])),
    "writeInitializers: tensors must be by the name of an initializer, got 'w'",
  ],
};

describe.each(Object.entries(readers))('%s', (name, [file, read, whenEmpty]) => {
  test.each(Object.entries(goodViews).filter(([kind]) => !kind.includes('follows')))('takes bytes %s', (_, make) => {
    const bytes = make(Uint8Array, file.length);
    Uint8Array.prototype.set.call(bytes, file);
    expect(read(bytes)).toEqual(read(file));
    expect(file.every((byte, i) => bytes[i] === byte)).toBe(true);
  });

  test.each(changingViews.filter(([, , , left]) => left(2) === 0))(
    'has no bytes where they were %s',
    (_, make, change) => {
      const bytes = make(Uint8Array, file.length);
      change(bytes);
      expectError(() => read(bytes), RangeError, whenEmpty);
    },
  );

  test('refuses what are no bytes', () => {
    for (const [bytes, shown] of [
      [file.buffer, 'an object'],
      [new Int8Array(file), 'Int8Array'],
      [new Uint8ClampedArray(file), 'Uint8ClampedArray'],
      [[...file], 'Array'],
      [new DataView(file.buffer), 'DataView'],
      [null, 'null'],
      ['bytes', "'bytes'"],
      [{ length: 1, 0: 1 }, 'an object'],
    ])
      expectError(() => read(bytes), TypeError, `${name}: bytes must be a Uint8Array, got ${shown}`);
  });
});

describe('external', () => {
  const entry = (key, value) => field(13, ...field(1, ...text(key)), ...field(2, ...text(value)));
  const outside = Uint8Array.from([0x08, 2, 0x10, 5, 0x70, 1, ...entry('location', 'w.bin')]);

  test('may give bytes in any memory', () => {
    for (const make of Object.values(goodViews)) {
      const bytes = make(Uint8Array, 4);
      Uint8Array.prototype.set.call(bytes, [1, 0, 2, 0]);
      expect(readTensorProto(outside, { external: () => bytes }).toArray()).toEqual([1, 2]);
    }
  });

  test.each([
    [TypeError, () => undefined, 'external must return a Uint8Array, got undefined'],
    [TypeError, async () => Uint8Array.of(1, 0, 2, 0), 'external must return a Uint8Array, got an object'],
    [TypeError, () => Int16Array.of(1, 2), 'external must return a Uint8Array, got Int16Array'],
    [RangeError, () => new Uint8Array(5), "external must return 4 bytes of 'w.bin', got 5"],
    [
      RangeError,
      () => {
        const bytes = new Uint8Array(4);
        detach(bytes);
        return bytes;
      },
      "external must return 4 bytes of 'w.bin', got 0",
    ],
  ])('%p of what it returns: %#', (Class, external, rule) => {
    expectError(() => readTensorProto(outside, { external }), Class, `readTensorProto: ${rule}`);
  });
});

describe('tensors by name', () => {
  const writers = { writeSafetensors, writeInitializers: (tensors) => writeInitializers(model, tensors) };
  test.each(Object.entries(writers))('%s refuses what is no Map', (name, write) => {
    for (const [tensors, shown] of [
      [{ w: tensor() }, 'an object'],
      [[['w', tensor()]], 'Array'],
      [Object.create(Map.prototype), 'an object'],
      [new WeakMap(), 'an object'],
      [undefined, 'undefined'],
    ])
      expectError(() => write(tensors), TypeError, `${name}: tensors must be a Map, got ${shown}`);
    const message = `${name}: names must be strings, got Symbol(w)`;
    expectError(() => write(new Map([[Symbol('w'), tensor()]])), TypeError, message);
  });
});

describe('runModel', () => {
  const node = { name: 'n', operator: 'Transpose', domain: '', inputs: ['w'], outputs: ['y'], attributes: new Map() };
  const graph = (changes = {}) => ({
    opsets: new Map([['', 25]]),
    initializers: new Map([['w', tensor()]]),
    nodes: [node],
    inputs: [],
    outputs: [{ name: 'y' }],
    ...changes,
  });
  const input = { name: 'x', type: undefined, dims: null, sequence: false };

  test('takes a model that no file holds, its tensors as all tensors are', () => {
    const { type, data, dims } = runModel(graph(), {}).get('y');
    expect([type, data, dims]).toEqual(['int16', Int16Array.of(1, 4, 2, 5, 3, 6), [3, 2]]);
    expect(
      runModel(graph({ outputs: [{ name: 'w' }] }), {})
        .get('w')
        .toArray(),
    ).toEqual([1, 2, 3, 4, 5, 6]);
  });

  const from = (argument, shown) => [TypeError, `${argument} must be what readModel gives, got ${shown}`];
  test.each([
    [null, ...from('model', 'null')],
    ['model', ...from('model', "'model'")],
    [[], ...from('model', 'Array')],
    [new Uint8Array(1), ...from('model', 'Uint8Array')],
    [{}, ...from('model', 'an object')],
    [graph({ opsets: { '': 25 } }), ...from('model', 'an object')],
    [graph({ nodes: { length: 0 } }), ...from('model', 'an object')],
    [
      graph({ opsets: new Map([[Symbol('d'), 25]]) }),
      RangeError,
      "model must import an opset of ONNX's own domain, got [Symbol(d)]",
    ],
    [graph({ nodes: [null] }), ...from('nodes[0]', 'null')],
    [graph({ nodes: [node, 5] }), ...from('nodes[1]', '5')],
    [graph({ nodes: [{}] }), ...from('nodes[0] name', 'undefined')],
    [graph({ nodes: [{ ...node, operator: Symbol('o') }] }), ...from('nodes[0] operator', 'Symbol(o)')],
    [graph({ nodes: [{ ...node, inputs: 'w' }] }), ...from('nodes[0] inputs', "'w'")],
    [graph({ nodes: [{ ...node, outputs: ['y', 5] }] }), ...from('nodes[0] outputs[1]', '5')],
    [
      graph({ nodes: [{ ...node, attributes: { perm: [0, 1] } }] }),
      TypeError,
      'nodes[0] attributes must be a Map, got an object',
    ],
    [
      graph({ nodes: [{ ...node, attributes: new Map([[Symbol('a'), 1]]) }] }),
      ...from('nodes[0] attributes', 'Symbol(a)'),
    ],
    [
      graph({ nodes: [{ ...node, attributes: new Map([['out', tensor()]]) }] }),
      TypeError,
      "Transpose node 'n' has no attribute out",
    ],
    [graph({ inputs: [undefined] }), ...from('inputs[0]', 'undefined')],
    [graph({ inputs: [{ ...input, type: Symbol('t') }] }), ...from('inputs[0] type', 'Symbol(t)')],
    [graph({ inputs: [{ ...input, dims: 5 }] }), ...from('inputs[0] dims', '5')],
    [graph({ inputs: [{ ...input, dims: [2, {}] }] }), ...from('inputs[0] dims', 'Array')],
    [graph({ outputs: [{}] }), ...from('outputs[0] name', 'undefined')],
    [graph({ outputs: [5] }), ...from('outputs[0]', '5')],
    [
      graph({ initializers: new Map([['w', 5]]) }),
      TypeError,
      "initializer 'w' must be a tensor { type, dims, data }, got 5",
    ],
    [
      graph({ initializers: new Map([['w', tensor(undefined, [7])]]) }),
      RangeError,
      'int16 data of dims [7] has 7 entries, got 6',
    ],
  ])('refuses model %#', (adversarial, Class, rule) => {
    expectError(() => runModel(adversarial, {}), Class, `runModel: ${rule}`);
    expect(runModel(graph(), {}).size).toBe(1);
  });

  test('refuses inputs that are none', () => {
    const one = graph({ inputs: [input], nodes: [{ ...node, inputs: ['x'] }] });
    for (const [inputs, shown] of [
      [null, 'null'],
      [undefined, 'undefined'],
      [5, '5'],
    ])
      expectError(() => runModel(one, inputs), TypeError, `runModel: inputs must be an object or a Map, got ${shown}`);
    expectErrors(runModel, {
      "TypeError: runModel: input 'x' must be a tensor { type, dims, data }, got 2": () =>
        runModel(one, JSON.parse('{ "__proto__": 1, "x": 2 }')),
      "TypeError: runModel: inputs must be the graph's, got '__proto__'": [one, { x: tensor(), ['__proto__']: 1 }],
      "TypeError: runModel: input 'x' must be given, got undefined": [one, Object.create({ x: tensor() })],
    });
  });
});
