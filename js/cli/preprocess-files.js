/** The command 'preprocess' with `--jobs` or `--batch`: pictures of any number, in threads, to one file that grows. */
import { preprocessFiles, saveOutputs } from '../node/index.js';
import { UsageError } from './options.js';
import { meter, pictures } from './terminal.js';

/** @import { Call, Streams } from './types.js' */

/** @type {(streams: Streams, call: Call, paths: string[], config: string) => ReturnType<typeof saveOutputs>} */
export function preprocessMany(streams, { out, extension, options }, paths, config) {
  const { jobs, batch, backend, dtype, className, orientation, trimap } = options;
  if (trimap) throw new UsageError('--trimap is for one batch, without --jobs and --batch');
  if (paths.includes('-')) throw new UsageError('--jobs and --batch take files, got - for standard input');
  if (out === '-') throw new UsageError('--jobs and --batch need a file OUT, which is patched at the end, got -');
  if (!out.endsWith(extension))
    throw new UsageError(`--jobs and --batch take the format by the name of OUT, got ${out}`);
  const step = meter(streams, 'preprocess', { shown: pictures });
  step({ done: 0, total: paths.length });
  const batches = preprocessFiles(paths, config, {
    ...{ jobs, batch, backend, dtype, className, orientation, signal: streams.signal },
    onProgress: ({ done }) => step({ done, total: paths.length }),
  });
  return saveOutputs(out, batches, { total: paths.length });
}
