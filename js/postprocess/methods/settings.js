/** Settings of a configuration that methods read. */
import { rangeError, show, typeError } from '../../arguments/index.js';
import { readSize, roundEven } from '../settings.js';

/** @import { ReadOutputs, Settings } from '../types.js' */

/** Reads the setting `name`, { height, width }.
 * @type {(settings: Settings, name: string) => [height: number, width: number]} */
export function readSides(settings, name) {
  const value = /** @type {{ height?: unknown, width?: unknown } | null | undefined} */ (settings[name]);
  if (typeof value !== 'object' || value === null) typeError(`${name} must be an object, got ${show(value)}`);
  return readSize(name, [value.height, value.width]);
}

/** Reads the setting `size` as edges; without a longest edge it is undefined.
 * @type {(settings: Settings) => { shortest: number, longest: number | undefined }} */
export function readEdges(settings) {
  const size = /** @type {{ shortest_edge?: number, longest_edge?: number } | undefined} */ (settings.size);
  const { shortest_edge: shortest, longest_edge: longest } = size ?? {};
  const [first] = readSize('size', [shortest, longest ?? shortest]);
  return { shortest: first, longest: longest ?? undefined };
}

/** The size of a model's input, whose height is the shortest edge and whose width the longest.
 * @type {(settings: Settings) => [height: number, width: number]} */
export function evenSize(settings) {
  const { shortest, longest } = readEdges(settings);
  return [shortest, longest ?? shortest];
}

/** The size of a picture whose shorter side becomes `shortest`, and whose longer one stays within `longest`.
 * @type {(size: readonly number[], edges: { shortest: number, longest: number | undefined }) => [number, number]} */
export function sizeWithin([height, width], { shortest, longest }) {
  const [low, high] = [Math.min(height, width), Math.max(height, width)];
  const isLong = longest !== undefined && (high / low) * shortest > longest;
  const raw = isLong ? (longest * low) / high : shortest;
  const short = isLong ? roundEven(raw) : shortest;
  if (low === short) return [height, width];
  return width < height ? [Math.trunc((raw * height) / width), short] : [short, Math.trunc((raw * width) / height)];
}

/** Refuses pictures in patches, which only EoMT's semantic method puts together.
 * @type {(outputs: ReadOutputs) => void} */
export function checkNoPatches({ patch_offsets: offsets }) {
  if (offsets) rangeError('patch_offsets must be omitted: pictures in patches are not put together here');
}

/** Reads the means and the deviations of the three channels to six numbers.
 * @type {(settings: Settings) => Float32Array} */
export function readColorSettings(settings) {
  return Float32Array.from(
    ['image_mean', 'image_std'].flatMap((name) => {
      const value = settings[name];
      const isColor = Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);
      return isColor ? value : rangeError(`${name} must be three numbers, got ${show(value)}`);
    }),
  );
}
