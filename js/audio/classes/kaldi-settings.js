/** Settings of Kaldi's filter bank features, which NumPy's and torchaudio's share; lengths in samples. */
export const kaldiSettings = /** @type {const} */ ({
  frameLength: 400,
  hop: 160,
  fftLength: 512,
  coefficient: 0.97,
  periodic: false,
  low: 20,
  melScale: 'kaldi',
  floor: 2 ** -23,
  logarithm: 'log',
});
