/**
 * Random calls of tensor surgery, one for each seed: every operator at every version, every type, awkward extents, data
 * at odd places of its memory, and every way to give an index.
 */
import { byteCount, elementCount, types, typeNames } from '../support/reference.js';
import { below, generator, offsetsOf, randomData, randomPermutation } from '../support/samples.js';
import { callOf, ownCalls } from './surgery-names.js';
import { isListed, sinceOf, stack, surgery, unstack } from './surgery.reference.js';
import { rearrange, repeat } from './einops/rearrange.reference.js';
import { words } from '../support/tables.js';

/** The newest opset. */
const newest = 28;

const usualExtents = [1, 1, 2, 2, 3, 4, 5, 7];
const oddExtents = [...usualExtents, 8, 9, 15, 16, 17, 31, 33];
const largeExtents = [1, 2, 3, 4, 5, 8, 16, 17, 64, 100, 129];
const emptyShare = 0.05;
const largeShare = 0.06;
/** The most elements of an input, of a usual case and of a large one, and of a result. */
const most = [400, 30_000];
const mostOfResult = 60_000;
const fits = (dims) => elementCount(dims) <= mostOfResult;

/** The random numbers of one case. */
function dice(seed) {
  const random = generator(seed);
  const isLarge = random() / 2 ** 32 < largeShare;
  const pick = (/** @type {any[]} */ list) => list[below(random, list.length)];
  const upTo = (limit) => below(random, limit + 1);
  const maybe = (chance = 0.5) => random() / 2 ** 32 < chance;
  const extent = () => {
    if (maybe(emptyShare)) return 0;
    return pick(isLarge ? largeExtents : maybe(0.2) ? oddExtents : usualExtents);
  };
  const dims = (rank) => {
    const list = Array.from({ length: rank }, extent);
    // An extent of 0 counts as 1, because some operators put another in its place.
    while (elementCount(list.map((n) => Math.max(n, 1))) > most[Number(isLarge)]) {
      const largest = list.indexOf(Math.max(...list));
      list[largest] = Math.ceil(list[largest] / 3);
    }
    return list;
  };
  const rank = (least = 0) => Math.max(least, pick([0, 1, 1, 2, 2, 3, 3, 4, 5, 8]));
  const order = (count) => randomPermutation(random, count);
  return { seed, random, pick, upTo, maybe, extent, dims, rank, order, made: 0 };
}

/** A tensor of random bits, at any offset that the type allows, now and then in shared memory. */
function tensor(d, type, dims) {
  const Memory = d.maybe(0.05) ? SharedArrayBuffer : ArrayBuffer;
  const data = randomData(type, elementCount(dims), d.seed + 7919 * d.made++, d.pick(offsetsOf(type)), Memory);
  return { type, dims, data };
}

/** An index: what the oracle sees is a tensor; `forms` says in which ways a call may be given it. */
const index = (values, forms = 'list', dims = [values.length]) => ({
  type: 'int64',
  dims,
  data: BigInt64Array.from(values, BigInt),
  forms,
});
const scalar = (value) => index([value], 'number', []);

/** A signed axis, where the version has those. */
const signed = (d, axis, rank, mayBeNegative = true) => (mayBeNegative && d.maybe(0.4) ? axis - rank : axis);
const anyAxis = (d, rank, mayBeNegative) => signed(d, d.upTo(rank - 1), rank, mayBeNegative);
const someAxes = (d, rank, least = 0) => d.order(rank).slice(0, Math.max(least, d.upTo(rank)));

/** Non-negative numbers with a given sum, some of them 0. */
function partition(d, sum, most = 5) {
  const cuts = Array.from({ length: d.upTo(most - 1) }, () => d.upTo(sum)).sort((a, b) => a - b);
  return [...cuts, sum].map((cut, i) => cut - (cuts[i - 1] ?? 0));
}

/** A bound, one below it, or one above it. */
const atBound = (d, ...bounds) => d.pick(bounds) + d.upTo(2) - 1;

