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
async function convert(streams, { command, values, files: [path, out], operate }) {
  const source = await readTensors(streams, path, values.type);
  const tensor = choose(source.tensors, values.tensor);
  const name = values.tensor ?? /** @type {string} */ (source.tensors.keys().next().value);
  if (out !== '-' && path !== '-' && resolve(out) === resolve(path)) throw new UsageError('OUT must not be IN');
  progress(streams, command, source.bytes.length);
  const result = /** @type {NonNullable<Usage['operate']>} */ (operate)(tensor);
  const files = outputFiles(out, source, name, result);
  writeFiles(streams, files);
  clearProgress(streams);
  if (!values.json) return { printed: '' };
  const dims = [result].flat().map((piece) => piece.dims);
  return { printed: `${JSON.stringify({ files: files.map(([file]) => file), type: result.type, dims })}\n` };
}
