/** Sample configurations of feature extractors, and the program that does the same as the panel. No DOM. */

/** @type {Record<string, object>} */
export const configs = {
  Whisper: {
    feature_extractor_type: 'WhisperFeatureExtractor',
    feature_size: 80,
    sampling_rate: 16000,
    hop_length: 160,
    n_fft: 400,
    chunk_length: 30,
  },
  AST: {
    feature_extractor_type: 'ASTFeatureExtractor',
    num_mel_bins: 128,
    sampling_rate: 16000,
    max_length: 1024,
    mean: -4.2677393,
    std: 4.5689974,
  },
  SeamlessM4T: {
    feature_extractor_type: 'SeamlessM4TFeatureExtractor',
    num_mel_bins: 80,
    sampling_rate: 16000,
    stride: 2,
  },
  CLAP: {
    feature_extractor_type: 'ClapFeatureExtractor',
    sampling_rate: 48000,
    feature_size: 64,
    max_length_s: 10,
    truncation: 'rand_trunc',
    padding: 'repeatpad',
  },
  Wav2Vec2: {
    feature_extractor_type: 'Wav2Vec2FeatureExtractor',
    sampling_rate: 16000,
    do_normalize: true,
    return_attention_mask: true,
  },
};

/** @param {string} name */
export const textOf = (name) => JSON.stringify(configs[name], undefined, 2);

/**
 * @param {number} rate the model's
 * @param {Record<string, { type: string, dims: readonly number[] }>} outputs
 */
export function codeFor(rate, outputs) {
  const names = Object.keys(outputs);
  const lines = names.map((name) => `// ${name}: ${outputs[name].type} [${outputs[name].dims.join(', ')}]`);
  return `import { decodeAudio, featureExtractor, resampleAudio, toMono } from 'onnx-layout/audio';

const config = await (await fetch('preprocessor_config.json')).json();
const extract = featureExtractor(config);
// file: a File or Blob
const audio = toMono(await decodeAudio(file));
const { ${names.join(', ')} } = extract(resampleAudio(audio, { new_freq: ${rate} }));
${lines.join('\n')}
`;
}
