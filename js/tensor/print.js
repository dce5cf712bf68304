/**
 * Tensors as text, exactly as NumPy 1.24's `str()` prints an array of the same values under its default options.
 * Formats that NumPy has no type for follow the same rules: bfloat16 as float16 does, with the fewest digits that name
 * the value in its own format; the shorter floats as float32 does, because there the fewest digits would print 32 as 30
 * and 0.25 as 0.2.
 */
import { decode, encode } from './codec.js';
import { isNegative, positional, scientific } from './digits.js';
import { dtypes, noCase } from './dtypes.js';

/** @import { DType, NumberFormat } from './types.js' */

// NumPy's default print options.
const precision = 8;
const threshold = 1000;
const edgeItems = 3;
const lineWidth = 75;

/** Gives the float type by whose rules a float is printed, or re and im of a complex type. Floats below 16 bits are
 * printed as float32; see above.
 * @type {(dtype: DType) => DType} */
function printedAs(dtype) {
  if (dtype.format.kind !== 'complex') return dtype.bits < 16 ? dtypes.float32 : dtype;
  if (dtype.bits === 128) return dtypes.float64;
  return dtype.bits === 64 ? dtypes.float32 : noCase('printedAs', /** @type {never} */ (dtype.bits));
}

/** @type {(values: string[]) => number} the length of the longest string; 0 if there are none */
const longest = (values) => values.reduce((length, { length: other }) => Math.max(length, other), 0);

/** Makes a function that prints each number of an array as NumPy's FloatingFormat does. All numbers share a notation,
 * and are padded so that their decimal points stand in one column. `plus`: a sign is always written.
 * @type {(type: DType, values: number[], plus: boolean) => (value: number) => string} */
function floatFormatter(type, values, plus) {
  const sign = (/** @type {number} */ value) => (isNegative(value) ? '-' : plus ? '+' : '');
  const finite = values.filter(Number.isFinite);
  const magnitudes = finite.filter((value) => value !== 0).map(Math.abs);
  const max = magnitudes.reduce((a, b) => Math.max(a, b), 0);
  const min = magnitudes.reduce((a, b) => Math.min(a, b), Infinity);
  // Choose the notation. NumPy divides in the dtype: 1000.00001 is 1000 in float32.
  const ratio = decode(type, [encode(type, max / min)], 0);
  // Numbers from 1e8 on, below 1e-4, or more than 1000 times apart are scientific: NumPy's rule.
  const exponential = max >= 1e8 || min < 1e-4 || ratio > 1000;

  // Measure the widths in front of the point and behind it, without a least number of places.
  const printed = finite.map((value) => (exponential ? scientific : positional)(value, type, precision, -Infinity));
  const fractionWidth = longest(printed.map(({ fraction }) => fraction));
  const exponentWidth = longest(printed.map(({ exponent }) => exponent));
  // The width behind the point, with the `e`; `left` is that in front of it. `nan` and `inf` take the column of the
  // point.
  const right = fractionWidth + (exponential ? exponentWidth + 1 : 0);
  const special = (/** @type {number} */ value) => sign(value) + (Number.isNaN(value) ? 'nan' : 'inf');
  const specials = values.filter((value) => !Number.isFinite(value)).map(special);
  const left = Math.max(
    longest(printed.map(({ integerDigits }, i) => sign(finite[i]) + integerDigits)),
    longest(specials) - right - 1,
  );

  return (value) => {
    if (!Number.isFinite(value)) return special(value).padStart(left + right + 1);
    if (!exponential) {
      // 0: FloatingFormat's `min_digits`. In scientific notation all have as many places as the longest.
      const { integerDigits, fraction } = positional(value, type, precision, 0);
      return `${(sign(value) + integerDigits).padStart(left)}.${fraction.padEnd(fractionWidth)}`;
    }
    const { integerDigits, fraction, exponent } = scientific(value, type, fractionWidth, fractionWidth);
    const power = exponent[0] + exponent.slice(1).padStart(exponentWidth - 1, '0');
    return `${(sign(value) + integerDigits).padStart(left)}.${fraction.padEnd(fractionWidth, '0')}e${power}`;
  };
}

/** Prints one float alone, as NumPy prints a scalar: by the fewest digits that name it, scientific below 1e-4 and from
 * 1e16 on. `plus`: a sign is always written. `point`: a whole number ends in `.0`.
 * @type {(type: DType, value: number, plus: boolean, point: boolean) => string} */
function printScalar(type, value, plus, point) {
  const sign = isNegative(value) ? '-' : plus ? '+' : '';
  if (!Number.isFinite(value)) return sign + (Number.isNaN(value) ? 'nan' : 'inf');
  const magnitude = Math.abs(value);
  if (magnitude === 0 || (magnitude >= 1e-4 && magnitude < 1e16)) {
    const { integerDigits, fraction } = positional(value, type, Infinity, -Infinity);
    return `${sign}${integerDigits}${fraction ? `.${fraction}` : point ? '.0' : ''}`;
  }
  const { integerDigits, fraction, exponent } = scientific(value, type, Infinity, -Infinity);
  return `${sign}${integerDigits}${fraction && `.${fraction}`}e${exponent}`;
}