/** Indices into an extent, which is not 0 unless there are none: often the first one or the last one. */
const indicesInto = (d, extent, count) =>
  Array.from({ length: count }, () => signed(d, d.maybe(0.3) ? d.pick([0, extent - 1]) : d.upTo(extent - 1), extent));

/** Another extent on an axis, where the result stays small enough. */
function extentFor(d, dims, axis) {
  const extent = d.extent();
  return fits(dims.with(axis, extent)) ? extent : 1;
}

function concat(d, type, since) {
  const dims = d.dims(d.rank(since < 4 ? 2 : 1));
  const axis = since < 4 && d.maybe(0.3) ? undefined : anyAxis(d, dims.length, since >= 11);
  const at = axis ?? 1;
  const list = Array.from({ length: 1 + d.upTo(d.pick([1, 2, 3, 9])) }, () =>
    tensor(d, type, dims.with(at, d.maybe(0.2) ? 0 : d.maybe(0.5) ? dims.at(at) : extentFor(d, dims, at))),
  );
  return { inputs: [list], attributes: { axis } };
}

function split(d, type, since) {
  const dims = d.dims(d.rank(1));
  const axis = since > 1 && d.maybe(0.2) ? undefined : anyAxis(d, dims.length, since >= 11);
  const extent = dims.at(axis ?? 0);
  const input = tensor(d, type, dims);
  if (since >= 18 && d.maybe(0.4)) {
    const count = 1 + d.upTo(8);
    const isLegal = extent - Math.ceil(extent / count) * (count - 1) >= 0;
    return { inputs: [input], attributes: { axis, num_outputs: isLegal ? count : 1 } };
  }
  const sizes = partition(d, extent);
  if (since >= 13) return { inputs: [input, index(sizes)], attributes: { axis } };
  if (since === 1 && (type === 'float32' || type === 'float64') && d.maybe())
    return {
      inputs: [input, { type, dims: [sizes.length], data: types[type].array.from(sizes) }],
      attributes: { axis },
    };
  return { inputs: [input], attributes: { axis, split: sizes } };
}

const int64Most = 2n ** 63n - 1n;

/** Anything that may stand as the start or the end of a slice. */
function bound(d, extent) {
  if (d.maybe(0.1)) return d.pick([int64Most, -int64Most - 1n, -int64Most, 2n ** 31n - 1n]);
  return d.maybe() ? atBound(d, -extent, 0, extent) : d.upTo(3 * extent + 4) - extent - 2;
}

function slice(d, type, since) {
  const dims = d.dims(d.rank());
  const axes = d.maybe(0.4) ? dims.map((_, i) => i).slice(0, d.upTo(dims.length)) : someAxes(d, dims.length);
  const isInOrder = axes.every((axis, i) => axis === i);
  const [starts, ends] = [0, 1].map(() => axes.map((axis) => bound(d, dims[axis])));
  const given = axes.map((axis) => signed(d, axis, dims.length, since >= 11));
  const named = isInOrder && d.maybe() ? undefined : given;
  const data = tensor(d, type, dims);
  if (since < 10) return { inputs: [data], attributes: { starts, ends, axes: named } };
  const step = (axis) => {
    if (d.maybe(0.05)) return d.pick([int64Most, -int64Most - 1n]);
    return (d.maybe(0.2) && atBound(d, dims[axis], -dims[axis])) || d.pick([1, 1, 1, 2, 2, 3, 5, -1, -1, -2, -3]);
  };
  const steps = d.maybe(0.3) ? undefined : axes.map(step);
  return {
    inputs: [data, ...[starts, ends, named, steps].map((list) => list && index(list, 'lists'))],
    attributes: {},
  };
}

/** Pads of one axis that are legal in every mode. */
function padsOf(d, extent, mode, mayBeNegative) {
  const widest = d.maybe(0.1) ? 20 : 3;
  const crop = mayBeNegative && d.maybe(0.3) ? partition(d, d.upTo(extent), 2) : [0, 0];
  const left = extent - crop[0] - (crop[1] ?? 0);
  const grows = left > 0 || mode === 'constant';
  // Reflections and wraps begin anew at the extent, and at one less.
  const width = () => (d.maybe(0.3) ? Math.max(0, atBound(d, left)) : d.upTo(widest));
  return [0, 1].map((side) => (crop[side] ? -crop[side] : grows && d.maybe(0.7) ? width() : 0));
}

