/** Where elements lie. No DOM. */

export const sizeOf = (dims) => dims.reduce((size, extent) => size * extent, 1);

/** The index of an element along each axis. @param {number} address in row-major order */
export function indexOf(address, dims) {
  const index = [];
  for (let axis = dims.length - 1; axis >= 0; axis--) {
    index.unshift(address % dims[axis]);
    address = Math.floor(address / dims[axis]);
  }
  return index;
}

/** A list with one entry elsewhere. */
export const moved = (list, from, to) => list.toSpliced(from, 1).toSpliced(to, 0, list[from]);

/** A permutation that suits a rank: the one given where it does, else the axes in reverse. */
export const permFor = (perm, rank) =>
  perm.length === rank && perm.every((axis) => axis < rank) && new Set(perm).size === rank
    ? perm
    : Array.from({ length: rank }, (_, i) => rank - 1 - i);

/**
 * What a user wrote where a list, a number or nothing may stand, as the operators take it.
 * @param {string} text such as `2, -1`
 * @returns {number | number[] | undefined} a number where one stands alone and `single` holds; NaN for what is no whole number, for the library to refuse
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
