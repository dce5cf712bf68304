/** The audio door on a page: outputs of many calls, and a stream in an AudioWorklet. */
import { featureExtractor, init, resampleAudio } from '../../js/audio/index.js';
import { digestOf } from './digest.js';

/** Noise and a chirp that every engine makes alike: of integers alone. */
globalThis.samplesOf = (count) => {
  let state = 1;
  return Float32Array.from({ length: count }, (_, i) => {
    state = (Math.imul(state, 1103515245) + 12345) | 0;
    return (state >> 16) / 65536 + (((i * i) >> 9) % 64) / 256;
  });
};

/** The hashes of what each class makes of the same samples, and of what each filter of resampling makes. */
globalThis.digests = async (classes) => {
  await init();
  const all = {};
  for (const [feature_extractor_type, rate] of classes) {
    const outputs = featureExtractor({ feature_extractor_type })(globalThis.samplesOf(rate + 1234));
    for (const [name, value] of Object.entries(outputs))
      if (value.data) all[`${feature_extractor_type} ${name}`] = await digestOf(value.data);
  }
  for (const backend of ['torchaudio', 'scipy', 'soxr'])
    for (const [orig_freq, new_freq] of [
      [48000, 16000],
      [44100, 16000],
    ]) {
      const samples = resampleAudio(globalThis.samplesOf(10000), { backend, orig_freq, new_freq });
      all[`${backend} ${orig_freq}`] = await digestOf(samples);
    }
  return all;
};

const config = { feature_extractor_type: 'WhisperFeatureExtractor', chunk_length: 1 };

/** Runs the stream, and compares its features with those of the page. `missing`: names that the worklet lacks. */
globalThis.runWorklet = async () => {
  const wasm = await WebAssembly.compileStreaming(fetch('audio.wasm'));
  await init({ wasm });
  const context = new OfflineAudioContext(1, 16000, 16000);
  await context.audioWorklet.addModule('worklet.js');
  const node = new AudioWorkletNode(context, 'features', { processorOptions: { wasm, config } });
  const messages = [];
  const message = () =>
    new Promise((resolve) => {
      node.port.onmessage = ({ data }) => resolve(messages.push(data));
    });
  const buffer = new AudioBuffer({ length: 16000, sampleRate: 16000 });
  buffer.copyToChannel(globalThis.samplesOf(16000), 0);
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(node).connect(context.destination);
  source.start();
  const first = message();
  await context.startRendering();
  await first;
  const second = message();
  node.port.postMessage('end');
  await second;
  const [{ missing }, { dims, data }] = messages;
  const whole = featureExtractor(config)(globalThis.samplesOf(16000)).input_features;
  return { missing, dims, isEqual: (await digestOf(data)) === (await digestOf(whole.data)) };
};