/** Numbers that are exact in each of the three first floats. */
const plainFloats = [0, 1, -1, 0.5, -2.25, 1024, 3];

function pad(d, type, since) {
  const dims = d.dims(Math.min(d.rank(), 5));
  const modes = ['constant', 'reflect', 'edge', ...(since >= 19 ? ['wrap'] : [])];
  const mode = d.pick([undefined, 'constant', ...modes]);
  const axes = since >= 18 && d.maybe(0.4) ? someAxes(d, dims.length) : undefined;
  const rule = mode ?? 'constant';
  const grown = [...dims];
  const both = (axes ?? dims.map((_, i) => i)).map((axis) => {
    const [begin, end] = padsOf(d, dims[axis], rule, since > 1);
    grown[axis] = dims[axis] + begin + end;
    if (fits(grown.map((n) => Math.max(n, 1)))) return [begin, end];
    grown[axis] = dims[axis];
    return [0, 0];
  });
  const pads = [...both.map(([begin]) => begin), ...both.map(([, end]) => end)];
  const data = tensor(d, type, dims);
  if (since < 11) {
    const value = /^float(16|32|64)$/.test(type) && d.maybe() ? d.pick(plainFloats) : undefined;
    return { inputs: [data], attributes: { [since === 1 ? 'paddings' : 'pads']: pads, mode, value } };
  }
  const constant = d.maybe() ? tensor(d, type, d.pick([[], [1]])) : undefined;
  const given = axes && index(axes.map((axis) => signed(d, axis, dims.length)));
  if (given) given.forms = 'list32';
  return { inputs: [data, index(pads), constant, given], attributes: { mode } };
}

function gather(d, type) {
  const dims = d.dims(Math.min(d.rank(1), 4));
  const axis = d.maybe(0.3) ? undefined : anyAxis(d, dims.length);
  const extent = dims.at(axis ?? 0);
  const some = [extentFor(d, [...dims, 1], dims.length)];
  const shape = extent === 0 ? d.pick([[0], [2, 0]]) : d.pick([[], [1], [3], some, [2, 3], [0], [1, 2, 2]]);
  const values = indicesInto(d, extent, elementCount(shape));
  return { inputs: [tensor(d, type, dims), index(values, 'indices', shape)], attributes: { axis } };
}

function gatherElements(d, type) {
  const dims = d.dims(Math.min(d.rank(1), 4));
  const axis = d.maybe(0.3) ? undefined : anyAxis(d, dims.length);
  const at = (axis ?? 0) + (axis < 0 ? dims.length : 0);
  const shape = dims.map((n, i) => (i === at ? (n === 0 ? 0 : extentFor(d, dims, at)) : d.maybe(0.7) ? n : d.upTo(n)));
  const values = indicesInto(d, dims[at], elementCount(shape));
  return { inputs: [tensor(d, type, dims), index(values, 'indices', shape)], attributes: { axis } };
}

function gatherND(d, type, since) {
  const dims = d.dims(Math.min(d.rank(1), 5));
  const batch = since >= 12 && d.maybe() ? d.upTo(dims.length - 1) : undefined;
  const first = batch ?? 0;
  const width = 1 + d.upTo(dims.length - first - 1);
  const isEmpty = dims.slice(first, first + width).includes(0);
  const between = isEmpty ? [0] : d.pick([[], [2], [3, 1], [0], [extentFor(d, [...dims, 1], dims.length)]]);
  const shape = [...dims.slice(0, first), ...between, width];
  const values = Array.from({ length: elementCount(shape) / width }, () =>
    dims.slice(first, first + width).flatMap((extent) => indicesInto(d, extent, 1)),
  ).flat();
  return { inputs: [tensor(d, type, dims), index(values, 'indices64', shape)], attributes: { batch_dims: batch } };
}

