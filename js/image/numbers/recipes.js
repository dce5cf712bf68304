/** Defaults of `imageToTensor` by preset, such as the order of channels and the letterbox that a project's models
 * expect. The preset's numbers are in normalization.js. */
/** @import { Recipe } from '../types.js' */

/** @type {Record<string, Recipe>} */
const recipes = {
  // Ultralytics: YOLOv5, v8 and 11, and their classifiers.
  yolo: { channels: 'RGB' },
  'yolo-cls': { channels: 'RGB', fitting: { fit: 'center-crop', filter: 'bilinear', backend: 'pil' } },
  yolox: { channels: 'BGR', letterbox: { center: false, rounding: 'floor' } },
  // InsightFace's detector.
  scrfd: { channels: 'RGB', letterbox: { center: false, rounding: 'aspect', background: 0 } },
  'rapidocr-det': { channels: 'BGR' },
  'paddleocr-det': { channels: 'BGR' },
  // Lines of text. A background of null makes the bars the number 0 of the tensor.
  'rapidocr-text': { channels: 'BGR', letterbox: { center: false, rounding: 'ceil', background: null } },
};

/** Finds the defaults of a preset: RGB channels alone if it has no recipe. `isOpenCv`: whether the default backend is
 * 'opencv', which it is for all recipes that name no other.
 * @type {(preset: unknown) => Recipe & { isOpenCv: boolean }} */
export function recipeOf(preset) {
  const hasRecipe = typeof preset === 'string' && Object.hasOwn(recipes, preset);
  /** @type {Recipe} */
  const recipe = hasRecipe ? recipes[preset] : { channels: 'RGB' };
  return { ...recipe, isOpenCv: hasRecipe && !recipe.fitting };
}
