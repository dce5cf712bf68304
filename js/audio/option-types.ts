/** The options of a feature extractor's call, under the names that they have in Python. null is as if omitted. */
import type { AudioLike } from './audio.js';
import type { TensorLike } from '../tensor/index.js';

/** Options of every class. */
export interface SharedAudioOptions {
  /** The rate of samples that carry none, in samples a second: it has to be the model's. */
  sampling_rate?: number | null;
  /** The type of float outputs: float32 if omitted; others are rounded once. */
  dtype?: 'float32' | 'float16' | 'bfloat16' | null;
}

/** A class takes some of these; what is omitted is as the configuration says, or else the class's default. */
export interface AudioSettings {
  /** Up to which length a batch is padded: 'longest' or true, 'max_length', 'do_not_pad' or false. */
  padding?: boolean | 'longest' | 'max_length' | 'do_not_pad' | (string & {}) | null;
  /** Whether longer audio is cut to `max_length`; for CLAP how: 'fusion' or 'rand_trunc'. */
  truncation?: boolean | 'fusion' | 'rand_trunc' | (string & {}) | null;
  /** The length for `padding` and `truncation`: in samples, or in frames where the class pads frames. */
  max_length?: number | null;
  /** Lengths become multiples of this. */
  pad_to_multiple_of?: number | null;
  /** Whether the mask of real samples or frames is returned. */
  return_attention_mask?: boolean | null;
  /** Whether samples get mean 0 and variance 1. */
  do_normalize?: boolean | null;
  /** Whether each mel bin gets mean 0 and variance 1. */
  do_normalize_per_mel_bins?: boolean | null;
  /** Where CLAP cuts longer audio, which Python draws by chance: in samples or frames, one for each waveform. */
  offsets?: readonly number[] | null;
  /** Half the number of frames that lengths become multiples of. */
  n_window?: number | null;
  /** Whether frames are centered on their place, with padding in front. */
  center?: boolean | null;
  /** Whether this is the last piece of a stream, which is padded behind. */
  is_last_audio_chunk?: boolean | null;
  /** The audio that the model shall make: its mel spectrogram becomes `labels`. */
  audio_target?: AudioLike | readonly AudioLike[] | null;
  /** Whether audio is padded behind, by `pad_length` frames. */
  pad_end?: boolean | null;
  /** Frames of padding behind. */
  pad_length?: number | null;
  /** The noise that the model begins with, which Python draws by chance: the output of this name. */
  noise_sequence?: TensorLike | null;
  /** Whether a pause is put behind the last sample. */
  end_on_pause?: boolean | null;
}
