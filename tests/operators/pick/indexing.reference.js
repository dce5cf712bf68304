/**
 * The oracle of Gather, GatherElements, GatherND, Where and ReverseSequence: element by element, by coordinates, as
 * ONNX's text has it. It works on codes, and shares nothing with js/.
 */
import { elementCount } from '../../support/reference.js';

/** @typedef {readonly any[]} Codes */

/** @type {(flat: number, dims: readonly number[]) => number[]} */
export function coordinates(flat, dims) {
  const result = [];
  for (const extent of dims.toReversed()) {
    result.unshift(flat % extent);
    flat = Math.floor(flat / extent);
  }
  return result;
}

/** @type {(at: readonly number[], dims: readonly number[]) => number} */
export const place = (at, dims) => at.reduce((flat, index, i) => flat * dims[i] + index, 0);

/**
 * A result of given dims whose elements come from where `from` says.
 * @type {(codes: Codes, dims: readonly number[], result: readonly number[], from: (at: number[]) => number[]) => any[]}
 */
const build = (codes, dims, result, from) =>
  Array.from({ length: elementCount(result) }, (_, flat) => codes[place(from(coordinates(flat, result)), dims)]);

/** @type {(index: number, extent: number) => number} */
const front = (index, extent) => (index < 0 ? index + extent : index);

export function gather(codes, dims, indices, indexDims, axis) {
  const q = indexDims.length;
  const result = [...dims.slice(0, axis), ...indexDims, ...dims.slice(axis + 1)];
  const pick = (at) => [
    ...at.slice(0, axis),
    front(indices[place(at.slice(axis, axis + q), indexDims)], dims[axis]),
    ...at.slice(axis + q),
  ];
  return [result, build(codes, dims, result, pick)];
}

export function gatherElements(codes, dims, indices, indexDims, axis) {
  const pick = (at) => at.with(axis, front(indices[place(at, indexDims)], dims[axis]));
  return [indexDims, build(codes, dims, indexDims, pick)];
}

export function gatherND(codes, dims, indices, indexDims, batches) {
  const length = indexDims.at(-1);
  const outer = indexDims.slice(0, -1);
  const result = [...outer, ...dims.slice(batches + length)];
  const pick = (at) => {
    const first = place(at.slice(0, outer.length), outer) * length;
    const tuple = Array.from({ length }, (_, k) => front(indices[first + k], dims[batches + k]));
    return [...at.slice(0, batches), ...tuple, ...at.slice(outer.length)];
  };
  return [result, build(codes, dims, result, pick)];
}

export function reverseSequence(codes, dims, lens, timeAxis) {
  const pick = (at) => {
    const length = lens[at[1 - timeAxis]];
    return at[timeAxis] < length ? at.with(timeAxis, length - 1 - at[timeAxis]) : at;
  };
  return build(codes, dims, dims, pick);
}

export function where(masks, maskDims, a, aDims, b, bDims) {
  const rank = Math.max(maskDims.length, aDims.length, bDims.length);
  const padded = [maskDims, aDims, bDims].map((dims) => [...Array(rank - dims.length).fill(1), ...dims]);
  const result = Array.from({ length: rank }, (_, i) => padded.map((dims) => dims[i]).find((n) => n !== 1) ?? 1);
  const read = (codes, dims, at) =>
    codes[
      place(
        at.map((index, i) => (dims[i] === 1 ? 0 : index)),
        dims,
      )
    ];
  const codes = Array.from({ length: elementCount(result) }, (_, flat) => {
    const at = coordinates(flat, result);
    return read(masks, padded[0], at) ? read(a, padded[1], at) : read(b, padded[2], at);
  });
  return [result, codes];
}
