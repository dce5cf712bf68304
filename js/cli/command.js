/** Runs one command of the command line. */
import { resolve } from 'node:path';
import { init } from '../index.js';
import { choose, outputFiles, readTensors, writeFiles } from './files.js';
import { clearProgress, progress, safe } from './terminal.js';
import { UsageError } from './options.js';
import { readUsage } from './usage.js';

/** @import { Streams } from './terminal.js' */
/** @import { Outcome } from './options.js' */
/** @import { Usage } from './usage.js' */

/**
 * Runs a command, and says on stderr what is wrong with it.
 * @param {string[]} args as they stand after the program's name
 * @param {Streams} streams Node's `process` has them
 * @returns {Promise<number>} the exit status
 */
export async function run(args, streams) {
  try {
    const usage = readUsage(args);
    if ('help' in usage) {
      streams.stdout.write(usage.help);
      return 0;
    }
    await init();
    const { printed, status = 0 } = await (usage.work ? usage.work(streams) : convert(streams, usage));
    streams.stdout.write(printed);
    return status;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    clearProgress(streams);
    const message = safe(/** @type {Error} */ (error).message);
    streams.stderr.write(`onnx-layout: ${message}\n${isUsage ? 'onnx-layout --help says more\n' : ''}`);
    return isUsage ? 2 : 1;
  }
}

/**
 * @param {Streams} streams
 * @param {Usage} usage
 * @returns {Promise<Outcome>}
 */
async function convert(streams, { command, values, files, operate }) {
  const paths = files.slice(0, -1);
  const out = files[paths.length];
  if (out !== '-' && paths.some((path) => path !== '-' && resolve(path) === resolve(out)))
    throw new UsageError('OUT must not be IN');
  if (paths.filter((path) => path === '-').length > 1) throw new UsageError('standard input can be IN once');
  const sources = [];
  for (const path of paths) sources.push(await readTensors(streams, path, values.type));
  const tensors = sources.map((source) => choose(source.tensors, values.tensor));
  const [source] = sources;
  const name = values.tensor ?? /** @type {string} */ (source.tensors.keys().next().value);
  progress(
    streams,
    command,
    sources.reduce((sum, { bytes }) => sum + bytes.length, 0),
  );
  const result = /** @type {NonNullable<Usage['operate']>} */ (operate)(...tensors);
  const written = outputFiles(out, source, name, result);
  writeFiles(streams, written);
  clearProgress(streams);
  if (!values.json) return { printed: '' };
  const dims = [result].flat().map((piece) => piece.dims);
  return { printed: `${JSON.stringify({ files: written.map(([file]) => file), type: result.type, dims })}\n` };
}
