/** The outputs of feature extractors. `npm run docs` writes this file from their rows and goldens. */
import type { Tensor } from '../tensor/index.js';

/** Feature extractors. */
export interface AudioClasses {
  AST: { input_values: Tensor };
  Chatterbox: { input_values: Tensor };
  Clap: { input_features: Tensor; is_longer: Tensor };
  Clvp: { input_features: Tensor; attention_mask?: Tensor };
  CohereAsr: { input_features: Tensor; attention_mask?: Tensor; audio_chunk_index: (null | number)[][] | number[][] };
  Dac: { input_values: Tensor; padding_mask?: Tensor };
  Dia: { input_values: Tensor; padding_mask?: Tensor };
  Dots3Note: { input_features: Tensor; chunk_sample_lengths: Tensor; num_audio_tokens: Tensor };
  Encodec: { input_values: Tensor; padding_mask?: Tensor };
  FunAsrNano: { input_features: Tensor; input_features_mask?: Tensor };
  Gemma3nAudio: { input_features: Tensor; input_features_mask?: Tensor };
  Gemma4Audio: { input_features: Tensor; input_features_mask?: Tensor };
  Gemma4UnifiedAudio: { input_features: Tensor; input_features_mask?: Tensor };
  GraniteSpeech: { input_features: Tensor; input_features_mask?: Tensor; audio_embed_sizes: number[] };
  GraniteSpeech5: { input_features: Tensor; attention_mask?: Tensor };
  Inkling: { input_features: Tensor; input_features_mask?: Tensor };
  KyutaiSpeechToText: { input_values: Tensor; padding_mask?: Tensor };
  Lasr: { input_features: Tensor; attention_mask?: Tensor };
  Moonshine: { input_values: Tensor };
  MossTranscribeDiarize: { input_features: Tensor; input_features_mask?: Tensor; padding_mask?: Tensor };
  MuseSpark: { input_values: Tensor; input_values_mask?: Tensor };
  MusicgenMelody: { input_features: Tensor; attention_mask?: Tensor };
  NemotronAsrStreaming: { input_features: Tensor; attention_mask?: Tensor };
  NeuCodec: { input_values: Tensor; padding_mask?: Tensor; input_features?: Tensor; input_features_mask?: Tensor };
  OmniASR: { input_values: Tensor; padding_mask?: Tensor };
  Parakeet: { input_features: Tensor; attention_mask?: Tensor };
  PeAudio: { input_values: Tensor; padding_mask?: Tensor };
  Phi4Multimodal: { audio_input_features: Tensor; audio_attention_mask?: Tensor; audio_embed_sizes: Tensor };
  PocketTTS: { input_values: Tensor; padding_mask?: Tensor };
  PyAnnote: { input_values: Tensor };
  Qwen3ASR: { input_features: Tensor; attention_mask?: Tensor };
  SeamlessM4T: { input_features: Tensor; attention_mask?: Tensor };
  Snac: { input_values: Tensor; padding_mask?: Tensor };
  Speech2Text: { input_features: Tensor; attention_mask?: Tensor };
  SpeechT5: { input_values?: Tensor; attention_mask?: Tensor; labels?: Tensor; decoder_attention_mask?: Tensor };
  UnivNet: { input_features: Tensor; padding_mask?: Tensor; noise_sequence?: Tensor };
  VibeVoiceAcousticTokenizer: { input_values: Tensor; padding_mask?: Tensor };
  VoxtralRealtime: { input_features: Tensor; attention_mask?: Tensor };
  Wav2Vec2: { input_values: Tensor; attention_mask?: Tensor };
  WavTokenizer: { input_values: Tensor; padding_mask?: Tensor };
  WeSpeaker: { input_features: Tensor };
  Whisper: { input_features: Tensor; attention_mask?: Tensor };
  Xcodec2: { input_values: Tensor; padding_mask?: Tensor; input_features?: Tensor; input_features_mask?: Tensor };
}
