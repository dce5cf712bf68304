/** Plans the passes over the pixels that resize a picture, by the rules of Pillow (Image.resize, libImaging/Resample.c
 * and Geometry.c), of torch's uint8 kernels as torchvision calls them, and of OpenCV (cv2.resize). */
import { filterCode, ruleCode } from '../../engines/images/index.js';
import { filterName } from './filters.js';

/** @import { Image, Reduction, Resizing } from '../../engines/images/types.js' */
/** @import { Axis, Plan, Request, Size } from '../types.js' */

/** Describes for the engine how an image is resized, by the rules of the request's library. `box` in the request: the
 * part of the image that is resized, all of it if omitted; `window`: the part of the result that is made
 * @type {(image: Image, request: Request) => Resizing} */
export function resizingOf(image, request) {
  const { width, height, box = boxOf(image), window = { x: 0, y: 0, width, height }, alpha } = request;
  const isSame = isBoxOf(image, box) && width === image.width && height === image.height;
  const plan = isSame ? planCopy(box) : planners[request.backend](image, request, box);
  // Alpha weighs colors where pixels are mixed, which a copy and nearest pixels are not.
  const isMixed = !isSame && !request.filter.startsWith('nearest');
  return {
    image,
    sums: plan.sums ?? sumsOf(request),
    isNearest: plan.isNearest,
    isDownFirst: plan.isDownFirst,
    columns: { ...plan.columns, size: width, first: window.x, count: window.width },
    rows: { ...plan.rows, size: height, first: window.y, count: window.height },
    alpha: alpha === 'white' || (alpha === 'premultiplied' && isMixed) ? alpha : undefined,
    counted: request.counted,
    reduction: plan.reduction,
  };
}

/** The box [left, top, right, bottom] of a whole picture. @type {(size: Size) => number[]} */
const boxOf = ({ width, height }) => [0, 0, width, height];

/** Whether a box is a whole picture. @type {(size: Size, box: readonly number[]) => boolean} */
const isBoxOf = (size, box) => boxOf(size).every((edge, i) => edge === box[i]);

/** Picks how sums of weighted pixels are rounded: as Pillow or torch rounds bytes, or 'double' for float32 pixels.
 * Plans of OpenCV have their own.
 * @type {(request: Pick<Request, 'backend' | 'isFloat'>) => Resizing['sums']} */
function sumsOf({ backend, isFloat }) {
  if (isFloat) return 'double';
  return backend === 'pil' ? 'pillow' : 'torch';
}

/** Plans a copy of a box: without a filter, pixels stay as they are. The box's right and bottom stand for the extents
 * of the picture, because no pixel behind them is read.
 * @type {(box: readonly number[]) => Plan} */
const planCopy = ([left, top, right, bottom]) => ({
  isNearest: false,
  isDownFirst: false,
  columns: { extent: right, from: left, to: right },
  rows: { extent: bottom, from: top, to: bottom },
});

/** Plans Pillow's resizing of a box [left, top, right, bottom] in pixels. If `reducingGap` asks for it, the picture is
 * first reduced by whole factors, and the box moves to the reduced one.
 * @type {(image: Image, request: Request, box: readonly number[]) => Plan} */
function planPillow(image, { filter, width, height, reducingGap }, box) {
  const size = { width, height };
  const isReduced = reducingGap !== undefined && filter !== 'nearest';
  const reduction = isReduced ? reductionOf(image, filter, size, reducingGap, box) : undefined;
  if (!reduction) return planPillowFilter(image, filter, size, box);
  const { factorX, factorY } = reduction;
  const reducedSize = {
    width: Math.ceil((reduction.right - reduction.left) / factorX),
    height: Math.ceil((reduction.bottom - reduction.top) / factorY),
  };
  const [left, top, right, bottom] = box;
  const reducedBox = [
    (left - reduction.left) / factorX,
    (top - reduction.top) / factorY,
    (right - reduction.left) / factorX,
    (bottom - reduction.top) / factorY,
  ];
  return { ...planPillowFilter(reducedSize, filter, size, reducedBox), reduction };
}

/** Plans the passes of Pillow's filter from a box of a picture of the size `source`. Pillow holds boxes in float32.
 * @type {(source: Size, filter: string, size: Size, box: readonly number[]) => Plan} */
function planPillowFilter(source, filter, { width, height }, box) {
  const floatBox = box.map(Math.fround);
  const [left, top, right, bottom] = floatBox;
  const startsAtPixel = Number.isInteger(left) && Number.isInteger(top);
  const hasResultSize = Math.fround(right - left) === width && Math.fround(bottom - top) === height;
  if (startsAtPixel && hasResultSize) return planCopy(floatBox);
  const isNearest = filter === 'nearest';
  const code = filterCode(filterName('pil', filter));
  // An axis that stays as it is needs no pass, but nearest pixels are read in one step of both axes.
  const skipsColumns = !isNearest && width === source.width && left === 0 && right === width;
  const skipsRows = !isNearest && height === source.height && top === 0 && bottom === height;
  const [lostColumns, lostRows] = [source.width - width, source.height - height];
  return {
    isNearest,
    // As Pillow: if rows are lost, more than twice as many as columns.
    isDownFirst: lostRows > 0 && lostRows > 2 * lostColumns,
    columns: { filter: skipsColumns ? undefined : code, extent: source.width, from: left, to: right },
    rows: { filter: skipsRows ? undefined : code, extent: source.height, from: top, to: bottom },
  };
}

