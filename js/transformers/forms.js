/** Outputs in the forms that transformers.js has for them, and in the types and sizes that a model asks for. */
import { Tensor } from '../tensor/index.js';
import { toOrt } from '../operators/index.js';
import { masksOf64, maskTypes } from './classes.js';

/** @import { TensorLike } from '../tensor/index.js' */
/** @import { Context, Session } from './types.js' */

/** @typedef {{ className: string, sessions: readonly Session[] }} Asker the class whose outputs
 *   these are, the sessions that they go to, and the function that casts them */

/** @type {(value: unknown) => value is TensorLike} */
const isTensor = (value) => {
  const tensor = /** @type {Partial<TensorLike> | null | undefined} */ (value);
  return tensor?.dims !== undefined && tensor.data !== undefined;
};

/** The rows of a tensor as lists of numbers.
 * @type {(tensor: { dims: readonly number[], data: unknown }) => number[] | number[][]} */
export const rowsOf = ({ dims: [rows, width], data }) => {
  const numbers = /** @type {Float32Array} */ (data);
  if (width === undefined) return Array.from(numbers, Number);
  return Array.from({ length: rows }, (_, i) => Array.from(numbers.slice(i * width, (i + 1) * width), Number));
};

/** The nearest numbers of a mask [N, H, W]: exported models take masks of a size of their own. 64 x 64 numbers take
 * 40 microseconds.
 * @type {(mask: Tensor, size: readonly number[]) => Tensor} */
function nearestMask({ type, data, dims: [count, height, width] }, [rows, columns]) {
  const values = new data.constructor(count * rows * columns);
  let to = 0;
  for (let i = 0; i < count; i++)
    for (let y = 0; y < rows; y++) {
      const row = (i * height + Math.floor((y * height) / rows)) * width;
      for (let x = 0; x < columns; x++) values[to++] = data[row + Math.floor((x * width) / columns)];
    }
  return new Tensor(type, values, [count, rows, columns]);
}

/** @type {(mask: Tensor, shape: readonly (number | string)[] | undefined, asker: Asker) => unknown} */
function fittedMask(mask, shape, { className }) {
  const side = masksOf64.includes(className) ? 64 : undefined;
  const size = shape ? shape.slice(-2) : [side, side];
  return size.every(Number.isInteger) ? nearestMask(mask, /** @type {number[]} */ (size)) : mask;
}

/** @typedef {{ lists?: boolean, type?: string | ((asker: Asker) => string | undefined), fit?: typeof fittedMask }}
 *   Form */

/** The forms that differ from Python's, by output. `type` is where no session says one.
 * @type {Record<string, Form>} */
const forms = {
  attention_mask: { type: 'int64' },
  image_cols: { lists: true },
  image_rows: { lists: true },
  image_sizes: { lists: true },
  input_boxes: { type: 'float32' },
  input_features_mask: { type: 'bool' },
  input_points: { type: 'float32' },
  num_frames_per_video: { lists: true },
  num_soft_tokens_per_image: { lists: true },
  num_soft_tokens_per_video: { lists: true },
  original_sizes: { lists: true },
  pixel_attention_mask: { type: ({ className }) => maskTypes[className] },
  pixel_mask: { type: 'int64', fit: fittedMask },
  reshaped_input_sizes: { lists: true },
};

/** The type that the sessions ask for, or that transformers.js has where none does.
 * @type {(name: string, asker: Asker) => string | undefined} */
function typeOf(name, asker) {
  const { type } = forms[name] ?? {};
  return inputOf(name, asker)?.type ?? (typeof type === 'function' ? type(asker) : type);
}

/** @type {(name: string, asker: Asker) => NonNullable<Session['inputMetadata']>[number] | undefined} */
const inputOf = (name, { sessions }) =>
  sessions.flatMap(({ inputMetadata }) => inputMetadata ?? []).find((input) => input.name === name);

/** The type in which masks of pixels are made. SmolVLM's of a picture of 1080p has 27 MB as int64.
 * @type {(asker: Asker) => 'bool' | 'int64'} */
export const maskDtypeOf = (asker) =>
  masksOf64.includes(asker.className) || typeOf('pixel_attention_mask', asker) === 'bool' ? 'bool' : 'int64';

/** Outputs of one of our functions as transformers.js has them.
 * @type {(context: Context, outputs: Record<string, unknown>, asker: Asker) => Record<string, any>} */
export function inTheirForm({ hf }, outputs, asker) {
  /** @type {[string, unknown][]} */
  const shaped = Object.entries(outputs).map(([name, value]) => {
    const { lists, fit } = forms[name] ?? {};
    if (!isTensor(value)) return [name, value];
    if (lists) return [name, rowsOf(value)];
    return [name, fit ? fit(/** @type {Tensor} */ (value), inputOf(name, asker)?.shape, asker) : value];
  });
  const inputMetadata = shaped.map(([name, value]) => ({
    name,
    type: typeOf(name, asker) ?? (isTensor(value) ? value.type : undefined),
  }));
  return toOrt(hf, Object.fromEntries(shaped), { inputMetadata });
}
