/**
 * The options of a processor's call. Each has the name that it has in Python, and stands for the configuration's
 * setting in this call alone; what is omitted is as the configuration says, or else the class's default.
 */
import type { ImageLike } from '../image/types.js';
import type { Readers } from './settings/readers.js';
import type { videoReaders } from './settings/video-readers.js';

/** A size as files state it. `sizeKeys` of settings/kinds.js lists the keys that may stand side by side. */
export type SizeSetting = Partial<
  Record<
    'height' | 'width' | 'shortest_edge' | 'longest_edge' | 'max_height' | 'max_width' | 'min_pixels' | 'max_pixels',
    number
  >
>;

/** Lists within lists, whose leaves are numbers, or null where one is missing. */
export type NestedNumbers = readonly (number | null | NestedNumbers)[];

type VideoReaders = typeof videoReaders;
/** null stands for none. */
type Flag = boolean | 0 | 1 | null;
type Count = number | null;
type Size = number | readonly number[] | SizeSetting | null;
/** The values that the reader of a setting takes. */
type Setting<Name extends keyof Readers> = Parameters<Readers[Name]>[1] | null;
type VideoSetting<Name extends keyof VideoReaders> = Parameters<VideoReaders[Name]>[1] | null;

export interface ImageSettings {
  /** Of VitMatte: a trimap for each picture, whose gray says foreground, background or unknown. */
  trimaps?: ImageLike | readonly ImageLike[];
  /** Of SegGPT: pictures that show what is looked for. */
  prompt_images?: ImageLike | readonly ImageLike[];
  /** Of SegGPT: masks of those pictures, as colors or as numbers of classes. */
  prompt_masks?: ImageLike | readonly ImageLike[];
  /** Points in pixels of the picture, x first: lists of pictures, of objects, of points. */
  input_points?: NestedNumbers;
  /** The kind of each point: 1 of the object, 0 beside it. Lists of pictures, of objects, of labels. */
  input_labels?: NestedNumbers;
  /** Boxes by their corners in pixels of the picture: lists of pictures, of boxes. */
  input_boxes?: NestedNumbers;
  /** Of Sam3Processor, the kind of each box: 1 of the object, 0 beside it. */
  input_boxes_labels?: NestedNumbers;
  /** The number that stands for points that a picture lacks: -10 if omitted. */
  point_pad_value?: number;
  /** Whether red, green and blue are made of gray, of palettes, and of what has alpha. */
  do_convert_rgb?: Flag;
  /** Whether pictures are resized, to `size`. */
  do_resize?: Flag;
  /** The size in pixels that pictures are resized to: a number, [height, width], or an object as files have it. */
  size?: Size;
  /** Whether a `size` that is a number stands for both sides; otherwise it is the shorter side's. */
  default_to_square?: Flag;
  /** The filter that resizes: Pillow's number from 0 to 5 (2 bilinear, 3 bicubic, 1 lanczos), or a name. */
  resample?: Setting<'resample'>;
  /** Whether the middle is cut out, of `crop_size`. */
  do_center_crop?: Flag;
  /** The size in pixels of the part that is cut out. */
  crop_size?: Size;
  /** The share of a side that the crop keeps, from 0 to 1: `size` is divided by it before the crop. */
  crop_pct?: Count;
  /** Whether bytes become numbers times `rescale_factor`. */
  do_rescale?: Flag;
  /** The factor of bytes, such as 1 / 255. */
  rescale_factor?: Count;
  /** Whether 1 is subtracted from rescaled numbers, which then begin at -1. */
  rescale_offset?: Flag;
  /** Whether 1 is subtracted from rescaled numbers, which then begin at -1. */
  offset?: Flag;
  /** Whether `image_mean` is subtracted and what is left is divided by `image_std`. */
  do_normalize?: Flag;
  /** The mean that is subtracted after rescaling: one number, or those of red, green and blue. */
  image_mean?: Setting<'image_mean'>;
  /** The deviation that numbers are divided by after that: one number, or those of red, green and blue. */
  image_std?: Setting<'image_std'>;
  /** The divisor of boxes' sides, which are then multiplied by 250: 200 makes boxes 1.25 times as large. */
  normalize_factor?: Count;
  /** Whether pictures get bars, up to `pad_size` or the largest of the batch. */
  do_pad?: Flag;
  /** The size in pixels with bars. */
  pad_size?: Size;
  /** The number that bars hold. */
  padding_value?: Count;
  /** The number that bars hold. */
  constant_values?: Count;
  /** Without tiles: up to this longer side of `size`, in pixels, pictures are stretched to a square; beyond it they
   * keep their ratio and get bars. */
  maximum_pad_value?: Count;
  /** The color of bars: one byte, or those of red, green and blue. */
  background_color?: Setting<'background_color'>;
  /** Sides become multiples of this, in pixels. */
  size_divisor?: Count;
  /** Sides become multiples of this, in pixels. */
  ensure_multiple_of?: Count;
  /** Whether the sides keep their ratio. */
  keep_aspect_ratio?: Flag;
  /** Whether red and blue change places. */
  do_flip_channel_order?: Flag;
  /** Whether colors become gray. */
  do_grayscale?: Flag;
  /** Whether colors become the numbers of `clusters`. */
  do_color_quantize?: Flag;
  /** Colors from -1 to 1, [red, green, blue] each. */
  clusters?: readonly (readonly number[])[] | null;
  /** Whether margins without content are cut off. */
  do_crop_margin?: Flag;
  /** Whether pictures are made smaller to fit `size`, as Pillow's thumbnail. */
  do_thumbnail?: Flag;
  /** Whether pictures are turned by 90 degrees where their longer side is not that of `size`. */
  do_align_long_axis?: Flag;
  /** Whether the part in a box is warped to `size`. */
  do_affine_transform?: Flag;
  /** The boxes of each picture, [x, y, width, height] in pixels. */
  boxes?: readonly (readonly (readonly number[])[])[] | null;
  /** The highest length of the longer side, in pixels. */
  max_size?: Count;
  /** The highest length of a longer side, in pixels: none if null. */
  max_side?: Count;
  /** The highest length of a side after resizing, in pixels. */
  max_side_limit?: Count;
  /** The length that the side of `limit_type` is limited to, in pixels. */
  limit_side_len?: Count;
  /** The side that `limit_side_len` limits: 'max' the longer one from above, 'min' the shorter one from below;
   * 'resize_long' gives the longer one that length. */
  limit_type?: Setting<'limit_type'>;
  /** The length of the shorter side, in pixels. */
  resize_short?: Count;
  /** The lowest length of a side, in pixels. */
  min_size?: Count;
  /** The lowest length of a side, in pixels. */
  min_image_size?: Count;
  /** The size that pictures may have at most, in pixels. */
  max_image_size?: Size;
  /** The highest width, in pixels. */
  max_image_width?: Count;
  /** The lowest number of pixels of a picture. */
  min_pixels?: Count;
  /** The highest number of pixels of a picture. */
  max_pixels?: Count;
  /** The factor of the highest number of pixels from which on a picture is cut to tiles. */
  max_pixels_tolerance?: Count;
  /** Whether pictures are enlarged to the largest canvas that takes them; otherwise they are only made smaller. */
  resize_to_max_canvas?: Flag;
  /** Sides of a patch, in pixels. */
  patch_size?: Setting<'patch_size'>;
  /** Sides of the encoder's patch, in pixels. */
  encoder_patch_size?: Count;
  /** Patches along a side that become one token. */
  merge_size?: Count;
  /** Frames that become one patch. */
  temporal_patch_size?: Count;
  /** The factor of `patch_size` of which sides become multiples. */
  patch_expand_factor?: Count;
  /** The pixels of a side that become one code, of which sides become multiples. */
  spatial_factor?: Count;
  /** The factor by which the model shrinks sides of patches. */
  downsample_factor?: Count;
  /** The share of the sides that the model's pixel shuffle keeps, from 0 to 1. */
  downsample_ratio?: Count;
  /** The model's reduction of tokens: '16x', or '4x' for four times as many. */
  downsample_mode?: Setting<'downsample_mode'>;
  /** Patches along a side that are pooled. */
  pooling_kernel_size?: Count;
  /** Patches along the sides that are pooled, [rows, columns]. */
  pooling_size?: readonly number[] | null;
  /** The lowest number of patches of a picture. */
  min_patches?: Count;
  /** The highest number of patches of a picture. */
  max_patches?: Count;
  /** The lowest number of patches of a picture. */
  min_num_patches?: Count;
  /** The highest number of patches of a picture. */
  max_num_patches?: Count;
  /** The lowest number of tokens of a picture. */
  min_image_tokens?: Count;
  /** The highest number of tokens of a picture. */
  max_image_tokens?: Count;
  /** The highest number of tokens of a picture: 70, 140, 280, 560 or 1120. */
  max_soft_tokens?: Count;
  /** The tokens that the model takes, which bound the patches of a call's pictures. */
  max_model_len?: Count;
  /** Whether pictures are cut to tiles. */
  crop_to_patches?: Flag;
  /** Whether pictures are cut to tiles. */
  do_image_splitting?: Flag;
  /** Whether pictures are cut to tiles. */
  do_split_image?: Flag;
  /** Whether pictures are cut to tiles. */
  split_image?: Flag;
  /** Whether pictures are cut to slices. */
  slice_mode?: Flag;
  /** The sizes among which the tiles' canvas is chosen, [height, width] in pixels. */
  split_resolutions?: Setting<'split_resolutions'>;
  /** The sizes among which the tiles' canvas is chosen, [height, width] in pixels. */
  image_grid_pinpoints?: Setting<'image_grid_pinpoints'>;
  /** The lowest number of tiles of a picture. */
  min_tiles?: Count;
  /** The highest number of tiles of a picture. */
  max_tiles?: Count;
  /** The highest number of tiles of a picture. */
  max_image_tiles?: Count;
  /** The highest number of tiles of a picture. */
  max_num_tiles?: Count;
  /** The highest number of slices of a picture. */
  max_slice_nums?: Count;
  /** The highest number of crops of a picture. */
  max_crops?: Count;
  /** Sides of a tile, in pixels. */
  tile_size?: Count;
  /** Patches by which neighboring crops overlap, [left or top, right or bottom]. */
  overlap_margins?: readonly number[] | null;
  /** Whether the whole picture comes beside its tiles. */
  use_thumbnail?: Flag;
  /** Whether numbers are divided by `image_std` once more, for classification. */
  include_top?: Flag;
  /** Whether the grid of tiles covers the picture's area. */
  use_covering_area_grid?: Flag;
  /** Whether tiles are square. */
  use_square_size?: Flag;
  /**
   * Whether pictures below `scale_resolution` are enlarged to it: 'always' or 'never'. Python's 'adaptive' is refused.
   */
  small_image_upsize?: Setting<'small_image_upsize'>;
  /** The side of the squares that slices come near, in pixels. */
  scale_resolution?: Count;
  /** The highest number of tiles of a picture. */
  dynamic_hd?: Count;
  /** 'thumb+tile' cuts pictures to tiles beside a smaller picture; any other word makes one tile. */
  vision_input_type?: Setting<'vision_input_type'>;
  /** Whether wide pictures are cut to crops in the middle and beside it. */
  do_pan_and_scan?: Flag;
  /** The highest number of those crops. */
  pan_and_scan_max_num_crops?: Count;
  /** The lowest length of a crop's side, in pixels. */
  pan_and_scan_min_crop_size?: Count;
  /** The ratio of the sides from which on there are crops. */
  pan_and_scan_min_ratio_to_activate?: Count;
  /** The factor of pictures' sides before they are cut to tiles: none if null. */
  rescale_image_frac?: Count;
  /** The highest length of a longer side that `rescale_image_frac` enlarges, in pixels. */
  rescale_image_max_upscaled_long_edge?: Count;
  /** Whether the model makes four times as many tokens of a tile, which `tile_fine_mask` then says. */
  fine_route?: Flag;
  /** The highest ratio of width to height of pages that `dense_max_patches` is for: 0 for any. */
  dense_max_aspect?: Count;
  /** The ratio of width to height that pages exceed that `dense_max_patches` is for: 0 for any. */
  dense_min_aspect?: Count;
  /** The highest number of tiles of dense pages, in place of `max_patches`: 0 for no other number. */
  dense_max_patches?: Count;
  /** The ratio of the tiles' width to the page's below which a page is dense: 0 for any. */
  dense_max_scale?: Count;
  /** Whether the rows and columns of tiles are returned. */
  return_row_col_info?: Flag;
  /** Whether pixels for the codebook are returned too. */
  return_codebook_pixels?: Flag;
  /** Whether a mask of patches is returned too. */
  return_image_mask?: Flag;
  /** Whether outputs have the form of transformers' older releases. */
  return_legacy_image_output?: Flag;
  /** Whether Python reads the words in pictures: it has to be off. */
  apply_ocr?: Flag;
  /** Whether pictures have a question drawn above: it has to be off. */
  is_vqa?: Flag;
  /** The number of classes that a prompt's mask may have: a palette is made of as many colors. */
  num_labels?: Count;
  /** The settings of timm, under its own names. */
  pretrained_cfg?: Setting<'pretrained_cfg'>;
  /** Whether the codebook's pictures are resized, to `codebook_size`. */
  codebook_do_resize?: Flag;
  /** The size in pixels of the codebook's pictures. */
  codebook_size?: Size;
  /** Whether a `codebook_size` that is a number stands for both sides. */
  codebook_default_to_square?: Flag;
  /** The filter that resizes the codebook's pictures. */
  codebook_resample?: Setting<'resample'>;
  /** Whether the middle of the codebook's pictures is cut out. */
  codebook_do_center_crop?: Flag;
  /** The size in pixels of the part that is cut out for the codebook. */
  codebook_crop_size?: Size;
  /** Whether the codebook's bytes become numbers times `codebook_rescale_factor`. */
  codebook_do_rescale?: Flag;
  /** The factor of the codebook's bytes. */
  codebook_rescale_factor?: Count;
  /** Whether the codebook's numbers are moved away from 0 and 1, as DALL-E does. */
  codebook_do_map_pixels?: Flag;
  /** Whether the codebook's numbers are normalized. */
  codebook_do_normalize?: Flag;
  /** The mean that is subtracted from the codebook's numbers. */
  codebook_image_mean?: Setting<'image_mean'>;
  /** The deviation that the codebook's numbers are divided by. */
  codebook_image_std?: Setting<'image_std'>;
  /** Whether the codebook's pictures get bars. */
  codebook_do_pad?: Flag;
  /** The size in pixels of the codebook's pictures with bars. */
  codebook_pad_size?: Size;
  /** The size in pixels of the pictures of high resolution. */
  high_res_size?: Size;
  /** The filter that resizes the pictures of high resolution. */
  high_res_resample?: Setting<'resample'>;
  /** The mean that is subtracted from the pictures of high resolution. */
  high_res_image_mean?: Setting<'image_mean'>;
  /** The deviation that the pictures of high resolution are divided by. */
  high_res_image_std?: Setting<'image_std'>;
}

