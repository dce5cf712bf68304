/** The names of each class's options. `npm run docs` writes this file from the rows of the classes. */
/** Feature extractors. */
export interface AudioOptionNames {
  AST: never;
  Chatterbox: never;
  Clap: 'max_length' | 'offsets' | 'padding' | 'truncation';
  Clvp: 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  CohereAsr: 'max_length' | 'pad_to_multiple_of' | 'padding' | 'truncation';
  Dac: 'max_length' | 'padding' | 'truncation';
  Dia: 'max_length' | 'padding' | 'truncation';
  Dots3Note: never;
  Encodec: 'max_length' | 'padding' | 'truncation';
  FunAsrNano: 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  Gemma3nAudio: 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  Gemma4Audio: 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  Gemma4UnifiedAudio: 'max_length' | 'pad_to_multiple_of' | 'padding' | 'truncation';
  GraniteSpeech: never;
  GraniteSpeech5: 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  Inkling: 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  KyutaiSpeechToText: 'max_length' | 'padding' | 'truncation';
  Lasr: 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  Moonshine: never;
  MossTranscribeDiarize: 'pad_to_multiple_of' | 'truncation';
  MuseSpark: 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  MusicgenMelody: 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  NemotronAsrStreaming: 'center' | 'is_last_audio_chunk' | 'max_length' | 'pad_to_multiple_of' | 'padding' | 'truncation';
  NeuCodec: 'max_length' | 'padding' | 'truncation';
  OmniASR: 'max_length' | 'padding' | 'return_attention_mask' | 'truncation';
  Parakeet: 'max_length' | 'pad_to_multiple_of' | 'padding' | 'truncation';
  PeAudio: 'max_length' | 'padding' | 'truncation';
  Phi4Multimodal: 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  PocketTTS: 'end_on_pause' | 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask';
  PyAnnote: never;
  Qwen3ASR: 'max_length' | 'n_window' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  SeamlessM4T: 'do_normalize_per_mel_bins' | 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  Snac: 'max_length' | 'padding' | 'truncation';
  Speech2Text: 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  SpeechT5: 'audio_target' | 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  UnivNet: 'do_normalize' | 'max_length' | 'noise_sequence' | 'pad_end' | 'pad_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  VibeVoiceAcousticTokenizer: 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask';
  VoxtralRealtime: 'center' | 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  Wav2Vec2: 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  WavTokenizer: 'max_length' | 'padding' | 'truncation';
  WeSpeaker: never;
  Whisper: 'do_normalize' | 'max_length' | 'pad_to_multiple_of' | 'padding' | 'return_attention_mask' | 'truncation';
  Xcodec2: 'max_length' | 'padding' | 'truncation';
}
