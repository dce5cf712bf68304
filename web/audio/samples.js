/** Sample sounds, computed here so that they belong to nobody else: their spectrograms look different. No DOM. */

/** The rate of a CD. No model has it, so every model shows how a sound is resampled. */
export const sampleRate = 44100;
const seconds = 4;
const count = seconds * sampleRate;

/** The first three formants of five vowels, in hertz. */
const vowels = [
  [730, 1090, 2440],
  [530, 1840, 2480],
  [270, 2290, 3010],
  [570, 840, 2410],
  [300, 870, 2240],
];
const highest = 7600;

/** How loud a partial is: resonances of 90 Hz over a fall of 6 dB an octave. */
const loudness = (hertz, formants) =>
  formants.reduce((sum, formant) => sum + 1 / (1 + ((hertz - formant) / 90) ** 2), 0.003) * (100 / hertz) ** 0.5;

/** A voice that glides through five vowels. */
function voice() {
  const samples = new Float32Array(count);
  const span = count / vowels.length;
  let phase = 0;
  for (let i = 0; i < count; i++) {
    const t = i / sampleRate;
    const pitch = 125 + 35 * Math.sin(2.2 * t) + 2.5 * Math.sin(2 * Math.PI * 5.5 * t);
    phase += (2 * Math.PI * pitch) / sampleRate;
    const place = (i % span) / span;
    const envelope = Math.min(1, 12 * place, 12 * (1 - place));
    const formants = vowels[Math.floor(i / span)];
    let sum = 0;
    for (let partial = 1; partial * pitch < highest; partial++)
      sum += loudness(partial * pitch, formants) * Math.sin(partial * phase);
    samples[i] = envelope * sum;
  }
  return samples;
}

/** A tone that rises from 60 Hz to 16 kHz. Resampling removes the part above half of a model's rate. */
function sweep() {
  const [first, last] = [60, 16000];
  const growth = Math.log(last / first) / seconds;
  return Float32Array.from({ length: count }, (_, i) =>
    Math.sin(((2 * Math.PI * first) / growth) * Math.expm1((growth * i) / sampleRate)),
  );
}

/** Plucked strings: clicks that ring. */
function strings() {
  const samples = new Float32Array(count);
  [196, 247, 294, 392, 494, 392, 294, 247].forEach((hertz, n) => {
    const start = Math.round((n * count) / 8);
    for (let i = start; i < count; i++) {
      const t = (i - start) / sampleRate;
      for (let partial = 1; partial <= 12; partial++)
        samples[i] += (1 / partial) * Math.exp(-t * (2 + partial)) * Math.sin(2 * Math.PI * hertz * partial * t);
    }
  });
  return samples;
}

const samples = { voice, sweep, strings };
export const sampleNames = Object.keys(samples);

/**
 * Computes a sample, as loud as it can be.
 * @param {string} name
 */
export function sampleOf(name) {
  const sound = samples[name]();
  const loudest = sound.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return sound.map((value) => (0.9 * value) / loudest);
}
