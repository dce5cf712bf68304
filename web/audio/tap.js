/** The audio thread's part of the microphone: it hands the samples on, 2,048 at a time. */
/* global AudioWorkletProcessor, registerProcessor */

class Tap extends AudioWorkletProcessor {
  #piece = new Float32Array(2048);
  #filled = 0;

  process([[samples]]) {
    if (!samples) return true;
    this.#piece.set(samples, this.#filled);
    this.#filled += samples.length;
    if (this.#filled === this.#piece.length) {
      this.port.postMessage(this.#piece, [this.#piece.buffer]);
      this.#piece = new Float32Array(2048);
      this.#filled = 0;
    }
    return true;
  }
}

registerProcessor('tap', Tap);
