/** A model's bytes without the data of its initializers, read from a file of any size. */
import { wrongValue } from '../arguments/index.js';
import { concat, copyOf } from './bytes.js';
import { graphFields, modelFields, tensorFields } from './onnx-fields.js';
import { bytesField, lengthDelimited, mostHeadBytes, readHead } from './protobuf.js';
import { dataFields } from './tensor-proto.js';

/** @import { Source } from '../weights/index.js' */
/** @import { FieldHead } from './protobuf.js' */

/** Most bytes of a model beside the data of its initializers. */
const graphLimit = 100_000_000;
/** Bytes that are read at once where a model is read field by field. */
const windowBytes = 64 * 2 ** 10;

/** @typedef {{ start: number, length: number }} Range in the file, in bytes */
/**
 * Where an initializer lies: its message, and in it the values of the fields of data, by their numbers.
 * @typedef {{ message: Range, data: Map<number, Range[]> }} Scanned
 */

/** Reads a file from front to back, and jumps over parts. */
class Scan {
  /**
   * @param {string} prefix
   * @param {Source} file
   */
  constructor(prefix, file) {
    this.prefix = prefix;
    this.file = file;
    /** @type {Uint8Array} */
    this.window = new Uint8Array(0);
    this.windowStart = 0;
    this.taken = 0;
  }

  /**
   * @param {number} start
   * @param {number} length
   * @returns {Promise<Uint8Array>} is overwritten by the next one
   */
  async peek(start, length) {
    const isThere = start >= this.windowStart && start + length <= this.windowStart + this.window.length;
    if (!isThere) {
      const most = Math.min(Math.max(length, windowBytes), this.file.byteLength - start);
      this.window = await this.file.bytes(this.prefix, start, most);
      this.windowStart = start;
    }
    return this.window.subarray(start - this.windowStart, start - this.windowStart + length);
  }

  /**
   * @param {number} start
   * @param {number} length
   * @returns {Promise<Uint8Array>}
   */
  async take(start, length) {
    this.taken += length;
    if (this.taken > graphLimit)
      wrongValue(this.prefix, `model without its initializers' data must have at most ${graphLimit} bytes, got more`);
    return copyOf(this.prefix, await this.peek(start, length));
  }

  /**
   * The fields of a message.
   * @param {number} start
   * @param {number} end
   * @param {(head: FieldHead, start: number, value: number) => Promise<unknown>} visit gets each field, where it
   *   begins, and where its value begins
   */
  async each(start, end, visit) {
    for (let at = start; at < end;) {
      const head = readHead(this.prefix, await this.peek(at, Math.min(mostHeadBytes, end - at)));
      const value = at + head.head;
      if (value + head.length > end)
        wrongValue(
          this.prefix,
          `bytes must be protobuf, got a field of ${head.length} bytes where ${end - value} are left`,
        );
      await visit(head, at, value);
      at = value + head.length;
    }
  }
}

/**
 * Reads a ModelProto without its initializers' data. Strings are part of what is read.
 * @param {string} prefix
 * @param {Source} file
 * @returns {Promise<{ bytes: Uint8Array, initializers: Scanned[] }>} a ModelProto, and where each of its initializers
 *   lies, in their order
 */
export async function scanModel(prefix, file) {
  const scan = new Scan(prefix, file);
  /** @type {Scanned[]} */
  const initializers = [];
  /** @type {Uint8Array[]} */
  const parts = [];
  await scan.each(0, file.byteLength, async ({ number, wireType, head, length }, start, value) => {
    const isGraph = number === modelFields.graph && wireType === lengthDelimited;
    if (isGraph) parts.push(bytesField(prefix, number, await scanGraph(scan, value, length, initializers)));
    else parts.push(await scan.take(start, head + length));
  });
  return { bytes: concat(prefix, parts), initializers };
}

/**
 * @param {Scan} scan
 * @param {number} from
 * @param {number} bytes
 * @param {Scanned[]} initializers gets those of the graph
 * @returns {Promise<Uint8Array>}
 */
async function scanGraph(scan, from, bytes, initializers) {
  /** @type {Uint8Array[]} */
  const parts = [];
  await scan.each(from, from + bytes, async ({ number, wireType, head, length }, start, value) => {
    if (number === graphFields.initializer && wireType === lengthDelimited) {
      const scanned = { message: { start: value, length }, data: new Map() };
      initializers.push(scanned);
      parts.push(bytesField(scan.prefix, number, await scanTensor(scan, scanned)));
    } else parts.push(await scan.take(start, head + length));
  });
  return concat(scan.prefix, parts);
}

/**
 * @param {Scan} scan
 * @param {Scanned} scanned gets where the data lie
 * @returns {Promise<Uint8Array>}
 */
async function scanTensor(scan, { message, data }) {
  /** @type {Uint8Array[]} */
  const parts = [];
  const { start: from, length: bytes } = message;
  await scan.each(from, from + bytes, async ({ number, wireType, head, length }, start, value) => {
    const isData = dataFields.has(number) && number !== tensorFields.stringData;
    if (!isData) parts.push(await scan.take(start, head + length));
    else {
      if (number === tensorFields.rawData && wireType !== lengthDelimited)
        wrongValue(scan.prefix, `protobuf field ${number} must hold bytes, got another wire type`);
      if (length > 0) data.set(number, [...(data.get(number) ?? []), { start: value, length }]);
    }
  });
  return concat(scan.prefix, parts);
}
