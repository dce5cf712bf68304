/** Planes of numbers, such as a model's masks, that the module makes row by row, and results made of them: labels,
 * masks. A plane has `height` rows of `width` float32 numbers, one for each pixel. Names that end in `At` are addresses
 * in the module. See cpp/postprocess/rows.h and planes.h. */
import * as cpp from '../../../dist/bridge/results.js';
import { rangeError } from '../../arguments/index.js';
import { floatBytes, intBytes } from '../memory/index.js';
import { withMemory } from './load.js';
import { arena, checkExtents, kernels, sizeOf } from './module.js';
import { listStep } from './plane-steps.js';

/** @import { PlaneStep } from './plane-steps.js' */

/** Ways to resize. */
export const resizeModes = cpp.Mode;

/** @typedef {(typeof resizeModes)[number]} ResizeMode */

/** @typedef {{ planes: number, channels: number, height: number, width: number }} Extents */

/** Planes and the steps that they pass through. Nothing is computed before a result is asked for, and no step's result
 * is stored. The extents are those after the last step. `channels` is how many planes are one picture, which decides
 * how torch rounds. */
export class Planes {
  /**
   * @param {Float32Array} source
   * @param {Extents} extents
   */
  constructor(source, { planes, channels, height, width }) {
    checkExtents([height, width], 1);
    checkExtents([channels], planes > 0 ? 1 : 0);
    this.source = source;
    this.planes = planes;
    this.channels = channels;
    this.height = height;
    this.width = width;
    this.sourceExtents = { planes, channels, height, width };
    /** @type {PlaneStep[]} */
    this.steps = [];
  }

  /** Returns new planes: these with one step more. `extents`: the extents that the step changes.
   * @type {(step: PlaneStep, extents?: Partial<Extents>) => Planes} */
  withStep(step, extents) {
    const planes = Object.assign(Object.create(Planes.prototype), this, extents);
    planes.steps = [...this.steps, step];
    return planes;
  }

  /**
   * Resizes each plane as torch.nn.functional.interpolate does.
   * @param {readonly number[]} size height and width
   * @param {ResizeMode} [mode]
   * @param {boolean} [align] align_corners
   * @returns {Planes}
   */
  resize([height, width], mode = 'bilinear', align = false) {
    checkExtents([height, width], 1);
    const values = { height, width, mode: cpp.Mode.indexOf(mode), alignCorners: align };
    return this.withStep({ kind: 'resize', values }, { height, width });
  }

  /** Cuts a part out of each plane, from row `top` and column `left` on; refuses one that leaves the planes.
   * @type {(top: number, left: number, height: number, width: number) => Planes} */
  crop(top, left, height, width) {
    checkExtents([top, left]);
    checkExtents([height, width], 1);
    if (top + height > this.height || left + width > this.width)
      rangeError(
        `a crop must lie within ${this.height} x ${this.width}, got ${height} x ${width} from ${top}, ${left} on`,
      );
    return this.withStep({ kind: 'crop', values: { top, left, height, width } }, { height, width });
  }

  /** Picks planes by their indices, each any number of times. `channels`: how many of the picked ones are one picture.
   * @type {(indices: Int32Array, channels?: number) => Planes} */
  gather(indices, channels = indices.length) {
    const planes = indices.length;
    // Pictures of no planes are allowed only where none is picked.
    checkExtents([channels], planes > 0 ? 1 : 0);
    const wrong = indices.find((plane) => !(plane >= 0 && plane < this.planes));
    if (wrong !== undefined) rangeError(`indices must be below ${this.planes}, got ${wrong}`);
    const array = { data: indices, bytes: intBytes * planes };
    const extents = { planes, channels };
    return this.withStep({ kind: 'gather', values: extents, name: 'indices', array }, extents);
  }

  /** 1 / (1 + exp(-x)) of each number. */
  sigmoid() {
    return this.withStep({ kind: 'sigmoid', values: {} });
  }

  /** Multiplies each number by a factor, then divides it by a divisor, in float32 steps.
   * @type {(factor: number, divisor: number) => Planes} */
  scale(factor, divisor) {
    return this.withStep({ kind: 'scale', values: { factor, divisor } });
  }

  /** Raises numbers to `least` and lowers them to `most`.
   * @type {(least: number, most: number) => Planes} */
  clamp(least, most) {
    return this.withStep({ kind: 'clamp', values: { least, most } });
  }

  /** 1 / x of each number. */
  invert() {
    return this.withStep({ kind: 'invert', values: {} });
  }

