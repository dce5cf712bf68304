/** The methods of postProcessor: their form, and their options under the names that these have in Python. */
import type { Labels } from './settings.js';
import type { TensorLike } from '../tensor/index.js';

/** The outputs of a session by their names, of any class: a method reads its own, tensors or lists of them. */
export type SessionOutputs = object;

type MapTarget = TensorLike | null | undefined;

type Sizes = TensorLike | readonly (readonly (number | bigint)[])[];

/** Options of every method. */
export interface SharedMethodOptions {
  /** The names of labels by their numbers, as a model's config.json has them: `label_names` are then in the result. */
  id2label?: Labels | null;
  /** Tensors for the maps of the result, in its form. They are overwritten, and must not overlap the outputs. */
  out?: readonly (MapTarget | Readonly<Record<string, MapTarget>>)[] | null;
}

/** null is an option that is not given. A method takes some of these, and says its defaults. */
export interface MethodOptions {
  /** The [height, width] in pixels of each picture, to which results are scaled; those of the outputs if omitted. */
  target_sizes?: Sizes | null;
  /** The score, from 0 to 1, that results have to pass. */
  threshold?: number | null;
  /** The most results of a picture. */
  top_k?: number | null;
  /** The probability, from 0 to 1, that a pixel has to pass to belong to a mask. */
  mask_threshold?: number | null;
  /** The share of a mask, from 0 to 1, that has to be left where other masks lie on it. */
  overlap_mask_area_threshold?: number | null;
  /** Whether the scores of all classes are returned for each pixel. */
  return_segmentation_scores?: boolean | null;
  /** Whether masks are run lengths, as COCO has them, instead of a map. */
  return_coco_annotation?: boolean | null;
  /** Whether masks are stacked to a tensor, one plane each, instead of a map. */
  return_binary_maps?: boolean | null;
  /** The labels whose segments are joined to one. */
  label_ids_to_fuse?: readonly number[] | ReadonlySet<number> | null;
  /** The labels of things that cannot be counted, such as sky: their segments are joined to one. */
  stuff_classes?: readonly number[] | ReadonlySet<number> | null;
  /** The score, from 0 to 1, that a token has to pass to belong to a label. */
  text_threshold?: number | null;
  /** Makes text of a list of token numbers: the tokenizer's `decode`. */
  decode?: ((ids: number[]) => string) | null;
  /** The words that were looked for in each picture, by label. */
  text_labels?: readonly (readonly string[])[] | null;
  /** The overlap of two boxes, as IoU from 0 to 1, from which on only the better one is left. */
  nms_threshold?: number | null;
  /** The most boxes of a picture. */
  max_num_det?: number | null;
  /** The task that the model was asked for. */
  task_type?: string | null;
  /** Whether masks are chosen as OneFormer's demo does. */
  is_demo?: boolean | null;
  /** The mean score, from 0 to 1, that a text box has to pass. */
  box_threshold?: number | null;
  /** The most contours of a picture that become boxes. */
  max_candidates?: number | null;
  /** The lowest length of a box's shorter side, in pixels of the map. */
  min_size?: number | null;
  /** How far boxes grow: the ratio of area to perimeter is multiplied by this. */
  unclip_ratio?: number | null;
  /** The characters by their numbers; those of the configuration if omitted. */
  character_list?: readonly string[] | null;
  /** Whether the model was trained with focal loss, so that scores are sigmoids. */
  use_focal_loss?: boolean | null;
  /** The [height, width] of the picture, in pixels. */
  size?: readonly number[] | null;
  /** The length of the model's sides, in pixels. */
  target_size?: number | null;
  /** The number of times that the picture is cut to smaller crops. */
  crop_n_layers?: number | null;
  /** The share of a crop's side, from 0 to 1, by which crops overlap. */
  overlap_ratio?: number | null;
  /** Points along a side of a crop. */
  points_per_crop?: number | null;
  /** The divisor of the points along a side in each layer of crops. */
  crop_n_points_downscale_factor?: number | null;
  /** The [height, width] of the picture, in pixels. */
  original_size?: readonly number[] | null;
  /** The crop that the masks are of: [left, top, right, bottom] in pixels of the picture. */
  cropped_box_image?: readonly number[] | null;
  /** The IoU that the model predicts, from 0 to 1, and that masks have to pass. */
  pred_iou_thresh?: number | null;
  /** The stability, from 0 to 1, that masks have to pass. */
  stability_score_thresh?: number | null;
  /** How far the mask's threshold is moved to measure its stability. */
  stability_score_offset?: number | null;
  /** The masks of all crops, as run lengths { size, counts }. */
  rle_masks?: readonly { readonly size: readonly number[]; readonly counts: readonly number[] | string }[] | null;
  /** The overlap of two crops' boxes, as IoU from 0 to 1, from which on only the better one is left. */
  crops_nms_thresh?: number | null;
  /** The [height, width] of each picture as it was, in pixels. */
  original_sizes?: Sizes | null;
  /** The [height, width] of each picture as the model took it, without bars, in pixels. */
  reshaped_input_sizes?: Sizes | null;
  /** The size with bars, in pixels; the configuration's if omitted. */
  pad_size?: { height: number; width: number } | null;
  /** Whether masks are bool; otherwise they are logits. */
  binarize?: boolean | null;
  /** Python takes this option and does nothing with it, so 0 alone is taken. */
  max_hole_area?: number | null;
  /** Python takes this option and does nothing with it, so 0 alone is taken. */
  max_sprinkle_area?: number | null;
  /** Whether each pixel belongs to one mask at most. */
  apply_non_overlapping_constraints?: boolean | null;
  /** The boxes of people in each picture: [x, y, width, height] in pixels. */
  boxes?: readonly (TensorLike | readonly (readonly number[])[])[] | null;
  /** The side of the blur over heat maps, in pixels of the map: odd. */
  kernel_size?: number | null;
  /** The [height, width] of each picture as it was before bars, in pixels. */
  source_sizes?: Sizes | null;
  /** The outputs of the mirrored picture, with which depths are averaged. */
  outputs_flipped?: TensorLike | SessionOutputs | null;
  /** Whether the bars that the processor put around pictures are cut off. */
  do_remove_padding?: boolean | null;
  /** The color pixels to lay the foreground on, one picture each. */
  backgrounds?: readonly TensorLike[] | null;
  /** The number of classes of a map's palette. */
  num_labels?: number | null;
  /** Seconds of each video. */
  video_durations?: readonly number[] | null;
  /** The pictures that are straightened. */
  original_images?: readonly TensorLike[] | null;
  /** The factor of the result's numbers, which are from 0 to 1. */
  scale?: number | null;
}

type Names = keyof MethodOptions;
type Given<Some extends Names> = SharedMethodOptions & Pick<MethodOptions, Some>;

/** A method of a Python class: from a session's outputs, under transformers' names, to Python's result. It takes the
 * options `Free`, and needs the options `Needed`. */
export type Method<Free extends Names, Result, Needed extends Names = never> = [Needed] extends [never]
  ? (outputs: SessionOutputs, options?: Given<Free> | null) => Result
  : (outputs: SessionOutputs, options: Given<Free> & Required<Pick<MethodOptions, Needed>>) => Result;

/** A method whose result has another form where the option `Flag` is true. */
export type Flagged<Flag extends Names, Free extends Names, Result, Needed extends Names = never> = (
  outputs: SessionOutputs,
  options: Given<Free> & Required<Pick<MethodOptions, Needed>> & { [Name in Flag]: true },
) => Result;
