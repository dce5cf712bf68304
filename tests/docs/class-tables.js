/** Tables of processors: each class, its backends, its outputs, and how many cases of Python it is held against. */
import { processorNames } from 'onnx-layout/processors';
import { table as imageRows } from '../../js/processors/classes/table.js';
import { videoRows } from '../../js/processors/videos/video-rows.js';
import { processorGoldens } from '../support/image-goldens.js';
import { goldenJson } from '../support/goldens.js';

/** Goldens of the first processors name theirs `processor`, the others `type`. */
const goldens = [
  ...processorGoldens.map(({ processor, outputs }) => ({ type: processor, outputs })),
  ...goldenJson('processors/index.json').filter((/** @type {any} */ { later }) => !later),
];

/** @type {(type: string | undefined) => string} */
const spelled = (type = '') => type.replace('VL_Moe', 'VLMoe');

/**
 * The outputs of the classes of a kind, by the names without it: those of each case that gives any.
 * @type {(kind: string) => Record<string, Record<string, any>[]>}
 */
export function goldensOf(kind) {
  const own = goldens.filter(({ type, outputs }) => outputs && spelled(type).endsWith(kind));
  const types = [...new Set(own.map(({ type }) => spelled(type)))].sort();
  const outputsOf = (/** @type {string} */ name) =>
    own.flatMap(({ type, outputs }) => (spelled(type) === name ? [outputs] : []));
  return Object.fromEntries(types.map((type) => [type.slice(0, -kind.length), outputsOf(type)]));
}

/** @type {(name: string, kind: string, backends: readonly string[]) => string[]} */
function rowOf(name, kind, backends) {
  const own = goldens.filter(({ type }) => spelled(type) === name + kind);
  const outputs = [...new Set(own.flatMap((golden) => Object.keys(golden.outputs ?? {})))];
  return [name, backends.join(', '), outputs.map((output) => `\`${output}\``).join(', '), String(own.length)];
}

export const classHead = ['Class', 'Backends', 'Outputs', 'Reference results'];

/** The rows of the image processors' table, by the names without `ImageProcessor`. */
export const imageClasses = () =>
  processorNames
    .map((name) => name.replace(/ImageProcessor$/, ''))
    .map((name) =>
      rowOf(name, 'ImageProcessor', /** @type {any} */ (imageRows)[name].backends ?? ['torchvision', 'pil']),
    );

/** The rows of the video processors' table, by the names without `VideoProcessor`. */
export const videoClasses = () =>
  Object.entries(videoRows).map(([name, { backends }]) => rowOf(name, 'VideoProcessor', backends ?? ['torchvision']));
