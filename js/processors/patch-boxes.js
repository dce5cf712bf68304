/** The patches of a picture as boxes: where the numbers of its strips go. */
import { bytesBetween, rangeError } from '../arguments/index.js';
import { move, planFor } from '../engine/index.js';
import { dtypes, newData, tensorOf } from '../tensor/index.js';
import { sizeOf, writeStrips } from './picture.js';
import { reportNumbers } from './results.js';

/** @import { Box } from '../engine/types.js' */
/** @import { Numbers, Picture, Size } from './types.js' */

/** Writes the patches of a picture, strip by strip.
 * @param {Picture} picture
 * @param {Numbers} numbers
 * @param {object} how
 * @param {number} how.rows of pixels that a row of groups of patches has
 * @param {boolean} how.isPlanar whether a strip has a plane for each channel
 * @param {(a: readonly number[], b: readonly number[]) => Box[]} how.describe from the rows of groups in a strip, the
 *   picture's width, and `numbers` to the boxes
 * @param {readonly number[]} how.numbers
 * @param {Uint8Array} destination exactly the bytes of the patches */
export function writePatches(picture, numbers, { rows, isPlanar, describe, numbers: b }, destination) {
  const { width, height } = sizeOf(picture);
  reportNumbers(picture, numbers);
  const rowBytes = destination.length / height;
  writeStrips(picture, numbers, { rows, isPlanar }, (strip, y, count) => {
    const out = bytesBetween(destination, y * rowBytes, (y + count) * rowBytes);
    move(planFor(describe, numbers.dtype.bits, [count / rows, width], b), [strip], [out]);
  });
}

/** @type {(a: readonly number[], b: readonly number[]) => Box[]} A strip of pixels to patches: row, column, channel. */
export function pixelPatches([groups, width], [patch]) {
  const extents = [groups, width / patch, patch, 3 * patch];
  return [{ extents, from: [3 * patch * width, 3 * patch, 3 * width, 1], to: denseStrides(extents) }];
}

/** A strip's planes to patches, one after the other in their rows; `order` of what is in a patch: channel, frame, row,
 * column. The planes are those of all frames, or of one, whose number is the last of the second list.
 * @type {(order: string, isGrouped: boolean) => (a: readonly number[], b: readonly number[]) => Box[]} */
export const orderedPatches = memoized((order, isGrouped) => ([groups, width], [patch, merge, frames, frame]) => {
  const side = patch * merge;
  const plane = groups * side * width;
  const inner = { c: [3, plane], t: [frames, 0], y: [patch, width], x: [patch, 1] };
  const outer = [
    [groups, side * width],
    [width / side, side],
    [merge, patch * width],
    [merge, patch],
  ];
  const [down, across, downIn, acrossIn] = outer;
  const axes = [
    ...(isGrouped ? [down, across, downIn, acrossIn] : [down, downIn, across, acrossIn]),
    ...[...order].map((axis) => inner[/** @type {'c'} */ (axis)]),
  ];
  const to = denseStrides(axes.map(([extent]) => extent));
  const time = outer.length + order.indexOf('t');
  const kept = axes.flatMap(([extent, from], i) =>
    frame !== undefined && i === time ? [] : [{ extent, from, to: to[i] }],
  );
  return [
    {
      extents: kept.map(({ extent }) => extent),
      from: kept.map(({ from }) => from),
      to: kept.map((axis) => axis.to),
      start: frame === undefined ? 0 : frame * to[time],
    },
  ];
});

/**
 * One function for one pair of arguments: plans are kept by the function that describes them.
 * @template F
 * @param {(order: string, isGrouped: boolean) => F} make
 * @returns {(order: string, isGrouped: boolean) => F}
 */
function memoized(make) {
  /** @type {Map<string, F>} */
  const made = new Map();
  return (order, isGrouped) => {
    const key = `${order} ${isGrouped}`;
    const one = made.get(key) ?? make(order, isGrouped);
    made.set(key, one);
    return one;
  };
}

/** @type {(extents: readonly number[]) => number[]} */
function denseStrides(extents) {
  let stride = 1;
  return extents.reduceRight((/** @type {number[]} */ strides, extent) => {
    strides.unshift(stride);
    stride *= extent;
    return strides;
  }, []);
}

/** @type {(picture: Picture, unit: number) => void} */
export function checkWhole(picture, unit) {
  const { width, height } = sizeOf(picture);
  if (width % unit > 0 || height % unit > 0)
    rangeError(`an image must have sides of multiples of ${unit} here, got ${width} x ${height}`);
}

/** @type {(grids: readonly Size[], most: number) => any} Column and row of each patch, and -1 up to `most` patches. */
export function gridPositions(grids, most) {
  const positions = newData(dtypes.int64, 2 * grids.length * most, undefined).fill(-1n);
  grids.forEach(({ width, height }, i) => {
    for (let at = 0; at < height * width; at++) {
      positions[2 * (i * most + at)] = BigInt(at % width);
      positions[2 * (i * most + at) + 1] = BigInt(Math.floor(at / width));
    }
  });
  return tensorOf(dtypes.int64, positions, [grids.length, most, 2]);
}
