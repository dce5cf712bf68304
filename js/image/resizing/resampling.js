/** From a request to passes over the pixels, by the rules of Pillow (Image.resize, libImaging/Resample.c and
 * Geometry.c), of torch's uint8 kernels as torchvision calls them, and of OpenCV (cv2.resize). */
import { filterCode, ruleCode } from '../../engines/images/index.js';
import { filterName } from './filters.js';

/** @import { Image, Reduction, ResizeAxis, Resizing } from '../../engines/images/types.js' */
/** @import { Axis, Plan, Request, Size } from '../types.js' */

/** Turns a request of resizing into what the engine takes: filters and extents of both axes, in which order they are
 * resized, and how sums are rounded, all by the rules of the request's backend.
 * @type {(image: Image, request: Request) => Resizing} */
export function resizingOf(image, request) {
  const { width, height, box = [0, 0, image.width, image.height], window, alpha } = request;
  const inner = window ?? { x: 0, y: 0, width, height }; // the part of the result that is made
  const isWhole = box[0] === 0 && box[1] === 0 && box[2] === image.width && box[3] === image.height;
  const isSame = isWhole && width === image.width && height === image.height;
  // Filters of nearest pixels mix none, so colors need no weights of alpha.
  const weighs = !request.filter.startsWith('nearest');
  const plan = isSame ? copy(box) : { pil: pillow, torchvision: torch, opencv }[request.backend](image, request, box);
  /** @type {(axis: Axis, size: number, first: number, count: number) => ResizeAxis} */
  const axisOf = (axis, size, first, count) => ({ ...axis, size, first, count });
  return {
    image,
    sums: plan.sums ?? (request.isFloat ? 'double' : request.backend === 'pil' ? 'pillow' : 'torch'),
    isNearest: plan.isNearest,
    isDownFirst: plan.isDownFirst,
    columns: axisOf(plan.columns, width, inner.x, inner.width),
    rows: axisOf(plan.rows, height, inner.y, inner.height),
    alpha: alpha === 'white' || (alpha === 'premultiplied' && weighs && !isSame) ? alpha : undefined,
    counted: request.counted,
    reduction: plan.reduction,
  };
}

/** Plans a copy: without filters, pixels stay as they are, from the box's left and top on. None is read behind the box,
 * so its right and bottom stand for the picture's extents.
 * @type {(box: readonly number[]) => Plan} */
const copy = ([left, top, right, bottom]) => ({
  isNearest: false,
  isDownFirst: false,
  columns: { extent: right, from: left, to: right },
  rows: { extent: bottom, from: top, to: bottom },
});

/** Plans Pillow's resizing of a box [left, top, right, bottom] in pixels, which Pillow holds in float32. If
 * `reducingGap` asks for it, the picture is first reduced by whole factors, and the box moves to the reduced one.
 * @type {(image: Image, request: Request, box: readonly number[]) => Plan} */
function pillow(image, { filter, width, height, reducingGap }, box) {
  const isNearest = filter === 'nearest';
  const isReduced = reducingGap !== undefined && !isNearest;
  const reduction = isReduced ? reductionOf(image, filter, { width, height }, reducingGap, box) : undefined;
  let { width: sourceWidth, height: sourceHeight } = image;
  let [left, top, right, bottom] = box;
  if (reduction) {
    const { factorX, factorY } = reduction;
    sourceWidth = Math.ceil((reduction.right - reduction.left) / factorX);
    sourceHeight = Math.ceil((reduction.bottom - reduction.top) / factorY);
    [left, right] = [(left - reduction.left) / factorX, (right - reduction.left) / factorX];
    [top, bottom] = [(top - reduction.top) / factorY, (bottom - reduction.top) / factorY];
  }
  [left, top, right, bottom] = [left, top, right, bottom].map(Math.fround);
  // A box of whole pixels that has the result's size is copied.
  const isWhole = Number.isInteger(left) && Number.isInteger(top);
  if (isWhole && Math.fround(right - left) === width && Math.fround(bottom - top) === height)
    return { ...copy([left, top, right, bottom]), reduction };
  const code = filterCode(filterName('pil', filter));
  // An axis that stays as it is needs no pass, but nearest pixels are read in one step of both axes.
  const keepsWidth = width === sourceWidth && left === 0 && right === width;
  const keepsHeight = height === sourceHeight && top === 0 && bottom === height;
  // Pillow runs the pass down the columns first if the height shrinks by more than twice as many pixels as the width.
  return {
    isNearest,
    isDownFirst: sourceHeight > height && sourceHeight - height > 2 * (sourceWidth - width),
    columns: { filter: keepsWidth && !isNearest ? undefined : code, extent: sourceWidth, from: left, to: right },
    rows: { filter: keepsHeight && !isNearest ? undefined : code, extent: sourceHeight, from: top, to: bottom },
    reduction,
  };
}

