/** The command `preprocess` of several files: pictures of any number, in threads, to one file that grows. */
import { bytesOf } from '../../arguments/index.js';
import { preprocessFiles, saveOutputs } from '../../node/index.js';
import { UsageError } from '../options.js';
import { clearProgress, meter, pictures, safe, withoutFunction } from '../terminal.js';

/** @import { Call, ImageProcessor, LeftOut, Outcome, Streams } from '../types.js' */

/** @typedef {ReturnType<typeof preprocessFiles>} Batches */
/** @typedef {{ isAsked: boolean, rows: object[], failed: LeftOut[] }} Report `rows`: what was done with each picture,
 *   if it `isAsked` */

/** The exit status where a file was written without some of the pictures. */
const someLeftOut = 3;
/** Fewer pictures are done before threads have started: one takes 240 ms of processor time. */
const fewPictures = 16;

/** The outputs of one picture do not follow those of another: they are padded to one size, or differ in number. */
export class NotJoined extends Error {}

/** Preprocesses pictures in threads, batch by batch, and writes outputs to OUT as they come. Without --jobs and --batch
 * the caller asked for one batch of all pictures, which is made of batches of one: throws NotJoined if their outputs
 * show that it cannot be. `about`: what the report says of the processor.
 * @type {(streams: Streams, call: Call, paths: string[], processor: { settings: string | object, about: object }) =>
 *   Promise<Outcome>} */
export async function preprocessMany(streams, call, paths, { settings, about }) {
  const { jobs: askedJobs, batch, backend, dtype, className, orientation, onError, maxBytes, maxPixels } = call.options;
  const isOneBatch = askedJobs === undefined && batch === undefined;
  if (!isOneBatch) checkCall(call, paths);
  const isQuick = isOneBatch && paths.length < fewPictures;
  const jobs = isQuick ? 1 : askedJobs;
  const total = paths.length;
  const step = meter(streams, 'preprocess', { rateText: pictures });
  step({ done: 0, total });
  /** @type {Report} */
  const report = { isAsked: call.values.json === true, rows: [], failed: [] };
  const batches = preprocessFiles(paths, settings, {
    jobs,
    batch,
    backend,
    dtype,
    className,
    orientation,
    onError,
    maxBytes,
    maxPixels,
    steps: report.isAsked,
    onProgress: ({ done }) => step({ done, total }),
  });
  const checked = isOneBatch ? checkJoined(batches, call.extension) : batches;
  const reported = reportBatches(streams, checked, report);
  const { files, outputs } = await saveOutputs(call.out, reported, { total });
  const { rows: images, failed } = report;
  return { report: { files, ...about, images, failed, outputs }, status: failed.length > 0 ? someLeftOut : 0 };
}

/** Refuses arguments that --jobs and --batch cannot take.
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
  const areFiles = paths.length > 1 && !paths.includes('-') && !trimap;
  const isGrowingFile = out !== '-' && out.endsWith(extension);
  // A .safetensors file states its rows before they are known.
  const mayLoseRows = onError === 'skip' && extension !== '.npy';
  return areFiles && isGrowingFile && !mayLoseRows && isJoined(processor);
}

/** Tells, by a test with gray pictures, whether a batch of two has the outputs of one picture twice, joined along the
 * first axis. False if the processor does not take them. Whether pictures of other sizes join shows when their outputs
 * come: {@link checkJoined}.
 * @type {(processor: ImageProcessor) => boolean} */
function isJoined(processor) {
  const gray = { width: 448, height: 448, channels: 3, data: new Uint8Array(448 * 448 * 3).fill(128) };
  try {
    const singles = processor([gray]);
    const pairs = processor([gray, gray]);
    return Object.entries(singles).every(([name, single]) => {
      const pair = pairs[name];
      const [count, ...rest] = single.dims;
      const bytes = bytesOf(single.data);
      // Some outputs number the pictures of a batch, so the second picture has other bytes.
      const hasBytesTwice = Buffer.concat([bytes, bytes]).equals(bytesOf(pair.data));
      return hasBytesTwice && String(pair.dims) === String([2 * count, ...rest]);
    });
  } catch {
    return false;
  }
}

/** Yields batches of one picture each as they are, and throws NotJoined at one whose outputs do not join those of the
 * first along the first axis, because other extents differ. In a .safetensors file the first must not differ either,
 * because the file states its rows before they are known. Batches of pictures that failed have no outputs.
 * @type {(batches: Batches, extension: string) => Batches} */
async function* checkJoined(batches, extension) {
  const firstFixedAxis = extension === '.npy' ? 1 : 0;
  /** @type {string | undefined} */
  let expected;
  for await (const batch of batches) {
    if (batch.outputs) {
      const outputs = Object.values(batch.outputs);
      const fixedDims = JSON.stringify(outputs.map(({ dims }) => dims?.slice(firstFixedAxis)));
      expected ??= fixedDims;
      if (fixedDims !== expected) throw new NotJoined();
    }
    yield batch;
  }
}

/** Yields batches as they are, says on stderr which pictures failed, and fills the report. Throws if none is left.
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
