/** The command `preprocess` of several files: pictures of any number, in threads, to one file that grows. */
import { bytesOf } from '../../arguments/index.js';
import { preprocessFiles, saveOutputs } from '../../node/index.js';
import { UsageError } from '../options.js';
import { clearProgress, meter, pictures, safe, withoutFunction } from '../terminal.js';

/** @import { Tensor } from '../../index.js' */
/** @import { Call, ImageProcessor, LeftOut, Outcome, Streams } from '../types.js' */

/** @typedef {ReturnType<typeof preprocessFiles>} Batches */
/** @typedef {{ isAsked: boolean, rows: object[], failed: LeftOut[] }} Report `isAsked`: whether rows are wanted */

/** The exit status where a file was written without some of the pictures. */
const someLeftOut = 3;
/** Fewer pictures are done before threads have started: one takes 240 ms of processor time. */
const fewPictures = 16;

/** The outputs of one picture do not follow those of another: they are padded to one size, or differ in number. */
export class NotJoined extends Error {}

/** Preprocesses pictures in threads, batch by batch, and writes outputs as they come.
 * @type {(streams: Streams, call: Call, paths: string[], processor: { settings: string | object, about: object }) =>
 *   Promise<Outcome>} */
export async function preprocessMany(streams, call, paths, { settings, about }) {
  const { batch, backend, dtype, className, orientation, onError, maxBytes, maxPixels } = call.options;
  const isOneBatch = call.options.jobs === undefined && batch === undefined;
  if (!isOneBatch) checkCall(call, paths);
  const jobs = call.options.jobs ?? (isOneBatch && paths.length < fewPictures ? 1 : undefined);
  const step = meter(streams, 'preprocess', { shown: pictures });
  step({ done: 0, total: paths.length });
  /** @type {Report} */
  const report = { isAsked: call.values.json === true, rows: [], failed: [] };
  const batches = preprocessFiles(paths, settings, {
    ...{ jobs, batch, backend, dtype, className, orientation, onError, maxBytes, maxPixels },
    steps: report.isAsked,
    onProgress: ({ done }) => step({ done, total: paths.length }),
  });
  const reported = reportBatches(streams, isOneBatch ? checkJoined(batches, call.extension) : batches, report);
  const { files, outputs } = await saveOutputs(call.out, reported, { total: paths.length });
  const { rows: images, failed } = report;
  return { report: { files, ...about, images, failed, outputs }, status: failed.length > 0 ? someLeftOut : 0 };
}

/** Refuses what --jobs and --batch cannot do.
 * @type {(call: Call, paths: string[]) => void} */
function checkCall({ out, extension, options: { trimap, onError } }, paths) {
  if (trimap) throw new UsageError('--trimap is for one batch, without --jobs and --batch');
  if (paths.includes('-')) throw new UsageError('--jobs and --batch take files, got - for standard input');
  if (out === '-') throw new UsageError('--jobs and --batch need a file OUT, which is patched at the end, got -');
  if (!out.endsWith(extension))
    throw new UsageError(`--jobs and --batch take the format by the name of OUT, got ${out}`);
  if (onError === 'skip' && extension !== '.npy')
    throw new UsageError(`--on-error skip needs OUT .npy, which may have fewer rows than planned, got ${out}`);
}

/** Whether several pictures may be read one after another, and still be one batch: two gray ones must give what each of
 * them gives alone, joined along the first axis.
 * @type {(call: Call, paths: string[], processor: ImageProcessor) => boolean} */
export function canStream({ out, extension, options: { trimap, onError } }, paths, processor) {
  if (paths.length < 2 || paths.includes('-') || trimap || out === '-' || !out.endsWith(extension)) return false;
  if (onError === 'skip' && extension !== '.npy') return false;
  return isJoined(processor);
}

/** Whether the outputs of two gray pictures are those of one, twice.
 * @type {(processor: ImageProcessor) => boolean} */
function isJoined(processor) {
  const gray = { width: 448, height: 448, channels: 3, data: new Uint8Array(448 * 448 * 3).fill(128) };
  try {
    const [single, two] = [processor([gray]), processor([gray, gray])];
    return Object.keys(single).every((name) => {
      const [{ dims, data }, both] = [single[name], two[name]];
      // Some outputs count on over the pictures of a batch.
      const isTwice = Buffer.concat([bytesOf(data), bytesOf(data)]).equals(bytesOf(both.data));
      return isTwice && String(both.dims) === String([2 * dims[0], ...dims.slice(1)]);
    });
  } catch {
    return false;
  }
}

/** @type {(outputs: Record<string, Tensor>) => Record<string, readonly number[] | undefined>} */
const dimsOf = (outputs) => Object.fromEntries(Object.entries(outputs).map(([name, { dims }]) => [name, dims]));

/** Passes on batches of one picture each, as long as all have the dims of the first behind the first axis; and as many
 * rows, where the file has to know them.
 * @type {(batches: Batches, extension: string) => Batches} */
async function* checkJoined(batches, extension) {
  let first = '';
  for await (const batch of batches) {
    if (batch.outputs) {
      const dims = Object.values(dimsOf(batch.outputs)).map((list) => list?.slice(extension === '.npy' ? 1 : 0));
      first ||= JSON.stringify(dims);
      if (JSON.stringify(dims) !== first) throw new NotJoined();
    }
    yield batch;
  }
}

/** Passes on batches, while standard error says which pictures are not in them.
 * @type {(streams: Streams, batches: Batches, report: Report) => Batches} */
async function* reportBatches(streams, batches, { isAsked, rows, failed }) {
  let hasOutputs = false;
  for await (const batch of batches) {
    for (const { path, error } of batch.failed) {
      const why = withoutFunction(error.message);
      clearProgress(streams);
      streams.stderr.write(`onnx-layout: left out ${safe(path)}: ${safe(why)}\n`);
      failed.push({ file: path, error: why });
    }
    if (isAsked) batch.paths.forEach((file, i) => rows.push({ file, ...batch.images?.[i] }));
    hasOutputs ||= batch.outputs !== undefined;
    yield batch;
  }
  if (!hasOutputs) throw new Error('no picture is left');
}
