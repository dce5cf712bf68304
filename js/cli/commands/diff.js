/** The command `diff`: how the tensors of two files differ. */
import { choose, readEntry, withFiles } from '../files.js';
import { difference } from './difference.js';
import { tolerance } from '../options.js';

/** @import { Tensor } from '../../index.js' */
/** @import { Entry } from '../../io/index.js' */
/** @import { Weights } from '../../node/index.js' */
/** @import { Call, Command, OptionValues, Outcome, Place, Report, Streams } from '../types.js' */

/** @type {Command} */
export const diff = {
  form: 'A B',
  summary: 'how B differs from A, tensor by tensor',
  notes:
    'Types, dims, how many elements differ, by how much, in units in the last place (ULPs) too, and where.\n' +
    'Files of several tensors are compared by name. An element is within tolerance if\n' +
    '|a - b| <= atol + rtol * |b| and both are finite. The exit status is 0 if all tensors are equal or within\n' +
    'tolerance, and 1 if not.',
  examples: ['diff a.npy b.npy --atol 1e-5', 'diff a.safetensors b.safetensors', 'diff a.onnx b.npy --tensor weight'],
  options: {
    atol: tolerance('1e-5', 'how far elements may differ; 0 if omitted'),
    rtol: tolerance('1e-5', 'how far they may differ as a share of |b|; 0 if omitted'),
  },
  shared: ['tensor', 'dtype'],
  /** Compares one tensor of each file if --tensor names it, or if a file has a single tensor, whose name then does not
   * matter; all tensors by name otherwise. If the other file has several, `diffOne` asks for --tensor. */
  work: (streams, call) =>
    withFiles(streams, call.inputs, call.values.dtype, async (sources) => {
      const hasSingle = sources.some(({ entries }) => entries.size === 1);
      const comparesOne = call.values.tensor !== undefined || hasSingle;
      return comparesOne ? diffOne(streams, call, sources) : diffAll(streams, call, sources);
    }),
};

/** Compares one tensor of each file: the one that --tensor names or, without it, the only one.
 * @type {(streams: Streams, call: Call, sources: Weights[]) => Promise<Outcome>} */
async function diffOne(streams, { inputs, options, values }, sources) {
  const entries = sources.map((source, i) => choose(inputs[i], source.entries, values.tensor));
  const report = await compareEntries(streams, inputs, entries, options);
  return { report: jsonOf(report), lines: linesOf(report), status: report.isWithin ? 0 : 1 };
}

/** Compares the tensors that both files have, by name, and lists those that differ and those of one file alone.
 * @type {(streams: Streams, call: Call, sources: Weights[]) => Promise<Outcome>} */
async function diffAll(streams, { inputs, options }, [a, b]) {
  const lines = [];
  const tensors = [];
  for (const [name, entry] of a.entries) {
    const other = b.entries.get(name);
    if (!other) continue;
    const report = await compareEntries(streams, inputs, [entry, other], options);
    tensors.push({ name, ...jsonOf(report) });
    if (!report.isEqual) lines.push(`${name}: ${briefly(report)}`);
  }
  const onlyInA = [...a.entries.keys()].filter((name) => !b.entries.has(name));
  const onlyInB = [...b.entries.keys()].filter((name) => !a.entries.has(name));
  for (const name of onlyInA) lines.push(`only in ${inputs[0]}: ${name}`);
  for (const name of onlyInB) lines.push(`only in ${inputs[1]}: ${name}`);
  const equalCount = tensors.filter((tensor) => tensor.equal).length;
  lines.push(`${equalCount} of ${tensors.length} tensors equal`);
  const hasSameNames = onlyInA.length === 0 && onlyInB.length === 0;
  const isWithin = hasSameNames && tensors.every(({ within }) => within);
  const isEqual = isWithin && equalCount === tensors.length;
  return {
    report: { equal: isEqual, within: isWithin, tensors, onlyInA, onlyInB },
    lines,
    status: isWithin ? 0 : 1,
  };
}

/** Reads two tensors and compares them: type, dims and, if the dims are equal, the elements. Of `atol` and `rtol`, one
 * that is undefined is 0. If both are, no difference is within tolerance.
 * @type {(streams: Streams, paths: string[], entries: Entry[], options: OptionValues) => Promise<Report>} */