  /**
   * Replaces the planes by weighted sums of them: plane c of the result is the sum of all planes, times `weights[:,
   * c]`.
   * @param {Float32Array} weights [planes, stride]
   * @param {number} stride how many weights a plane has
   * @param {number} classes how many sums are made: of the first weights of each plane
   * @returns {Planes}
   */
  mix(weights, stride, classes) {
    if (sizeOf([classes]) > sizeOf([stride])) rangeError(`classes must be at most ${stride}, got ${classes}`);
    const array = { data: weights, bytes: floatBytes * this.planes * stride };
    // The sums are one picture.
    const extents = { planes: classes, channels: classes };
    return this.withStep({ kind: 'mix', values: { stride, classes }, name: 'weights', array }, extents);
  }

  /** Pixels of a plane. */
  get size() {
    return this.height * this.width;
  }

  /**
   * Copies the source and the steps into the module, and takes the memory that their rows need.
   * @returns {[stepsAt: number, workAt: number]} the addresses of the list of steps, and of that memory
   */
  copyInSteps() {
    const { planes, channels, height, width } = this.sourceExtents;
    const source = arena.copyIn(this.source, floatBytes * sizeOf([planes, height, width]));
    const head = { source, planes, channels, height, width, steps: this.steps.length };
    const steps = this.steps.flatMap(listStep);
    const numbers = Float64Array.from([...cpp.PlaneBlock.list(head), ...steps]);
    const stepsAt = arena.copyIn(numbers, numbers.byteLength);
    const workAt = arena.allocate(kernels.rows_bytes(stepsAt));
    return [stepsAt, workAt];
  }

  /** Computes all numbers, [planes, height, width].
   * @type {(out?: Float32Array) => Float32Array} */
  numbers(out) {
    return withMemory(() => {
      const length = this.planes * this.size;
      const [stepsAt, workAt] = this.copyInSteps();
      const numbersAt = arena.allocate(floatBytes * length);
      kernels.store_planes(stepsAt, workAt, numbersAt);
      return arena.copyOut(Float32Array, numbersAt, length, out);
    });
  }

  /**
   * Computes [planes, height, width] of 1 where a number is above the threshold, and 0 elsewhere.
   * @template {Uint8Array | Int32Array | Float32Array} T
   * @param {number} threshold
   * @param {new (length: number) => T} ArrayClass
   * @param {T} [out]
   * @returns {T}
   */
  above(threshold, ArrayClass, out) {
    return withMemory(() => {
      const length = this.planes * this.size;
      const [stepsAt, workAt] = this.copyInSteps();
      const maskAt = arena.allocate(length);
      kernels.threshold_planes(stepsAt, workAt, threshold, maskAt);
      // `copyOut` copies bytes into an array of any class.
      const result = /** @type {Uint8Array} */ (out ?? new ArrayClass(length));
      return /** @type {T} */ (arena.copyOut(Uint8Array, maskAt, length, result));
    });
  }

  /** Computes the index of the plane with the greatest number at each pixel, the first of equals; NaN is greatest.
   * `withScores`: all numbers [planes, height, width], too.
   * @type {(withScores: boolean, out?: Int32Array) => { labels: Int32Array, scores?: Float32Array }} */
  labels(withScores, out) {
    return withMemory(() => {
      const { size } = this;
      // None is refused: no label would be written.
      const planes = sizeOf([this.planes], 1);
      const [stepsAt, workAt] = this.copyInSteps();
      const labelsAt = arena.allocate(intBytes * size);
      // 0: the kernel stores no scores.
      const scoresAt = withScores ? arena.allocate(floatBytes * planes * size) : 0;
      const bestAt = arena.allocate(floatBytes * this.width); // work memory of a row
      kernels.label_planes(stepsAt, workAt, labelsAt, scoresAt, bestAt);
      const labels = arena.copyOut(Int32Array, labelsAt, size, out);
      if (!withScores) return { labels };
      return { labels, scores: arena.copyOut(Float32Array, scoresAt, planes * size) };
    });
  }

  /**
   * Finds the plane with the greatest product of number and score at each pixel: the pixel's owner.
   * @param {Float32Array} scores one a plane
   * @param {number} threshold for `whole` and `common`, of the product or of the number
   * @param {boolean} isProduct whether the threshold is the product's; else pixels whose number is below it have none
   * @returns {Merging}
   */
  owners(scores, threshold, isProduct) {
    return withMemory(() => {
      const { size } = this;
      const planes = sizeOf([this.planes], 1);
      const [stepsAt, workAt] = this.copyInSteps();
      const ownersAt = arena.allocate(intBytes * size);
      // Three lists of an int32 a plane: own, whole, common.
      const listBytes = intBytes * planes;
      const areasAt = arena.allocate(3 * listBytes);
      const bestAt = arena.allocate(2 * floatBytes * this.width); // work memory of two rows
      const scoresAt = arena.copyIn(scores, floatBytes * planes);
      kernels.own_planes(stepsAt, workAt, scoresAt, threshold, Number(isProduct), ownersAt, areasAt, bestAt);
      const [own, whole, common] = [0, 1, 2].map((list) =>
        arena.copyOut(Int32Array, areasAt + list * listBytes, planes),
      );
      return { owners: arena.copyOut(Int32Array, ownersAt, size), own, whole, common };
    });
  }

