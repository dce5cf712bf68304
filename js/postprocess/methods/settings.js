/** Settings of a configuration that methods read. */
import { rangeError, show, typeError } from '../../arguments/index.js';
import { readSize, roundEven } from '../settings.js';

/** @import { ReadOutputs, Settings } from '../types.js' */

/** @type {(settings: Settings, name: string) => [height: number, width: number]} */
export function readSides(settings, name) {
  const value = /** @type {{ height?: unknown, width?: unknown } | null | undefined} */ (settings[name]);
  if (typeof value !== 'object' || value === null) typeError(`${name} must be an object, got ${show(value)}`);
  return readSize(name, [value.height, value.width]);
}

/** @type {(settings: Settings) => { shortest: number, longest: number | undefined }} */
export function readEdges(settings) {
  const size = /** @type {{ shortest_edge?: number, longest_edge?: number } | undefined} */ (settings.size);
  const { shortest_edge: shortest, longest_edge: longest } = size ?? {};
  const [first] = readSize('size', [shortest, longest ?? shortest]);
  return { shortest: first, longest: longest ?? undefined };
}

/** @type {(settings: Settings) => [height: number, width: number]} */
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

/** @type {(outputs: ReadOutputs) => void} Only EoMT's semantic method puts pictures in patches together. */
export function checkNoPatches({ patch_offsets: offsets }) {
  if (offsets) rangeError('patch_offsets must be omitted: pictures in patches are not put together here');
}

/** @type {(settings: Settings) => Float32Array} three means, three deviations */
export function readColorSettings(settings) {
  return Float32Array.from(
    ['image_mean', 'image_std'].flatMap((name) => {
      const value = settings[name];
      const isColor = Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);
      return isColor ? value : rangeError(`${name} must be three numbers, got ${show(value)}`);
    }),
  );
}
