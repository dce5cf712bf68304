/** TensorProto and ModelProto, checked against protoc: we read what it encodes from text, it decodes what we write. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dtypes, init, transpose } from 'onnx-layout';
import { openModel, readModel, readTensorProto, saveModel, writeInitializers, writeTensorProto } from 'onnx-layout/io';
import { expectError, expectTensor, refuses, expectErrors } from '../../support/assertions.js';
import { namesInside, namesOutside } from '../../support/file-names.js';
import { atOddOffset, hasProtoc, run, temporaryFolder, where } from '../../support/programs.js';
import { elementCount, fromCodes, toCodes, typeNames, types } from '../../support/reference.js';
import { randomData } from '../../support/samples.js';
import { bytesOf as fileBytes } from '../../weights/files.js';
import { lists, pairs, words } from '../../support/tables.js';

beforeAll(() => init());

const folder = temporaryFolder();

// The parts of the messages that these tests use, with the numbers and kinds of onnx.in.proto.
const schema = (packed) => `syntax = "proto2"; package onnx;
message Entry { optional string key = 1; optional string value = 2; }
message Tensor {
  repeated int64 dims = 1; optional int32 data_type = 2;
  repeated float float_data = 4 [packed = ${packed}]; repeated int32 int32_data = 5 [packed = ${packed}];
  repeated bytes string_data = 6; repeated int64 int64_data = 7 [packed = ${packed}];
  optional string name = 8; optional bytes raw_data = 9;
  repeated double double_data = 10 [packed = ${packed}]; repeated uint64 uint64_data = 11 [packed = ${packed}];
  optional string doc_string = 12; repeated Entry external_data = 13; optional int32 data_location = 14;
}
message SparseTensor { optional Tensor values = 1; optional Tensor indices = 2; repeated int64 dims = 3; }
message Attribute {
  optional string name = 1; optional float f = 2; optional int64 i = 3; optional bytes s = 4; optional Tensor t = 5;
  repeated float floats = 7 [packed = ${packed}]; repeated int64 ints = 8 [packed = ${packed}];
  repeated bytes strings = 9; optional string doc_string = 13; optional int32 type = 20;
  optional Graph g = 6; repeated Graph graphs = 11; optional SparseTensor sparse_tensor = 22;
}
message Node {
  repeated string input = 1; repeated string output = 2; optional string name = 3; optional string op_type = 4;
  repeated Attribute attribute = 5; optional string doc_string = 6; optional string domain = 7;
}
message Dim { optional int64 dim_value = 1; optional string dim_param = 2; }
message Shape { repeated Dim dim = 1; }
message TensorType { optional int32 elem_type = 1; optional Shape shape = 2; }
message SequenceType { optional Type elem_type = 1; optional string of_later_versions = 15; }
message Type {
  optional TensorType tensor_type = 1; optional SequenceType sequence_type = 4; optional string denotation = 6;
}
message ValueInfo { optional string name = 1; optional Type type = 2; optional string doc_string = 3; }
message Graph {
  repeated Node node = 1; optional string name = 2; repeated Tensor initializer = 5; optional string doc_string = 10;
  repeated ValueInfo input = 11; repeated ValueInfo output = 12; repeated ValueInfo value_info = 13;
  repeated SparseTensor sparse_initializer = 15;
}
message OpsetId { optional string domain = 1; optional int64 version = 2; }
message Model {
  optional int64 ir_version = 1; optional string producer_name = 2; optional Graph graph = 7;
  repeated OpsetId opset_import = 8; repeated Entry metadata_props = 14;
}
`;
for (const packed of [true, false]) writeFileSync(join(folder, `packed-${packed}.proto`), schema(packed));

const protoc = (mode, message, input, packed = true) =>
  run('protoc', ['-I', folder, `--${mode}=onnx.${message}`, `packed-${packed}.proto`], { input, cwd: folder });
const encode = (message, text, packed) => new Uint8Array(protoc('encode', message, text, packed));
const decode = (message, bytes) => protoc('decode', message, bytes).toString();

const dims = [3, 5];
const size = 15;

/** Finite values, because protoc's text has no NaN payloads. The tail bits of packed types are zero. */
function sample(type) {
  const data = randomData(type, size, 5);
  if (Array.isArray(data)) return data.map((text, i) => (i === 3 ? '\u{feff}ß漢\0"\\' : text));
  if (type === 'bool') return data.map((value) => value & 1);
  if (data instanceof Float32Array || data instanceof Float64Array) return data.map((_, i) => (i - 7) * 1.1);
  return types[type].bits < 8 ? fromCodes(type, toCodes(type, data, size)) : data;
}

