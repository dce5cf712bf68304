/** The casts of loops.js, as people write them in JavaScript. */

/** `overflow` is the code of numbers that are too large once rounded; `nan` is the code of NaN, or what replaces it. */
const formats = {
  float16: { mantissa: 10, bias: 15, overflow: 0x7c00, largest: 65504, nan: 0x7e00, signBit: 15 },
  bfloat16: { mantissa: 7, bias: 127, signBit: 15 },
  float8e4m3fn: { mantissa: 3, bias: 7, overflow: 0x7e, largest: 448, nan: 0x7f, signBit: 7 },
  float4e2m1: { mantissa: 1, bias: 1, overflow: 7, largest: 6, nan: 0, signBit: 3 },
};

/** The number of a code. Infinities and NaNs are left out, because the workloads hold none. */
function decode({ mantissa, bias, signBit }, code) {
  const exponent = (code & ((1 << signBit) - 1)) >> mantissa;
  const fraction = (code & ((1 << mantissa) - 1)) / 2 ** mantissa;
  const magnitude = exponent === 0 ? fraction * 2 ** (1 - bias) : (1 + fraction) * 2 ** (exponent - bias);
  return (code >> signBit) & 1 ? -magnitude : magnitude;
}

/** Makes a function that takes the bits of a float32 and gives the code of the nearest number, ties to even. */
function encoder({ mantissa, bias, overflow, largest, nan, signBit }) {
  const shift = 23 - mantissa;
  const leastNormal = (128 - bias) << 23;
  // The sum of this and a number below leastNormal has the rounded code in its low bits.
  const magic = 2 ** (24 - bias - mantissa);
  const number = new Float32Array(1);
  const bits = new Uint32Array(number.buffer);
  number[0] = magic;
  const [magicBits] = bits;
  number[0] = largest;
  const largestRounds = bits[0] + (1 << (shift - 1));
  return (value) => {
    const sign = (value >>> 31) << signBit;
    const magnitude = value & 0x7fff_ffff;
    if (magnitude > 0x7f80_0000) return sign | nan;
    if (magnitude >= largestRounds) return sign | overflow;
    if (magnitude < leastNormal) {
      bits[0] = magnitude;
      number[0] += magic;
      return sign | (bits[0] - magicBits);
    }
    const odd = (magnitude >> shift) & 1;
    return sign | ((magnitude + odd + (1 << (shift - 1)) - 1 - ((127 - bias) << 23)) >> shift);
  };
}

/** One code an element. */
const encodeEach = (name) => (source, target) => {
  const encode = encoder(formats[name]);
  const bits = new Uint32Array(source.buffer);
  for (let i = 0; i < bits.length; i++) target[i] = encode(bits[i]);
};

/** Looks each code up in a table of all codes. */
function byTable(format, codes) {
  const table = Float32Array.from({ length: codes }, (_, code) => decode(format, code));
  return (source, target) => {
    for (let i = 0; i < source.length; i++) target[i] = table[source[i]];
  };
}

/** Takes several codes from each byte, by their texts; `table` is a name for them. */
const unpack = (codes, table = undefined) => {
  const moves = codes.map((code, k) => `target[${codes.length} * i + ${k}] = ${code};`).join('\n');
  const loop = `for (let i = 0; i < source.length; i++) {\nconst byte = source[i];\n${moves}\n}`;
  return new Function('table', `return (source, target) => {\n${loop}\n}`)(table);
};

/** Assigns one element after another; the typed array converts what it is given. */
function assign(source, target) {
  for (let i = 0; i < source.length; i++) target[i] = source[i];
}

const byValue = { naive: assign, tuned: (source, target) => target.set(source) };

const loops = {
  'float32-float16': () => ({ naive: encodeEach('float16') }),
  'float32-bfloat16': () => ({
    naive: (source, target) => {
      const bits = new Uint32Array(source.buffer);
      for (let i = 0; i < bits.length; i++) {
        const value = bits[i];
        target[i] =
          (value & 0x7fff_ffff) > 0x7f80_0000 ? (value >>> 16) | 0x40 : (value + 0x7fff + ((value >>> 16) & 1)) >>> 16;
      }
    },
  }),
  'float32-float8e4m3fn': () => ({ naive: encodeEach('float8e4m3fn') }),
  'float32-float4e2m1': () => ({
    naive: (source, target) => {
      const encode = encoder(formats.float4e2m1);
      const bits = new Uint32Array(source.buffer);
      for (let i = 0; i < bits.length; i += 2) target[i >> 1] = encode(bits[i]) | (encode(bits[i + 1]) << 4);
    },
  }),
  'float16-float32': () => ({
    naive: (source, target) => {
      for (let i = 0; i < source.length; i++) target[i] = decode(formats.float16, source[i]);
    },
    tuned: byTable(formats.float16, 2 ** 16),
  }),
  'bfloat16-float32': () => ({
    naive: (source, target) => {
      const bits = new Uint32Array(target.buffer);
      for (let i = 0; i < source.length; i++) bits[i] = source[i] << 16;
    },
    tuned: byTable(formats.bfloat16, 2 ** 16),
  }),
  'float8e4m3fn-float32': () => ({ naive: byTable(formats.float8e4m3fn, 2 ** 8) }),
  'float4e2m1-float32': () => {
    const table = Float32Array.from({ length: 16 }, (_, code) => decode(formats.float4e2m1, code));
    return { naive: unpack(['table[byte & 15]', 'table[byte >> 4]'], table) };
  },
  'int4-int8': () => ({ naive: unpack(['(byte << 28) >> 28', '(byte << 24) >> 28']) }),
  'int8-int4': () => ({
    naive: (source, target) => {
      for (let i = 0; i < source.length; i += 2) target[i >> 1] = (source[i] & 15) | (source[i + 1] << 4);
    },
  }),
  'uint2-uint8': () => ({ naive: unpack([0, 2, 4, 6].map((shift) => `(byte >> ${shift}) & 3`)) }),
  'uint8-float32': () => byValue,
  'int32-float32': () => byValue,
  'float32-uint8': () => byValue,
  'float64-float32': () => byValue,
};

/** The loops of a cast: the naive one, and a tuned one if there is another idea. */
export const castLoops = (from, to) => loops[`${from}-${to}`]();
