/** Runs one command of the command line. */
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { dtypes, init } from '../index.js';
import { allFiles, choose, outputFiles, readEntry, withFiles, writeFiles } from './files.js';
import { clearProgress, progress, safe } from './terminal.js';
import { checkOut, UsageError } from './options.js';
import { readUsage } from './usage.js';

/** @import { Weights } from '../node/index.js' */
/** @import { Files, Outcome, Outgoing, Streams, Usage } from './types.js' */

/** The exit status of a program that SIGINT ended, as shells have it. */
const interrupted = 130;

/**
 * Gives the exit status, and says on stderr what is wrong.
 * @type {(args: string[], streams: Streams) => Promise<number>}
 */
export async function run(args, streams) {
  try {
    const usage = readUsage(args);
    if ('help' in usage) {
      streams.stdout.write(usage.help);
      return 0;
    }
    // inspect seldom needs the module, and would take a fifth longer.
    if (usage.command !== 'inspect') await init();
    const { printed, status = 0 } = await (usage.work ? usage.work(streams) : convert(streams, usage));
    streams.stdout.write(printed);
    return status;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    clearProgress(streams);
    if (streams.signal?.aborted) return interrupted;
    const message = safe(/** @type {Error} */ (error).message);
    streams.stderr.write(`onnx-layout: ${message}\n${isUsage ? 'onnx-layout --help says more\n' : ''}`);
    return isUsage ? 2 : 1;
  }
}

/** @type {(streams: Streams, usage: Usage) => Promise<Outcome>} */
async function convert(streams, usage) {
  const { values, files } = usage;
  const paths = files.slice(0, -1);
  const out = files[paths.length];
  if (paths.filter((path) => path === '-').length > 1) throw new UsageError('standard input can be IN once');
  checkOut(out, paths, values.force);
  // Without OUT, the last IN would be taken for it.
  if (usage.command === 'concat' && out !== '-' && !values.force && existsSync(out))
    throw new UsageError(`concat: OUT must not exist, got ${out}: --force replaces it`);
  if (values.all && extname(out) === '.onnx')
    throw new UsageError('cast --all must have OUT .safetensors: the graph of a model would keep the old types');
  return withFiles(streams, paths, values.dtype, async (sources) => {
    const [source] = sources;
    const { files: written, ...shown } = values.all
      ? await convertAll(streams, usage, source, out)
      : await convertOne(streams, usage, sources, out);
    await writeFiles(streams, written);
    clearProgress(streams);
    if (!values.json) return { printed: '' };
    return { printed: `${JSON.stringify({ files: written.map(([file]) => file), ...shown })}\n` };
  });
}

/**
 * @type {(streams: Streams, usage: Usage, sources: Weights[], out: string) => Promise<{ files: Files, type: string,
 * dims: (readonly number[])[] }>}
 */
async function convertOne(streams, { command, values, files: paths, operate, transform }, sources, out) {
  const [source] = sources;
  const entries = sources.map((one) => choose(one.entries, values.tensor));
  const name = values.tensor ?? /** @type {string} */ (source.entries.keys().next().value);
  /** @type {Outgoing | Outgoing[] | undefined} */
  let result = transform?.(...entries);
  if (!result) {
    const tensors = [];
    for (const [i, entry] of entries.entries()) tensors.push(await readEntry(streams, paths[i], entry));
    progress(
      streams,
      command,
      entries.reduce((sum, { byteLength }) => sum + byteLength, 0),
    );
    result = /** @type {Outgoing | Outgoing[]} */ (/** @type {NonNullable<Usage['operate']>} */ (operate)(...tensors));
  }
  const files = await outputFiles(streams, out, source, name, result);
  const list = [result].flat();
  return { files, type: list[0]?.type ?? entries[0].type, dims: list.map(({ dims }) => dims) };
}

/** @type {(streams: Streams, usage: Usage, source: Weights, out: string) => Promise<{ files: Files }>} */
async function convertAll(streams, { transform }, source, out) {
  const results = Array.from(source.entries, ([name, entry]) => {
    const isFloat = dtypes[entry.type].format.kind === 'float';
    return /** @type {const} */ ([name, isFloat ? /** @type {any} */ (transform)(entry) : entry]);
  });
  return { files: await allFiles(streams, out, source, new Map(results)) };
}