/** Prints a finite number of a float type by the fewest digits that name it, a whole number without a point: scientific
 * below 1e-4 and from 1e16 on.
 * @type {(dtype: DType, value: number) => string} */
export const shortestText = (dtype, value) => printScalar(printedAs(dtype), value, false, false);

/** Quotes a string as Python's repr does: in double quotes if it holds single ones alone.
 * @type {(text: string) => string} */
function quoted(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  /** @type {Record<string, string>} */
  const named = { ' ': ' ', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  // Python escapes Unicode's "other" and "separator" characters, but not the space.
  const body = text.replace(/[\p{C}\p{Z}\\]/gu, (character) => {
    // Its code point, in hexadecimal digits.
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

/** Functions that print the elements of an array, by the kind of its type: they are padded to one width. `type`: the
 * float type by whose rules floats, or re and im, are printed.
 * @type {Record<NumberFormat['kind'], (values: any[], type: DType) => string[]>} */
const words = {
  string: (values) => values.map(quoted),
  bool: (values) => values.map((value) => (value ? ' True' : 'False')),
  int: (values) => {
    const width = longest(values.map(String));
    return values.map((value) => String(value).padStart(width));
  },
  float: (values, type) => values.map(floatFormatter(type, values, false)),
  complex: (values, type) => {
    const reals = values.map(([re]) => re);
    const imaginaries = values.map(([, im]) => im);
    const real = floatFormatter(type, reals, false);
    const imaginary = floatFormatter(type, imaginaries, true);
    // The `j` follows the last digit, in front of padding.
    return values.map(([re, im]) => real(re) + imaginary(im).replace(/ *$/, (spaces) => `j${spaces}`));
  },
};

/** Functions that print the element of a tensor without axes, by the kind of its type. `type`: the float type by whose
 * rules a float, or re and im, are printed.
 * @type {Record<NumberFormat['kind'], (value: any, type: DType) => string>} */
const word = {
  string: (value) => value,
  bool: (value) => (value ? 'True' : 'False'),
  int: String,
  float: (value, type) => printScalar(type, value, false, true),
  // As Python: a complex number whose re is 0, but not -0, is im alone.
  complex: ([re, im], type) =>
    Object.is(re, 0)
      ? `${printScalar(type, im, false, false)}j`
      : `(${printScalar(type, re, false, false)}${printScalar(type, im, true, false)}j)`,
};

/** Prints a tensor as NumPy's `str()` does: nested brackets, lines of 75 characters; `[]` if it has no elements. Above
 * 1000 elements it prints the first and last three of each axis with more than six, and reads only these.
 * @type {(dtype: DType, data: unknown, dims: readonly number[]) => string} */
export function format(dtype, data, dims) {
  if (dims.includes(0)) return '[]';
  const size = dims.reduce((product, extent) => product * extent, 1);
  const { kind } = dtype.format;
  const type = printedAs(dtype);
  if (dims.length === 0) return word[kind](decode(dtype, data, 0), type);
  // Find the elements that are shown: `offsets` are their places in the data, axis by axis.
  const cut = dims.map((extent) => size > threshold && extent > 2 * edgeItems);
  const shownDims = dims.map((extent, axis) => (cut[axis] ? 2 * edgeItems : extent));
  const offsets = dims.reduce(
    (rows, extent, axis) =>
      rows.flatMap((row) =>
        Array.from(
          { length: shownDims[axis] },
          (_, i) => row * extent + (cut[axis] && i >= edgeItems ? extent - shownDims[axis] + i : i),
        ),
      ),
    [0],
  );
  // Print these in one format.
  const values = offsets.map((offset) => decode(dtype, data, offset));
  const printed = words[kind](values, type);
  let next = 0;

  /** Prints the items of axis `axis` in brackets: of the last axis the elements of `printed` from `next` on, which
   * moves on behind them; of another one the brackets of the axis inside it.
   * @type {(axis: number) => string} */
  const nest = (axis) => {
    const inner = axis === dims.length - 1;
    const items = Array.from({ length: shownDims[axis] }, () => (inner ? printed[next++] : nest(axis + 1)));
    if (cut[axis]) items.splice(edgeItems, 0, '...');
    // A row is indented by a space for each bracket that is open, and has as many brackets at its end. NumPy puts an
    // empty line between matrices, two between 3-D parts, and so on.
    const lines = inner ? wrap(items, lineWidth - 2 * axis - 2) : items;
    const newlines = inner ? '\n' : '\n'.repeat(dims.length - 1 - axis);
    return `[${lines.join(newlines + ' '.repeat(axis + 1))}]`;
  };
  return nest(0);
}

/** Joins words by spaces to lines of at most `width` characters; a longer word has a line of its own. As in NumPy, all
 * lines but the last lose the padding at their end.
 * @type {(items: string[], width: number) => string[]} */
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
