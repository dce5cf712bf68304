/** An oracle apart from js/audio and cpp/audio: each output of a resampling is a plain sum over all samples. */

const sinc = (x) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

function besselI0(x) {
  let [sum, term] = [1, 1];
  for (let k = 1; term > sum * 1e-17; k++) {
    term *= (x / 2 / k) ** 2;
    sum += term;
  }
  return sum;
}

/** A Kaiser window of -1 to 1. */
function kaiserOf(beta) {
  const top = besselI0(beta);
  return (t) => (Math.abs(t) > 1 ? 0 : besselI0(beta * Math.sqrt(1 - t * t)) / top);
}

/** soxr's half-widths in samples of the lower rate, where one filter does. */
export const soxrWidths = {
  '1/2': 97.25,
  '2/1': 97.25,
  '1/3': 581 / 6,
  '3/1': 581 / 6,
  '2/3': 581 / 6,
  '3/4': 96.625,
  '4/1': 97.125,
};

/** The weight of a sample that lies t samples of the input behind an output, by backend. */
const weights = {
  torchaudio(up, down, { lowpass_filter_width: width = 6, rolloff = 0.99, resampling_method: method, beta }) {
    const base = (rolloff * Math.min(up, down)) / down;
    const kaiser = kaiserOf(beta ?? 14.769656459379492);
    return (t) => {
      const x = Math.min(Math.max(t * base, -width), width);
      const window = method === 'sinc_interp_kaiser' ? kaiser(x / width) : Math.cos((x * Math.PI) / width / 2) ** 2;
      return sinc(x) * window * base;
    };
  },
  scipy(up, down) {
    const most = Math.max(up, down);
    const half = 10 * most;
    const kaiser = kaiserOf(5);
    const plain = (k) => (sinc(k / most) * kaiser(k / half)) / most;
    const sum = Array.from({ length: 2 * half + 1 }, (_, i) => plain(i - half)).reduce((all, x) => all + x, 0);
    return (t) => (plain(Math.round(t * up)) / sum) * up;
  },
  soxr(up, down) {
    const scale = Math.max(1, down / up);
    const width = soxrWidths[`${up}/${down}`];
    const cutoff = 0.95687183;
    const kaiser = kaiserOf(13.04);
    return (t) => (cutoff * sinc((cutoff * t) / scale) * kaiser(t / scale / width)) / scale;
  },
};

/**
 * Audio at another rate, up / down in lowest terms.
 * @param {Float32Array} samples
 * @param {number} up
 * @param {number} down
 * @param {any} options as resampleAudio's
 * @returns {number[]}
 */
export function resampledOf(samples, up, down, options) {
  const weight = weights[options.backend](up, down, options);
  const { length } = samples;
  const real = options.backend === 'soxr' ? Math.floor(length / (down / up) + 0.5) : Infinity;
  return Array.from({ length: Math.ceil((length * up) / down) }, (_, m) =>
    m >= real ? 0 : samples.reduce((sum, x, i) => sum + x * weight((m * down) / up - i), 0),
  );
}
