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

/** @type {(list: readonly number[], perm: readonly number[] | undefined) => readonly number[]} */
const ordered = (list, perm) => (perm ? perm.map((axis) => list[axis]) : list);

/** Reads or computes the elements of a weight, all at once.
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
      return tiledData(content, external)[content.index];
    case 'derived':
      return content.inMemory(orderedData(content.source, content.perm, external));
    default:
      return rangeError('model must be in memory, got a file that is open');
  }
}

/** The bytes of a weight's elements, as views of the model where they lie in it.
 * @type {(weight: Weight, external: External | undefined) => Uint8Array} */
export const bytesIn = (weight, external) =>
  weight.content.kind === 'message'
    ? io.parseBytes(weight.content.message, external)
    : bytesOf(dataOf(weight, external));

/** Tensors that are made together, once. @type {WeakMap<Tiled, TypedArray[]>} */
const madeTogether = new WeakMap();

/** Computes all tensors that are made of some weights together; a second call gives the same ones.
 * @type {(content: Rehearsal, external: External | undefined) => TypedArray[]} */
function tiledData({ sources, tiled }, external) {
  const known =
    madeTogether.get(tiled) ??
    tiled.makeAll(sources.map((source) => bytesIn(source, external))).map(({ data }) => data);
  madeTogether.set(tiled, known);
  return known;
}

/** The elements of a weight, with its axes in the order `perm`.
 * @type {(source: Weight, perm: readonly number[] | undefined, external: External | undefined) => TypedArray} */
function orderedData(source, perm, external) {
  const data = dataOf(source, external);
  if (!perm) return data;
  return transpose(tensorOf(source.dtype, data, [...source.dims]), { perm, strict: false }).data;
}

/** The files of an opened model. `open`: gives the source of a file beside it
 * @typedef {SaveOptions & { external: OpenExternal | undefined, open: ReturnType<typeof io.openerOf> }} OpenFiles
 */

/** The elements of a weight as a source that is read in boxes.
 * @type {(weight: Weight, files: OpenFiles) => Elements} */
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
      return content.tiled.elements(matricesOf(content, files))[content.index];
    default:
      return content.open(inner(content.source, content.perm));
  }
}

/** The weights that tensors are tiled from, without the leading axes that a matrix lacks.
 * @type {(content: Rehearsal, files: OpenFiles) => Elements[]} */
const matricesOf = ({ sources, tiled }, files) =>
  tiled.tiling.from.map(({ dims }, i) => {
    const elements = elementsOf(sources[i], files);
    return elements.dims.length > dims.length ? squeezed(elements, dims.length) : elements;
  });

/** Passes weights to surveys before anything is written, because the conversion depends on their numbers. In memory,
 * each at once.
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
    const first = counts.map(() => 0);
    if (sizeOf(counts) > 0) visit(orderedData(weight, perm, external), counts, first);
    finish?.();
  }
}

/** Passes weights to surveys, as surveyAll does, but reads them in pieces.
 * @type {(surveys: readonly (Survey | Rehearsal)[], files: OpenFiles) => Promise<void>} */
export async function surveyFiles(surveys, files) {
  const work = new Work(files.signal);
  const total = surveys.reduce((sum, survey) => sum + surveyBytes(survey), 0);
  let done = 0;
  const progress = (/** @type {number} */ bytes) => files.onProgress?.({ done: (done += bytes), total });
  for (const survey of surveys) {
    if ('tiled' in survey) await survey.tiled.pass(matricesOf(survey, files), work, progress);
    else await surveyFile(survey, files, work, progress);
    survey.finish?.();
    work.freeMemory();
  }
}

/** The bytes that a survey reads. @type {(survey: Survey | Rehearsal) => number} */
const surveyBytes = (survey) =>
  ('tiled' in survey ? survey.sources : [survey.weight]).reduce((sum, weight) => sum + byteLengthOf(weight), 0);

/** Passes a weight to a survey piece by piece.
 * @type {(survey: Survey, files: OpenFiles, work: Work, progress: (bytes: number) => void) => Promise<void>} */
async function surveyFile({ weight, perm, visit }, files, work, progress) {
  const source = elementsOf(weight, files);
  const elements = perm ? transposed(source, perm) : source;
  for await (const { data, counts, first } of placedPieces(elements, work)) {
    visit(data, counts, first);
    progress(data.byteLength);
    await work.pause();
  }
}
