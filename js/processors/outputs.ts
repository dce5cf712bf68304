/** Outputs of image and video processors. `npm run docs` writes this file from the goldens of transformers. */
import type { Tensor } from '../tensor/index.js';

/** Image processors that return more than `pixel_values`. */
export interface ImageClasses {
  Apertus1p5: { image_sizes: Tensor; pixel_values: Tensor };
  Aria: { num_crops: Tensor; pixel_mask: Tensor; pixel_values: Tensor };
  BridgeTower: { pixel_mask?: Tensor; pixel_values: Tensor };
  Cohere2Vision: { num_patches: Tensor; pixel_values: Tensor };
  CohereCompass: { image_grid_thw: Tensor; pixel_values: Tensor };
  ConditionalDetr: { pixel_mask?: Tensor; pixel_values: Tensor };
  Cosmos3Edge: { image_grid_thw: Tensor; pixel_values: Tensor };
  DeepseekOcr2: { num_local_patches: Tensor; pixel_values: Tensor; pixel_values_local?: Tensor };
  DeepseekVLHybrid: { high_res_pixel_values: Tensor; pixel_values: Tensor };
  DeformableDetr: { pixel_mask?: Tensor; pixel_values: Tensor };
  Detr: { pixel_mask?: Tensor; pixel_values: Tensor };
  Emu3: { image_sizes: Tensor; pixel_values: Tensor };
  Eomt: { patch_offsets: Tensor[]; pixel_values: Tensor };
  Ernie4_5_VLMoe: { image_grid_thw: Tensor; pixel_values: Tensor };
  Flava: { codebook_pixel_values?: Tensor; pixel_values: Tensor };
  Fuyu: {
    image_scale_factors: Tensor;
    image_sizes: Tensor;
    image_unpadded_heights: Tensor;
    image_unpadded_widths: Tensor;
    images: Tensor;
  };
  Gemma3: { num_crops: Tensor; pixel_values: Tensor };
  Gemma4: { image_position_ids: Tensor; num_soft_tokens_per_image: Tensor; pixel_values: Tensor };
  Gemma4Unified: { image_position_ids: Tensor; num_soft_tokens_per_image: Tensor; pixel_values: Tensor };
  Glm46V: { image_grid_thw: Tensor; pixel_values: Tensor };
  Glm4v: { image_grid_thw: Tensor; pixel_values: Tensor };
  Glm5Next: { image_grid_thw: Tensor; pixel_values: Tensor };
  GlmImage: { image_grid_thw: Tensor; pixel_values: Tensor };
  Glmga: { image_grid_thw: Tensor; pixel_values: Tensor };
  GotOcr2: { num_patches: Tensor; pixel_values: Tensor };
  GraniteDocling: {
    cols: number[][];
    pixel_attention_mask: Tensor;
    pixel_values: Tensor;
    rows: number[][];
    tile_fine_mask?: Tensor;
  };
  GroundingDino: { pixel_mask?: Tensor; pixel_values: Tensor };
  HYV4VL: { image_grid_thw: Tensor; pixel_values: Tensor };
  HunYuanVL: { image_grid_thw: Tensor; pixel_values: Tensor };
  Idefics2: { pixel_attention_mask?: Tensor; pixel_values: Tensor };
  Idefics3: { pixel_values: Tensor; pixel_attention_mask?: Tensor; rows?: number[][]; cols?: number[][] };
  ImageGPT: { input_ids?: Tensor; pixel_values?: Tensor };
  Inkling2: { image_grid_thw: Tensor; pixel_values: Tensor };
  Inkling: { num_patches: Tensor; pixel_values: Tensor };
  Kimi_K25: { image_grid_thw: Tensor; pixel_values: Tensor };
  Kosmos2_5: {
    attention_mask: Tensor;
    cols: Tensor;
    flattened_patches: Tensor;
    height: Tensor;
    rows: Tensor;
    width: Tensor;
  };
  Lfm2Vl: {
    pixel_values: Tensor;
    image_cols?: Tensor;
    image_rows?: Tensor;
    image_sizes?: Tensor;
    pixel_attention_mask?: Tensor;
    spatial_shapes?: Tensor;
  };
  Llama4: { aspect_ratios: Tensor; pixel_values: Tensor };
  LlavaNext: { image_sizes: Tensor; pixel_values: Tensor };
  LlavaOnevision: { batch_num_images: Tensor; image_sizes: Tensor; pixel_values: Tensor };
  Mask2Former: { pixel_mask: Tensor; pixel_values: Tensor };
  MaskFormer: { pixel_mask: Tensor; pixel_values: Tensor };
  MiniCPMOcr: { grids: number[][]; num_patches_per_image: number[]; pixel_values: Tensor; target_sizes: Tensor };
  MiniCPMV4_6: { grids: number[][]; num_patches_per_image: number[]; pixel_values: Tensor; target_sizes: Tensor };
  MiniMaxM3VL: { image_grid_thw: Tensor; pixel_values: Tensor };
  Mllama: { aspect_ratio_ids: Tensor; aspect_ratio_mask: Tensor; num_tiles: number[][]; pixel_values: Tensor };
  Molmo2: { image_grids: Tensor; image_num_crops: Tensor; image_token_pooling: Tensor; pixel_values: Tensor };
  MuseGlimmer: { image_grid_thw: Tensor; pixel_values: Tensor };
  NemotronH_Omni_Reasoning_V3: { image_grid_hw: Tensor; pixel_values: Tensor };
  NeoMME: { image_grid_hw: Tensor; pixel_values: Tensor };
  OneFormer: { pixel_mask: Tensor; pixel_values: Tensor; task_inputs: string[] };
  Ovis2: { grids: Tensor; pixel_values: Tensor };
  PPOCRV5ServerDet: { pixel_values: Tensor; target_sizes: Tensor };
  PaddleOCRVL: { image_grid_thw: Tensor; pixel_values: Tensor };
  Phi4Multimodal: {
    image_attention_mask: Tensor;
    image_pixel_values: Tensor;
    image_sizes: Tensor;
    num_img_tokens: Tensor;
  };
  Pix2Struct: { attention_mask: Tensor; flattened_patches: Tensor };
  Pixtral: { image_sizes: Tensor; pixel_values: Tensor };
  Qwen2VL: { image_grid_thw: Tensor; pixel_values: Tensor };
  RTDetr: { pixel_mask?: Tensor; pixel_values: Tensor };
  RfDetr: { pixel_mask?: Tensor; pixel_values: Tensor };
  Sam2: {
    original_sizes: Tensor;
    pixel_values: Tensor;
    input_points?: Tensor;
    input_labels?: Tensor;
    input_boxes?: Tensor;
    input_boxes_labels?: Tensor;
  };
  Sam3: {
    original_sizes: Tensor;
    pixel_values: Tensor;
    input_points?: Tensor;
    input_labels?: Tensor;
    input_boxes?: Tensor;
    input_boxes_labels?: Tensor;
  };
  Sam: {
    original_sizes: Tensor;
    pixel_values: Tensor;
    reshaped_input_sizes: Tensor;
    input_points?: Tensor;
    input_labels?: Tensor;
    input_boxes?: Tensor;
    input_boxes_labels?: Tensor;
  };
  SegGpt: { pixel_values: Tensor; prompt_masks?: Tensor; prompt_pixel_values?: Tensor };
  Siglip2: { pixel_attention_mask: Tensor; pixel_values: Tensor; spatial_shapes: Tensor };
  SmolVLM: { pixel_values: Tensor; pixel_attention_mask?: Tensor; rows?: number[][]; cols?: number[][] };
  Step3p7: {
    num_local_patches: Tensor;
    patch_newline_masks: boolean[][];
    pixel_values: Tensor;
    pixel_values_local: Tensor;
  };
  UVDoc: { original_images: Tensor[]; pixel_values: Tensor };
  UltraVBert: { cols?: number[][]; pixel_values: Tensor; rows?: number[][]; pixel_attention_mask?: Tensor };
  UnlimitedOcr: {
    num_local_patches: number[];
    patches_grid: number[][];
    pixel_values: Tensor;
    pixel_values_local?: Tensor;
  };
  VideoLlama3: { image_grid_thw: Tensor; image_merge_sizes: Tensor; pixel_values: Tensor };
  VideoLlava: { pixel_values?: Tensor; pixel_values_images?: Tensor };
  Vilt: { pixel_mask?: Tensor; pixel_values: Tensor };
  Yolos: { pixel_mask?: Tensor; pixel_values: Tensor };
  Ernie4_5_VL_Moe: { image_grid_thw: Tensor; pixel_values: Tensor };
}

