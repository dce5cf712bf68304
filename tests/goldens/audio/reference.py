"""Audio features, resampling and WAV in plain NumPy, written from the rules of README.md: no np.fft, no BLAS, no
SciPy, no torch.

Arrays of NumPy are used for element-wise arithmetic and indexing alone; every sum whose order matters is written out.
`extract(config, audio, options)` is the whole: what AutoFeatureExtractor(config)(audio, **options) gives.
Names of settings and options are Python's. Errors are ValueError, as in Python.
"""

import math
import struct

import numpy as np

F, D = np.float32, np.float64


# ---------------------------------------------------------------- 1. the real FFT
def factors(n):
    """4s first, then one 2 that changes places with the first 4, then odd factors upwards."""
    f = []
    while n % 4 == 0:
        f.append(4)
        n //= 4
    if n % 2 == 0:
        f.append(2)
        n //= 2
        f[0], f[-1] = f[-1], f[0]
    p = 3
    while n > 1:
        while n % p == 0:
            f.append(p)
            n //= p
        p += 2
    return f


def twiddles(n):
    """cos and sin of 2 pi k / n for k < n: products of two short tables, each of whose points is taken in the first
    octant."""
    step = float(np.longdouble("3.141592653589793238462643383279502884197") / 4 / n)

    def point(k):  # angle 2 pi k/n = 8k * step
        x, below = 8 * k, False
        if x >= 4 * n:
            x, below = 8 * n - x, True
        second = x >= 2 * n
        if second:
            x -= 2 * n
        c, s = (
            (math.cos(x * step), math.sin(x * step))
            if x < n
            else (math.sin((2 * n - x) * step), math.cos((2 * n - x) * step))
        )
        if second:
            c, s = -s, c
        return c, -s if below else s

    half = (n + 2) // 2
    bits = 1
    while 4**bits < half:
        bits += 1
    low = [(1.0, 0.0)] + [point(k) for k in range(1, 2**bits)]
    high = [(1.0, 0.0)] + [point(k << bits) for k in range(1, -(-half // 2**bits))]
    c, s = np.empty(n), np.empty(n)
    for k in range(n):
        j = min(k, n - k)
        (a, b), (d, e) = low[j & (2**bits - 1)], high[j >> bits]
        c[k], s[k] = a * d - b * e, a * e + b * d
        if k > j:
            s[k] = -s[k]
    return c, s


TWIDDLES = {}


def rfft(x):
    """Spectra (re, im) of real rows x [..., n], float64. Lengths 2^a 3^b 5^c give np.fft's own bits; others a plain
    sum."""
    n, lead = x.shape[-1], x.shape[:-1]
    if x.size == 0:
        return np.zeros((2,) + lead + (n // 2 + 1,))
    rows = np.ascontiguousarray(x.reshape(-1, n).T)
    if n not in TWIDDLES:
        TWIDDLES[n] = twiddles(n) if n > 1 else (np.ones(1), np.zeros(1))
    cos, sin = TWIDDLES[n]
    if any(p > 5 for p in factors(n)):
        re, im = plain_dft(rows, n)
        return re.T.reshape(lead + (-1,)), im.T.reshape(lead + (-1,))
    m, re, im = 1, rows[:, None], np.zeros_like(rows[:, None])  # [sequence, bin, row]: n sequences of length 1
    for p in reversed(factors(n)):
        left, big = (
            n // (m * p),
            m * p,
        )  # p sequences k, k + left, k + 2 left, ... of length m become sequence k of length big
        hr, hi = re.reshape(p, left, m // 2 + 1, -1), im.reshape(p, left, m // 2 + 1, -1)
        nr, ni = np.zeros((2, left, big // 2 + 1, rows.shape[1]))

        def plus(bin, r, i, j=0.0):  # a bin of the lower half: imaginary part i + j
            nr[:, bin], ni[:, bin] = r, i + j

        def minus(bin, r, i, j):  # imaginary part i - j; the mirror of a bin of the upper half has j - i
            if 2 * bin <= big:
                nr[:, bin], ni[:, bin] = r, i - j
            else:
                nr[:, big - bin], ni[:, big - bin] = r, j - i

        for k in range(m // 2 + 1):
            h = [(hr[j, :, k], hi[j, :, k]) for j in range(p)]
            if k and 2 * k == m and p == 4:  # the middle bins are real: an eighth turn each
                r = math.sqrt(0.5)
                t, u = r * (h[1][0] - h[3][0]), r * (h[1][0] + h[3][0])
                minus(k, h[0][0] + t, -u, h[2][0])
                minus(k + m, h[0][0] - t, h[2][0], u)
                continue
            if k and 2 * k == m and p == 2:
                nr[:, k], ni[:, k] = h[0][0], -h[1][0]
                continue
            d = h[:1]
            for j in range(1, p):  # times exp(-2 pi i j k / big)
                (a, b), w, v = h[j], cos[j * k * left], sin[j * k * left]
                d.append((w * a + v * b, w * b - v * a) if k else h[j])
            if p == 2:
                (a, b), (c, e) = d
                plus(k, a + c, b, e)
                minus(k + m, a - c, b, e)
            elif p == 4:
                (a, b), (c, e), (f, g), (o, q) = d
                sr, si, tr, ti = a + f, b + g, a - f, b - g
                ur, ui, vr, vi = c + o, e + q, e - q, o - c
                plus(k, sr + ur, si, ui)
                plus(k + m, tr + vr, ti, vi)
                minus(k + 2 * m, sr - ur, si, ui)
                if k:
                    minus(k + 3 * m, tr - vr, ti, vi)
            elif p == 3:
                (a, b), (c, e), (f, g) = d
                w = 0.8660254037844386
                sr, si, tr, ti = c + f, e + g, e - g, f - c
                plus(k, a + sr, b, si)
                yr, yi, zr, zi = a + -0.5 * sr, b + -0.5 * si, w * tr, w * ti
                plus(k + m, yr + zr, yi, zi)
                if k:
                    minus(k + 2 * m, yr - zr, yi, zi)
            else:
                (a, b), (c, e), (f, g), (o, q), (x4, y4) = d
                c1, s1, c2, s2 = 0.30901699437494745, 0.9510565162951535, -0.8090169943749475, 0.5877852522924731
                sr, si, tr, ti = c + x4, e + y4, f + o, g + q
                ur, ui, vr, vi = e - y4, x4 - c, g - q, o - f
                plus(k, a + sr + tr, b + si, ti)
                yr, yi, zr, zi = a + c1 * sr + c2 * tr, b + c1 * si + c2 * ti, s1 * ur + s2 * vr, s1 * ui + s2 * vi
                plus(k + m, yr + zr, yi, zi)
                if k:
                    minus(k + 4 * m, yr - zr, yi, zi)
                yr, yi, zr, zi = a + c2 * sr + c1 * tr, b + c2 * si + c1 * ti, s2 * ur - s1 * vr, s2 * ui - s1 * vi
                plus(k + 2 * m, yr + zr, yi, zi)
                if k:
                    minus(k + 3 * m, yr - zr, yi, zi)
        m, re, im = big, nr, ni
    im[0, 0] = 0.0
    if n % 2 == 0:
        im[0, -1] = 0.0
    return re[0].T.reshape(lead + (-1,)), im[0].T.reshape(lead + (-1,))


def plain_dft(rows, n):
    cos, sin = TWIDDLES[n]
    k = np.arange(n // 2 + 1)
    re, im = np.zeros((2, len(k), rows.shape[1]))
    for t in range(n):
        re += cos[k * t % n][:, None] * rows[t]
        im -= sin[k * t % n][:, None] * rows[t]
    return re, im


# ---------------------------------------------------------------- 2. sums in NumPy's order
def pairwise(a):
    """The sum along the last axis as np.add.reduce makes it where that axis is contiguous in memory."""
    n = a.shape[-1]
    if n > 128:
        half = n // 2 - n // 2 % 8
        return pairwise(a[..., :half]) + pairwise(a[..., half:])
    if n < 8:
        s = np.zeros(a.shape[:-1], a.dtype)
        for i in range(n):
            s = s + a[..., i]
        return s
    r, whole = [a[..., i] for i in range(8)], n - n % 8
    for i in range(8, whole, 8):
        r = [r[j] + a[..., i + j] for j in range(8)]
    s = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]))
    for i in range(whole, n):
        s = s + a[..., i]
    return s


def rowwise(a):
    """The sum along axis 0 where the last axis is contiguous: row after row."""
    s = np.zeros(a.shape[1:], a.dtype)
    for row in a:
        s = s + row
    return s


def mean_var(sums, a, ddof=0):
    """Mean and variance of float32 values along one axis: every step is rounded to float32."""
    n = a.shape[-1] if sums is pairwise else a.shape[0]
    mean = (sums(a) / D(n)).astype(F)
    d = a - (mean[..., None] if sums is pairwise else mean)
    return mean, (sums(d * d) / D(max(n - ddof, 0))).astype(F)


def zero_mean_unit_var(x, n=None, value=0.0):
    """x float32 [n]; the first n values count, what follows becomes `value`."""
    n = len(x) if n is None else n
    mean, var = mean_var(pairwise, x[:n])
    out = (x - mean) / np.sqrt(var + F(1e-7))
    out[n:] = value
    return out


# ---------------------------------------------------------------- 3. windows and filter banks
def window_function(window_length, name="hann", periodic=True, frame_length=None, center=True):
    n = window_length + 1 if periodic else window_length
    if name not in ("boxcar", "hann", "hann_window", "hamming", "hamming_window", "povey"):
        raise ValueError(f"Unknown window function '{name}'")
    if name == "boxcar" or n == 1:
        w = np.ones(n)
    else:
        cosine = np.array([math.cos(math.pi * k / (n - 1)) for k in range(1 - n, n, 2)])
        w = 0.54 + 0.46 * cosine if name.startswith("hamming") else 0.5 + 0.5 * cosine
        if name == "povey":
            w = np.array([math.pow(v, 0.85) for v in w])
    w = w[:-1] if periodic else w
    if frame_length is None:
        return w
    if window_length > frame_length:
        raise ValueError(f"window_length ({window_length}) may not be larger than frame_length ({frame_length})")
    padded = np.zeros(frame_length)
    at = (frame_length - window_length) // 2 if center else 0
    padded[at : at + window_length] = w
    return padded


def torch_window(name, n, periodic, dtype=F):
    """torch.hann_window, hamming_window: every step in dtype."""
    if n == 1:
        return np.ones(1, dtype)
    a = 0.54 if name == "hamming" else 0.5
    t = np.arange(n, dtype=dtype) * dtype(2 * math.pi / (n if periodic else n - 1))
    return np.cos(t.astype(D)).astype(dtype) * dtype(a - 1) + dtype(a)


def linspace(a, b, n):
    step = (b - a) / (n - 1)
    y = np.arange(n) * step + a
    y[-1] = b
    return y


def hertz_to_mel(f, scale="htk"):
    if scale == "htk":
        return 2595.0 * math.log10(1.0 + f / 700.0)
    if scale == "kaldi":
        return 1127.0 * math.log(1.0 + f / 700.0)
    if scale != "slaney":
        raise ValueError('mel_scale should be one of "htk", "slaney" or "kaldi".')
    return 15.0 + math.log(f / 1000.0) * (27.0 / math.log(6.4)) if f >= 1000.0 else 3.0 * f / 200.0


def mel_to_hertz(m, scale="htk"):
    if scale == "htk":
        return 700.0 * (math.pow(10.0, m / 2595.0) - 1.0)
    if scale == "kaldi":
        return 700.0 * (math.exp(m / 1127.0) - 1.0)
    return 1000.0 * math.exp(math.log(6.4) / 27.0 * (m - 15.0)) if m >= 15.0 else 200.0 * m / 3.0


def triangles(bins, edges):
    """[bins, filters]: rising from edge f to f + 1, falling to f + 2."""
    width = edges[1:] - edges[:-1]
    slope = edges[None] - bins[:, None]
    return np.maximum(0.0, np.minimum(-slope[:, :-2] / width[:-1], slope[:, 2:] / width[1:]))


def mel_filter_bank(
    num_frequency_bins,
    num_mel_filters,
    min_frequency,
    max_frequency,
    sampling_rate,
    norm=None,
    mel_scale="htk",
    triangularize_in_mel_space=False,
    dtype="float64",
):
    if norm not in (None, "slaney"):
        raise ValueError('norm must be one of None or "slaney"')
    if num_frequency_bins < 2:
        raise ValueError(f"Require num_frequency_bins: {num_frequency_bins} >= 2")
    if min_frequency > max_frequency:
        raise ValueError(f"Require min_frequency: {min_frequency} <= max_frequency: {max_frequency}")
    mels = linspace(hertz_to_mel(min_frequency, mel_scale), hertz_to_mel(max_frequency, mel_scale), num_mel_filters + 2)
    edges = np.array([mel_to_hertz(m, mel_scale) for m in mels])
    if triangularize_in_mel_space:
        bins = np.array(
            [
                hertz_to_mel(sampling_rate / ((num_frequency_bins - 1) * 2) * k, mel_scale)
                for k in range(num_frequency_bins)
            ]
        )
        edges = mels
    else:
        bins = linspace(0, sampling_rate // 2, num_frequency_bins)
    bank = triangles(bins, edges).astype(dtype)
    if norm == "slaney":
        bank *= 2.0 / (edges[2:] - edges[:-2])  # float32: the factor is float64, the product is rounded once
    return bank


# ---------------------------------------------------------------- 4. spectrograms
def pad_waveform(x, left, right, mode):
    n = len(x)
    if mode == "constant":
        return np.concatenate([np.zeros(left, x.dtype), x, np.zeros(right, x.dtype)])
    i = np.arange(-left, n + right)
    if mode == "edge":
        return x[np.clip(i, 0, n - 1)]
    if mode != "reflect":
        raise ValueError(f"mode '{mode}' is not supported")
    if n == 1:
        return x[np.zeros(len(i), int)]
    i = np.abs(i) % (2 * n - 2)  # mirrored as often as needed, without repeating the ends
    return x[np.minimum(i, 2 * n - 2 - i)]


def frames_of(x, length, hop):
    n = (len(x) - length) // hop + 1
    if n < 0:
        raise ValueError(f"{len(x)} samples are too few for a frame of {length}")
    return x[np.arange(n)[:, None] * hop + np.arange(length)]


def weighted(power, bank):
    """[frames, filters] = power [frames, bins] times bank [bins, filters], bin after bin, zero weights left out."""
    out = np.zeros((power.shape[0], bank.shape[1]), D)
    for m in range(bank.shape[1]):
        for k in np.flatnonzero(bank[:, m]):
            out[:, m] += power[:, k] * bank[k, m]
    return out


def to_db(s, factor, reference=1.0, min_value=1e-10, db_range=None):
    if reference <= 0.0:
        raise ValueError("reference must be greater than zero")
    if min_value <= 0.0:
        raise ValueError("min_value must be greater than zero")
    s = factor * (np.log10(np.maximum(s, min_value)) - math.log10(max(min_value, reference)))
    if db_range is not None:
        if db_range <= 0.0:
            raise ValueError("db_range must be greater than zero")
        s = np.maximum(s, s.max() - db_range)
    return s


def spectrogram(
    waveform,
    window,
    frame_length,
    hop_length,
    fft_length=None,
    power=1.0,
    center=True,
    pad_mode="reflect",
    onesided=True,
    preemphasis=None,
    mel_filters=None,
    mel_floor=1e-10,
    log_mel=None,
    reference=1.0,
    min_value=1e-10,
    db_range=None,
    remove_dc_offset=False,
    dtype="float32",
):
    """[bins or filters, frames]; float32 with log_mel, else float64, or complex64 with power None."""
    fft_length = frame_length if fft_length is None else fft_length
    if frame_length > fft_length:
        raise ValueError(f"frame_length ({frame_length}) may not be larger than fft_length ({fft_length})")
    if len(window) != frame_length:
        raise ValueError(f"Length of the window ({len(window)}) must equal frame_length ({frame_length})")
    if hop_length <= 0:
        raise ValueError("hop_length must be greater than zero")
    if power is None and mel_filters is not None:
        raise ValueError("mel_filters need power")
    x = pad_waveform(waveform, frame_length // 2, frame_length // 2, pad_mode) if center else waveform
    f = frames_of(x.astype(D), frame_length, hop_length)
    if remove_dc_offset:
        f = f - (pairwise(f) / frame_length)[:, None]
    if preemphasis is not None:
        f = np.concatenate([f[:, :1] * (1 - preemphasis), f[:, 1:] - preemphasis * f[:, :-1]], axis=1)
    f = f * window.astype(D)
    f = np.concatenate([f, np.zeros((len(f), fft_length - frame_length))], axis=1)
    re, im = rfft(f)
    re, im = re.astype(F), im.astype(F)  # complex64: the one rounding that decides the result
    if not onesided:
        tail = slice((fft_length - 1) // 2, 0, -1)
        re, im = np.concatenate([re, re[:, tail]], axis=1), np.concatenate([im, -im[:, tail]], axis=1)
    if power is None:
        z = np.empty(re.shape, np.complex64)
        z.real, z.imag = re, im
        return z.T
    s = re.astype(D) ** 2 + im.astype(D) ** 2
    if power != 2.0:
        s = np.sqrt(s)
        s = s if power == 1.0 else s**power
    if mel_filters is not None:
        s = np.maximum(mel_floor, weighted(s, mel_filters))
    if log_mel is not None:
        if log_mel in ("log", "log10"):
            s = (np.log if log_mel == "log" else np.log10)(s)
        elif log_mel == "dB" and power in (1.0, 2.0):
            s = to_db(s, 20.0 if power == 1.0 else 10.0, reference, min_value, db_range)
        else:
            raise ValueError(
                f"Unknown log_mel option: {log_mel}" if log_mel != "dB" else f"Cannot use 'dB' with power {power}"
            )
        s = s.astype(dtype)
    return s.T


# ---------------------------------------------------------------- 5. torch's and torchaudio's spectrograms (to a
# tolerance)
def torch_power(x, n_fft, hop, window, center=True, pad_mode="reflect"):
    """|torch.stft|^2, float64 [frames, bins], of x float32; a window shorter than n_fft is centred in it."""
    if center:
        if pad_mode == "reflect" and len(x) <= n_fft // 2:
            raise ValueError("reflect padding needs more than n_fft/2 samples")
        x = pad_waveform(x, n_fft // 2, n_fft // 2, pad_mode)
    if len(x) < n_fft:
        raise ValueError("fewer samples than n_fft")
    at = (n_fft - len(window)) // 2
    w = np.zeros(n_fft, window.dtype)
    w[at : at + len(window)] = window
    re, im = rfft((frames_of(x, n_fft, hop) * w).astype(D))
    return re**2 + im**2


def torchaudio_bank(bins, low, high, mels, rate):
    """torchaudio's melscale_fbanks, htk, no norm: float32 steps."""
    line = lambda a, b, n: (np.arange(n, dtype=F) * F((b - a) / (n - 1)) + F(a)).astype(F)
    m = line(hertz_to_mel(low), hertz_to_mel(high), mels + 2)
    edges = F(700) * ((10.0 ** (m / F(2595)).astype(D)).astype(F) - F(1))
    return triangles(line(0, rate // 2, bins), edges)


def kaldi_bank(mels, padded, rate, low, high):
    """torchaudio.compliance.kaldi's bank [padded/2 + 1, mels], float32 steps; the last bin has no weight."""
    low, high = hertz_to_mel(low, "kaldi"), hertz_to_mel(high, "kaldi")
    delta, bin = F((high - low) / (mels + 1)), np.arange(mels, dtype=F)
    left, mid, right = (F(low) + (bin + F(i)) * delta for i in range(3))
    hz = F(rate / padded) * np.arange(padded // 2, dtype=F)
    mel = (F(1127) * np.log((F(1) + hz / F(700)).astype(D)).astype(F))[:, None]
    bank = np.maximum(F(0), np.minimum((mel - left) / (mid - left), (right - mel) / (right - mid)))
    return np.concatenate([bank, np.zeros((1, mels), F)])


def kaldi_fbank(x, mels, window="povey", rate=16000, frame_ms=25.0, shift_ms=10.0):
    """torchaudio.compliance.kaldi.fbank: log mel energies [frames, mels] of x float32; no dither, snipped edges, high
    = rate/2."""
    length, hop = int(rate * frame_ms * 0.001), int(rate * shift_ms * 0.001)
    if len(x) < length:
        raise ValueError(f"choose a window size {length} that is [2, {len(x)}]")
    padded = 1 << (length - 1).bit_length()
    f = frames_of(x, length, hop)
    f = f - f.astype(D).mean(axis=1).astype(F)[:, None]
    f = f - F(0.97) * np.concatenate([f[:, :1], f[:, :-1]], axis=1)
    w = torch_window("hamming" if window == "hamming" else "hann", length, False)
    f = f * (np.power(w.astype(D), 0.85).astype(F) if window == "povey" else w)
    re, im = rfft(np.concatenate([f, np.zeros((len(f), padded - length), F)], axis=1).astype(D))
    s = weighted(re**2 + im**2, kaldi_bank(mels, padded, rate, 20.0, rate / 2))
    return np.log(np.maximum(s, 2.0**-23)).astype(F)


def torch_randn(n, seed):
    """torch.randn(n, generator seeded with seed), n >= 16, to 2e-6: MT19937, 24 bits a number, Box-Muller on blocks of
    16."""
    mt = [seed & 0xFFFFFFFF]
    for i in range(1, 624):
        mt.append((1812433253 * (mt[-1] ^ mt[-1] >> 30) + i) & 0xFFFFFFFF)
    out, need = [], n + (16 if n % 16 else 0)
    while len(out) < need:
        for i in range(624):
            y = (mt[i] & 0x80000000) | (mt[(i + 1) % 624] & 0x7FFFFFFF)
            mt[i] = mt[(i + 397) % 624] ^ y >> 1 ^ (0x9908B0DF if y & 1 else 0)
        for y in mt:
            y ^= y >> 11
            y ^= y << 7 & 0x9D2C5680
            y ^= y << 15 & 0xEFC60000
            out.append((y ^ y >> 18) & 0xFFFFFF)
    u = np.array(out[:need]) / 2.0**24

    def normal(b):
        r, t = np.sqrt(-2 * np.log(1 - b[:8])), 2 * np.pi * b[8:]
        return np.concatenate([r * np.cos(t), r * np.sin(t)])

    x = u[:n].copy()
    for i in range(0, n - 15, 16):
        x[i : i + 16] = normal(x[i : i + 16])
    if n % 16:
        x[n - 16 :] = normal(u[n:])
    return x.astype(F)


# ---------------------------------------------------------------- 6. padding, truncation, masks
def up_to(n, multiple):
    return n if not multiple else -(-n // multiple) * multiple


def pad(items, value=0.0, padding=True, max_length=None, truncation=False, pad_to_multiple_of=None, side="right"):
    """(padded, masks): items [time] or [time, features], first axis padded; masks int32. The base class's `pad`."""
    strategy = {True: "longest", False: "do_not_pad"}.get(padding, padding)
    if strategy not in ("longest", "max_length", "do_not_pad"):
        raise ValueError(f"{padding} is not a valid PaddingStrategy")
    if strategy == "max_length" and max_length is None:
        raise ValueError("padding=max_length needs max_length")
    if truncation:
        if max_length is None:
            raise ValueError("truncation=True needs max_length")
        items = [x[: up_to(max_length, pad_to_multiple_of)] for x in items]
    target = max(len(x) for x in items) if strategy == "longest" else max_length
    out, masks = [], []
    for x in items:
        mask = np.ones(len(x), np.int32)
        more = up_to(target, pad_to_multiple_of) - len(x) if strategy != "do_not_pad" else 0
        if more > 0:
            fill = np.full((more,) + x.shape[1:], value, x.dtype)
            order = (lambda a, b: [b, a]) if side == "left" else (lambda a, b: [a, b])
            x, mask = np.concatenate(order(x, fill)), np.concatenate(order(mask, np.zeros(more, np.int32)))
        out.append(x)
        masks.append(mask)
    return out, masks


def stack(items):
    """One array where all have one shape, else the list."""
    return np.stack(items) if all(x.shape == items[0].shape for x in items) else list(items)


def waves(audio, dtype=F):
    """A batch: list of float32 [n] or [channels, n]."""
    batch = audio if isinstance(audio, (list, tuple)) and not isinstance(audio[0], (int, float)) else [audio]
    return [np.asarray(x, dtype) for x in batch]


def mono(batch):
    if any(x.ndim != 1 for x in batch):
        raise ValueError("Only mono-channel audio is supported")
    return batch


PAD = ("padding", "max_length", "truncation", "pad_to_multiple_of")


def pad_with(items, s, o, value=None, **defaults):
    chosen = {k: o.get(k) if o.get(k) is not None else defaults.get(k) for k in PAD}
    chosen["padding"] = False if chosen["padding"] is None else chosen["padding"]
    chosen["truncation"] = bool(chosen["truncation"])
    return pad(items, s["padding_value"] if value is None else value, side=s["padding_side"], **chosen)


def wants_mask(s, o):
    return s["return_attention_mask"] if o.get("return_attention_mask") is None else o["return_attention_mask"]


# ---------------------------------------------------------------- 7. the feature extractors
BASE = {"padding_side": "right", "padding_value": 0.0}
DEFAULTS = {}  # class name -> settings
RUN = {}  # class name -> function(settings, audio, options)


def extractor(name, **defaults):
    def add(f):
        DEFAULTS[name], RUN[name] = {**BASE, "return_attention_mask": True, **defaults}, f
        return f

    return add


def settings_of(config, type=None):
    config = config.get("feature_extractor", config)
    name = type or config.get("feature_extractor_type")
    if name not in RUN:
        raise ValueError(f"Unrecognized feature extractor {name}")
    s = {
        **DEFAULTS[name],
        **{k: v for k, v in config.items() if k not in ("feature_extractor_type", "processor_class")},
    }
    return name, s


def extract(config, audio, options=None, type=None):
    """{name: array, list of arrays where shapes differ, or plain values}"""
    name, s = settings_of(config, type)
    o = {k: v for k, v in (options or {}).items() if v is not None}
    rate = o.get("sampling_rate")
    if rate is not None and rate != s["sampling_rate"]:
        raise ValueError(f"{name} was trained using a sampling rate of {s['sampling_rate']}, got sampling_rate {rate}")
    return RUN[name](s, audio, o)


# --- Whisper and its kin: log10 mel, 8 below the maximum of each item
def whisper_bank(s):
    return mel_filter_bank(1 + s["n_fft"] // 2, s["feature_size"], 0.0, 8000.0, s["sampling_rate"], "slaney", "slaney")


def log10_below_max(log_spec, top=None):
    """float32 steps: max(x, max - 8), + 4, / 4."""
    log_spec = np.maximum(log_spec, (log_spec.max() if top is None else F(top)) - F(8))
    return (log_spec + F(4)) / F(4)


def whisper_features(x, s):
    spec = spectrogram(
        x,
        window_function(s["n_fft"]),
        s["n_fft"],
        s["hop_length"],
        power=2.0,
        mel_filters=whisper_bank(s),
        log_mel="log10",
    )
    return log10_below_max(spec[:, :-1])


def every_hop(mask, hop):
    short = mask[:, ::hop]
    return short[:, :-1] if mask.shape[1] % hop else short


WHISPER = dict(
    feature_size=80,
    sampling_rate=16000,
    hop_length=160,
    chunk_length=30,
    n_fft=400,
    dither=0.0,
    return_attention_mask=False,
)


@extractor("WhisperFeatureExtractor", **WHISPER)
def whisper(s, audio, o):
    n = s["chunk_length"] * s["sampling_rate"]
    o = {**o, "max_length": o.get("max_length") or n}
    items, masks = pad_with(mono(waves(audio)), s, o, padding="max_length", truncation=True)
    if any(len(x) != len(items[0]) for x in items):
        raise ValueError("the waveforms must be padded to one length")
    if o.get("do_normalize"):
        items = [zero_mean_unit_var(x, int(m.sum()), s["padding_value"]) for x, m in zip(items, masks)]
    out = {"input_features": np.stack([whisper_features(x, s) for x in items])}
    ask = o.get("return_attention_mask")
    if ask:
        out["attention_mask"] = every_hop(np.stack(masks), s["hop_length"])
    elif (ask is None and s["return_attention_mask"] and o.get("do_normalize") is None) or o.get("do_normalize"):
        out["attention_mask"] = np.stack(masks)  # as Python: one a sample
    return out


@extractor("MossTranscribeDiarizeFeatureExtractor", **WHISPER)
def moss(s, audio, o):
    batch, n = mono(waves(audio)), s["chunk_length"] * s["sampling_rate"]
    chunks = [x[i : i + n] for x in batch for i in range(0, max(len(x), 1), n)]
    o = {
        "pad_to_multiple_of": o.get("pad_to_multiple_of"),
        "padding": "max_length",
        "max_length": n,
        "truncation": True,
    }
    items, masks = pad_with(chunks, s, o)
    longest = max(len(x) for x in batch)
    return {
        "input_features": np.stack([whisper_features(x, s) for x in items]),
        "input_features_mask": every_hop(np.stack(masks), s["hop_length"]),
        "padding_mask": np.stack([(np.arange(longest) < len(x)).astype(np.int64) for x in batch]),
    }


def torch_log10_mel(x, s):
    """Whisper's features by torch, before the maximum: float32 [mels, frames]."""
    p = torch_power(x, s["n_fft"], s["hop_length"], torch_window("hann", s["n_fft"], True))[:-1]
    return np.log10(np.maximum(weighted(p, whisper_bank(s).astype(F)), 1e-10)).astype(F).T


@extractor(
    "Qwen3ASRFeatureExtractor",
    **{**WHISPER, "feature_size": 128, "return_attention_mask": True, "n_window": 50, "min_length": 8000},
)
def qwen3_asr(s, audio, o):
    batch = [pad_waveform(x, 0, max(0, s["min_length"] - len(x)), "constant") for x in mono(waves(audio))]
    o = {**o, "max_length": o.get("max_length") or s["chunk_length"] * s["sampling_rate"]}
    items, masks = pad_with(batch, s, o, padding="max_length")
    features = np.stack([log10_below_max(torch_log10_mel(x, s)) for x in items])
    mask = every_hop(np.stack(masks), s["hop_length"])
    multiple = 2 * (s["n_window"] if o.get("n_window") is None else o["n_window"])
    more = -features.shape[2] % multiple if multiple > 1 else 0
    out = {"input_features": np.pad(features, [(0, 0), (0, 0), (0, more)])}
    if o.get("return_attention_mask"):
        out["attention_mask"] = np.pad(mask, [(0, 0), (0, more)])
    return out


@extractor("Dots3NoteFeatureExtractor", **{**WHISPER, "feature_size": 128, "chunk_length": 60, "chunk_seconds": None})
def dots3_note(s, audio, o):
    n = (s["chunk_length"] if s["chunk_seconds"] is None else s["chunk_seconds"]) * s["sampling_rate"]
    batch = mono(waves(audio))
    pieces = [[x[i : i + n] for i in range(0, len(x), n)] for x in batch]
    tokens = [[-(-len(c) // (s["hop_length"] * 8)) for c in p] for p in pieces]
    items, _ = pad([c for p in pieces for c in p], s["padding_value"], "max_length", n, side=s["padding_side"])
    features = np.stack([log10_below_max(torch_log10_mel(x, s)) for x in items])
    return {
        "input_features": features[..., : max(t for p in tokens for t in p) * 8],
        "chunk_sample_lengths": np.array([len(c) for p in pieces for c in p], np.int64),
        "num_audio_tokens": np.array([sum(p) for p in tokens], np.int64),
    }


@extractor(
    "VoxtralRealtimeFeatureExtractor",
    feature_size=128,
    sampling_rate=16000,
    hop_length=160,
    n_fft=400,
    win_length=400,
    global_log_mel_max=1.5,
)
def voxtral_realtime(s, audio, o):
    items, masks = pad_with(mono(waves(audio)), s, o, padding="longest")
    center = o.get("center", True)
    logs = []
    for x in items:
        p = torch_power(x, s["n_fft"], s["hop_length"], torch_window("hann", s["n_fft"], True), center)[:-1]
        logs.append(np.log10(np.maximum(weighted(p, whisper_bank(s).astype(F)), 1e-10)).astype(F).T)
    top = max(x.max() for x in logs) if s["global_log_mel_max"] is None else s["global_log_mel_max"]
    out = {"input_features": np.stack([log10_below_max(x, top) for x in logs])}
    if o.get("return_attention_mask"):
        out["attention_mask"] = np.stack(masks)[:, s["win_length"] - 1 :: s["hop_length"]].astype(bool)
    return out


# --- Kaldi's filter bank by NumPy: SeamlessM4T, Speech2Text, AST; by torchaudio: FunASR, NeuCodec, X-Codec 2
def kaldi_numpy(x, mels, rate, window, scale):
    bank = mel_filter_bank(257, mels, 20, rate // 2, rate, None, "kaldi", True)
    return spectrogram(
        x * F(scale),
        window_function(400, window, periodic=False),
        400,
        160,
        512,
        power=2.0,
        center=False,
        preemphasis=0.97,
        mel_filters=bank,
        log_mel="log",
        mel_floor=2.0**-23,
        remove_dc_offset=True,
    ).T


@extractor("SeamlessM4TFeatureExtractor", feature_size=80, sampling_rate=16000, num_mel_bins=80, stride=2)
def seamless(s, audio, o):
    features = []
    for x in waves(audio):
        x = kaldi_numpy(x if x.ndim == 1 else x[0], s["num_mel_bins"], s["sampling_rate"], "povey", 32768)
        if o.get("do_normalize_per_mel_bins", True):
            mean, var = mean_var(pairwise, x.T, 1)
            x = (x - mean) / np.sqrt(var + F(1e-7))
        features.append(x)
    items, masks = pad_with(features, s, o, padding=True, pad_to_multiple_of=2)
    x, mask, n = np.stack(items), np.stack(masks), s["stride"]
    whole = x.shape[1] // n * n
    out = {"input_features": x[:, :whole].reshape(len(x), -1, n * x.shape[2])}
    if wants_mask(s, o):
        out["attention_mask"] = mask[:, 1:whole:n] if n > 1 else mask[:, :0]
    return out


@extractor(
    "Speech2TextFeatureExtractor",
    feature_size=80,
    sampling_rate=16000,
    num_mel_bins=80,
    dither=0.0,
    do_ceptral_normalize=True,
    normalize_means=True,
    normalize_vars=True,
)
def speech_to_text(s, audio, o):
    features = [kaldi_numpy(x, s["num_mel_bins"], s["sampling_rate"], "povey", 32768) for x in mono(waves(audio))]
    items, masks = pad_with(features, s, o, padding=False)
    mask = o.get("return_attention_mask", True)
    padded = o.get("padding", False) is not False
    even = all(len(x) == len(items[0]) for x in items)
    if s["do_ceptral_normalize"]:
        for i, x in enumerate(items):
            n = int(masks[i].sum()) if padded and mask else len(x)
            if s[
                "normalize_means"
            ]:  # one array: row after row; arrays of unequal lengths stay columns in memory: pairwise
                x = x - (mean_var(rowwise, x[:n])[0] if even else mean_var(pairwise, x[:n].T)[0])
            if s["normalize_vars"]:
                x = x / np.sqrt(mean_var(rowwise, x[:n])[1] if even else mean_var(pairwise, x[:n].T)[1])
            x[n:] = s["padding_value"]
            items[i] = x
    out = {"input_features": stack(items)}
    if mask:
        out["attention_mask"] = stack(masks)
    return out


@extractor(
    "ASTFeatureExtractor",
    feature_size=1,
    sampling_rate=16000,
    num_mel_bins=128,
    max_length=1024,
    do_normalize=True,
    mean=-4.2677393,
    std=4.5689974,
    return_attention_mask=False,
)
def ast(s, audio, o):
    out = []
    for x in mono(waves(audio)):
        x = kaldi_numpy(x, s["num_mel_bins"], s["sampling_rate"], "hann", 1)[: s["max_length"]]
        x = np.concatenate([x, np.zeros((s["max_length"] - len(x), x.shape[1]), F)])
        out.append((x - F(s["mean"])) / F(s["std"] * 2) if s["do_normalize"] else x)
    return {"input_values": np.stack(out)}


@extractor(
    "FunAsrNanoFeatureExtractor",
    feature_size=80,
    sampling_rate=16000,
    frame_length=25,
    frame_shift=10,
    num_frames_lfr=7,
    stride_lfr=6,
    window="hamming",
)
def fun_asr_nano(s, audio, o):
    out, m, n = [], s["num_frames_lfr"], s["stride_lfr"]
    for x in mono(waves(audio)):
        f = kaldi_fbank(x, s["feature_size"], s["window"], s["sampling_rate"], s["frame_length"], s["frame_shift"])
        rows = -(-len(f) // n)
        at = np.arange(rows)[:, None] * n + np.arange(m) - (m - 1) // 2
        out.append(f[np.clip(at, 0, len(f) - 1)].reshape(rows, -1))
    items, masks = pad_with(out, s, o, padding=True)
    result = {"input_features": np.stack(items)}
    if wants_mask(s, o):
        result["input_features_mask"] = np.stack(masks)
    return result


def codec_features(s, audio, o, waveform):
    """NeuCodec, X-Codec 2: one zero added, padded to whole hops; Kaldi features normalised by mel bin, two frames a
    row."""
    hop = s["hop_length"]
    batch = [np.append(x, F(0)) for x in mono(waves(audio))]
    keys = dict(padding=o.get("padding", True), max_length=o.get("max_length"), truncation=o.get("truncation", False))
    items, masks = pad(batch, 0.0, pad_to_multiple_of=hop, **keys)
    features = []
    for x, padded, mask in zip(batch, items, masks):
        f = kaldi_fbank(waveform(x, padded, int(mask.sum()), hop) * F(32768), 80).astype(D)
        features.append(((f - f.mean(0)) / np.sqrt(f.var(0, ddof=1) + 1e-7)).astype(F))
    rows, row_masks = pad(features, s["padding_value"], pad_to_multiple_of=2, **keys)
    rows, row_masks = np.stack(rows), np.stack(row_masks)
    n = rows.shape[1] // 2
    return {
        "input_values": np.stack(items)[:, None],
        "padding_mask": np.stack(masks),
        "input_features": rows[:, : 2 * n].reshape(len(rows), n, 160),
        "input_features_mask": row_masks[:, : 2 * n].reshape(len(rows), n, 2).min(-1),
    }


CODEC = dict(feature_size=80, sampling_rate=16000, padding_value=1.0, hop_length=320)


@extractor("NeuCodecFeatureExtractor", **CODEC)
def neucodec(s, audio, o):
    return codec_features(
        s, audio, o, lambda x, padded, n, hop: pad_waveform(x, 0, up_to(len(x), hop) - len(x), "constant")
    )


@extractor("Xcodec2FeatureExtractor", **CODEC)
def xcodec2(s, audio, o):
    return codec_features(
        s, audio, o, lambda x, padded, n, hop: pad_waveform(padded[: up_to(n, hop)], hop // 2, hop // 2, "constant")
    )


# --- other NumPy mel extractors
@extractor(
    "ClapFeatureExtractor",
    feature_size=64,
    sampling_rate=48000,
    hop_length=480,
    max_length_s=10,
    fft_window_size=1024,
    return_attention_mask=False,
    frequency_min=0,
    frequency_max=14000,
    top_db=None,
    truncation="fusion",
    padding="repeatpad",
)
def clap(s, audio, o):
    truncation = o.get("truncation", s["truncation"])
    padding = s["padding"] if o.get("padding") in (None, True) else o["padding"]
    limit = o.get("max_length") or s["max_length_s"] * s["sampling_rate"]
    htk = truncation == "fusion"
    bank = mel_filter_bank(
        (s["fft_window_size"] >> 1) + 1,
        s["feature_size"],
        s["frequency_min"],
        s["frequency_max"],
        s["sampling_rate"],
        None if htk else "slaney",
        "htk" if htk else "slaney",
    )
    size, hop, out, longer = s["fft_window_size"], s["hop_length"], [], []
    for x in mono(waves(audio, D)):  # float64 stays float64 here
        cut = len(x) > limit
        if cut and truncation == "rand_trunc":
            at = o["offsets"][0]  # Python: a random integer of 0..len - limit
            x = x[at : at + limit]
        elif cut and truncation != "fusion":
            raise ValueError(f"data_truncating {truncation} not implemented")
        elif len(x) < limit:
            times = limit // len(x)
            if padding == "repeat":
                x = np.tile(x, times + 1)[:limit]
            if padding == "repeatpad":
                x = np.tile(x, times)
            x = pad_waveform(x, 0, limit - len(x), "constant")
        mel = spectrogram(x, window_function(size), size, hop, power=2.0, mel_filters=bank, log_mel="dB").T
        if not htk:
            mel = mel[None]
        elif not cut or len(mel) == limit // hop + 1:
            cut, mel = False, np.stack([mel] * 4)
        else:
            chunk = limit // hop + 1
            last = len(mel) - chunk  # Python: front, middle, back are random in the thirds of 0..last
            thirds = np.array_split(np.arange(last + 1), 3)
            at = o.get("offsets") or [t[0] if len(t) else 0 for t in thirds]
            mel = np.stack([shrink(mel, chunk, 64)] + [mel[i : i + chunk] for i in at])
        out.append(mel)
        longer.append([cut])
    if htk and not any(v for v, in longer):
        longer[0] = [True]  # Python: a random item of the batch
    return {"input_features": np.stack(out), "is_longer": np.array(longer)}


def shrink(x, h, w):
    """Bilinear, no antialias, half-pixel centres: torch's interpolate on CPUs with fused multiply-add, float32."""

    def taps(n, m):
        c = np.maximum(F(0), F(n / m) * (np.arange(m, dtype=F) + F(0.5)) - F(0.5))
        i = c.astype(int)
        return i, np.minimum(i + 1, n - 1), c - i.astype(F)

    def mix(a, b, t):
        return fma(a, np.broadcast_to(F(1) - t, a.shape), b * t)

    (a, b, t), (c, d, u) = taps(x.shape[0], h), taps(x.shape[1], w)
    wide = mix(x[:, c], x[:, d], u)
    return mix(wide[a], wide[b], t[:, None])


@extractor(
    "ClvpFeatureExtractor",
    feature_size=80,
    sampling_rate=22050,
    default_audio_length=6,
    hop_length=256,
    chunk_length=30,
    n_fft=1024,
    mel_norms=None,
    return_attention_mask=False,
)
def clvp(s, audio, o):
    bank = mel_filter_bank(1 + s["n_fft"] // 2, s["feature_size"], 0.0, 8000.0, s["sampling_rate"], "slaney", "htk")
    o = {**o, "max_length": o.get("max_length", s["default_audio_length"] * s["sampling_rate"])}
    items, masks = pad_with(mono(waves(audio)), s, o, padding="max_length", truncation=True)
    out = []
    for x in items:
        mel = np.log(
            np.maximum(
                spectrogram(x, window_function(s["n_fft"]), s["n_fft"], s["hop_length"], power=2.0, mel_filters=bank),
                1e-5,
            )
        )
        out.append((mel if s["mel_norms"] is None else mel / np.array(s["mel_norms"])[:, None]).astype(F))
    result = {"input_features": np.stack(out)}
    if o.get("return_attention_mask", True):
        result["attention_mask"] = np.stack(masks)
    return result


@extractor(
    "SpeechT5FeatureExtractor",
    feature_size=1,
    sampling_rate=16000,
    do_normalize=False,
    num_mel_bins=80,
    hop_length=16,
    win_length=64,
    win_function="hann_window",
    fmin=80,
    fmax=7600,
    mel_floor=1e-10,
)
def speecht5(s, audio, o):
    rate = s["sampling_rate"]
    size, step = s["win_length"] * rate // 1000, s["hop_length"] * rate // 1000
    fft = 1 << (size - 1).bit_length()

    def one(audio, target):
        batch = mono(waves(audio))
        if target:
            bank = mel_filter_bank(fft // 2 + 1, s["num_mel_bins"], s["fmin"], s["fmax"], rate, "slaney", "slaney")
            batch = [
                spectrogram(
                    x,
                    window_function(size, s["win_function"]),
                    size,
                    step,
                    fft,
                    mel_filters=bank,
                    mel_floor=s["mel_floor"],
                    log_mel="log10",
                ).T
                for x in batch
            ]
        items, masks = pad_with(batch, s, o, padding=False)
        if s["do_normalize"] and not target:
            padded = o.get("padding", False) is not False
            items = [
                zero_mean_unit_var(x, int(m.sum()) if padded else None, s["padding_value"])
                for x, m in zip(items, masks)
            ]
        return stack(items), stack(masks)

    out, mask = {}, wants_mask(s, o)
    if audio is not None:
        out["input_values"], m = one(audio, False)
        out.update({"attention_mask": m} if mask else {})
    if o.get("audio_target") is not None:
        values, m = one(o["audio_target"], True)
        out["labels" if audio is not None else "input_values"] = values
        out.update({"decoder_attention_mask" if audio is not None else "attention_mask": m} if mask else {})
    if not out:
        raise ValueError("You must provide either `audio` or `audio_target` values.")
    return out


@extractor(
    "UnivNetFeatureExtractor",
    feature_size=1,
    sampling_rate=24000,
    do_normalize=False,
    num_mel_bins=100,
    hop_length=256,
    win_length=1024,
    win_function="hann_window",
    filter_length=1024,
    max_length_s=10,
    fmin=0.0,
    fmax=None,
    mel_floor=1e-9,
    center=False,
    compression_factor=1.0,
    compression_clip_val=1e-5,
    normalize_min=-11.512925148010254,
    normalize_max=2.3143386840820312,
    model_in_channels=64,
    pad_end_length=10,
)
def univnet(s, audio, o):
    rate, hop = s["sampling_rate"], s["hop_length"]
    fft = s["filter_length"] or 1 << (s["win_length"] - 1).bit_length()
    batch = mono(waves(audio))
    if o.get("pad_end"):
        n = o.get("pad_length", s["pad_end_length"]) * hop
        batch = [np.concatenate([x, np.full(n, s["padding_value"], F)]) for x in batch]
    o = {**o, "max_length": o.get("max_length", s["max_length_s"] * rate)}
    items, masks = pad_with(batch, s, o, padding=True, truncation=True)
    bank = mel_filter_bank(
        fft // 2 + 1,
        s["num_mel_bins"],
        s["fmin"],
        rate / 2 if s["fmax"] is None else s["fmax"],
        rate,
        "slaney",
        "slaney",
    )
    out = []
    for x in items:
        side = (fft - hop) // 2
        z = spectrogram(
            pad_waveform(x, side, side, "reflect"),
            window_function(s["win_length"], s["win_function"]),
            fft,
            hop,
            fft,
            power=None,
            center=s["center"],
        ).T
        amplitude = np.sqrt(z.real * z.real + z.imag * z.imag + F(s["mel_floor"]))  # float32 steps
        mel = np.log(
            np.maximum(weighted(amplitude.astype(D), bank), s["compression_clip_val"]) * s["compression_factor"]
        ).astype(F)
        if o.get("do_normalize", s["do_normalize"]):
            mel = F(2) * ((mel - F(s["normalize_min"])) / F(s["normalize_max"] - s["normalize_min"])) - F(1)
        out.append(mel)
    result = {"input_features": stack(out)}
    if wants_mask(s, o):
        result["padding_mask"] = stack(masks)
    if "noise_sequence" in o:  # Python draws it (return_noise): float32 standard normal [frames, model_in_channels]
        result["noise_sequence"] = o["noise_sequence"]
    return result


# --- Gemma: NumPy's float32 kernels with fused multiply-add (AVX2, AVX512, ARM; x86 CPUs without it give other last
# bits)
def fma(a, b, c):
    """a * b + c of float32 values, rounded once: the float64 sum is rounded to odd before it becomes float32."""
    p, c = np.asarray(a, D) * b, np.asarray(c, D)  # the product is exact
    s = p + c
    t = s - p
    lost = (p - (s - t)) + (c - t)
    odd = (s.view(np.int64) - ((lost != 0) & ((lost < 0) != (s < 0)))) | (lost != 0)
    return odd.view(D).astype(F)


def magnitude(re, im):
    """NumPy's abs of complex64: the larger part times sqrt(fma(q, q, 1)), q = smaller / larger."""
    a, b = np.abs(re), np.abs(im)
    big, small = np.maximum(a, b), np.minimum(a, b)
    q = np.divide(small, big, out=np.zeros_like(big), where=big > 0)
    return big * np.sqrt(fma(q, q, F(1)))


def cos32(x):
    """NumPy's cos of float32: a multiple k of pi/2 is taken off in three parts, then a polynomial."""
    h = float.fromhex
    k = fma(x, F(h("0x1.45f306p-1")), F(1.5 * 2**23)) - F(1.5 * 2**23)
    for part in ("-0x1.921fb0p+0", "-0x1.5110b4p-22", "-0x1.846988p-48"):
        x = fma(k, F(h(part)), x)
    y = x * x
    c = F(h("0x1.98e616p-16"))
    for term in ("-0x1.6c06dcp-10", "0x1.55553cp-5", "-0x1p-1", "0x1p+0"):
        c = fma(c, y, F(h(term)))
    s = F(h("0x1.7d3bbcp-19"))
    for term in ("-0x1.a06bbap-13", "0x1.11119ap-7", "-0x1.555556p-3", "0x0p+0"):
        s = fma(s, y, F(h(term)))
    s = fma(s, x, x)
    k = k.astype(int) % 4
    return np.where(k % 2 == 0, np.where(k == 0, c, -c), np.where(k == 1, -s, s))


def gemma_frames(x, s, length, hop):
    f, e = frames_of(x, length + 1, hop) if len(x) > length else np.zeros((0, length + 1), F), s["preemphasis"]
    if e > 0 and s["preemphasis_htk_flavor"]:
        return np.concatenate([f[:, :1] * F(1 - e), f[:, 1:-1] - F(e) * f[:, :-2]], axis=1)
    return f[:, 1:] - F(e) * f[:, :-1] if e > 0 else f[:, :-1]


def gemma(s, audio, o, later):
    rate = s["sampling_rate"]
    length, hop = round(rate * s["frame_length_ms"] / 1000), round(rate * s["hop_length_ms"] / 1000)
    fft = (1 << (length - 1).bit_length()) * (2 if s["fft_overdrive"] else 1)
    items, masks = pad_with(
        mono(waves(audio)), s, o, padding="longest", max_length=480000, truncation=True, pad_to_multiple_of=128
    )
    if later:
        window = window_function(length).astype(F)
        bank = mel_filter_bank(fft // 2 + 1, s["feature_size"], s["min_frequency"], s["max_frequency"], rate)
    else:
        t = np.arange(length, dtype=F) * F(2 * math.pi) / F(length)
        window = F(0.5) * (F(1) - cos32(t))
        mels = linspace(hertz_to_mel(s["min_frequency"]), hertz_to_mel(s["max_frequency"]), s["feature_size"] + 2)
        bank = triangles(
            (np.arange(fft // 2 + 1, dtype=F) * F(rate / fft)).astype(D), np.array([mel_to_hertz(m) for m in mels])
        )
    out, flags = [], []
    for x, mask in zip(items, masks):
        if s["input_scale_factor"] != 1:
            x = x * F(s["input_scale_factor"])
        if later:
            x, mask = np.concatenate([np.zeros(length // 2, F), x]), np.concatenate(
                [np.zeros(length // 2, np.int32), mask]
            )
        f = gemma_frames(x, s, length, hop) * window
        re, im = rfft(np.concatenate([f, np.zeros((len(f), fft - length), F)], axis=1).astype(D))
        mel = weighted(magnitude(re.astype(F), im.astype(F)).astype(D), bank)
        mel = np.log(mel + s["mel_floor"] if later else np.maximum(mel, s["mel_floor"]))
        for key, change in (("per_bin_mean", np.subtract), ("per_bin_stddev", np.divide)):
            if s[key] is not None:
                mel = change(mel, np.array(s[key]))
        keep = mask[np.arange(len(mel)) * hop + (length if later else 0)].astype(bool)
        out.append(mel.astype(F) * keep[:, None] if later else mel.astype(F))
        flags.append(keep)
    return {"input_features": stack(out), "input_features_mask": stack(flags)}


GEMMA = dict(
    feature_size=128,
    sampling_rate=16000,
    hop_length_ms=10.0,
    preemphasis_htk_flavor=True,
    dither=0.0,
    input_scale_factor=1.0,
    per_bin_mean=None,
    per_bin_stddev=None,
)


@extractor(
    "Gemma3nAudioFeatureExtractor",
    **GEMMA,
    frame_length_ms=32.0,
    min_frequency=125.0,
    max_frequency=7600.0,
    preemphasis=0.97,
    fft_overdrive=True,
    mel_floor=1e-5,
)
def gemma3n(s, audio, o):
    return gemma(s, audio, o, False)


@extractor(
    "Gemma4AudioFeatureExtractor",
    **GEMMA,
    frame_length_ms=20.0,
    min_frequency=0.0,
    max_frequency=8000.0,
    preemphasis=0.0,
    fft_overdrive=False,
    mel_floor=1e-3,
)
def gemma4(s, audio, o):
    return gemma(s, audio, o, True)


@extractor("Gemma4UnifiedAudioFeatureExtractor", feature_size=640, sampling_rate=16000, audio_samples_per_token=640)
def gemma4_unified(s, audio, o):
    n = s["audio_samples_per_token"]
    rows = [pad_waveform(x, 0, -len(x) % n, "constant").reshape(-1, n) for x in mono(waves(audio))]
    limit = o.get("max_length")
    items, masks = pad_with(
        rows, s, {**o, "truncation": o.get("truncation", True) and limit is not None}, padding="longest"
    )
    return {"input_features": stack(items), "input_features_mask": stack([m.astype(bool) for m in masks])}


# --- waveforms: Wav2Vec2, EnCodec, DAC and other codecs
@extractor(
    "Wav2Vec2FeatureExtractor", feature_size=1, sampling_rate=16000, return_attention_mask=False, do_normalize=True
)
def wav2vec2(s, audio, o):
    items, masks = pad_with(mono(waves(audio)), s, o, padding=False)
    mask = wants_mask(s, o)
    if s["do_normalize"]:  # without a mask the padding counts too
        known = mask and o.get("padding", False) is not False
        items = [
            zero_mean_unit_var(x, int(m.sum()) if known else None, s["padding_value"]) for x, m in zip(items, masks)
        ]
    out = {"input_values": stack(items)}
    if mask:
        out["attention_mask"] = stack(masks)
    return out


def codec_batch(s, audio, o, stereo):
    """[channels, n] or [n] each, as [n] or [n, channels]; the padding asked for."""
    if o.get("padding") and o.get("truncation"):
        raise ValueError("Both padding and truncation were set. Make sure you only set one.")
    batch = [x.T for x in waves(audio)]
    if s["feature_size"] == 1:
        mono(batch)
    elif not stereo:
        raise ValueError("Stereo audio isn't supported for now")
    elif any(x.ndim != 2 or x.shape[1] != 2 for x in batch):
        raise ValueError("Expected stereo audio")
    return batch, o.get("padding", True)


def codec_values(items):
    return stack([x[None] if x.ndim == 1 else x.T for x in items])


ENCODEC = dict(feature_size=1, sampling_rate=24000, chunk_length_s=None, overlap=None)


def encodec(s, audio, o, ends=None):
    batch, padding = codec_batch(s, audio, o, True)
    truncation, limit = o.get("truncation", False), o.get("max_length")
    if s["chunk_length_s"] is not None and s["overlap"] is not None and limit is None:
        length = int(s["chunk_length_s"] * s["sampling_rate"])
        step = max(1, int((1.0 - s["overlap"]) * length))
        if truncation:
            limit = (min(len(x) for x in batch) // step - 1) * step + length
        elif padding:
            limit, padding = (-(-max(len(x) for x in batch) // step) - 1) * step + length, "max_length"
    items, masks = pad(batch, s["padding_value"], padding, limit, truncation, side=s["padding_side"])
    if ends:
        items = [np.concatenate([np.zeros(ends[0], F), x, np.zeros(ends[1], F)]) for x in items]
        masks = [np.concatenate([np.zeros(ends[0], np.int32), m, np.zeros(ends[1], np.int32)]) for m in masks]
    return {"input_values": codec_values(items), **({"padding_mask": stack(masks)} if padding else {})}


@extractor("EncodecFeatureExtractor", **ENCODEC)
def encodec_plain(s, audio, o):
    return encodec(s, audio, o)


@extractor("KyutaiSpeechToTextFeatureExtractor", **ENCODEC, audio_delay_seconds=0.0, audio_silence_prefix_seconds=0.0)
def kyutai(s, audio, o):
    rate = s["sampling_rate"]
    return encodec(
        s, audio, o, (int(s["audio_silence_prefix_seconds"] * rate), int((s["audio_delay_seconds"] + 1.0) * rate))
    )


@extractor("DacFeatureExtractor", feature_size=1, sampling_rate=16000, hop_length=512)
def dac(s, audio, o):
    batch, padding = codec_batch(s, audio, o, False)
    items, masks = pad(
        batch,
        s["padding_value"],
        padding,
        o.get("max_length"),
        o.get("truncation", False),
        s["hop_length"],
        s["padding_side"],
    )
    return {"input_values": codec_values(items), **({"padding_mask": stack(masks)} if padding else {})}


@extractor("PeAudioFeatureExtractor", feature_size=1, sampling_rate=48000, hop_length=1920)
def pe_audio(s, audio, o):
    hop = s["hop_length"]
    batch = [pad_waveform(x, 0, -len(x) % hop, "reflect") for x in mono(waves(audio))]
    return dac(s, batch, o)


@extractor("DiaFeatureExtractor", feature_size=1, sampling_rate=16000, hop_length=512)
def dia(s, audio, o):
    batch = waves(audio)
    if s["feature_size"] == 2:
        batch = [(x[0] + x[1]) / F(2) if x.ndim == 2 else x for x in batch]
    batch, padding = codec_batch({"feature_size": 1}, mono(batch), o, False)
    items, masks = pad(
        batch,
        s["padding_value"],
        padding,
        o.get("max_length"),
        o.get("truncation", False),
        s["hop_length"],
        s["padding_side"],
    )
    return {"input_values": codec_values(items), "padding_mask": stack(masks)}


@extractor("MuseSparkFeatureExtractor", feature_size=1, sampling_rate=24000, samples_per_token=1920)
def muse_spark(s, audio, o):
    items, masks = pad_with(mono(waves(audio)), s, o, padding="longest", pad_to_multiple_of=s["samples_per_token"])
    return {"input_values": stack(items), **({"input_values_mask": stack(masks)} if wants_mask(s, o) else {})}


def tts_batch(s, batch, o):
    o = {"pad_to_multiple_of": s["pad_to_multiple_of"], **o}
    items, masks = pad_with(
        batch, s, {k: o[k] for k in ("padding", "max_length", "pad_to_multiple_of") if k in o}, padding=True
    )
    mask = o.get("return_attention_mask", True)
    return {"input_values": np.stack(items)[:, None], **({"padding_mask": np.stack(masks)} if mask else {})}


@extractor(
    "VibeVoiceAcousticTokenizerFeatureExtractor",
    feature_size=1,
    sampling_rate=24000,
    normalize_audio=True,
    target_dB_FS=-25,
    eps=1e-6,
    pad_to_multiple_of=3200,
)
def vibevoice(s, audio, o):
    batch = mono(waves(audio))
    if s["normalize_audio"]:
        for i, x in enumerate(batch):
            rms = F(math.sqrt((x.astype(D) ** 2).mean()))
            x = x * (F(10 ** (s["target_dB_FS"] / 20)) / (rms + F(s["eps"])))
            top = np.abs(x).max()
            batch[i] = x / (top + F(s["eps"])) if top > 1 else x
    return tts_batch(s, batch, o)


@extractor(
    "PocketTTSFeatureExtractor",
    feature_size=1,
    sampling_rate=24000,
    frame_size=1920,
    pad_to_multiple_of=1920,
    end_on_pause=True,
    pause_duration=0.08,
    fade_out_duration=0.02,
    silence_floor_db=35.0,
    analysis_frame_duration=0.02,
)
def pocket_tts(s, audio, o):
    rate, out = s["sampling_rate"], []
    size = max(1, int(s["analysis_frame_duration"] * rate))
    for x in mono(waves(audio)):
        n = len(x) // size
        if o.get("end_on_pause", s["end_on_pause"]) and n:
            rms = np.sqrt((x[: n * size].astype(D) ** 2).reshape(n, size).mean(-1))
            db = 20 * np.log10(rms + 1e-12)
            end = (int(np.flatnonzero(db > db.max() - s["silence_floor_db"])[-1]) + 1) * size
            fade = min(int(s["fade_out_duration"] * rate), end)
            i, step = np.arange(fade), F(-1 / (fade - 1)) if fade > 1 else F(0)
            ramp = np.where(i < fade // 2, F(1) + step * i.astype(F), F(0) - step * (fade - 1 - i).astype(F)).astype(F)
            x = np.concatenate(
                [x[: end - fade], x[end - fade : end] * ramp, np.zeros(int(s["pause_duration"] * rate), F)]
            )
        out.append(x)
    return tts_batch(s, out, o)


@extractor("OmniASRFeatureExtractor", feature_size=1, sampling_rate=16000, do_normalize=True)
def omni_asr(s, audio, o):
    items, masks = pad_with(mono(waves(audio)), s, {**o, "pad_to_multiple_of": None}, padding=True)
    if len({len(x) for x in items}) > 1:
        raise ValueError("samples of several lengths make no tensor")
    for i, (x, m) in enumerate(zip(items, masks)):
        if s["do_normalize"] and m.any():
            real = x[m == 1].astype(D)
            done = (x - real.mean()) / np.sqrt(real.var() + 1e-5)
            items[i] = np.where(m == 1, done.astype(F), F(s["padding_value"]))
    mask = o.get("return_attention_mask", True)
    return {"input_values": np.stack(items)[:, None], **({"padding_mask": np.stack(masks)} if mask else {})}


@extractor(
    "WavTokenizerFeatureExtractor",
    feature_size=1,
    sampling_rate=24000,
    hop_length=600,
    normalize_audio=False,
    target_peak_dB_FS=-3.0,
)
def wav_tokenizer(s, audio, o):
    batch = mono(waves(audio))
    if not all(map(len, batch)):
        raise ValueError("Input audio is empty")
    if s["normalize_audio"]:
        peak = 10.0 ** (s["target_peak_dB_FS"] / 20.0)
        batch = [x * F(peak / max(float(np.abs(x).max()), 1e-10)) for x in batch]
    items, masks = pad_with(batch, s, {**o, "pad_to_multiple_of": None}, padding=True)
    return {"padding_mask": stack(masks), "input_values": codec_values(items)}


# --- torch's mel extractors
def nemo_power(x, s, bank, window, center=True):
    """log(mel + 2^-24), float64 [frames, mels]: Parakeet, Nemotron, Cohere."""
    return np.log(weighted(torch_power(x, s["n_fft"], s["hop_length"], window, center, "constant"), bank) + 2.0**-24)


def nemo_waves(s, batch, o, extra=lambda items, masks: items):
    items, masks = pad_with(batch, s, o, padding="longest")
    lengths = [min(len(x), len(y)) if o.get("truncation") else len(x) for x, y in zip(batch, items)]
    lengths = [len(x) for x in batch]
    items = extra(items, lengths)
    if s["preemphasis"] is not None:
        items = [
            np.concatenate([x[:1], x[1:] - F(s["preemphasis"]) * x[:-1]]) * (np.arange(len(x)) < n)
            for x, n in zip(items, lengths)
        ]
    bank = mel_filter_bank(
        s["n_fft"] // 2 + 1,
        s["feature_size"],
        0.0,
        s["sampling_rate"] / 2,
        s["sampling_rate"],
        "slaney",
        "slaney",
        dtype="float32",
    )
    return items, lengths, bank


def nemo_normalised(s, batch, o, extra=lambda items, masks: items):
    items, lengths, bank = nemo_waves(s, batch, o, extra)
    out, flags = [], []
    for x, n in zip(items, lengths):
        f, n = (
            nemo_power(x, s, bank, torch_window("hann", s["win_length"], False)).astype(F).astype(D),
            n // s["hop_length"],
        )
        mean = f[:n].sum(0) / n
        std = np.sqrt(((f[:n] - mean) ** 2).sum(0) / (n - 1))
        f = (f - mean) / (std + 1e-5)
        f[n:] = 0
        out.append(f.astype(F))
        flags.append(np.arange(len(f)) < n)
    return {"input_features": np.stack(out), "attention_mask": np.stack(flags)}


NEMO = dict(sampling_rate=16000, hop_length=160, n_fft=512, win_length=400, preemphasis=0.97)


@extractor("ParakeetFeatureExtractor", feature_size=80, **NEMO)
def parakeet(s, audio, o):
    return nemo_normalised(s, mono(waves(audio)), o)


@extractor(
    "CohereAsrFeatureExtractor",
    feature_size=128,
    **NEMO,
    dither=1e-5,
    max_audio_clip_s=35.0,
    overlap_chunk_second=5.0,
    min_energy_window_samples=1600,
)
def cohere(s, audio, o):
    rate, quiet = s["sampling_rate"], s["min_energy_window_samples"]
    size, back = (max(1, round(s[k] * rate)) for k in ("max_audio_clip_s", "overlap_chunk_second"))
    chunks, index = [], []
    for i, x in enumerate(mono(waves(audio))):
        if len(x) / rate <= max(0.0, s["max_audio_clip_s"] - s["overlap_chunk_second"]):
            chunks.append(x)
            index.append([i, None])
            continue
        at, k = 0, 0
        while at < len(x):
            if at + size >= len(x):
                cut = len(x)
            else:
                a, b = max(at, at + size - back), min(at + size, len(x))
                cut = at + size if b <= a else (a + b) // 2
                if b - a > quiet:
                    starts = range(a, b - quiet, quiet)
                    cut = min(starts, key=lambda j: (x[j : j + quiet].astype(D) ** 2).mean())
                cut = max(at + 1, min(cut, len(x)))
            chunks.append(x[at:cut])
            index.append([i, k])
            at, k = cut, k + 1

    def dither(items, lengths):
        if s["dither"] <= 0:
            return items
        out = []
        for x, n in zip(items, lengths):
            n = min(n, len(x))
            out.append(np.concatenate([x[:n] + F(s["dither"]) * torch_randn(n, n), x[n:]]))
        return out

    return {**nemo_normalised(s, chunks, o, dither), "audio_chunk_index": index}


@extractor("NemotronAsrStreamingFeatureExtractor", feature_size=80, **NEMO, mel_filters_dtype="float32")
def nemotron(s, audio, o):
    center = o.get("center", True)
    items, lengths, bank = nemo_waves(s, mono(waves(audio)), o)
    window = torch_window("hann", s["win_length"], False)
    if s["mel_filters_dtype"] != "float32":
        bank, window = (low_precision(a, s["mel_filters_dtype"]) for a in (bank, window))
    if o.get("is_last_audio_chunk") and not center:
        more = s["n_fft"] // 2 - s["hop_length"]
        items, lengths = [np.concatenate([x, np.zeros(more, F)]) for x in items], [n + more for n in lengths]
    out, flags = [], []
    for x, n in zip(items, lengths):
        f = nemo_power(x, s, bank, window, center).astype(F)
        n = n // s["hop_length"] if center else (n - s["n_fft"]) // s["hop_length"] + 1
        flags.append(np.arange(len(f)) < n)
        f[n:] = 0
        out.append(f)
    return {"input_features": np.stack(out), "attention_mask": np.stack(flags)}


def low_precision(a, dtype):
    """float32 -> float16 or bfloat16, ties to even -> float32."""
    if dtype == "float16":
        return a.astype(np.float16).astype(F)
    i = a.astype(F).view(np.uint32)
    return ((i + 0x7FFF + (i >> 16 & 1)) & 0xFFFF0000).astype(np.uint32).view(F)


@extractor("LasrFeatureExtractor", feature_size=128, sampling_rate=16000, hop_length=160, n_fft=512, win_length=400)
def lasr(s, audio, o):
    bins, mels = s["n_fft"] // 2 + 1, s["feature_size"]
    items, masks = pad_with(mono(waves(audio)), s, o, padding="longest")
    hz = linspace(0.0, s["sampling_rate"] / 2.0, bins)[1:]
    mel = np.array([hertz_to_mel(f, "kaldi") for f in hz])[:, None]
    edge = linspace(hertz_to_mel(125.0, "kaldi"), hertz_to_mel(7500.0, "kaldi"), mels + 2)
    bank = np.maximum(
        0.0, np.minimum((mel - edge[:-2]) / (edge[1:-1] - edge[:-2]), (edge[2:] - mel) / (edge[2:] - edge[1:-1]))
    )
    bank = np.concatenate([np.zeros((1, mels)), bank])
    out = []
    for x in items:
        f = frames_of(x.astype(D), s["win_length"], s["hop_length"]) * torch_window("hann", s["win_length"], False, D)
        re, im = rfft(np.concatenate([f, np.zeros((len(f), s["n_fft"] - s["win_length"]))], axis=1))
        out.append(np.log(np.maximum(weighted(re**2 + im**2, bank), 1e-5)).astype(F))
    result = {"input_features": np.stack(out)}
    if o.get("return_attention_mask"):
        result["attention_mask"] = np.stack(masks)[:, s["win_length"] - 1 :: s["hop_length"]].astype(bool)
    return result


@extractor(
    "Phi4MultimodalFeatureExtractor",
    feature_size=80,
    sampling_rate=16000,
    hop_length=160,
    n_fft=512,
    win_length=400,
    preemphasis=0.97,
    audio_compression_rate=8,
    audio_downsample_rate=1,
    audio_feat_stride=1,
    mel_min_frequency=0,
    mel_max_frequency=7690,
)
def phi4(s, audio, o):
    batch, win, hop = mono(waves(audio)), s["win_length"], s["hop_length"]
    items, _ = pad_with(batch, s, o, padding="longest")
    bank = mel_filter_bank(
        s["n_fft"] // 2 + 1,
        s["feature_size"],
        s["mel_min_frequency"],
        s["mel_max_frequency"],
        s["sampling_rate"],
        None,
        "kaldi",
        True,
    ).astype(F)
    window = torch_window("hamming", win, False, D)
    frames = [frames_of(x, win, hop) for x in items]
    lengths, longest = [len(x) for x in batch], max(len(x) for x in batch)
    short = [i for i, n in enumerate(lengths) if n != longest]
    if (
        short
    ):  # frames that reach into the padding become zero, as Python does it: columns count from the first such frame
        down, up = [(lengths[i] - win) // hop + 1 for i in short], [lengths[i] // hop - 1 for i in short]
        first = min(down)
        for i, a, b in zip(short, down, up):
            frames[i] = frames[i].copy()
            part = frames[i][first : max(up)]
            j = np.arange(len(part))
            part[(j >= a - first) & (j < b - first)] = 0
    out = []
    for f in frames:
        before = np.concatenate([f[:, :1], f[:, :-1]], axis=1)
        f = (f - F(s["preemphasis"]) * before) * F(32768)
        re, im = rfft(np.concatenate([f * window, np.zeros((len(f), s["n_fft"] - win))], axis=1))
        re, im = re.astype(F).astype(D), im.astype(F).astype(D)
        out.append(np.log(np.maximum(weighted(re**2 + im**2, bank), 1.0)).astype(F))
    n = np.array([((x - win) // hop + 1) * s["audio_feat_stride"] for x in lengths], np.int64)
    sizes = -(-(-(-n // s["audio_compression_rate"])) // s["audio_downsample_rate"])
    result = {"audio_input_features": np.stack(out), "audio_embed_sizes": sizes}
    if len(n) > 1 and o.get("return_attention_mask", True):
        result["audio_attention_mask"] = np.arange(n.max())[None] < n[:, None]
    return result


def granite_log(x, s, mels, floor=8.0, frames=None):
    p = torch_power(x, s["n_fft"], s["hop_length"], torch_window("hann", s["win_length"], True))[:frames]
    log = np.log10(
        np.maximum(
            weighted(p, torchaudio_bank(s["n_fft"] // 2 + 1, 0.0, s["sampling_rate"] / 2, mels, s["sampling_rate"])),
            1e-10,
        )
    )
    log = log.astype(F)
    return np.maximum(log, log.max() - F(floor)) / F(4) + F(1)


@extractor(
    "GraniteSpeechFeatureExtractor",
    sampling_rate=16000,
    n_fft=512,
    win_length=400,
    hop_length=160,
    n_mels=80,
    projector_window_size=15,
    projector_downsample_rate=5,
)
def granite_speech(s, audio, o):
    batch = mono(waves(audio))
    items, _ = pad(batch)
    mels = s["n_mels"]
    logs = [granite_log(x, s, mels) for x in items]
    sizes = []
    for x in batch:
        blocks = -(-((len(x) // s["hop_length"] + 1) // 2) // s["projector_window_size"])
        sizes.append(blocks * (s["projector_window_size"] // s["projector_downsample_rate"]))
    even = len(logs[0]) // 2 * 2
    return {
        "input_features": np.stack([x[:even].reshape(-1, 2 * mels) for x in logs]),
        "audio_embed_sizes": sizes,
        "input_features_mask": np.arange(max(sizes))[None] < np.array(sizes)[:, None],
    }


@extractor(
    "GraniteSpeech5FeatureExtractor",
    num_mel_bins=80,
    sampling_rate=16000,
    n_fft=512,
    win_length=400,
    hop_length=160,
    delta_win_length=3,
    logmel_floor_db=8.0,
)
def granite_speech5(s, audio, o):
    batch, hop = mono(waves(audio)), s["hop_length"]
    strategy, limit = o.get("padding", "longest"), o.get("max_length")
    if strategy == "max_length" and limit is None:
        raise ValueError("padding=max_length needs max_length")
    if o.get("truncation") and limit is not None:
        batch = [x[:limit] for x in batch]
    target = up_to(limit if strategy == "max_length" else max(len(x) for x in batch), o.get("pad_to_multiple_of"))
    if strategy is False and any(len(x) != len(batch[0]) for x in batch) or max(len(x) for x in batch) > target:
        raise ValueError("the waveforms do not fit the batch length")
    frames = 2 * -(-(target // hop) // 2)
    out, n = [], (s["delta_win_length"] - 1) // 2
    for x in batch:
        x = np.concatenate([x, np.full(target - len(x), s["padding_value"], F)])
        x = pad_waveform(x, 0, max(0, (frames - 1) * hop + 1 - len(x)), "constant")
        log = granite_log(x, s, s["num_mel_bins"], s["logmel_floor_db"], frames)
        wide = np.concatenate([log[:1]] * n + [log] + [log[-1:]] * n)
        delta = sum(F(k) * wide[n + k : n + k + len(log)] for k in range(-n, n + 1)) / F(n * (n + 1) * (2 * n + 1) / 3)
        out.append(np.concatenate([log, delta.astype(F)], axis=1).reshape(frames // 2, -1))
    result = {"input_features": np.stack(out)}
    if o.get("return_attention_mask", True):
        counts = np.array([-(-(len(x) // hop) // 2) for x in batch])
        result["attention_mask"] = (np.arange(frames // 2)[None] < counts[:, None]).astype(np.int64)
    return result


@extractor(
    "InklingFeatureExtractor",
    feature_size=80,
    sampling_rate=16000,
    audio_token_duration_s=0.05,
    window_size_multiplier=2.0,
    n_fft=None,
)
def inkling(s, audio, o):
    rate = s["sampling_rate"]
    hop, win = round(s["audio_token_duration_s"] * rate), round(
        s["audio_token_duration_s"] * s["window_size_multiplier"] * rate
    )
    fft = s["n_fft"] or win
    batch = mono(waves(audio))
    items, _ = pad_with(batch, s, o, padding=True)
    bank = mel_filter_bank(fft // 2 + 1, s["feature_size"], 0.0, rate / 2.0, rate, "slaney", "slaney").astype(F)
    out, flags = [], []
    for x, n in zip(items, map(len, batch)):
        x = pad_waveform(x, max(fft - hop, 0), -len(x) % hop, "constant")
        p = torch_power(x, fft, hop, torch_window("hann", win, True), center=False)
        mel = np.log10(np.maximum(weighted(np.sqrt(np.maximum(p, 1e-10)), bank), 1e-10)).astype(F)
        keep = np.arange(len(mel)) < -(-n // hop)
        out.append(mel * keep[:, None])
        flags.append(keep)
    return {
        "input_features": np.stack(out),
        **({"input_features_mask": np.stack(flags)} if o.get("return_attention_mask", True) else {}),
    }


@extractor(
    "MusicgenMelodyFeatureExtractor",
    feature_size=12,
    sampling_rate=32000,
    hop_length=4096,
    chunk_length=30,
    n_fft=16384,
    num_chroma=12,
    return_attention_mask=False,
)
def musicgen_melody(s, audio, o):
    o = {**o, "max_length": o.get("max_length") or s["chunk_length"] * s["sampling_rate"]}
    items, masks = pad_with(mono(waves(audio)), s, o, padding=True, truncation=True)
    n, out = s["n_fft"], []
    bank = chroma_filter_bank(n, s["num_chroma"], s["sampling_rate"])
    for x in items:
        if len(x) < n:
            more = n - len(x)
            x = pad_waveform(x, more // 2, more - more // 2, "constant")
        p = torch_power(x, n, s["hop_length"], torch_window("hann", n, True))
        chroma = p @ bank.T.astype(F).astype(D)
        out.append((np.arange(s["num_chroma"]) == chroma.argmax(1)[:, None]).astype(F))
    result = {"input_features": np.stack(out)}
    if o.get("return_attention_mask"):
        result["attention_mask"] = np.stack(masks)[:, :: s["hop_length"]]
    return result


def chroma_filter_bank(bins, chroma, rate, tuning=0.0, power=2.0, weighting=(5.0, 2.0), start_at_c=True):
    """[chroma, bins/2 + 1]; `bins` is n_fft."""
    hz = np.arange(1, bins) * (rate / bins)
    octave = chroma * np.log2(hz / (440.0 * 2.0 ** (tuning / chroma) / 16))
    octave = np.concatenate([[octave[0] - 1.5 * chroma], octave])
    width = np.concatenate([np.maximum(octave[1:] - octave[:-1], 1.0), [1.0]])
    half = np.round(chroma / 2)
    d = np.remainder(octave[None] - np.arange(chroma)[:, None] + half + 10 * chroma, chroma) - half
    f = np.exp(-0.5 * (2 * d / width) ** 2)
    if power is not None:
        f = f / (f**power).sum(0, keepdims=True) ** (1.0 / power)
    if weighting is not None:
        f = f * np.exp(-0.5 * ((octave / chroma - weighting[0]) / weighting[1]) ** 2)
    if start_at_c:
        f = np.roll(f, -3 * (chroma // 12), axis=0)
    return f[:, : int(1 + bins / 2)]


# ---------------------------------------------------------------- 8. resampling
def resample_torchaudio(
    x, orig_freq, new_freq, lowpass_filter_width=6, rolloff=0.99, resampling_method="sinc_interp_hann", beta=None
):
    """torchaudio.functional.resample of float32 [n]: weights in float32 steps; sums here in float64 (torch: float32,
    order unknown)."""
    if resampling_method not in ("sinc_interp_hann", "sinc_interp_kaiser"):
        raise ValueError(f"Invalid resampling method: {resampling_method}")
    if orig_freq <= 0 or new_freq <= 0:
        raise ValueError("Original frequency and desired frequency should be positive")
    if orig_freq == new_freq:
        return x
    g = math.gcd(orig_freq, new_freq)
    a, b = orig_freq // g, new_freq // g
    base = min(a, b) * rolloff
    width = math.ceil(lowpass_filter_width * a / base)
    r = lambda v: v.astype(F)
    t = r(np.arange(0, -b, -1, dtype=F) / F(b))[:, None] + r(np.arange(-width, width + a, dtype=F) / F(a))[None]
    t = np.clip(r(t * F(base)), -lowpass_filter_width, lowpass_filter_width)
    if resampling_method == "sinc_interp_hann":
        w = r(np.cos((t * F(math.pi) / F(lowpass_filter_width) / F(2)).astype(D)))
        w = w * w
    else:
        beta = F(14.769656459379492 if beta is None else beta)
        q = t / F(lowpass_filter_width)
        w = r(bessel_i0(r(beta * np.sqrt(F(1) - q * q)).astype(D))) / r(bessel_i0(np.array([beta], D)))
    t = t * F(math.pi)
    h = np.where(t == 0, F(1), r(np.sin(t.astype(D))) / np.where(t == 0, F(1), t)) * (w * F(base / a))
    p = np.concatenate([np.zeros(width), x, np.zeros(width + a)])
    n = math.ceil(b * len(x) / a)
    rows = (len(p) - h.shape[1]) // a + 1
    y = np.zeros((rows, b))
    for k in range(h.shape[1]):
        y += p[k : k + a * (rows - 1) + 1 : a][:, None] * h[:, k].astype(D)
    return y.reshape(-1)[:n].astype(F)


def bessel_i0(x):
    """The modified Bessel function by its power series."""
    s = term = np.ones_like(x)
    for k in range(1, 200):
        term = term * (x * x / 4) / (k * k)
        s = s + term
        if (term <= s * 1e-18).all():
            break
    return s


def resample_scipy(x, orig_freq, new_freq, beta=5.0):
    """scipy.signal.resample_poly(x, new, orig): Kaiser low pass of 20 max + 1 weights, rounded to x's type; sums in
    that type and order."""
    g = math.gcd(orig_freq, new_freq)
    up, down, T = new_freq // g, orig_freq // g, x.dtype.type
    if up == down:
        return x
    half = 10 * max(up, down)
    k = np.arange(-half, half + 1)
    h = (
        np.sinc(k / max(up, down))
        / max(up, down)
        * bessel_i0(beta * np.sqrt(1 - (k / half) ** 2))
        / bessel_i0(np.array([beta]))
    )
    h = (h / h.sum()).astype(T) * T(up)
    n = -(-len(x) * up // down)
    at = np.arange(n) * down + half
    first, last = -((2 * half - at) // up), at // up  # the samples that reach output i, oldest first
    y = np.zeros(n, T)
    for t in range(int((last - first).max()) + 1):
        s = first + t
        ok = (s <= last) & (s >= 0) & (s < len(x))
        y[ok] = y[ok] + x[s[ok]] * h[at[ok] - s[ok] * up]
    return y


def kaiser_sinc(t, cutoff, half, beta):
    u = np.clip(t / half, -1, 1)
    return np.where(
        np.abs(t) < half,
        cutoff * np.sinc(cutoff * t) * bessel_i0(beta * np.sqrt(1 - u * u)) / bessel_i0(np.array([beta])),
        0.0,
    )


# What soxr at quality HQ was found to do, by its answers to impulses. (up, down): half-width in samples of the
# lower rate;
# for the others a first filter at `first` times the input's rate, and a short second one (cutoff, half-width in
# samples of that rate).
SOXR_CUTOFF = 0.95687183
SOXR_ONE = {
    (1, 2): 97.25,
    (2, 1): 97.25,
    (1, 3): 581 / 6,
    (3, 1): 581 / 6,
    (2, 3): 581 / 6,
    (3, 2): 581 / 6,
    (4, 3): 97.125,
    (3, 4): 97.125,
}
SOXR_TWO = {
    (160, 441): (1, 101.769, 0.894422, 6.0),
    (320, 441): (2, 101.769, 0.894422, 6.0),
    (640, 441): (2, 102.25, 0.908846, 7.5),
    (147, 160): (2, 102.2114, 0.904553, 7.0),
    (160, 147): (2, 102.25, 0.908846, 7.5),
    (441, 320): (2, 102.25, 0.908846, 7.5),
}


def fir(x, h, half, up, down, n):
    """y[i] = sum over k of x[k] h(i * down / up - k), |i * down / up - k| <= half."""
    half = math.ceil(half) + 1
    p, y = np.concatenate([np.zeros(half), x, np.zeros(half + n * down // up + 2)]), np.zeros(n)
    for phase in range(min(up, n)):
        at, k = phase * down // up + np.arange(-(-(n - phase) // up)) * down, np.arange(-half, half + 1)
        for j, w in zip(k, h(phase * down % up / up - k)):
            y[phase::up] += p[at + j + half] * w
    return y


def resample_soxr(x, orig_freq, new_freq):
    """soxr.resample(x, orig, new, "HQ") padded with zeros to ceil(n new / orig), as librosa.load and transformers'
    load_audio have it."""
    if orig_freq == new_freq:
        return x
    g = math.gcd(orig_freq, new_freq)
    up, down = new_freq // g, orig_freq // g
    r, n = max(1, down / up), -(-len(x) * up // down)
    if (up, down) in SOXR_ONE:
        half = SOXR_ONE[up, down]
        y = fir(x.astype(D), lambda t: kaiser_sinc(t / r, SOXR_CUTOFF, half, 13.04) / r, half * r, up, down, n)
    elif (up, down) in SOXR_TWO:
        first, half, cutoff, short = SOXR_TWO[up, down]
        v = fir(
            x.astype(D),
            lambda t: kaiser_sinc(t / r, SOXR_CUTOFF, half, 13.7112) / r,
            half * r,
            first,
            1,
            len(x) * first + int(half * r * first) + 20,
        )
        g = math.gcd(up, down * first)  # nothing of v lies before time 0
        y = fir(v, lambda t: kaiser_sinc(t, cutoff, short, 14.064), short, up // g, down * first // g, n)
    else:
        raise ValueError(f"no rule for {orig_freq} -> {new_freq}")
    y[math.floor(len(x) / (orig_freq / new_freq) + 0.5) :] = (
        0  # soxr's own length: a division in float64, rounded half up
    )
    return y.astype(F)


# ---------------------------------------------------------------- 9. WAV
def decode_wav(data):
    """(sample rate, float32 [channels, n]) of a RIFF, RIFX or RF64 WAVE file, as soundfile.read(dtype="float32") gives
    it."""
    head = data[:4]
    if head not in (b"RIFF", b"RIFX", b"RF64") or data[8:12] != b"WAVE":
        raise ValueError("not a WAVE file")
    e = ">" if head == b"RIFX" else "<"
    at, form, body, long = 12, None, None, None
    while at + 8 <= len(data) and body is None:
        name, size = data[at : at + 4], struct.unpack(e + "I", data[at + 4 : at + 8])[0]
        at += 8
        if name == b"ds64":
            long = struct.unpack("<Q", data[at + 8 : at + 16])[0]
        if name == b"fmt ":
            if size < 16 or at + 16 > len(data):
                raise ValueError("fmt chunk is too short")
            tag, channels, rate, _, block, bits = struct.unpack(e + "HHIIHH", data[at : at + 16])
            if tag == 0xFFFE:
                tag = struct.unpack(e + "H", data[at + 24 : at + 26])[0]
            form = (tag, channels, rate, block, bits)
        if name == b"data":
            size = long if size == 0xFFFFFFFF and long is not None else size
            body = data[at : at + size]  # a size beyond the end (streamed files): what there is
        at += size + size % 2
    if form is None or body is None:
        raise ValueError("fmt or data chunk is missing")
    tag, channels, rate, block, bits = form
    if not channels or not block or block % channels:
        raise ValueError("bad fmt chunk")
    width = block // channels
    raw = np.frombuffer(body[: len(body) // block * block], np.uint8)
    if tag == 1 and width == 1:
        x = (raw.astype(F) - F(128)) / F(128)
    elif tag == 1 and width in (2, 3, 4):
        b = raw.reshape(-1, width)
        b = b[:, ::-1] if e == ">" else b
        word = np.zeros((len(b), 4), np.uint8)
        word[:, 4 - width :] = b
        x = word.view("<i4")[:, 0].astype(F) * F(2.0**-31)  # 32 bits: rounded to float32 first
    elif tag == 3 and width in (4, 8):
        with np.errstate(over="ignore"):
            x = raw.view(e + f"f{width}").astype(F)
    elif tag in (6, 7) and width == 1:
        x = (a_law if tag == 6 else mu_law)(raw).astype(F) / F(32768)
    else:
        raise ValueError(f"WAVE format {tag} with {bits} bits is not supported")
    return rate, np.ascontiguousarray(x.reshape(-1, channels).T)


def mu_law(b):
    v = ~b.astype(int) & 255
    m = (((v & 15) << 3) + 132 << (v >> 4 & 7)) - 132
    return np.where(v & 128, -m, m)


def a_law(b):
    v = b.astype(int) ^ 0x55
    e, m = v >> 4 & 7, (v & 15) << 4
    m = np.where(e == 0, m + 8, (m + 264) << np.maximum(e - 1, 0))
    return np.where(v & 128, m, -m)


def to_mono(channels):
    """The mean of float32 [channels, n], as NumPy's mean over interleaved frames: a float32 sum, then a division."""
    return (
        channels[0] if len(channels) == 1 else (pairwise(np.ascontiguousarray(channels.T)) / D(len(channels))).astype(F)
    )
