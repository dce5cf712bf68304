/** The names of each class's options. `npm run docs` writes this file from the rows of the classes. */
type Usual =
  | 'do_convert_rgb'
  | 'do_resize'
  | 'size'
  | 'default_to_square'
  | 'resample'
  | 'do_rescale'
  | 'rescale_factor'
  | 'do_normalize'
  | 'image_mean'
  | 'image_std';

/** Image processors. */
export interface ImageOptionNames {
  Apertus1p5: Usual | 'do_pad' | 'spatial_factor';
  Aria: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'image_mean' | 'image_std' | 'max_image_size' | 'min_image_size' | 'resample' | 'rescale_factor' | 'split_image' | 'split_resolutions';
  Beit: Usual | 'crop_size' | 'do_center_crop';
  Bit: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  Blip: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  BridgeTower: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'size_divisor';
  CHMv2: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'ensure_multiple_of' | 'keep_aspect_ratio' | 'size_divisor';
  CLIP: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size' | 'use_square_size';
  Chameleon: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  ChineseCLIP: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  Cohere2Vision: Usual | 'crop_to_patches' | 'max_patches' | 'min_patches';
  CohereCompass: Usual | 'max_pixels' | 'merge_size' | 'min_pixels' | 'patch_size' | 'temporal_patch_size';
  ConditionalDetr: Usual | 'do_pad' | 'max_size' | 'pad_size';
  ConvNext: Usual | 'crop_pct' | 'crop_size' | 'do_center_crop';
  Cosmos3Edge: Usual | 'merge_size' | 'patch_size' | 'temporal_patch_size';
  DINOv3ViT: Usual | 'crop_size' | 'do_center_crop';
  DPT: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'ensure_multiple_of' | 'keep_aspect_ratio' | 'size_divisor';
  DeepseekOcr2: Usual | 'background_color' | 'crop_to_patches' | 'max_patches' | 'maximum_pad_value' | 'min_patches' | 'tile_size';
  DeepseekVL: Usual | 'do_pad' | 'min_size';
  DeepseekVLHybrid: 'do_convert_rgb' | 'do_normalize' | 'do_pad' | 'do_rescale' | 'do_resize' | 'high_res_image_mean' | 'high_res_image_std' | 'high_res_resample' | 'high_res_size' | 'image_mean' | 'image_std' | 'min_size' | 'resample' | 'rescale_factor' | 'size';
  DeformableDetr: Usual | 'do_pad' | 'max_size' | 'pad_size';
  DeiT: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  DepthPro: Usual;
  Detr: Usual | 'do_pad' | 'max_size' | 'pad_size';
  Donut: Usual | 'crop_size' | 'do_align_long_axis' | 'do_center_crop' | 'do_pad' | 'do_thumbnail';
  EfficientLoFTR: 'default_to_square' | 'do_convert_rgb' | 'do_grayscale' | 'do_rescale' | 'do_resize' | 'resample' | 'rescale_factor' | 'size';
  EfficientNet: Usual | 'crop_size' | 'do_center_crop' | 'include_top' | 'rescale_offset';
  Emu3: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_resize' | 'image_mean' | 'image_std' | 'resample' | 'rescale_factor';
  Eomt: Usual | 'do_pad' | 'do_split_image';
  Ernie4_5_VLMoe: Usual | 'max_pixels' | 'merge_size' | 'min_pixels' | 'patch_size' | 'temporal_patch_size';
  Flava: Usual | 'codebook_crop_size' | 'codebook_default_to_square' | 'codebook_do_center_crop' | 'codebook_do_map_pixels' | 'codebook_do_normalize' | 'codebook_do_pad' | 'codebook_do_rescale' | 'codebook_do_resize' | 'codebook_image_mean' | 'codebook_image_std' | 'codebook_pad_size' | 'codebook_resample' | 'codebook_rescale_factor' | 'codebook_size' | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size' | 'return_codebook_pixels' | 'return_image_mask';
  Fuyu: Usual | 'do_pad' | 'padding_value';
  GLPN: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_resize' | 'image_mean' | 'image_std' | 'resample' | 'rescale_factor' | 'size_divisor';
  Gemma3: Usual | 'do_pan_and_scan' | 'pan_and_scan_max_num_crops' | 'pan_and_scan_min_crop_size' | 'pan_and_scan_min_ratio_to_activate';
  Gemma4: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_resize' | 'image_mean' | 'image_std' | 'max_soft_tokens' | 'patch_size' | 'pooling_kernel_size' | 'resample' | 'rescale_factor';
  Gemma4Unified: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_resize' | 'image_mean' | 'image_std' | 'max_soft_tokens' | 'patch_size' | 'pooling_kernel_size' | 'resample' | 'rescale_factor';
  Glm46V: Usual | 'merge_size' | 'patch_size' | 'temporal_patch_size';
  Glm4v: Usual | 'merge_size' | 'patch_size' | 'temporal_patch_size';
  Glm5Next: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_resize' | 'image_mean' | 'image_std' | 'max_image_tokens' | 'merge_size' | 'min_image_tokens' | 'patch_expand_factor' | 'patch_size' | 'resample' | 'rescale_factor' | 'temporal_patch_size';
  GlmImage: Usual | 'max_pixels' | 'merge_size' | 'min_pixels' | 'patch_size' | 'temporal_patch_size';
  Glmga: Usual | 'max_pixels' | 'merge_size' | 'min_pixels' | 'patch_expand_factor' | 'patch_size' | 'temporal_patch_size';
  GotOcr2: Usual | 'crop_to_patches' | 'max_patches' | 'min_patches';
  GraniteDocling: Usual | 'crop_to_patches' | 'dense_max_aspect' | 'dense_max_patches' | 'dense_max_scale' | 'dense_min_aspect' | 'fine_route' | 'max_patches' | 'min_patches';
  GroundingDino: Usual | 'do_pad' | 'max_size' | 'pad_size';
  HYV4VL: Usual | 'max_pixels' | 'merge_size' | 'min_pixels' | 'patch_size' | 'temporal_patch_size';
  HunYuanVL: Usual | 'max_pixels' | 'merge_size' | 'min_pixels' | 'patch_size' | 'temporal_patch_size';
  Idefics: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  Idefics2: Usual | 'do_image_splitting' | 'do_pad';
  Idefics3: Usual | 'do_image_splitting' | 'do_pad' | 'max_image_size' | 'return_row_col_info';
  ImageGPT: Usual | 'clusters' | 'crop_size' | 'do_center_crop' | 'do_color_quantize';
  Inkling: Usual | 'rescale_image_frac' | 'rescale_image_max_upscaled_long_edge';
  Inkling2: 'default_to_square' | 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'image_mean' | 'image_std' | 'rescale_factor' | 'size';
  Janus: Usual | 'do_pad' | 'min_size';
  Kimi_K25: Usual | 'max_patches' | 'merge_size' | 'patch_size' | 'temporal_patch_size';
  Kosmos2_5: 'do_convert_rgb' | 'do_normalize' | 'max_patches' | 'patch_size';
  LayoutLMv2: 'apply_ocr' | 'default_to_square' | 'do_convert_rgb' | 'do_resize' | 'resample' | 'size';
  LayoutLMv3: Usual | 'apply_ocr' | 'crop_size' | 'do_center_crop';
  Levit: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  Lfm2Vl: 'do_convert_rgb' | 'do_image_splitting' | 'do_normalize' | 'do_pad' | 'do_rescale' | 'downsample_factor' | 'encoder_patch_size' | 'image_mean' | 'image_std' | 'max_image_tokens' | 'max_pixels_tolerance' | 'max_tiles' | 'min_image_tokens' | 'min_tiles' | 'resample' | 'rescale_factor' | 'return_row_col_info' | 'tile_size' | 'use_thumbnail';
  LightGlue: 'default_to_square' | 'do_convert_rgb' | 'do_grayscale' | 'do_rescale' | 'do_resize' | 'resample' | 'rescale_factor' | 'size';
  Llama4: Usual | 'max_patches' | 'resize_to_max_canvas';
  Llava: Usual | 'crop_size' | 'do_center_crop' | 'do_pad';
  LlavaNext: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'image_grid_pinpoints';
  LlavaOnevision: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'image_grid_pinpoints';
  Mask2Former: Usual | 'max_size' | 'pad_size' | 'size_divisor';
  MaskFormer: Usual | 'max_size' | 'pad_size' | 'size_divisor';
  MiniCPMOcr: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_resize' | 'downsample_mode' | 'image_mean' | 'image_std' | 'max_slice_nums' | 'patch_size' | 'resample' | 'rescale_factor' | 'scale_resolution' | 'slice_mode' | 'small_image_upsize';
  MiniCPMV4_6: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_resize' | 'downsample_mode' | 'image_mean' | 'image_std' | 'max_slice_nums' | 'patch_size' | 'resample' | 'rescale_factor' | 'scale_resolution' | 'slice_mode' | 'small_image_upsize';
  MiniMaxM3VL: Usual | 'max_pixels' | 'merge_size' | 'min_pixels' | 'patch_size' | 'temporal_patch_size';
  Mllama: Usual | 'do_pad' | 'max_image_tiles';
  MobileNetV1: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  MobileNetV2: Usual | 'crop_size' | 'do_center_crop';
  MobileNetV3: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  MobileNetV4: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  MobileViT: 'crop_size' | 'default_to_square' | 'do_center_crop' | 'do_convert_rgb' | 'do_flip_channel_order' | 'do_rescale' | 'do_resize' | 'resample' | 'rescale_factor' | 'size';
  Molmo2: 'default_to_square' | 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'image_mean' | 'image_std' | 'max_crops' | 'overlap_margins' | 'patch_size' | 'pooling_size' | 'resample' | 'rescale_factor' | 'size';
  MuseGlimmer: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_resize' | 'image_mean' | 'image_std' | 'max_image_tokens' | 'merge_size' | 'patch_size' | 'resample' | 'rescale_factor' | 'temporal_patch_size';
  NemotronH_Omni_Reasoning_V3: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'downsample_ratio' | 'image_mean' | 'image_std' | 'max_model_len' | 'max_num_patches' | 'min_num_patches' | 'patch_size' | 'resample' | 'rescale_factor';
  NeoMME: Usual | 'max_side' | 'merge_size' | 'patch_size' | 'temporal_patch_size';
  Nougat: Usual | 'do_align_long_axis' | 'do_crop_margin' | 'do_pad' | 'do_thumbnail';
  OneFormer: Usual;
  Ovis2: Usual | 'crop_size' | 'crop_to_patches' | 'do_center_crop' | 'max_patches' | 'min_patches' | 'use_covering_area_grid';
  OwlViT: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  Owlv2: Usual | 'do_pad';
  PI0: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  PPChart2Table: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  PPDocLayoutV2: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  PPDocLayoutV3: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  PPDocLayoutV4: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  PPFormulaNet: Usual | 'do_crop_margin' | 'do_pad' | 'do_thumbnail';
  PPLCNet: Usual | 'crop_size' | 'do_center_crop' | 'resize_short' | 'size_divisor';
  PPOCRV5ServerDet: Usual | 'limit_side_len' | 'limit_type' | 'max_side_limit';
  PPOCRV5ServerRec: 'crop_size' | 'default_to_square' | 'do_center_crop' | 'do_convert_rgb' | 'do_normalize' | 'do_pad' | 'do_rescale' | 'do_resize' | 'image_mean' | 'image_std' | 'pad_size' | 'resample' | 'rescale_factor';
  PPOCRV6SmallRec: 'crop_size' | 'default_to_square' | 'do_center_crop' | 'do_convert_rgb' | 'do_normalize' | 'do_pad' | 'do_rescale' | 'do_resize' | 'image_mean' | 'image_std' | 'pad_size' | 'resample' | 'rescale_factor';
  PaddleOCRVL: Usual | 'max_pixels' | 'merge_size' | 'min_pixels' | 'patch_size' | 'temporal_patch_size';
  Perceiver: Usual | 'crop_size' | 'do_center_crop';
  PerceptionLM: Usual | 'max_num_tiles' | 'tile_size' | 'vision_input_type';
  Phi4Multimodal: 'default_to_square' | 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'dynamic_hd' | 'image_mean' | 'image_std' | 'patch_size' | 'resample' | 'rescale_factor' | 'size';
  Pix2Struct: 'do_convert_rgb' | 'do_normalize' | 'is_vqa' | 'max_patches' | 'patch_size';
  Pixtral: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'patch_size';
  PoolFormer: Usual | 'crop_pct' | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  PromptDepthAnything: Usual | 'do_pad' | 'ensure_multiple_of' | 'keep_aspect_ratio' | 'size_divisor';
  Pvt: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  Qwen2VL: Usual | 'max_pixels' | 'merge_size' | 'min_pixels' | 'patch_size' | 'temporal_patch_size';
  RTDetr: Usual | 'do_pad' | 'max_size' | 'pad_size';
  RfDetr: Usual | 'do_pad' | 'max_size' | 'pad_size';
  SLANeXt: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  Sam: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'input_boxes' | 'input_boxes_labels' | 'input_labels' | 'input_points' | 'pad_size' | 'point_pad_value';
  Sam2: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'input_boxes' | 'input_boxes_labels' | 'input_labels' | 'input_points' | 'pad_size' | 'point_pad_value';
  Sam3: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'input_boxes' | 'input_boxes_labels' | 'input_labels' | 'input_points' | 'pad_size' | 'point_pad_value';
  Sapiens: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  Sapiens2: Usual | 'boxes' | 'crop_size' | 'do_center_crop' | 'do_pad';
  SegGpt: Usual | 'num_labels' | 'prompt_images' | 'prompt_masks';
  Segformer: Usual;
  Siglip: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  Siglip2: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_resize' | 'image_mean' | 'image_std' | 'max_num_patches' | 'patch_size' | 'resample' | 'rescale_factor';
  SmolVLM: Usual | 'do_image_splitting' | 'do_pad' | 'max_image_size' | 'return_row_col_info';
  Step3p7: 'default_to_square' | 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'image_mean' | 'image_std' | 'patch_size' | 'resample' | 'rescale_factor' | 'size';
  SuperGlue: 'default_to_square' | 'do_convert_rgb' | 'do_grayscale' | 'do_rescale' | 'do_resize' | 'resample' | 'rescale_factor' | 'size';
  SuperPoint: 'default_to_square' | 'do_convert_rgb' | 'do_grayscale' | 'do_rescale' | 'do_resize' | 'resample' | 'rescale_factor' | 'size';
  Swin2SR: 'do_convert_rgb' | 'do_pad' | 'do_rescale' | 'rescale_factor' | 'size_divisor';
  TextNet: Usual | 'crop_size' | 'do_center_crop' | 'size_divisor';
  TimmWrapper: 'do_convert_rgb' | 'pretrained_cfg';
  Tipsv2: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  Tipsv2Dpt: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  Tvp: Usual | 'constant_values' | 'crop_size' | 'do_center_crop' | 'do_flip_channel_order' | 'do_pad' | 'pad_size';
  UVDoc: Usual;
  UltraVBert: Usual | 'do_image_splitting' | 'do_pad' | 'max_image_size' | 'max_image_tiles' | 'return_row_col_info';
  UnlimitedOcr: Usual | 'background_color' | 'crop_to_patches' | 'max_patches' | 'maximum_pad_value' | 'min_patches' | 'tile_size';
  VLM: Usual | 'do_pad' | 'min_size';
  ViT: Usual | 'crop_size' | 'do_center_crop' | 'do_pad' | 'pad_size';
  VideoLlama3: Usual | 'max_pixels' | 'merge_size' | 'min_pixels' | 'patch_size' | 'temporal_patch_size';
  VideoLlava: Usual | 'crop_size' | 'do_center_crop' | 'return_legacy_image_output';
  VideoMAE: Usual | 'crop_size' | 'do_center_crop';
  Vilt: Usual | 'do_pad' | 'size_divisor';
  VitMatte: 'do_convert_rgb' | 'do_normalize' | 'do_pad' | 'do_rescale' | 'image_mean' | 'image_std' | 'rescale_factor' | 'size_divisor' | 'trimaps';
  VitPose: 'boxes' | 'default_to_square' | 'do_affine_transform' | 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'image_mean' | 'image_std' | 'normalize_factor' | 'rescale_factor' | 'size';
  Vivit: Usual | 'crop_size' | 'do_center_crop' | 'offset';
  Yolos: Usual | 'do_pad' | 'max_size' | 'pad_size';
  ZoeDepth: Usual | 'do_pad' | 'ensure_multiple_of' | 'keep_aspect_ratio';
  Ernie4_5_VL_Moe: Usual | 'max_pixels' | 'merge_size' | 'min_pixels' | 'patch_size' | 'temporal_patch_size';
}

