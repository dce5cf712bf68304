/** The elements of weights: all at once, or piece by piece where the model may have any size. */
import { bytesOf, rangeError } from '../../arguments/index.js';
import * as io from '../../io/internal.js';
import { transpose } from '../../operators/index.js';
import { newData, sizeOf, tensorOf } from '../../tensor/index.js';
import { byteLengthOf, changed, memorySource, placedPieces, squeezed, transposed, Work } from '../../weights/index.js';

/** @import { TypedArray } from '../../arguments/types.js' */
/** @import { Tiled } from '../../weights/index.js' */
/** @import { Elements, SaveOptions } from '../../weights/types.js' */
/** @import { External, OpenExternal } from '../../io/types.js' */
/** @import { Weight } from './types.js' */
/** @import { Rehearsal, Survey } from '../types.js' */

/** Puts one number for each axis into the order `perm`.
 * @type {(list: readonly number[], perm: readonly number[] | undefined) => readonly number[]} */
const ordered = (list, perm) => (perm ? perm.map((axis) => list[axis]) : list);

/** @type {(list: readonly number[]) => number[]} */
const zerosFor = (list) => list.map(() => 0);

/** @type {(weight: Weight, external: External | undefined) => TypedArray} */
export function dataOf({ dtype, dims, content }, external) {
  switch (content.kind) {
    case 'message':
      return io.parseTensor(content.message, external).tensor.data;
    case 'memory':
      return content.data;
    case 'made': {
      const { source, perm, change } = content;
      const data = newData(dtype, sizeOf(dims), undefined);
      const counts = ordered(source.dims, perm);
      change(orderedData(source, perm, external), data, counts, zerosFor(counts));
      return data;
    }
    case 'tiled':
      return tiledData(content, external)[content.index];
    case 'derived':
      return content.inMemory(orderedData(content.source, content.perm, external));
    default:
      return rangeError('model must be in memory, got a file that is open');
  }
}

/** Bytes that lie in the model are given as views of it.
 * @type {(weight: Weight, external: External | undefined) => Uint8Array} */
export const bytesIn = (weight, external) =>
  weight.content.kind === 'message'
    ? io.parseBytes(weight.content.message, external)
    : bytesOf(dataOf(weight, external));

/** Tensors that were made together, by their recipe. @type {WeakMap<Tiled, TypedArray[]>} */
const madeTogether = new WeakMap();

/** A second call gives the arrays of the first one.
 * @type {(content: Rehearsal, external: External | undefined) => TypedArray[]} */
function tiledData({ sources, tiled }, external) {
  const known =
    madeTogether.get(tiled) ??
    tiled.makeAll(sources.map((source) => bytesIn(source, external))).map(({ data }) => data);
  madeTogether.set(tiled, known);
  return known;
}

/** @type {(source: Weight, perm: readonly number[] | undefined, external: External | undefined) => TypedArray} */
function orderedData(source, perm, external) {
  const data = dataOf(source, external);
  if (!perm) return data;
  // `strict: false` takes tensors of any type.
  return transpose(tensorOf(source.dtype, data, [...source.dims]), { perm, strict: false }).data;
}

/** The files of an opened model. `open`: gives the source of a file beside it
 * @typedef {SaveOptions & { external: OpenExternal | undefined, open: ReturnType<typeof io.openerOf> }} OpenFiles
 */

/** @type {(weight: Weight, files: OpenFiles) => Elements} */
export function elementsOf({ dtype, dims, content }, files) {
  switch (content.kind) {
    case 'message':
      return io.readInMessage(content.message, files.external, files.open);
    case 'opened':
      return content.elements;
    case 'memory':
      return memorySource({ dtype, dims: [...dims], data: content.data });
    case 'made':
      return changed(orderedElements(content.source, content.perm, files), dtype, content.change);
    case 'tiled':
      return content.tiled.elements(sourcesOf(content, files))[content.index];
    default:
      return content.open(orderedElements(content.source, content.perm, files));
  }
}

/** @type {(weight: Weight, perm: readonly number[] | undefined, files: OpenFiles) => Elements} */
function orderedElements(weight, perm, files) {
  const elements = elementsOf(weight, files);
  return perm ? transposed(elements, perm) : elements;
}

/** A weight with more axes than the tiling states is read without the leading ones, of extent 1.
 * @type {(content: Rehearsal, files: OpenFiles) => Elements[]} */
const sourcesOf = ({ sources, tiled }, files) =>
  tiled.tiling.from.map(({ dims }, i) => {
    const elements = elementsOf(sources[i], files);
    return elements.dims.length > dims.length ? squeezed(elements, dims.length) : elements;
  });

/** Runs surveys and rehearsals of a model in memory, each weight at once.
 * @type {(surveys: readonly (Survey | Rehearsal)[], external: External | undefined) => void} */
export function surveyAll(surveys, external) {
  for (const survey of surveys) {
    if ('tiled' in survey) {
      tiledData(survey, external);
      survey.finish?.();
      continue;
    }
    const { weight, perm, visit, finish } = survey;
    const counts = ordered(weight.dims, perm);
    if (sizeOf(counts) > 0) visit(orderedData(weight, perm, external), counts, zerosFor(counts));
    finish?.();
  }
}

/** Runs surveys and rehearsals of a model of any size, piece by piece.
 * @type {(surveys: readonly (Survey | Rehearsal)[], files: OpenFiles) => Promise<void>} */
export async function surveyFiles(surveys, files) {
  const work = new Work(files.signal);
  const total = surveys.reduce((sum, survey) => sum + surveyBytes(survey), 0);
  let done = 0;
  const progress = (/** @type {number} */ bytes) => {
    done += bytes;
    files.onProgress?.({ done, total });
  };
  for (const survey of surveys) {
    if ('tiled' in survey) await survey.tiled.pass(sourcesOf(survey, files), work, progress);
    else await surveyFile(survey, files, work, progress);
    survey.finish?.();
    work.freeMemory();
  }
}

/** @type {(survey: Survey | Rehearsal) => number} */
const surveyBytes = (survey) =>
  ('tiled' in survey ? survey.sources : [survey.weight]).reduce((sum, weight) => sum + byteLengthOf(weight), 0);

/** @type {(survey: Survey, files: OpenFiles, work: Work, progress: (bytes: number) => void) => Promise<void>} */
async function surveyFile({ weight, perm, visit }, files, work, progress) {
  for await (const { data, counts, first } of placedPieces(orderedElements(weight, perm, files), work)) {
    visit(data, counts, first);
    progress(data.byteLength);
    // Lets timers and events run every 20 ms, and throws if the signal is aborted.
    await work.pause();
  }
}
