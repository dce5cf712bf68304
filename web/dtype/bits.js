/** The codes, bits and bytes of elements. A code is an element's bits as an unsigned bigint. No DOM. */

/** @typedef {import('../../js/tensor/index.js').DType} DType */
/** @typedef {'sign' | 'exponent' | 'mantissa' | 'value'} Role */

/**
 * The dtype of one part: for complex types that of re and im, for others the dtype itself.
 * @type {(dtype: DType, dtypes: Record<string, DType>) => DType}
 */
const partOf = (dtype, dtypes) =>
  dtype.format.kind === 'complex' ? dtypes[dtype.bits === 64 ? 'float32' : 'float64'] : dtype;

/**
 * The title of the group that a type stands in.
 * @type {(dtype: DType) => 'Floats' | '8-bit floats' | 'Packed' | 'Integers' | 'Others'}
 */
export function groupOf({ bits, format }) {
  if (bits > 0 && bits < 8) return 'Packed';
  if (format.kind === 'float') return bits === 8 ? '8-bit floats' : 'Floats';
  return format.kind === 'int' ? 'Integers' : 'Others';
}

/**
 * How many elements of a packed type fill how many bytes.
 * @type {(bits: number) => string}
 */
export function packingOf(bits) {
  let bytes = 1;
  while ((8 * bytes) % bits !== 0) bytes++;
  return `${(8 * bytes) / bits} elements ${bytes === 1 ? 'a byte' : `in ${bytes} bytes`}`;
}

/**
 * The role of each bit of an element, the highest first.
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

/**
 * Packs codes into bytes. Each takes the next bits, starting at the low end of the first byte; the tail bits are zero.
 */
export function bytesOfCodes(codes, bits) {
  const bytes = new Uint8Array(Math.ceil((codes.length * bits) / 8));
  const stream = codes.reduceRight((rest, code) => (rest << BigInt(bits)) | BigInt.asUintN(bits, code), 0n);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number(BigInt.asUintN(8, stream >> BigInt(8 * i)));
  return bytes;
}

/**
 * Unpacks codes from bytes.
 * @type {(bytes: Uint8Array, bits: number, count: number) => bigint[]}
 */
export function codesOfBytes(bytes, bits, count) {
  const stream = bytes.reduceRight((rest, byte) => (rest << 8n) | BigInt(byte), 0n);
  return Array.from({ length: count }, (_, i) => BigInt.asUintN(bits, stream >> BigInt(i * bits)));
}

/**
 * The data of a tensor that has these codes.
 * @type {(dtype: DType, codes: bigint[]) => any}
 */
export const dataOfCodes = (dtype, codes) => new globalThis[dtype.array](bytesOfCodes(codes, dtype.bits).buffer);

/**
 * A code in hexadecimal, with as many digits as its width needs.
 * @type {(code: bigint, bits: number) => string}
 */
export const hex = (code, bits) => `0x${code.toString(16).padStart(Math.ceil(bits / 4), '0')}`;

/** A field of the state: a code in hexadecimal. */
export const codeField = {
  initial: undefined,
  parse: (text) =>
    /^(0x)?[0-9a-f]{1,32}$/i.test(text) ? BigInt(text.startsWith('0x') ? text : `0x${text}`) : undefined,
  print: (code) => (code === undefined ? '' : code.toString(16)),
};

/**
 * Takes a float's code apart.
 * @param {import('../../js/tensor/index.js').FloatFormat} format
 * @param {bigint} code
 * @returns {{ negative: boolean, exponent: number, mantissa: bigint }}
 */
export const fieldsOf = (format, code) => ({
  negative: ((code >> BigInt(format.exponent + format.mantissa)) & 1n) === 1n,
  exponent: Number(BigInt.asUintN(format.exponent, code >> BigInt(format.mantissa))),
  mantissa: BigInt.asUintN(format.mantissa, code),
});

/**
 * The kind of number of a code.
 * @param {DType} dtype a float
 * @param {bigint} code
 * @param {number} value the value of the code
 * @returns {'NaN' | 'infinity' | 'zero' | 'subnormal' | 'normal'}
 */
export function kindOf({ format }, code, value) {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return 'infinity';
  if (value === 0) return 'zero';
  return format.special !== 'e8m0' && fieldsOf(format, code).exponent === 0 ? 'subnormal' : 'normal';
}

/**
 * How a float's value follows from its fields; undefined for NaN and infinities.
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
 * Reads a value that a user wrote, in the form that Tensor.from takes.
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
