/** A legal call of each operator at every opset, as the tests of versions and of inference make it. */
import * as layout from 'onnx-layout';

/**
 * The operators by their ONNX names, with inputs by theirs.
 * @type {Record<string, (inputs: any, options?: any) => any>}
 */
export const run = {
  Flatten: ({ input }, options) => layout.flatten(input, options),
  Reshape: ({ data, shape }, options) => layout.reshape(data, shape, options),
  Transpose: ({ data }, options) => layout.transpose(data, options),
  SplitToSequence: ({ input, split }, options) => layout.splitToSequence(input, split, options),
  Cast: ({ input }, { to, ...options } = {}) => layout.cast(input, to, options),
  Identity: ({ input }, options) => layout.identity(input, options),
  Slice: ({ data, starts, ends, axes, steps }, options) => layout.slice(data, starts, ends, axes, steps, options),
  Concat: ({ inputs }, options) => layout.concat(inputs, options),
  Split: ({ input, split }, options) => layout.split(input, split, options),
  Pad: ({ data, pads, constant_value, axes }, options) => layout.pad(data, pads, constant_value, axes, options),
  Squeeze: ({ data, axes }, options) => layout.squeeze(data, axes, options),
  Unsqueeze: ({ data, axes }, options) => layout.unsqueeze(data, axes, options),
  Expand: ({ input, shape }, options) => layout.expand(input, shape, options),
  Tile: ({ input, repeats }, options) => layout.tile(input, repeats, options),
  DepthToSpace: ({ input }, options) => layout.depthToSpace(input, options),
  SpaceToDepth: ({ input }, options) => layout.spaceToDepth(input, options),
  CenterCropPad: ({ input_data, shape }, options) => layout.centerCropPad(input_data, shape, options),
  Gather: ({ data, indices }, options) => layout.gather(data, indices, options),
  GatherElements: ({ data, indices }, options) => layout.gatherElements(data, indices, options),
  GatherND: ({ data, indices }, options) => layout.gatherND(data, indices, options),
  Where: ({ condition, X, Y }, options) => layout.where(condition, X, Y, options),
  ReverseSequence: ({ input, sequence_lens }, options) => layout.reverseSequence(input, sequence_lens, options),
  Shape: ({ data }, options) => layout.shape(data, options),
  Size: ({ data }, options) => layout.size(data, options),
  SequenceConstruct: ({ inputs }, options) => layout.sequenceConstruct(inputs, options),
  // It has no tensor that could show its type.
  SequenceEmpty: (_, options) => ({ type: layout.sequenceEmpty(options).type, dims: null }),
  SequenceAt: ({ input_sequence, position }, options) => layout.sequenceAt(input_sequence, position, options),
  SequenceInsert: ({ input_sequence, tensor, position }, options) =>
    layout.sequenceInsert(input_sequence, tensor, position, options),
  SequenceErase: ({ input_sequence, position }, options) => layout.sequenceErase(input_sequence, position, options),
  SequenceLength: ({ input_sequence }, options) => layout.sequenceLength(input_sequence, options),
  ConcatFromSequence: ({ input_sequence }, options) => layout.concatFromSequence(input_sequence, options),
  QuantizeLinear: ({ x, y_scale, y_zero_point }, options) => layout.quantizeLinear(x, y_scale, y_zero_point, options),
  DequantizeLinear: ({ x, x_scale, x_zero_point }, options) =>
    layout.dequantizeLinear(x, x_scale, x_zero_point, options),
  DynamicQuantizeLinear: ({ x }, options) => layout.dynamicQuantizeLinear(x, options),
  Compress: ({ input, condition }, options) => layout.compress(input, condition, options),
  EyeLike: ({ input }, options) => layout.eyeLike(input, options),
  OneHot: ({ indices, depth, values }, options) => layout.oneHot(indices, depth, values, options),
  Range: ({ start, limit, delta }, options) => layout.range(start, limit, delta, options),
  ScatterElements: ({ data, indices, updates }, options) => layout.scatterElements(data, indices, updates, options),
  ScatterND: ({ data, indices, updates }, options) => layout.scatterND(data, indices, updates, options),
  Trilu: ({ input, k }, options) => layout.trilu(input, k, options),
};

/** The inputs of each operator that a call may have by name; the others stand by place. */
export const namedInputs = {
  ...{ Reshape: ['shape'], SplitToSequence: ['split'], Cast: ['to'], Slice: ['starts', 'ends', 'axes', 'steps'] },
  ...{ Split: ['split'], Pad: ['pads', 'constant_value', 'axes'], Squeeze: ['axes'], Unsqueeze: ['axes'] },
  ...{ Expand: ['shape'], Tile: ['repeats'], CenterCropPad: ['shape'], Gather: ['indices'], GatherND: ['indices'] },
  ...{ GatherElements: ['indices'], ReverseSequence: ['sequence_lens'], SequenceAt: ['position'], Trilu: ['k'] },
  ...{ SequenceInsert: ['position'], SequenceErase: ['position'], QuantizeLinear: ['y_zero_point'] },
  ...{ DequantizeLinear: ['x_zero_point'], OneHot: ['depth', 'values'], Range: ['start', 'limit', 'delta'] },
  ...{ ScatterElements: ['indices', 'updates'], ScatterND: ['indices', 'updates'] },
};

