/** How the models of some projects take their pictures, besides a preset's numbers: options of `imageToTensor` that
 * count unless the caller gives others. */
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

/** The options of `imageToTensor` that a preset brings along: only RGB channels, for presets that are no project's.
 * `isOpenCv`: whether the backend is 'opencv' if the caller names none, as for all projects whose recipe names no
 * other.
 * @type {(preset: unknown) => Recipe & { isOpenCv: boolean }} */
export function recipeOf(preset) {
  const hasRecipe = typeof preset === 'string' && Object.hasOwn(recipes, preset);
  /** @type {Recipe} */
  const recipe = hasRecipe ? recipes[preset] : { channels: 'RGB' };
  return { ...recipe, isOpenCv: hasRecipe && !recipe.fitting };
}
