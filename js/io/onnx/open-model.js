/** ONNX models of any size: the graph is read, the initializers are entries. */
import {
  checkFileKind,
  kindBytes,
  makeBudget,
  namedAsync,
  rangeError,
  usualMaxBytes,
  readOptions,
  show,
  showList,
} from '../../arguments/index.js';
import { readDims, sizeOf } from '../../tensor/index.js';
import { elementsByLoading, Entry, entryOf, FileSource, openSource, readElements } from '../../weights/index.js';
import { findConstants } from './constants.js';
import { checkExternal, plainPath, readPlace } from './external-data.js';
import { modelRule, parseModel } from './model.js';
import { tensorFields } from './onnx-fields.js';
import { scanModel } from './scan-model.js';
import { denseBytes, denseTensor, readSparseHead } from './sparse.js';
import { checkBytes } from '../tensor-data.js';
import { dataFields, fieldOfData, fieldsOfElementBytes, parseTensor, readHead } from './tensor-proto.js';

/** @import { DType } from '../../tensor/index.js' */
/** @import { Source } from '../../weights/index.js' */
/** @import { Elements, SourceLike } from '../../weights/types.js' */
/** @import { OpenedModel, OpenExternal, OpenModelOptions, Range, Scanned } from './types.js' */

/**
 * Opens an ONNX model of any size: reads its graph, and the types, dims and places of its initializers, which become
 * entries, whether their data are in the file or in others. The tensors of Constant nodes and of subgraphs are entries,
 * too; these are read with the graph and stay in it.
 *
 * ONNX: onnx.proto, and "External Data".
 * @param {SourceLike} source the file: a Uint8Array, an ArrayBuffer, a Blob or File, Node's FileHandle, or
 *   `{ byteLength, slice(start, end), read?(target, start) }`
 * @param {OpenModelOptions} [options]
 * @returns {Promise<OpenedModel>} as `readModel` gives it, with entries; and `bytes`, the model without their data
 * @example
 * const { initializers } = await openModel(bytes);
 * initializers.get('weight').byteLength; // 24
 */
export async function openModel(source, options) {
  return namedAsync('openModel', async () => {
    const { external } = readOptions(options, ['external']);
    return openFile('source', source, external);
  });
}

/** Opens a model. `argument`: how messages name the source; `external`: opens a file of data beside the model.
 * @type {(argument: string, source: SourceLike, external: OpenExternal | undefined) => Promise<OpenedModel>} */
export async function openFile(argument, source, external) {
  const file = await openSource(argument, source);
  const beginning = await file.bytes(0, Math.min(kindBytes, file.byteLength));
  checkFileKind('bytes', modelRule, beginning, file.byteLength);
  const { bytes, initializers: places } = await scanModel(file);
  const externalFiles = new ExternalFiles(external);
  /** @type {Map<string, Entry>} */
  const initializers = new Map();
  // scanModel listed the places of dense initializers alone, in the order in which `takeDense` gets them.
  const nextPlace = places.values();
  const graph = parseModel(bytes, {
    external: attributesOnly,
    sparse: () => undefined,
    takeSparse() {}, // findConstants finds these
    takeDense(message) {
      const scanned = /** @type {Scanned} */ (nextPlace.next().value);
      const { name, entry } = readInitializer(message, externalFiles, { file, scanned });
      initializers.set(name, entry);
    },
  });
  // The tensors that are no initializers of the outermost graph.
  const { tensors, messages, sparse, notRead } = findConstants(bytes, attributesOnly);
  const constants = new Map(Array.from(tensors, ([name, tensor]) => [name, new Entry(tensor)]));
  for (const [name, message] of messages) constants.set(name, readInitializer(message, externalFiles).entry);
  for (const [name, message] of sparse) constants.set(name, sparseEntry(message));
  return { ...graph, initializers, constants, notRead, bytes };
}

/** Makes the entry of a sparse tensor: the dense tensor, of at most 1 GiB, is made when it is read.
 * @type {(message: Uint8Array) => Entry} */
function sparseEntry(message) {
  const head = readSparseHead(message);
  const { dtype, dims } = head;
  const load = async () => {
    const budget = makeBudget(head.label, usualMaxBytes);
    return denseTensor(head, attributesOnly, budget).data;
  };
  return entryOf(elementsByLoading(dtype, dims, load), denseBytes(head));
}

/** Makes the elements of an initializer whose message has all its data or says in which other file they are.
 * @type {(message: Uint8Array, externalFiles: ExternalFiles) => Elements} */
export function readInMessage(message, externalFiles) {
  const { entry } = readInitializer(message, externalFiles);
  return readElements('initializer', entry);
}