/** Video processors. */
export interface VideoClasses {
  CohereCompass: { pixel_values_videos: Tensor; video_grid_thw: Tensor };
  Cosmos3Edge: { pixel_values_videos: Tensor; video_grid_thw: Tensor };
  EmbeddingGemma2: {
    num_frames_per_video: Tensor;
    num_soft_tokens_per_video: Tensor;
    pixel_values_videos: Tensor;
    video_position_ids: Tensor;
  };
  Ernie4_5_VLMoe: { pixel_values_videos: Tensor; video_grid_thw: Tensor };
  Gemma4Unified: {
    num_frames_per_video: Tensor;
    num_soft_tokens_per_video: Tensor;
    pixel_values_videos: Tensor;
    video_position_ids: Tensor;
  };
  Gemma4: {
    num_frames_per_video: Tensor;
    num_soft_tokens_per_video: Tensor;
    pixel_values_videos: Tensor;
    video_position_ids: Tensor;
  };
  Glm46V: { pixel_values_videos: Tensor; video_grid_thw: Tensor };
  Glm4v: { pixel_values_videos: Tensor; video_grid_thw: Tensor };
  Glm5Next: { pixel_values_videos: Tensor; video_grid_thw: Tensor };
  Glmga: { pixel_values_videos: Tensor; video_grid_thw: Tensor };
  HYV4VL: { pixel_values_videos: Tensor; video_grid_thw: Tensor };
  InstructBlipVideo: { pixel_values: Tensor };
  InternVL: { pixel_values_videos: Tensor };
  Kimi_K25: { num_chunks_per_video: Tensor; pixel_values_videos: Tensor; video_grid_thw: Tensor };
  LlavaNextVideo: { pixel_values_videos: Tensor };
  LlavaOnevision: { pixel_values_videos: Tensor };
  MiniCPMOcr: {
    grids_videos: Tensor;
    num_frames_per_video: number[];
    num_patches_per_frame: Tensor;
    pixel_values_videos: Tensor;
    target_sizes_videos: Tensor;
  };
  MiniCPMV4_6: {
    grids_videos: Tensor;
    num_frames_per_video: number[];
    num_patches_per_frame: Tensor;
    pixel_values_videos: Tensor;
    target_sizes_videos: Tensor;
  };
  MiniMaxM3VL: { num_chunks_per_video: Tensor; pixel_values_videos: Tensor; video_grid_thw: Tensor };
  Molmo2: { pixel_values_videos: Tensor; video_grids: Tensor; video_token_pooling: Tensor };
  MuseGlimmer: { pixel_values_videos: Tensor; video_grid_thw: Tensor };
  NemotronH_Omni_Reasoning_V3: { num_frames: Tensor; pixel_values_videos: Tensor };
  PeVideo: { padding_mask_videos?: Tensor; pixel_values_videos: Tensor };
  PerceptionLM: { pixel_values_videos: Tensor };
  Qwen2VL: { pixel_values_videos: Tensor; video_grid_thw: Tensor; second_per_grid_ts?: Tensor };
  Qwen3VL: { pixel_values_videos: Tensor; video_grid_thw: Tensor };
  Sam2Video: { original_sizes: Tensor; pixel_values_videos: Tensor; reshaped_input_sizes: Tensor };
  SmolVLM: { pixel_values: Tensor; pixel_attention_mask?: Tensor };
  Timesformer: { pixel_values: Tensor };
  VJEPA2: { pixel_values_videos: Tensor | Tensor[] };
  VideoLlama3: {
    pixel_values_videos: Tensor;
    video_compression_mask: Tensor;
    video_grid_thw: Tensor;
    video_merge_sizes: Tensor;
  };
  VideoLlava: { pixel_values_videos: Tensor };
  VideoMAE: { pixel_values: Tensor };
  Videomt: { pixel_values_videos: Tensor };
  Vivit: { pixel_values: Tensor };
}
