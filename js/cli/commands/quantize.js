/** The commands `quantize` and `dequantize`: a model with its weights packed, and back. */
import { either, largest } from '../../arguments/index.js';
import { dequantizeWeightsAsync, quantizeWeightsAsync } from '../../convert/index.js';
import { dataName, hasOutside, modelPaths, mostInside, withFiles, writeFiles } from '../files.js';
import { flag, integer, names, word } from '../options.js';
import { meter, safe, size } from '../terminal.js';

/** @import { OpenedModel } from '../../io/index.js' */
/** @import { Weights } from '../../node/index.js' */
/** @import { Call, Command, Make, Outcome, Streams, WeightsRow } from '../types.js' */

const shared = { form: 'IN OUT', shared: ['as', 'force'], extensions: ['.onnx'] };

/** @type {Command} */
export const quantize = {
  ...shared,
  summary: 'pack the weights of MatMul and Gather nodes in blocks',
  notes: "Packs as onnxruntime's quantizer does, and says of each node what became of it.",
  examples: [
    'quantize model.onnx small.onnx',
    'quantize model.onnx small.onnx --bits 8 --block-size 128 --exclude lm_head',
  ],
  options: {
    bits: integer('4', '2, 4 or 8'),
    'block-size': integer('32', 'rows that share a scale: 16 to 256'),
    symmetric: flag('without zero points'),
    form: word(['matmulnbits', 'qdq'], 'the nodes that take the packed weights'),
    ops: names('MatMul,Gather', 'the operators whose weights are packed; MatMul if omitted'),
    include: names('NAME,NAME', 'pack these nodes or weights alone'),
    exclude: names('NAME,NAME', 'leave these nodes or weights as they are'),
  },
  work: (streams, call) =>
    converted(streams, call, 'packed', (source, name, saving) => {
      const externalName = hasOutside(source) ? name : undefined;
      return quantizeWeightsAsync(modelOf(source), { ...call.options, externalName, ...saving });
    }),
};

/** @type {Command} */
export const dequantize = {
  ...shared,
  summary: 'give a model with packed weights plain ones again',
  examples: ['dequantize small.onnx plain.onnx'],
  options: {},
  work: (streams, call) =>
    converted(streams, call, 'unpacked', async (source, name, saving) => {
      const result = await dequantizeWeightsAsync(modelOf(source), { externalName: name, ...saving });
      const isLong = result.model.byteLength + (result.externalFile?.byteLength ?? 0) > mostInside;
      return isLong || hasOutside(source) ? result : dequantizeWeightsAsync(modelOf(source), saving);
    }),
};

/** @type {(source: Weights) => OpenedModel} */
function modelOf({ format, model }) {
  if (!model) throw new Error(`IN must be an .onnx file, got ${format}`);
  return model;
}

/** @type {(streams: Streams, call: Call, done: 'packed' | 'unpacked', make: Make) => Promise<Outcome>} */
function converted(streams, call, done, make) {
  const {
    inputs: [path],
    out,
  } = call;
  return withFiles(streams, [path], undefined, async ([source]) => {
    let bar = meter(streams, `reading ${path}`);
    const saving = { onProgress: (/** @type {Parameters<typeof bar>[0]} */ progress) => bar(progress) };
    const name = dataName(out);
    const { report, ...saved } = await make(source, name, saving);
    // A copy of IN would look as if it had worked.
    if (!report.some((row) => row[done]))
      throw new Error(`${refusalOf(call, source, { report, done })}: OUT is not written`);
    bar = meter(streams, `writing ${out}`);
    const files = await writeFiles(streams, modelPaths(out, name, saved));
    return { report: { files, report }, lines: table(report, done) };
  });
}

/** @type {(call: Call, source: Weights, result: { report: WeightsRow[], done: 'packed' | 'unpacked' }) => string} */
function refusalOf({ options: { ops = ['MatMul'] } }, { model }, { report, done }) {
  const [first] = report;
  if (first) return `no weights are ${done}, those of ${safe(first.node)} because ${first.why}`;
  if (done === 'unpacked') return 'IN must have packed weights, got none';
  const operators = [...new Set(model?.nodes.map(({ operator }) => operator))];
  const others = operators.length > shownOperators ? ', …' : '';
  const list = operators.length > 0 ? operators.slice(0, shownOperators).map(safe).join(', ') + others : 'none';
  return `IN must have nodes of ${either(ops)}, got ${list}`;
}

/** Most operators that a message lists. */
const shownOperators = 8;

/** Of a column: one long name would widen each line. */
const mostColumns = 80;

/** @type {(report: WeightsRow[], done: 'packed' | 'unpacked') => string[]} */
function table(report, done) {
  const lines = report.map((row) => {
    const { node, operator, weights, why, before = 0, after = 0, rms } = row;
    const error = rms === undefined ? '' : `, rms error ${Number(rms.toPrecision(3))}`;
    const facts = row[done] ? `${size(before)} to ${size(after)}${error}` : `${why}`;
    return [row[done] ? done : 'left', node, operator, weights, facts].map(safe);
  });
  const widths = [0, 1, 2, 3].map((i) => Math.min(mostColumns, largest(lines.map((line) => line[i].length))));
  const text = lines.map((line) => `${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`);
  // Weights that nodes share are there once.
  const once = new Map(report.filter((row) => row[done]).map((row) => [row.weights, row]));
  const sum = (/** @type {'before' | 'after'} */ key) =>
    [...once.values()].reduce((all, row) => all + (row[key] ?? 0), 0);
  const left = report.filter((row) => !row[done]).length;
  const total = `${report.length - left} ${done}, ${left} left: ${size(sum('before'))} to ${size(sum('after'))}`;
  return [...text, total];
}
