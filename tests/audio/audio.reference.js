/**
 * An oracle apart from js/audio and cpp/audio: spectrograms by a naive DFT and plain sums in float64, with the engine's
 * own functions. It is near, not equal: the last bits are the goldens' matter.
 */

/** The index of the sample that stands at place i outside of n samples. */
function mirrored(i, n, mode) {
  if (mode === 'edge') return Math.min(Math.max(i, 0), n - 1);
  if (mode === 'constant') return -1;
  let at = i;
  while (n > 1 && (at < 0 || at >= n)) at = at < 0 ? -at : 2 * (n - 1) - at;
  return n === 1 ? 0 : at;
}

/** The samples of frame t, as the definition says. */
function frameOf(samples, t, { frame_length: length, hop_length: hop, center = true, pad_mode: mode = 'reflect' }) {
  const first = t * hop - (center ? Math.floor(length / 2) : 0);
  return Array.from({ length }, (_, i) => {
    const at = first + i;
    const from = at >= 0 && at < samples.length ? at : mirrored(at, samples.length, mode);
    return from < 0 ? 0 : samples[from];
  });
}

/** A frame after the steps before the transform. */
function prepared(frame, { remove_dc_offset: removes, preemphasis, window }) {
  const mean = removes ? frame.reduce((sum, x) => sum + x, 0) / frame.length : 0;
  const centered = frame.map((x) => x - mean);
  const c = preemphasis ?? 0;
  const emphasized = centered.map((x, i) => (i === 0 ? x * (1 - c) : x - c * centered[i - 1]));
  return (preemphasis === null || preemphasis === undefined ? centered : emphasized).map((x, i) => x * window[i]);
}

/** cos and sin of all multiples of a turn's n-th part, by n. */
const roots = {};
const rootsOf = (n) =>
  (roots[n] ??= Array.from({ length: n }, (_, i) => [
    Math.cos((2 * Math.PI * i) / n),
    Math.sin((2 * Math.PI * i) / n),
  ]));

/** Bin k of a naive DFT of n points. */
function binOf(frame, k, n) {
  const turns = rootsOf(n);
  let [re, im] = [0, 0];
  for (let i = 0; i < frame.length; i++) {
    const [cos, sin] = turns[(i * k) % n];
    re += frame[i] * cos;
    im -= frame[i] * sin;
  }
  return [re, im];
}

const logs = { log: Math.log, log10: Math.log10 };

/** One result of a frame from its sum. */
function finished(sum, { power = 1, log_mel: log, min_value: least = 1e-10, reference = 1 }) {
  if (!log) return sum;
  if (log !== 'dB') return logs[log](sum);
  return (power === 1 ? 20 : 10) * (Math.log10(Math.max(sum, least)) - Math.log10(Math.max(least, reference)));
}

/**
 * A spectrogram.
 * @param {ArrayLike<number>} samples
 * @param {any} options as spectrogram's
 * @returns {number[][]} [bins or mels][frames]; complex numbers are pairs
 */
export function spectrogramOf(samples, options) {
  const { frame_length: length, hop_length: hop, fft_length: n = length, power = 1, center = true } = options;
  const { onesided = true, mel_filters: filters, mel_floor: floor = 1e-10 } = options;
  const padded = samples.length + (center ? 2 * Math.floor(length / 2) : 0);
  const count = Math.max(0, Math.floor((padded - length) / hop) + 1);
  const bins = onesided ? Math.floor(n / 2) + 1 : n;
  const columns = Array.from({ length: count }, (_, t) => {
    const frame = prepared(frameOf(samples, t, options), options);
    const spectrum = Array.from({ length: bins }, (__, k) => binOf(frame, k, n));
    if (power === null) return spectrum;
    const energies = spectrum.map(([re, im]) => Math.hypot(re, im) ** power);
    if (!filters) return energies.map((x) => finished(x, options));
    const mels = filters.dims[1];
    return Array.from({ length: mels }, (__, m) => {
      const sum = energies.reduce((all, x, k) => all + x * filters.data[k * mels + m], 0);
      return finished(Math.max(floor, sum), options);
    });
  });
  const width = filters ? filters.dims[1] : bins;
  return Array.from({ length: width }, (_, k) => columns.map((column) => column[k]));
}

/** Hertz to mel and back, by scale. */
const scales = {
  htk: [(f) => 2595 * Math.log10(1 + f / 700), (m) => 700 * (10 ** (m / 2595) - 1)],
  kaldi: [(f) => 1127 * Math.log(1 + f / 700), (m) => 700 * (Math.exp(m / 1127) - 1)],
  slaney: [
    (f) => (f < 1000 ? (3 * f) / 200 : 15 + (Math.log(f / 1000) * 27) / Math.log(6.4)),
    (m) => (m < 15 ? (200 * m) / 3 : 1000 * Math.exp((Math.log(6.4) / 27) * (m - 15))),
  ],
};

const linspace = (from, to, count) => Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));

/**
 * A mel filter bank.
 * @param {any} options as melFilterBank's
 * @returns {number[][]} [bins][filters]
 */
export function melBankOf(options) {
  const { num_frequency_bins: bins, num_mel_filters: filters, sampling_rate: rate, norm } = options;
  const [toMel, toHertz] = scales[options.mel_scale];
  const mels = linspace(toMel(options.min_frequency), toMel(options.max_frequency), filters + 2);
  const inMel = options.triangularize_in_mel_space;
  const edges = inMel ? mels : mels.map(toHertz);
  const places = inMel
    ? Array.from({ length: bins }, (_, k) => toMel((k * rate) / (2 * (bins - 1))))
    : linspace(0, Math.floor(rate / 2), bins);
  return places.map((f) =>
    Array.from({ length: filters }, (_, m) => {
      const [low, middle, high] = edges.slice(m);
      const weight = Math.max(0, Math.min((f - low) / (middle - low), (high - f) / (high - middle)));
      return norm === 'slaney' ? (weight * 2) / (high - low) : weight;
    }),
  );
}

/**
 * Samples of a spectrum: naive inverse transforms, added a hop apart.
 * @param {number[][][]} bins [bins][frames] pairs, of bins 0 to n / 2
 * @param {{ n: number, hop: number, window: number[], left: number, length: number }} how `window` has n numbers;
 *   `left`: samples that are left out in front
 * @returns {number[]}
 */
export function samplesOf(bins, { n, hop, window, left, length }) {
  const turns = rootsOf(n);
  const sums = Array(left + length + n).fill(0);
  const squares = sums.slice();
  bins[0].forEach((_, t) => {
    for (let i = 0; i < n && t * hop + i < sums.length; i++) {
      const terms = bins.map((row, k) => {
        const [[re, im], [cos, sin]] = [row[t], turns[(i * k) % n]];
        return k === 0 || 2 * k === n ? re * cos : 2 * (re * cos - im * sin);
      });
      sums[t * hop + i] += (terms.reduce((sum, x) => sum + x, 0) / n) * window[i];
      squares[t * hop + i] += window[i] ** 2;
    }
  });
  return sums.map((sum, i) => (squares[i] > 1e-11 ? sum / squares[i] : sum)).slice(left, left + length);
}
