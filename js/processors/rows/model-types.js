/** The model types of `config.json`, by the image processor that transformers 5.23.0 has for them. */
import { table } from './table.js';

/** Of other classes it is the name in lower case. */
const typesByClass = /** @type {Record<string, string>} */ ({
  Beit: 'beit data2vec-vision',
  Bit: 'bit dinov2 focalnet hiera pixio',
  Blip: 'blip blip-2 instructblip',
  ChineseCLIP: 'chinese_clip',
  CLIP: 'clip aimv2 aimv2_vision_model altclip florence2 git groupvit kosmos-2 metaclip_2 mlcd vipllava xclip',
  Cohere2Vision: 'cohere2_vision',
  CohereCompass: 'cohere_compass',
  ConditionalDetr: 'conditional_detr',
  ConvNext: 'convnext convnextv2 cvt regnet resnet',
  Cosmos3Edge: 'cosmos3_edge',
  DeepseekOcr2: 'deepseek_ocr2',
  DeepseekVL: 'deepseek_vl',
  DeepseekVLHybrid: 'deepseek_vl_hybrid',
  DeformableDetr: 'deformable_detr lw_detr',
  DepthPro: 'depth_pro',
  Detr: 'detr omdet-turbo table-transformer',
  DINOv3ViT: 'dinov3_vit',
  Donut: 'donut-swin',
  DPT: 'dpt depth_anything',
  EfficientNet: 'efficientnet align',
  Eomt: 'eomt eomt_dinov3',
  Ernie4_5_VLMoe: 'ernie4_5_vl_moe',
  Gemma3: 'gemma3 shieldgemma2 t5gemma2 t5gemma2_encoder',
  Gemma4: 'gemma4 embedding_gemma2',
  Gemma4Unified: 'gemma4_unified',
  Glm5Next: 'glm5_next',
  GlmImage: 'glm_image',
  GotOcr2: 'got_ocr2 aya_vision internvl qianfan_ocr',
  GraniteDocling: 'granite_docling',
  GroundingDino: 'grounding-dino mm-grounding-dino',
  HunYuanVL: 'hunyuan_vl',
  Inkling: 'inkling_mm_model',
  Kosmos2_5: 'kosmos-2.5',
  LayoutLMv2: 'layoutlmv2 layoutxlm',
  LayoutLMv3: 'layoutlmv3 udop',
  Lfm2Vl: 'lfm2_vl',
  LlavaNext: 'llava_next granite4_vision llava_next_video',
  LlavaOnevision: 'llava_onevision',
  MiniCPMOcr: 'minicpm_ocr',
  MiniCPMV4_6: 'minicpmv4_6 minicpmv4_7',
  MiniMaxM3VL: 'minimax_m3_vl',
  MobileNetV1: 'mobilenet_v1',
  MobileNetV2: 'mobilenet_v2',
  MobileViT: 'mobilevit mobilevitv2',
  MuseGlimmer: 'muse_glimmer muse_spark',
  NemotronH_Omni_Reasoning_V3: 'nemotron_h_omni',
  PaddleOCRVL: 'paddleocr_vl',
  PerceptionLM: 'perception_lm',
  Phi4Multimodal: 'phi4_multimodal',
  Pixtral: 'pixtral lighton_ocr mistral3 mistral_large4',
  PPChart2Table: 'pp_chart2table',
  PPDocLayoutV2: 'pp_doclayout_v2',
  PPDocLayoutV3: 'pp_doclayout_v3',
  PPDocLayoutV4: 'pp_doclayout_v4',
  PPFormulaNet: 'pp_formulanet',
  PPLCNet: 'pp_lcnet',
  PPOCRV5ServerDet: 'pp_ocrv5_server_det pp_ocrv5_mobile_det pp_ocrv6_medium_det pp_ocrv6_small_det',
  PPOCRV5ServerRec: 'pp_ocrv5_server_rec pp_ocrv5_mobile_rec',
  PPOCRV6SmallRec: 'pp_ocrv6_small_rec pp_ocrv6_tiny_rec',
  PromptDepthAnything: 'prompt_depth_anything',
  Pvt: 'pvt pvt_v2',
  Qwen2VL:
    'qwen2_vl colqwen2 cosmos3_omni dots3_note exaone4_5 hyperclovax_vision_v2 lfm3_vl qwen2_5_omni ' +
    'qwen2_5_vl qwen3_5 qwen3_5_moe qwen3_omni_moe qwen3_vl qwen4_exp',
  RfDetr: 'rf_detr',
  RTDetr: 'rt_detr deimv2',
  Sam: 'sam sam_hq',
  Sam2: 'sam2 edgetam sam2_video',
  Sam3: 'sam3 sam3_lite_text sam3_tracker sam3_tracker_video sam3_video',
  Segformer: 'segformer upernet',
  Siglip: 'siglip colpali gemma3n paligemma',
  SLANeXt: 'slanext slanet',
  TimmWrapper: 'timm_wrapper',
  Tipsv2Dpt: 'tipsv2_dpt',
  UnlimitedOcr: 'unlimited_ocr',
  VideoLlama3: 'video_llama_3',
  VideoLlava: 'video_llava',
  VideoMAE: 'videomae timesformer',
  ViT: 'vit clipseg dinat ijepa mgp-str swiftformer swin swinv2 trocr vit_mae vit_msn',
});

/** Classes without a model type. */
const untyped = ['MobileNetV3', 'MobileNetV4', 'Sapiens', 'VLM'];

/** @type {ReadonlyMap<string, string>} */
const classByType = new Map(
  Object.keys(table)
    .filter((name) => !untyped.includes(name))
    .flatMap((name) => (typesByClass[name] ?? name.toLowerCase()).split(' ').map((type) => [type, name])),
);

/** @type {(type: unknown) => string | undefined} The name of a class without `ImageProcessor`. */
export const classOfModel = (type) => classByType.get(/** @type {string} */ (type));
