/** Inputs that are indices or a shape: numbers, lists or tensors in a call, what is known of them in inference. */
import { isList, rangeError, readList, readWhole, show, typedArrayName, typeError } from '../../arguments/index.js';
import { checkData, decodeValues, readTensor } from '../../tensor/index.js';
import { isUnknown } from './extents.js';
import { readEntries, readKnown } from './tensor-info.js';

/** @import { DType, Dim, Int64, Integers, Open, TypeName } from '../types.js' */

/** The types of most index inputs. */
export const indexTypes = Object.freeze(/** @type {const} */ (['int32', 'int64']));
/** The type of shapes, and of axes. */
export const int64Only = Object.freeze(/** @type {const} */ (['int64']));

/** Inference uses the length of a list whose entries are unknown, as the rank of a result, up to this one. */
const unknownLengthLimit = 1024;

/** Makes the check that refuses tensors of other types than these.
 * @type {(argument: string, types: readonly TypeName[]) => (dtype: DType) => void} */
export const integerCheck =
  (argument, types) =>
  ({ name }) => {
    if (!types.includes(name)) typeError(`${argument} must be ${types.join(' or ')}, got ${name}`);
  };

/** Reads an input that is one whole number: a number, or a tensor of one element, which has one of these types.
 * @type {(argument: string, value: unknown, types: readonly TypeName[]) => Int64} */
export function readInteger(argument, value, types) {
  if (typeof value === 'number' || typeof value === 'bigint') return readWhole(argument, value);
  checkTensor(argument, value, types, 'a number');
  const source = readTensor(argument, value, integerCheck(argument, types));
  checkOne(argument, source.dims);
  checkData(source);
  return readList(argument, source.data)[0];
}

/** Refuses dims of anything but one number: a scalar, or 1-D of extent 1 or of an unknown one.
 * @param {string} argument
 * @param {readonly Dim[]} dims */
export function checkOne(argument, dims) {
  if (dims.length > 1) typeError(`${argument} must be a scalar or 1-D, got rank ${dims.length}`);
  if (dims.length === 1 && !isUnknown(dims[0]) && dims[0] !== 1)
    rangeError(`${argument} must hold one number, got ${dims[0]}`);
}

/** Reads whole numbers: one number, a list, or a tensor of rank 0 or 1 that has the type `dtype`, even if it is a
 * float. The first versions of some operators take numbers of the type of their data, such as the `tiles` of Tile-1.
 * @type {(argument: string, value: unknown, dtype: DType) => Int64[]} */
export function readIntegersOfType(argument, value, { name }) {
  if (isList(value)) return readList(argument, value);
  if (typeof value === 'number' || typeof value === 'bigint') return [readWhole(argument, value)];
  checkTensor(argument, value, [name], 'a list of whole numbers');
  const source = readTensor(argument, value, integerCheck(argument, [name]));
  if (source.dims.length > 1) typeError(`${argument} must be a scalar or 1-D, got rank ${source.dims.length}`);
  return readList(argument, /** @type {Integers} */ (decodeValues(source.dtype, checkData(source), source.size)));
}

/** Refuses a value that can be no tensor, such as a number or a list. The message says the `types` that a tensor may
 * have, and what else the argument may be: `others`, such as 'a number'.
 * @type {(argument: string, value: unknown, types: readonly TypeName[], others: string) => void} */
export function checkTensor(argument, value, types, others) {
  if (typeof value === 'object' && value !== null && !isList(value) && !typedArrayName(value)) return;
  const beginsWithVowelSound = /^[aeiou]/.test(types[0]) && !types[0].startsWith('uint');
  const article = beginsWithVowelSound ? 'an' : 'a';
  typeError(`${argument} must be ${others} or ${article} ${types.join(' or ')} tensor, got ${show(value)}`);
}

/** Reads a 1-D tensor of integers as a list. `check` refuses its type; any of `types` is taken if it is omitted.
 * @type {(argument: string, value: unknown, types: readonly TypeName[], check?: (dtype: DType) => void) => Int64[]} */
export function readIntegerTensor(argument, value, types, check = integerCheck(argument, types)) {
  checkTensor(argument, value, types, 'a list of whole numbers');
  const source = readTensor(argument, value, check);
  checkIntegersRank(argument, source.dims.length);
  checkData(source);
  return readList(argument, source.data);
}

/** @type {(argument: string, rank: number) => void} */
function checkIntegersRank(argument, rank) {
  if (rank !== 1) typeError(`${argument} must be 1-D, got rank ${rank}`);
}

/** Reads what inference knows of a list of integers: its entries, of which some may be unknown. Where only the length
 * is known, gives as many nulls if `takesLength`, which says that ONNX's inference uses it in this version; otherwise
 * null.
 * @type {(argument: string, known: unknown, types: readonly TypeName[], check?: (dtype: DType) => void, takesLength?:
 *   boolean) => (Int64 | Open)[] | null} */
export function readKnownIntegers(argument, known, types, check = integerCheck(argument, types), takesLength = true) {
  const { dims, value } = readKnown(argument, known, check);
  if (dims) checkIntegersRank(argument, dims.length);
  if (value !== undefined && value !== null) return readEntries(argument, value, dims);
  const length = takesLength ? dims?.[0] : null;
  const isLengthKnown = typeof length === 'number' && length <= unknownLengthLimit;
  return isLengthKnown ? Array(length).fill(null) : null;
}

/** Refuses what inference knows of an input if it cannot be one whole number.
 * @type {(argument: string, known: unknown, types: readonly TypeName[]) => void} */
export function checkKnownInteger(argument, known, types) {
  const { dims } = readKnown(argument, known, integerCheck(argument, types));
  if (dims) checkOne(argument, dims);
}

/** @type {(value: unknown) => value is undefined | null} */
export const isOmitted = (value) => value === undefined || value === null;