export interface VideoSettings {
  /** Whether frames are chosen of each video, by the class's rule. */
  do_sample_frames?: Flag;
  /** Frames that are chosen of a video. */
  num_frames?: Count;
  /** Frames that are chosen of each second of video. */
  fps?: Count;
  /** The lowest number of frames that are chosen. */
  min_frames?: Count;
  /** The highest number of frames that are chosen. */
  max_frames?: Count;
  /** The highest number of frames that are chosen. */
  max_num_frames?: Count;
  /** The highest number of frames that are chosen of a second. */
  max_fps?: Count;
  /** The longest video whose frames are chosen at `fps`, in seconds: of longer ones as many are chosen. */
  max_duration?: VideoSetting<'max_duration'>;
  /** The choice among more frames than `max_frames`: 'uniform' chooses among all, 'truncate' takes the first. */
  overflow_strategy?: VideoSetting<'overflow_strategy'>;
  /** Frames from the start to the first chosen one; true for the middle of a step. */
  initial_shift?: VideoSetting<'initial_shift'>;
  /** The older form of `num_frames`, `fps` and `size`: { max_frames, fps, video_size }. */
  video_sampling?: VideoSetting<'video_sampling'>;
  /** Whether the pixels of a frame are bounded by the video's number of frames and `max_video_tokens`. */
  cap_pixels_per_frame?: Flag;
  /** The number of tokens by which `cap_pixels_per_frame` bounds frames. */
  max_video_tokens?: Count;
  /** The highest number of tokens of a frame. */
  max_video_frame_tokens?: Count;
  /** Patches of a frame that its size is chosen for. */
  video_target_num_patches?: Count;
  /** Whether frames keep the ratio of their sides. */
  video_maintain_aspect_ratio?: Flag;
  /** Whether the time is drawn on frames: it has to be off. */
  draw_on_frames?: Flag;
  /** Frames of each second beside the chosen one, which are stacked to one: 1 for none. */
  stack_frames?: Count;
  /** The highest number of patches in time of a segment: one segment a video if null. */
  vision_segment_max_frames?: Count;
  /** Whether `video_compression_mask` leaves out tokens that hardly differ from those of the frame before. */
  use_token_compression?: Flag;
  /** The mean that is subtracted after rescaling: those of red, green and blue. */
  norm_mean?: Setting<'image_mean'>;
  /** The deviation that numbers are divided by after that: those of red, green and blue. */
  norm_std?: Setting<'image_std'>;
}

type Said<Names extends keyof ImageSettings | keyof VideoSettings> = Names;
/** The settings that have readers: the type check names one that has no sentence above. */
export type SettingNames = Said<keyof Readers | keyof VideoReaders>;
