/** The command 'preprocess' with `--jobs` or `--batch`: pictures of any number, in threads, to one file that grows. */
import { preprocessFiles, saveOutputs } from '../../node/index.js';
import { UsageError } from '../options.js';
import { clearProgress, meter, pictures, safe, withoutFunction } from '../terminal.js';

/** @import { Call, LeftOut, Outcome, Streams } from '../types.js' */

/** @typedef {ReturnType<typeof preprocessFiles>} Batches */

/** The exit status where a file was written without some of the pictures. */
const someLeftOut = 3;

/** @type {(streams: Streams, call: Call, paths: string[], processor: { settings: string | object, about: object }) =>
 *   Promise<Outcome>} */
export async function preprocessMany(streams, call, paths, { settings, about }) {
  checkCall(call, paths);
  const { jobs, batch, backend, dtype, className, orientation, onError, maxBytes, maxPixels } = call.options;
  const step = meter(streams, 'preprocess', { shown: pictures });
  step({ done: 0, total: paths.length });
  const batches = preprocessFiles(paths, settings, {
    ...{ jobs, batch, backend, dtype, className, orientation, onError, maxBytes, maxPixels },
    onProgress: ({ done }) => step({ done, total: paths.length }),
  });
  /** @type {LeftOut[]} */
  const failed = [];
  const saved = await saveOutputs(call.out, reportFailures(streams, batches, failed), { total: paths.length });
  const images = paths.length - failed.length;
  return { report: { ...about, ...saved, images, failed }, status: failed.length > 0 ? someLeftOut : 0 };
}

/** @type {(call: Call, paths: string[]) => void} */
function checkCall({ out, extension, options: { trimap, onError } }, paths) {
  if (trimap) throw new UsageError('--trimap is for one batch, without --jobs and --batch');
  if (paths.includes('-')) throw new UsageError('--jobs and --batch take files, got - for standard input');
  if (out === '-') throw new UsageError('--jobs and --batch need a file OUT, which is patched at the end, got -');
  if (!out.endsWith(extension))
    throw new UsageError(`--jobs and --batch take the format by the name of OUT, got ${out}`);
  if (onError === 'skip' && extension !== '.npy')
    throw new UsageError(`--on-error skip needs OUT .npy, which may have fewer rows than planned, got ${out}`);
}

/** The batches, while standard error says which pictures are not in them.
 * @type {(streams: Streams, batches: Batches, all: LeftOut[]) => Batches} */
async function* reportFailures(streams, batches, all) {
  let hasOutputs = false;
  for await (const made of batches) {
    for (const { path, error } of made.failed) {
      const why = withoutFunction(error.message);
      clearProgress(streams);
      streams.stderr.write(`onnx-layout: left out ${safe(path)}: ${safe(why)}\n`);
      all.push({ file: path, error: why });
    }
    hasOutputs ||= made.outputs !== undefined;
    yield made;
  }
  if (!hasOutputs) throw new Error('no picture is left');
}