/** @type {Record<string, number>} How far each filter reaches beyond a pixel's own half, in pixels of the result. */
const reach = { box: 0, bilinear: 0.5, hamming: 0.5, bicubic: 1.5, lanczos: 2.5 };

/** Plans Pillow's reduction by whole factors before the filter, the `gap`-th part of the shrinking; undefined if no
 * factor is above 1. It covers the box and the pixels beyond it that the filter reads, as Pillow's `_get_safe_box`.
 * `width`, `height`: of the result.
 * @type {(image: Image, filter: string, size: Size, gap: number, box: readonly number[]) => Reduction | undefined} */
function reductionOf(image, filter, { width, height }, gap, [left, top, right, bottom]) {
  const [scaleX, scaleY] = [(right - left) / width, (bottom - top) / height];
  // 0 where the picture is enlarged, or shrinks by less than the gap.
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

/** Plans torchvision's resizing of uint8 tensors: both axes by one filter of torch; an axis that keeps its extent has
 * no pass, except with nearest pixels.
 * @type {(image: Image, request: Request) => Plan} */
function torch(image, { filter, width, height, antialias = true, hasCorners = false }) {
  const isNearest = filter.startsWith('nearest');
  let name = filterName('torchvision', filter);
  // torch has one kernel for results whose width and height are at most 128 together, and another one for larger ones,
  // as torchvision calls them on [C, H, W]. They give other pixels for this filter alone.
  if (filter === 'nearest_exact' && width + height > 128) name = 'TorchNearestExactFused';
  if (!antialias && !isNearest) name = { bilinear: 'TorchBilinearPoint', bicubic: 'TorchBicubicPoint' }[filter] ?? name;
  if (hasCorners) name = { bilinear: 'TorchBilinearCorners', bicubic: 'TorchBicubicCorners' }[filter] ?? name;
  const code = filterCode(name);
  /** Plans an axis from `extent` to `size` pixels.
   * @type {(extent: number, size: number) => Axis} */
  const axis = (extent, size) => {
    const filter = extent === size && !isNearest ? undefined : code;
    return { filter, extent, from: 0, to: extent };
  };
  return { isNearest, isDownFirst: false, columns: axis(image.width, width), rows: axis(image.height, height) };
}

/** OpenCV takes a scale this near to a whole number as one: C++'s DBL_EPSILON. */
const epsilon = 2 ** -52;

/** Plans OpenCV's resizing. 'area' averages blocks if both sides shrink by whole factors, and has a rule of its own if
 * one is enlarged. `factor`: of both sides, if it does not follow from the sizes; `named`: the module's name of the
 * rule, if it does not follow from the filter.
 * @type {(image: Image, request: Request) => Plan} */
function opencv(image, { filter, width, height, factor, rule: named }) {
  // It copies the same pixels as Pillow's 'nearest'; nothing is summed.
  if (filter === 'nearest_exact')
    return pillow(image, { backend: 'pil', filter: 'nearest', width, height }, [0, 0, image.width, image.height]);
  const factors = [factor ?? width / image.width, factor ?? height / image.height];
  const scales = factors.map((each) => 1 / each); // pixels of the picture for one of the result
  let rule = named ?? filterName('opencv', filter);
  if (filter === 'area') {
    const [factorX, factorY] = scales.map(Math.round);
    // Enlarged along an axis; or by whole factors along both, whose blocks are averaged.
    if (Math.min(...scales) < 1) rule = 'AreaLinear';
    else if (Math.abs(scales[0] - factorX) < epsilon && Math.abs(scales[1] - factorY) < epsilon) {
      const reduction = { factorX, factorY, left: 0, top: 0, right: width * factorX, bottom: height * factorY };
      return { ...copy([0, 0, width, height]), sums: 'opencv', reduction };
    }
  }
  /** @type {(extent: number, place: number) => Axis} */
  const axis = (extent, place) => ({ filter: ruleCode(rule), extent, from: 0, to: extent, factor: factors[place] });
  const axes = { columns: axis(image.width, 0), rows: axis(image.height, 1) };
  return { sums: 'opencv', isNearest: filter === 'nearest', isDownFirst: false, ...axes };
}