async function compareEntries(streams, paths, entries, { atol, rtol }) {
  const tolerances = atol === undefined && rtol === undefined ? undefined : { atol: atol ?? 0, rtol: rtol ?? 0 };
  const [a, b] = await Promise.all(entries.map((entry, i) => readEntry(streams, paths[i], entry)));
  const hasSameDims = a.dims.length === b.dims.length && a.dims.every((extent, i) => extent === b.dims[i]);
  const details = hasSameDims ? difference(a, b, tolerances) : undefined;
  const isEqual = a.type === b.type && details?.differ === 0;
  return {
    isEqual,
    isWithin: isEqual || (tolerances !== undefined && details?.beyond === 0),
    a,
    b,
    details,
    tolerance: tolerances,
  };
}

/** Gives the index along each axis of the element whose number in row-major order is `at`.
 * @type {(dims: readonly number[], at: number) => number[]} */
function indexOf(dims, at) {
  const index = [];
  let rest = at;
  for (let axis = dims.length - 1; axis >= 0; axis--) {
    index.unshift(rest % dims[axis]);
    rest = Math.floor(rest / dims[axis]);
  }
  return index;
}

/** @type {(tensor: Tensor) => string} */
const kindOf = ({ type, dims }) => `${type} [${dims.join(', ')}]`;

/** @type {(report: Report) => string} */
const kindsOf = ({ a, b }) => (kindOf(a) === kindOf(b) ? kindOf(a) : `${kindOf(a)} and ${kindOf(b)}`);

/** @type {(differ: number, elements: number) => string} */
const shareOf = (differ, elements) => {
  const percent = differ > 0 ? ` (${Number(((100 * differ) / elements).toPrecision(3))} %)` : '';
  return `${differ} of ${elements} elements${percent}`;
};

/** Describes in one line how a tensor differs, where several are compared; only types and dims if the dims differ.
 * @type {(report: Report) => string} */
function briefly(report) {
  const { details, isWithin, tolerance: tolerances } = report;
  if (!details) return kindsOf(report);
  const { dims, differ, elements, largest, ulps } = details;
  const parts = [`${kindsOf(report)}, differ ${shareOf(differ, elements)}`];
  if (largest) parts.push(`largest ${largest.difference} at [${indexOf(dims, largest.at).join(', ')}]`);
  if (ulps) parts.push(`at most ${ulps.largest} ULPs`);
  if (tolerances) parts.push(isWithin ? 'within tolerance' : `beyond tolerance: ${details.beyond}`);
  return parts.join(', ');
}

/** Describes in several lines how a tensor differs, where it is compared alone; only types and dims if the dims differ.
 * @type {(report: Report) => string[]} */
function linesOf(report) {
  const { isEqual, isWithin, a, details, tolerance: tolerances } = report;
  if (isEqual) return [`equal: ${kindOf(a)}`];
  const lines = [kindsOf(report)];
  if (!details) return lines;
  const { dims, elements, differ, beyond, first, largest, mean, ulps } = details;
  const place = (/** @type {Place} */ { at, values: [x, y] }) => `[${indexOf(dims, at).join(', ')}]: ${x} and ${y}`;
  lines.push(`differ   ${shareOf(differ, elements)}`);
  if (first) lines.push(`first    ${place(first)}`);
  if (largest) lines.push(`largest  ${largest.difference} at ${place(largest)}`, `mean     ${mean}`);
  if (ulps) lines.push(`ULPs     at most ${ulps.largest}, ${ulps.mean} on average`);
  if (tolerances) lines.push(isWithin ? 'within tolerance' : `beyond tolerance: ${beyond}`);
  return lines;
}

/** Describes a difference as --json prints it, with an element's place as its index along each axis.
 * @type {(report: Report) => { equal: boolean, within: boolean, tensors: object[] }} */
function jsonOf({ isEqual, isWithin, a, b, details }) {
  // Replaces an element's number by its index along each axis.
  const indexed = (/** @type {Place | undefined} */ place) => {
    if (!details || !place) return undefined;
    const { at, ...more } = place;
    return { index: indexOf(details.dims, at), ...more };
  };
  const places = details && { first: indexed(details.first), largest: indexed(details.largest) };
  const tensors = [a, b].map(({ type, dims }) => ({ type, dims }));
  return { equal: isEqual, within: isWithin, tensors, ...details, ...places };
}
