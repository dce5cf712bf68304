/** Keypoints of people. A model sees a part of the picture around each person's box, and gives a heat map for each
 * keypoint of each person: how likely it is at each pixel of that part. */
import { rangeError } from '../../arguments/index.js';
import { indicesAbove, refinedPeaks } from '../../engines/results/index.js';
import { floatRowsAt, floats, floatsAt, integers } from '../tensors.js';
import { floatOutput, method } from './define.js';
import { boxLists, count, optional, sizes, threshold } from './options.js';
import { readSides } from './settings.js';

/** @import { Blur } from '../../engines/results/index.js' */
/** @import { Extents, PictureSize, ReadTensor } from '../types.js' */

/** Rounds to float32, in which torch computes each step. */
const { fround } = Math;

/** Computes the weights of a Gaussian kernel, whose sum is 1, from its center to its end: radius + 1 weights.
 * @type {(sigma: number, radius: number) => Float64Array} */
function gaussian(sigma, radius) {
  const factor = -0.5 / (sigma * sigma);
  const weights = Float64Array.from({ length: radius + 1 }, (_, distance) => Math.exp(factor * distance * distance));
  let sum = weights[0];
  // All weights but the center's are there on both sides.
  for (const weight of weights.subarray(1)) sum += 2 * weight;
  return weights.map((weight) => weight / sum);
}

/** @typedef {ReturnType<typeof refinedPeaks>} Peaks */

const heatmaps = floatOutput('people', 'points', 'height', 'width');

/** Finds the peak of each heat map of all people: the greatest number, and its place to a fraction of a pixel, which
 * follows from the map after a blur.
 * @type {(tensor: ReadTensor, blur: Blur) => Peaks} */
const peaksOf = ({ data, dims: [people, points, height, width] }, blur) =>
  refinedPeaks(data, [people * points, height, width], blur);

/** Makes the answer of a person: the keypoints whose score is above `scoreThreshold`, or all; labels are their indices.
 * @param {{ points: Float32Array, scores: Float32Array }} keypoints [n, 2] and [n]
 * @param {Float32Array} bbox four numbers
 * @param {number} [scoreThreshold] */
function answerOfPerson({ points, scores }, bbox, scoreThreshold) {
  const all = Int32Array.from(scores.keys());
  const indices = scoreThreshold === undefined ? all : indicesAbove(scores, scoreThreshold);
  return {
    keypoints: floatRowsAt(points, 2, indices),
    scores: floatsAt(scores, indices),
    labels: integers(indices, [indices.length]),
    bbox: floats(bbox, [4]),
  };
}

/** Calls `make` for each box of each picture, and returns its answers in equal lists. `person` counts all boxes.
 * @type {(lists: number[][][], make: (box: number[], picture: number, person: number) => unknown) => unknown[][]} */
function mapBoxes(lists, make) {
  let nextPerson = 0;
  return lists.map((list, picture) =>
    list.map((box) => {
      const person = nextPerson;
      nextPerson++;
      return make(box, picture, person);
    }),
  );
}

/** The factor from a person's box to the part of the picture that a model sees. */
const padding = 1.25;
/** ViTPose's unit of the size of a box, in pixels. */
const pixelStd = 200;

/** Picks the peaks of a person from those of all people: x and y of each in pixels of the heat map, and their scores.
 * @type {(tensor: ReadTensor, peaks: Peaks, person: number) => { places: Float32Array, scores: Float32Array }} */
function peaksOfPerson(tensor, { places, values }, person) {
  const points = tensor.dims[1];
  const [first, end] = [person * points, (person + 1) * points];
  return { places: places.subarray(2 * first, 2 * end), scores: values.subarray(first, end) };
}

/** Counts the pixels of a heat map from the center of the first to that of the last: across, then down.
 * @type {(tensor: ReadTensor) => [x: number, y: number]} */
const spansOf = ({ dims: [, , height, width] }) => [width - 1, height - 1];

/** Makes a size longer in one direction, so that the width is `ratio` times the height.
 * @type {(size: [width: number, height: number], ratio: number) => [width: number, height: number]} */
