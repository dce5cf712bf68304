/**
 * Tensors as text, exactly as NumPy's `str()` prints an array of the same values under its default options (NumPy 1.24).
 * Formats that NumPy has no type for follow the same rules: bfloat16 as float16 does, with the fewest digits that name the value
 * in its own format; the shorter floats as float32 does, because there the fewest digits would print 32 as 30 and 0.25 as 0.2.
 */
import { decode, encode, exponentOf } from './codec.js';
import { dtypes } from './dtypes.js';

/** @import { DType, FloatFormat } from './dtypes.js' */

// NumPy's default print options.
const precision = 8;
const threshold = 1000;
const edgeItems = 3;
const lineWidth = 75;

/** The dtype whose rules a float or a part of a complex number is printed by. @type {(dtype: DType) => DType} */
const printedAs = (dtype) => {
  if (dtype.format.kind === 'complex') return dtype.bits === 64 ? dtypes.float32 : dtypes.float64;
  return dtype.bits < 16 ? dtypes.float32 : dtype;
};

/**
 * The decimal digits of a value > 0: as few as tell it from its neighbours in the format, but down to the decimal place `least`
 * and not beyond `most`. What is cut off rounds to nearest even on the exact value. (Steele and White, "How to print
 * floating-point numbers accurately", 1990, algorithm FPP with exact integers.)
 * @param {number} value
 * @param {FloatFormat} format
 * @param {number} most last decimal place allowed, 2 for hundredths; counted from the first digit where `relative`
 * @param {number} least last decimal place wanted, counted likewise
 * @param {boolean} relative
 * @returns {{ digits: string, first: number }} `first`: the power of ten of the first digit
 */
function shortest(value, { mantissa, bias }, most, least, relative) {
  const power = Math.max(exponentOf(value), 1 - bias) - mantissa;
  const significand = BigInt(value / 2 ** power);
  const even = significand % 2n === 0n;
  // value = rest / unit; above and below are the halves of the gaps to its neighbours, on the same scale.
  let rest = (4n * significand) << BigInt(Math.max(power, 0));
  let unit = 4n << BigInt(Math.max(-power, 0));
  let above = 2n << BigInt(Math.max(power, 0));
  let below = significand === 1n << BigInt(mantissa) && power > 1 - bias - mantissa ? above / 2n : above;

  // Never too low (the logarithm is right to 1e-13), and one too high at most, just below a power of ten.
  let first = Math.floor(Math.log10(value) + 1e-12);
  if (first > 0) unit *= 10n ** BigInt(first);
  const scale = 10n ** BigInt(Math.max(-first, 0));
  [rest, above, below] = [rest * scale, above * scale, below * scale];
  if (rest < unit) [first, rest, above, below] = [first - 1, rest * 10n, above * 10n, below * 10n];

  const lastAllowed = (relative ? first : 0) - most;
  const lastWanted = (relative ? first : 0) - least;
  let digits = '';
  for (let place = first; ; place--) {
    const digit = rest / unit;
    rest %= unit;
    const downNames = even ? rest <= below : rest < below;
    const upNames = even ? rest + above >= unit : rest + above > unit;
    if (((downNames || upNames) && place <= lastWanted) || place === lastAllowed) {
      const twice = 2n * rest;
      const down = downNames !== upNames ? downNames : twice < unit || (twice === unit && digit % 2n === 0n);
      const all = String(BigInt(digits + digit) + (down ? 0n : 1n));
      return { digits: all, first: first + all.length - digits.length - 1 };
    }
    digits += digit;
    [rest, above, below] = [rest * 10n, above * 10n, below * 10n];
  }
}

/** @type {(value: number) => boolean} */
const isNegative = (value) => value < 0 || Object.is(value, -0);

/** A finite number's digits before and after the point, without its sign and the fraction's trailing zeros. @typedef {{ whole: string, fraction: string, exponent: string }} Digits */

/** Positional notation: no exponent. @type {(value: number, type: DType, most: number, least: number) => Digits} */
function positional(value, type, most, least) {
  if (value === 0) return { whole: '0', fraction: '', exponent: '' };
  const { digits, first } = shortest(Math.abs(value), /** @type {FloatFormat} */ (type.format), most, least, false);
  const point = Math.max(first + 1, 0);
  const fraction = '0'.repeat(Math.max(-first - 1, 0)) + digits.slice(point);
  return {
    whole: digits.slice(0, point).padEnd(point, '0') || '0',
    fraction: fraction.replace(/0+$/, ''),
    exponent: '',
  };
}

