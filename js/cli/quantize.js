/** The commands `quantize` and `dequantize`: a model with its weights packed, and back. */
import { extname } from 'node:path';
import { dequantizeWeights, quantizeWeights } from '../io/index.js';
import { dataName, hasOutside, modelPaths, mostInside, withFiles, writeFiles } from './files.js';
import { checkOut, flag, text, UsageError, whole } from './options.js';
import { clearProgress, meter, safe, size } from './terminal.js';

/** @import { OpenedModel } from '../io/index.js' */
/** @import { Weights } from '../node/index.js' */
/** @import { Make, Outcome, SpecialCommand, Streams, Values, WeightsRow } from './types.js' */

/** @type {SpecialCommand} */
export const quantize = {
  help: [
    'IN OUT [--bits 4] [--block 32]',
    '[--symmetric] [--form matmulnbits|qdq] [--ops MatMul,Gather]',
    '[--include NAME,NAME] [--exclude NAME,NAME]',
  ],
  options: {
    ...{ bits: text, block: text, symmetric: flag, form: text, ops: text, include: text, exclude: text, force: flag },
  },
  read(values, files) {
    checkFiles('quantize', values, files);
    const { symmetric, form } = values;
    const [bits, block] = [whole('bits', values.bits), whole('block', values.block)];
    const [ops, include, exclude] = [values.ops, values.include, values.exclude].map((names) => names?.split(','));
    const options = /** @type {any} */ ({ bits, block, symmetric, form, ops, include, exclude });
    return (streams) =>
      worked(streams, values, files, 'packed', (source, name, saving) => {
        const externalName = hasOutside(source) ? name : undefined;
        return quantizeWeights(modelOf(source), { ...options, externalName, ...saving });
      });
  },
};

/** @type {SpecialCommand} */
export const dequantize = {
  help: ['IN OUT', 'a model with packed weights gets plain ones again'],
  options: { force: flag },
  read(values, files) {
    checkFiles('dequantize', values, files);
    return (streams) =>
      worked(streams, values, files, 'unpacked', async (source, name, saving) => {
        const result = await dequantizeWeights(modelOf(source), { externalName: name, ...saving });
        const isLong = result.model.byteLength + (result.external?.byteLength ?? 0) > mostInside;
        return isLong || hasOutside(source) ? result : dequantizeWeights(modelOf(source), saving);
      });
  },
};

/** @type {(command: string, values: Values, files: string[]) => void} */
function checkFiles(command, { tensor, force }, files) {
  if (files.length !== 2) throw new UsageError(`${command} takes two files, IN and OUT, got ${files.length}`);
  if (tensor !== undefined) throw new UsageError(`${command} takes all tensors: leave out --tensor`);
  const [path, out] = files;
  if (extname(out) !== '.onnx') throw new UsageError(`OUT must be .onnx, got ${out}`);
  checkOut(out, [path], force);
}

/** @type {(source: Weights) => OpenedModel} */
function modelOf({ format, model }) {
  if (!model) throw new Error(`IN must be an .onnx file, got ${format}`);
  return model;
}

/**
 * @type {(streams: Streams, values: Values, files: string[], done: 'packed' | 'unpacked', make: Make) =>
 * Promise<Outcome>}
 */
function worked(streams, { json, dtype }, [path, out], done, make) {
  return withFiles(streams, [path], dtype, async ([source]) => {
    let bar = meter(streams, `reading ${path}`);
    const { signal } = streams;
    const saving = { signal, onProgress: (/** @type {Parameters<typeof bar>[0]} */ progress) => bar(progress) };
    const name = dataName(out);
    const { report, ...saved } = await make(source, name, saving);
    bar = meter(streams, `writing ${out}`);
    const written = modelPaths(out, name, saved);
    await writeFiles(streams, written);
    clearProgress(streams);
    if (json) return { printed: `${JSON.stringify({ files: written.map(([file]) => file), report }, undefined, 2)}\n` };
    return { printed: table(report, done) };
  });
}

/** @type {(report: WeightsRow[], done: 'packed' | 'unpacked') => string} */
function table(report, done) {
  const lines = report.map((row) => {
    const { node, operator, weights, why, before = 0, after = 0, rms } = row;
    const error = rms === undefined ? '' : `, rms error ${Number(rms.toPrecision(3))}`;
    const facts = row[done] ? `${size(before)} to ${size(after)}${error}` : `${why}`;
    return [row[done] ? done : 'left', node, operator, weights, facts].map(safe);
  });
  const widths = [0, 1, 2, 3].map((i) => Math.max(...lines.map((line) => line[i].length)));
  const text = lines.map((line) => `${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}\n`);
  // Weights that nodes share are there once.
  const once = new Map(report.filter((row) => row[done]).map((row) => [row.weights, row]));
  const sum = (/** @type {'before' | 'after'} */ key) =>
    [...once.values()].reduce((all, row) => all + (row[key] ?? 0), 0);
  const left = report.filter((row) => !row[done]).length;
  const total = `${report.length - left} ${done}, ${left} left: ${size(sum('before'))} to ${size(sum('after'))}\n`;
  return text.join('') + total;
}
