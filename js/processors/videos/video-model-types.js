/** The model types of `config.json`, by the video processor that transformers has for them. */
import { classesByType } from '../../arguments/configurations/index.js';

const types = {
  InstructBlipVideo: 'instructblip',
  LlavaOnevision: 'videoprism',
  MiniCPMV4_6: 'minicpmv4_7',
  MuseGlimmer: 'muse_spark',
  NemotronH_Omni_Reasoning_V3: 'nemotron_h_omni',
  PeVideo: 'pe_audio_video',
  Qwen2VL: 'exaone4_5 hyperclovax_vision_v2 qwen2_5_omni qwen2_5_vl qwen3_omni_moe',
  Qwen3VL: 'cosmos3_omni dots3_note lfm3_vl qwen3_5 qwen3_5_moe qwen3_vl_moe qwen4_exp',
};

/** Finds the name of a class, of those that are named, without `VideoProcessor`.
 * @type {(names: readonly string[]) => (type: unknown) => string | undefined} */
export const videoClassesByType = (names) => classesByType(names, types);
