/** The commands `dataset build`, `dataset merge` and `dataset check`: pictures or audio in, shards of tensors out. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { buildDataset, checkDataset, mergeDataset } from '../../node/index.js';
import { readConfig } from '../files.js';
import { expandPatterns } from '../globs.js';
import { flag, integer, json, path, shardPart, text, UsageError, word } from '../options.js';
import { clearProgress, counted, inputs as inputRate, meter, safe, size } from '../terminal.js';

/** @import { Command, Streams } from '../types.js' */

/** The exit status where a data set lacks some of the inputs. */
const someLeftOut = 3;

/** @type {Command} */
const build = {
  form: '[SOURCE…] TARGET',
  summary: 'make shards of tensors of any number of pictures or WAV files, and go on after a crash',
  notes:
    'A SOURCE is a picture, a WAV file, a folder, a quoted pattern, a WebDataset .tar, or - for a list of paths on\n' +
    'standard input. TARGET is a folder. A shard that is there is left alone; the same call goes on where it ended.\n' +
    'With --shard, calls on any machines make parts of the shards; dataset merge then writes index.json.',
  examples: [
    'dataset build photos shards --config preprocessor_config.json --dtype float16',
    'dataset build --from list.txt shards --config model-folder --shard-rows 1000 --on-error skip',
    "dataset build 'wds/{00..99}.tar' shards --config model-folder --shard 3/128",
  ],
  options: {
    config: path('the preprocessor_config.json of the model, or the folder that has it'),
    from: path('a list of paths, one a line; - for standard input'),
    shard: shardPart('I/N', 'part I of N, I from 0; auto/N takes I from Slurm, Kubernetes or AWS Batch'),
    'shard-rows': integer('N', 'inputs of a shard'),
    'shard-bytes': integer('N', 'bytes of a shard, by the first output; 256 MiB if omitted'),
    name: text('NAME', 'how shards are called; data if omitted'),
    format: word(['safetensors', 'npy'], 'of shards; npy is for one output of fixed dims'),
    jobs: integer('N', 'work in so many threads; as many as cores if omitted'),
    'on-error': word(
      ['throw', 'skip'],
      'skip leaves out inputs that fail, lists them in errors.jsonl, ends with status 3',
    ),
    force: flag('replace shards of other inputs or options'),
    dtype: word(['float32', 'float16', 'bfloat16'], 'what floats become'),
    backend: word(['torchvision', 'pil'], 'of pictures: the fast processor, if omitted, or the slow one'),
    'class-name': text('NAME', 'the class, where it is not that of the configuration'),
    settings: json('JSON', 'options of the call, by their names in Python: {"do_resize": false}'),
    mono: flag('of audio: the mean of the channels'),
    orientation: word(['upright', 'ignore'], 'whether pictures are turned as their EXIF says'),
    'max-pixels': integer('N', 'of a picture; 178956970 if omitted'),
    'max-bytes': integer('N', 'what an input becomes; 1 GiB if omitted'),
  },
  required: ['config'],
  shared: [],
  /** Makes the shards of TARGET, says on stderr which inputs failed, and reports the counts. */
  async work(streams, { inputs, options: { config, from, ...options } }) {
    const target = /** @type {string} */ (inputs.at(-1));
    const sources = await readSources(streams, inputs.slice(0, -1), from);
    const step = meter(streams, 'dataset build', { rateText: inputRate, isLogged: true });
    const shards = buildDataset(sources, target, { config: await readConfig(config), onProgress: step, ...options });
    const report = { target, shards: 0, made: 0, rows: 0, bytes: 0, failed: 0 };
    for await (const { rows, bytes, failed, isNew } of shards) {
      for (const { key, error } of failed) {
        clearProgress(streams);
        streams.stderr.write(`onnx-layout: left out ${safe(key)}: ${safe(error)}\n`);
      }
      report.shards++;
      if (isNew) report.made++;
      report.rows += rows;
      report.bytes += bytes;
      report.failed += failed.length;
    }
    const text = `${counted(report.shards, 'shard')}, ${report.made} of them new, ${counted(report.rows, 'row')}`;
    return { report, lines: [`${text}, ${size(report.bytes)}`], status: report.failed > 0 ? someLeftOut : 0 };
  },
};

/** Lists the paths of SOURCE…, with patterns expanded, then those in the lists: standard input for -, and --from.
 * @type {(streams: Streams, args: string[], from: string | undefined) => Promise<string[]>} */
async function readSources(streams, args, from) {
  const sources = expandPatterns(args.filter((source) => source !== '-'));
  const isListed = args.includes('-');
  if (from === undefined && args.length === 0) throw new UsageError('dataset build takes SOURCE… TARGET or --from');
  if (isListed && from === '-') throw new UsageError('standard input can be read once');
  const lists = [...(isListed ? ['-'] : []), ...(from === undefined ? [] : [from])];
  for (const list of lists) for (const line of await linesOf(streams, list)) sources.push(line);
  return sources;
}

/** Reads the lines of a file, or of standard input for -, without empty ones.
 * @type {(streams: Streams, path: string) => Promise<string[]>} */
async function linesOf(streams, path) {
  const lines = [];
  const input = path === '-' ? Readable.from(streams.stdin) : createReadStream(path);
  for await (const line of createInterface({ input, crlfDelay: Infinity })) if (line !== '') lines.push(line);
  return lines;
}

/** @type {Command} */
const merge = {
  form: 'TARGET',
  summary: 'write index.json and errors.jsonl of a data set whose parts are all there',
  examples: ['dataset merge shards'],
  options: {},
  shared: [],
  async work(_, { inputs: [target] }) {
    const { shards, outputs } = await mergeDataset(target);
    const rows = shards.reduce((sum, shard) => sum + shard.rows, 0);
    return {
      report: { shards: shards.length, rows, outputs },
      lines: [`${counted(shards.length, 'shard')}, ${counted(rows, 'row')}`],
    };
  },
};

/** @type {Command} */
const check = {
  form: 'TARGET',
  summary: "compare the shards' bytes, rows and keys with index.json",
  examples: ['dataset check shards --json'],
  options: {},
  shared: [],
  async work(streams, { inputs: [target] }) {
    const report = await checkDataset(target, { onProgress: meter(streams, 'dataset check') });
    const lines = report.faults.map(({ file, fault }) => `${file}: ${fault}`);
    if (lines.length === 0)
      lines.push(`${counted(report.shards, 'shard')}, ${counted(report.rows, 'row')}, ${size(report.bytes)}`);
    return { report, lines, status: report.faults.length > 0 ? 1 : 0 };
  },
};

/** @type {Record<string, Command>} */
export const datasetCommands = { 'dataset build': build, 'dataset merge': merge, 'dataset check': check };
