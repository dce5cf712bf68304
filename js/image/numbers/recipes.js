/** How the models of some projects take their pictures, besides a preset's numbers: options of `imageToTensor` that
 * count unless the caller gives others. */
import { named } from '../../arguments/index.js';
import { extent, readTable, word } from '../option-table.js';
import { readSize, roundHalfToEven } from '../resizing/size.js';

/** @import { Recipe } from '../types.js' */

/** @type {Record<string, Recipe>} */
const recipes = {
  // Ultralytics: YOLOv5, v8, 11.
  yolo: { channels: 'RGB' },
  // Its classifiers.
  'yolo-cls': { channels: 'RGB', fitting: { fit: 'center-crop', filter: 'bilinear', backend: 'pil' } },
  yolox: { channels: 'BGR', letterbox: { center: false, rounding: 'floor' } },
  // InsightFace's detector.
  scrfd: { channels: 'RGB', letterbox: { center: false, rounding: 'aspect', background: 0 } },
  'rapidocr-det': { channels: 'BGR' },
  'paddleocr-det': { channels: 'BGR' },
  // Lines of text, to turn them round and to read them. The bars are 0 behind the numbers.
  'rapidocr-text': { channels: 'BGR', letterbox: { center: false, rounding: 'ceil', background: null } },
};

/** @type {(preset: unknown) => Recipe & { isOpenCv: boolean }} */
export function recipeOf(preset) {
  const hasRecipe = typeof preset === 'string' && Object.hasOwn(recipes, preset);
  /** @type {Recipe} */
  const recipe = hasRecipe ? recipes[preset] : { channels: 'RGB' };
  return { ...recipe, isOpenCv: hasRecipe && !recipe.fitting };
}

const limits = /** @type {const} */ (['min', 'max']);
const table = { limitSideLen: extent(736), limitType: word(limits, 'min') };

/**
 * The size at which PaddleOCR and RapidOCR look for text: multiples of 32 near a size whose shorter side is at least
 * `limitSideLen` ('min'), or whose longer side is at most that ('max').
 * @param {{ width: number, height: number }} image a picture, or its size in pixels
 * @param {{ limitSideLen?: number, limitType?: typeof limits[number] }} [options] 736 and 'min' if omitted
 * @returns {{ width: number, height: number }} for `imageToTensor`; at least 32 each
 * @example
 * textDetectionSize({ width: 1000, height: 700 }); // { width: 1056, height: 736 }
 */
export function textDetectionSize(image, options) {
  return named('textDetectionSize', () => {
    const { width, height } = readSize('image', image);
    const { limitSideLen: limit, limitType: type } = readTable(options, table);
    const side = type === 'min' ? Math.min(width, height) : Math.max(width, height);
    const isLimited = type === 'min' ? side < limit : side > limit;
    const ratio = isLimited ? limit / side : 1;
    const whole = (/** @type {number} */ extent) => Math.max(32, roundHalfToEven(Math.trunc(extent * ratio) / 32) * 32);
    return { width: whole(width), height: whole(height) };
  });
}
