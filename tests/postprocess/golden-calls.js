/** How a case of the goldens is called. Needs nothing but JavaScript, so pages run it too. */
import { imageToTensor, textDetectionSize, textLineBatches, textPage, unletterbox } from 'onnx-layout/image';
import * as answers from 'onnx-layout/postprocess';
import { make } from './recipes.js';

/** The calls of the cases: tensors by place, then its options by place or in a bag. */
const functionCalls = {
  nms: ({ boxes, scores }, o) => answers.nms(boxes, scores, o.iou_threshold),
  batched_nms: ({ boxes, scores, idxs }, o) => answers.batchedNms(boxes, scores, idxs, o.iou_threshold),
  box_convert: ({ boxes }, o) => answers.boxConvert(boxes, o.in_fmt, o.out_fmt),
  box_iou: ({ boxes1, boxes2 }) => answers.boxIou(boxes1, boxes2),
  generalized_box_iou: ({ boxes1, boxes2 }) => answers.generalizedBoxIou(boxes1, boxes2),
  box_area: ({ boxes }) => answers.boxArea(boxes),
  clip_boxes_to_image: ({ boxes }, o) => answers.clipBoxesToImage(boxes, o.size),
  remove_small_boxes: ({ boxes }, o) => answers.removeSmallBoxes(boxes, o.min_size),
  masks_to_boxes: ({ masks }) => answers.masksToBoxes(masks),
  interpolate: ({ input }, { align_corners: align, ...o }) =>
    answers.interpolate(input, { ...o, align_corners: align ?? undefined }),
  softmax: ({ input }) => answers.softmax(input),
  sigmoid: ({ input }) => answers.sigmoid(input),
  topk: ({ input }, { k, sorted }) => answers.topk(input, k, { sorted }),
  argmax: ({ input }, o) => answers.argmax(input, o.dim),
  argmin: ({ input }, o) => answers.argmin(input, o.dim),
};

/** A blank, 94 characters of ASCII from '!', then CJK. */
const charactersOf = (count) => [
  'blank',
  ...Array.from({ length: count - 1 }, (_, i) => String.fromCharCode(i < 94 ? 0x21 + i : 0x4e00 + i)),
];

/** Outputs of the cases that are options of the call. */
const optionOutputs = {
  flipped: (tensor) => ({ outputs_flipped: { predicted_depth: tensor } }),
  flipped_heatmaps: (tensor) => ({ outputs_flipped: { heatmaps: tensor } }),
  backgrounds: (list) => ({ backgrounds: list }),
  original_images: (list) => ({ original_images: list }),
};

/** A class's method, and its arguments. */
export function methodCall({ class: className, method, config, options, outputs: recipes }) {
  const given = { ...options };
  if (given.character_list) given.character_list = charactersOf(given.character_list.count);
  const outputs = tensorsOf(recipes);
  for (const [name, optionOf] of Object.entries(optionOutputs)) {
    if (!(name in outputs)) continue;
    Object.assign(given, optionOf(outputs[name]));
    delete outputs[name];
  }
  return { call: answers.postProcessor(config, { className })[method], args: [outputs, given] };
}

/** Contours as their lengths, their points and their levels. */
const joined = ({ contours, hierarchy }) => ({
  hierarchy,
  lengths: contours.map(({ dims }) => dims[0]),
  points: {
    type: 'int32',
    dims: [contours.reduce((sum, { dims }) => sum + dims[0], 0), 2],
    data: Int32Array.from(contours.flatMap(({ data }) => [...data])),
  },
});
const polygonCalls = {
  findContours: ({ mask }, o) => joined(answers.findContours(mask, o)),
  convexHull: ({ points }, o) => answers.convexHull(points, o),
  minAreaRect: ({ points }) => answers.minAreaRect(points),
  approxPolyDP: ({ curve }, o) => answers.approxPolyDP(curve, o.epsilon, o.closed),
  boxPoints: (_, o) => answers.boxPoints(o),
  contourArea: ({ contour }, o) => answers.contourArea(contour, o),
  fillPoly: ({ mask, points }, o) => answers.fillPoly(mask, points, o.value),
};

/** A picture of bytes [height, width, 3], and back. */
const pictureOf = ({ dims: [height, width, channels], data }) => ({ data, width, height, channels });
const pixelTensor = ({ data, width, height, channels }) => ({ type: 'uint8', dims: [height, width, channels], data });

/** RapidOCR's way from a picture to the inputs of its three models, around its detector's boxes. */
function pageOf({ image }, { params, boxes: given }) {
  const page = textPage(pictureOf(image), {
    minSideLen: params['Global.min_side_len'],
    maxSideLen: params['Global.max_side_len'],
    minHeight: params['Global.min_height'],
    widthHeightRatio: params['Global.width_height_ratio'] && Infinity,
  });
  const size = textDetectionSize(page, { limitSideLen: params['Det.limit_side_len'] });
  const found = { type: 'float32', dims: [given.length, 4, 2], data: Float32Array.from(given.flat(2)) };
  const boxes = answers.sortTextBoxes(found);
  const pixels = pixelTensor(page);
  const crops = given.map((_, i) =>
    answers.cropTextBox(pixels, { type: 'float32', dims: [4, 2], data: boxes.data.subarray(8 * i, 8 * i + 8) }),
  );
  const lines = crops.map(pictureOf);
  const inputs = (options) =>
    textLineBatches(lines, options).map(({ indices, letterbox }) =>
      imageToTensor(
        indices.map((i) => lines[i]),
        { preset: 'rapidocr-text', letterbox: options ?? letterbox },
      ),
    );
  return {
    page: pixels,
    boxes: { ...boxes, data: unletterbox(boxes.data, page, { format: 'points' }) },
    crops,
    det: [imageToTensor(page, { preset: 'rapidocr-det', ...size })],
    cls: inputs({ width: 192, height: 48 }),
    rec: inputs(),
  };
}

const textCalls = {
  textPage: pageOf,
  textDetection({ prob }, options) {
    const found = answers.textDetection(prob, options);
    return { ...found, sorted: answers.sortTextBoxes(found.boxes) };
  },
  cropTextBox({ image }, { box }) {
    const data = Float32Array.from(box.flat());
    return answers.cropTextBox(image, { type: 'float32', dims: [4, 2], data });
  },
  ctcDecode({ probs }, { characters }) {
    const list = [...charactersOf(characters - 1), ' '];
    return answers.ctcDecode(probs, { character_list: list, round: 5 });
  },
};

/** The tensors of a case, by their recipes. */
const tensorsOf = (outputs) =>
  Object.fromEntries(Object.entries(outputs).map(([name, recipe]) => [name, make(recipe)]));

/** @type {(table: Record<string, any>) => (one: any) => any} */
const byMethod =
  (table) =>
  ({ method, outputs, options }) =>
    table[method](tensorsOf(outputs), options);

/** The answer to a case, by its file. */
export const answerTo = {
  'index.json': byMethod(functionCalls),
  'processors.json': (one) => {
    const { call, args } = methodCall(one);
    return call(...args);
  },
  'yolo.json': ({ outputs, options }) => answers.decodeYolo(tensorsOf(outputs), options),
  'contours.json': byMethod(polygonCalls),
  'text.json': byMethod(textCalls),
};
