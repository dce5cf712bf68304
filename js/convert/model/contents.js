/** The elements of weights: all at once, or piece by piece where the model may have any size. */
import { bytesOf, rangeError } from '../../arguments/index.js';
import * as io from '../../io/internal.js';
import { transpose } from '../../operators/index.js';
import { newData, sizeOf, tensorOf } from '../../tensor/index.js';
import {
  byteLengthOf,
  convertedElements,
  memorySource,
  placedPieces,
  squeezed,
  transposed,
  Work,
} from '../../weights/index.js';

/** @import { TypedArray } from '../../arguments/types.js' */
/** @import { Tiled } from '../../weights/index.js' */
/** @import { Elements, SaveOptions } from '../../weights/types.js' */
/** @import { External } from '../../io/types.js' */
/** @import { Weight } from './types.js' */
/** @import { DryRun, ReadPass } from '../types.js' */

/** Reorders a list with a number for each axis: entry i of the result is that of axis `perm[i]`.
 * @type {(list: readonly number[], perm: readonly number[] | undefined) => readonly number[]} */
const ordered = (list, perm) => (perm ? perm.map((axis) => list[axis]) : list);

/** @type {(list: readonly number[]) => number[]} */
const zerosFor = (list) => list.map(() => 0);

/** Gives the elements of a weight of a model in memory: parsed from its message, or made of other weights.
 * @type {(weight: Weight, external: External | undefined) => TypedArray} */
export function dataOf({ dtype, dims, content }, external) {
  switch (content.kind) {
    case 'message':
      return io.parseTensor(content.message, external).tensor.data;
    case 'memory':
      return content.data;
    case 'made': {
      const { source, perm, change } = content;
      const data = newData(dtype, sizeOf(dims), undefined);
      // `change` converts a box of the elements: all, from the first on.
      const counts = ordered(source.dims, perm);
      const first = zerosFor(counts);
      change(orderedData(source, perm, external), data, counts, first);
      return data;
    }
    case 'tiled': // one of several results that are made together
      return tiledData(content, external)[content.index];
    case 'derived': // of one weight, with other dims than it has
      return content.inMemory(orderedData(content.source, content.perm, external));
    // 'opened'
    default:
      return rangeError('model must be in memory, got a file that is open');
  }
}

/** Gives the bytes of a weight's elements; those that lie in the model as views of it.
 * @type {(weight: Weight, external: External | undefined) => Uint8Array} */
export const bytesIn = (weight, external) =>
  weight.content.kind === 'message'
    ? io.parseBytes(weight.content.message, external)
    : bytesOf(dataOf(weight, external));

/** All tensors of a tiling that was run, by the tiling. @type {WeakMap<Tiled, TypedArray[]>} */
const madeTogether = new WeakMap();

/** Makes all tensors of a tiling from its source weights; a second call gives the arrays of the first one.
 * @type {(content: DryRun, external: External | undefined) => TypedArray[]} */
function tiledData({ sources, tiled }, external) {
  const known =
    madeTogether.get(tiled) ??
    tiled.makeAll(sources.map((source) => bytesIn(source, external))).map(({ data }) => data);
  madeTogether.set(tiled, known);
  return known;
}

/** Gives the elements of a weight, transposed by `perm` if there is one.
 * @type {(source: Weight, perm: readonly number[] | undefined, external: External | undefined) => TypedArray} */
function orderedData(source, perm, external) {
  const data = dataOf(source, external);
  if (!perm) return data;
  // `strict: false` takes tensors of any type.
  return transpose(tensorOf(source.dtype, data, [...source.dims]), { perm, strict: false }).data;
}

/** The files of an opened model, and the options of saving another one.
 * @typedef {SaveOptions & { externalFiles: io.ExternalFiles }} OpenFiles */

/** Gives the elements of a weight of a model of any size, which are read or made when they are needed: from where
 * `content` says that they lie, or from the weights that they are made of.
 * @type {(weight: Weight, files: OpenFiles) => Elements} */