/** Video processors. */
export interface VideoOptionNames {
  CohereCompass: Usual | 'cap_pixels_per_frame' | 'do_sample_frames' | 'fps' | 'max_frames' | 'merge_size' | 'min_frames' | 'num_frames' | 'patch_size' | 'temporal_patch_size';
  Cosmos3Edge: Usual | 'do_sample_frames' | 'fps' | 'max_frames' | 'merge_size' | 'min_frames' | 'num_frames' | 'patch_expand_factor' | 'patch_size' | 'temporal_patch_size';
  EmbeddingGemma2: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_resize' | 'do_sample_frames' | 'fps' | 'image_mean' | 'image_std' | 'max_frames' | 'max_soft_tokens' | 'num_frames' | 'overflow_strategy' | 'patch_size' | 'pooling_kernel_size' | 'resample' | 'rescale_factor';
  Ernie4_5_VLMoe: Usual | 'do_sample_frames' | 'draw_on_frames' | 'fps' | 'max_frames' | 'merge_size' | 'min_frames' | 'num_frames' | 'patch_size' | 'temporal_patch_size';
  Gemma4: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_resize' | 'do_sample_frames' | 'fps' | 'image_mean' | 'image_std' | 'max_soft_tokens' | 'num_frames' | 'patch_size' | 'pooling_kernel_size' | 'resample' | 'rescale_factor';
  Gemma4Unified: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_resize' | 'do_sample_frames' | 'fps' | 'image_mean' | 'image_std' | 'max_soft_tokens' | 'num_frames' | 'patch_size' | 'pooling_kernel_size' | 'resample' | 'rescale_factor';
  Glm46V: Usual | 'do_sample_frames' | 'fps' | 'merge_size' | 'num_frames' | 'patch_expand_factor' | 'patch_size' | 'temporal_patch_size';
  Glm4v: Usual | 'do_sample_frames' | 'fps' | 'max_duration' | 'merge_size' | 'num_frames' | 'patch_expand_factor' | 'patch_size' | 'temporal_patch_size';
  Glm5Next: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_resize' | 'do_sample_frames' | 'fps' | 'image_mean' | 'image_std' | 'max_duration' | 'max_frames' | 'max_image_tokens' | 'merge_size' | 'min_image_tokens' | 'num_frames' | 'patch_expand_factor' | 'patch_size' | 'resample' | 'rescale_factor' | 'temporal_patch_size';
  Glmga: Usual | 'do_sample_frames' | 'fps' | 'max_frames' | 'merge_size' | 'num_frames' | 'patch_expand_factor' | 'patch_size' | 'temporal_patch_size';
  HYV4VL: Usual | 'do_sample_frames' | 'fps' | 'max_frames' | 'max_image_size' | 'merge_size' | 'min_frames' | 'num_frames' | 'patch_size' | 'temporal_patch_size';
  InstructBlipVideo: Usual | 'crop_size' | 'do_center_crop' | 'do_sample_frames' | 'fps' | 'num_frames';
  InternVL: Usual | 'crop_size' | 'do_center_crop' | 'do_sample_frames' | 'fps' | 'initial_shift' | 'num_frames';
  Kimi_K25: Usual | 'do_sample_frames' | 'fps' | 'max_patches' | 'merge_size' | 'num_frames' | 'patch_size' | 'temporal_patch_size';
  LlavaNextVideo: Usual | 'crop_size' | 'do_center_crop' | 'do_sample_frames' | 'fps' | 'num_frames';
  LlavaOnevision: Usual | 'crop_size' | 'do_center_crop' | 'do_sample_frames' | 'fps' | 'num_frames';
  MiniCPMOcr: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_resize' | 'do_sample_frames' | 'downsample_mode' | 'fps' | 'image_mean' | 'image_std' | 'max_num_frames' | 'max_slice_nums' | 'num_frames' | 'patch_size' | 'resample' | 'rescale_factor' | 'scale_resolution' | 'slice_mode' | 'stack_frames';
  MiniCPMV4_6: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_resize' | 'do_sample_frames' | 'downsample_mode' | 'fps' | 'image_mean' | 'image_std' | 'max_num_frames' | 'max_slice_nums' | 'num_frames' | 'patch_size' | 'resample' | 'rescale_factor' | 'scale_resolution' | 'slice_mode' | 'stack_frames';
  MiniMaxM3VL: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_resize' | 'do_sample_frames' | 'fps' | 'image_mean' | 'image_std' | 'max_pixels' | 'merge_size' | 'min_pixels' | 'num_frames' | 'patch_size' | 'resample' | 'rescale_factor' | 'temporal_patch_size' | 'vision_segment_max_frames';
  Molmo2: 'default_to_square' | 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_sample_frames' | 'fps' | 'image_mean' | 'image_std' | 'max_fps' | 'num_frames' | 'patch_size' | 'pooling_size' | 'resample' | 'rescale_factor' | 'size';
  MuseGlimmer: 'do_convert_rgb' | 'do_normalize' | 'do_rescale' | 'do_resize' | 'do_sample_frames' | 'fps' | 'image_mean' | 'image_std' | 'max_video_frame_tokens' | 'merge_size' | 'num_frames' | 'patch_size' | 'resample' | 'rescale_factor' | 'temporal_patch_size';
  NemotronH_Omni_Reasoning_V3: 'do_convert_rgb' | 'do_sample_frames' | 'fps' | 'num_frames' | 'temporal_patch_size';
  PeVideo: Usual | 'crop_size' | 'do_center_crop' | 'do_sample_frames' | 'fps' | 'num_frames';
  PerceptionLM: Usual | 'crop_size' | 'do_center_crop' | 'do_sample_frames' | 'fps' | 'num_frames';
  Qwen2VL: Usual | 'cap_pixels_per_frame' | 'do_sample_frames' | 'fps' | 'max_frames' | 'max_pixels' | 'merge_size' | 'min_frames' | 'min_pixels' | 'num_frames' | 'patch_size' | 'temporal_patch_size';
  Qwen3VL: Usual | 'cap_pixels_per_frame' | 'do_sample_frames' | 'fps' | 'max_frames' | 'merge_size' | 'min_frames' | 'num_frames' | 'patch_size' | 'temporal_patch_size';
  Sam2Video: Usual | 'crop_size' | 'do_center_crop' | 'do_sample_frames' | 'fps' | 'num_frames';
  SmolVLM: Usual | 'do_pad' | 'do_sample_frames' | 'fps' | 'num_frames' | 'video_sampling';
  Timesformer: Usual | 'crop_size' | 'do_center_crop' | 'do_sample_frames' | 'fps' | 'num_frames';
  VJEPA2: Usual | 'crop_size' | 'do_center_crop' | 'do_sample_frames' | 'fps' | 'num_frames';
  VideoLlama3: Usual | 'do_sample_frames' | 'fps' | 'max_frames' | 'max_pixels' | 'merge_size' | 'min_frames' | 'min_pixels' | 'num_frames' | 'patch_size' | 'temporal_patch_size' | 'use_token_compression';
  VideoLlava: Usual | 'crop_size' | 'do_center_crop' | 'do_sample_frames' | 'fps' | 'num_frames';
  VideoMAE: Usual | 'crop_size' | 'do_center_crop' | 'do_sample_frames' | 'fps' | 'num_frames';
  Videomt: Usual | 'crop_size' | 'do_center_crop' | 'do_sample_frames' | 'fps' | 'num_frames';
  Vivit: Usual | 'crop_size' | 'do_center_crop' | 'do_sample_frames' | 'fps' | 'num_frames';
}
