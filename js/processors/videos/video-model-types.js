/** The model types of `config.json`, by the video processor that transformers 5.23.0 has for them. */
const typesByClass = /** @type {Record<string, string>} */ ({
  CohereCompass: 'cohere_compass',
  Cosmos3Edge: 'cosmos3_edge',
  EmbeddingGemma2: 'embedding_gemma2',
  Ernie4_5_VLMoe: 'ernie4_5_vl_moe',
  Gemma4: 'gemma4',
  Gemma4Unified: 'gemma4_unified',
  Glm46V: 'glm46v',
  Glm4v: 'glm4v',
  Glm5Next: 'glm5_next',
  Glmga: 'glmga',
  InstructBlipVideo: 'instructblipvideo instructblip',
  InternVL: 'internvl',
  Kimi_K25: 'kimi_k25',
  LlavaNextVideo: 'llava_next_video',
  LlavaOnevision: 'llava_onevision videoprism',
  MiniCPMOcr: 'minicpm_ocr',
  MiniCPMV4_6: 'minicpmv4_6 minicpmv4_7',
  MiniMaxM3VL: 'minimax_m3_vl',
  Molmo2: 'molmo2',
  MuseGlimmer: 'muse_glimmer muse_spark',
  NemotronH_Omni_Reasoning_V3: 'nemotron_h_omni',
  PerceptionLM: 'perception_lm',
  PeVideo: 'pe_video pe_audio_video',
  Qwen2VL: 'qwen2_vl exaone4_5 hyperclovax_vision_v2 qwen2_5_omni qwen2_5_vl qwen3_omni_moe',
  Qwen3VL: 'qwen3_vl cosmos3_omni dots3_note lfm3_vl qwen3_5 qwen3_5_moe qwen3_vl_moe qwen4_exp',
  Sam2Video: 'sam2_video',
  SmolVLM: 'smolvlm',
  Timesformer: 'timesformer',
  VideoLlama3: 'video_llama_3',
  VideoLlava: 'video_llava',
  VideoMAE: 'videomae',
  Videomt: 'videomt',
  Vivit: 'vivit',
  VJEPA2: 'vjepa2',
});

/** @type {ReadonlyMap<string, string>} */
const classByType = new Map(
  Object.entries(typesByClass).flatMap(([name, types]) => types.split(' ').map((type) => [type, name])),
);

/** @type {(type: unknown) => string | undefined} The name of a class without `VideoProcessor`. */
export const videoClassOfModel = (type) => classByType.get(/** @type {string} */ (type));
