/** The options of functions; those of the methods of `postProcessor` are in method-options.ts. */
import type { TensorLike } from '../tensor/index.js';
import type { Labels } from './settings.js';

export interface PostProcessorOptions<Name extends string = string> {
  /** The class, where the configuration has none or another, as for `GroundingDinoProcessor`. */
  className?: Name;
}

export interface InPlaceOptions {
  /** A float32 tensor of the same dims to write to: it may be the input. */
  out?: TensorLike;
}

export interface PictureOptions {
  /** A uint8 tensor [height, width, 4] to write to: it may be the image, where that has as many channels. */
  out?: TensorLike;
}

export interface TopkOptions {
  /** Whether the numbers are sorted, the greatest first: true if omitted. */
  sorted?: boolean;
}

export interface ClassifyOptions {
  /** The most classes of a row: 5 if omitted. */
  top_k?: number;
  /** The names of the classes by their numbers: `LABEL_0` and so on if omitted. */
  id2label?: Labels;
  /** The function that makes scores of logits. If omitted 'softmax', or 'sigmoid' where there is one class. */
  function_to_apply?: 'softmax' | 'sigmoid' | 'none';
}

export interface ContourOptions {
  /** The mode of cv2. 'list' (if omitted): all borders, on one level; 'external': borders that lie in no other;
   * 'ccomp': two levels, parts and their holes; 'tree': all levels. */
  mode?: 'list' | 'external' | 'ccomp' | 'tree';
  /** The method of cv2. 'simple' (if omitted) leaves out points on straight lines, 'none' keeps all. */
  method?: 'simple' | 'none';
}

export interface HullOptions {
  /** Whether the points turn clockwise, as seen with y upwards: false if omitted. */
  clockwise?: boolean;
  /** Whether the result is points: true if omitted. Otherwise it is their indices. */
  returnPoints?: boolean;
}

export interface AreaOptions {
  /** Whether the area is negative where the points turn to the left in a picture: false if omitted. */
  oriented?: boolean;
}

export interface RleOptions {
  /** Whether the counts are COCO's string instead of numbers: false if omitted. */
  compress?: boolean;
}

export interface TextDetectionOptions {
  /** The [height, width] of the picture, in pixels: the map's if omitted. */
  size?: readonly [height: number, width: number];
  /** The probability, from 0 to 1, that a pixel of text has to pass: 0.3 if omitted. */
  thresh?: number;
  /** The mean probability, from 0 to 1, that a box needs: 0.5 if omitted. */
  box_thresh?: number;
  /** How far boxes grow: the ratio of area to perimeter is multiplied by this, at most 1000. 1.6 if omitted. */
  unclip_ratio?: number;
  /** Whether the pixels of text grow by one, to the right and down, before boxes are found: true if omitted. */
  use_dilation?: boolean;
  /** The most contours that become boxes: 1000 if omitted. */
  max_candidates?: number;
  /** The lowest length of a box's shorter side, in pixels of the map: 3 if omitted. */
  min_size?: number;
}

export interface CtcOptions {
  /** The text of each class. */
  character_list: readonly string[];
  /** The class of blanks: 0 if omitted. For Wav2Vec2 it is the id of the padding. */
  blank?: number;
  /** The character that stands for a space, as Wav2Vec2's `|`: none if omitted. Spaces at the ends of the text are
   * cut. */
  word_delimiter_token?: string;
  /**
   * Decimals that scores are rounded to, each step's and the mean, from 0 to 100: RapidOCR has 5. If omitted, scores
   * are not rounded. An empty text has the score 0 where they are, and otherwise NaN, as in transformers.
   */
  round?: number;
  /** Whether `char_offsets` is returned, the place of each character in steps: false if omitted. */
  output_char_offsets?: boolean;
  /** Whether `word_offsets` is returned, the place of each word in steps, as spaces divide them: false if omitted. */
  output_word_offsets?: boolean;
}
