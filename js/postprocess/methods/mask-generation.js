/** Masks of everything in a picture by SAM, in three methods that the caller calls in turn: crops with grids of points,
 * the good masks of each crop, and those of all crops without repeats. */
import { isList, rangeError, showList, typeError } from '../../arguments/index.js';
import {
  boxesOfMasks,
  countRuns,
  countsAbove,
  gatherRows,
  indicesAbove,
  Planes,
  suppressBoxes,
} from '../../engines/results/index.js';
import { decodeRle } from '../run-lengths.js';
import { floatRowsAt, floats, floatsAt, integers, numbersAt } from '../tensors.js';
import { floatOutput, method } from './define.js';
import { makeList } from './detection.js';
import { box, count, list, needed, number, size, threshold } from './options.js';

/** @import { RunLengths } from '../run-lengths.js' */

/** Lists SAM's crops of a picture: the box [x0, y0, x1, y1] of each, in the picture's pixels, and its layer. Layer 0 is
 * the whole picture; layer k has 2^k x 2^k boxes, column by column, which overlap by `overlap_ratio` * 2 / 2^k of the
 * picture's shorter side. A loop in JS: it takes under a millisecond.
 * @type {(size: readonly number[], options: { crop_n_layers: number, overlap_ratio: number }) =>
 *   { box: number[], layer: number }[]} */
function listCrops([height, width], { crop_n_layers: layerCount, overlap_ratio: overlapRatio }) {
  const crops = [{ box: [0, 0, width, height], layer: 0 }];
  for (let layer = 1; layer <= layerCount; layer++) {
    const perSide = 2 ** layer;
    const overlap = Math.trunc(overlapRatio * Math.min(height, width) * (2 / perSide));
    // Boxes of this size cover the picture when each overlaps the next.
    const [boxWidth, boxHeight] = [width, height].map((length) =>
      Math.ceil((overlap * (perSide - 1) + length) / perSide),
    );
    for (let column = 0; column < perSide; column++)
      for (let row = 0; row < perSide; row++) {
        const [left, top] = [(boxWidth - overlap) * column, (boxHeight - overlap) * row];
        const [right, bottom] = [Math.min(left + boxWidth, width), Math.min(top + boxHeight, height)];
        crops.push({ box: [left, top, right, bottom], layer });
      }
  }
  return crops;
}

const { fround } = Math;

/** Places `steps` points evenly in [0, 1], each in the middle of 1 / steps of it. The float32 steps are those of
 * torch.linspace, which counts from the start in the first half and from the end in the second.
 * @type {(steps: number) => number[]} */
function evenPlaces(steps) {
  const [first, last] = [fround(1 / (2 * steps)), fround(1 - 1 / (2 * steps))];
  if (steps === 1) return [first];
  const step = fround(fround(last - first) / fround(steps - 1));
  const firstHalfCount = Math.floor(steps / 2);
  return makeList(steps, (i) => {
    const stepsToLast = steps - 1 - i;
    return i < firstHalfCount ? fround(first + step * i) : fround(last - step * stepsToLast);
  });
}

/** Lists x and y of steps x steps points, row by row, on a grid over a box that is resized so that its longer side is
 * `target` pixels. They are in pixels of the resized box.
 * @type {(box: number[], steps: number, target: number) => number[]} */
function gridPoints([x0, y0, x1, y1], steps, target) {
  const [width, height] = [x1 - x0, y1 - y0];
  const scale = target / Math.max(width, height);
  // Resized sides are whole numbers of pixels, so the factors of x and y can differ a little.
  const factorOf = (/** @type {number} */ extent) => fround(Math.trunc(extent * scale + 0.5) / extent);
  const [factorX, factorY] = [factorOf(width), factorOf(height)];
  const places = evenPlaces(steps);
  const xs = places.map((place) => fround(fround(place * width) * factorX));
  const ys = places.map((place) => fround(fround(place * height) * factorY));
  return ys.flatMap((y) => xs.flatMap((x) => [x, y]));
}

/** Limits of `crop_n_layers` and `points_per_crop`: 341 crops of 256 x 256 points take 179 MB. */
const maxLayers = 4;
const maxSteps = 256;

/** The first of three methods by which SAM masks everything in a picture: it divides the picture into crops. The answer
 * has their boxes, [crops, 4], a grid of points in each, [1, points, crops, 2], and ones as the points' labels. The
 * caller then runs the model with the points of each crop. */
