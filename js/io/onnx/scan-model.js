/** A model's bytes without the data of its initializers, read from a file of any size. */
import { rangeError } from '../../arguments/index.js';
import { concat, copyOf } from '../bytes.js';
import { graphFields, modelFields, tensorFields } from './onnx-fields.js';
import { bytesField, lengthDelimited, mostHeadBytes, readHead } from './protobuf.js';
import { dataFields } from './tensor-proto.js';

/** @import { Source } from '../../weights/index.js' */
/** @import { FieldHead, Scanned } from './types.js' */

/** Most bytes of a model beside the data of its initializers. */
const graphLimit = 100_000_000;
/** Bytes that are read at once where a model is read field by field. */
const windowBytes = 64 * 2 ** 10;

/** Reads a model file from front to back through a window of 64 KiB. `copiedBytes`: so far. */
class Scan {
  /** @param {Source} file */
  constructor(file) {
    this.file = file;
    /** @type {Uint8Array} */
    this.window = new Uint8Array(0);
    this.windowStart = 0;
    this.copiedBytes = 0;
  }

  /** Gives bytes of the file, which are shared; undefined if they are not all in the window. `start`: in the file.
   * @type {(start: number, length: number) => Uint8Array | undefined} */
  peek(start, length) {
    const at = start - this.windowStart;
    return at >= 0 && at + length <= this.window.length ? this.window.subarray(at, at + length) : undefined;
  }

  /** @type {(start: number) => Promise<void>} */
  async moveTo(start) {
    const length = Math.min(windowBytes, this.file.byteLength - start);
    this.window = await this.file.bytes(start, length);
    this.windowStart = start;
  }

  /** Reads the head of the field at byte `at` of the file, in a message that ends at `end`, and finds where its value
   * and the next field begin.
   * @type {(at: number, end: number) => Promise<{ head: FieldHead, valueStart: number, next: number }>} */
  async readField(at, end) {
    const length = Math.min(mostHeadBytes, end - at);
    if (!this.peek(at, length)) await this.moveTo(at);
    const head = readHead(/** @type {Uint8Array} */ (this.peek(at, length)));
    const valueStart = at + head.head;
    const next = valueStart + head.length;
    if (next > end)
      rangeError(`bytes must be protobuf, got a field of ${head.length} bytes where ${end - valueStart} are left`);
    return { head, valueStart, next };
  }

  /** Copies the message that lies from `start` to `end` of the file, with some fields replaced. `replace` gets the head
   * of each field and the byte of the file at which its value begins. It gives undefined to keep the field, or a
   * promise of the bytes in its place.
   * @type {(start: number, end: number, replace: (head: FieldHead, valueStart: number) =>
   *   undefined | Promise<Uint8Array>) => Promise<Uint8Array>} */
  async copyMessage(start, end, replace) {
    /** @type {Uint8Array[]} */
    const chunks = [];
    let keptFrom = start; // where the fields begin that are kept and not copied yet
    let at = start;
    while (at < end) {
      const { head, valueStart, next } = await this.readField(at, end);
      const replacement = replace(head, valueStart);
      if (replacement) {
        chunks.push(await this.copyBytes(keptFrom, at));
        chunks.push(await replacement);
        keptFrom = next;
      }
      at = next;
      this.checkLength(at - keptFrom);
    }
    chunks.push(await this.copyBytes(keptFrom, end));
    return concat(chunks);
  }

  /** Refuses a model with more than 100 MB beside the data of initializers: those copied so far, and `more`.
   * @type {(more: number) => void} */
  checkLength(more) {
    if (this.copiedBytes + more > graphLimit)
      rangeError(`model without its initializers' data must have at most ${graphLimit} bytes, got more`);
  }

  /** @type {(start: number, end: number) => Promise<Uint8Array>} */
  async copyBytes(start, end) {
    this.checkLength(end - start);
    this.copiedBytes += end - start;
    const bytes = this.peek(start, end - start);
    return bytes ? copyOf(bytes) : this.file.bytes(start, end - start);
  }
}

/** Copies a model without the data of its dense initializers; strings stay. Lists where these initializers and their
 * data lie in the file, in its order.
 * @type {(file: Source) => Promise<{ bytes: Uint8Array, initializers: Scanned[] }>} */
export async function scanModel(file) {
  const scan = new Scan(file);
  /** @type {Scanned[]} */
  const initializers = [];
  const bytes = await scan.copyMessage(0, file.byteLength, ({ number, wireType, length }, valueStart) => {
    if (number !== modelFields.graph || wireType !== lengthDelimited) return undefined;
    return scanGraph(scan, valueStart, length, initializers);
  });
  return { bytes, initializers };
}

/** Copies the graph field of a model without the data of its initializers, and adds these to the list `initializers`.
 * `start`, `bytes`: where the graph's message lies in the file.
 * @type {(scan: Scan, start: number, bytes: number, initializers: Scanned[]) => Promise<Uint8Array>} */
async function scanGraph(scan, start, bytes, initializers) {
  const graph = await scan.copyMessage(start, start + bytes, ({ number, wireType, length }, valueStart) => {
    if (number !== graphFields.initializer || wireType !== lengthDelimited) return undefined;
    const scanned = { message: { start: valueStart, length }, data: new Map() };
    initializers.push(scanned);
    return scanTensor(scan, scanned);
  });
  return bytesField(modelFields.graph, graph);
}

/** Copies an initializer's field of a graph without the data, and adds where they lie in the file to `data`, by the
 * numbers of their fields. Strings stay.
 * @type {(scan: Scan, scanned: Scanned) => Promise<Uint8Array>} */
async function scanTensor(scan, { message, data }) {
  const nothing = Promise.resolve(new Uint8Array(0));
  const tensor = await scan.copyMessage(message.start, message.start + message.length, (head, valueStart) => {
    const { number, wireType, length } = head;
    if (!dataFields.has(number) || number === tensorFields.stringData) return undefined;
    // The numbers of other fields may also come one by one, in wire types of their own.
    if (number === tensorFields.rawData && wireType !== lengthDelimited)
      rangeError(`protobuf field ${number} must hold bytes, got another wire type`);
    // An empty field holds no data; it is left out, too.
    const ranges = data.get(number);
    const range = { start: valueStart, length };
    if (length > 0 && ranges) ranges.push(range);
    else if (length > 0) data.set(number, [range]);
    return nothing;
  });
  return bytesField(graphFields.initializer, tensor);
}
