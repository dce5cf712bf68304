/** Real models converted to other dtypes, and how far their outputs lie from those of the float32 model. */
import { ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { convertModel } from 'onnx-layout/convert';
import { readModel } from 'onnx-layout/io';
import * as ort from 'onnxruntime-web';

/** The largest distance that each dtype may have, as a part of the largest output. Most of these models are nets of
 * Conv, whose outputs 8 bits move by more than their size on noise, in onnxruntime's own quantizer too: they have to
 * run. */
const limits = { fp16: 0.03, q8: Infinity, q4f16: 0.2 };

const arrays = { float32: Float32Array, int32: Int32Array, int64: BigInt64Array };

/** Numbers that are the same each time: sines for floats, bytes for integers. */
function numbersOf(type, size) {
  if (type === 'float32') return Float32Array.from({ length: size }, (_, i) => Math.sin(i * 1.7 + (i % 11)));
  return arrays[type].from({ length: size }, (_, i) => (type === 'int64' ? BigInt(i % 256) : i % 256));
}

/** @type {(model: ReturnType<typeof readModel>, shapes: Record<string, unknown>) =>
 *   Record<string, ort.Tensor>} */
function inputsOf({ inputs, initializers }, shapes) {
  const feeds = {};
  for (const { name, type, dims } of inputs) {
    if (initializers.has(name)) continue;
    const { [name]: value = dims } = shapes;
    const isScalar = typeof value === 'bigint';
    const extents = isScalar ? [] : value;
    const size = extents.reduce((product, extent) => product * extent, 1);
    feeds[name] = new ort.Tensor(type, isScalar ? BigInt64Array.of(value) : numbersOf(type, size), extents);
  }
  return feeds;
}

/** @type {(file: Uint8Array, feeds: Record<string, ort.Tensor>) => Promise<ort.Tensor[]>} */
async function run(file, feeds) {
  const session = await ort.InferenceSession.create(file);
  const results = await session.run(feeds);
  await session.release();
  return session.outputNames.map((name) => results[name]);
}

/** @type {(actual: ort.Tensor[], wanted: ort.Tensor[]) => number} in parts of each output's largest number */
function distanceOf(actual, wanted) {
  let worst = 0;
  actual.forEach(({ data }, i) => {
    let [distance, largest] = [0, 0];
    for (let at = 0; at < data.length; at++) {
      distance = Math.max(distance, Math.abs(Number(data[at]) - Number(wanted[i].data[at])));
      largest = Math.max(largest, Math.abs(Number(wanted[i].data[at])));
      ok(!Number.isNaN(distance), 'an output must be a number');
    }
    worst = Math.max(worst, distance / largest);
  });
  return worst;
}

/**
 * Converts a model, runs it and says how far its outputs moved.
 * @param {string} path
 * @param {Record<string, unknown>} shapes the dims of inputs by name, or a scalar's value
 */
export async function compareConverted(path, shapes) {
  const file = new Uint8Array(readFileSync(path));
  const model = readModel(file);
  const feeds = inputsOf(model, shapes);
  const wanted = await run(file, feeds);
  const isMatrices = model.nodes.some(({ operator }) => operator === 'MatMul');
  for (const dtype of isMatrices ? ['fp16', 'q8', 'q4f16'] : ['fp16', 'q8']) {
    const { model: converted } = convertModel(file, { dtype });
    const distance = distanceOf(await run(converted, feeds), wanted);
    const size = (converted.length / file.length).toFixed(2);
    console.log(
      `${basename(path)} as ${dtype}: ${distance.toPrecision(2)} of the largest output, ${size} of the bytes`,
    );
    ok(distance <= limits[dtype], `${basename(path)} as ${dtype} must stay within ${limits[dtype]}`);
  }
}
