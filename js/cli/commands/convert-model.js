/** The command `convert-model`: the files of other dtypes that transformers.js loads. */
import { mkdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { convertModelAsync, dequantizeWeightsAsync, modelFileName, quantizeWeightsAsync } from '../../convert/index.js';
import { hasOutside, maxBytesInside, totalBytes, withFiles, writeFiles } from '../files.js';
import { flag, integer, names, text, UsageError, word } from '../options.js';
import { counted, meter, size } from '../terminal.js';
import { refusalOf, weightsTable } from './weights-table.js';

/** @import { ModelLike, ReportRow } from '../../convert/index.js' */
/** @import { FileWriter } from '../../io/index.js' */
/** @import { Weights } from '../../node/index.js' */
/** @import { Call, Command, Files, OptionValues, Streams, WeightsRow } from '../types.js' */

/** @typedef {{ model: FileWriter, outside: [name: string, file: FileWriter][], report: (ReportRow | WeightsRow)[],
 *   lines: string[] }} Result */
/** @typedef {{ dtype: string, files: string[], before: number, after: number, external: number, report: (ReportRow |
 *   WeightsRow)[] }} Converted */
/** @typedef {Parameters<typeof modelFileName>[1]} Dtype */
/** One conversion. `path`: of the model's file; `isOutside`: whether the data go to a file beside it, as those of IN or
 * because IN's are too large for one file; `dataName`: the name of that file, which weights that are unpacked may need
 * even if `isOutside` is false
 * @typedef {{ source: Weights, model: ModelLike, path: string, dtype: Dtype, options: OptionValues, dataName:
 *   string, isOutside: boolean, onProgress: (progress: { done: number, total: number }) => void }} Job */

/** Bits of a weight, by the types that `--weights-only` takes. */
const bitsOf = new Map([
  ['q8', 8],
  ['q4', 4],
  ['q2', 2],
]);
/** Options that need --weights-only. */
const onlyWeights = ['form', 'ops', 'include', 'exclude'];

/** @type {Command} */
export const convertModel = {
  form: 'IN',
  summary: 'convert a whole model to the number types that transformers.js loads',
  notes:
    'Writes onnx/model_q4f16.onnx and its like, with the data of large models beside them, and says which nodes\n' +
    'stay float32, and why. With --weights-only, it packs the weights of MatMul and Gather nodes alone.\n' +
    '--dtype fp32 gives a model with packed weights plain ones again.',
  examples: [
    'convert-model model.onnx --dtype q4f16,fp16',
    'convert-model decoder_model_merged.onnx --dtype q8 --name decoder_model_merged --folder onnx',
    'convert-model model.onnx --dtype q4 --weights-only --ops MatMul,Gather --exclude lm_head',
    'convert-model onnx/model_q4.onnx --dtype fp32 --folder plain',
  ],
  options: {
    dtype: names('TYPE,TYPE', 'fp16, q8, int8, uint8, q4, q4f16, q2, q2f16, bnb4, fp32'),
    folder: text('FOLDER', 'where the files go; onnx if omitted'),
    name: text('NAME', 'how their names begin; model if omitted'),
    'no-keep-io': flag('inputs and outputs become float16 too', 'keepIo', false),
    float32: names('NAME,NAME', 'operators and nodes that stay float32'),
    'per-channel': flag('of 8 bits: a scale for each column'),
    'reduce-range': flag('of 8 bits: weights of 7 bits'),
    'no-subgraphs': flag('of 8 and 4 bits: leave the graphs inside of nodes', 'subgraphs', false),
    'block-size': integer('32', 'weights that share a scale: 16 to 256; 64 for bnb4'),
    asymmetric: flag('of q4 and q2: with zero points', 'symmetric', false),
    bnb4: word(['nf4', 'fp4'], 'the code of bnb4; nf4 if omitted'),
    'weights-only': flag('of q8, q4 and q2: pack weights in blocks, and leave all else as it is'),
    form: word(['matmulnbits', 'qdq'], 'of these: the nodes that take the packed weights'),
    ops: names('MatMul,Gather', 'of these: the operators whose weights are packed; MatMul if omitted'),
    include: names('NAME,NAME', 'of these: pack the weights of these nodes, or these weights, alone'),
    exclude: names('NAME,NAME', 'of these: leave the weights of these nodes, or these weights'),
  },
  required: ['dtype'],
  shared: [],
  /** Converts IN to each type of --dtype in turn. */
  work: (streams, call) =>
    withFiles(streams, call.inputs, undefined, async ([source]) => {
      if (!source.model) throw new Error(`IN must be an .onnx file, got ${source.format}`);
      checkOptions(call);
      /** @type {Converted[]} */
      const all = [];
      const lines = [];
      for (const dtype of call.options.dtype) {
        const { lines: more, ...converted } = await convertTo(streams, call, source, dtype);
        all.push(converted);
        lines.push(more);
      }
      return { report: all, lines: [...lines.flat(), ...configLines(all)] };
    }),
};

/** @type {(call: Call) => void} */
function checkOptions({ options }) {
  const { weightsOnly, dtype } = options;
  const dependent = onlyWeights.find((name) => options[name] !== undefined);
  if (!weightsOnly && dependent) throw new UsageError(`--${dependent} needs --weights-only`);
  const unpackable = dtype.find((/** @type {string} */ name) => !bitsOf.has(name));
  if (weightsOnly && unpackable) throw new UsageError(`--weights-only takes --dtype q8, q4 and q2, got ${unpackable}`);
}

/** Converts a model to one dtype, and writes its files. Gives what the report says of them (sizes in bytes; `external`:
 * how many files of data there are), and lines for the terminal. `source`: IN.
 * @type {(streams: Streams, call: Call, source: Weights, dtype: Dtype) => Promise<Converted & { lines: string[] }>} */
async function convertTo(streams, { inputs: [input], options }, source, dtype) {
  const { folder = 'onnx', name = 'model', dtype: _, ...rest } = options;
  const file = modelFileName(name, dtype);
  const path = join(folder, file);
  if (resolve(path) === resolve(input))
    throw new UsageError(`IN must not be an output, got ${path}: choose another --folder or --name`);
  const dataBytes = totalBytes(source.entries.values());
  // The result's bytes are known only when they are made, but are mostly fewer than IN's. Those of fp32 are more, and
  // `unpackWeights` counts them.
  const isOutside = hasOutside(source) || dataBytes > maxBytesInside;
  // `convert` reads the model; the weights are converted when they are written, so `onProgress` then moves the next
  // bar.
  let bar = meter(streams, `reading ${input}`);
  const convert = conversionOf(dtype, rest.weightsOnly);
  const result = await convert({
    source,
    model: /** @type {NonNullable<typeof source.model>} */ (source.model),
    path,
    dtype,
    options: rest,
    dataName: `${file}_data`,
    isOutside,
    onProgress: (progress) => bar(progress),
  });
  bar = meter(streams, `writing ${path}`);
  mkdirSync(folder, { recursive: true });
  /** @type {Files} */
  const dataFiles = result.outside.map(([location, content]) => [join(folder, location), content]);
  /** @type {Files} */
  const written = [...dataFiles, [path, result.model]];
  const after = totalBytes(written.map(([, content]) => content));
  const before = Math.max(source.byteLength, dataBytes); // the data may lie in other files than IN
  const files = await writeFiles(streams, written);
  const lines = [`${dtype}  ${path}  ${size(before)} to ${size(after)}`, ...result.lines];
  return { dtype, files, before, after, external: result.outside.length, report: result.report, lines };
}

/** @type {(dtype: Dtype, weightsOnly: boolean | undefined) => (job: Job) => Promise<Result>} */
function conversionOf(dtype, weightsOnly) {
  if (dtype === 'fp32') return unpackWeights;
  return weightsOnly ? packWeights : convertNodes;
}

/** Converts the weights and computations of a model to a number type of transformers.js, any but fp32.
 * @type {(job: Job) => Promise<Result>} */
async function convertNodes({ model, dtype, options, dataName, isOutside, onProgress }) {
  const externalName = isOutside ? dataName : undefined;
  const packedType = /** @type {Exclude<Dtype, 'fp32'>} */ (dtype);
  const call = { ...options, dtype: packedType, externalName, onProgress };
  const { report, ...saved } = await convertModelAsync(model, call);
  return { model: saved.model, outside: [...(saved.externalFiles ?? [])], report, lines: float32Lines(report) };
}

/** Packs the weights of some nodes in blocks, and leaves all else as it is: --weights-only.
 * @type {(job: Job) => Promise<Result>} */
async function packWeights({ source, model, path, dtype, options, dataName, isOutside, onProgress }) {
  // Symmetric if omitted, as `convertModelAsync` has it: `quantizeWeightsAsync` would take zero points.
  const { weightsOnly: _, symmetric = true, ...rest } = options;
  const { report, ...saved } = await quantizeWeightsAsync(model, {
    ...rest,
    bits: /** @type {2 | 4 | 8} */ (bitsOf.get(dtype)),
    symmetric,
    externalName: isOutside ? dataName : undefined,
    onProgress,
  });
  return packedResult(source, path, saved, { dataName, report, done: 'packed', ops: options.ops });
}

/** Replaces packed weights by plain ones, with the data in another file if the model is too large for one.
 * @type {(job: Job) => Promise<Result>} */
async function unpackWeights({ source, model, path, dataName, isOutside, onProgress }) {
  // Whether one file is enough is known only when the size of the plain weights is.
  const split = await dequantizeWeightsAsync(model, { externalName: dataName, onProgress });
  const fitsOneFile = split.model.byteLength + (split.externalFile?.byteLength ?? 0) <= maxBytesInside;
  const isSplit = isOutside || !fitsOneFile;
  const { report, ...saved } = isSplit ? split : await dequantizeWeightsAsync(model, { onProgress });
  return packedResult(source, path, saved, { dataName, report, done: 'unpacked' });
}

/** Makes the result of packing or unpacking. Refuses a model of which no weights were packed or unpacked. `ops`: the
 * operators whose weights were asked for.
 * @type {(source: Weights, path: string, saved: { model: FileWriter, externalFile?: FileWriter }, about: { dataName:
 *   string, report: WeightsRow[], done: 'packed' | 'unpacked', ops?: string[] }) => Result} */
function packedResult(source, path, { model, externalFile }, { dataName, report, done, ops = ['MatMul'] }) {
  // A copy of IN would look as if it had worked.
  if (!report.some((row) => row[done]))
    throw new Error(`${refusalOf(ops, source, report, done)}: no ${path} is written`);
  return { model, outside: externalFile ? [[dataName, externalFile]] : [], report, lines: weightsTable(report, done) };
}

/** Writes the line with the entry that the model's config.json needs if models have data in other files: how many files
 * each has.
 * @type {(all: readonly Converted[]) => string[]} */
function configLines(all) {
  const outside = all.filter(({ external }) => external > 0);
  if (outside.length === 0) return [];
  const counts = outside.map(({ files, external }) => {
    const model = /** @type {string} */ (files.at(-1));
    return [basename(model), external];
  });
  const config = { 'transformers.js_config': { use_external_data_format: Object.fromEntries(counts) } };
  return [`config.json needs ${JSON.stringify(config)}`];
}

/** Most names that a line shows. */
const shownNames = 3;

/** Writes a line for each reason for which nodes stay float32. Rows without a node are about a weight that changed.
 * @type {(report: readonly ReportRow[]) => string[]} */
function float32Lines(report) {
  /** @type {Map<string, string[]>} */
  const reasons = new Map();
  for (const { node, reason = '' } of report)
    if (node !== undefined) reasons.set(reason, [...(reasons.get(reason) ?? []), node]);
  return Array.from(reasons, ([reason, nodes]) => {
    const more = nodes.length > shownNames ? ', …' : '';
    return `  float32, ${reason}: ${counted(nodes.length, 'node')}, ${nodes.slice(0, shownNames).join(', ')}${more}`;
  });
}
