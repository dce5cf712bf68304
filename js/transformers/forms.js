/** Gives outputs the forms of transformers.js, tensors or lists, and the types and sizes that a model asks for. */
import { Tensor } from '../tensor/index.js';
import { toOrt } from '../operators/index.js';
import { masksOf64, maskTypes } from './classes.js';

/** @import { TensorLike } from '../tensor/index.js' */
/** @import { Context, Session } from './types.js' */

/** The class whose outputs these are, and the sessions of the model that takes them.
 * @typedef {{ className: string, sessions: readonly Session[] }} Consumer */

/** Tells whether a value is a tensor of any class: an object with `dims` and `data`.
 * @type {(value: unknown) => value is TensorLike} */
export const isTensor = (value) => {
  const tensor = /** @type {Partial<TensorLike> | null | undefined} */ (value);
  return tensor?.dims !== undefined && tensor.data !== undefined;
};

/** Converts a tensor [rows, width] to a list of numbers for each row, [n] to one list.
 * @type {(tensor: { dims: readonly number[], data: unknown }) => number[] | number[][]} */
export const rowsOf = ({ dims: [rows, width], data }) => {
  const numbers = /** @type {Float32Array} */ (data);
  if (width === undefined) return Array.from(numbers, Number);
  return Array.from({ length: rows }, (_, i) => Array.from(numbers.slice(i * width, (i + 1) * width), Number));
};

/** Resizes masks [N, H, W] to `size`, [height, width], because exported models take masks of one size. By the rule of
 * torch's mode `nearest`, row y of the result is made of row floor(y * H / height), and columns likewise. 64 x 64
 * numbers take 40 microseconds.
 * @type {(mask: Tensor, size: readonly number[]) => Tensor} */
function nearestMask({ type, data, dims: [count, height, width] }, [newHeight, newWidth]) {
  const values = new data.constructor(count * newHeight * newWidth);
  for (let i = 0; i < count; i++)
    for (let y = 0; y < newHeight; y++) {
      const sourceRow = i * height + Math.floor((y * height) / newHeight);
      const rowStart = sourceRow * width;
      const newRowStart = (i * newHeight + y) * newWidth;
      for (let x = 0; x < newWidth; x++) {
        const column = Math.floor((x * width) / newWidth);
        values[newRowStart + x] = data[rowStart + column];
      }
    }
  return new Tensor(type, values, [count, newHeight, newWidth]);
}

/** Resizes masks to the height and width that end the `shape` of the model's input; if no session states a shape, to 64
 * x 64 for the classes whose exported models take that. A model whose shape has names instead of numbers takes any
 * size: the masks stay.
 * @type {(mask: Tensor, shape: readonly (number | string)[] | undefined, consumer: Consumer) => unknown} */
function fittedMask(mask, shape, { className }) {
  const sizeByClass = masksOf64.includes(className) ? [64, 64] : undefined;
  const size = shape ? shape.slice(-2) : sizeByClass;
  return size?.every(Number.isInteger) ? nearestMask(mask, /** @type {number[]} */ (size)) : mask;
}

/** The form of an output: whether it becomes lists, its type, and a function that fits it to the session's shape.
 * @typedef {{ lists?: boolean, type?: string | ((consumer: Consumer) => string | undefined),
 *   fit?: typeof fittedMask }} Form */

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

/** Chooses the type of an output: the one that the model's sessions state for the input of that name, or else the one
 * in {@link forms}. Undefined if neither says one, so that the output keeps its own.
 * @type {(name: string, consumer: Consumer) => string | undefined} */
function typeOf(name, consumer) {
  const { type } = forms[name] ?? {};
  const byDefault = typeof type === 'function' ? type(consumer) : type;
  return inputOf(name, consumer)?.type ?? byDefault;
}

/** Finds the type and shape that the model's sessions state for the input `name`; undefined if they have none.
 * @type {(name: string, consumer: Consumer) => NonNullable<Session['inputMetadata']>[number] | undefined} */
const inputOf = (name, { sessions }) =>
  sessions.flatMap(({ inputMetadata }) => inputMetadata ?? []).find((input) => input.name === name);

/** Chooses the type in which a processor makes masks of pixels: bool if the model takes that, because SmolVLM's mask of
 * a picture of 1080p has 27 MB as int64, or if the mask is resized to 64 x 64 before it becomes int64.
 * @type {(consumer: Consumer) => 'bool' | 'int64'} */
export const maskDtypeOf = (consumer) =>
  masksOf64.includes(consumer.className) || typeOf('pixel_attention_mask', consumer) === 'bool' ? 'bool' : 'int64';

/** Makes a list of an output, or fits it to the shape that the model takes, where the table of forms asks for it.
 * @type {(name: string, value: unknown, consumer: Consumer) => unknown} */
function shapedOutput(name, value, consumer) {
  if (!isTensor(value)) return value;
  const { lists, fit } = forms[name] ?? {};
  if (lists) return rowsOf(value);
  return fit ? fit(/** @type {Tensor} */ (value), inputOf(name, consumer)?.shape, consumer) : value;
}

/** Converts the outputs of a function of this package to the forms that transformers.js has for them, in the types and
 * sizes that the model takes. Values that are no tensors stay.
 * @type {(context: Context, outputs: Record<string, unknown>, consumer: Consumer) => Record<string, any>} */
export function inTheirForm({ hf }, outputs, consumer) {
  /** @type {[string, unknown][]} */
  const shaped = Object.entries(outputs).map(([name, value]) => [name, shapedOutput(name, value, consumer)]);
  // `toOrt` converts tensors to the types that this describes, as if it came from a session.
  const inputMetadata = shaped.map(([name, value]) => ({
    name,
    type: typeOf(name, consumer) ?? (isTensor(value) ? value.type : undefined),
  }));
  return toOrt(hf, Object.fromEntries(shaped), { inputMetadata });
}
