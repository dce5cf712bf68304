/** Elements that are made of others when they are read: cast, in another order, a part of them, several joined. */
import { bytesOf } from '../arguments/index.js';
import { clearTail, pack, stridesOf, unpack } from '../engine/index.js';
import { cast, transpose } from '../operators/index.js';
import { dtypes, sizeOf, tensorOf } from '../tensor/index.js';
import { fillPart } from './place.js';

/** @import { DType } from '../tensor/index.js' */
/** @import { Box } from './boxes.js' */
/** @import { Elements } from './stored.js' */
/** @import { Work } from './work.js' */

/** @type {(list: readonly number[], order: readonly number[]) => number[]} */
const reordered = (list, order) => order.map((i) => list[i]);

/** Elements of another type. */
export class Cast {
  /**
   * @param {Elements} inner
   * @param {DType} dtype
   * @param {object} options of the operator
   */
  constructor(inner, dtype, options) {
    this.inner = inner;
    this.dtype = dtype;
    this.options = options;
    this.dims = inner.dims;
    this.along = inner.along;
    this.widest = Math.max(dtype.bits, inner.widest);
  }

  /**
   * Writes the elements of a box to `data`.
   * @param {Box} box
   * @param {any} data
   * @param {Work} work
   */
  async fill(box, data, work) {
    const { inner, dtype, options } = this;
    const counts = [...box.counts];
    const source = work.room(this, inner.dtype, sizeOf(counts));
    await inner.fill(box, source, work);
    const out = tensorOf(dtype, data, counts);
    cast(tensorOf(inner.dtype, source, counts), dtype.name, { ...options, out });
  }
}

/** Elements with their axes in another order. */
export class Transposed {
  /**
   * @param {Elements} inner
   * @param {readonly number[]} perm
   */
  constructor(inner, perm) {
    this.inner = inner;
    this.perm = perm;
    this.dtype = inner.dtype;
    this.dims = reordered(inner.dims, perm);
    this.along = perm.indexOf(inner.along);
    this.widest = inner.widest;
    this.inverse = perm.map((_, axis) => perm.indexOf(axis));
  }

  /**
   * Writes the elements of a box to `data`.
   * @param {Box} box
   * @param {any} data
   * @param {Work} work
   */
  async fill({ first, counts, steps }, data, work) {
    const { inner, dtype, perm, inverse } = this;
    const own = {
      first: reordered(first, inverse),
      counts: reordered(counts, inverse),
      steps: reordered(steps, inverse),
    };
    const source = work.room(this, dtype, sizeOf(counts));
    await inner.fill(own, source, work);
    const out = tensorOf(dtype, data, [...counts]);
    transpose(tensorOf(dtype, source, own.counts), { perm, out, strict: false });
  }
}

/** A part of each axis. */
export class Sliced {
  /**
   * @param {Elements} inner
   * @param {Box} box what is taken
   */
  constructor(inner, box) {
    this.inner = inner;
    this.box = box;
    this.dtype = inner.dtype;
    this.dims = box.counts;
    this.along = inner.along;
    this.widest = inner.widest;
  }

  /**
   * Writes the elements of a box to `data`.
   * @param {Box} box
   * @param {any} data
   * @param {Work} work
   */
  async fill({ first, counts, steps }, data, work) {
    const { inner, box } = this;
    const within = {
      first: first.map((index, i) => box.first[i] + index * box.steps[i]),
      counts,
      steps: steps.map((step, i) => step * box.steps[i]),
    };
    await inner.fill(within, data, work);
  }
}

/** Several tensors joined along an axis. */
export class Joined {
  /**
   * @param {readonly Elements[]} parts of one type
   * @param {number} axis
   * @param {readonly number[]} dims of the whole
   */
  constructor(parts, axis, dims) {
    this.parts = parts;
    this.axis = axis;
    this.dims = dims;
    this.dtype = parts[0].dtype;
    this.along = parts[0].along;
    this.widest = Math.max(...parts.map(({ widest }) => widest));
  }

