/** The microphone, as a source of samples. */

/**
 * @param {(rate: number) => Promise<void>} onStart
 * @param {(samples: Float32Array) => Promise<void>} onSamples called with one piece after the other
 * @returns {Promise<() => Promise<void>>} stops it, and ends once all samples were given
 * @throws {Error} no microphone, or no permission
 */
export async function listen(onStart, onSamples) {
  if (!navigator.mediaDevices) throw new Error('browsers give it to pages over https and from localhost only');
  // Models learned from unprocessed voices, so switch off the processing that browsers do for calls.
  const plain = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
  const stream = await navigator.mediaDevices.getUserMedia({ audio: plain });
  const context = new AudioContext();
  await context.audioWorklet.addModule(new URL('./tap.js', import.meta.url));
  await onStart(context.sampleRate);
  const tap = new AudioWorkletNode(context, 'tap', { channelCount: 1, channelCountMode: 'explicit' });
  let work = Promise.resolve();
  tap.port.onmessage = ({ data }) => {
    work = work.then(() => onSamples(data));
  };
  context.createMediaStreamSource(stream).connect(tap);
  return async () => {
    stream.getTracks().forEach((track) => track.stop());
    await context.close();
    tap.port.onmessage = null;
    await work;
  };
}
