/**
 * Does one piece of work on a large file, in a process of its own, and prints the memory that it took.
 *
 * node large.process.js WORK IN OUT
 */
import { readFileSync } from 'node:fs';
import { dequantizeWeightsAsync, quantizeWeightsAsync } from 'onnx-layout/convert';
import { Entry, saveNpy, saveSafetensors } from 'onnx-layout/io';
import { init } from 'onnx-layout';
import { openWeights, writeFiles } from 'onnx-layout/node';

const [work, input, output] = process.argv.slice(2);

/** A model's data: the graph is of no interest here. */
const dataOf = async (made) => (await made).externalFile;

/** The work on the first entry of the file, or on its model. */
const makers = {
  cast: (entry) => saveSafetensors(new Map([['w', entry.cast('float16')]])),
  transpose: (entry) => saveNpy(entry.transpose()),
  slice: (entry) => saveNpy(entry.slice([1], [2 ** 31 - 1], [1], [2])),
  concat: (entry) => saveNpy(Entry.concat([entry, entry], { axis: 1 })),
  quantize: (_, model) => dataOf(quantizeWeightsAsync(model, { symmetric: true, externalName: 'a' })),
  dequantize: (_, model) => dataOf(dequantizeWeightsAsync(model, { externalName: 'a' })),
};

await init();
const before = process.memoryUsage().rss;
const { entries, model, close } = await openWeights(input);
const [entry] = entries.values();
await writeFiles({ [output]: await makers[work](entry, model) });
await close();
// In kB. The system's peak of a process counts that of the one that it was forked from, so Linux's own of its memory.
const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'));
console.log(JSON.stringify({ before, grown: Number(peak) * 1024 - before }));
