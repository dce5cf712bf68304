/** The command `inspect`: what is in a file. */
import { choose, withFiles } from '../files.js';
import { flag } from '../options.js';
import { digitsOf, size } from '../terminal.js';

/** @import { Entry } from '../../io/index.js' */
/** @import { Weights } from '../../node/index.js' */
/** @import { Command, Outcome, Row, ValueInfo } from '../types.js' */

/** Most tensors whose first values are read. */
const mostValues = 32;

/** @type {Command} */
export const inspect = {
  form: 'FILE',
  summary: 'show names, types, dims, bytes, first values; the opsets and the graph of a model',
  notes: 'Headers alone are read, and the first values of up to 32 tensors.',
  examples: ['inspect model.onnx', 'inspect folder-of-shards --tree', 'inspect model.safetensors --json'],
  options: { tree: flag('group names by their parts, which dots separate') },
  shared: ['tensor', 'dtype'],
  work: (streams, { inputs, options, values }) =>
    withFiles(streams, inputs, values.dtype, ([source]) => inspectFile(inputs[0], options.tree, values.tensor, source)),
};

/** Describes the tensors of a file, or the one called `only`, with the first values of each if there are at most 32 and
 * no `tree` is asked for: lines that group the names. `path`: of the file, for messages.
 * @type {(path: string, tree: boolean, only: string | undefined, source: Weights) => Promise<Outcome>} */
async function inspectFile(path, tree, only, source) {
  const chosen = only === undefined ? source.entries : new Map([[only, choose(path, source.entries, only)]]);
  const withValues = chosen.size <= mostValues && !tree;
  /** @type {Row[]} */
  const rows = [];
  for (const [name, entry] of chosen) {
    const { type, dims, byteLength: bytes } = entry;
    const row = { name, type, dims, bytes };
    rows.push(withValues ? { ...row, first: await firstValues(entry) } : row);
  }
  return { report: reportOf(source, rows), lines: tree ? treeLines(rows) : linesOf(source, rows) };
}

/** Describes a file as --json prints it: its format, the graph of a model without the attributes of nodes, which may
 * hold tensors, its metadata, and the tensors. A model's and a file's parts are left out where there are none.
 * @type {(source: Weights, rows: Row[]) => object} */
function reportOf({ format, model, metadata }, rows) {
  const graph = model && {
    opsets: Object.fromEntries(model.opsets),
    inputs: model.inputs,
    outputs: model.outputs,
    nodes: model.nodes.map(({ attributes, ...node }) => node),
  };
  const more = metadata && { metadata: Object.fromEntries(metadata) };
  const tensors = rows.map(({ first, ...row }) => ({
    ...row,
    first: first?.map((value) => ownValue(row.type, value)),
  }));
  return { format, ...graph, ...more, tensors };
}

/** @type {(type: unknown, value: unknown) => unknown} a float as the number of its own digits */
const ownValue = (type, value) => (Number.isFinite(value) ? Number(digitsOf(type, value)) : value);

/** Writes a line for each tensor, one with their total if there are several, and a line for each opset, input, output,
 * node and entry of the metadata. `…` behind a tensor's first values stands for others.
 * @type {(source: Weights, rows: Row[]) => string[]} */
function linesOf({ model, metadata }, rows) {
  const lines = rows.map(({ name, type, dims, bytes, first }) => {
    const label = name && `${name}: `;
    const facts = `${label}${type} [${dims.join(', ')}], ${bytes} bytes`;
    if (!first) return facts;
    const more = first.length < dims.reduce((product, extent) => product * extent, 1) ? ' …' : '';
    return `${facts}: ${first.map((value) => formatValue(type, value)).join(' ')}${more}`;
  });
  if (rows.length > 1) lines.push(`total ${totalsOf(rows)}`);
  for (const [domain, opset] of model?.opsets ?? []) lines.push(`opset ${domain && `${domain} `}${opset}`);
  for (const info of model?.inputs ?? []) lines.push(`input ${formatInfo(info)}`);
  for (const info of model?.outputs ?? []) lines.push(`output ${formatInfo(info)}`);
  for (const { name, operator, domain, inputs, outputs } of model?.nodes ?? []) {
    const call = `${domain && `${domain}.`}${operator}(${inputs.join(', ')})`;
    lines.push(`node ${name && `${name}: `}${call} -> ${outputs.join(', ')}`);
  }
  for (const [key, value] of metadata ?? []) lines.push(`metadata ${key}: ${value}`);
  return lines;
}

