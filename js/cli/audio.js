/** The commands `features` and `resample`: audio in, what a model takes or another rate out. */
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { readNpy, writeNpy, writeSafetensors } from '../io/index.js';
import { streamedOutputs } from './audio-stream.js';
import { isNpy, readBytes, writeFiles } from './files.js';
import { checkOut, flag, text, UsageError, whole } from './options.js';
import { clearProgress, progress } from './terminal.js';

/** @import { Tensor } from '../index.js' */
/** @import { SpecialCommand, Streams } from './types.js' */

/** The audio door, ready. It is loaded here, so that the other commands start without it. */
async function loadAudio() {
  const audio = await import('../audio/index.js');
  await audio.init();
  return audio;
}

/**
 * The audio of a file: a WAV file, or a .npy file of float32 samples [n] or [channels, n].
 * @type {(streams: Streams, audio: Awaited<ReturnType<typeof loadAudio>>, path: string, mono: boolean) => Promise<{
 *   channelData: Float32Array[], sampleRate?: number }>}
 */
async function readAudio(streams, audio, path, mono) {
  const bytes = await readBytes(streams, path);
  const decoded = isNpy(bytes) ? npyAudio(path, bytes) : audio.decodeWav(bytes);
  return mono ? audio.toMono(decoded) : decoded;
}

/**
 * @param {string} path
 * @param {Uint8Array} bytes
 */
function npyAudio(path, bytes) {
  const { type, dims, data } = readNpy(bytes);
  if (type !== 'float32' || dims.length < 1 || dims.length > 2)
    throw new TypeError(`${path} must be float32 [n] or [channels, n], got ${type} [${dims.join(', ')}]`);
  const [count, length] = dims.length === 2 ? dims : [1, dims[0]];
  return { channelData: Array.from({ length: count }, (_, c) => data.subarray(c * length, (c + 1) * length)) };
}

/** @type {SpecialCommand} */
export const features = {
  help: [
    'AUDIO… OUT --config FILE',
    '[--extractor NAME] [--dtype float32|float16|bfloat16] [--mono]',
    '[--padding longest|max_length|do_not_pad] [--stream]',
  ],
  options: { config: text, extractor: text, padding: text, mono: flag, stream: flag, force: flag },
  read(values, files) {
    const { config, extractor: className, dtype, padding, mono = false, stream = false, json } = values;
    const inputs = files.slice(0, -1);
    const out = files.at(-1) ?? '';
    if (inputs.length === 0) throw new UsageError(`features takes audio and OUT, got ${files.length}`);
    if (config === undefined) throw new UsageError('features needs --config');
    if (!['.npy', '.safetensors'].includes(out === '-' ? '.npy' : extname(out)))
      throw new UsageError(`OUT must be .npy, .safetensors or -, got ${out}`);
    checkOut(out, [...inputs, config], values.force, 'an input');
    if (stream && (inputs.length > 1 || inputs[0] !== '-'))
      throw new UsageError(`--stream takes - alone, got ${inputs.join(' ')}`);
    if (json && out === '-') throw new UsageError('--json and the tensor cannot both go to standard output');
    return async (streams) => {
      const audio = await loadAudio();
      const extract = audio.featureExtractor(readFileSync(config, 'utf8'), { className });
      const options = { dtype, padding };
      const outputs = stream
        ? await streamedOutputs(audio, extract.stream(options), streams.stdin, mono)
        : await batchOutputs(streams, audio, extract, { inputs, mono, options });
      const written = filesOf(out, outputs);
      await writeFiles(streams, written);
      clearProgress(streams);
      const done = {
        files: written.map(([path]) => path),
        extractor: extract.className,
        ignored: extract.ignored,
        outputs: tensorsOf(outputs).map(([name, tensor]) => ({ name, type: tensor.type, dims: tensor.dims })),
      };
      return { printed: json ? `${JSON.stringify(done, undefined, 2)}\n` : '' };
    };
  },
};

/**
 * The outputs of files, which are a batch.
 * @param {Streams} streams
 * @param {Awaited<ReturnType<typeof loadAudio>>} audio
 * @param {ReturnType<Awaited<ReturnType<typeof loadAudio>>['featureExtractor']>} extract
 * @param {{ inputs: string[], mono: boolean, options: Record<string, any> }} how
 */
async function batchOutputs(streams, audio, extract, { inputs, mono, options }) {
  const batch = [];
  for (const path of inputs) batch.push(await readAudio(streams, audio, path, mono));
  progress(streams, 'features', 0);
  return extract(/** @type {any} */ (batch), options);
}

/**
 * The outputs that are tensors. Those of a list, whose shapes differ, are numbered.
 * @type {(outputs: Record<string, any>) => [name: string, tensor: Tensor][]}
 */
const tensorsOf = (outputs) =>
  Object.entries(outputs).flatMap(([name, value]) => {
    const list = Array.isArray(value) ? value : [value];
    /** @type {(one: any, i: number) => [string, Tensor][]} */
    const entry = (one, i) => (one?.dims ? [[list === value ? `${name}.${i}` : name, one]] : []);
    return list.flatMap(entry);
  });

/**
 * The files of an extractor's outputs: all by name in one .safetensors file; or the features in a .npy file and each
 * other output in one beside it. Standard output has the features alone.
 * @type {(out: string, outputs: Record<string, any>) => [path: string, bytes: Uint8Array][]}
 */
function filesOf(out, outputs) {
  const tensors = tensorsOf(outputs);
  if (extname(out) === '.safetensors') return [[out, writeSafetensors(new Map(tensors))]];
  const main = tensors.find(([, { type }]) => type.includes('float')) ?? tensors[0];
  if (out === '-') return [[out, writeNpy(main[1])]];
  const stem = join(dirname(out), basename(out, '.npy'));
  return tensors.map((entry) => [entry === main ? out : `${stem}.${entry[0]}.npy`, writeNpy(entry[1])]);
}

/** @type {SpecialCommand} */
export const resample = {
  help: ['IN OUT --rate HERTZ', '[--backend torchaudio|scipy|soxr] [--mono] [--format pcm16|pcm24|float32|…]'],
  options: { rate: text, backend: text, format: text, mono: flag, force: flag },
  read(values, files) {
    const { backend, format, mono = false } = values;
    if (files.length !== 2) throw new UsageError(`resample takes two files, IN and OUT, got ${files.length}`);
    const [input, out] = files;
    const rate = whole('rate', values.rate);
    if (rate === undefined) throw new UsageError('resample needs --rate');
    if (out !== '-' && extname(out) !== '.wav') throw new UsageError(`OUT must be .wav or -, got ${out}`);
    checkOut(out, [input], values.force, 'an input');
    return async (streams) => {
      const audio = await loadAudio();
      const decoded = await readAudio(streams, audio, input, mono);
      const result = audio.resampleAudio(decoded, { new_freq: rate, backend });
      await writeFiles(streams, [[out, audio.encodeWav(result, { format })]]);
      clearProgress(streams);
      return { printed: '' };
    };
  },
};
