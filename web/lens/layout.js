/** Arithmetic on dims, permutations and addresses. No DOM. */

export const sizeOf = (dims) => dims.reduce((size, extent) => size * extent, 1);

/**
 * The index of an element along each axis.
 * @param {number} address in row-major order
 * @param {readonly number[]} dims
 */
export function indexOf(address, dims) {
  const index = [];
  for (let axis = dims.length - 1; axis >= 0; axis--) {
    index.unshift(address % dims[axis]);
    address = Math.floor(address / dims[axis]);
  }
  return index;
}

/** A copy of a list with one entry moved. */
export const moved = (list, from, to) => list.toSpliced(from, 1).toSpliced(to, 0, list[from]);

/** The given permutation if it suits the rank, else the axes in reverse. */
export const permFor = (perm, rank) =>
  perm.length === rank && perm.every((axis) => axis < rank) && new Set(perm).size === rank
    ? perm
    : Array.from({ length: rank }, (_, i) => rank - 1 - i);

/**
 * Reads a list, a number or nothing, in the form that the operators take.
 * @param {string} text such as `2, -1`
 * @param {boolean} [single] whether one number alone is a number instead of a list
 * @returns {number | number[] | undefined} NaN for what is no number, which the library refuses
 */
export function readNumbers(text, single = false) {
  const parts = text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .split(/[\s,]+/)
    .filter(Boolean);
  if (parts.length === 0) return single ? undefined : [];
  const numbers = parts.map((part) =>
    /^[-+]?\d+$/.test(part) && !Number.isSafeInteger(Number(part)) ? BigInt(part.replace('+', '')) : Number(part),
  );
  return single && numbers.length === 1 && !/[[,]/.test(text) ? numbers[0] : numbers;
}

/**
 * Reads lengths by their names, such as `h=2, w=3`.
 * @param {string} text
 * @returns {Record<string, number>} NaN for what is no number, which the library refuses
 */
export function readLengths(text) {
  const entries = text.split(/[\s,]+/).filter(Boolean);
  return Object.fromEntries(
    entries.map((entry) => entry.split('=')).map(([name, length]) => [name, readNumbers(length ?? 'x', true)]),
  );
}