/** The axes as an attribute below 13, as an input from then on. */
const withAxes = (data, axes, since) =>
  since >= 13 ? { inputs: [data, axes && index(axes)], attributes: {} } : { inputs: [data], attributes: { axes } };

function squeeze(d, type, since) {
  const dims = d.dims(d.rank()).map((n) => (d.maybe(0.4) ? 1 : n));
  const ones = dims.flatMap((n, i) => (n === 1 ? [i] : []));
  const chosen = d.order(ones.length).map((i) => ones[i]);
  const axes = chosen.slice(0, d.upTo(ones.length)).map((axis) => signed(d, axis, dims.length, since >= 11));
  return withAxes(tensor(d, type, dims), d.maybe(0.3) ? undefined : axes, since);
}

function unsqueeze(d, type, since) {
  const dims = d.dims(d.rank());
  const rank = dims.length + d.upTo(3);
  const axes = d.order(rank).slice(0, rank - dims.length);
  return withAxes(
    tensor(d, type, dims),
    axes.map((axis) => signed(d, axis, rank, since >= 11)),
    since,
  );
}

/** Dims that broadcast with others to the same: some extents 1, some axes at the front left out. */
const narrowed = (d, dims) => dims.map((n) => (d.maybe(0.4) ? 1 : n)).slice(d.maybe(0.3) ? d.upTo(dims.length) : 0);

function expand(d, type) {
  const dims = d.dims(Math.min(d.rank(), 5));
  return { inputs: [tensor(d, type, narrowed(d, dims)), index(narrowed(d, dims))], attributes: {} };
}

function tile(d, type) {
  const dims = d.dims(Math.min(d.rank(0), 5));
  const input = tensor(d, type, dims);
  const result = [...dims];
  const repeats = dims.map((n, axis) => {
    const count = d.pick([0, 1, 1, 1, 2, 2, 3, 4]);
    result[axis] = n * count;
    if (fits(result.map((extent) => Math.max(extent, 1)))) return count;
    result[axis] = n;
    return 1;
  });
  return { inputs: [input, index(repeats)], attributes: {} };
}

function depthToSpace(d, type, since) {
  const blocksize = d.pick([1, 2, 2, 3, 4]);
  const [n, c, h, w] = d.dims(4).map((extent) => Math.min(extent, 9));
  return {
    inputs: [tensor(d, type, [n, c * blocksize ** 2, h, w])],
    attributes: { blocksize, mode: since >= 11 ? d.pick([undefined, 'DCR', 'CRD']) : undefined },
  };
}

function spaceToDepth(d, type, since) {
  const blocksize = d.pick([1, 2, 2, 3, 4]);
  const [n, c, h, w] = d.dims(4).map((extent) => Math.min(extent, 9));
  return {
    inputs: [tensor(d, type, [n, c, h * blocksize, w * blocksize])],
    attributes: { blocksize, mode: since >= 28 ? d.pick([undefined, 'DCR', 'CRD']) : undefined },
  };
}

const identity = (d, type) => ({ inputs: [tensor(d, type, d.dims(d.rank()))], attributes: {} });

function where(d, type) {
  const dims = d.dims(Math.min(d.rank(), 5));
  const condition = tensor(d, 'bool', narrowed(d, dims));
  for (let i = 0; i < condition.data.length; i++) condition.data[i] &= 1;
  return {
    inputs: [condition, tensor(d, type, narrowed(d, dims)), tensor(d, type, narrowed(d, dims))],
    attributes: {},
  };
}

function shape(d, type, since) {
  const dims = d.dims(d.rank());
  const edge = () => (since >= 15 && d.maybe() ? d.upTo(2 * dims.length + 4) - dims.length - 2 : undefined);
  return { inputs: [tensor(d, type, dims)], attributes: { start: edge(), end: edge() } };
}

const size = (d, type) => ({ inputs: [tensor(d, type, d.dims(d.rank()))], attributes: {} });

