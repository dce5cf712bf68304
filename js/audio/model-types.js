/** The model types of `config.json`, by the feature extractor that transformers has for them. */
import { classesByType } from '../arguments/configurations/index.js';
import { table } from './table.js';

/** The name of a class without `FeatureExtractor`. */
export const classOfModel = classesByType([...Object.keys(table), 'Pop2Piano'], {
  AST: 'audio-spectrogram-transformer',
  Dac: 'higgs_audio_v2_tokenizer xcodec',
  Encodec: 'csm mimi moshi musicgen pocket_tts_audio_tokenizer',
  Gemma3nAudio: 'gemma3n',
  Gemma4Audio: 'gemma4 embedding_gemma2',
  Gemma4UnifiedAudio: 'gemma4_unified',
  GraniteSpeech: 'granite_speech_plus',
  GraniteSpeech5: 'granite_speech5_ctc granite_speech5_encoder',
  Inkling: 'inkling_mm_model',
  Lasr: 'lasr_ctc lasr_encoder',
  NemotronAsrStreaming: 'nemo_speechlm nemotron3_5_asr nemotron3_diarization nemotron_asr_streaming_encoder',
  OmniASR: 'omniasr_ctc',
  Parakeet: 'canary parakeet_ctc parakeet_encoder parakeet_rnnt parakeet_tdt',
  PeAudio: 'pe_audio_video',
  PocketTTS: 'gradium_phonon_tts',
  SeamlessM4T: 'seamless_m4t_v2',
  Speech2Text: 'speech_to_text',
  VibeVoiceAcousticTokenizer: 'vibevoice vibevoice_asr',
  Wav2Vec2: 'data2vec-audio hubert moonshine sew sew-d unispeech unispeech-sat wav2vec2-bert wav2vec2-conformer wavlm',
  WavTokenizer: 'apertus1p5',
  WeSpeaker: 'wespeaker-resnet',
  Whisper: 'audioflamingo3 glmasr qwen2_5_omni qwen2_audio qwen3_omni_moe voxtral',
});