/** Counts tensors, and their bytes by type.
 * @type {(rows: readonly Row[]) => string} */
function totalsOf(rows) {
  /** @type {Map<string, number>} */
  const types = new Map();
  for (const { type, bytes } of rows) types.set(type, (types.get(type) ?? 0) + bytes);
  const sum = rows.reduce((total, { bytes }) => total + bytes, 0);
  const texts = Array.from(types, ([type, bytes]) => `${type} ${size(bytes)}`);
  return `${rows.length} tensor${rows.length === 1 ? '' : 's'}, ${size(sum)}: ${texts.join(', ')}`;
}

/** Writes tensors as a tree of the parts of their names, which dots separate, below a line with the totals.
 * @type {(rows: readonly Row[]) => string[]} */
function treeLines(rows) {
  const lines = [totalsOf(rows)];
  addBranches(
    lines,
    rows.map((row) => ({ row, from: 0 })),
    '',
  );
  return lines;
}

/** Appends one level of the tree to `lines`: a line for each tensor whose name ends here, and for each other part of
 * the names a line with its totals, then the level inside it. `from`: where the part of this level begins in the name.
 * In `branches` it is where the next part begins, or 0 if the name has no other part or is not cut any more: then the
 * tensor is the only one of its branch.
 * @type {(lines: string[], leaves: readonly { row: Row, from: number }[], indent: string) => void} */
function addBranches(lines, leaves, indent) {
  /** @type {Map<string, { row: Row, from: number }[]>} */
  const branches = new Map();
  for (const { row, from } of leaves) {
    // The part with its dot, so that the tensor "a" and the branch of "a.b" have different keys. A level of the tree
    // has two spaces of indent; below the deepest one names are not cut any more.
    const end = indent.length < 2 * mostDepth ? row.name.indexOf('.', from) + 1 : 0;
    const key = end > 0 ? row.name.slice(from, end) : row.name.slice(from);
    const leaf = { row, from: end };
    const inside = branches.get(key);
    if (inside) inside.push(leaf);
    else branches.set(key, [leaf]);
  }
  for (const [key, inside] of branches) {
    const [{ row, from }] = inside;
    if (from === 0) lines.push(`${indent}${key} ${row.type} [${row.dims.join(', ')}], ${size(row.bytes)}`);
    else {
      lines.push(`${indent}${key} ${totalsOf(inside.map((leaf) => leaf.row))}`);
      addBranches(lines, inside, `${indent}  `);
    }
  }
}

/** Deeper levels of a name are shown in one line: each takes a line and a place on the stack, and a name may have a
 * million dots. */
const mostDepth = 32;

/** Reads the first six values of a tensor in row-major order, by a slice that is little more: enough of the innermost
 * axes to have six values, and of the other axes the first index alone.
 * @type {(entry: Entry) => Promise<unknown[]>} */
async function firstValues(entry) {
  let wanted = 6; // how many slices of the axes done so far are needed
  const ends = entry.dims.map(() => 0);
  for (let axis = ends.length - 1; axis >= 0; axis--) {
    ends[axis] = Math.min(entry.dims[axis], wanted);
    wanted = Math.ceil(wanted / Math.max(1, ends[axis]));
  }
  const starts = ends.map(() => 0);
  const part = ends.length === 0 ? entry : entry.slice(starts, ends);
  return (await part.read()).toArray().slice(0, 6);
}

/** Writes a value of a tensor of this type: a string with quotes, cut after 40 characters; a complex number as `(re,
 * im)`.
 * @type {(type: unknown, value: unknown) => string} */
function formatValue(type, value) {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (!Array.isArray(value)) return digitsOf(type, value);
  return `(${value.map((part) => digitsOf(type === 'complex64' ? 'float32' : 'float64', part)).join(', ')})`;
}

/** Writes the name, type and dims of an input or output of a model: `?` for what is unknown, `[…]` for an unknown rank.
 * Of a sequence, the type and dims are those of its tensors.
 * @type {(info: ValueInfo) => string} */
function formatInfo({ name, type, dims, sequence }) {
  const extents = dims ? `[${dims.map((extent) => extent ?? '?').join(', ')}]` : '[…]';
  return `${name}: ${sequence ? 'sequence of ' : ''}${type ?? '?'} ${extents}`;
}
