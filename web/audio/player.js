/** A button that plays a sound. */
import { element } from '../shared/elements.js';

export class Player {
  #context;
  #sound;
  node = element('button', { id: 'audio-play', click: () => (this.#context ? this.stop() : this.#play()) }, 'Play');

  /** @param {{ samples: Float32Array | undefined, sampleRate: number }} sound none: there is nothing to play */
  set sound(sound) {
    this.stop();
    this.#sound = sound;
    this.node.disabled = sound.samples === undefined;
  }

  #play() {
    const { samples, sampleRate } = this.#sound;
    this.#context = new AudioContext();
    const buffer = new AudioBuffer({ length: Math.max(1, samples.length), sampleRate });
    buffer.copyToChannel(samples, 0);
    const source = new AudioBufferSourceNode(this.#context, { buffer });
    source.connect(this.#context.destination);
    source.onended = () => this.stop();
    source.start();
    this.node.textContent = 'Stop playing';
  }

  stop() {
    this.#context?.close();
    this.#context = undefined;
    this.node.textContent = 'Play';
  }
}
