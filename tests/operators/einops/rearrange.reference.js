/**
 * The oracle of `rearrange` and `repeat`: reads a pattern of einops letter by letter, and finds for each index of
 * the result the values of the names, and by them the element of the input. Shares nothing with js/.
 */
import { elementCount, toCodes } from '../../support/reference.js';
import { made } from '../surgery.reference.js';

const wrong = (what) => {
  throw new RangeError(what);
};

const isName = (text) => /^[\p{ID_Start}_][\p{ID_Continue}]*$/u.test(text);

/**
 * An atom of a pattern: a name or a number.
 * @typedef {{ name: string } | { number: number }} Atom
 */

/** Reads one atom, which is no ellipsis. */
function atomOf(text, mayBeNumber) {
  if (isName(text)) {
    if (text.startsWith('_') || text.endsWith('_')) wrong(`name ${text}`);
    return { name: text };
  }
  if (!/^\p{Nd}+$/u.test(text)) wrong(`not a name: ${text}`);
  const number = Number(text);
  if (number !== 1 && !(mayBeNumber && number > 1)) wrong(`number ${text}`);
  return { number };
}

/** Reads a side: a list of items, each a list of atoms or of '…'. `plain` says which stood without brackets. */
function sideOf(text, mayBeNumber) {
  if (text.includes('.') && !/^[^.]*\.\.\.[^.]*$/.test(text)) wrong('dots');
  const items = [];
  let group;
  let word = '';
  const ends = () => {
    if (word === '') return;
    const atom = word === '…' ? '…' : atomOf(word, mayBeNumber);
    if (group) group.push(atom);
    else items.push({ atoms: [atom], isPlain: true });
    word = '';
  };
  for (const letter of text.replace('...', '…')) {
    if (letter === '(' || letter === ')') {
      ends();
      if ((letter === '(') === (group !== undefined)) wrong('brackets');
      if (letter === '(') group = [];
      else {
        items.push({ atoms: group, isPlain: false });
        group = undefined;
      }
    } else if (letter === ' ') ends();
    else word += letter;
  }
  ends();
  if (group) wrong('an open bracket');
  const names = items.flatMap(({ atoms }) => atoms).flatMap((atom) => atom.name ?? []);
  if (new Set(names).size < names.length) wrong('a name twice');
  return { items, names, hasEllipsis: text.includes('...') };
}

/** Reads a pattern of two sides. */
function sidesOf(pattern, isRepeat) {
  if (typeof pattern !== 'string') throw new TypeError('pattern');
  const parts = pattern.split('->');
  if (parts.length !== 2) wrong('arrow');
  const [left, right] = [sideOf(parts[0], false), sideOf(parts[1], isRepeat)];
  if (left.hasEllipsis !== right.hasEllipsis) wrong('an ellipsis on one side');
  if (left.items.some(({ atoms, isPlain }) => !isPlain && atoms.includes('…'))) wrong('an ellipsis in a left bracket');
  if (left.names.some((name) => !right.names.includes(name))) wrong('a name that is left out');
  return { left, right };
}

/** The left side with its ellipsis written out, one item an axis. */
function leftItems({ items, hasEllipsis }, rank) {
  if (hasEllipsis ? rank < items.length - 1 : rank !== items.length) wrong('rank');
  const axes = Array.from({ length: rank - items.length + 1 }, (_, i) => ({ name: `…${i}` }));
  return {
    axes: hasEllipsis ? axes : [],
    items: items.flatMap((item) =>
      item.isPlain && item.atoms[0] === '…' ? axes.map((axis) => ({ atoms: [axis], isPlain: true })) : [item],
    ),
  };
}

/** Finds the length of each name, by the extents of the left side and by what is given. */
function lengthsOf(items, dims, given) {
  const lengths = new Map(Object.entries(given));
  items.forEach(({ atoms }, axis) => {
    const names = atoms.flatMap((atom) => atom.name ?? []);
    const unknown = names.filter((name) => !lengths.has(name));
    const known = names.filter((name) => lengths.has(name)).reduce((product, name) => product * lengths.get(name), 1);
    if (unknown.length > 1) wrong('two unknown lengths');
    if (unknown.length === 0 && known !== dims[axis]) wrong('a length that does not fit');
    if (unknown.length === 1) {
      if (known === 0 || dims[axis] % known !== 0) wrong('a length that does not divide');
      lengths.set(unknown[0], dims[axis] / known);
    }
  });
  return lengths;
}

/** The extent of an atom. */
const extentOf = (atom, lengths) => atom.number ?? lengths.get(atom.name);

/** The values of an item's names where the item has an index; the last atom moves fastest. */
function spread(index, atoms, lengths, values) {
  let rest = index;
  for (const atom of [...atoms].reverse()) {
    const extent = extentOf(atom, lengths);
    if (atom.name !== undefined) values.set(atom.name, rest % extent);
    rest = Math.floor(rest / extent);
  }
}

function checkLengths(given, left, right, isRepeat) {
  for (const [name, length] of Object.entries(given)) {
    if (!Number.isInteger(length) || length < 0) wrong('length');
    if (!isName(name) || !(left.names.includes(name) || right.names.includes(name))) wrong('a name not in the pattern');
  }
  for (const name of right.names) {
    if (left.names.includes(name)) continue;
    if (!isRepeat || !Object.hasOwn(given, name)) wrong('a new name without a length');
  }
}

function run(tensor, pattern, given, isRepeat) {
  const { left, right } = sidesOf(pattern, isRepeat);
  checkLengths(given, left, right, isRepeat);
  const { type, dims, data } = tensor;
  const { items, axes } = leftItems(left, dims.length);
  const lengths = lengthsOf(items, dims, given);
  const targets = right.items.flatMap(({ atoms, isPlain }) => {
    if (isPlain && atoms[0] === '…') return axes.map((axis) => [axis]);
    return [atoms.flatMap((atom) => (atom === '…' ? axes : [atom]))];
  });
  const outDims = targets.map((atoms) => atoms.reduce((product, atom) => product * extentOf(atom, lengths), 1));
  const codes = toCodes(type, data, elementCount(dims));
  const values = new Map();
  return made(type, outDims, (index) => {
    targets.forEach((atoms, axis) => spread(index[axis], atoms, lengths, values));
    let at = 0;
    items.forEach(({ atoms }) => {
      for (const atom of atoms) if (atom.name !== undefined) at = at * lengths.get(atom.name) + values.get(atom.name);
    });
    return codes[at];
  });
}

/**
 * The result of `rearrange`, by the pattern's meaning alone.
 * @param {{ type: string, dims: number[], data: any }} tensor
 * @param {string} pattern
 * @param {Record<string, number>} [lengths]
 * @returns {{ type: string, dims: number[], data: any }}
 */
export const rearrange = (tensor, pattern, lengths = {}) => run(tensor, pattern, lengths, false);

/**
 * The result of `repeat`: a name on the right alone is a new axis of its length, and so is a number.
 * @param {{ type: string, dims: number[], data: any }} tensor
 * @param {string} pattern
 * @param {Record<string, number>} [lengths]
 * @returns {{ type: string, dims: number[], data: any }}
 */
export const repeat = (tensor, pattern, lengths = {}) => run(tensor, pattern, lengths, true);
