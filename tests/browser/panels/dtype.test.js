/** The bits of the dtype panel, without a DOM. */
import { describe, expect, test } from '@jest/globals';
import { dtypes, Tensor } from 'onnx-layout';
import {
  bytesOfCodes,
  codesOfBytes,
  dataOfCodes,
  fieldsOf,
  formulaOf,
  groupOf,
  hex,
  kindOf,
  packingOf,
  readValue,
  rolesOf,
} from '../../../web/dtype/bits.js';

describe('bits', () => {
  const numeric = Object.values(dtypes).filter(({ bits }) => bits > 0);

  test.each(numeric.map((dtype) => [dtype.name, dtype]))(
    'of %s each have a role, and codes come back from bytes',
    (name, dtype) => {
      const roles = rolesOf(dtype, dtypes);
      expect(roles.length).toBe(dtype.bits);
      const codes = [
        1n,
        BigInt.asUintN(dtype.bits, 0x123456789abcdef0fedcba9876543211n),
        BigInt.asUintN(dtype.bits, -1n),
      ];
      const bytes = bytesOfCodes(codes, dtype.bits);
      expect(bytes.length).toBe(Math.ceil((3 * dtype.bits) / 8));
      expect(codesOfBytes(bytes, dtype.bits, 3)).toEqual(codes);
      expect(new Tensor(name, dataOfCodes(dtype, codes), [3]).size).toBe(3);
    },
  );

  test('have the roles of their format', () => {
    const show = (name) =>
      rolesOf(dtypes[name], dtypes)
        .map(([letter]) => letter)
        .join('');
    expect(
      Object.fromEntries(
        ['float8e4m3fn', 'bfloat16', 'float8e8m0', 'float6e2m3', 'float6e3m2', 'int4', 'uint2', 'bool'].map((name) => [
          name,
          show(name),
        ]),
      ),
    ).toEqual({
      float8e4m3fn: 'seeeemmm',
      bfloat16: 'seeeeeeeemmmmmmm',
      float8e8m0: 'eeeeeeee',
      float6e2m3: 'seemmm',
      float6e3m2: 'seeemm',
      int4: 'svvv',
      uint2: 'vv',
      bool: 'vvvvvvvv',
    });
    expect(show('complex64')).toBe(show('float32').repeat(2));
  });

  test('fill bytes together in packed types', () =>
    expect([2, 4, 6].map(packingOf)).toEqual(['4 elements a byte', '2 elements a byte', '4 elements in 3 bytes']));

  test('put each type into one of five groups', () => {
    const names = (title) =>
      Object.values(dtypes)
        .filter((dtype) => groupOf(dtype) === title)
        .map(({ name }) => name);
    expect(names('Packed')).toEqual(['uint4', 'int4', 'float4e2m1', 'uint2', 'int2', 'float6e2m3', 'float6e3m2']);
    expect(names('8-bit floats').length).toBe(5);
    expect(names('Others')).toEqual(['string', 'bool', 'complex64', 'complex128']);
    expect(['Floats', '8-bit floats', 'Packed', 'Integers', 'Others'].flatMap(names).sort()).toEqual(
      Object.keys(dtypes).sort(),
    );
  });

  test('pack as ONNX has it, the tail zero', () => {
    expect(bytesOfCodes([1n, 2n, 3n], 4)).toEqual(Uint8Array.of(0x21, 0x03));
    expect(bytesOfCodes([1n, 2n, 3n, 0n, 1n], 2)).toEqual(Uint8Array.of(0b00111001, 0b01));
    expect(bytesOfCodes([1n, 0x22n, 0x1fn, 0x3fn, 1n], 6)).toEqual(Uint8Array.of(0x81, 0xf8, 0xfd, 0x01));
    expect(bytesOfCodes([0x1234n], 16)).toEqual(Uint8Array.of(0x34, 0x12));
    expect([hex(0xan, 4), hex(1n, 2), hex(0x3c00n, 16)]).toEqual(['0xa', '0x1', '0x3c00']);
  });

  test.each(
    numeric.filter(({ format, bits }) => format.kind === 'float' && bits <= 16).map((dtype) => [dtype.name, dtype]),
  )('of every code of %s make the value that is said', (name, dtype) => {
    const size = 2 ** dtype.bits;
    const data = dataOfCodes(dtype, dtype.bits < 8 ? Array.from({ length: size }, (_, i) => BigInt(i)) : []);
    const all = dtype.bits < 8 ? data : new globalThis[dtype.array](Array.from({ length: size }, (_, i) => i));
    const values = new Tensor(name, all, [size]).toArray();
    const wrong = values.filter((value, i) => {
      const kind = kindOf(dtype, BigInt(i), value);
      const formula = formulaOf(dtype, BigInt(i), kind);
      if (formula === undefined) return Number.isFinite(value);
      const [, sign, field, bias, hidden, mantissa, width] =
        /^(−?)2\^\((\d+) − (\d+)\)(?: × \((\d) \+ (\d+) \/ 2\^(\d+)\))?$/.exec(formula);
      const made = 2 ** (field - bias) * (hidden === undefined ? 1 : Number(hidden) + mantissa / 2 ** width);
      const isSubnormal = kind === 'subnormal' || kind === 'zero';
      return !Object.is(sign ? -made : made, value) || (hidden !== undefined && isSubnormal !== (hidden === '0'));
    });
    expect(wrong).toEqual([]);
  });

  test('come apart into sign, exponent and mantissa', () =>
    expect(fieldsOf(dtypes.float32.format, 0xc0490fdbn)).toEqual({
      negative: true,
      exponent: 128,
      mantissa: 0x490fdbn,
    }));

  test('come of what is written', () => {
    const read = (type, ...written) => written.map((entry) => readValue(dtypes[type], entry));
    expect(read('float32', '0.1', ' -3e2 ', 'inf', '-Infinity', 'nan', '', '+1', '−2')).toEqual([
      0.1,
      -300,
      Infinity,
      -Infinity,
      NaN,
      NaN,
      1,
      -2,
    ]);
    expect(read('int64', '9223372036854775807', '-5', '+5', '0xff')).toEqual([9223372036854775807n, -5n, 5n, 255n]);
    expect(read('int4', '1.5', 'x')).toEqual([1.5, NaN]);
    expect(read('bool', 'true', 'False', '2')).toEqual([true, false, 2]);
    expect(read('complex64', '1+2j', '1 - 2j', '-1.5e-3', '-inf+infj', '2j', '1 2')).toEqual([
      [1, 2],
      [1, -2],
      [-0.0015, 0],
      [-Infinity, Infinity],
      [0, 2],
      [1, 2],
    ]);
  });
});
