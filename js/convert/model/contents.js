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

/** Reads or computes the elements of a weight, all at once, by the kind of its content. `external` gives data that are
 * in other files.
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
      // The box that is changed begins at 0 on each axis, and has all elements.
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

/** Gives the bytes of a weight's elements, as views of the model where they lie in it.
 * @type {(weight: Weight, external: External | undefined) => Uint8Array} */
export const bytesIn = (weight, external) =>
  weight.content.kind === 'message'
    ? io.parseBytes(weight.content.message, external)
    : bytesOf(dataOf(weight, external));

/** Tensors that were made together, by their recipe. @type {WeakMap<Tiled, TypedArray[]>} */
const madeTogether = new WeakMap();

/** Computes all tensors that are made of some weights together. A second call gives the arrays of the first one, which
 * `madeTogether` keeps.
 * @type {(content: Rehearsal, external: External | undefined) => TypedArray[]} */
function tiledData({ sources, tiled }, external) {
  const known =
    madeTogether.get(tiled) ??
    tiled.makeAll(sources.map((source) => bytesIn(source, external))).map(({ data }) => data);
  madeTogether.set(tiled, known);
  return known;
}

/** Gives the elements of a weight, with its axes in the order `perm` if there is one. `strict: false` transposes
 * tensors of any type.
 * @type {(source: Weight, perm: readonly number[] | undefined, external: External | undefined) => TypedArray} */
function orderedData(source, perm, external) {
  const data = dataOf(source, external);
  if (!perm) return data;
  return transpose(tensorOf(source.dtype, data, [...source.dims]), { perm, strict: false }).data;
}

/** The files of an opened model. `open`: gives the source of a file beside it
 * @typedef {SaveOptions & { external: OpenExternal | undefined, open: ReturnType<typeof io.openerOf> }} OpenFiles
 */

/** Makes a source of a weight's elements that is read in boxes, by the kind of its content.
 * @type {(weight: Weight, files: OpenFiles) => Elements} */
export function elementsOf({ dtype, dims, content }, files) {
  /** Makes the source of a weight that this one is made of, with its axes in the order `perm`, if there is one. */
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
      return content.tiled.elements(sourcesOf(content, files))[content.index];
    default:
      return content.open(inner(content.source, content.perm));
  }
}

/** Makes the sources of the weights that tensors are tiled from, with as many axes as the tiling states for each: of a
 * weight that has more, the leading ones, of extent 1, are left out.
 * @type {(content: Rehearsal, files: OpenFiles) => Elements[]} */
const sourcesOf = ({ sources, tiled }, files) =>
  tiled.tiling.from.map(({ dims }, i) => {
    const elements = elementsOf(sources[i], files);
    return elements.dims.length > dims.length ? squeezed(elements, dims.length) : elements;
  });

/** Passes weights of a model in memory to surveys, each weight at once, before anything is written: the conversion
 * depends on their numbers. Tensors that are made tile by tile are made.
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
    // An empty weight has nothing to visit.
    if (sizeOf(counts) > 0) visit(orderedData(weight, perm, external), counts, first);
    finish?.();
  }
}

/** Passes weights of a model of any size to surveys, piece by piece, before anything is written. Tensors that are made
 * tile by tile are made, and dropped. Reports the progress in bytes.
 * @type {(surveys: readonly (Survey | Rehearsal)[], files: OpenFiles) => Promise<void>} */
export async function surveyFiles(surveys, files) {
  const work = new Work(files.signal);
  const total = surveys.reduce((sum, survey) => sum + surveyBytes(survey), 0);
  let done = 0;
  const progress = (/** @type {number} */ bytes) => files.onProgress?.({ done: (done += bytes), total });
  for (const survey of surveys) {
    if ('tiled' in survey) await survey.tiled.pass(sourcesOf(survey, files), work, progress);
    else await surveyFile(survey, files, work, progress);
    survey.finish?.();
    work.freeMemory();
  }
}

/** Counts the bytes that a survey reads.
 * @type {(survey: Survey | Rehearsal) => number} */
const surveyBytes = (survey) =>
  ('tiled' in survey ? survey.sources : [survey.weight]).reduce((sum, weight) => sum + byteLengthOf(weight), 0);

/** Passes a weight to a survey piece by piece, each with the box of the weight that it is. `progress` gets the bytes of
 * each.
 * @type {(survey: Survey, files: OpenFiles, work: Work, progress: (bytes: number) => void) => Promise<void>} */
async function surveyFile({ weight, perm, visit }, files, work, progress) {
  const source = elementsOf(weight, files);
  const elements = perm ? transposed(source, perm) : source;
  for await (const { data, counts, first } of placedPieces(elements, work)) {
    visit(data, counts, first);
    progress(data.byteLength);
    // Lets timers and events run every 20 ms, and throws if the signal is aborted.
    await work.pause();
  }
}
