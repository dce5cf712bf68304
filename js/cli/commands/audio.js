/** The commands `features` and `resample`: audio in, what a model takes or another rate out. */
import { readNpy } from '../../io/index.js';
import { streamedOutputs } from './audio-stream.js';
import { described, inputFiles, isNpy, ofFile, readBytes, readConfig, writeFiles } from '../files.js';
import { flag, integer, path, text, UsageError, word } from '../options.js';

/** @import { Tensor } from '../../index.js' */
/** @import { Command, OptionValues, Streams } from '../types.js' */

/** The entry point of audio, loaded here, so that the other commands start without it. */
const loadAudio = () => import('../../audio/index.js');

/** Reads the audio of a file: a WAV file, or a .npy file of float32 samples [n] or [channels, n], which states no rate.
 * `mono`: whether to take the mean of the channels.
 * @type {(streams: Streams, audio: Awaited<ReturnType<typeof loadAudio>>, file: string, mono: boolean) => Promise<{
 *   channelData: Float32Array[], sampleRate?: number }>} */
async function readAudio(streams, audio, file, mono) {
  const bytes = await readBytes(streams, file);
  return ofFile(file, () => {
    const decoded = isNpy(bytes) ? npyAudio(bytes) : audio.decodeWav(bytes);
    return mono ? audio.toMono(decoded) : decoded;
  });
}

/** Reads a .npy file of float32 samples [n] or [channels, n]: an array for each channel, which shares its memory.
 * @type {(bytes: Uint8Array) => { channelData: Float32Array[], sampleRate?: number }} */
function npyAudio(bytes) {
  const { type, dims, data } = readNpy(bytes);
  if (type !== 'float32' || dims.length < 1 || dims.length > 2)
    throw new TypeError(`audio must be float32 [n] or [channels, n], got ${type} [${dims.join(', ')}]`);
  const [count, length] = dims.length === 2 ? dims : [1, dims[0]];
  return { channelData: Array.from({ length: count }, (_, c) => data.subarray(c * length, (c + 1) * length)) };
}

/** @type {Command} */
export const features = {
  form: 'AUDIO… OUT',
  summary: "make of audio what a model takes, with Python's own numbers",
  notes:
    'AUDIO is .wav, or .npy of float32 samples, [n] or [channels, n]; several become one batch. OUT.safetensors\n' +
    'has all outputs by name; OUT.npy has the features, and OUT.attention_mask.npy and so on what else there is.',
  examples: [
    'features speech.wav features.npy --config preprocessor_config.json',
    'features speech.wav features.npy --class-name WhisperFeatureExtractor --resample --mono',
    'features - features.npy --config preprocessor_config.json --stream --mono < speech.wav',
  ],
  options: {
    config: path('the preprocessor_config.json of the model, or the folder that has it'),
    'class-name': text('NAME', 'the class, where it is not that of the configuration, or instead of --config'),
    dtype: word(['float32', 'float16', 'bfloat16'], 'what floats become'),
    padding: word(['longest', 'max_length', 'do_not_pad'], 'to which length; as the configuration says if omitted'),
    mono: flag('the mean of the channels'),
    resample: flag("bring audio of any rate to the model's, with torchaudio's filter"),
    stream: flag('read - as it comes, and keep frames instead of samples where the class can'),
    'max-bytes': integer('N', 'what a sound becomes; 1 GiB if omitted'),
  },
  shared: ['as', 'force'],
  extensions: ['.npy', '.safetensors'],
  /** Makes features of audio files, or of standard input with --stream, and writes them. */
  async work(streams, call) {
    const { inputs, options: values } = call;
    const { config, className, maxBytes, mono = false, resample: takesAnyRate, stream, ...options } = values;
    if (config === undefined && className === undefined)
      throw new UsageError('features needs --config or --class-name');
    if (stream && (inputs.length > 1 || inputs[0] !== '-'))
      throw new UsageError(`--stream takes - alone, got ${inputs.join(' ')}`);
    const audio = await loadAudio();
    const extract = audio.featureExtractor(config === undefined ? {} : await readConfig(config), {
      className,
      maxBytes,
    });
    const rate = takesAnyRate ? extract.sampling_rate : undefined;
    const stdin = /** @type {AsyncIterable<Uint8Array>} */ (streams.stdin);
    const outputs = stream
      ? await ofFile('-', () => streamedOutputs(audio, extract.stream(options), stdin, { mono, rate }))
      : await batchOutputs(streams, audio, extract, { inputs, mono, rate, options });
    const tensors = tensorsOf(outputs);
    // The features are the first tensor of floats, as masks are of whole numbers.
    const [, main] = tensors.find(([, { type }]) => type.includes('float')) ?? tensors[0];
    const report = {
      files: await writeFiles(streams, inputFiles(call, tensors, main)),
      className: extract.className,
      ignored: extract.ignored,
      outputs: described(tensors),
    };
    return { report };
  },
};