/** An argument that is an attribute below an opset, and an input from it on. */
const moved = (since, opset, given) => (opset < since ? [{}, given] : [given, {}]);

/**
 * A legal call: the dims of the first input, the inputs behind it, the attributes, and the dims of the (first) result.
 * @type {Record<string, (opset: number) => [dims: number[], others: object, attributes: object, result: number[]]>}
 */
const calls = {
  Flatten: () => [[2, 3], {}, { axis: 1 }, [2, 3]],
  Reshape: (opset) => [[2, 3], ...moved(5, opset, { shape: [3, 2] }), [3, 2]],
  Transpose: () => [[2, 3], {}, { perm: [1, 0] }, [3, 2]],
  SplitToSequence: () => [[2, 3], { split: 3 }, { axis: 1 }, [2, 3]],
  Cast: () => [[2, 3], {}, { to: 'float32' }, [2, 3]],
  Identity: () => [[2, 3], {}, {}, [2, 3]],
  Slice: (opset) => [[2, 3], ...moved(10, opset, { starts: [1], ends: [9], axes: [1] }), [2, 2]],
  Concat: () => [[2, 3], {}, { axis: 1 }, [2, 6]],
  Split: (opset) => {
    const [others, attributes] = moved(13, opset, { split: [1, 2] });
    return [[2, 3], others, { axis: 1, ...attributes }, [2, 1]];
  },
  Pad: (opset) => {
    const pads = [0, 1, 2, 0];
    return [[2, 3], ...(opset < 2 ? [{}, { paddings: pads }] : moved(11, opset, { pads })), [4, 4]];
  },
  Squeeze: (opset) => [[2, 1, 3], ...moved(13, opset, { axes: [1] }), [2, 3]],
  Unsqueeze: (opset) => [[2, 3], ...moved(13, opset, { axes: [1] }), [2, 1, 3]],
  Expand: () => [[2, 1, 3], { shape: [4, 1] }, {}, [2, 4, 3]],
  Tile: (opset) => [[2, 3], opset < 6 ? { tiles: 2, axis: 1 } : { repeats: [1, 2] }, {}, [2, 6]],
  DepthToSpace: () => [[1, 4, 1, 2], {}, { blocksize: 2 }, [1, 1, 2, 4]],
  SpaceToDepth: () => [[1, 1, 2, 4], {}, { blocksize: 2 }, [1, 4, 1, 2]],
  CenterCropPad: () => [[2, 3], { shape: [4, 1] }, {}, [4, 1]],
  Gather: () => [[2, 3], { indices: [1, 0, 1] }, { axis: 1 }, [2, 3]],
  GatherElements: () => [[2, 3], {}, { axis: 1 }, [2, 1]],
  GatherND: () => [[2, 3], { indices: [1] }, {}, [3]],
  Where: () => [[2, 3], {}, {}, [4, 2, 3]],
  ReverseSequence: () => [[2, 3], { sequence_lens: [1, 2, 0] }, {}, [2, 3]],
  Shape: () => [[2, 3], {}, {}, [2]],
  Size: () => [[2, 3], {}, {}, []],
  SequenceConstruct: () => [[2, 3], {}, {}, [2, 3]],
  SequenceEmpty: () => [[], {}, {}, null],
  SequenceAt: () => [[2, 3], { position: 1 }, {}, [2, 3]],
  SequenceInsert: () => [[2, 3], { position: 1 }, {}, [2, 3]],
  SequenceErase: () => [[2, 3], { position: 1 }, {}, [2, 3]],
  SequenceLength: () => [[2, 3], {}, {}, []],
  ConcatFromSequence: () => [[2, 3], {}, { axis: 1 }, [2, 6]],
  QuantizeLinear: () => [[2, 3], {}, {}, [2, 3]],
  DequantizeLinear: () => [[2, 3], {}, {}, [2, 3]],
  DynamicQuantizeLinear: () => [[2, 3], {}, {}, [2, 3]],
  Compress: () => [[2, 3], {}, { axis: 0 }, [1, 3]],
  EyeLike: () => [[2, 3], {}, { k: 1 }, [2, 3]],
  OneHot: () => [[2], {}, {}, [3, 4]],
  Range: () => [[], {}, {}, [1]],
  ScatterElements: () => [[2, 3], {}, { axis: 1 }, [2, 3]],
  ScatterND: () => [[2, 3], {}, {}, [2, 3]],
  Trilu: () => [[2, 3], {}, { upper: 0 }, [2, 3]],
};

