/**
 * Tensors as text, exactly as NumPy 1.24's `str()` prints an array of the same values under its default options.
 * Formats that NumPy has no type for follow the same rules: bfloat16 as float16 does, with the fewest digits that name
 * the value in its own format; the shorter floats as float32 does, because there the fewest digits would print 32 as 30
 * and 0.25 as 0.2.
 */
import { decode, encode } from './codec.js';
import { anyPlaces, isNegative, positional, scientific } from './digits.js';
import { dtypes, noCase } from './dtypes.js';

/** @import { DType, NumberFormat } from './types.js' */

// NumPy's default print options.
const precision = 8;
const threshold = 1000;
const edgeItems = 3;
const lineWidth = 75;

/** Gives the type by whose rules a number is printed: that of the two parts of a complex number; float32 for a float of
 * fewer than 16 bits. Of kinds that no such rules print, any type will do.
 * @type {(dtype: DType) => DType} */
function printedAs(dtype) {
  if (dtype.format.kind !== 'complex') return dtype.bits < 16 ? dtypes.float32 : dtype;
  if (dtype.bits === 128) return dtypes.float64;
  return dtype.bits === 64 ? dtypes.float32 : noCase('printedAs', /** @type {never} */ (dtype.bits));
}

/** @type {(values: string[]) => number} the length of the longest string; 0 if there are none */
const longest = (values) => values.reduce((length, { length: other }) => Math.max(length, other), 0);

/** Gives the sign in front of a number; `writesPlus`: of one that is not negative, too.
 * @type {(value: number, writesPlus: boolean) => string} */
function signOf(value, writesPlus) {
  if (isNegative(value)) return '-';
  return writesPlus ? '+' : '';
}

/** Names NaN or an infinity, without its sign.
 * @type {(value: number) => string} */
const nameOfSpecial = (value) => (Number.isNaN(value) ? 'nan' : 'inf');

/** Tells whether NumPy prints an array of these finite numbers in scientific notation: numbers from 1e8 on, below 1e-4,
 * or more than 1000 times apart.
 * @type {(type: DType, finite: number[]) => boolean} */
function isExponential(type, finite) {
  const magnitudes = finite.filter((value) => value !== 0).map(Math.abs);
  const max = magnitudes.reduce((a, b) => Math.max(a, b), 0);
  const min = magnitudes.reduce((a, b) => Math.min(a, b), Infinity);
  // NumPy rounds the ratio to the dtype: 1000.00001 is 1000 in float32.
  const codeOfRatio = encode(type, max / min);
  const ratio = decode(type, [codeOfRatio], 0);
  return max >= 1e8 || min < 1e-4 || ratio > 1000;
}

/** Makes a function that prints each number of an array as NumPy's FloatingFormat does: all in one notation, padded so
 * that their decimal points stand in one column. `writesPlus`: a number that is not negative gets a sign, too.
 * @type {(type: DType, values: number[], options?: { writesPlus?: boolean }) => (value: number) => string} */
function floatFormatter(type, values, { writesPlus = false } = {}) {
  const finite = values.filter(Number.isFinite);
  const exponential = isExponential(type, finite);
  const withSign = (/** @type {number} */ value, /** @type {string} */ text) => signOf(value, writesPlus) + text;
  const special = (/** @type {number} */ value) => withSign(value, nameOfSpecial(value));
  const specials = values.filter((value) => !Number.isFinite(value)).map(special);
  const widths = columnWidths(type, { finite, specials, exponential, withSign });
  const { fractionWidth, exponentWidth } = widths;
  const integerColumn = (/** @type {number} */ value, /** @type {string} */ digits) =>
    withSign(value, digits).padStart(widths.integerWidth);

  return (value) => {
    if (!Number.isFinite(value)) return special(value).padStart(widths.totalWidth);
    if (!exponential) {
      // FloatingFormat's `min_digits` is 0.
      const { integerDigits, fraction } = positional(value, type, { min: 0, max: precision });
      return `${integerColumn(value, integerDigits)}.${fraction.padEnd(fractionWidth)}`;
    }
    const sameWidth = { min: fractionWidth, max: fractionWidth };
    const { integerDigits, fraction, exponent } = scientific(value, type, sameWidth);
    // `+05` beside `+100` becomes `+005`.
    const [exponentSign, ...exponentDigits] = exponent;
    const paddedExponent = exponentSign + exponentDigits.join('').padStart(exponentWidth - exponentSign.length, '0');
    return `${integerColumn(value, integerDigits)}.${fraction.padEnd(fractionWidth, '0')}e${paddedExponent}`;
  };
}

