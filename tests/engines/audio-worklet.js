/** The audio door in an AudioWorklet: a stream of Whisper's features, whose module the page compiled. */
/* global AudioWorkletProcessor, registerProcessor */
import { featureExtractor, init } from '../../js/audio/index.js';

class Features extends AudioWorkletProcessor {
  constructor({ processorOptions: { wasm, config } }) {
    super();
    this.waiting = [];
    this.port.onmessage = () => this.finish();
    const missing = ['atob', 'fetch', 'performance', 'TextDecoder'].filter((name) => !(name in globalThis));
    this.ready = init({ wasm }).then(() => {
      this.stream = featureExtractor(config).stream();
      this.port.postMessage({ missing });
    });
  }

  process([[samples]]) {
    if (samples) this.waiting.push(samples.slice());
    if (this.stream) for (const piece of this.waiting.splice(0)) this.stream.push(piece);
    return true;
  }

  async finish() {
    await this.ready;
    for (const piece of this.waiting.splice(0)) this.stream.push(piece);
    const { dims, data } = this.stream.end().input_features;
    this.port.postMessage({ dims, data });
  }
}

registerProcessor('features', Features);
