/**
 * The places that a new row of the dtype table misses. TypeScript complains of every table and every `switch` over the
 * rows' properties, and a call that meets a row without a case fails. The rows here are made up: of a number format, a
 * kind of float and a class of array that nothing knows.
 */
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { refuses } from '../support/assertions.js';
import { decode, decodeValues, encode, encodeValues } from '../../js/tensor/codec.js';
import { dataLength } from '../../js/tensor/read-tensor.js';
import { dtypes } from '../../js/tensor/dtypes.js';
import { textOf } from '../../js/tensor/numerals.js';
import { format } from '../../js/tensor/print.js';

/** Two new rows, and the types that the first one needs; the second one has a class of array without a name. */
const edits = {
  'js/tensor/types.ts': [
    ["| 'finite' | 'e8m0';", "| 'finite' | 'e8m0' | 'tapered';"],
    ["| { kind: 'complex' };", "| { kind: 'complex' } | { kind: 'posit' };"],
  ],
  'js/tensor/dtypes.js': [
    [
      '{\n  float32: [',
      "{\n  posit6: [29, 6, 'Uint6Array', 15, { kind: 'posit' }],\n  uint7: [30, 7, 'Uint7Array', 15, unsigned],\n" +
        '  float32: [',
    ],
  ],
  'js/arguments/typed-arrays.js': [["@typedef {'Array' |", "@typedef {'Array' | 'Uint6Array' |"]],
};

/** TypeScript's complaints in a room and the rooms below it: the file and the name of the declaration. */
function complaints(door, edited) {
  const root = new URL('../../', import.meta.url).pathname;
  const options = { allowJs: true, checkJs: true, strict: true, noEmit: true, types: [], skipLibCheck: true };
  options.lib = ['lib.es2023.d.ts', 'lib.dom.d.ts'];
  options.module = ts.ModuleKind.NodeNext;
  const host = ts.createCompilerHost(options);
  host.readFile = (path) => {
    const file = path.replace(root, '');
    return (edited[file] ?? []).reduce((text, [from, to]) => {
      if (text.split(from).length !== 2) throw new Error(`${file} has no one place with ${from}`);
      return text.replace(from, to);
    }, ts.sys.readFile(path));
  };
  return ts.getPreEmitDiagnostics(ts.createProgram([root + door], options, host)).map(({ file, start }) => {
    const statement = file.statements.find(({ pos, end }) => pos <= start && start < end);
    const { name } = statement.declarationList?.declarations[0] ?? statement;
    return `${file.fileName.replace(root, '')} ${name.text}`;
  });
}

test('a new row does not compile until each table and each switch has a case for it', () => {
  expect(complaints('js/tensor/index.js', {})).toEqual([]);
  expect(complaints('js/tensor/index.js', edits).sort()).toEqual([
    'js/arguments/typed-arrays.js arrayClasses',
    'js/tensor/codec.js decode',
    'js/tensor/codec.js encode',
    'js/tensor/codec.js kinds',
    'js/tensor/dtypes.js entries',
    'js/tensor/dtypes.js rows',
    'js/tensor/floats.js limits',
    'js/tensor/numerals.js textOf',
    'js/tensor/print.js arrayPrinters',
    'js/tensor/print.js scalarPrinters',
    'js/tensor/types.ts TensorData',
  ]);
});

describe('a call that meets a row without a case fails', () => {
  const posit = { ...dtypes.uint8, name: 'posit8', format: { kind: 'posit' } };
  const tapered = { ...dtypes.float8e4m3fn, format: { ...dtypes.float8e4m3fn.format, special: 'tapered' } };
  const complex32 = { ...dtypes.complex64, bits: 32 };
  const float128 = { ...dtypes.float64, bits: 128 };
  const byte = Uint8Array.of(1);
  refuses('', {
    'Error: encode has no case for {"kind":"posit"}': () => encode(posit, 1),
    'Error: decode has no case for {"kind":"posit"}': () => decode(posit, byte, 0),
    'Error: textOf has no case for "posit"': () => textOf(posit, 1),
    'Error: textOf has no case for "complex"': () => textOf(dtypes.complex64, [1, 2]),
    'Error: limits has no case for "tapered"': [() => encode(tapered, 1), () => decode(tapered, byte, 0)],
    'Error: nearestFloat has no case for 16': () => encode(complex32, [1, 2]),
    'Error: nearestFloat has no case for 128': () => encode(float128, 1),
    'Error: printedAs has no case for 32': () => format(complex32, [1, 2], []),
  });

  test('a list of values of a new kind', () =>
    expect(() => encodeValues(posit, [1], new Uint8Array(1), 1)).toThrow(TypeError));
});

/** Widths and formats that ONNX does not have, of which eight elements fill a number of bytes. */
describe('a row of another width needs no code', () => {
  const row = (name, bits, format) => ({ ...dtypes.float4e2m1, name, bits, format });
  const float = (exponent, mantissa, bias) => ({ kind: 'float', exponent, mantissa, bias, special: 'finite' });
  test.each([
    [row('float5e2m2', 5, float(2, 2, 1)), [0.25, 1, 7, -7, -1.75], [0x81, 0xbc, 0x7f, 0x01]],
    [row('float7e3m3', 7, float(3, 3, 3)), [0.03125, 1, 30, -30, -0.1875], [0x01, 0xcc, 0xef, 0x6f, 0x04]],
    [row('int3', 3, { kind: 'int', signed: true }), [1, -4, 3, -1, 0], [0xe1, 0x0e]],
  ])('%#', (dtype, values, bytes) => {
    const data = new Uint8Array(dataLength(dtype, 5));
    encodeValues(dtype, values, data, 5);
    expect([...data]).toEqual(bytes);
    expect(decodeValues(dtype, data, 5)).toEqual(values);
  });
});
