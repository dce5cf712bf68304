/** The calls that make what OpenCV, Ultralytics, YOLOX, InsightFace and RapidOCR made. */
import {
  alignFace,
  blobFromImage,
  copyMakeBorder,
  imageToTensor,
  letterbox,
  resize,
  textDetectionSize,
  toGray,
  warpAffine,
  warpPerspective,
} from 'onnx-layout/image';

/** The options of a golden in the words of this package, for those that become tensors. */
export const recipes = {
  yolo: (options) => ({ preset: 'yolo', letterbox: options }),
  yolo_cls: ({ size }) => ({ preset: 'yolo-cls', width: size, height: size }),
  yolox: (options) => ({ preset: 'yolox', letterbox: options }),
  scrfd: (options) => ({ preset: 'scrfd', letterbox: options }),
  ocr_det: ({ limit_side_len: limitSideLen, limit_type: limitType, mean }, image) => ({
    preset: mean[0] === 0.5 ? 'rapidocr-det' : 'paddleocr-det',
    ...textDetectionSize(image, { limitSideLen, limitType }),
  }),
  ocr_cls: (options) => ({ preset: 'rapidocr-text', letterbox: options }),
  ocr_rec: (options) => ({ preset: 'rapidocr-text', letterbox: options }),
};

const calls = {
  resize: (image, { op: { filter, size } }) =>
    resize(image, { width: size[0], height: size[1], filter, backend: 'opencv' }),
  letterbox: (image, { options: { color: background, ...options } }) => letterbox(image, { ...options, background }),
  blob: (image, { options }) => blobFromImage(image, options),
  border: (image, { options: { kind: border, value: background, ...bars } }) =>
    copyMakeBorder(image, { ...bars, border, background }),
  gray: (image) => toGray(image, { backend: 'opencv' }),
  norm_crop: (image, { options: { landmarks, size } }) => alignFace(image, landmarks, { size }),
  warp: (image, { matrix, options }) => (matrix.length === 6 ? warpAffine : warpPerspective)(image, matrix, options),
};

/** Makes what a golden holds. */
export function callOf(image, golden) {
  const { kind, options, output } = golden;
  if (calls[kind]) return calls[kind](image, golden);
  return imageToTensor(image, { ...recipes[kind](options, image), dtype: output.dtype });
}