const fieldOf = {
  ...Object.fromEntries(
    pairs(`
      float32:float_data complex64:float_data float64:double_data complex128:double_data int64:int64_data
      uint32:uint64_data uint64:uint64_data string:string_data
    `),
  ),
  ...Object.fromEntries(
    words(`
      bool int8 uint8 int16 uint16 int32 float16 bfloat16 float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz
      float8e8m0 float6e2m3 float6e3m2 float4e2m1 int4 uint4 int2 uint2
    `).map((type) => [type, 'int32_data']),
  ),
};
test('every dtype has a field for its data', () =>
  expect(Object.keys(fieldOf).sort()).toEqual(Object.keys(dtypes).sort()));

const escaped = (bytes) => Array.from(Buffer.from(bytes), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
const head = (type, shape = dims) =>
  `${shape.map((extent) => `dims: ${extent} `).join('')}data_type: ${types[type].code} `;
/** An entry of int32_data is one element of 6 bits, but a byte of elements of 4 or 2 bits. */
const entriesOf = (type, data) => (types[type].bits === 6 ? toCodes(type, data, size) : data);
const typed = (type, data) =>
  Array.from(
    entriesOf(type, data),
    (value) => `${fieldOf[type]}: ${type === 'string' ? `"${escaped(value)}"` : value} `,
  ).join('');
const bytesOf = (data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

where(hasProtoc, 'protoc', () => {
  test.each(typeNames)('%s: raw_data, the typed field packed and not, and back', (type) => {
    const data = sample(type);
    for (const packed of [true, false]) {
      const bytes = encode('Tensor', head(type) + typed(type, data), packed);
      expectTensor(readTensorProto(bytes), type, dims, data, `${type} typed, packed ${packed}`);
    }
    if (type !== 'string') {
      const bytes = encode('Tensor', `${head(type)}name: "x" raw_data: "${escaped(bytesOf(data))}"`);
      expectTensor(readTensorProto(bytes), type, dims, data, `${type} raw`);
      expectTensor(readTensorProto(atOddOffset(bytes)), type, dims, data, `${type} raw at an odd offset`);
      expect(writeTensorProto({ type, dims, data }, { name: 'x' })).toEqual(bytes);
    } else {
      expect(writeTensorProto({ type, dims, data })).toEqual(encode('Tensor', head(type) + typed(type, data)));
    }
    for (const shape of [[], [0], [2, 0]]) {
      const none =
        shape.length === 0
          ? data.slice(0, types[type].bits === 0 ? 1 : Math.max(1, types[type].bits / 8 / data.BYTES_PER_ELEMENT))
          : data.slice(0, 0);
      const tensor = {
        type,
        dims: shape,
        data:
          types[type].bits < 8 && types[type].bits > 0
            ? fromCodes(type, toCodes(type, none, elementCount(shape)))
            : none,
      };
      expectTensor(readTensorProto(writeTensorProto(tensor)), type, shape, tensor.data, `${type} [${shape}]`);
    }
    if (type !== 'string')
      expectTensor(
        readTensorProto(encode('Tensor', head(type, [0]))),
        type,
        [0],
        data.slice(0, 0),
        `${type} without data`,
      );
  });

  test('of an element of 6 bits the low bits of its entry count, as of a float8', () => {
    const entries = [1, 0x40, -1, 0x7fffff22].map((entry) => `int32_data: ${entry} `).join('');
    const bytes = Uint8Array.of(0x01, 0xf0, 0x8b);
    expectTensor(readTensorProto(encode('Tensor', head('float6e2m3', [4]) + entries)), 'float6e2m3', [4], bytes);
  });

  test.each(['float6e2m3', 'float6e3m2'])('%s: as many entries as elements, where bytes would not tell', (type) => {
    for (const [count, entries] of lists('[4, 3], [3, 4], [1, 0], [0, 1]')) {
      const bytes = encode('Tensor', `${head(type, [count])}name: "w" ${'int32_data: 1 '.repeat(entries)}`);
      const message = `readTensorProto: tensor 'w' int32_data must have ${count} entries, got ${entries}`;
      expectError(() => readTensorProto(bytes), RangeError, message);
    }
    for (const length of [2, 4])
      expectError(
        () => readTensorProto(encode('Tensor', `${head(type, [4])}raw_data: "${'x'.repeat(length)}"`)),
        RangeError,
        `readTensorProto: ${type} data of dims [4] has 3 bytes, got ${length}`,
      );
  });

  test('protoc knows every field that is written', () => {
    const text = decode(
      'Tensor',
      writeTensorProto({ type: 'int16', data: Int16Array.of(1, 0x4142), dims: [2] }, { name: 'x' }),
    );
    expect(text).toBe('dims: 2\ndata_type: 5\nname: "x"\nraw_data: "\\001\\000BA"\n');
    const raw = run('protoc', ['--decode_raw'], {
      input: writeTensorProto({ type: 'int16', data: Int16Array.of(1, 0x4142), dims: [2] }, { name: 'x' }),
    });
    expect(raw.toString()).toBe('1: 2\n2: 5\n8: "x"\n9: "\\001\\000BA"\n');
  });

  test('entries of int32_data of each length, and what is none', () => {
    const numbers = [0, 127, 128, 16383, 16384, 2 ** 21, 2 ** 28 - 1, 2 ** 28, 2 ** 31 - 1, -(2 ** 31), -1];
    const text = `${head('int32', [numbers.length])}${numbers.map((number) => `int32_data: ${number} `).join('')}`;
    expect([...readTensorProto(encode('Tensor', text)).data]).toEqual(numbers);
    const stream = (...bytes) => Uint8Array.of(8, 1, 16, 6, 42, bytes.length, ...bytes);
    // The bits above the low 32 are of no number.
    expect([...readTensorProto(stream(0xff, 0xff, 0xff, 0xff, 0x7f)).data]).toEqual([-1]);
    expect([...readTensorProto(stream(...Array(9).fill(0x81), 1)).data]).toEqual([0x10204081]);
    const refused = { 'premature EOF': stream(1, 0x80), 'invalid varint': stream(...Array(10).fill(0x80), 0) };
    for (const [error, bytes] of Object.entries(refused))
      expectError(() => readTensorProto(bytes), RangeError, `readTensorProto: bytes must be protobuf, got ${error}`);
  });

  test('negative entries of int32_data are masked', () => {
    for (const [type, expected] of [
      ['uint8', [255, 254]],
      ['float16', [0xffff, 0xfffe]],
      ['uint16', [0xffff, 0xfffe]],
      ['bfloat16', [0xffff, 0xfffe]],
      ['float8e5m2', [255, 254]],
      ['int8', [-1, -2]],
      ['bool', [1, 1]],
    ])
      expect([...readTensorProto(encode('Tensor', `${head(type, [2])}int32_data: -1 int32_data: -2`)).data]).toEqual(
        expected,
      );
    expect(readTensorProto(encode('Tensor', `${head('int4', [3])}int32_data: -15 int32_data: -1`)).data).toEqual(
      Uint8Array.of(0xf1, 0xff),
    );
    expect(readTensorProto(encode('Tensor', `${head('uint32', [1])}uint64_data: 18446744073709551615`)).data).toEqual(
      Uint32Array.of(0xffffffff),
    );
  });

  test('of raw_data that comes twice the last counts', () => {
    const bytes = Buffer.concat(
      ['a', 'b'].map((raw) => encode('Tensor', `${raw === 'a' ? head('int8', [1]) : ''}raw_data: "${raw}"`)),
    );
    expectTensor(readTensorProto(bytes), 'int8', [1], Int8Array.of(98));
  });

  const external = (location, more = '') =>
    encode(
      'Tensor',
      `${head('int16', [2])}name: "w" data_location: 1 external_data { key: "location" value: "${location}" } ${more}`,
    );
  const number = (key, value) => `external_data { key: "${key}" value: "${value}" } `;

  test('external data: the callback is handed location, offset and length', () => {
    const asked = [];
    const give = (place) => {
      asked.push(place);
      return Uint8Array.of(1, 0, 2, 0);
    };
    const tensors = [
      external('a/b..bin'),
      external('w', number('offset', 4096) + number('length', 4) + number('checksum', 'x')),
    ].map((bytes) => readTensorProto(bytes, { external: give }));
    for (const tensor of tensors) expectTensor(tensor, 'int16', [2], Int16Array.of(1, 2));
    expect(asked).toEqual([
      { location: 'a/b..bin', offset: 0, length: 4 },
      { location: 'w', offset: 4096, length: 4 },
    ]);
  });

  describe('errors', () => {
    const never = () => {
      throw new Error('asked');
    };
    test.each(namesOutside)('external location %j', (location) => {
      const rule = `tensor 'w' location must be a path inside the model's folder, got '${location}'`;
      const call = () => readTensorProto(external(escaped(location)), { external: never });
      expectError(call, RangeError, `readTensorProto: ${rule}`);
    });

    test.each(namesInside)('external location %j is asked for', (location) => {
      const bytes = external(escaped(location));
      expect(() => readTensorProto(bytes, { external: never })).toThrow('asked');
    });

    const read = (text, options) => () => readTensorProto(encode('Tensor', text), options);
    refuses('readTensorProto', readTensorProto, {
      'TypeError: bytes must be a Uint8Array, got 1': [1],
      "TypeError: unknown option 'raw'. Known: external": [new Uint8Array(0), { raw: true }],
      'RangeError: data_type must be the code of a type, 1 to 28, got 0': [new Uint8Array(0)],
      'RangeError: bytes must be protobuf, got premature EOF': [Uint8Array.of(0x10)],
      'RangeError: protobuf field 2 must hold a whole number, got another wire type': [Uint8Array.of(0x12, 0)],
      'RangeError: protobuf field 9 must hold bytes, got another wire type': [
        () => readTensorProto(Uint8Array.of(0x48, 0)),
        () => readTensorProto(Uint8Array.of(0x4d, 0, 0, 0, 0)),
        () => readTensorProto(Uint8Array.of(0x49, 0, 0, 0, 0, 0, 0, 0, 0)),
      ],
      "RangeError: tensor 'w' data_type must be the code of a type, 1 to 28, got 29": read('data_type: 29 name: "w"'),
      'RangeError: data must be in one field, got int32_data and raw_data': read(
        `${head('int16', [2])}raw_data: "abcd" int32_data: 1`,
      ),
      'RangeError: int16 data must be in int32_data or raw_data, got float_data': read(
        `${head('int16', [2])}float_data: 1`,
      ),
      'RangeError: string data must be in string_data, got raw_data': read(`${head('string', [1])}raw_data: "a"`),
      'RangeError: string_data[0] must be UTF-8, got other bytes': read(`${head('string', [1])}string_data: "\\377"`),
      'RangeError: int16 data must be a multiple of 2 bytes, got 5': read(`${head('int16', [2])}raw_data: "abcde"`),
      'RangeError: int16 data of dims [2] has 2 entries, got 1': read(`${head('int16', [2])}raw_data: "ab"`),
      'RangeError: dims must hold whole numbers from 0 to 9007199254740991, got [-2]': read(
        `${head('int16', [-2])}raw_data: "ab"`,
      ),
      'RangeError: int4 data of dims [4] has 2 bytes, got 1': read(`${head('int4', [4])}int32_data: 1`),
      "TypeError: tensor 'w' needs the option external for 'w', got undefined": [external('w')],
      "TypeError: external must be a function, got 'w'": [external('w'), { external: 'w' }],
      "TypeError: external must return a Uint8Array, got 'w'": [external('w'), { external: () => 'w' }],
      "RangeError: external must return 4 bytes of 'w', got 3": [external('w'), { external: () => new Uint8Array(3) }],
      "RangeError: external must return 4 bytes of 'w', got 5": [external('w'), { external: () => new Uint8Array(5) }],
      "RangeError: tensor 'w' length must be 4, got 5": [external('w', number('length', 5)), { external: never }],
      "RangeError: tensor 'w' offset must be a whole number from 0, got '-1'": () =>
        readTensorProto(external('w', number('offset', -1)), { external: never }),
    });

    refuses('', {
      'TypeError: writeTensorProto: name must be a string, got 1': () =>
        writeTensorProto({ type: 'int8', data: new Int8Array(1), dims: [1] }, { name: 1 }),
      // Nothing writes to the 2 GiB, so they take no memory.
      'RangeError: writeTensorProto: protobuf field 9 must have at most 2147483647 bytes, got 2147483648': () =>
        writeTensorProto({ type: 'uint8', data: new Uint8Array(2 ** 31), dims: [2 ** 31] }),
    });
  });

  test('strings without characters are kept', () => {
    const data = ['', 'a', ''];
    expectTensor(readTensorProto(writeTensorProto({ type: 'string', data, dims: [3] })), 'string', [3], data);
  });

  const tensorInfo = (name, type, shape) =>
    `name: "${name}" type { tensor_type { elem_type: ${types[type].code} shape { ${shape} } } }`;
  const modelText = `ir_version: 8 producer_name: "hand"
    graph { name: "g" doc_string: "kept"
      node { input: "x" input: "" output: "y" name: "n" op_type: "Op" domain: "my.domain"
        attribute { name: "f" type: 1 f: 0.5 }
        attribute { name: "i" type: 2 i: -3 }
        attribute { name: "s" type: 3 s: "text" }
        attribute { name: "t" type: 4 t { data_type: 2 raw_data: "A" } }
        attribute { name: "floats" type: 6 floats: 1 floats: 2 }
        attribute { name: "ints" type: 7 ints: 1 ints: 9223372036854775807 }
        attribute { name: "strings" type: 8 strings: "a" strings: "" }
        attribute { name: "zero" type: 2 }
        attribute { name: "empty" type: 3 }
        attribute { name: "none" type: 7 }
        attribute { name: "graph" type: 5 }
        attribute { name: "untyped" ints: 4 ints: 5 }
        attribute { name: "__proto__" type: 2 i: 1 } }
      node { output: "z" op_type: "Other" domain: "ai.onnx" }
      initializer { dims: 2 dims: 3 data_type: 2 name: "w" raw_data: "abcdef" doc_string: "lost" }
      initializer { data_type: 1 float_data: 2 name: "__proto__" }
      input { ${tensorInfo('x', 'float32', 'dim { dim_param: "N" } dim { dim_value: 3 } dim { }')} }
      input { ${tensorInfo('w', 'uint8', 'dim { dim_value: 2 } dim { dim_value: 3 }')} doc_string: "kept" }
      input { name: "any" type { tensor_type { elem_type: 1 } } }
      input { name: "undefined" type { tensor_type { elem_type: 0 } } }
      value_info { ${tensorInfo('w', 'uint8', 'dim { dim_value: 2 } dim { dim_value: 3 }')} }
      output { name: "y" type { sequence_type {
        elem_type { tensor_type { elem_type: 7 shape { } } } of_later_versions: "x" } } } }
    metadata_props { key: "character" value: "0\\n漢" } metadata_props { key: "__proto__" }
    opset_import { domain: "ai.onnx" version: 21 } opset_import { domain: "my.domain" version: 1 }`;

  test('readModel: a symbol without a name is unknown, and a sequence of sequences has no type', () => {
    const nested = 'sequence_type { elem_type { sequence_type { elem_type { tensor_type { elem_type: 7 } } } } }';
    const { inputs, outputs } = readModel(
      encode(
        'Model',
        `graph { input { ${tensorInfo('x', 'float32', 'dim { dim_param: "" }')} }
          output { name: "y" type { ${nested} } } } opset_import { version: 21 }`,
      ),
    );
    expect(inputs).toEqual([{ name: 'x', type: 'float32', dims: [null], sequence: false }]);
    expect(outputs).toEqual([{ name: 'y', type: undefined, dims: null, sequence: true }]);
  });

  test('readModel: nodes, attributes, initializers, inputs, outputs, opsets', () => {
    for (const packed of [true, false]) {
      const model = readModel(encode('Model', modelText, packed));
      expect([model.irVersion, model.name, model.opsets]).toEqual([
        8,
        'g',
        new Map(lists('["", 21], ["my.domain", 1]')),
      ]);
      expect([...model.metadataProps]).toEqual([
        ['character', '0\n漢'],
        ['__proto__', ''],
      ]);
      expectTensor(model.initializers.get('w'), 'uint8', [2, 3], Uint8Array.from(Buffer.from('abcdef')));
      expect([...model.initializers.keys()]).toEqual(['w', '__proto__']);
      expect(model.inputs).toEqual([
        { name: 'x', type: 'float32', dims: ['N', 3, null], sequence: false },
        { name: 'w', type: 'uint8', dims: [2, 3], sequence: false },
        { name: 'any', type: 'float32', dims: null, sequence: false },
        { name: 'undefined', type: undefined, dims: null, sequence: false },
      ]);
      expect(model.outputs).toEqual([{ name: 'y', type: 'int64', dims: [], sequence: true }]);
      const [{ attributes, ...node }, other] = model.nodes;
      expect([other.operator, other.domain]).toEqual(['Other', '']);
      expect(node).toEqual({ name: 'n', operator: 'Op', domain: 'my.domain', inputs: ['x', ''], outputs: ['y'] });
      const { t, ...rest } = Object.fromEntries(attributes);
      expectTensor(t, 'uint8', [], Uint8Array.of(65));
      expect(Object.entries(rest)).toEqual(
        Object.entries({
          f: 0.5,
          i: -3,
          s: 'text',
          floats: [1, 2],
          ints: [1, 9223372036854775807n],
          strings: ['a', ''],
          zero: 0,
          empty: '',
          none: [],
          graph: undefined,
          untyped: [4, 5],
          ['__proto__']: 1,
        }),
      );
    }
  });

  const constant = (output, attribute) => `node { output: "${output}" op_type: "Constant" attribute { ${attribute} } }`;
  const constantsText = `ir_version: 8 graph {
    ${constant('tensor', 'name: "value" type: 4 t { dims: 2 data_type: 10 raw_data: "abcd" name: "other" }')}
    ${constant('float', 'name: "value_float" type: 1 f: 0.5')}
    ${constant('floats', 'name: "value_floats" type: 6 floats: 1 floats: 2')}
    ${constant('int', 'name: "value_int" type: 2 i: -3')}
    ${constant('ints', 'name: "value_ints" type: 7 ints: 9223372036854775807')}
    ${constant('string', 'name: "value_string" type: 3 s: "a"')}
    ${constant('strings', 'name: "value_strings" type: 8 strings: "a"')}
    ${constant(
      'sparse',
      `name: "sparse_value" type: 11 sparse_tensor { dims: 2
      values { dims: 0 data_type: 1 } indices { dims: 0 data_type: 7 } }`,
    )}
    node { output: "foreign" op_type: "Constant" domain: "my.domain" attribute { name: "value_int" type: 2 i: 1 } }
    node { name: "choice" op_type: "If" attribute { name: "then_branch" type: 5 g {
      initializer { dims: 1 data_type: 2 name: "w" raw_data: "a" }
      ${constant('c', 'name: "value_int" type: 2 i: 4')}
      node { op_type: "Loop" attribute { name: "body" type: 5 g {
        initializer { data_type: 6 name: "w" int32_data: -1 }
        initializer { dims: 1 data_type: 2 name: "far" data_location: 1
          external_data { key: "location" value: "f.bin" } external_data { key: "offset" value: "2" } }
        sparse_initializer { dims: 3 values { dims: 1 data_type: 2 name: "thin" raw_data: "e" }
          indices { dims: 1 data_type: 7 int64_data: 1 } } } } } } } }
    node { op_type: "Many" domain: "my.domain" attribute { name: "list" type: 10
      graphs { initializer { data_type: 2 name: "w" raw_data: "b" } }
      graphs { initializer { data_type: 2 name: "w" raw_data: "c" } } } }
    initializer { dims: 1 data_type: 2 name: "w" raw_data: "d" } }`;

  test('openModel: tensors of Constant nodes, and of subgraphs by their paths', async () => {
    const file = encode('Model', constantsText);
    const model = await openModel(file, { external: (location) => location === 'f.bin' && Uint8Array.of(0, 0, 7) });
    const read = async (/** @type {[string, Entry][]} */ entries) =>
      Promise.all(entries.map(async ([name, entry]) => [name, entry.type, entry.dims, (await entry.read()).toArray()]));
    expect(await read([...model.initializers])).toEqual([['w', 'uint8', [1], [100]]]);
    expect(await read([...model.constants])).toEqual([
      ['tensor', 'float16', [2], [816.5, 1123]],
      ['float', 'float32', [], [0.5]],
      ['floats', 'float32', [2], [1, 2]],
      ['int', 'int64', [], [-3n]],
      ['ints', 'int64', [1], [9223372036854775807n]],
      ['choice/then_branch/c', 'int64', [], [4n]],
      ['choice/then_branch/Loop_1/body/w', 'int32', [], [-1]],
      ['choice/then_branch/Loop_1/body/far', 'uint8', [1], [7]],
      ['choice/then_branch/w', 'uint8', [1], [97]],
      ['Many_10/list_0/w', 'uint8', [], [98]],
      ['Many_10/list_1/w', 'uint8', [], [99]],
      ['choice/then_branch/Loop_1/body/thin', 'uint8', [3], [0, 101, 0]],
      ['sparse', 'float32', [2], [0, 0]],
    ]);
    expect(model.notRead).toEqual(['string', 'strings']);
    // The graph keeps its constants: written with its initializers, the model is the same.
    const { model: written } = await saveModel(model.bytes, model.initializers);
    expect(decode('Model', await fileBytes(written))).toBe(decode('Model', file));
  });

  test('openModel: graphs nested 33 deep are read, deeper ones are refused', async () => {
    const nested = (depth) =>
      depth === 0 ? '' : `node { op_type: "If" attribute { name: "g" g { ${nested(depth - 1)} } } }`;
    const open = (depth) => openModel(encode('Model', `ir_version: 8 graph { ${nested(depth)} }`));
    expect((await open(33)).constants.size).toBe(0);
    const message = 'openModel: graphs must be nested at most 33 deep, got more';
    await expect(open(34)).rejects.toThrow(new RangeError(message));
  });

  test('writeInitializers keeps the rest byte for byte', () => {
    const bytes = encode('Model', modelText);
    expect(writeInitializers(bytes, new Map())).toEqual(bytes);
    const turned = writeInitializers(bytes, new Map([['w', transpose(readModel(bytes).initializers.get('w'))]]));
    const expected = modelText
      .replace('dims: 2 dims: 3', 'dims: 3 dims: 2')
      .replace('abcdef', 'adbecf')
      .replace(' doc_string: "lost"', '')
      .replaceAll('dim { dim_value: 2 } dim { dim_value: 3 }', 'dim { dim_value: 3 } dim { dim_value: 2 }');
    expect(decode('Model', turned)).toBe(decode('Model', encode('Model', expected)));
    expectErrors({
      "RangeError: writeInitializers: tensors must be by the name of an initializer, got 'x'": () =>
        writeInitializers(bytes, new Map([['x', readModel(bytes).initializers.get('w')]])),
      'TypeError: writeInitializers: tensors must be a Map, got an object': () => writeInitializers(bytes, {}),
    });
  });
});