function withRatio([width, height], ratio) {
  if (width > ratio * height) return [width, width / ratio];
  if (width < ratio * height) return [height * ratio, height];
  return [width, height];
}

/** The part of the picture that ViTPose sees, x before y: its center, and its size in pixels and in {@link pixelStd}.
 * @typedef {{ center: number[], pixels: number[], units: number[] }} VitPoseCrop */

/** Computes the part of the picture that ViTPose sees for a person, in Python's float32 steps. `ratio`: of the model's
 * input, its width divided by its height.
 * @type {(box: number[], ratio: number) => VitPoseCrop} */
function vitPoseCrop([left, top, width, height], ratio) {
  const center = [fround(left + width * 0.5), fround(top + height * 0.5)];
  const units = withRatio([width, height], ratio).map((extent) => fround(fround(extent / pixelStd) * padding));
  const pixels = units.map((extent) => fround(extent * pixelStd));
  return { center, pixels, units };
}

/** Moves places in a heat map, x and y in turn, to the picture, in ViTPose's float32 steps. `spans`: of the heat map.
 * @type {(places: Float32Array, spans: number[], crop: VitPoseCrop) => Float32Array} */
const placesInPicture = (places, spans, { center, pixels }) =>
  places.map((place, k) => {
    const axis = k % 2; // x, y
    const pixelsPerPlace = fround(pixels[axis] / spans[axis]);
    const inCrop = fround(place * pixelsPerPlace);
    const halfCrop = fround(pixels[axis] * 0.5);
    return fround(fround(inCrop + center[axis]) - halfCrop);
  });

/** ViTPose: the refined peak of each heat map, moved from the person's part of the picture to the picture. */
export const vitPose = method({
  outputs: { heatmaps },
  options: {
    boxes: boxLists,
    kernel_size: count(11),
    threshold: threshold(),
    // Not checked against the batch of the outputs, which counts people, not pictures.
    target_sizes: (name, value) => sizes(name, value, {}),
  },
  makeAnswer({ heatmaps: tensor }, options, settings) {
    checkSizes(options.target_sizes, options.boxes.length);
    const [height, width] = readSides(settings, 'size');
    // ViTPose's deviation is the same for all sizes of the kernel.
    const blur = {
      weights: gaussian(0.8, Math.trunc((options.kernel_size - 1) / 2)),
      isMirrored: true,
      keepsPeaks: false,
    };
    const peaks = peaksOf(tensor, blur);
    const spans = spansOf(tensor);
    return mapBoxes(options.boxes, (box, picture, personIndex) => {
      // Python scales x by the picture's height, and y by its width, for boxes in parts of a picture.
      const [factorX, factorY] = options.target_sizes?.[picture] ?? [1, 1];
      const [left, top, boxWidth, boxHeight] = box;
      const scaledBox = [left * factorX, top * factorY, boxWidth * factorX, boxHeight * factorY];
      const crop = vitPoseCrop(scaledBox, width / height);
      const { places, scores } = peaksOfPerson(tensor, peaks, personIndex);
      const points = placesInPicture(places, spans, crop);
      // Python converts the center and the size in units to corners as if the center were the top left one.
      const [x, y] = crop.center;
      const [right, bottom] = [0, 1].map((axis) => fround(fround(crop.units[axis] + crop.center[axis]) - 1));
      return answerOfPerson({ points, scores }, Float32Array.of(x, y, right, bottom), options.threshold);
    });
  },
});

/** Refuses a list of sizes of another length than there are pictures; undefined passes. `name`: the option's.
 * @type {(list: unknown[] | undefined, count: number, name?: string) => void} */
function checkSizes(list, pictures, name = 'target_sizes') {
  if (list && list.length !== pictures)
    rangeError(`${name} must have ${pictures} entries, one a picture, got ${list.length}`);
}

/** Computes the part of the picture that Sapiens 2 sees for a person: its center and size in pixels, x before y. It is
 * the padded box, made longer in one direction to the `ratio` of the model's input, width divided by height.
 * @type {(box: number[], ratio: number) => { center: number[], size: number[] }} */
