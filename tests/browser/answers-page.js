/** The door of answers on a page: results of goldens' cases. */
import { init } from 'onnx-layout/image';
import { init as initAnswers } from 'onnx-layout/postprocess';
import { digestOf } from '../engines/digest.js';
import { answerTo } from '../postprocess/golden-calls.js';

/** A result with the hash of each tensor in the place of its data. */
async function recordOf(value) {
  if (typeof value !== 'object' || value === null) return String(value);
  if (value.dims) return { type: value.type, dims: [...value.dims], sha256: await digestOf(value.data) };
  const entries = Object.entries(value).map(async ([name, part]) => [name, await recordOf(part)]);
  return Object.fromEntries(await Promise.all(entries));
}

/** The records of cases, each with its file. */
globalThis.answerRecords = async (cases) => {
  await Promise.all([init(), initAnswers()]);
  const records = [];
  for (const [file, one] of cases) records.push(await recordOf(answerTo[file](one)));
  return records;
};
