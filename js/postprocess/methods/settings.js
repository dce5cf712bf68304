/** Reads the settings of a configuration that methods need: nothing has checked them before. */
import { rangeError, show, typeError } from '../../arguments/index.js';
import { readSize, roundEven } from '../settings.js';

/** @import { ReadOutputs, Settings } from '../types.js' */

/** Reads the setting `name`, { height, width }, to [height, width].
 * @type {(settings: Settings, name: string) => [height: number, width: number]} */
export function readSides(settings, name) {
  const value = /** @type {{ height?: unknown, width?: unknown } | null | undefined} */ (settings[name]);
  if (typeof value !== 'object' || value === null) typeError(`${name} must be an object, got ${show(value)}`);
  return readSize(name, [value.height, value.width]);
}

/** Reads the setting `size`, { shortest_edge, longest_edge }, in pixels. Without a longest edge `longest` is undefined.
 * @type {(settings: Settings) => { shortest: number, longest: number | undefined }} */
export function readEdges(settings) {
  const size = /** @type {{ shortest_edge?: number, longest_edge?: number } | undefined} */ (settings.size);
  const { shortest_edge: shortest, longest_edge: longest } = size ?? {};
  // `readSize` checks both edges, and needs two.
  const [shortestEdge] = readSize('size', [shortest, longest ?? shortest]);
  return { shortest: shortestEdge, longest: longest ?? undefined };
}

/** Reads the size of EoMT's input from the setting `size`: its height is the shortest edge, its width the longest edge
 * or, without one, the shortest, too.
 * @type {(settings: Settings) => [height: number, width: number]} */
export function evenSize(settings) {
  const { shortest, longest } = readEdges(settings);
  return [shortest, longest ?? shortest];
}

/** Computes the [height, width] of a picture that is resized, with its ratio, so that its shorter side is `shortest`;
 * if its longer side were then above `longest`, that side is `longest` instead. It rounds as transformers'
 * `get_size_with_aspect_ratio` does.
 * @type {(size: readonly number[], edges: { shortest: number, longest: number | undefined }) => [number, number]} */
export function sizeWithin([height, width], { shortest, longest }) {
  const [shorter, longer] = [Math.min(height, width), Math.max(height, width)];
  const isTooLong = longest !== undefined && (longer / shorter) * shortest > longest;
  // The shorter side of the result before and after rounding; the longer one is computed from the former.
  const exact = isTooLong ? (longest * shorter) / longer : shortest;
  const rounded = isTooLong ? roundEven(exact) : shortest;
  // As in Python, a picture whose shorter side is right stays, whatever its longer one.
  if (shorter === rounded) return [height, width];
  const longSide = Math.trunc((exact * longer) / shorter);
  return width < height ? [longSide, rounded] : [rounded, longSide];
}

/** Refuses a call with `patch_offsets`, whose pictures were cut into patches: only EoMT's semantic method joins them.
 * @type {(outputs: ReadOutputs) => void} */
export function checkNoPatches({ patch_offsets: offsets }) {
  if (offsets) rangeError('patch_offsets must be omitted: pictures in patches are not put together here');
}

/** Reads the settings `image_mean` and `image_std` to six numbers: three channels' means, then their deviations.
 * @type {(settings: Settings) => Float32Array} */
export function readColorSettings(settings) {
  const mean = readColor('image_mean', settings.image_mean);
  const std = readColor('image_std', settings.image_std);
  return Float32Array.from([...mean, ...std]);
}

/** Reads a list of three finite numbers, one for each channel.
 * @type {(name: string, value: unknown) => [number, number, number]} */
function readColor(name, value) {
  const isColor = Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);
  if (!isColor) rangeError(`${name} must be three numbers, got ${show(value)}`);
  return /** @type {[number, number, number]} */ (value);
}