/** Scientific notation: the exponent has its sign and at least two digits. @type {(value: number, type: DType, most: number, least: number) => Digits} */
function scientific(value, type, most, least) {
  const { digits, first } =
    value === 0
      ? { digits: '0', first: 0 }
      : shortest(Math.abs(value), /** @type {FloatFormat} */ (type.format), most, least, true);
  return {
    whole: digits[0],
    fraction: digits.slice(1).replace(/0+$/, ''),
    exponent: (first < 0 ? '-' : '+') + String(Math.abs(first)).padStart(2, '0'),
  };
}

/** @type {(values: string[]) => number} */
const longest = (values) => values.reduce((length, { length: other }) => Math.max(length, other), 0);

/**
 * The formatter of all numbers of one array: they share a notation, and their decimal points stand in one column.
 * @param {DType} type
 * @param {number[]} values
 * @param {boolean} plus whether a sign is always written
 * @returns {(value: number) => string}
 */
function floatFormatter(type, values, plus) {
  const sign = (/** @type {number} */ value) => (isNegative(value) ? '-' : plus ? '+' : '');
  const finite = values.filter(Number.isFinite);
  const magnitudes = finite.filter((value) => value !== 0).map(Math.abs);
  const max = magnitudes.reduce((a, b) => Math.max(a, b), 0);
  const min = magnitudes.reduce((a, b) => Math.min(a, b), Infinity);
  // NumPy divides in the dtype: 1000.00001 is 1000 in float32.
  const ratio = decode(type, [encode(type, max / min)], 0);
  const exponential = max >= 1e8 || min < 1e-4 || ratio > 1000;

  const parts = finite.map((value) => (exponential ? scientific : positional)(value, type, precision, -Infinity));
  const fractionWidth = longest(parts.map(({ fraction }) => fraction));
  const exponentWidth = longest(parts.map(({ exponent }) => exponent));
  const right = fractionWidth + (exponential ? exponentWidth + 1 : 0);
  const special = (/** @type {number} */ value) => sign(value) + (Number.isNaN(value) ? 'nan' : 'inf');
  const specials = values.filter((value) => !Number.isFinite(value)).map(special);
  const left = Math.max(longest(parts.map(({ whole }, i) => sign(finite[i]) + whole)), longest(specials) - right - 1);

  return (value) => {
    if (!Number.isFinite(value)) return special(value).padStart(left + right + 1);
    if (!exponential) {
      const { whole, fraction } = positional(value, type, precision, 0);
      return `${(sign(value) + whole).padStart(left)}.${fraction.padEnd(fractionWidth)}`;
    }
    const { whole, fraction, exponent } = scientific(value, type, fractionWidth, fractionWidth);
    return `${(sign(value) + whole).padStart(left)}.${fraction.padEnd(fractionWidth, '0')}e${exponent[0]}${exponent.slice(1).padStart(exponentWidth - 1, '0')}`;
  };
}

/**
 * One number alone, as NumPy prints a scalar: all its digits, and no dot where `point` says so.
 * @type {(type: DType, value: number, plus: boolean, point: boolean) => string}
 */
function scalar(type, value, plus, point) {
  const sign = isNegative(value) ? '-' : plus ? '+' : '';
  if (!Number.isFinite(value)) return sign + (Number.isNaN(value) ? 'nan' : 'inf');
  const magnitude = Math.abs(value);
  if (magnitude === 0 || (magnitude >= 1e-4 && magnitude < 1e16)) {
    const { whole, fraction } = positional(value, type, Infinity, -Infinity);
    return `${sign}${whole}${fraction ? `.${fraction}` : point ? '.0' : ''}`;
  }
  const { whole, fraction, exponent } = scientific(value, type, Infinity, -Infinity);
  return `${sign}${whole}${fraction && `.${fraction}`}e${exponent}`;
}

/**
 * The fewest digits that name a finite number, as the printed form of a tensor without axes has them, but a whole number without a dot.
 * @param {DType} dtype of a float format
 * @param {number} value
 * @returns {string} scientific below 1e-4 and from 1e16 on
 */
export function shortestText(dtype, value) {
  return scalar(printedAs(dtype), value, false, false);
}

