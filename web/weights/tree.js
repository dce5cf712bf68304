/** Tensors by the parts of their names, which dots separate. No DOM. */

/** @typedef {{ name: string, type: string, dims: readonly number[], bytes: number }} Row a tensor */
/**
 * A row of the tree: a tensor, or the tensors whose names begin alike.
 * @typedef {{ label: string, path: string, row?: Row, rows: readonly Row[] }} Branch `path`: all of the names that they
 *   share, up to a dot
 */

const order = new Intl.Collator('en', { numeric: true });

/** The length of what all names have in common, up to the last dot in it. */
function sharedLength(rows) {
  const [{ name: first }] = rows;
  let length = first.length;
  for (const { name } of rows) {
    let i = 0;
    while (i < length && name[i] === first[i]) i++;
    length = i;
  }
  return first.lastIndexOf('.', length - 1) + 1;
}

/**
 * The entries below a part of the names: tensors, and branches of at least two. Branches that hold a single branch are
 * one with it. Layers come in the order of their numbers.
 * @param {readonly Row[]} rows whose names share their first `start` characters
 * @param {number} [start]
 * @returns {Branch[]}
 */
export function branchesOf(rows, start = 0) {
  /** @type {Map<string, Row[]>} */
  const groups = new Map();
  for (const row of rows) {
    const dot = row.name.indexOf('.', start);
    // A tensor may have the name of a branch.
    const key = dot < 0 ? `${row.name}\0` : row.name.slice(0, dot + 1);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const branches = Array.from(groups.values(), (inside) => {
    if (inside.length === 1) {
      const [row] = inside;
      return { label: row.name.slice(start), path: row.name, row, rows: inside };
    }
    const path = inside[0].name.slice(0, sharedLength(inside));
    return { label: path.slice(start), path, rows: inside };
  });
  return branches.sort((a, b) => order.compare(a.label, b.label));
}

/**
 * The branches that are open at first: from the top, as long as not too many rows are seen; and those that hold the
 * chosen tensor.
 * @param {readonly Row[]} rows
 * @param {number} most rows
 * @param {string} [chosen]
 * @returns {Set<string>} their paths
 */
export function openAtFirst(rows, most, chosen) {
  const open = new Set();
  const queue = branchesOf(rows);
  let seen = queue.length;
  for (const { path, row, rows: inside } of queue) {
    if (row) continue;
    const below = branchesOf(inside, path.length);
    const isAbove = chosen?.startsWith(path) && inside.some(({ name }) => name === chosen);
    if (seen + below.length > most && !isAbove) continue;
    open.add(path);
    seen += below.length;
    for (const branch of below) queue.push(branch);
  }
  return open;
}

/** The tensors and bytes of each type, the greatest first. */
export function totalsOf(rows) {
  /** @type {Map<string, { type: string, tensors: number, elements: number, bytes: number }>} */
  const totals = new Map();
  for (const { type, dims, bytes } of rows) {
    const total = totals.get(type) ?? { type, tensors: 0, elements: 0, bytes: 0 };
    total.tensors++;
    total.elements += dims.reduce((product, extent) => product * extent, 1);
    total.bytes += bytes;
    totals.set(type, total);
  }
  return [...totals.values()].sort((a, b) => b.bytes - a.bytes);
}
