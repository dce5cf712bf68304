/** The command `diff`: how two tensors differ. */
import { choose, readEntry, withFiles } from './files.js';
import { difference } from './difference.js';
import { text, UsageError } from './options.js';
import { safe } from './terminal.js';

/** @import { Tensor } from '../index.js' */
/** @import { Place, Report, SpecialCommand } from './types.js' */

/** @type {SpecialCommand} */
export const diff = {
  help: ['A B [--atol 1e-5] [--rtol 1e-5]', 'how the tensor B differs from A'],
  options: { atol: text, rtol: text },
  read(values, files) {
    if (files.length !== 2) throw new UsageError(`diff takes two files, A and B, got ${files.length}`);
    const [atol, rtol] = [readTolerance('atol', values.atol), readTolerance('rtol', values.rtol)];
    const tolerance = atol === undefined && rtol === undefined ? undefined : { atol: atol ?? 0, rtol: rtol ?? 0 };
    return async (streams) => {
      const [a, b] = await withFiles(streams, files, values.dtype, (sources) =>
        Promise.all(sources.map(({ entries }, i) => readEntry(streams, files[i], choose(entries, values.tensor)))),
      );
      const hasDims = a.dims.length === b.dims.length && a.dims.every((extent, i) => extent === b.dims[i]);
      const found = hasDims ? difference(a, b, tolerance) : undefined;
      const isEqual = a.type === b.type && found?.differ === 0;
      const isWithin = isEqual || (tolerance !== undefined && found?.beyond === 0);
      const report = { isEqual, isWithin, a, b, found, tolerance };
      return { printed: values.json ? jsonOf(report) : linesOf(report), status: isWithin ? 0 : 1 };
    };
  },
};

/** @type {(name: string, given: string | undefined) => number | undefined} */
function readTolerance(name, given) {
  if (given !== undefined && !/^\d{1,15}(\.\d{1,15})?(e-?\d{1,3})?$/.test(given))
    throw new UsageError(`--${name} must be a number from 0 on, got ${given}`);
  return given === undefined ? undefined : Number(given);
}

/** @type {(dims: readonly number[], at: number) => number[]} */
function indexOf(dims, at) {
  const index = [];
  for (let axis = dims.length - 1, rest = at; axis >= 0; axis--) {
    index.unshift(rest % dims[axis]);
    rest = Math.floor(rest / dims[axis]);
  }
  return index;
}

/** @type {(tensor: Tensor) => string} */
const kindOf = ({ type, dims }) => `${type} [${dims.join(', ')}]`;

/** @type {(report: Report) => string} */
function linesOf({ isEqual, isWithin, a, b, found, tolerance }) {
  if (isEqual) return `equal: ${kindOf(a)}\n`;
  const lines = kindOf(a) === kindOf(b) ? [kindOf(a)] : [`${kindOf(a)} and ${kindOf(b)}`];
  if (found) {
    const { dims, elements, differ, beyond, first, largest, mean, ulps } = found;
    const place = (/** @type {Place} */ { at, values: [x, y] }) => `[${indexOf(dims, at).join(', ')}]: ${x} and ${y}`;
    const share = differ > 0 ? ` (${Number(((100 * differ) / elements).toPrecision(3))} %)` : '';
    lines.push(`differ   ${differ} of ${elements} elements${share}`);
    if (first) lines.push(`first    ${place(first)}`);
    if (largest) lines.push(`largest  ${largest.difference} at ${place(largest)}`, `mean     ${mean}`);
    if (ulps) lines.push(`ULPs     at most ${ulps.largest}, ${ulps.mean} on average`);
    if (tolerance) lines.push(isWithin ? 'within tolerance' : `beyond tolerance: ${beyond}`);
  }
  return lines.map((line) => `${safe(line)}\n`).join('');
}

/** @type {(report: Report) => string} */
function jsonOf({ isEqual, isWithin, a, b, found }) {
  const tensors = [a, b].map(({ type, dims }) => ({ type, dims }));
  /** @type {(key: string, value: any) => unknown} */
  const plain = (_, value) => {
    // JSON has no infinity.
    if (value === Infinity) return 'Infinity';
    if (!found || typeof value?.at !== 'number') return value;
    const { at, ...more } = value;
    return { index: indexOf(found.dims, at), ...more };
  };
  return `${JSON.stringify({ equal: isEqual, within: isWithin, tensors, ...found }, plain, 2)}\n`;
}