/** Measures the columns of an array's numbers, in characters: the sign and the digits before the point, the digits
 * behind it, the exponent with its sign (0 in positional notation), and all of a number. `specials`: the texts of NaN
 * and infinities, which are as wide as a number and so may widen the column before the point.
 * @type {(type: DType, about: { finite: number[], specials: string[], exponential: boolean, withSign: (value: number,
 *   text: string) => string }) => Record<'integerWidth' | 'fractionWidth' | 'exponentWidth' | 'totalWidth', number>} */
function columnWidths(type, { finite, specials, exponential, withSign }) {
  const write = exponential ? scientific : positional;
  const printed = finite.map((value) => write(value, type, { ...anyPlaces, max: precision }));
  const integerTexts = printed.map(({ integerDigits }, i) => withSign(finite[i], integerDigits));
  const fractionWidth = longest(printed.map(({ fraction }) => fraction));
  const exponentWidth = longest(printed.map(({ exponent }) => exponent));
  const widthFromPoint = '.'.length + fractionWidth + (exponential ? 'e'.length + exponentWidth : 0);
  const integerWidth = Math.max(longest(integerTexts), longest(specials) - widthFromPoint);
  return { integerWidth, fractionWidth, exponentWidth, totalWidth: integerWidth + widthFromPoint };
}

/** Prints one float as NumPy prints a scalar: by the fewest digits that tell it from the other numbers of its type;
 * numbers below 1e-4 and from 1e16 on in scientific notation. `writesPlus`: a number that is not negative gets a sign,
 * too. `wholeEnd`: the end of a whole number in positional notation.
 * @type {(type: DType, value: number, options?: { writesPlus?: boolean, wholeEnd?: '' | '.0' }) => string} */
function printScalar(type, value, { writesPlus = false, wholeEnd = '' } = {}) {
  const sign = signOf(value, writesPlus);
  if (!Number.isFinite(value)) return sign + nameOfSpecial(value);
  const magnitude = Math.abs(value);
  const isPositional = magnitude === 0 || (magnitude >= 1e-4 && magnitude < 1e16);
  if (isPositional) {
    const { integerDigits, fraction } = positional(value, type, anyPlaces);
    return sign + integerDigits + (fraction ? `.${fraction}` : wholeEnd);
  }
  const { integerDigits, fraction, exponent } = scientific(value, type, anyPlaces);
  const decimals = fraction ? `.${fraction}` : '';
  return `${sign}${integerDigits}${decimals}e${exponent}`;
}

/** Prints a finite number as NumPy prints a scalar, a whole number without a point.
 * @type {(dtype: DType, value: number) => string} */
export const shortestText = (dtype, value) => printScalar(printedAs(dtype), value);

/** @type {Record<string, string>} */
const namedEscapes = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes a character as Python's repr does: by its name, or its code point.
 * @type {(character: string) => string} */
function escaped(character) {
  const name = namedEscapes[character];
  if (name) return name;
  const hexadecimal = Number(character.codePointAt(0)).toString(16);
  if (hexadecimal.length <= 2) return `\\x${hexadecimal.padStart(2, '0')}`;
  if (hexadecimal.length <= 4) return `\\u${hexadecimal.padStart(4, '0')}`;
  return `\\U${hexadecimal.padStart(8, '0')}`;
}

/** Quotes a string as Python's repr does: in double quotes if it holds single ones alone.
 * @type {(text: string) => string} */
function quoted(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  // Python escapes Unicode's "other" and "separator" characters, but not the space.
  const body = text.replace(/[\p{C}\p{Z}\\]/gu, (character) => (character === ' ' ? ' ' : escaped(character)));
  return quote + body.replaceAll(quote, `\\${quote}`) + quote;
}

/** How the elements of an array are printed, by the kind of their type: padded to one width. `type` is that of
 * {@link printedAs}.
 * @type {Record<NumberFormat['kind'], (values: any[], type: DType) => string[]>} */