function centerCropPad(d, type) {
  const dims = d.dims(Math.min(d.rank(), 5));
  const axes = d.maybe() ? someAxes(d, dims.length) : undefined;
  const result = [...dims];
  const target = (axes ?? dims.map((_, i) => i)).map((axis) => {
    const extent = d.maybe(0.3) ? dims[axis] : Math.max(0, dims[axis] + d.upTo(8) - 4);
    result[axis] = fits(result.with(axis, extent).map((n) => Math.max(n, 1))) ? extent : dims[axis];
    return result[axis];
  });
  return {
    inputs: [tensor(d, type, dims), index(target, 'list32')],
    attributes: { axes: axes?.map((axis) => signed(d, axis, dims.length)) },
  };
}

function reverseSequence(d, type) {
  const dims = d.dims(Math.min(d.rank(2), 5));
  const [batch, time] = d.pick([
    [undefined, undefined],
    [1, 0],
    [0, 1],
    [1, undefined],
  ]);
  const lengths = Array.from({ length: dims[batch ?? 1] }, () => d.upTo(dims[time ?? 0]));
  return { inputs: [tensor(d, type, dims), index(lengths)], attributes: { batch_axis: batch, time_axis: time } };
}

const sequence = (d, type, count) =>
  Object.assign(
    Array.from({ length: count }, () => tensor(d, type, d.dims(Math.min(d.rank(), 3)))),
    { type },
  );

const sequenceConstruct = (d, type) => ({ inputs: [[...sequence(d, type, 1 + d.upTo(4))]], attributes: {} });
const sequenceEmpty = (d, type) => ({
  inputs: [],
  attributes: { dtype: type === 'float32' && d.maybe() ? undefined : type },
});

const sequenceAt = (d, type) => {
  const count = 1 + d.upTo(4);
  return { inputs: [sequence(d, type, count), scalar(anyAxis(d, count))], attributes: {} };
};

function sequenceInsert(d, type) {
  const count = d.upTo(4);
  const position = d.maybe(0.3) ? undefined : scalar(d.upTo(2 * count) - count);
  return { inputs: [sequence(d, type, count), tensor(d, type, d.dims(2)), position], attributes: {} };
}

function sequenceErase(d, type) {
  const count = 1 + d.upTo(4);
  const position = d.maybe(0.3) ? undefined : scalar(anyAxis(d, count));
  return { inputs: [sequence(d, type, count), position], attributes: {} };
}

const sequenceLength = (d, type) => ({ inputs: [sequence(d, type, d.upTo(4))], attributes: {} });

function concatFromSequence(d, type) {
  const isNew = d.pick([undefined, 0, 1]);
  const dims = d.dims(Math.min(d.rank(isNew ? 0 : 1), 4));
  const axis = anyAxis(d, dims.length + (isNew ?? 0));
  const list = Array.from({ length: 1 + d.upTo(4) }, () =>
    tensor(d, type, isNew ? dims : dims.with(axis, d.pick([dims.at(axis), extentFor(d, dims, axis)]))),
  );
  return { inputs: [Object.assign(list, { type })], attributes: { axis, new_axis: isNew } };
}

function stackCase(d, type) {
  const dims = d.dims(Math.min(d.rank(), 4));
  const axis = d.maybe(0.3) ? undefined : anyAxis(d, dims.length + 1);
  return { inputs: [Array.from({ length: 1 + d.upTo(4) }, () => tensor(d, type, dims))], attributes: { axis } };
}

function unstackCase(d, type) {
  const dims = d.dims(Math.min(d.rank(1), 4));
  return { inputs: [tensor(d, type, dims)], attributes: { axis: d.maybe(0.3) ? undefined : anyAxis(d, dims.length) } };
}

/** Items of names in a row, some of them in brackets together. */
function bracketed(d, names) {
  const items = [];
  for (let i = 0; i < names.length;) {
    const count = d.maybe(0.4) ? 1 + d.upTo(2) : 0;
    const group = names.slice(i, i + Math.max(count, 1));
    items.push(count > 0 ? `(${group.join(' ')})` : group[0]);
    i += group.length;
  }
  return items;
}

