/** The types of spectrograms, filters and the samples that go into them. */
import type * as cpp from '../../../dist/bridge/audio.js';

type Words<List extends readonly string[]> = List[number];

export type WindowName = Words<typeof cpp.Window>;
export type Precision = Words<typeof cpp.Precision>;

/** A window before it is made. */
export type WindowSettings = { kind: WindowName; length: number; periodic?: boolean; precision?: Precision };

/** A filter bank before it is made. */
export type BankSettings = {
  bank?: Words<typeof cpp.BankKind>;
  bins: number;
  filters: number;
  low?: number;
  /** Half of the rate if omitted. */
  high?: number;
  rate: number;
  slaneyNorm?: boolean;
  melScale?: Words<typeof cpp.MelScale>;
  inMelSpace?: boolean;
  /** Rounded to float32 before the norm and after. */
  narrowBank?: boolean;
  precision?: Precision;
};

/** Members that spectrum.js fills in: addresses, and lists that callers give as other types. */
type FilledIn = 'window' | 'twiddles' | 'bands' | 'weights' | 'means' | 'deviations' | 'data' | 'scratch';

/** A spectrogram's settings; see cpp/audio/frames.h. Those that are omitted are off. */
export type SpectrumSettings = Omit<cpp.Spectrum, FilledIn> &
  Partial<Omit<BankSettings, 'bins'>> & {
    frameLength: number;
    hop: number;
    fftLength?: number;
    window: WindowName | Float64Array;
    /** A shorter window stands in the middle of the frame. */
    windowLength?: number;
    periodic?: boolean;
    windowPrecision?: Precision;
    /** A filter bank [bins, filters] that is there already. */
    weights?: Float64Array;
    means?: readonly number[] | null;
    deviations?: readonly number[] | null;
  };

/** A spectrogram whose tables are made. */
export type Spectrum = {
  frameLength: number;
  /** How many samples a frame reads. */
  reads: number;
  hop: number;
  /** How many results a frame has. */
  width: number;
  /** Whether a result is two numbers. */
  isComplex: boolean;
  /** Whether results are float64. */
  wide: boolean;
  tables: Uint8Array;
};

export type PadMode = 'reflect' | 'constant' | 'edge';

/** Samples and how they are padded. */
export type Signal = {
  data: Float32Array | Float64Array;
  /** The sample that stands first in `data`. */
  start: number;
  /** How many samples there are, from 0 on; Infinity if more may come. */
  total: number;
  /** How many samples of padding stand in front. */
  left: number;
  mode: PadMode;
};

/**
 * Where results go: frame after frame if `stride` is 0; otherwise each result's frames lie side by side,
 * `stride` results from those of the next.
 */
export type Target = { to: Float32Array | Float64Array; stride: number };

/** A resampling filter. `up` and `down` are in lowest terms. */
export type FilterSettings = {
  sinc: number;
  up: number;
  down: number;
  width: number;
  cutoff?: number;
  beta?: number;
  scale?: number;
};

/**
 * A filter that is ready: `row` r gives outputs r * up to r * up + up - 1, from the samples r * down + `earliest` to
 * r * down + `end` - 1.
 */
export type Filter = {
  up: number;
  down: number;
  taps: number;
  earliest: number;
  end: number;
  /** All weights, or the settings alone where weights are made for each output. */
  tables: Uint8Array;
  isTabled: boolean;
};
