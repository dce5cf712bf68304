/** Settings of Kaldi's filter bank features, which NumPy's and torchaudio's share; lengths in samples. */
export const kaldiSettings = /** @type {const} */ ({
  frameLength: 400,
  hop: 160,
  fftLength: 512,
  coefficient: 0.97, // of the pre-emphasis
  periodic: false,
  low: 20, // Hz
  melScale: 'kaldi',
  floor: 2 ** -23, // float32's epsilon
  logarithm: 'log',
});
