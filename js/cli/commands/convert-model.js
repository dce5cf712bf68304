/** The command `convert-model`: the files of other dtypes that transformers.js loads. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { convertModelAsync, modelFileName } from '../../convert/index.js';
import { hasOutside, mostInside, withFiles, writeFiles } from '../files.js';
import { flag, integer, names, text, word } from '../options.js';
import { meter, size } from '../terminal.js';

/** @import { ReportRow } from '../../convert/index.js' */
/** @import { Weights } from '../../node/index.js' */
/** @import { Call, Command, Files, Streams } from '../types.js' */

/** @typedef {{ dtype: string, files: string[], before: number, after: number, external: number, report: ReportRow[] }}
 *   Converted */

/** @type {Command} */
export const convertModel = {
  form: 'IN',
  summary: 'convert a whole model to the number types that transformers.js loads',
  notes:
    'Writes onnx/model_q4f16.onnx and its like, with the data of large models beside them, and says which nodes\n' +
    'stay float32, and why.',
  examples: [
    'convert-model model.onnx --dtype q4f16,fp16',
    'convert-model decoder_model_merged.onnx --dtype q8 --name decoder_model_merged --folder onnx',
  ],
  options: {
    dtype: names('TYPE,TYPE', 'fp16, q8, int8, uint8, q4, q4f16, q2, q2f16, bnb4'),
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
  },
  required: ['dtype'],
  shared: [],
  work: (streams, call) =>
    withFiles(streams, call.inputs, undefined, async ([source]) => {
      if (!source.model) throw new Error(`IN must be an .onnx file, got ${source.format}`);
      /** @type {Converted[]} */
      const all = [];
      for (const dtype of call.options.dtype) all.push(await converted(streams, call, source, dtype));
      return { report: all, lines: linesOf(all) };
    }),
};

/** @type {(streams: Streams, call: Call, source: Weights, dtype: any) => Promise<Converted>} */
async function converted(streams, { options }, source, dtype) {
  const { folder = 'onnx', name = 'model', ...rest } = options;
  const file = modelFileName(name, dtype);
  const path = join(folder, file);
  const { model, entries } = source;
  const data = [...entries.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  const isOutside = hasOutside(source) || data > mostInside;
  const { report, ...saved } = await convertModelAsync(/** @type {NonNullable<typeof model>} */ (model), {
    ...rest,
    dtype,
    ...(isOutside && { externalName: `${file}_data` }),
    onProgress: meter(streams, `writing ${path}`),
  });
  const outside = [...(saved.externalFiles ?? [])];
  mkdirSync(folder, { recursive: true });
  /** @type {Files} */
  const written = outside.map(([location, writer]) => [join(folder, location), writer]);
  written.push([path, saved.model]);
  const after = written.reduce((sum, [, writer]) => sum + writer.byteLength, 0);
  const before = Math.max(source.byteLength, data);
  return { dtype, files: await writeFiles(streams, written), before, after, external: outside.length, report };
}

/** @type {(all: readonly Converted[]) => string[]} */
function linesOf(all) {
  const lines = all.flatMap(({ dtype, files, before, after, report }) => [
    `${dtype}  ${files.at(-1)}  ${size(before)} to ${size(after)}`,
    ...float32Lines(report),
  ]);
  const outside = all.filter(({ external }) => external > 0);
  if (outside.length === 0) return lines;
  const counts = outside.map(({ files, external }) => [/[^/\\]*$/.exec(files.at(-1) ?? '')?.[0], external]);
  const config = { 'transformers.js_config': { use_external_data_format: Object.fromEntries(counts) } };
  return [...lines, `config.json needs ${JSON.stringify(config)}`];
}

/** Most names that a line shows. */
const shownNames = 3;

/** @type {(report: readonly ReportRow[]) => string[]} nodes that stay float32, by their reasons */
function float32Lines(report) {
  /** @type {Map<string, string[]>} */
  const reasons = new Map();
  for (const { node, reason = '' } of report)
    if (node !== undefined) reasons.set(reason, [...(reasons.get(reason) ?? []), node]);
  return Array.from(reasons, ([reason, nodes]) => {
    const shown = nodes.slice(0, shownNames).join(', ') + (nodes.length > shownNames ? ', …' : '');
    return `  float32, ${reason}: ${nodes.length} node${nodes.length === 1 ? '' : 's'}, ${shown}`;
  });
}