/** A pattern of five names at most, the dims that fit, and the lengths that it needs. */
function patternCase(d, type, isRepeat) {
  const names = ['b', 'c', 'h', 'w', 'p'].slice(0, d.upTo(5));
  const extents = Object.fromEntries(d.dims(names.length).map((n, i) => [names[i], n]));
  const left = bracketed(d, names);
  const lengths = {};
  const dims = left.map((item) => {
    const members = item.replace(/[()]/g, '').split(' ');
    const free = d.maybe(0.8) ? d.upTo(members.length - 1) : -1;
    const known = members.filter((_, i) => i !== free);
    // A product of 0 tells nothing about the free one.
    const isGiven = known.some((name) => extents[name] === 0);
    if (members.length > 1 || d.maybe(0.1)) for (const name of isGiven ? members : known) lengths[name] = extents[name];
    return elementCount(members.map((name) => extents[name]));
  });
  const right = d.order(names.length).map((i) => names[i]);
  if (isRepeat && d.maybe(0.7)) {
    lengths.k = 1 + d.upTo(3);
    right.splice(d.upTo(right.length), 0, 'k');
  }
  if (isRepeat && d.maybe(0.4)) right.splice(d.upTo(right.length), 0, d.pick(['2', '3']));
  const items = bracketed(d, right);
  if (d.maybe(0.2)) items.splice(d.upTo(items.length), 0, '1');
  if (d.maybe(0.25)) {
    const at = d.upTo(left.length);
    left.splice(at, 0, '...');
    dims.splice(at, 0, ...Array.from({ length: d.upTo(2) }, () => 1 + d.upTo(2)));
    items.splice(d.upTo(items.length), 0, '...');
  }
  return { inputs: [tensor(d, type, dims), `${left.join(' ')} -> ${items.join(' ')}`, lengths], attributes: {} };
}

const makers = {
  ...{ concat, split, slice, pad, gather, gatherElements, gatherND, squeeze, unsqueeze, expand, tile },
  ...{ depthToSpace, spaceToDepth, where, identity, shape, size, centerCropPad, reverseSequence },
  ...{ sequenceConstruct, sequenceEmpty, sequenceAt, sequenceInsert, sequenceErase, sequenceLength },
  concatFromSequence,
  rearrange: (d, type) => patternCase(d, type, false),
  repeat: (d, type) => patternCase(d, type, true),
  stack: stackCase,
  unstack: unstackCase,
};

/** Each operator at each version but Tile-1, and the calls beside ONNX once; [call, operator, since]. */
export const rounds = [
  ...Object.keys(surgery).flatMap((operator) =>
    sinceOf(operator)
      .filter((since) => operator !== 'Tile' || since > 1)
      .map((since) => [callOf[operator], operator, since]),
  ),
  ...ownCalls.map((call) => [call, undefined, undefined]),
];

/** An opset that selects a version; the newest version also by leaving the opset out. */
function opsetFor(d, operator, since) {
  const later = sinceOf(operator).find((other) => other > since);
  if (later === undefined && d.maybe(0.3)) return undefined;
  return d.pick([since, since, (later ?? newest + 1) - 1]);
}

/**
 * One random legal call.
 * @param {number} seed
 * @param {any[]} round one of {@link rounds}
 * @returns {{ call: string, operator?: string, since?: number, inputs: any[], attributes: any, type: string,
 *   options: any, d: any }}
 */
export function randomCall(seed, [call, operator, since]) {
  const d = dice(seed);
  // In turn, so that each operator meets each type at each of its versions.
  const type = typeNames[Math.floor(seed / rounds.length) % typeNames.length];
  const made = makers[call](d, type, since);
  // SequenceEmpty has no input whose type `strict` could lift.
  if (call === 'sequenceEmpty' && !isListed(operator, since, type)) made.attributes.dtype = 'int64';
  const attributes = Object.fromEntries(Object.entries(made.attributes).filter(([, value]) => value !== undefined));
  const options = { ...attributes };
  if (operator) {
    const opset = opsetFor(d, operator, since);
    if (opset !== undefined) options.opset = opset;
    if (call !== 'sequenceEmpty' && !isListed(operator, since, type)) options.strict = false;
    else if (d.maybe(0.1)) options.strict = d.pick([true, false]);
  }
  return { call, operator, since, type, inputs: made.inputs, attributes, options, d };
}

