/** The model types of `config.json`, by the image processor that transformers has for them. */
import { classesByType } from './class-types.js';

const types = {
  Beit: 'data2vec-vision',
  Bit: 'dinov2 focalnet hiera pixio',
  Blip: 'blip-2 instructblip',
  CLIP: 'aimv2 aimv2_vision_model altclip florence2 git groupvit kosmos-2 metaclip_2 mlcd vipllava xclip',
  ConvNext: 'convnextv2 cvt regnet resnet',
  DeformableDetr: 'lw_detr',
  Detr: 'omdet-turbo table-transformer',
  Donut: 'donut-swin',
  DPT: 'depth_anything',
  EfficientNet: 'align',
  Eomt: 'eomt_dinov3',
  Gemma3: 'shieldgemma2 t5gemma2 t5gemma2_encoder',
  Gemma4: 'embedding_gemma2',
  GotOcr2: 'aya_vision internvl qianfan_ocr',
  GroundingDino: 'mm-grounding-dino',
  Inkling: 'inkling_mm_model',
  Inkling2: 'inkling2_loop',
  LayoutLMv2: 'layoutxlm',
  LayoutLMv3: 'udop',
  LlavaNext: 'granite4_vision llava_next_video',
  MiniCPMV4_6: 'minicpmv4_7',
  MobileViT: 'mobilevitv2',
  MuseGlimmer: 'muse_spark',
  NemotronH_Omni_Reasoning_V3: 'nemotron_h_omni',
  Pixtral: 'lighton_ocr mistral3 mistral_large4',
  PPOCRV5ServerDet: 'pp_ocrv5_mobile_det pp_ocrv6_medium_det pp_ocrv6_small_det',
  PPOCRV5ServerRec: 'pp_ocrv5_mobile_rec',
  PPOCRV6SmallRec: 'pp_ocrv6_tiny_rec',
  Pvt: 'pvt_v2',
  Qwen2VL:
    'colqwen2 cosmos3_omni dots3_note exaone4_5 hyperclovax_vision_v2 lfm3_vl qwen2_5_omni qwen2_5_vl ' +
    'qwen3_5 qwen3_5_moe qwen3_omni_moe qwen3_vl qwen4_exp',
  RTDetr: 'deimv2',
  Sam: 'sam_hq',
  Sam2: 'edgetam sam2_video',
  Sam3: 'sam3_lite_text sam3_tracker sam3_tracker_video sam3_video',
  Segformer: 'upernet',
  Siglip: 'colpali gemma3n paligemma',
  SLANeXt: 'slanet',
  VideoMAE: 'timesformer',
  ViT: 'clipseg dinat ijepa mgp-str swiftformer swin swinv2 trocr vit_mae vit_msn',
};

/** Makes a function that finds the class of image processors for a model type, among the classes of these names
 * (without `ImageProcessor`); undefined if none has the type.
 * @type {(names: readonly string[]) => (type: unknown) => string | undefined} */
export const imageClassesByType = (names) => classesByType(names, types);
