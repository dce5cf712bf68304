/**
 * The oracle of the small float formats. It decodes by the formula on the binary digits of a code, and encodes by
 * looking up the nearest number in the list of all. Values are exact (integers in units of 2^-1074). No bit tricks, and
 * nothing of js/.
 */

// Widths of the fields and bias are those of IEEE 754-2019, arXiv 2209.05433 (e4m3fn, e5m2), arXiv 2206.02915 (fnuz)
// and OCP Microscaling 1.0 (e2m3, e3m2, e2m1). `isNaN` and `infinity` spell out the codes that are not numbers; `nan`
// is the code that NaN is encoded as. In a `finite` format, what is too large always becomes the largest number.
export const floats = {
  float16: {
    bits: 16,
    exponent: 5,
    mantissa: 10,
    bias: 15,
    infinity: 0x7c00,
    isNaN: (code) => (code & 0x7fff) > 0x7c00,
    nan: 0x7e00,
  },
  bfloat16: {
    bits: 16,
    exponent: 8,
    mantissa: 7,
    bias: 127,
    infinity: 0x7f80,
    isNaN: (code) => (code & 0x7fff) > 0x7f80,
    nan: 0x7fc0,
  },
  float8e4m3fn: { bits: 8, exponent: 4, mantissa: 3, bias: 7, isNaN: (code) => [0x7f, 0xff].includes(code), nan: 0x7f },
  float8e4m3fnuz: {
    bits: 8,
    exponent: 4,
    mantissa: 3,
    bias: 8,
    isNaN: (code) => code === 0x80,
    nan: 0x80,
    noMinusZero: true,
  },
  float8e5m2: {
    bits: 8,
    exponent: 5,
    mantissa: 2,
    bias: 15,
    infinity: 0x7c,
    isNaN: (code) => [0x7d, 0x7e, 0x7f, 0xfd, 0xfe, 0xff].includes(code),
    nan: 0x7e,
  },
  float8e5m2fnuz: {
    bits: 8,
    exponent: 5,
    mantissa: 2,
    bias: 16,
    isNaN: (code) => code === 0x80,
    nan: 0x80,
    noMinusZero: true,
  },
  float6e2m3: { bits: 6, exponent: 2, mantissa: 3, bias: 1, isNaN: () => false, nan: 0x20, finite: true },
  float6e3m2: { bits: 6, exponent: 3, mantissa: 2, bias: 3, isNaN: () => false, nan: 0x20, finite: true },
  float4e2m1: { bits: 4, exponent: 2, mantissa: 1, bias: 1, isNaN: () => false, nan: 8, finite: true },
};

function powerOfTwo(n) {
  let value = 1;
  for (; n > 0; n--) value *= 2;
  for (; n < 0; n++) value /= 2;
  return value;
}

/** The number that sign, exponent and mantissa spell, for codes of NaN and infinity too. */
function formula({ bits, exponent, bias }, code) {
  const digits = code.toString(2).padStart(bits, '0');
  const sign = digits[0] === '1' ? -1 : 1;
  const field = parseInt(digits.slice(1, 1 + exponent), 2);
  let fraction = 0;
  [...digits.slice(1 + exponent)].forEach((digit, i) => {
    fraction += Number(digit) * powerOfTwo(-1 - i);
  });
  return field === 0 ? sign * fraction * powerOfTwo(1 - bias) : sign * (1 + fraction) * powerOfTwo(field - bias);
}

/** The numbers of each format's codes, as they are asked for: casts of large tensors ask for each many times. */
const numbers = Object.fromEntries(Object.entries(floats).map(([type, { bits }]) => [type, new Array(2 ** bits)]));

/** The number of a code. */
export const decodeByFormula = (type, code) => (numbers[type][code] ??= numberOf(floats[type], code));

function numberOf(format, code) {
  if (format.isNaN(code)) return NaN;
  const signBit = 2 ** (format.bits - 1);
  if (code % signBit === format.infinity) return code === format.infinity ? Infinity : -Infinity;
  return formula(format, code);
}

/** A float64 from 0 up, in units of 2^-1074, its smallest number. */
const float64 = new DataView(new ArrayBuffer(8));
function exact(value) {
  float64.setFloat64(0, value);
  const bits = float64.getBigUint64(0);
  const exponent = bits >> 52n;
  return exponent === 0n ? bits : ((bits & 0xf_ffff_ffff_ffffn) | 0x10_0000_0000_0000n) << (exponent - 1n);
}

/**
 * The finite numbers from 0 up, by code, and one more, which would come next if the format did not end: what rounds to
 * that overflows.
 * @returns {{ values: number[], units: bigint[] }}
 */
export function grid(type) {
  const format = floats[type];
  const values = [];
  for (let code = 0; code < 2 ** (format.bits - 1) && Number.isFinite(decodeByFormula(type, code)); code++)
    values.push(decodeByFormula(type, code));
  const top = values.length - 1;
  values.push(values[top] + (values[top] - values[top - 1]));
  return { values, units: values.map(exact) };
}

const grids = Object.fromEntries(Object.keys(floats).map((type) => [type, grid(type)]));

/** The code of the number nearest to a float64, the even code of two that are as near. */
export function encodeByNearest(type, value, saturate) {
  const format = floats[type];
  const { units } = grids[type];
  const signBit = 2 ** (format.bits - 1);
  if (Number.isNaN(value)) return format.nan;
  const sign = value < 0 || Object.is(value, -0) ? signBit : 0;
  const end = units.length - 1; // overflow
  let code = end;
  if (Number.isFinite(value)) {
    const wanted = exact(Math.abs(value));
    let [low, high] = [0, end]; // units[low] <= wanted < units[high], or wanted beyond the end
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (units[middle] <= wanted) low = middle;
      else high = middle;
    }
    const [down, up] = [wanted - units[low], units[high] - wanted];
    code = down < up || (down === up && low % 2 === 0) ? low : high;
  }
  if (code === end) {
    if (format.finite || (saturate && format.bits === 8)) code = end - 1;
    else
      return format.infinity === undefined
        ? format.noMinusZero
          ? format.nan
          : format.nan + sign
        : format.infinity + sign;
  }
  return code === 0 && format.noMinusZero ? 0 : code + sign;
}