/** How far each filter reaches beyond a pixel's own half, in pixels of the result. @type {Record<string, number>} */
const reach = { box: 0, bilinear: 0.5, hamming: 0.5, bicubic: 1.5, lanczos: 2.5 };

/** Plans Pillow's reduction by whole factors before the filter; undefined if no factor is above 1. It leaves a picture
 * at least `gap` times as large as the result for the filter to shrink. It covers the box and the pixels beyond it that
 * the filter reads, as Pillow's `_get_safe_box`.
 * @type {(image: Image, filter: string, size: Size, gap: number, box: readonly number[]) => Reduction | undefined} */
function reductionOf(image, filter, { width, height }, gap, [left, top, right, bottom]) {
  // Pixels of the box for one of the result.
  const [scaleX, scaleY] = [(right - left) / width, (bottom - top) / height];
  // 1 where the picture is enlarged, or shrinks by less than the gap.
  const factorX = Math.trunc(scaleX / gap) || 1;
  const factorY = Math.trunc(scaleY / gap) || 1;
  if (factorX === 1 && factorY === 1) return undefined;
  const [reachX, reachY] = [reach[filter] * scaleX, reach[filter] * scaleY];
  return {
    factorX,
    factorY,
    left: Math.max(0, Math.trunc(left - reachX)),
    top: Math.max(0, Math.trunc(top - reachY)),
    right: Math.min(image.width, Math.ceil(right + reachX)),
    bottom: Math.min(image.height, Math.ceil(bottom + reachY)),
  };
}

/** Plans torch's resizing of uint8 tensors. An axis that keeps its extent has no pass, except with nearest pixels.
 * @type {(image: Image, request: Request) => Plan} */
function planTorch(image, request) {
  const isNearest = request.filter.startsWith('nearest');
  const code = filterCode(torchFilterName(request));
  /** @type {(extent: number, size: number) => Axis} */
  const axisOf = (extent, size) => {
    const isSkipped = extent === size && !isNearest;
    return { filter: isSkipped ? undefined : code, extent, from: 0, to: extent };
  };
  return {
    isNearest,
    isDownFirst: false,
    columns: axisOf(image.width, request.width),
    rows: axisOf(image.height, request.height),
  };
}

/** The module's name of the filter by which torch resizes. @type {(request: Request) => string} */
function torchFilterName({ filter, width, height, antialias = true, hasCorners = false }) {
  // torch has one kernel for results whose width and height are at most 128 together, and another one for larger ones,
  // as torchvision calls them on [C, H, W]. They give other pixels for this filter alone.
  if (filter === 'nearest_exact' && width + height > 128) return 'TorchNearestExactFused';
  const name = filterName('torchvision', filter);
  const hasVariants = filter === 'bilinear' || filter === 'bicubic';
  if (hasVariants && hasCorners) return `Torch${name}Corners`;
  if (hasVariants && !antialias) return `Torch${name}Point`;
  return name;
}

/** C++'s DBL_EPSILON. */
const epsilon = 2 ** -52;

/** Whether a scale is a whole number, up to float64's error. @type {(scale: number) => boolean} */
const isWholeScale = (scale) => Math.abs(scale - Math.round(scale)) < epsilon;

/** Plans OpenCV's resizing. `factor`: of both sides, if it does not follow from the sizes; `rule`: the module's name of
 * the rule by which pixels are mixed, if it does not follow from the filter
 * @type {(image: Image, request: Request) => Plan} */
function planOpenCv(image, { filter, width, height, factor, rule }) {
  // 'nearest_exact' copies the same pixels as Pillow's 'nearest'.
  if (filter === 'nearest_exact') return planPillowFilter(image, 'nearest', { width, height }, boxOf(image));
  const factorX = factor ?? width / image.width;
  const factorY = factor ?? height / image.height;
  // Pixels of the picture for one of the result.
  const [scaleX, scaleY] = [1 / factorX, 1 / factorY];
  const isEnlargedByArea = filter === 'area' && Math.min(scaleX, scaleY) < 1;
  const isMeanOfCells = filter === 'area' && !isEnlargedByArea && isWholeScale(scaleX) && isWholeScale(scaleY);
  if (isMeanOfCells) return planCellMeans({ width, height }, Math.round(scaleX), Math.round(scaleY));
  const ruleOfFilter = isEnlargedByArea ? 'AreaLinear' : filterName('opencv', filter);
  const code = ruleCode(rule ?? ruleOfFilter);
  return {
    sums: 'opencv',
    isNearest: filter === 'nearest',
    isDownFirst: false,
    columns: { filter: code, extent: image.width, from: 0, to: image.width, factor: factorX },
    rows: { filter: code, extent: image.height, from: 0, to: image.height, factor: factorY },
  };
}

/** Plans the means of cells of `cellWidth` x `cellHeight` pixels: the reduction gives the result, which the axes copy.
 * @type {(size: Size, cellWidth: number, cellHeight: number) => Plan} */
const planCellMeans = ({ width, height }, cellWidth, cellHeight) => ({
  ...planCopy([0, 0, width, height]),
  sums: 'opencv',
  reduction: {
    factorX: cellWidth,
    factorY: cellHeight,
    left: 0,
    top: 0,
    right: width * cellWidth,
    bottom: height * cellHeight,
  },
});

const planners = { pil: planPillow, torchvision: planTorch, opencv: planOpenCv };