/** A string as Python's repr writes it. @type {(text: string) => string} */
function quoted(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  /** @type {Record<string, string>} */
  const named = { ' ': ' ', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  // Not printable for Python: Unicode's "other" and "separator" characters, the space apart.
  const body = text.replace(/[\p{C}\p{Z}\\]/gu, (character) => {
    const point = Number(character.codePointAt(0)).toString(16);
    if (named[character]) return named[character];
    return point.length <= 2
      ? `\\x${point.padStart(2, '0')}`
      : point.length <= 4
        ? `\\u${point.padStart(4, '0')}`
        : `\\U${point.padStart(8, '0')}`;
  });
  return quote + body.replaceAll(quote, `\\${quote}`) + quote;
}

/** The printed elements of an array. @type {(dtype: DType, values: any[]) => string[]} */
function words(dtype, values) {
  const type = printedAs(dtype);
  switch (dtype.format.kind) {
    case 'string':
      return values.map(quoted);
    case 'bool':
      return values.map((value) => (value ? ' True' : 'False'));
    case 'int': {
      const width = longest(values.map(String));
      return values.map((value) => String(value).padStart(width));
    }
    case 'float':
      return values.map(floatFormatter(type, values, false));
    case 'complex': {
      const real = floatFormatter(
        type,
        values.map(([re]) => re),
        false,
      );
      const imaginary = floatFormatter(
        type,
        values.map(([, im]) => im),
        true,
      );
      return values.map(([re, im]) => real(re) + imaginary(im).replace(/ *$/, (spaces) => `j${spaces}`));
    }
  }
}

/** A tensor without axes. @type {(dtype: DType, value: any) => string} */
function word(dtype, value) {
  const type = printedAs(dtype);
  switch (dtype.format.kind) {
    case 'string':
      return value;
    case 'bool':
      return value ? 'True' : 'False';
    case 'int':
      return String(value);
    case 'float':
      return scalar(type, value, false, true);
    case 'complex': {
      const [re, im] = value;
      return Object.is(re, 0)
        ? `${scalar(type, im, false, false)}j`
        : `(${scalar(type, re, false, false)}${scalar(type, im, true, false)}j)`;
    }
  }
}

/**
 * What NumPy's `str()` gives for a tensor: nested brackets, lines of 75 characters; above 1000 elements the first and last three
 * of each axis, and only these are read.
 * @param {DType} dtype
 * @param {any} data of the dtype's class
 * @param {readonly number[]} dims
 * @returns {string}
 */
export function format(dtype, data, dims) {
  if (dims.includes(0)) return '[]';
  const size = dims.reduce((product, extent) => product * extent, 1);
  if (dims.length === 0) return word(dtype, decode(dtype, data, 0));
  const cut = dims.map((extent) => size > threshold && extent > 2 * edgeItems);
  const kept = dims.map((extent, axis) => (cut[axis] ? 2 * edgeItems : extent));
  const offsets = dims.reduce(
    (rows, extent, axis) =>
      rows.flatMap((row) =>
        Array.from(
          { length: kept[axis] },
          (_, i) => row * extent + (cut[axis] && i >= edgeItems ? extent - kept[axis] + i : i),
        ),
      ),
    [0],
  );
  const printed = words(
    dtype,
    offsets.map((offset) => decode(dtype, data, offset)),
  );
  let next = 0;

  /** @type {(axis: number) => string} */
  const nest = (axis) => {
    const inner = axis === dims.length - 1;
    const items = Array.from({ length: kept[axis] }, () => (inner ? printed[next++] : nest(axis + 1)));
    if (cut[axis]) items.splice(edgeItems, 0, '...');
    const indent = ' '.repeat(axis + 1);
    return `[${inner ? wrap(items, lineWidth - 2 * axis - 2).join(`\n${indent}`) : items.join('\n'.repeat(dims.length - 1 - axis) + indent)}]`;
  };
  return nest(0);
}

/**
 * Words in lines of at most `width` characters, where a word is not longer itself.
 * @type {(items: string[], width: number) => string[]}
 */
function wrap(items, width) {
  /** @type {string[]} */
  const lines = [];
  let line = '';
  let length = 0;
  for (const item of items) {
    const itemLength = [...item].length; // in code points, as Python counts
    if (length > 0 && length + itemLength > width) {
      lines.push(line.trimEnd());
      line = '';
      length = 0;
    }
    line += `${item} `;
    length += itemLength + 1;
  }
  return [...lines, line.slice(0, -1)];
}
