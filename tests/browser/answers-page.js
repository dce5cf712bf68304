/** The door of answers on a page: results of goldens' cases. */
import { init } from 'onnx-layout';
import { init as initAnswers } from 'onnx-layout/postprocess';
import { answerTo } from '../postprocess/golden-calls.js';

async function digestOf(data) {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

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
