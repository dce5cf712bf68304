/** The class that results have. */
import * as args from '../arguments/index.js';
import { decodeValues, encodeValues } from './codec.js';
import { format } from './print.js';
import { newData, readDims, readProperties, readType, readWholeTensor, sizeOf } from './read-tensor.js';

/** @import { DType, TypeName } from './dtypes.js' */
/** @import { TensorData, TensorValue } from './types.js' */

/** Returns data as they are, but views a Uint8ClampedArray as a Uint8Array, because ONNX's uint8 wraps.
 * @type {(data: TensorData) => TensorData} */
const unclamped = (data) => (args.typedArrayName(data) === 'Uint8ClampedArray' ? args.bytesOf(data) : data);

/** A tensor: a type, the extents of its axes, and the elements in row-major order. The constructor is that of
 * onnxruntime's `Tensor`.
 *
 * Packed types hold their elements over the flat stream, the first in the low bits: `ceil(n / 2)` bytes for 4 bits,
 * `ceil(n / 4)` for 2. Complex types hold re and im in turn.
 * @template {TypeName} [Type=TypeName] */
export class Tensor {
  /**
   * @param {Type | 'float' | 'double'} type
   * @param {ArrayBufferView | readonly string[]} data of the type's own class; it is shared, not copied
   * @param {readonly number[]} [dims] 1-D over all of data if omitted
   * @throws {TypeError} an unknown type, another class of data, a non-number in dims
   * @throws {RangeError} a negative or fractional extent; data of another length than dims ask for
   * @example
   * const tensor = new Tensor('int4', Uint8Array.of(0x21, 0x03), [3]);
   * tensor.toString(); // '[1 2 3]'
   */
  constructor(type, data, dims) {
    const tensor = args.named('Tensor', () => readProperties(type, data, dims));
    /**
     * onnxruntime's name of the element type.
     * @readonly
     * @type {Type}
     */
    this.type = /** @type {Type} */ (tensor.dtype.name);
    /**
     * The extents, outermost axis first.
     * @readonly
     * @type {readonly number[]}
     */
    this.dims = tensor.dims;
    /**
     * The elements, in the type's own class of array.
     * @readonly
     * @type {TensorData<Type>}
     */
    this.data = unclamped(tensor.data);
  }

  /**
   * A tensor of given values, encoded as ONNX's Cast encodes float64: floats are rounded once, to nearest even
   * (float8e8m0 up to a power of two).
   * @template {TypeName} T
   * @param {T | 'float' | 'double'} type
   * @param {ArrayLike<number | bigint | boolean | string | readonly [number, number]>} values in row-major order;
   *   complex ones are pairs [re, im]
   * @param {readonly number[]} [dims] 1-D if omitted
   * @returns {Tensor<T>}
   * @throws {TypeError} a value of the wrong kind
   * @throws {RangeError} a value outside an integer type's range; another number of values than dims ask for
   * @example
   * Tensor.from('float8e4m3fn', [1, 448, 1e6]).toArray(); // [1, 448, 448]
   */
  static from(type, values, dims) {
    return args.named('Tensor', () => {
      const dtype = readType(type);
      if (typeof values !== 'object' || values === null)
        args.typeError(`values must be an array, got ${args.show(values)}`);
      const { length } = values;
      if (!Number.isSafeInteger(length) || length < 0)
        args.typeError(`values must be an array, got ${args.showClass(values)} of length ${args.show(length)}`);
      const extents = dims === undefined ? [length] : readDims(dims);
      if (sizeOf(extents) !== length)
        args.rangeError(`dims ${args.showList(extents)} have ${sizeOf(extents)} elements, got ${length}`);
      const data = newData(dtype, length);
      // Errors about a value name this function, those about type and dims the class.
      args.named('Tensor.from', () => encodeValues(dtype, values, data, length));
      return /** @type {Tensor<T>} */ (tensorOf(dtype, data, extents));
    });
  }

  /**
   * The number of elements.
   * @returns {number}
   */
  get size() {
    return sizeOf(this.dims);
  }

  /**
   * The values in row-major order, decoded: numbers, bigints for int64 and uint64, 0 and 1 for bool, pairs [re, im] for
   * complex.
   * @returns {TensorValue<Type>[]}
   * @throws {RangeError} data that was detached or shrunk since
   */
  toArray() {
    return args.named('Tensor', () => {
      const { dtype, data, size } = readWholeTensor('tensor', this);
      return /** @type {TensorValue<Type>[]} */ (decodeValues(dtype, data, size));
    });
  }

  /**
   * The text that NumPy's `str()` gives: decoded values; of more than 1000, those at the ends of each axis.
   * @returns {string}
   * @throws {RangeError} data that was detached or shrunk since
   */
  toString() {
    return args.named('Tensor', () => {
      const { dtype, data, dims } = readWholeTensor('tensor', this);
      return format(dtype, data, dims);
    });
  }

  /**
   * The text that Node's console shows.
   * @returns {string}
   */
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return `Tensor ${this.type} ${args.showList(this.dims)}\n${this}`;
  }
}

/** Makes a tensor over `data` and `dims` without any check or copy; clamped bytes are viewed as a Uint8Array.
 * @type {(dtype: DType, data: unknown, dims: number[]) => Tensor} */
export function tensorOf(dtype, data, dims) {
  return /** @type {any} */ (new UncheckedTensor(dtype.name, dims, unclamped(/** @type {TensorData} */ (data))));
}

/** The constructor of a Tensor without its checks. `Object.create` takes 40 ns longer, a tenth of a small transpose.
 * @class
 * @param {TypeName} type
 * @param {number[]} dims
 * @param {TensorData} data */
function UncheckedTensor(type, dims, data) {
  this.type = type;
  this.dims = dims;
  this.data = data;
}
UncheckedTensor.prototype = Tensor.prototype;
