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

/** Preprocesses pictures in threads, batch by batch, and writes outputs to OUT as they come. Without --jobs and --batch
 * the file has to be that of one batch of all pictures: throws NotJoined if their outputs show that it is not. `about`:
 * what the report says of the processor.
 * @type {(streams: Streams, call: Call, paths: string[], processor: { settings: string | object, about: object }) =>
 *   Promise<Outcome>} */
export async function preprocessMany(streams, call, paths, { settings, about }) {
  const { batch, backend, dtype, className, orientation, onError, maxBytes, maxPixels } = call.options;
  // The caller asked for one batch of all pictures: it is made of batches of one.
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

/** Refuses options and files that --jobs and --batch cannot take.
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

/** Tells whether the one batch of several pictures may be made of batches of one picture each, in threads, and written
 * as they come: OUT must be a file that can grow, whose name states its format as `saveOutputs` reads it, and the
 * processor must treat pictures independently.
 * @type {(call: Call, paths: string[], processor: ImageProcessor) => boolean} */
export function canStream({ out, extension, options: { trimap, onError } }, paths, processor) {
  if (paths.length < 2 || paths.includes('-') || trimap || out === '-' || !out.endsWith(extension)) return false;
  // A .safetensors file states its rows before they are known.
  if (onError === 'skip' && extension !== '.npy') return false;
  return isJoined(processor);
}

/** Tells, by a test with gray pictures, whether a batch of two has the outputs of one picture twice, joined along the
 * first axis. False if the processor does not take them. Whether pictures of other sizes join shows when their outputs
 * come: {@link checkJoined}.
 * @type {(processor: ImageProcessor) => boolean} */
function isJoined(processor) {
  const gray = { width: 448, height: 448, channels: 3, data: new Uint8Array(448 * 448 * 3).fill(128) };
  try {
    const [single, two] = [processor([gray]), processor([gray, gray])];
    return Object.keys(single).every((name) => {
      const [{ dims, data }, both] = [single[name], two[name]];
      // Some outputs number the pictures of a batch, so those of the second one are others.
      const isTwice = Buffer.concat([bytesOf(data), bytesOf(data)]).equals(bytesOf(both.data));
      return isTwice && String(both.dims) === String([2 * dims[0], ...dims.slice(1)]);
    });
  } catch {
    return false;
  }
}

/** @type {(outputs: Record<string, Tensor>) => Record<string, readonly number[] | undefined>} */
const dimsOf = (outputs) => Object.fromEntries(Object.entries(outputs).map(([name, { dims }]) => [name, dims]));

/** Yields batches of one picture each as they are, and throws NotJoined at one whose outputs do not join those of the
 * first along the first axis: other dims than the first differ. In a .safetensors file the first must not differ
 * either, because the file states its rows before they are known. Batches of pictures that failed have no outputs.
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

/** Yields batches as they are, says on stderr which pictures failed, and adds these to `failed`, and what was done with
 * each picture to `rows` if it `isAsked`. Throws if no picture is left.
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