export function elementsOf({ dtype, dims, content }, files) {
  switch (content.kind) {
    case 'message': // of the model's file, a TensorProto
      return io.readInMessage(content.message, files.externalFiles);
    case 'opened': // by the caller: an entry of an open model, or what is to take its place
      return content.elements;
    case 'memory':
      return memorySource({ dtype, dims: [...dims], data: content.data });
    case 'made': // of one weight, element by element: to another type, and transposed if there is a `perm`
      return convertedElements(orderedElements(content.source, content.perm, files), dtype, content.change);
    case 'tiled': // of several weights, together with other results
      return content.tiled.elements(sourcesOf(content, files))[content.index];
    // 'derived': of one weight, with other dims than it has
    default:
      return content.open(orderedElements(content.source, content.perm, files));
  }
}

/** Gives the elements of a weight of a model of any size, transposed by `perm` if there is one.
 * @type {(weight: Weight, perm: readonly number[] | undefined, files: OpenFiles) => Elements} */
function orderedElements(weight, perm, files) {
  const elements = elementsOf(weight, files);
  return perm ? transposed(elements, perm) : elements;
}

/** Opens the source weights of a tiling, without leading axes of extent 1 that the tiling does not state.
 * @type {(content: DryRun, files: OpenFiles) => Elements[]} */
const sourcesOf = ({ sources, tiled }, files) =>
  tiled.tiling.from.map(({ dims }, i) => {
    const elements = elementsOf(sources[i], files);
    return elements.dims.length > dims.length ? squeezed(elements, dims.length) : elements;
  });

/** Whether a pass makes tensors, instead of reading one weight.
 * @type {(pass: ReadPass | DryRun) => pass is DryRun} */
const isDryRun = (pass) => 'tiled' in pass;

/** Runs passes over the weights of a model in memory. One that reads a weight gives all of its elements to `visit` at
 * once; a dry run makes its tensors. Then `finish` of the pass is called.
 * @type {(passes: readonly (ReadPass | DryRun)[], external: External | undefined) => void} */
export function runPasses(passes, external) {
  for (const pass of passes) {
    if (isDryRun(pass)) tiledData(pass, external);
    else visitWhole(pass, external);
    pass.finish?.();
  }
}

/** Gives all elements of a pass's weight to `visit` as one box; none if the weight is empty.
 * @type {(pass: ReadPass, external: External | undefined) => void} */
function visitWhole({ weight, perm, visit }, external) {
  const counts = ordered(weight.dims, perm);
  if (sizeOf(counts) > 0) visit(orderedData(weight, perm, external), counts, zerosFor(counts));
}

/** Runs passes over the weights of a model of any size. One that reads a weight gives its elements to `visit` piece by
 * piece; a dry run makes its tensors tile by tile, and drops them. Then `finish` of the pass is called. Progress is in
 * bytes of the weights that are read.
 * @type {(passes: readonly (ReadPass | DryRun)[], files: OpenFiles) => Promise<void>} */
export async function runPassesOnFiles(passes, files) {
  const work = new Work(files.signal);
  const total = passes.reduce((sum, pass) => sum + bytesToRead(pass), 0);
  let done = 0;
  const addProgress = (/** @type {number} */ bytes) => {
    done += bytes;
    files.onProgress?.({ done, total });
  };
  for (const pass of passes) {
    if (isDryRun(pass)) await pass.tiled.dryRun(sourcesOf(pass, files), work, addProgress);
    else await visitPieces(pass, files, work, addProgress);
    pass.finish?.();
    work.freeMemory();
  }
}

/** Counts the bytes of the weights that a pass reads, for progress. @type {(pass: ReadPass | DryRun) => number} */
function bytesToRead(pass) {
  const weights = isDryRun(pass) ? pass.sources : [pass.weight];
  return weights.reduce((sum, weight) => sum + byteLengthOf(weight), 0);
}

/** Gives the elements of a pass's weight to `visit` box by box.
 * @type {(pass: ReadPass, files: OpenFiles, work: Work, addProgress: (bytes: number) => void) => Promise<void>} */
async function visitPieces({ weight, perm, visit }, files, work, addProgress) {
  for await (const { data, counts, first } of placedPieces(orderedElements(weight, perm, files), work)) {
    visit(data, counts, first);
    addProgress(data.byteLength);
    // Lets timers and events run every 20 ms, and throws if the signal is aborted.
    await work.pauseIfDue();
  }
}