export const generateCropBoxes = method({
  outputs: {},
  options: {
    size: needed(size),
    target_size: needed(count()),
    crop_n_layers: count(0, 0),
    overlap_ratio: number(512 / 1500),
    points_per_crop: count(32),
    crop_n_points_downscale_factor: count(1),
  },
  makeAnswer(_, options) {
    if (options.crop_n_layers > maxLayers)
      rangeError(`crop_n_layers must be at most ${maxLayers}, got ${options.crop_n_layers}`);
    if (options.points_per_crop > maxSteps)
      rangeError(`points_per_crop must be at most ${maxSteps}, got ${options.points_per_crop}`);
    const crops = listCrops(options.size, options);
    const stepCounts = crops.map(({ layer }) =>
      Math.trunc(options.points_per_crop / options.crop_n_points_downscale_factor ** layer),
    );
    // One tensor holds the points of all crops.
    const [steps] = stepCounts;
    if (steps < 1 || stepCounts.some((cropSteps) => cropSteps !== steps)) {
      const counts = [...new Set(stepCounts)].join(', ');
      rangeError(`crops must have the same number of points in each layer, got ${counts}`);
    }
    const pointsOfCrops = crops.map(({ box: cropBox }) => gridPoints(cropBox, steps, options.target_size));
    const [cropCount, perCrop] = [crops.length, steps ** 2];
    const boxes = Float32Array.from(crops.flatMap(({ box: cropBox }) => cropBox));
    return {
      crop_boxes: floats(boxes, [cropCount, 4]),
      points_per_crop: floats(interleaved(pointsOfCrops, perCrop), [1, perCrop, cropCount, 2]),
      input_labels: integers(new Int32Array(perCrop * cropCount).fill(1), [1, perCrop, cropCount]),
    };
  },
});

/** Writes the first point of all crops, then the second of all, and so on: [points, crops, 2].
 * @type {(pointsOfCrops: number[][], perCrop: number) => Float32Array} */
function interleaved(pointsOfCrops, perCrop) {
  const data = new Float32Array(2 * perCrop * pointsOfCrops.length);
  pointsOfCrops.forEach((points, crop) => {
    for (let point = 0; point < perCrop; point++) {
      const place = 2 * (point * pointsOfCrops.length + crop);
      data[place] = points[2 * point]; // x
      data[place + 1] = points[2 * point + 1]; // y
    }
  });
  return data;
}

/** Boxes within this distance of an edge of their crop, in pixels, are dropped, unless the picture ends there, too:
 * their things go on outside of the crop. */
const edgeDistance = 20;

/** Lists the indices of the boxes of which each edge is farther than {@link edgeDistance} from the crop's, or as near
 * to the picture's. `boxes`: [n, 4]; they and `crop` are x0, y0, x1, y1 in pixels of the picture; `picture`: its height
 * and width.
 * @type {(boxes: Int32Array, crop: number[], picture: readonly number[]) => Int32Array} */
function boxesInside(boxes, crop, [height, width]) {
  const pictureEdges = [0, 0, width, height];
  const isNear = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(a - b) <= edgeDistance;
  const indices = [];
  for (let i = 0; i < boxes.length / 4; i++) {
    const edges = boxes.subarray(4 * i, 4 * i + 4);
    const isInside = edges.every((edge, k) => !isNear(edge, crop[k]) || isNear(edge, pictureEdges[k]));
    if (isInside) indices.push(i);
  }
  return Int32Array.from(indices);
}

/** Copies the mask [height, width] of a crop to the crop's place in a mask of the whole picture, 0 elsewhere.
 * @type {(mask: Uint8Array, size: number[], place: number[], pictureSize: readonly number[]) => Uint8Array} */
function placeInPicture(mask, [height, width], [left, top], [pictureHeight, pictureWidth]) {
  const picture = new Uint8Array(pictureHeight * pictureWidth);
  for (let y = 0; y < height; y++) {
    const row = mask.subarray(y * width, (y + 1) * width);
    picture.set(row, (y + top) * pictureWidth + left);
  }
  return picture;
}

/** The second method of SAM's generation of masks: it gives the good masks of one crop, as COCO's run lengths in the
 * whole picture, with their scores and boxes. A mask is good if its score is high, if it is stable, and if it does not
 * touch the edge of the crop. */