const arrayPrinters = {
  string: (values) => values.map(quoted),
  bool: (values) => values.map((value) => (value ? ' True' : 'False')),
  int: (values) => {
    const width = longest(values.map(String));
    return values.map((value) => String(value).padStart(width));
  },
  float: (values, type) => values.map(floatFormatter(type, values)),
  complex: (values, type) => {
    const reals = values.map(([re]) => re);
    const imaginaries = values.map(([, im]) => im);
    const printReal = floatFormatter(type, reals);
    const printImaginary = floatFormatter(type, imaginaries, { writesPlus: true });
    // The `j` follows the last digit, in front of padding.
    const withUnit = (/** @type {string} */ text) => text.replace(/ *$/, (padding) => `j${padding}`);
    return values.map(([re, im]) => printReal(re) + withUnit(printImaginary(im)));
  },
};

/** How the element of a tensor without axes is printed, by the kind of its type.
 * @type {Record<NumberFormat['kind'], (value: any, type: DType) => string>} */
const scalarPrinters = {
  string: (value) => value,
  bool: (value) => (value ? 'True' : 'False'),
  int: String,
  float: (value, type) => printScalar(type, value, { wholeEnd: '.0' }),
  // As Python: a complex number whose re is 0, but not -0, is im alone.
  complex: ([re, im], type) =>
    Object.is(re, 0)
      ? `${printScalar(type, im)}j`
      : `(${printScalar(type, re)}${printScalar(type, im, { writesPlus: true })}j)`,
};

/** Lists the places in the data of the elements that are shown, in row-major order. Axis i shows `shownDims[i]` of its
 * indices: all, or the first and the last three.
 * @type {(dims: readonly number[], shownDims: readonly number[]) => number[]} */
function shownOffsets(dims, shownDims) {
  // Offsets among the indices of the axes so far: each further axis replaces an offset by one for each index it shows.
  let offsets = [0];
  for (const [axis, extent] of dims.entries()) {
    const skipped = extent - shownDims[axis];
    const indices = Array.from({ length: shownDims[axis] }, (_, i) => (i < edgeItems ? i : i + skipped));
    offsets = offsets.flatMap((outer) => indices.map((index) => outer * extent + index));
  }
  return offsets;
}

/** Prints a tensor as NumPy's `str()` does. Above 1000 elements it prints the first and last three of each axis with
 * more than six, and reads only these.
 * @type {(dtype: DType, data: unknown, dims: readonly number[]) => string} */
export function format(dtype, data, dims) {
  if (dims.includes(0)) return '[]';
  const size = dims.reduce((product, extent) => product * extent, 1);
  const { kind } = dtype.format;
  const type = printedAs(dtype);
  const isScalar = dims.length === 0;
  if (isScalar) return scalarPrinters[kind](decode(dtype, data, 0), type);
  const isSummarized = size > threshold;
  const shownDims = dims.map((extent) => (isSummarized ? Math.min(extent, 2 * edgeItems) : extent));
  const values = shownOffsets(dims, shownDims).map((offset) => decode(dtype, data, offset));
  return bracketAxes(arrayPrinters[kind](values, type), dims, shownDims);
}

/** Writes the texts of elements in brackets: a pair for the axis `axis`, and inside it pairs for the further axes. Axis
 * i has `dims[i]` indices, of which `shownDims[i]` are shown.
 * @type {(texts: string[], dims: readonly number[], shownDims: readonly number[], axis?: number) => string} */
function bracketAxes(texts, dims, shownDims, axis = 0) {
  const count = shownDims[axis];
  const isLast = axis === dims.length - 1;
  const textsPerIndex = texts.length / count;
  const textsAt = (/** @type {number} */ i) => texts.slice(i * textsPerIndex, (i + 1) * textsPerIndex);
  const items = isLast
    ? [...texts]
    : Array.from({ length: count }, (_, i) => bracketAxes(textsAt(i), dims, shownDims, axis + 1));
  const isShortened = count < dims[axis];
  if (isShortened) items.splice(edgeItems, 0, '...');
  // A row is indented by a space for each bracket that is open, and has as many brackets at its end. NumPy puts an
  // empty line between matrices, two between 3-D parts, and so on.
  const openBrackets = axis + 1;
  const lines = isLast ? wrap(items, lineWidth - 2 * openBrackets) : items;
  const newlines = isLast ? '\n' : '\n'.repeat(dims.length - openBrackets);
  return `[${lines.join(newlines + ' '.repeat(openBrackets))}]`;
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
