/** SparseTensorProto: elements and their places, read as the dense tensor that they stand for. */
import { rangeError, show, showList, spending, typeError } from '../../arguments/index.js';
import { isPacked, newData, packedCode, readDims, sizeOf, store } from '../../tensor/index.js';
import { tensorFrom } from '../tensor-data.js';
import { sparseFields, tensorFields } from './onnx-fields.js';
import { submessage, readMessage, textIn, varints } from './protobuf.js';
import { parseTensor, readHead } from './tensor-proto.js';

/** @import { Budget } from '../../arguments/index.js' */
/** @import { DType, Tensor } from '../../tensor/index.js' */
/** @import { External, Rows, SparseHead } from './types.js' */
/** @import { TensorData } from '../../tensor/types.js' */

const nothing = new Uint8Array(0);

/** @type {(message: Uint8Array) => Uint8Array} */
const asIs = (message) => message;

/** @type {Rows} */
const rows = {
  [sparseFields.values]: submessage('values', asIs),
  [sparseFields.indices]: submessage('indices', asIs),
  [sparseFields.dims]: ({ extents }, { payload }) => void extents.push(payload),
};

/** @type {Rows} */
const nameRows = { [sparseFields.values]: submessage('name', (message) => textIn(message, tensorFields.name)) };

/** Reads the name of a sparse tensor, which is that of its values.
 * @type {(message: Uint8Array) => string} */
export const sparseName = (message) => readMessage(message, nameRows, { name: '' }).name;

/** Reads the name, type and dims of a sparse tensor, and keeps the messages of its values and indices.
 * @type {(message: Uint8Array) => SparseHead} */
export function readSparseHead(message) {
  const { values, indices, extents } = readMessage(message, rows, { values: nothing, indices: nothing, extents: [] });
  const { name, dtype } = readHead(values);
  const label = `sparse tensor ${show(name)}`;
  const dims = readDims(varints(extents));
  if (dims.length === 0) rangeError(`${label} must have dims, got none`);
  return { name, label, dtype, dims, values, indices };
}

/** Computes the bytes of a dense tensor. A string, whose dtype has 0 bits, counts as a pointer of 8 bytes.
 * @type {(head: { dtype: DType, dims: readonly number[] }) => number} */
export function denseBytes({ dtype, dims }) {
  const elementBits = dtype.bits || 64;
  return Math.ceil((sizeOf(dims) * elementBits) / 8);
}

/** Reads a SparseTensorProto as the dense tensor that it stands for.
 * @type {(message: Uint8Array, external: External | undefined, budget: Budget) => { name: string, tensor: Tensor }} */
export function readSparse(message, external, budget) {
  const head = readSparseHead(message);
  return { name: head.name, tensor: denseTensor(head, external, budget) };
}

/** Makes the dense tensor of a sparse one: elements without a value are 0, or empty strings. `external`: gives data in
 * other files; `budget`: counts the bytes. In JavaScript, because a model is read without the module.
 * @type {(head: SparseHead, external: External | undefined, budget: Budget) => Tensor} */
export function denseTensor({ label, dtype, dims, values, indices }, external, budget) {
  const { tensor } = parseTensor(values, external);
  if (tensor.dims.length !== 1) rangeError(`${label} values must have one axis, got dims ${showList(tensor.dims)}`);
  const [count] = tensor.dims;
  const places = readPlaces(label, parseTensor(indices, external).tensor, count, dims);
  const data = spending(budget, () => newData(dtype, sizeOf(dims), undefined));
  if (dtype.array === 'Array') data.fill('');
  for (let i = 0; i < count; i++) store(dtype, data, places[i], elementAt(dtype, tensor.data, i));
  return tensorFrom(dtype, dims, data);
}

/** Gives the element at `index` in the form in which `store` takes it: the bits of a packed one, both parts of a
 * complex one, otherwise the array's entry.
 * @type {(dtype: DType, data: TensorData, index: number) => unknown} */
function elementAt(dtype, data, index) {
  if (dtype.format.kind === 'complex') return [data[2 * index], data[2 * index + 1]];
  return isPacked(dtype) ? packedCode(dtype.bits, data, index) : data[index];
}

/** Gives the place of each value in the dense tensor's elements, which must ascend. The tensor of indices has these
 * numbers (dims [count]) or coordinates (dims [count, rank]). `dims`: of the dense tensor.
 * @type {(label: string, indices: Tensor, count: number, dims: readonly number[]) => Float64Array} */
function readPlaces(label, { type, dims: shape, data }, count, dims) {
  if (type !== 'int64') typeError(`${label} indices must be int64, got ${type}`);
  const isFlat = shape.length === 1;
  const expected = isFlat ? [count] : [count, dims.length];
  if (String(shape) !== String(expected))
    rangeError(`${label} indices must have dims ${showList(expected)}, got ${showList(shape)}`);
  // An index among all elements is a coordinate of one axis.
  const extents = isFlat ? [sizeOf(dims)] : dims;
  const rank = extents.length;
  const places = new Float64Array(count);
  let last = -1;
  for (let i = 0; i < count; i++) {
    let place = 0;
    for (let axis = 0; axis < rank; axis++) {
      const coordinate = Number(/** @type {BigInt64Array} */ (data)[i * rank + axis]);
      if (!(coordinate >= 0 && coordinate < extents[axis]))
        rangeError(`${label} indices must be from 0 to ${extents[axis] - 1}, got ${coordinate}`);
      place = place * extents[axis] + coordinate;
    }
    if (place <= last) rangeError(`${label} indices must ascend, got element ${place} after ${last}`);
    places[i] = place;
    last = place;
  }
  return places;
}