export const filterMasks = method({
  outputs: {
    masks: floatOutput('batch', 'queries', 'height', 'width'),
    iou_scores: floatOutput('batch', 'queries'),
  },
  options: {
    original_size: needed(size),
    cropped_box_image: needed(box),
    pred_iou_thresh: threshold(0.88),
    stability_score_thresh: threshold(0.95),
    mask_threshold: threshold(0),
    stability_score_offset: number(1),
  },
  makeAnswer(outputs, options) {
    const [batch, queries, height, width] = outputs.masks.dims;
    const { cropped_box_image: crop, original_size: pictureSize } = options;
    const [left, top] = crop;
    const [pictureHeight, pictureWidth] = pictureSize;
    if (left + width > pictureWidth || top + height > pictureHeight)
      rangeError(`masks must fit at [${left}, ${top}] in ${showList(pictureSize)}, got [${height}, ${width}]`);
    const maskCount = batch * queries;
    const good = goodMasks(outputs.masks.data, outputs.iou_scores.data, options);
    const planes = new Planes(outputs.masks.data, { planes: maskCount, channels: queries, height, width });
    const bytes = planes.gather(good).above(options.mask_threshold, Uint8Array);
    const boxesInCrop = boxesOfMasks(bytes, good.length, height, width);
    const boxes = boxesInCrop.map((edge, k) => edge + (k % 2 === 0 ? left : top));
    const inside = boxesInside(boxes, crop, pictureSize);
    // The mask of a crop that is the whole picture need not be copied.
    const isPicture = [0, 0, pictureWidth, pictureHeight].every((edge, k) => crop[k] === edge);
    const planeSize = height * width;
    return {
      masks: Array.from(inside, (i) => {
        const mask = bytes.subarray(i * planeSize, (i + 1) * planeSize);
        if (isPicture) return runLengthsOf(mask, [height, width]);
        return runLengthsOf(placeInPicture(mask, [height, width], [left, top], pictureSize), pictureSize);
      }),
      scores: floatsAt(outputs.iou_scores.data, numbersAt(good, inside)),
      boxes: integers(gatherRows(boxes, 4, inside), [inside.length, 4]),
    };
  },
});

/** Writes a mask as COCO's run lengths.
 * @type {(mask: Uint8Array, size: readonly number[]) => { size: number[], counts: number[] }} */
const runLengthsOf = (mask, [height, width]) => ({
  size: [height, width],
  counts: [...countRuns(mask, height, width)],
});

/** @typedef {object} StabilityOptions
 * @property {number} mask_threshold
 * @property {number} stability_score_thresh
 * @property {number} stability_score_offset */

/** Lists the indices of the stable masks of a score above `pred_iou_thresh`. As in Python, one of 0 or less is none.
 * @type {(logits: Float32Array, scores: Float32Array, options: StabilityOptions & { pred_iou_thresh: number }) =>
 *   Int32Array} */
function goodMasks(logits, scores, options) {
  const minScore = options.pred_iou_thresh > 0 ? options.pred_iou_thresh : -Infinity;
  const stable = areStable(logits, scores.length, options);
  return indicesAbove(scores, minScore).filter((mask) => stable[mask]);
}

/** Tells for each of `maskCount` masks of logits whether it hardly changes with its threshold: its pixels above
 * `mask_threshold` + `stability_score_offset`, divided by those above their difference, are more than
 * `stability_score_thresh`; a mask without pixels is not stable. As in Python, a limit of 0 or less is none.
 * @type {(logits: Float32Array, maskCount: number, options: StabilityOptions) => boolean[]} */
function areStable(logits, maskCount, options) {
  const {
    mask_threshold: maskThreshold,
    stability_score_offset: offset,
    stability_score_thresh: minStability,
  } = options;
  if (!(minStability > 0)) return makeList(maskCount, () => true);
  const highCounts = countsAbove(logits, maskCount, maskThreshold + offset);
  const lowCounts = countsAbove(logits, maskCount, maskThreshold - offset);
  return makeList(maskCount, (mask) => fround(highCounts[mask] / lowCounts[mask]) > fround(minStability));
}

/** The third method of SAM's generation of masks: those of all crops whose boxes do not overlap a better one's. */
export const maskGeneration = method({
  outputs: { scores: floatOutput('queries'), boxes: floatOutput('queries', 4) },
  options: { rle_masks: needed(list), crops_nms_thresh: threshold(0.7) },
  makeAnswer(outputs, options) {
    const maskCount = outputs.scores.dims[0];
    if (options.rle_masks.length !== maskCount)
      rangeError(`rle_masks must have ${maskCount} entries, one a score, got ${options.rle_masks.length}`);
    const survivors = suppressBoxes(outputs.boxes.data, outputs.scores.data, options.crops_nms_thresh);
    const runs = Array.from(survivors, (i) => /** @type {RunLengths} */ (options.rle_masks[i]));
    for (const run of runs)
      if (!isList(run?.counts) && typeof run?.counts !== 'string')
        typeError('rle_masks must hold objects { size, counts }');
    return {
      masks: runs.map((run) => decodeRle(run)),
      scores: floatsAt(outputs.scores.data, survivors),
      rle_masks: runs,
      boxes: floatRowsAt(outputs.boxes.data, 4, survivors),
    };
  },
});