/** The oracle's result of a call. */
export function expected({ call, operator, since, inputs, attributes }) {
  if (operator) return surgery[operator](inputs, attributes, since);
  if (call === 'rearrange') return rearrange(...inputs);
  if (call === 'repeat') return repeat(...inputs);
  return call === 'stack' ? stack(inputs[0], attributes) : unstack(inputs[0], attributes);
}

/** An index in the class that a caller may bring. int32 only where all of its numbers fit. */
function dressed(d, given, forced) {
  const values = Array.from(given.data);
  const fits = values.every((value) => BigInt.asIntN(32, value) === value);
  const isSafe = values.every((value) => BigInt(Number(value)) === value && Number.isSafeInteger(Number(value)));
  const int32 = () => ({ type: 'int32', dims: given.dims, data: Int32Array.from(values, Number) });
  const int64 = () => ({ type: 'int64', dims: given.dims, data: given.data });
  const numbers = () => (isSafe ? values.map(Number) : values);
  const ways = {
    tensor32: fits ? int32 : int64,
    tensor64: int64,
    numbers,
    bigints: () => values,
    typed32: fits ? () => Int32Array.from(values, Number) : numbers,
    typed64: () => given.data,
    number: () => numbers()[0],
    bigint: () => values[0],
  };
  const isFlat = given.dims.length === 1;
  const lists = ['numbers', 'numbers', 'bigints', 'typed32', 'typed64', 'tensor64'];
  const choices = {
    list: lists,
    list32: [...lists, 'tensor32'],
    number: ['number', 'bigint', 'tensor32', 'tensor64'],
    indices: [
      'tensor32',
      'tensor64',
      ...(isFlat ? lists : []),
      ...(given.dims.length === 0 ? ['number', 'bigint'] : []),
    ],
    indices64: ['tensor64', ...(isFlat ? lists : [])],
  };
  return ways[forced ?? d.pick(choices[given.forms])]();
}

/** The four lists of Slice have one type where they are tensors. */
function dressedLists(d, inputs) {
  const lists = inputs.filter((given) => given?.forms === 'lists');
  const fit = lists.every(({ data }) => data.every((value) => BigInt.asIntN(32, value) === value));
  const form = d.pick(['numbers', 'bigints', 'typed64', 'tensor64', ...(fit ? ['typed32', 'tensor32'] : [])]);
  return inputs.map((given) => (given?.forms === 'lists' ? dressed(d, given, form) : given));
}

/** The arguments of a call: its inputs as a caller brings them, then its options. */
export function argumentsOf({ call, inputs, options, d }) {
  if (call === 'sequenceEmpty') return [options];
  const given = dressedLists(d, inputs).map((input) => (input?.forms ? dressed(d, input) : input));
  // The options come after all of the inputs, also after those that a version takes as attributes.
  const places = { split: 2, slice: 5, pad: 4, squeeze: 2, unsqueeze: 2, sequenceInsert: 3, sequenceErase: 2 };
  while (given.length < (places[call] ?? given.length)) given.push(undefined);
  const isBare = Object.keys(options).length === 0 && d.maybe(0.3);
  return isBare ? given : [...given, options];
}

/** The calls whose results lie in memory of their own, and may be written to `out`. */
const withoutOut = [
  ...words(`
    identity squeeze unsqueeze shape size sequenceConstruct sequenceEmpty sequenceAt sequenceInsert
  `),
  ...['sequenceErase', 'sequenceLength'],
];

/** Whether a call takes `out`. */
export const takesOut = (call) => !withoutOut.includes(call);

