/** The data of tensors that are in other files: TensorProto's external_data. */
import {
  bytesOf,
  rangeError,
  readFunction,
  show,
  showClass,
  typedArrayName,
  typeError,
} from '../../arguments/index.js';
import { sizeOf } from '../../tensor/index.js';
import { dataOver } from '../tensor-data.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { External, Place } from './types.js' */
/** @import { TensorData } from '../../tensor/types.js' */

/** Reads where a tensor's data lie in another file. Refuses a length other than that of the dims. `entries`: the texts
 * of the tensor's external_data.
 * @type {(label: string, dtype: DType, dims: readonly bigint[], entries: ReadonlyMap<string, string>) => Place} */
export function readPlace(label, dtype, dims, entries) {
  if (dtype.array === 'Array') rangeError(`${label}string data must be in string_data, got external data`);
  const location = checkLocation(`${label}location`, 'model', entries.get('location') ?? '');
  const expected = Math.ceil((sizeOf(dims.map(Number)) * dtype.bits) / 8);
  const offset = readDecimal(`${label}offset`, entries.get('offset') ?? '0');
  // Exporters write a length of 0 for all that the tensor needs.
  const length = readDecimal(`${label}length`, entries.get('length') ?? '0') || expected;
  if (length !== expected) rangeError(`${label}length must be ${expected}, got ${length}`);
  return { location, offset, length };
}

/** Refuses an option `external` that is missing, although a tensor has its data in the file `location`, or no function.
 * @type {(label: string, location: string, external: unknown) => void} */
export function checkExternal(label, location, external) {
  if (external === undefined) typeError(`${label}needs the option external for ${show(location)}, got undefined`);
  readFunction('external', external);
}

/** Gets a tensor's data in another file from the caller's function `external`. `entries`: the texts of the tensor's
 * external_data.
 * @type {(label: string, dtype: DType, dims: readonly bigint[], entries: ReadonlyMap<string, string>, external:
 *   External | undefined) => TensorData} */
export function readExternalData(label, dtype, dims, entries, external) {
  const place = readPlace(label, dtype, dims, entries);
  const { location, length } = place;
  checkExternal(label, location, external);
  const bytes = /** @type {External} */ (external)(place);
  if (typedArrayName(bytes) !== 'Uint8Array') typeError(`external must return a Uint8Array, got ${showClass(bytes)}`);
  const raw = bytesOf(bytes);
  if (raw.length !== length) rangeError(`external must return ${length} bytes of ${show(location)}, got ${raw.length}`);
  return dataOver(dtype, raw);
}

/** Names that lead out of a folder, on any system or in a URL: empty names, absolute paths, drives, URLs, backslashes,
 * the step up. A URL drops control characters and a space in front, spells `.` as %2e too, and ends a path at ? and
 *   #. */
const leadsOut = /^$|^[/ ]|\\|\p{Cc}|^[a-z][a-z0-9+.-]*:|(^|\/)(\.|%2e){2}([/?#]|$)/iu;

/** Returns a path, and refuses one that leads out of its folder. `owner`: whose folder that is, for the message.
 * @type {(argument: string, owner: string, location: string) => string} */
export function checkLocation(argument, owner, location) {
  if (leadsOut.test(location))
    rangeError(`${argument} must be a path inside the ${owner}'s folder, got ${show(location)}`);
  return location;
}

/** Spells a path without `.` and empty steps, such as `./a//b/` as `a/b`, so that a file which is named in several ways
 * is opened once.
 * @type {(location: string) => string} */
export const plainPath = (location) => location.replace(/\/(?:\.?\/)+/g, '/').replace(/^(?:\.\/)+|\/\.?$/g, '');

/** Reads a whole number in decimal digits, up to 2^53 - 1.
 * @type {(argument: string, text: string) => number} */
function readDecimal(argument, text) {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(number)) rangeError(`${argument} must be a whole number from 0, got ${show(text)}`);
  return number;
}