function sapiensCrop([x, y, width, height], ratio) {
  const center = [fround(x + fround(0.5 * width)), fround(y + fround(0.5 * height))];
  const [paddedWidth, paddedHeight] = [fround(width * padding), fround(height * padding)];
  const ratioWidth = fround(paddedHeight * ratio);
  const isWide = paddedWidth > ratioWidth;
  return { center, size: isWide ? [paddedWidth, fround(paddedWidth / ratio)] : [ratioWidth, paddedHeight] };
}

/** Computes the factors of x and y from a picture of the size `source` to one of the size `target`: 1 without both.
 * @type {(source: PictureSize | undefined, target: PictureSize | undefined) => [number, number]} */
function targetFactors(source, target) {
  if (!source || !target) return [1, 1];
  const [[sourceHeight, sourceWidth], [targetHeight, targetWidth]] = [source, target];
  return [fround(targetWidth / sourceWidth), fround(targetHeight / sourceHeight)];
}

/** Sapiens 2's poses: the refined peak of each heat map, moved from the person's part of the picture to the picture, in
 * float32 steps. The box in the answer is the person's. */
export const sapiensPose = method({
  outputs: { heatmaps },
  options: {
    boxes: boxLists,
    kernel_size: count(11, 3),
    threshold: threshold(),
    source_sizes: (name, value) => sizes(name, value, {}),
    target_sizes: (name, value) => sizes(name, value, {}),
    outputs_flipped: optional(readFlipped),
  },
  makeAnswer({ heatmaps: maps }, options, settings) {
    checkSizes(options.target_sizes, options.boxes.length);
    checkSizes(options.source_sizes, options.boxes.length, 'source_sizes');
    if (options.target_sizes && !options.source_sizes) rangeError('source_sizes must be given with target_sizes');
    if (options.kernel_size % 2 === 0) rangeError(`kernel_size must be odd, got ${options.kernel_size}`);
    const tensor = options.outputs_flipped ? meanOfMaps(maps, options.outputs_flipped) : maps;
    const [height, width] = readSides(settings, 'size');
    const radius = (options.kernel_size - 1) / 2;
    // The deviation is OpenCV's for a kernel of this size.
    const blur = { weights: gaussian(0.3 * (radius - 1) + 0.8, radius), isMirrored: false, keepsPeaks: true };
    const peaks = peaksOf(tensor, blur);
    const spans = spansOf(tensor);
    const ratio = width / height;
    return mapBoxes(options.boxes, (box, picture, personIndex) => {
      const [x, y, w, h] = box.map(fround);
      const crop = sapiensCrop([x, y, w, h], ratio);
      const factors = targetFactors(options.source_sizes?.[picture], options.target_sizes?.[picture]);
      const { places, scores } = peaksOfPerson(tensor, peaks, personIndex);
      const points = places.map((place, k) => {
        const axis = k % 2; // x, y
        const inCrop = fround(fround(place / spans[axis]) * crop.size[axis]);
        const halfCrop = fround(0.5 * crop.size[axis]);
        const inSource = fround(fround(inCrop + crop.center[axis]) - halfCrop);
        return fround(inSource * factors[axis]);
      });
      const corners = [x, y, fround(x + w), fround(y + h)].map((edge, k) => fround(edge * factors[k % 2]));
      return answerOfPerson({ points, scores }, Float32Array.from(corners), options.threshold);
    });
  },
});

/** Reads the heat maps of mirrored pictures, which is a tensor or an object of outputs with `heatmaps`.
 * @type {(name: string, value: unknown, known: Extents) => ReadTensor} */
function readFlipped(name, value, known) {
  const outputs = /** @type {{ heatmaps?: unknown } | null | undefined} */ (value);
  return heatmaps.readOutput(`${name}.heatmaps`, outputs?.heatmaps ?? value, known);
}

/** Computes the mean of two tensors of heat maps of the same dims. The caller has mirrored the second back already.
 * @type {(a: ReadTensor, b: ReadTensor) => ReadTensor} */
const meanOfMaps = (a, b) => ({
  dims: a.dims,
  data: a.data.map((value, i) => fround(value + b.data[i]) / 2),
});
