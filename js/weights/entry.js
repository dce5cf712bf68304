/** Entries: tensors of any size, of which parts are read. */
import * as args from '../arguments/index.js';
import { clearTail, stridesOf } from '../engines/tensors/index.js';
import { Cast as castOperator, Concat, fromFront, inferBy, readSlice, Transpose } from '../operators/internal.js';
import { checkLength, dtypes, newData, readOut, readWholeTensor, sizeOf, tensorOf } from '../tensor/index.js';
import { cutRows } from './boxes.js';
import { castTo, joinPieces, sliced, transposed } from './lazy.js';
import { memorySource } from './file-source.js';
import { byteLengthOf, maxPieceBytes, piecesOf, readRows } from './pieces.js';
import { readToPart } from './place.js';
import { Work } from './work.js';

/** @import { DType, Tensor, TensorLike, TypeName } from '../tensor/index.js' */
/** @import { Elements, PiecesOptions } from './types.js' */
/** @import { Int64, IntegersLike, Results } from '../operators/types.js' */

/** @typedef {PiecesOptions & Results} ReadOptions */
/**
 * @typedef {object} ConcatOptions
 * @property {number} axis The axis that grows, from -rank to rank - 1.
 */
/** @typedef {Pick<import('../operators/types.js').CastOptions, 'saturate' | 'round_mode' | 'opset'>} CastOptions */
/** @typedef {import('../operators/types.js').TransposeAttributes} TransposeOptions */

/** The elements of each Entry, which users do not see. @type {WeakMap<object, Elements>} */
const elementsByEntry = new WeakMap();

/** Finds the elements of an Entry; refuses other values. `argument` is its name in messages.
 * @type {(argument: string, entry: unknown) => Elements} */
export function elementsOf(argument, entry) {
  const elements = elementsByEntry.get(/** @type {object} */ (entry));
  return elements ?? args.typeError(`${argument} must be an Entry, got ${args.showClass(entry)}`);
}

/** Reads the elements of an Entry, or of a tensor in memory. `checkType` refuses types that the caller cannot take.
 * @type {(argument: string, value: unknown, checkType?: (dtype: DType) => void) => Elements} */
export function readElements(argument, value, checkType) {
  const elements = elementsByEntry.get(/** @type {object} */ (value));
  if (!elements) return memorySource(readWholeTensor(argument, value, checkType));
  checkType?.(elements.dtype);
  return elements;
}

/** Makes the Entry of elements; `byteLength` is that of strings, which their dims do not tell.
 * @type {(elements: Elements, byteLength?: number) => Entry} */
export function entryOf(elements, byteLength) {
  const entry = Object.create(Entry.prototype);
  setProperties(entry, elements, byteLength);
  return entry;
}

/** @type {(entry: { -readonly [Name in 'type' | 'dims' | 'byteLength']: Entry[Name] }, elements: Elements, byteLength?:
 *   number) => void} */
function setProperties(entry, elements, byteLength) {
  const { dtype, dims } = elements;
  entry.type = dtype.name;
  entry.dims = Object.freeze(dims);
  entry.byteLength = byteLength ?? byteLengthOf(elements);
  elementsByEntry.set(entry, elements);
}

/** A tensor of any size, in a file or in memory, of which parts are read. Casting it, turning it and taking parts of it
 * give entries again, which read and compute when they are read themselves. So a file is transformed in constant memory
 * by saving such entries. */
export class Entry {
  /**
   * An entry over a tensor in memory: where a function takes entries, so that both can stand side by side.
   * @param {TensorLike} tensor is shared, not copied
   * @example
   * const entry = new Entry({ type: 'float32', data: Float32Array.of(1, 2.5, 3), dims: [3] });
   * (await entry.slice([1], [3]).cast('int8').read()).data; // Int8Array [2, 3]
   */
  constructor(tensor) {
    const held = args.named('Entry', () => readWholeTensor('tensor', tensor));
    const strings = held.dtype.array === 'Array' ? /** @type {string[]} */ (held.data) : [];
    const bytes = strings.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
    /**
     * onnxruntime's name of the element type.
     * @readonly
     * @type {TypeName}
     */
    this.type = held.dtype.name;
    /**
     * The extents, outermost axis first. Frozen.
     * @readonly
     * @type {readonly number[]}
     */
    this.dims = Object.freeze(held.dims);
    /**
     * The bytes of the data.
     * @readonly
     * @type {number}
     */
    this.byteLength = strings.length > 0 ? bytes : byteLengthOf(held);
    elementsByEntry.set(this, memorySource(held));
  }

  /**
   * Reads the tensor, or some rows of it.
   * @param {ReadOptions} [options]
   * @returns {Promise<Tensor>} with memory of its own, or over `out.data`
   */
  async read(options) {
    return args.namedAsync('Entry.read', async () => {
      const elements = elementsOf('this', this);
      const table = { rows: args.later, out: args.later, signal: args.readSignal };
      const { rows, out: outOption, signal } = args.readTable(options, table);
      const [from, to] = readRows(rows, elements.dims);
      const work = new Work(signal);
      const { dtype } = elements;
      // A scalar has no rows to choose.
      const dims = elements.dims.length === 0 ? [] : [to - from, ...elements.dims.slice(1)];
      const size = sizeOf(dims);
      const out = outOption === undefined ? undefined : readOut('out', outOption, dtype, dims);
      if (out) checkLength(out);
      const data = out ? out.data : newData(dtype, size);
      const strides = stridesOf(dims);
      let start = 0;
      for (const box of cutRows(elements.dims, elements.widestBits, maxPieceBytes(elements), from, to)) {
        signal?.throwIfAborted();
        // Pieces that cannot be read straight to their place go through memory of `work`.
        const owner = work;
        await readToPart(elements, box, { data, start, strides }, work, owner);
        start += sizeOf(box.counts);
      }
      if (size > 0 && dtype.array !== 'Array') clearTail(dtype.bits, size, data);
      return tensorOf(dtype, data, dims);
    });
  }

