/** Codes, bits and bytes of elements. A code is the element's bits as an unsigned bigint. No DOM. */

/** @typedef {import('../../js/tensor/dtypes.js').DType} DType */
/** @typedef {'sign' | 'exponent' | 'mantissa' | 'value'} Role */

/** The format of one part: of a complex number that of re and im. @type {(dtype: DType, dtypes: Record<string, DType>) => DType} */
const partOf = (dtype, dtypes) =>
  dtype.format.kind === 'complex' ? dtypes[dtype.bits === 64 ? 'float32' : 'float64'] : dtype;

/**
 * What each bit of an element is for, the highest first.
 * @param {DType} dtype
 * @param {Record<string, DType>} dtypes
 * @returns {Role[]}
 */
export function rolesOf(dtype, dtypes) {
  const { bits, format } = partOf(dtype, dtypes);
  const repeat = (count, role) => Array(count).fill(role);
  const roles =
    format.kind === 'float'
      ? [
          ...repeat(bits - format.exponent - format.mantissa, 'sign'),
          ...repeat(format.exponent, 'exponent'),
          ...repeat(format.mantissa, 'mantissa'),
        ]
      : format.signed
        ? ['sign', ...repeat(bits - 1, 'value')]
        : repeat(bits, 'value');
  return format === dtype.format ? roles : [...roles, ...roles];
}

/** The codes' bytes: each element takes up the next bits, from the low end of the low byte. Bits after the last are zero. */
export function bytesOfCodes(codes, bits) {
  const bytes = new Uint8Array(Math.ceil((codes.length * bits) / 8));
  const stream = codes.reduceRight((rest, code) => (rest << BigInt(bits)) | BigInt.asUintN(bits, code), 0n);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number(BigInt.asUintN(8, stream >> BigInt(8 * i)));
  return bytes;
}

/** The codes that bytes hold. @type {(bytes: Uint8Array, bits: number, count: number) => bigint[]} */
export function codesOfBytes(bytes, bits, count) {
  const stream = bytes.reduceRight((rest, byte) => (rest << 8n) | BigInt(byte), 0n);
  return Array.from({ length: count }, (_, i) => BigInt.asUintN(bits, stream >> BigInt(i * bits)));
}

/** A tensor's data of given codes. @type {(dtype: DType, codes: bigint[]) => any} */
export const dataOfCodes = (dtype, codes) => new globalThis[dtype.array](bytesOfCodes(codes, dtype.bits).buffer);

/** With as many digits as the width asks for. @type {(code: bigint, bits: number) => string} */
export const hex = (code, bits) => `0x${code.toString(16).padStart(Math.ceil(bits / 4), '0')}`;

/** A field of the state: a code, as hexadecimal digits. */
export const codeField = {
  initial: undefined,
  parse: (text) =>
    /^(0x)?[0-9a-f]{1,32}$/i.test(text) ? BigInt(text.startsWith('0x') ? text : `0x${text}`) : undefined,
  print: (code) => (code === undefined ? '' : code.toString(16)),
};

/** The fields of a float's code. @type {(format: import('../../js/tensor/dtypes.js').FloatFormat, code: bigint) => { negative: boolean, exponent: number, mantissa: bigint }} */
export const fieldsOf = (format, code) => ({
  negative: ((code >> BigInt(format.exponent + format.mantissa)) & 1n) === 1n,
  exponent: Number(BigInt.asUintN(format.exponent, code >> BigInt(format.mantissa))),
  mantissa: BigInt.asUintN(format.mantissa, code),
});

/**
 * What kind of number a code is.
 * @param {DType} dtype a float
 * @param {bigint} code
 * @param {number} value that it stands for
 * @returns {'NaN' | 'infinity' | 'zero' | 'subnormal' | 'normal'}
 */
export function kindOf({ format }, code, value) {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return 'infinity';
  if (value === 0) return 'zero';
  return format.special !== 'e8m0' && fieldsOf(format, code).exponent === 0 ? 'subnormal' : 'normal';
}

/**
 * How a float's value comes of its fields; undefined where there is no arithmetic in it.
 * @param {DType} dtype a float
 * @param {bigint} code
 * @param {string} kind
 */
export function formulaOf({ format }, code, kind) {
  if (kind === 'NaN' || kind === 'infinity') return undefined;
  const { bias, mantissa: width } = format;
  const { negative, exponent, mantissa } = fieldsOf(format, code);
  if (format.special === 'e8m0') return `2^(${exponent} − ${bias})`;
  const hidden = exponent === 0 ? 0 : 1;
  return `${negative ? '−' : ''}2^(${Math.max(1, exponent)} − ${bias}) × (${hidden} + ${mantissa} / 2^${width})`;
}

/**
 * A value that a user wrote, as Tensor.from takes it.
 * @param {DType} dtype
 * @param {string} written
 */
export function readValue({ format }, written) {
  const text = written.trim();
  if (format.kind === 'string') return text;
  if (format.kind === 'complex') {
    const parts = text
      .replace(/[ij]$/, '')
      .replace(/([+-])\s+/g, '$1')
      .split(/(?<=[^e\s+-])\s*(?=[+-])|\s+/i)
      .map((part) => readNumber(part));
    return parts.length === 1 && /[ij]$/.test(text) ? [0, parts[0]] : [parts[0], parts[1] ?? 0];
  }
  if (format.kind === 'bool' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (format.kind === 'int' && /^[-+]?(\d+|0x[\da-f]+)$/i.test(text))
    return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text.replace('+', ''));
  return readNumber(text);
}

const readNumber = (text) => {
  const match = /^([-+]?)\s*(inf|infinity|∞)$/i.exec(text);
  if (match) return match[1] === '-' ? -Infinity : Infinity;
  return text === '' ? NaN : Number(text.replace('−', '-').replace(/^\+/, ''));
};
