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
  Tile: ({ input, repeats, tiles, axis }, options) =>
    tiles === undefined ? layout.tile(input, repeats, options) : layout.tile(input, tiles, axis, options),
  DepthToSpace: ({ input }, options) => layout.depthToSpace(input, options),
  SpaceToDepth: ({ input }, options) => layout.spaceToDepth(input, options),
  CenterCropPad: ({ input_data, shape }, options) => layout.centerCropPad(input_data, shape, options),
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
};

const firstNames = { Reshape: 'data', Transpose: 'data', Slice: 'data', Pad: 'data', Squeeze: 'data' };
Object.assign(firstNames, { Unsqueeze: 'data', CenterCropPad: 'input_data' });

/**
 * @param {string} operator
 * @param {number} [opset]
 */
export function legal(operator, opset = 28) {
  const [dims, others, attributes, result] = calls[operator](opset);
  const first = firstNames[operator] ?? 'input';
  // Of Concat there are two.
  const inputs = (/** @type {any} */ x) => (operator === 'Concat' ? { inputs: [x, x] } : { [first]: x });
  return { dims, inputs, others, attributes, result };
}

/** The versions of which ONNX infers no shape. */
export const infersNoShape = (operator, opset) =>
  (opset === 1 && ['Split', 'Pad', 'Tile'].includes(operator)) || (operator === 'Concat' && opset < 4);