  /**
   * Writes the elements of a box to `data`.
   * @param {Box} box
   * @param {any} data
   * @param {Work} work
   */
  async fill(box, data, work) {
    let low = 0;
    for (const part of this.parts) {
      const extent = part.dims[this.axis];
      await this.fillFrom(part, low, low + extent, box, data, work);
      low += extent;
    }
    clearTail(this.dtype.bits, sizeOf(box.counts), data);
  }

  /**
   * Writes what a box takes of one part.
   * @param {Elements} part
   * @param {number} low where it begins along the axis
   * @param {number} high where it ends
   * @param {Box} box
   * @param {any} data
   * @param {Work} work
   */
  async fillFrom(part, low, high, { first, counts, steps }, data, work) {
    const { axis } = this;
    const [zero, step] = [first[axis], steps[axis]];
    // Of the indices zero + k * step those from `low` up to `high`.
    const [near, far] = step > 0 ? [low, high] : [high - 1, low - 1];
    const from = Math.max(0, Math.ceil((near - zero) / step));
    const to = Math.min(counts[axis], Math.max(from, Math.ceil((far - zero) / step)));
    if (to <= from) return;
    const own = { first: first.with(axis, zero + from * step - low), counts: counts.with(axis, to - from), steps };
    const strides = stridesOf(counts);
    await fillPart(part, own, data, from * strides[axis], strides, work, this);
  }
}

/** Elements without leading axes of extent 1. */
export class Squeezed {
  /**
   * @param {Elements} inner
   * @param {number} rank that is left
   */
  constructor(inner, rank) {
    this.inner = inner;
    this.dtype = inner.dtype;
    this.leading = inner.dims.length - rank;
    this.dims = inner.dims.slice(this.leading);
    this.along = inner.along - this.leading;
    this.widest = inner.widest;
  }

  /**
   * Writes the elements of a box to `data`.
   * @param {Box} box
   * @param {any} data
   * @param {Work} work
   */
  async fill({ first, counts, steps }, data, work) {
    const leading = (/** @type {number} */ value) => new Array(this.leading).fill(value);
    const own = {
      first: [...leading(0), ...first],
      counts: [...leading(1), ...counts],
      steps: [...leading(1), ...steps],
    };
    await this.inner.fill(own, data, work);
  }
}

/** Elements of fewer than 8 bits, of which the file has one a byte. */
export class Packed {
  /**
   * @param {Elements} inner of bytes
   * @param {DType} dtype
   */
  constructor(inner, dtype) {
    this.inner = inner;
    this.dtype = dtype;
    this.dims = inner.dims;
    this.along = inner.along;
    this.widest = 8;
  }

  /**
   * Writes the elements of a box to `data`.
   * @param {Box} box
   * @param {any} data
   * @param {Work} work
   */
  async fill(box, data, work) {
    const source = work.room(this, this.inner.dtype, sizeOf(box.counts));
    await this.inner.fill(box, source, work);
    bytesOf(data).set(pack(this.dtype.name, source));
  }
}

/** The elements of a type of fewer than 8 bits, one a byte. */
export class Unpacked {
  /** @param {Elements} inner */
  constructor(inner) {
    this.inner = inner;
    this.dtype = dtypes.uint8;
    this.dims = inner.dims;
    this.along = inner.along;
    this.widest = 8;
  }

  /**
   * Writes the elements of a box to `data`.
   * @param {Box} box
   * @param {any} data
   * @param {Work} work
   */
  async fill(box, data, work) {
    const { dtype } = this.inner;
    const size = sizeOf(box.counts);
    const source = work.room(this, dtype, size);
    await this.inner.fill(box, source, work);
    const elements = unpack(dtype.name, source, size);
    data.set(new Uint8Array(elements.buffer, elements.byteOffset, elements.length));
  }
}