/** Reads files as one batch of audio, at the rate `rate` if that is defined, and gives the extractor's outputs by name.
 * @param {Streams} streams
 * @param {Awaited<ReturnType<typeof loadAudio>>} audio
 * @param {ReturnType<Awaited<ReturnType<typeof loadAudio>>['featureExtractor']>} extract
 * @param {{ inputs: string[], mono: boolean, rate: number | undefined, options: OptionValues }} batch */
async function batchOutputs(streams, audio, extract, { inputs, mono, rate, options }) {
  const batch = [];
  for (const file of inputs) {
    const decoded = await readAudio(streams, audio, file, mono);
    const hasOtherRate = rate !== undefined && decoded.sampleRate !== undefined && decoded.sampleRate !== rate;
    batch.push(hasOtherRate ? audio.resampleAudio(decoded, { new_freq: rate }) : decoded);
  }
  return extract(batch, options);
}

/** Lists the outputs that are tensors, by name, and leaves out others, such as numbers. An output may be a list of
 * tensors whose shapes differ: their names have a number behind, such as `input_values.0`.
 * @type {(outputs: Record<string, unknown>) => [name: string, tensor: Tensor][]} */
function tensorsOf(outputs) {
  const entries = Object.entries(outputs).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((entry, i) => [`${name}.${i}`, entry]) : [[name, value]],
  );
  const tensors = entries.filter(([, value]) => value?.dims);
  return /** @type {[string, Tensor][]} */ (tensors);
}

/** @type {Command} */
export const resample = {
  form: 'IN OUT',
  summary: 'change the rate of a WAV file with the filter of torchaudio, scipy or soxr',
  examples: ['resample in.wav out.wav --rate 16000', 'resample in.wav out.wav --rate 44100 --backend soxr --mono'],
  options: {
    rate: integer('HERTZ', 'samples a second of OUT', 'new_freq'),
    backend: word(['torchaudio', 'scipy', 'soxr'], 'whose filter; torchaudio if omitted'),
    mono: flag('the mean of the channels'),
    format: word(['pcm8', 'pcm16', 'pcm24', 'pcm32', 'float32', 'float64'], 'of the samples of OUT; pcm16 if omitted'),
  },
  required: ['rate'],
  shared: ['force'],
  extensions: ['.wav'],
  /** Writes IN at another rate as a WAV file. A .npy file is refused, because it states no rate. */
  async work(streams, { inputs, out, options: { mono = false, format, ...options } }) {
    const audio = await loadAudio();
    // All channels: `resampleAudio` takes their mean.
    const decoded = await readAudio(streams, audio, inputs[0], false);
    if (decoded.sampleRate === undefined)
      throw new Error(`IN must be a WAV file, which states its rate, got ${inputs[0]}`);
    const result = audio.resampleAudio(decoded, { .../** @type {{ new_freq: number }} */ (options), mono });
    return { report: { files: await writeFiles(streams, [[out, audio.encodeWav(result, { format })]]) } };
  },
};
