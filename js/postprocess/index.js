/** The door of answers: users import from here. */
export { init } from '../engines/results/index.js';
export {
  batchedNms,
  boxArea,
  boxConvert,
  boxIou,
  clipBoxesToImage,
  generalizedBoxIou,
  masksToBoxes,
  nms,
  removeSmallBoxes,
} from './boxes.js';
export { findContours } from './contours.js';
export { decodeYolo } from './decode-yolo.js';
export { drawResults } from './draw-results.js';
export { interpolate } from './interpolate.js';
export { argmax, argmin, classify, sigmoid, softmax, topk } from './numbers.js';
export { operators } from './operators.js';
export { applyAlpha, cropTextBox, labelMapToImage, maskToPolygons } from './pictures.js';
export { approxPolyDP, boxPoints, contourArea, convexHull, fillPoly, minAreaRect } from './polygons.js';
export { postProcessor } from './post-processor.js';
export { decodeRle, encodeRle } from './run-lengths.js';
export { speechSegments } from './speech.js';
export { ctcDecode, sortTextBoxes, textDetection } from './text.js';