  /**
   * The tensor in pieces of a few MiB, in order: whole rows of axis 0, or parts of one row where a row is longer. Rows
   * of strings are one piece. All pieces share one buffer: each is overwritten when the next one is asked for.
   * @param {PiecesOptions} [options]
   * @returns {AsyncGenerator<Tensor, void, undefined>}
   */
  pieces(options) {
    return args.named('Entry.pieces', () => {
      const elements = elementsOf('this', this);
      // `later` takes `rows` as it is: readRows checks it against the dims.
      const { rows, signal } = args.readTable(options, { rows: args.later, signal: args.readSignal });
      const [from, to] = readRows(rows, elements.dims);
      const work = new Work(signal);
      return args.namedEach('Entry.pieces', () => piecesOf(elements, from, to, work));
    });
  }

  /**
   * The same elements in another type, as `cast` of tensors gives them.
   *
   * ONNX Cast.
   * @param {TypeName | 'float' | 'double'} to
   * @param {CastOptions} [options]
   * @returns {Entry}
   */
  cast(to, options) {
    return args.named('Entry.cast', () => {
      const elements = elementsOf('this', this);
      // A copy, because the caller may change the options before the elements are cast.
      const castOptions = { ...options };
      const input = { type: elements.dtype.name, dims: elements.dims };
      // Shape inference checks `to` and the options now, before anything is read.
      const { type } = /** @type {import('../operators/types.js').Inferred} */ (
        inferBy(castOperator, { input }, { ...castOptions, to })
      );
      return entryOf(castTo(elements, dtypes[type], castOptions));
    });
  }

  /**
   * The axes in another order, as `transpose` of tensors gives them. Saving such an entry reads and writes tiles.
   *
   * ONNX Transpose; of any type.
   * @param {TransposeOptions} [options]
   * @returns {Entry}
   */
  transpose(options) {
    return args.named('Entry.transpose', () => {
      const elements = elementsOf('this', this);
      const { perm: permOption } = args.readOptions(options, ['perm']);
      const { dims } = elements;
      // Copy a list, of at most one entry for each axis, to an array: a BigInt64Array cannot be mapped to numbers.
      // Inference refuses all that is no list.
      const perm = args.isList(permOption) ? args.copyList('perm', permOption, dims.length) : permOption;
      // Inference checks perm; as of uint8, because ONNX's Transpose lacks some of the types that entries have.
      inferBy(Transpose, { data: { type: 'uint8', dims } }, perm === undefined ? {} : { perm });
      // Checked entries may still be bigints.
      return entryOf(transposed(elements, /** @type {number[] | undefined} */ (perm)?.map(Number)));
    });
  }

  /**
   * Of each axis of `axes`, the elements from `starts` up to `ends`, `steps` apart, as `slice` of tensors gives them.
   *
   * ONNX Slice; of any type.
   * @param {IntegersLike} starts
   * @param {IntegersLike} ends
   * @param {IntegersLike | null} [axes] the first ones if omitted
   * @param {IntegersLike | null} [steps] 1 if omitted, and never 0
   * @returns {Entry}
   */
  slice(starts, ends, axes, steps) {
    return args.named('Entry.slice', () => {
      const elements = elementsOf('this', this);
      const slice = readSlice(elements.dims, [starts, ends, axes, steps]);
      const counts = slice.dims;
      // The step of a single element says nothing, and may be beyond the exact numbers.
      const exactSteps = slice.steps.map((step, axis) => (counts[axis] > 1 ? step : 1));
      return entryOf(sliced(elements, { first: slice.starts, counts, steps: exactSteps }));
    });
  }

  /**
   * Entries, or tensors, joined along an axis, as `concat` of tensors gives them.
   *
   * ONNX Concat; of any type.
   * @param {readonly (Entry | TensorLike)[]} entries one or more, of one type and of rank 1 or more
   * @param {ConcatOptions} options
   * @returns {Entry}
   */
  static concat(entries, options) {
    return args.named('Entry.concat', () => {
      const { axis } = args.readOptions(options, ['axis']);
      if (!Array.isArray(entries)) args.typeError(`entries must be an array, got ${args.show(entries)}`);
      const pieces = args.copyList('entries', entries).map((entry, i) => readElements(`entries[${i}]`, entry));
      const inputs = pieces.map(({ dtype, dims }) => ({ type: dtype.name, dims }));
      // Inference checks the axis, the types and the dims. Not strict: of any type.
      const inferred = inferBy(Concat, { inputs }, { axis, strict: false });
      const dims = /** @type {number[]} */ (inferred.dims);
      return entryOf(joinPieces(pieces, fromFront(/** @type {Int64} */ (axis), dims.length), dims));
    });
  }
}