  /** Computes for each plane the mean of the sigmoid of its numbers above 0, as transformers does: the sum by the count
   * + 1e-6; 0 if there are none.
   * @type {() => Float32Array} */
  means() {
    return withMemory(() => {
      const [stepsAt, workAt] = this.copyInSteps();
      const meansAt = arena.allocate(floatBytes * this.planes);
      kernels.mean_planes(stepsAt, workAt, meansAt);
      return arena.copyOut(Float32Array, meansAt, this.planes);
    });
  }

  /**
   * Makes a map [height, width] of -1, and lets `work` paint it: `paint` writes an id where a plane is above the
   * threshold, and returns how many pixels it wrote.
   * @param {number} threshold
   * @param {{ firstWins: boolean }} options `firstWins`: pixels that are painted already stay
   * @param {(paint: (plane: number, id: number) => number) => void} work
   * @returns {Int32Array}
   */
  paint(threshold, { firstWins }, work) {
    return withMemory(() => {
      const [stepsAt, workAt] = this.copyInSteps();
      const mapAt = arena.allocate(intBytes * this.size);
      arena.view(Int32Array, mapAt, this.size).fill(-1);
      work((plane, id) => {
        if (!(plane < this.planes)) rangeError(`plane must be below ${this.planes}, got ${plane}`);
        return kernels.paint_plane(stepsAt, workAt, plane, threshold, Number(firstWins), id, mapAt);
      });
      return arena.copyOut(Int32Array, mapAt, this.size);
    });
  }
}

/**
 * Pixels of each plane in a merging.
 * @typedef {object} Merging
 * @property {Int32Array} owners the plane of each pixel, or -1
 * @property {Int32Array} own how many pixels each plane has
 * @property {Int32Array} whole how many reach the threshold
 * @property {Int32Array} common both
 */

/** Replaces each owner, the index of a plane, by the id of this index; owners of -1 stay. Returns a new map.
 * @type {(owners: Int32Array, ids: Int32Array) => Int32Array} */
export const replaceOwners = (owners, ids) =>
  withMemory(() => {
    const ownersAt = arena.copyIn(owners, intBytes * owners.length);
    const idsAt = arena.copyIn(ids, intBytes * ids.length);
    const areInRange = kernels.name_owners(ownersAt, owners.length, idsAt, ids.length);
    if (!areInRange) rangeError(`owners must be below ${ids.length}`);
    return arena.copyOut(Int32Array, ownersAt, owners.length);
  });

/** Resizes the logits of a segmenter (bilinear) to [height, width], and returns the index of the class with the
 * greatest one at each pixel of the result.
 * @type {(logits: Float32Array, extents: Extents, size: readonly number[], out?: Int32Array) => Int32Array} */
export const resizedLabels = (logits, extents, size, out) =>
  labelsByCells(logits, extents, size, out) ?? labelsByPlanes(logits, extents, size, out);

/** Does the work of `resizedLabels` for all logits and sizes, by resized planes.
 * @type {(logits: Float32Array, extents: Extents, size: readonly number[], out?: Int32Array) => Int32Array} */
function labelsByPlanes(logits, extents, size, out) {
  const withScores = false;
  return new Planes(logits, extents).resize(size).labels(withScores, out).labels;
}

/** Does the work of `resizedLabels` fast, without resized logits. Undefined where a number is not finite, or where the
 * result's `toHeight + toWidth` is at most 128, for which torch takes other weights.
 * @type {(logits: Float32Array, extents: Extents, size: readonly number[], out?: Int32Array) => Int32Array | undefined}
 */
const labelsByCells = (logits, { planes, height, width }, [toHeight, toWidth], out) =>
  withMemory(() => {
    const labelsAt = arena.allocate(intBytes * sizeOf([toHeight, toWidth], 1));
    const logitsAt = arena.copyIn(logits, floatBytes * sizeOf([planes, height, width], 1));
    const workAt = arena.allocate(kernels.label_cells_bytes(planes, height, width, toHeight, toWidth));
    const isDone = kernels.label_cells(logitsAt, planes, height, width, toHeight, toWidth, workAt, labelsAt);
    return isDone ? arena.copyOut(Int32Array, labelsAt, toHeight * toWidth, out) : undefined;
  });
