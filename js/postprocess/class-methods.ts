/** The methods of each class. `npm run docs` writes this file from the rows and the goldens of the classes. */
import type { Tensor } from '../tensor/index.js';
import type { Flagged, Method } from './method-options.js';

/** The classes that postProcessor knows. */
export interface PostProcessClasses {
  BeitImageProcessor: {
    /** If omitted: `return_segmentation_scores` false. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores' | 'target_sizes', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[]> & Method<'return_segmentation_scores' | 'target_sizes', Tensor<'int32'>[]>;
  };
  CHMv2ImageProcessor: {
    /** If omitted: `return_segmentation_scores` false. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores' | 'target_sizes', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[]> & Method<'return_segmentation_scores' | 'target_sizes', Tensor<'int32'>[]>;
    post_process_depth_estimation: Method<'target_sizes', { predicted_depth: Tensor<'float32'> }[]>;
  };
  ConditionalDetrImageProcessor: {
    /** If omitted: `threshold` 0.5, `top_k` 100. */
    post_process_object_detection: Method<'target_sizes' | 'threshold' | 'top_k', { boxes: Tensor<'float32'>; labels: Tensor<'int32'>; scores: Tensor<'float32'>; label_names?: string[] }[]>;
    /** If omitted: `return_segmentation_scores` false. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores' | 'target_sizes', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[]> & Method<'return_segmentation_scores' | 'target_sizes', Tensor<'int32'>[]>;
    /** If omitted: `mask_threshold` 0.5, `overlap_mask_area_threshold` 0.8, `return_coco_annotation` false, `threshold` 0.5. */
    post_process_instance_segmentation: Flagged<'return_coco_annotation', 'mask_threshold' | 'overlap_mask_area_threshold' | 'return_coco_annotation' | 'target_sizes' | 'threshold', { segmentation: number[][]; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]> & Method<'mask_threshold' | 'overlap_mask_area_threshold' | 'return_coco_annotation' | 'target_sizes' | 'threshold', { segmentation: Tensor<'int32'>; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]>;
    /** If omitted: `mask_threshold` 0.5, `overlap_mask_area_threshold` 0.8, `threshold` 0.5. */
    post_process_panoptic_segmentation: Method<'label_ids_to_fuse' | 'mask_threshold' | 'overlap_mask_area_threshold' | 'target_sizes' | 'threshold', { segmentation: Tensor<'int32'>; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]>;
  };
  DPTImageProcessor: {
    /** If omitted: `return_segmentation_scores` false. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores' | 'target_sizes', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[]> & Method<'return_segmentation_scores' | 'target_sizes', Tensor<'int32'>[]>;
    post_process_depth_estimation: Method<'target_sizes', { predicted_depth: Tensor<'float32'> }[]>;
  };
  DeformableDetrImageProcessor: {
    /** If omitted: `threshold` 0.5, `top_k` 100. */
    post_process_object_detection: Method<'target_sizes' | 'threshold' | 'top_k', { boxes: Tensor<'float32'>; labels: Tensor<'int32'>; scores: Tensor<'float32'>; label_names?: string[] }[]>;
  };
  DepthProImageProcessor: {
    post_process_depth_estimation: Method<'target_sizes', { field_of_view: Tensor<'float32'> | null; focal_length: Tensor<'float32'> | null; predicted_depth: Tensor<'float32'> }[]>;
  };
  DetrImageProcessor: {
    /** If omitted: `threshold` 0.5. */
    post_process_object_detection: Method<'target_sizes' | 'threshold', { boxes: Tensor<'float32'>; labels: Tensor<'int32'>; scores: Tensor<'float32'>; label_names?: string[] }[]>;
    /** If omitted: `return_segmentation_scores` false. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores' | 'target_sizes', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[]> & Method<'return_segmentation_scores' | 'target_sizes', Tensor<'int32'>[]>;
    /** If omitted: `mask_threshold` 0.5, `overlap_mask_area_threshold` 0.8, `return_coco_annotation` false, `threshold` 0.5. */
    post_process_instance_segmentation: Flagged<'return_coco_annotation', 'mask_threshold' | 'overlap_mask_area_threshold' | 'return_coco_annotation' | 'target_sizes' | 'threshold', { segmentation: number[][]; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]> & Method<'mask_threshold' | 'overlap_mask_area_threshold' | 'return_coco_annotation' | 'target_sizes' | 'threshold', { segmentation: Tensor<'int32'>; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]>;
    /** If omitted: `mask_threshold` 0.5, `overlap_mask_area_threshold` 0.8, `threshold` 0.5. */
    post_process_panoptic_segmentation: Method<'label_ids_to_fuse' | 'mask_threshold' | 'overlap_mask_area_threshold' | 'target_sizes' | 'threshold', { segmentation: Tensor<'int32'>; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]>;
  };
  EfficientLoFTRImageProcessor: {
    /** If omitted: `threshold` 0. */
    post_process_keypoint_matching: Method<'threshold', { keypoints0: Tensor<'int32'>; keypoints1: Tensor<'int32'>; matching_scores: Tensor<'float32'> }[], 'target_sizes'>;
  };
  EomtImageProcessor: {
    /** If omitted: `return_segmentation_scores` false. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[], 'target_sizes'> & Method<'return_segmentation_scores', Tensor<'int32'>[], 'target_sizes'>;
    /** If omitted: `threshold` 0.8. */
    post_process_instance_segmentation: Method<'threshold', { segmentation: Tensor<'int32'>; segments_info: { id: number; label_id: number; score: number }[]; label_names?: string[] }[], 'target_sizes'>;
    /** If omitted: `mask_threshold` 0.5, `overlap_mask_area_threshold` 0.8, `threshold` 0.8. */
    post_process_panoptic_segmentation: Method<'mask_threshold' | 'overlap_mask_area_threshold' | 'stuff_classes' | 'threshold', { segmentation: Tensor<'int32'>; segments_info: { id: number; label_id: number; score: number }[]; label_names?: string[] }[], 'target_sizes'>;
  };
  GLPNImageProcessor: {
    post_process_depth_estimation: Method<'target_sizes', { predicted_depth: Tensor<'float32'> }[]>;
  };
  GroundingDinoImageProcessor: {
    /** If omitted: `threshold` 0.1. */
    post_process_object_detection: Method<'target_sizes' | 'threshold', { boxes: Tensor<'float32'>; labels: Tensor<'int32'>; scores: Tensor<'float32'>; label_names?: string[] }[]>;
  };
  GroundingDinoProcessor: {
    /** If omitted: `text_threshold` 0.25, `threshold` 0.25. */
    post_process_grounded_object_detection: Method<'decode' | 'target_sizes' | 'text_threshold' | 'threshold', { boxes: Tensor<'float32'>; scores: Tensor<'float32'>; text_labels: number[][] }[]>;
  };
  LightGlueImageProcessor: {
    /** If omitted: `threshold` 0. */
    post_process_keypoint_matching: Method<'threshold', { keypoints0: Tensor<'int32'>; keypoints1: Tensor<'int32'>; matching_scores: Tensor<'float32'> }[], 'target_sizes'>;
  };
  Mask2FormerImageProcessor: {
    /** If omitted: `return_segmentation_scores` false. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores' | 'target_sizes', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[]> & Method<'return_segmentation_scores' | 'target_sizes', Tensor<'int32'>[]>;
    /** If omitted: `mask_threshold` 0.5, `overlap_mask_area_threshold` 0.8, `return_binary_maps` false, `return_coco_annotation` false, `threshold` 0.5. */
    post_process_instance_segmentation: Flagged<'return_coco_annotation', 'mask_threshold' | 'overlap_mask_area_threshold' | 'return_binary_maps' | 'return_coco_annotation' | 'target_sizes' | 'threshold', { segmentation: number[][]; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]> & Flagged<'return_binary_maps', 'mask_threshold' | 'overlap_mask_area_threshold' | 'return_binary_maps' | 'return_coco_annotation' | 'target_sizes' | 'threshold', { segmentation: Tensor<'float32'>; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]> & Method<'mask_threshold' | 'overlap_mask_area_threshold' | 'return_binary_maps' | 'return_coco_annotation' | 'target_sizes' | 'threshold', { segmentation: Tensor<'int32'>; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]>;
    /** If omitted: `mask_threshold` 0.5, `overlap_mask_area_threshold` 0.8, `threshold` 0.5. */
    post_process_panoptic_segmentation: Method<'label_ids_to_fuse' | 'mask_threshold' | 'overlap_mask_area_threshold' | 'target_sizes' | 'threshold', { segmentation: Tensor<'int32'>; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]>;
  };
  MaskFormerImageProcessor: {
    /** If omitted: `return_segmentation_scores` false. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores' | 'target_sizes', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[]> & Method<'return_segmentation_scores' | 'target_sizes', Tensor<'int32'>[]>;
    /** If omitted: `mask_threshold` 0.5, `overlap_mask_area_threshold` 0.8, `return_binary_maps` false, `return_coco_annotation` false, `threshold` 0.5. */
    post_process_instance_segmentation: Flagged<'return_coco_annotation', 'mask_threshold' | 'overlap_mask_area_threshold' | 'return_binary_maps' | 'return_coco_annotation' | 'target_sizes' | 'threshold', { segmentation: number[][]; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]> & Flagged<'return_binary_maps', 'mask_threshold' | 'overlap_mask_area_threshold' | 'return_binary_maps' | 'return_coco_annotation' | 'target_sizes' | 'threshold', { segmentation: Tensor<'float32'>; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]> & Method<'mask_threshold' | 'overlap_mask_area_threshold' | 'return_binary_maps' | 'return_coco_annotation' | 'target_sizes' | 'threshold', { segmentation: Tensor<'int32'>; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]>;
    /** If omitted: `mask_threshold` 0.5, `overlap_mask_area_threshold` 0.8, `threshold` 0.5. */
    post_process_panoptic_segmentation: Method<'label_ids_to_fuse' | 'mask_threshold' | 'overlap_mask_area_threshold' | 'target_sizes' | 'threshold', { segmentation: Tensor<'int32'>; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]>;
  };
  MobileNetV2ImageProcessor: {
    /** If omitted: `return_segmentation_scores` false. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores' | 'target_sizes', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[]> & Method<'return_segmentation_scores' | 'target_sizes', Tensor<'int32'>[]>;
  };
  MobileViTImageProcessor: {
    /** If omitted: `return_segmentation_scores` false. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores' | 'target_sizes', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[]> & Method<'return_segmentation_scores' | 'target_sizes', Tensor<'int32'>[]>;
  };
  OmDetTurboProcessor: {
    /** If omitted: `nms_threshold` 0.5, `threshold` 0.3. */
    post_process_grounded_object_detection: Method<'max_num_det' | 'nms_threshold' | 'text_labels' | 'threshold', { boxes: Tensor<'float32'>; labels: Tensor<'int32'>; scores: Tensor<'float32'>; text_labels: string[]; label_names?: string[] }[], 'target_sizes'>;
  };
  OneFormerImageProcessor: {
    /** If omitted: `return_segmentation_scores` false. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores' | 'target_sizes', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[]> & Method<'return_segmentation_scores' | 'target_sizes', Tensor<'int32'>[]>;
    /** If omitted: `is_demo` true, `mask_threshold` 0.5, `overlap_mask_area_threshold` 0.8, `return_coco_annotation` false, `task_type` instance, `threshold` 0.5. */
    post_process_instance_segmentation: Flagged<'return_coco_annotation', 'is_demo' | 'mask_threshold' | 'overlap_mask_area_threshold' | 'return_coco_annotation' | 'target_sizes' | 'task_type' | 'threshold', { segmentation: number[][]; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]> & Method<'is_demo' | 'mask_threshold' | 'overlap_mask_area_threshold' | 'return_coco_annotation' | 'target_sizes' | 'task_type' | 'threshold', { segmentation: Tensor<'int32'>; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]>;
    /** If omitted: `mask_threshold` 0.5, `overlap_mask_area_threshold` 0.8, `threshold` 0.5. */
    post_process_panoptic_segmentation: Method<'label_ids_to_fuse' | 'mask_threshold' | 'overlap_mask_area_threshold' | 'target_sizes' | 'threshold', { segmentation: Tensor<'int32'>; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]>;
  };
  OneFormerProcessor: {
    /** If omitted: `return_segmentation_scores` false. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores' | 'target_sizes', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[]> & Method<'return_segmentation_scores' | 'target_sizes', Tensor<'int32'>[]>;
    /** If omitted: `is_demo` true, `mask_threshold` 0.5, `overlap_mask_area_threshold` 0.8, `return_coco_annotation` false, `task_type` instance, `threshold` 0.5. */
    post_process_instance_segmentation: Flagged<'return_coco_annotation', 'is_demo' | 'mask_threshold' | 'overlap_mask_area_threshold' | 'return_coco_annotation' | 'target_sizes' | 'task_type' | 'threshold', { segmentation: number[][]; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]> & Method<'is_demo' | 'mask_threshold' | 'overlap_mask_area_threshold' | 'return_coco_annotation' | 'target_sizes' | 'task_type' | 'threshold', { segmentation: Tensor<'int32'>; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]>;
    /** If omitted: `mask_threshold` 0.5, `overlap_mask_area_threshold` 0.8, `threshold` 0.5. */
    post_process_panoptic_segmentation: Method<'label_ids_to_fuse' | 'mask_threshold' | 'overlap_mask_area_threshold' | 'target_sizes' | 'threshold', { segmentation: Tensor<'int32'>; segments_info: { id: number; label_id: number; score: number; was_fused: boolean }[]; label_names?: string[] }[]>;
  };
  OwlViTImageProcessor: {
    /** If omitted: `threshold` 0.1. */
    post_process_object_detection: Method<'target_sizes' | 'threshold', { boxes: Tensor<'float32'>; labels: Tensor<'int32'>; scores: Tensor<'float32'>; label_names?: string[] }[]>;
    /** If omitted: `nms_threshold` 0.3, `threshold` 0. */
    post_process_image_guided_detection: Method<'nms_threshold' | 'target_sizes' | 'threshold', { boxes: Tensor<'float32'>; labels: null; scores: Tensor<'float32'>; label_names?: string[] }[]>;
  };
  OwlViTProcessor: {
    /** If omitted: `threshold` 0.1. */
    post_process_grounded_object_detection: Method<'target_sizes' | 'text_labels' | 'threshold', { boxes: Tensor<'float32'>; labels: Tensor<'int32'>; scores: Tensor<'float32'>; text_labels: string[]; label_names?: string[] }[]>;
    /** If omitted: `nms_threshold` 0.3, `threshold` 0. */
    post_process_image_guided_detection: Method<'nms_threshold' | 'target_sizes' | 'threshold', { boxes: Tensor<'float32'>; labels: null; scores: Tensor<'float32'>; label_names?: string[] }[]>;
  };
  Owlv2ImageProcessor: {
    /** If omitted: `threshold` 0.1. */
    post_process_object_detection: Method<'target_sizes' | 'threshold', { boxes: Tensor<'float32'>; labels: Tensor<'int32'>; scores: Tensor<'float32'>; label_names?: string[] }[]>;
    /** If omitted: `nms_threshold` 0.3, `threshold` 0. */
    post_process_image_guided_detection: Method<'nms_threshold' | 'target_sizes' | 'threshold', { boxes: Tensor<'float32'>; labels: null; scores: Tensor<'float32'>; label_names?: string[] }[]>;
  };
  Owlv2Processor: {
    /** If omitted: `threshold` 0.1. */
    post_process_grounded_object_detection: Method<'target_sizes' | 'text_labels' | 'threshold', { boxes: Tensor<'float32'>; labels: Tensor<'int32'>; scores: Tensor<'float32'>; text_labels: string[]; label_names?: string[] }[]>;
    /** If omitted: `nms_threshold` 0.3, `threshold` 0. */
    post_process_image_guided_detection: Method<'nms_threshold' | 'target_sizes' | 'threshold', { boxes: Tensor<'float32'>; labels: null; scores: Tensor<'float32'>; label_names?: string[] }[]>;
  };
  PPDocLayoutV2ImageProcessor: {
    /** If omitted: `threshold` 0.5. */
    post_process_object_detection: Method<'target_sizes' | 'threshold', { boxes: Tensor<'float32'>; labels: Tensor<'int32'>; order_seq: Tensor<'int32'>; scores: Tensor<'float32'>; label_names?: string[] }[]>;
  };
  PPDocLayoutV3ImageProcessor: {
    /** If omitted: `threshold` 0.5. */
    post_process_object_detection: Method<'threshold', { boxes: Tensor<'float32'>; labels: Tensor<'int32'>; order_seq: Tensor<'int32'>; polygon_points: Tensor<'float32'>[]; scores: Tensor<'float32'>; label_names?: string[] }[], 'target_sizes'>;
  };
  PPDocLayoutV4ImageProcessor: {
    /** If omitted: `threshold` 0.5. */
    post_process_object_detection: Method<'threshold', { boxes: Tensor<'float32'>; labels: Tensor<'int32'>; order_seq: Tensor<'int32'>; polygon_points: Tensor<'float32'>; scores: Tensor<'float32'>; label_names?: string[] }[], 'target_sizes'>;
  };
  PPOCRV5ServerDetImageProcessor: {
    /** If omitted: `box_threshold` 0.6, `max_candidates` 1000, `min_size` 3, `threshold` 0.3, `unclip_ratio` 1.5. */
    post_process_object_detection: Method<'box_threshold' | 'max_candidates' | 'min_size' | 'threshold' | 'unclip_ratio', { boxes: Tensor<'int32'>; labels: Tensor<'int32'>; scores: Tensor<'float32'>; label_names?: string[] }[], 'target_sizes'>;
  };
  PPOCRV5ServerRecImageProcessor: {
    post_process_text_recognition: Method<'character_list', { score: number; text: string }[]>;
  };
  PPOCRV6SmallRecImageProcessor: {
    post_process_text_recognition: Method<'character_list', { score: number; text: string }[]>;
  };
  PromptDepthAnythingImageProcessor: {
    post_process_depth_estimation: Method<'target_sizes', { predicted_depth: Tensor<'float32'> }[]>;
  };
  RTDetrImageProcessor: {
    /** If omitted: `threshold` 0.5, `use_focal_loss` true. */
    post_process_object_detection: Method<'target_sizes' | 'threshold' | 'use_focal_loss', { boxes: Tensor<'float32'>; labels: Tensor<'int32'>; scores: Tensor<'float32'>; label_names?: string[] }[]>;
  };
  RfDetrImageProcessor: {
    /** If omitted: `threshold` 0.5. */
    post_process_object_detection: Method<'target_sizes' | 'threshold' | 'top_k', { boxes: Tensor<'float32'>; labels: Tensor<'int32'>; scores: Tensor<'float32'>; label_names?: string[] }[]>;
    /** If omitted: `mask_threshold` 0, `return_binary_maps` false, `return_coco_annotation` false, `threshold` 0.5. */
    post_process_instance_segmentation: Flagged<'return_coco_annotation', 'mask_threshold' | 'return_binary_maps' | 'return_coco_annotation' | 'target_sizes' | 'threshold' | 'top_k', { segmentation: number[][]; segments_info: { id: number; label_id: number; score: number }[]; label_names?: string[] }[]> & Flagged<'return_binary_maps', 'mask_threshold' | 'return_binary_maps' | 'return_coco_annotation' | 'target_sizes' | 'threshold' | 'top_k', { segmentation: Tensor<'bool'>; segments_info: { id: number; label_id: number; score: number }[]; label_names?: string[] }[]> & Method<'mask_threshold' | 'return_binary_maps' | 'return_coco_annotation' | 'target_sizes' | 'threshold' | 'top_k', { segmentation: Tensor<'int32'>; segments_info: { id: number; label_id: number; score: number }[]; label_names?: string[] }[]>;
  };
  SLANeXtImageProcessor: {
    post_process_table_recognition: Method<never, { structure: string[]; structure_score: number }>;
  };
  Sam2ImageProcessor: {
    /** If omitted: `crop_n_layers` 0, `crop_n_points_downscale_factor` 1, `overlap_ratio` 0.3413, `points_per_crop` 32. */
    generate_crop_boxes: Method<'crop_n_layers' | 'crop_n_points_downscale_factor' | 'overlap_ratio' | 'points_per_crop', { crop_boxes: Tensor<'float32'>; input_labels: Tensor<'int32'>; points_per_crop: Tensor<'float32'> }, 'size' | 'target_size'>;
    /** If omitted: `mask_threshold` 0, `pred_iou_thresh` 0.88, `stability_score_offset` 1, `stability_score_thresh` 0.95. */
    filter_masks: Method<'mask_threshold' | 'pred_iou_thresh' | 'stability_score_offset' | 'stability_score_thresh', { boxes: Tensor<'int32'>; masks: { counts: number[]; size: number[] }[]; scores: Tensor<'float32'> }, 'cropped_box_image' | 'original_size'>;
    /** If omitted: `crops_nms_thresh` 0.7. */
    post_process_for_mask_generation: Method<'crops_nms_thresh', { boxes: Tensor<'float32'>; masks: Tensor<'bool'>[]; rle_masks: { counts: number[]; size: number[] }[]; scores: Tensor<'float32'> }, 'rle_masks'>;
    /** If omitted: `apply_non_overlapping_constraints` false, `binarize` true, `mask_threshold` 0, `max_hole_area` 0, `max_sprinkle_area` 0. */
    post_process_masks: Method<'apply_non_overlapping_constraints' | 'binarize' | 'mask_threshold' | 'max_hole_area' | 'max_sprinkle_area', (Tensor<'bool'> | Tensor<'float32'>)[], 'original_sizes'>;
  };
  Sam2Processor: {
    /** If omitted: `apply_non_overlapping_constraints` false, `binarize` true, `mask_threshold` 0, `max_hole_area` 0, `max_sprinkle_area` 0. */
    post_process_masks: Method<'apply_non_overlapping_constraints' | 'binarize' | 'mask_threshold' | 'max_hole_area' | 'max_sprinkle_area', (Tensor<'bool'> | Tensor<'float32'>)[], 'original_sizes'>;
  };
  Sam2VideoProcessor: {
    /** If omitted: `binarize` true, `mask_threshold` 0. */
    post_process_masks: Method<'binarize' | 'mask_threshold' | 'pad_size', (Tensor<'bool'> | Tensor<'float32'>)[], 'original_sizes' | 'reshaped_input_sizes'>;
  };
  Sam2VideoVideoProcessor: {
    /** If omitted: `binarize` true, `mask_threshold` 0. */
    post_process_masks: Method<'binarize' | 'mask_threshold' | 'pad_size', (Tensor<'bool'> | Tensor<'float32'>)[], 'original_sizes' | 'reshaped_input_sizes'>;
  };
  Sam3ImageProcessor: {
    /** If omitted: `crop_n_layers` 0, `crop_n_points_downscale_factor` 1, `overlap_ratio` 0.3413, `points_per_crop` 32. */
    generate_crop_boxes: Method<'crop_n_layers' | 'crop_n_points_downscale_factor' | 'overlap_ratio' | 'points_per_crop', { crop_boxes: Tensor<'float32'>; input_labels: Tensor<'int32'>; points_per_crop: Tensor<'float32'> }, 'size' | 'target_size'>;
    /** If omitted: `mask_threshold` 0, `pred_iou_thresh` 0.88, `stability_score_offset` 1, `stability_score_thresh` 0.95. */
    filter_masks: Method<'mask_threshold' | 'pred_iou_thresh' | 'stability_score_offset' | 'stability_score_thresh', { boxes: Tensor<'int32'>; masks: { counts: number[]; size: number[] }[]; scores: Tensor<'float32'> }, 'cropped_box_image' | 'original_size'>;
    /** If omitted: `crops_nms_thresh` 0.7. */
    post_process_for_mask_generation: Method<'crops_nms_thresh', { boxes: Tensor<'float32'>; masks: Tensor<'bool'>[]; rle_masks: { counts: number[]; size: number[] }[]; scores: Tensor<'float32'> }, 'rle_masks'>;
    /** If omitted: `apply_non_overlapping_constraints` false, `binarize` true, `mask_threshold` 0, `max_hole_area` 0, `max_sprinkle_area` 0. */
    post_process_masks: Method<'apply_non_overlapping_constraints' | 'binarize' | 'mask_threshold' | 'max_hole_area' | 'max_sprinkle_area', (Tensor<'bool'> | Tensor<'float32'>)[], 'original_sizes'>;
    /** If omitted: `threshold` 0.3. */
    post_process_object_detection: Method<'target_sizes' | 'threshold', { boxes: Tensor<'float32'>; scores: Tensor<'float32'> }[]>;
    /** If omitted: `mask_threshold` 0.5, `threshold` 0.3. */
    post_process_instance_segmentation: Method<'mask_threshold' | 'target_sizes' | 'threshold', { boxes: Tensor<'float32'>; masks: Tensor<'int32'>; scores: Tensor<'float32'> }[]>;
    /** If omitted: `return_segmentation_scores` false, `threshold` 0.5. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores' | 'target_sizes' | 'threshold', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[]> & Method<'return_segmentation_scores' | 'target_sizes' | 'threshold', Tensor<'int32'>[]>;
  };
  Sam3Processor: {
    /** If omitted: `threshold` 0.3. */
    post_process_object_detection: Method<'target_sizes' | 'threshold', { boxes: Tensor<'float32'>; scores: Tensor<'float32'> }[]>;
    /** If omitted: `mask_threshold` 0.5, `threshold` 0.3. */
    post_process_instance_segmentation: Method<'mask_threshold' | 'target_sizes' | 'threshold', { boxes: Tensor<'float32'>; masks: Tensor<'int32'>; scores: Tensor<'float32'> }[]>;
    /** If omitted: `return_segmentation_scores` false, `threshold` 0.5. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores' | 'target_sizes' | 'threshold', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[]> & Method<'return_segmentation_scores' | 'target_sizes' | 'threshold', Tensor<'int32'>[]>;
  };
  Sam3TrackerProcessor: {
    /** If omitted: `apply_non_overlapping_constraints` false, `binarize` true, `mask_threshold` 0, `max_hole_area` 0, `max_sprinkle_area` 0. */
    post_process_masks: Method<'apply_non_overlapping_constraints' | 'binarize' | 'mask_threshold' | 'max_hole_area' | 'max_sprinkle_area', (Tensor<'bool'> | Tensor<'float32'>)[], 'original_sizes'>;
  };
  Sam3TrackerVideoProcessor: {
    /** If omitted: `binarize` true, `mask_threshold` 0. */
    post_process_masks: Method<'binarize' | 'mask_threshold' | 'pad_size', (Tensor<'bool'> | Tensor<'float32'>)[], 'original_sizes' | 'reshaped_input_sizes'>;
  };
  SamHQProcessor: {
    /** If omitted: `binarize` true, `mask_threshold` 0. */
    post_process_masks: Method<'binarize' | 'mask_threshold' | 'pad_size', (Tensor<'bool'> | Tensor<'float32'>)[], 'original_sizes' | 'reshaped_input_sizes'>;
  };
  SamImageProcessor: {
    /** If omitted: `crop_n_layers` 0, `crop_n_points_downscale_factor` 1, `overlap_ratio` 0.3413, `points_per_crop` 32. */
    generate_crop_boxes: Method<'crop_n_layers' | 'crop_n_points_downscale_factor' | 'overlap_ratio' | 'points_per_crop', { crop_boxes: Tensor<'float32'>; input_labels: Tensor<'int32'>; points_per_crop: Tensor<'float32'> }, 'size' | 'target_size'>;
    /** If omitted: `mask_threshold` 0, `pred_iou_thresh` 0.88, `stability_score_offset` 1, `stability_score_thresh` 0.95. */
    filter_masks: Method<'mask_threshold' | 'pred_iou_thresh' | 'stability_score_offset' | 'stability_score_thresh', { boxes: Tensor<'int32'>; masks: { counts: number[]; size: number[] }[]; scores: Tensor<'float32'> }, 'cropped_box_image' | 'original_size'>;
    /** If omitted: `crops_nms_thresh` 0.7. */
    post_process_for_mask_generation: Method<'crops_nms_thresh', { boxes: Tensor<'float32'>; masks: Tensor<'bool'>[]; rle_masks: { counts: number[]; size: number[] }[]; scores: Tensor<'float32'> }, 'rle_masks'>;
    /** If omitted: `binarize` true, `mask_threshold` 0. */
    post_process_masks: Method<'binarize' | 'mask_threshold' | 'pad_size', (Tensor<'bool'> | Tensor<'float32'>)[], 'original_sizes' | 'reshaped_input_sizes'>;
  };
  SamProcessor: {
    /** If omitted: `binarize` true, `mask_threshold` 0. */
    post_process_masks: Method<'binarize' | 'mask_threshold' | 'pad_size', (Tensor<'bool'> | Tensor<'float32'>)[], 'original_sizes' | 'reshaped_input_sizes'>;
  };
  Sapiens2ImageProcessor: {
    /** If omitted: `return_segmentation_scores` false. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores' | 'target_sizes', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[]> & Method<'return_segmentation_scores' | 'target_sizes', Tensor<'int32'>[]>;
    /** If omitted: `kernel_size` 11. */
    post_process_pose_estimation: Method<'kernel_size' | 'outputs_flipped' | 'source_sizes' | 'target_sizes' | 'threshold', { bbox: Tensor<'float32'>; keypoints: Tensor<'float32'>; labels: Tensor<'int32'>; scores: Tensor<'float32'>; label_names?: string[] }[][], 'boxes'>;
    post_process_normal_estimation: Method<'do_remove_padding' | 'source_sizes' | 'target_sizes', { normals: Tensor<'float32'> }[]>;
    post_process_pointmap_estimation: Method<'do_remove_padding' | 'source_sizes' | 'target_sizes', { pointmap: Tensor<'float32'> }[]>;
    post_process_image_matting: Method<'backgrounds' | 'target_sizes', { alpha: Tensor<'float32'>; composite: Tensor<'uint8'> | null; foreground: Tensor<'float32'> }[]>;
  };
  SegGptImageProcessor: {
    post_process_semantic_segmentation: Method<'num_labels' | 'target_sizes', Tensor<'int32'>[]>;
  };
  SegformerImageProcessor: {
    /** If omitted: `return_segmentation_scores` false. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores' | 'target_sizes', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[]> & Method<'return_segmentation_scores' | 'target_sizes', Tensor<'int32'>[]>;
  };
  SuperGlueImageProcessor: {
    /** If omitted: `threshold` 0. */
    post_process_keypoint_matching: Method<'threshold', { keypoints0: Tensor<'int32'>; keypoints1: Tensor<'int32'>; matching_scores: Tensor<'float32'> }[], 'target_sizes'>;
  };
  SuperPointImageProcessor: {
    post_process_keypoint_detection: Method<never, { descriptors: Tensor<'float32'>; keypoints: Tensor<'int32'>; scores: Tensor<'float32'> }[], 'target_sizes'>;
  };
  Tipsv2DptImageProcessor: {
    /** If omitted: `return_segmentation_scores` false. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores' | 'target_sizes', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[]> & Method<'return_segmentation_scores' | 'target_sizes', Tensor<'int32'>[]>;
    post_process_depth_estimation: Method<'target_sizes', { predicted_depth: Tensor<'float32'> }[]>;
    post_process_normal_estimation: Method<'target_sizes', { normals: Tensor<'float32'> }[]>;
  };
  TvpProcessor: {
    post_process_video_grounding: Method<never, number[], 'video_durations'>;
  };
  UVDocImageProcessor: {
    /** If omitted: `scale` 255. */
    post_process_document_rectification: Method<'scale', { images: Tensor<'uint8'> }[], 'original_images'>;
  };
  VideomtVideoProcessor: {
    /** If omitted: `return_segmentation_scores` false. */
    post_process_semantic_segmentation: Flagged<'return_segmentation_scores', 'return_segmentation_scores', { segmentation: Tensor<'int32'>; segmentation_scores: Tensor<'float32'> }[], 'target_sizes'> & Method<'return_segmentation_scores', Tensor<'int32'>[], 'target_sizes'>;
    /** If omitted: `threshold` 0.5. */
    post_process_instance_segmentation: Method<'threshold', { segmentation: Tensor<'int32'>; segments_info: { id: number; label_id: number; score: number }[]; label_names?: string[] }[], 'target_sizes'>;
    /** If omitted: `mask_threshold` 0.5, `overlap_mask_area_threshold` 0.8, `threshold` 0.8. */
    post_process_panoptic_segmentation: Method<'label_ids_to_fuse' | 'mask_threshold' | 'overlap_mask_area_threshold' | 'threshold', { segmentation: Tensor<'int32'>; segments_info: { id: number; label_id: number; score: number }[]; label_names?: string[] }[], 'target_sizes'>;
  };
  VitPoseImageProcessor: {
    /** If omitted: `kernel_size` 11. */
    post_process_pose_estimation: Method<'kernel_size' | 'target_sizes' | 'threshold', { bbox: Tensor<'float32'>; keypoints: Tensor<'float32'>; labels: Tensor<'int32'>; scores: Tensor<'float32'>; label_names?: string[] }[][], 'boxes'>;
  };
  YolosImageProcessor: {
    /** If omitted: `threshold` 0.5. */
    post_process_object_detection: Method<'target_sizes' | 'threshold', { boxes: Tensor<'float32'>; labels: Tensor<'int32'>; scores: Tensor<'float32'>; label_names?: string[] }[]>;
  };
  ZoeDepthImageProcessor: {
    post_process_depth_estimation: Method<'do_remove_padding' | 'outputs_flipped' | 'source_sizes' | 'target_sizes', { predicted_depth: Tensor<'float32'> }[]>;
  };
}