/** A tensor to write to, at any offset of a memory that has other bytes around it. */
export function roomLike(d, { type, dims }) {
  const { array } = types[type];
  const size = elementCount(dims);
  if (array === Array) return { type, dims, data: new Array(size).fill('before') };
  const offset = d.pick(offsetsOf(type));
  const bytes = new Uint8Array(offset + byteCount(type, size) + 16).fill(0xa5);
  return { type, dims, data: new array(bytes.buffer, offset, byteCount(type, size) / array.BYTES_PER_ELEMENT) };
}

/** Whether the bytes around the data of {@link roomLike} are as they were. */
export function isUntouchedAround({ data }) {
  if (Array.isArray(data)) return true;
  const bytes = new Uint8Array(data.buffer);
  const [first, end] = [data.byteOffset, data.byteOffset + data.byteLength];
  return bytes.every((byte, i) => (i >= first && i < end) || byte === 0xa5);
}

/** Lists that a spoiled call may have longer or shorter. */
const resized = (d, list) => (d.maybe() ? [...list, 1] : list.slice(0, -1));

/** A whole number near those that are legal. */
const near = (d) => d.upTo(20) - 10;

/** Another value of an attribute; the same where it has none that is only a value. */
function spoiledAttribute(d, value) {
  if (typeof value === 'number') return near(d);
  if (!Array.isArray(value)) return value === 'constant' || value === 'DCR' ? 'other' : value;
  return d.maybe() && value.length > 0 ? value.with(d.upTo(value.length - 1), near(d)) : resized(d, value);
}

/** Another index: one entry of it changed, or a list of another length. */
function spoiledIndex(d, given) {
  const values = Array.from(given.data);
  const isList = given.forms !== 'number' && !given.forms.startsWith('indices');
  if (isList && (values.length === 0 || d.maybe())) return index(resized(d, values), given.forms);
  if (values.length === 0) return given;
  const changed = values.with(d.upTo(values.length - 1), BigInt(near(d)));
  return index(changed, given.forms, given.dims);
}

/** A tensor of another type, of other dims or of another rank. */
function spoiledTensor(d, { type, dims }) {
  if (d.maybe(0.3)) return tensor(d, d.pick(typeNames), dims);
  const larger = dims.map((n) => (d.maybe() ? n : n + 1));
  return tensor(d, type, d.maybe() || !fits(larger) ? d.dims(d.upTo(4)) : larger);
}

/** The same call with one thing changed, which may make it illegal: the oracle decides, by the class of its error. */
export function spoiled(given) {
  const { d, call, inputs, options } = given;
  const named = Object.keys(given.attributes).filter((key) => key !== 'value' && key !== 'dtype');
  const places = inputs.flatMap((input, i) => (input?.forms || input?.data ? [i] : []));
  const [first] = inputs;
  if (named.length > 0 && d.maybe(0.4)) {
    const key = d.pick(named);
    const value = spoiledAttribute(d, given.attributes[key]);
    return { ...given, attributes: { ...given.attributes, [key]: value }, options: { ...options, [key]: value } };
  }
  if (['concat', 'stack', 'sequenceConstruct'].includes(call)) {
    const which = d.upTo(first.length - 1);
    const list = d.maybe(0.1) ? [] : first.with(which, spoiledTensor(d, first[which]));
    // One tensor of another type is only a question of the version's list.
    if (list.length === 1 && list[0].type !== first[0].type) return given;
    return { ...given, inputs: [list] };
  }
  if (call === 'rearrange' || call === 'repeat') {
    const [key, value] = d.pick([...Object.entries(inputs[2]), ['z', 1]]);
    return { ...given, inputs: inputs.with(2, { ...inputs[2], [key]: value + 1 }) };
  }
  if (places.length === 0) return given;
  const place = d.pick(places);
  const input = inputs[place];
  // Where no other input has its type, a tensor of another type is only a question of the version's list.
  const isAlone = call !== 'where' && call !== 'sequenceInsert' && (call !== 'pad' || place === 0);
  const other = input.forms ? spoiledIndex(d, input) : spoiledTensor(d, input);
  if (!input.forms && isAlone && other.type !== input.type) return given;
  return { ...given, inputs: inputs.with(place, other) };
}