/** Refuses data in another file: the `external` of attributes, which must have their data in the model.
 * @type {(place: { location: string }) => never} */
export const attributesOnly = ({ location }) =>
  rangeError(`attributes must have their data in the model, got ${show(location)}`);

/** The files of data beside a model, which the caller's option `external` opens. Each is opened once, however its path
 * is spelled. */
export class ExternalFiles {
  /** @param {OpenExternal | undefined} external not checked yet */
  constructor(external) {
    this.external = external;
    /** @type {Map<string, Promise<Source>>} */
    this.sourceByPath = new Map();
  }

  /** Opens a file. The option `external` must be a function: {@link checkExternal} refuses anything else before.
   * @type {(location: string) => Promise<Source>} */
  open(location) {
    const path = plainPath(location);
    const known = this.sourceByPath.get(path);
    if (known) return known;
    const openNew = async () => {
      const source = await /** @type {OpenExternal} */ (this.external)(location);
      return openSource(`external ${show(location)}`, source);
    };
    const opened = openNew();
    this.sourceByPath.set(path, opened);
    // Forget a failure, so that the next call tries again.
    opened.catch(() => this.sourceByPath.delete(path));
    return opened;
  }
}

/** Makes the entry of an initializer. Its data are in another file, in the message, or where `cutOut` says: fields that
 * scanModel has cut out of the message, and their places in the model's file.
 * @type {(message: Uint8Array, externalFiles: ExternalFiles, cutOut?: { file: Source, scanned: Scanned }) => { name:
 *   string, entry: Entry }} */
function readInitializer(message, externalFiles, cutOut) {
  const { name, label, dtype, dims: extents, isExternal, entries, payloads } = readHead(message);
  if (isExternal) {
    const { location, offset, length } = readPlace(label, dtype, extents, entries);
    checkExternal(label, location, externalFiles.external);
    checkBytes(label, dtype, extents, length); // refuses dims that no tensor has; readPlace has compared the length
    const open = () => externalFiles.open(location);
    return { name, entry: entryOf(new FileSource(dtype, extents.map(Number), open, offset)) };
  }
  // Nothing is cut out of strings and of empty tensors.
  if (!cutOut || cutOut.scanned.data.size === 0)
    return { name, entry: new Entry(parseTensor(message, undefined).tensor) };
  const { file, scanned } = cutOut;
  // The fields that were cut out, and those that stayed (string_data): a tensor may have one alone.
  const field = fieldOfData(label, dtype, [...scanned.data.keys(), ...payloads.keys()]);
  return { name, entry: entryOf(elementsInside(file, label, dtype, extents, field, scanned)) };
}

/** Makes the elements of an initializer whose data are in the model's file. If the bytes of the field are the elements,
 * parts of them can be read; varints are parsed with the whole message. `scanned`: where the message and its data lie
 * in the file.
 * @type {(file: Source, label: string, dtype: DType, extents: readonly bigint[], field: number, scanned: Scanned) =>
 *   Elements} */
function elementsInside(file, label, dtype, extents, field, { message, data }) {
  const ranges = /** @type {Range[]} */ (data.get(field));
  const dims = extents.map(Number);
  // raw_data is a scalar field: if it occurs twice, the last one counts. The others are repeated: all pieces count.
  const isRawData = field === tensorFields.rawData;
  const isOnePieceOfElements = fieldsOfElementBytes.includes(field) && ranges.length === 1;
  if (isRawData || isOnePieceOfElements) {
    const { start, length } = ranges[ranges.length - 1];
    checkBytes(label, dtype, extents, length);
    return new FileSource(dtype, dims, async () => file, start);
  }
  const size = sizeOf(readDims(extents));
  const bytes = ranges.reduce((sum, { length }) => sum + length, 0);
  // Refuse too few bytes before anything is allocated: a varint takes a byte at least, and holds one element, or a byte
  // of packed ones.
  const elementsPerByte = Math.max(1, 8 / dtype.bits);
  const mostElements = bytes * elementsPerByte;
  if (size > mostElements)
    rangeError(`${label}${dataFields.get(field)} must have ${dtype.name} ${showList(dims)}, got ${bytes} bytes`);
  return elementsByLoading(dtype, dims, async ({ signal }) => {
    const bytesOfMessage = await file.bytes(message.start, message.length, signal);
    const { tensor } = parseTensor(bytesOfMessage, undefined);
    // The file may have changed since it was opened.
    if (tensor.type !== dtype.name || String(tensor.dims) !== String(dims))
      rangeError(`${file.name} must stay as it is, got another ${label || 'tensor'}`.trimEnd());
    return tensor.data;
  });
}