/** The operators whose result is a sequence. */
export const givesSequence = [
  'SplitToSequence',
  'SequenceConstruct',
  'SequenceEmpty',
  'SequenceInsert',
  'SequenceErase',
];
/** The operators whose results are int64, whatever their inputs are. */
export const givesInt64 = ['Shape', 'Size', 'SequenceLength'];
/** The operators whose (first) result has a type of its own, whatever that of the first input is. */
export const givesType = { QuantizeLinear: 'uint8', DequantizeLinear: 'float32', DynamicQuantizeLinear: 'uint8' };
Object.assign(givesType, Object.fromEntries(givesInt64.map((operator) => [operator, 'int64'])));

/** Two tensors in a sequence, or what is known of them. */
const sequenceOf = (/** @type {any} */ x) => (x.data ? [x, x] : { ...x, sequence: true });

/** A scale of the type of x, where that may be a scale's: versions 19 and 21 want it so. */
function scaleFor({ type }, opset) {
  const numbers = type === 'int32' && opset >= 19 ? Int32Array : Float32Array;
  if (['float16', 'bfloat16'].includes(type)) return { type, data: Uint16Array.of(0x3c00), dims: [] };
  return { type: numbers === Int32Array ? type : 'float32', data: numbers.of(2), dims: [] };
}

const int64 = (dims, list) => ({ type: 'int64', data: BigInt64Array.from(list, BigInt), dims });
/** A tensor as x, whose codes are one number. */
const filledWith = ({ data, ...x }, code) =>
  data
    ? {
        ...x,
        data: Array.isArray(data) ? data : data.map((entry) => (typeof entry === 'bigint' ? BigInt(code) : code)),
      }
    : x;

/**
 * The inputs that hold the tensor, or what is known of it, where they are not the first one alone.
 * @type {Record<string, (x: any, opset: number) => object>}
 */
const inputsOf = {
  Concat: (x) => ({ inputs: [x, x] }),
  GatherElements: (x) => ({ data: x, indices: { type: 'int64', data: BigInt64Array.of(1n, -1n), dims: [2, 1] } }),
  Where: (x) => ({ condition: { type: 'bool', data: Uint8Array.of(1, 0, 1, 1), dims: [4, 1, 1] }, X: x, Y: x }),
  SequenceConstruct: (x) => ({ inputs: [x, x] }),
  SequenceEmpty: () => ({}),
  SequenceAt: (x) => ({ input_sequence: sequenceOf(x) }),
  SequenceInsert: (x) => ({ input_sequence: sequenceOf(x), tensor: x }),
  SequenceErase: (x) => ({ input_sequence: sequenceOf(x) }),
  SequenceLength: (x) => ({ input_sequence: sequenceOf(x) }),
  ConcatFromSequence: (x) => ({ input_sequence: sequenceOf(x) }),
  QuantizeLinear: (x, opset) => ({ x, y_scale: scaleFor(x, opset) }),
  DequantizeLinear: (x) => ({ x, x_scale: { type: 'float32', data: Float32Array.of(0.5), dims: [] } }),
  DynamicQuantizeLinear: (x) => ({ x }),
  Compress: (x) => ({ input: x, condition: { type: 'bool', data: Uint8Array.of(0, 1), dims: [2] } }),
  OneHot: (x) => ({ indices: int64([3], [0, 1, 2]), depth: int64([], [4]), values: x }),
  Range: (x) => ({ start: filledWith(x, 0), limit: filledWith(x, 1), delta: filledWith(x, 1) }),
  ScatterElements: (x) => ({ data: x, indices: int64([2, 3], [0, 1, 2, 2, 1, 0]), updates: x }),
  ScatterND: (x) => ({ data: x, indices: int64([2, 1], [1, 0]), updates: x }),
};

/** The attribute that names the type, of an operator that has one. */
export const typeOption = (/** @type {string} */ operator, /** @type {string} */ type) => {
  if (operator === 'Cast') return { to: type };
  return operator === 'SequenceEmpty' ? { dtype: type } : {};
};

const firstNames = { Reshape: 'data', Transpose: 'data', Slice: 'data', Pad: 'data', Squeeze: 'data' };
Object.assign(firstNames, { Unsqueeze: 'data', CenterCropPad: 'input_data', Gather: 'data', GatherND: 'data' });
Object.assign(firstNames, { Shape: 'data', Size: 'data' });

/**
 * @param {string} operator
 * @param {number} [opset]
 */
export function legal(operator, opset = 28) {
  const [dims, others, attributes, result] = calls[operator](opset);
  const first = firstNames[operator] ?? 'input';
  const own = inputsOf[operator];
  const inputs = (/** @type {any} */ x) => (own ? own(x, opset) : { [first]: x });
  // Some extents depend on elements, or on the length of a sequence.
  const unknown = { ConcatFromSequence: [2, null], Compress: [null, 3], Range: [null], OneHot: [3, null] };
  const inferred = unknown[operator] ?? result;
  return { dims, inputs, others, attributes, result, inferred };
}

/** The versions of which ONNX infers no shape. */
export const infersNoShape = (operator, opset) =>
  (opset === 1 && ['Split', 'Pad', 'Tile'].includes(operator)) || (operator === 'Concat' && opset < 4);
