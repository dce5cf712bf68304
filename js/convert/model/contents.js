/** The elements of weights: all at once, or piece by piece where the model may have any size. */
import { bytesOf, rangeError } from '../../arguments/index.js';
import * as io from '../../io/internal.js';
import { transpose } from '../../operators/index.js';
import { newData, sizeOf, tensorOf } from '../../tensor/index.js';
import { changed, memorySource, placedPieces, transposed, Work } from '../../weights/index.js';

/** @import { Tiled } from '../../weights/index.js' */
/** @import { Elements } from '../../weights/types.js' */
/** @import { External, OpenExternal } from '../../io/types.js' */
/** @import { Weight } from './types.js' */
/** @import { Survey } from '../types.js' */

/** @type {(list: readonly number[], perm: readonly number[] | undefined) => readonly number[]} */
const ordered = (list, perm) => (perm ? perm.map((axis) => list[axis]) : list);

/** The data of a weight in memory. @type {(weight: Weight, external: External | undefined) => any} */
export function dataOf({ dtype, dims, content }, external) {
  switch (content.kind) {
    case 'message':
      return io.parseTensor(content.message, external).tensor.data;
    case 'memory':
      return content.data;
    case 'made': {
      const { source, perm, change } = content;
      const data = newData(dtype, sizeOf(dims), undefined);
      const inOrder = ordered(source.dims, perm);
      change(
        orderedData(source, perm, external),
        data,
        inOrder,
        inOrder.map(() => 0),
      );
      return data;
    }
    case 'tiled':
      return tiledData(content, external);
    case 'derived':
      return content.whole(orderedData(content.source, content.perm, external));
    default:
      return rangeError('model must be in memory, got a file that is open');
  }
}

/** Tensors that are made together, once. @type {WeakMap<Tiled, any[]>} */
const madeTogether = new WeakMap();

/** @type {(content: { source: Weight, tiled: Tiled, index: number }, external: External | undefined) => any} */
function tiledData({ source, tiled, index }, external) {
  const known = madeTogether.get(tiled) ?? tiled.whole([bytesOf(dataOf(source, external))]).map(({ data }) => data);
  madeTogether.set(tiled, known);
  return known[index];
}

/** @type {(source: Weight, perm: readonly number[] | undefined, external: External | undefined) => any} */
function orderedData(source, perm, external) {
  const data = dataOf(source, external);
  if (!perm) return data;
  return transpose(tensorOf(source.dtype, data, [...source.dims]), { perm, strict: false }).data;
}

/** The files of an opened model. `open`: gives the source of a file beside it
 * @typedef {{ external: OpenExternal | undefined, open: (location: string) => Promise<any>, signal: AbortSignal |
 *   undefined }} OpenFiles */

/** @type {(weight: Weight, files: OpenFiles) => Elements} */
export function elementsOf({ dtype, dims, content }, files) {
  const inner = (/** @type {Weight} */ source, /** @type {readonly number[] | undefined} */ perm) => {
    const elements = elementsOf(source, files);
    return perm ? transposed(elements, perm) : elements;
  };
  switch (content.kind) {
    case 'message':
      return io.readInMessage(content.message, files.external, files.open);
    case 'opened':
      return content.elements;
    case 'memory':
      return memorySource({ dtype, dims: [...dims], data: content.data });
    case 'made':
      return changed(inner(content.source, content.perm), dtype, content.change);
    case 'tiled':
      return content.tiled.elements([inner(content.source, undefined)])[content.index];
    default:
      return content.open(inner(content.source, content.perm));
  }
}

/** Reads weights before anything is written: what their numbers are decides what becomes of them.
 * @type {(surveys: readonly Survey[], external: External | undefined) => void} */
export function surveyAll(surveys, external) {
  for (const { weight, perm, visit, finish } of surveys) {
    const counts = ordered(weight.dims, perm);
    const first = counts.map(() => 0);
    if (sizeOf(counts) > 0) visit(orderedData(weight, perm, external), counts, first);
    finish?.();
  }
}

/** @type {(surveys: readonly Survey[], files: OpenFiles) => Promise<void>} */
export async function surveyFiles(surveys, files) {
  const work = new Work(files.signal);
  for (const { weight, perm, visit, finish } of surveys) {
    const source = elementsOf(weight, files);
    const elements = perm ? transposed(source, perm) : source;
    for await (const { data, counts, first } of placedPieces(elements, work)) {
      visit(data, counts, first);
      await work.pause();
    }
    finish?.();
    work.rest();
  }
}
