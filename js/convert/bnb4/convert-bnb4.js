/** A model to MatMulBnb4, with the nodes and names of onnxruntime's MatMulBnb4Quantizer. */
import { rangeError, show } from '../../arguments/index.js';
import { blockRanges, bnb4Bytes, numbersAs } from '../../engines/tensors/index.js';
import { dtypes, sizeOf } from '../../tensor/index.js';
import * as attributes from '../model/attributes.js';
import { dropUnused, importMicrosoft, liftConstants, microsoft, newNode } from '../model/edit.js';
import { eachGraph, holderOf } from '../model/walk.js';
import { checkNodeNames } from '../read-choice.js';

/** @import { TypedArray } from '../../arguments/types.js' */
/** @import { Graph, Node, Weight } from '../model/types.js' */
/** @import { Elements } from '../../weights/types.js' */
/** @import { Choice, ReportRow, Step, Survey } from '../types.js' */

/** The attribute quant_type of MatMulBnb4, as onnxruntime numbers it. */
const kinds = { fp4: 0, nf4: 1 };

/** Makes the step that replaces MatMul nodes by MatMulBnb4 with weights of 4 bits.
 * @type {(choice: Choice) => Step} */
export const bnb4Step = (choice) => ({
  /** Replaces the nodes, and adds to the report each MatMul that stays and each weight that is packed. Constant nodes
   * that hold weights become initializers first; initializers that nothing uses any more are dropped. */
  apply(model, report) {
    checkNodeNames(choice.float32, model);
    liftConstants(model);
    /** @type {Map<Weight, PackedWeight>} */
    const packed = new Map();
    for (const graph of choice.subgraphs ? eachGraph(model.graph) : [model.graph])
      graph.nodes = graph.nodes.map((node) => replaceNode(choice, graph, node, packed, report));
    dropUnused(model.graph);
    importMicrosoft(model);
    return { isChanged: packed.size > 0, surveys: Array.from(packed.values(), (weight) => weight.survey()) };
  },
});

/** Makes the MatMulBnb4 that replaces a MatMul of a float matrix, and adds its packed weights to the initializers of
 * the graph that has the matrix. `packed` keeps them for other nodes with the same matrix. Other nodes are given as
 * they are; the report says why a MatMul stays.
 * @type {(choice: Choice, graph: Graph, node: Node, packed: Map<Weight, PackedWeight>, report: ReportRow[]) =>
 *   Node} */
function replaceNode({ float32, blockSize, bnb4 }, graph, node, packed, report) {
  const { name, operator, domain, inputs, outputs } = node;
  if (operator !== 'MatMul' || domain !== '') return node;
  /** Reports why the node stays, and gives it. */
  const keep = (/** @type {string} */ reason) => {
    report.push({ node: name || outputs[0], from: 'float32', to: 'float32', reason });
    return node;
  };
  // `float32` has names of operators and nodes. A node without a name is not meant by an empty one.
  if (float32.has(operator) || (name !== '' && float32.has(name))) return keep('asked for');
  const holder = holderOf(graph, inputs[1]);
  const weight = holder?.initializers.get(inputs[1]);
  const isFloat = weight?.dtype === dtypes.float32 || weight?.dtype === dtypes.float16;
  if (!holder || !weight || !isFloat) return keep('the weights are no float initializer');
  if (weight.dims.length !== 2) return keep('the weights are no matrix');
  const weights = packed.get(weight) ?? new PackedWeight(weight, blockSize, bnb4);
  if (!packed.has(weight)) {
    packed.set(weight, weights);
    for (const packedWeight of weights.weights()) holder.initializers.set(packedWeight.name, packedWeight);
    report.push({ value: weight.name, from: weight.dtype.name, to: bnb4 });
  }
  const [rows, columns] = weight.dims;
  const numbers = { K: rows, N: columns, block_size: blockSize, quant_type: kinds[bnb4] };
  return newNode('MatMulBnb4', [inputs[0], ...weights.names], outputs, {
    ...{ name: name && `${name}_Bnb4`, domain: microsoft },
    attributes: Object.entries(numbers).map(([key, value]) => attributes.int(key, value)),
  });
}

/** A matrix as codes of 4 bits, two in a byte, and the largest magnitude of each block. A block is `block` elements of
 * the transposed matrix in their flat order, so it may have elements of two rows. `largest` has float32 magnitudes,
 * `stored` these in the type of the weights. */
class PackedWeight {
  /** @param {Weight} weight
   * @param {number} block
   * @param {'nf4' | 'fp4'} kind */
  constructor(weight, block, kind) {
    this.weight = weight;
    this.block = block;
    this.isFp4 = kind === 'fp4';
    this.size = sizeOf(weight.dims);
    this.largest = new Float32Array(Math.ceil(this.size / block));
    this.stored = weight.dtype === dtypes.float32 ? this.largest : new Uint16Array(this.largest.length);
    this.names = [`${weight.name}_Bnb4`, `${weight.name}_absmax`];
  }

  /** Converts elements of the weights to float32.
   * @type {(data: TypedArray) => Float32Array} */
  numbersOf(data) {
    return numbersAs(this.weight.dtype, dtypes.float32, data.length, data);
  }

  /** Makes the survey that finds the largest magnitude of each block, and refuses numbers that are not finite. It reads
   * the transposed matrix.
   * @type {() => Survey} */
  survey() {
    const { weight, largest, block } = this;
    /** How many elements earlier pieces had. */
    let done = 0;
    return {
      weight,
      perm: [1, 0],
      /** Finds the magnitudes of a piece. Pieces come in order, but may end within a block: what is left of that block
       * goes first, then the others. */
      visit: (data) => {
        const numbers = this.numbersOf(data);
        for (let from = 0; from < numbers.length;) {
          const head = (block - (done % block)) % block;
          const left = numbers.length - from;
          const count = head > 0 ? Math.min(head, left) : left;
          this.widen(numbers.subarray(from, from + count), Math.floor(done / block));
          from += count;
          done += count;
        }
      },
      /** Converts the magnitudes to the type of the weights. If that is float32, `stored` is `largest` itself. */
      finish: () => {
        if (weight.dtype !== dtypes.float32)
          this.stored.set(numbersAs(dtypes.float32, weight.dtype, largest.length, largest));
      },
    };
  }

  /** Raises the largest magnitudes to those of `numbers`. They are blocks from number `first` on, or a part of that
   * block.
   * @type {(numbers: Float32Array, first: number) => void} */
  widen(numbers, first) {
    const ranges = blockRanges(numbers, [1, numbers.length], this.block);
    if (!ranges) rangeError(`weights ${show(this.weight.name)} must hold finite numbers, got NaN or an infinity`);
    // Each block has a pair of its lowest and its highest number.
    for (let i = 0; 2 * i < ranges.length; i++)
      this.largest[first + i] = Math.max(this.largest[first + i], -ranges[2 * i], ranges[2 * i + 1]);
  }

  /** Makes the initializers of the codes, which are computed when they are written, and of the largest magnitudes,
   * which the survey fills.
   * @type {() => Weight[]} */
  weights() {
    const { weight, size, names, stored } = this;
    return [
      {
        ...{ name: names[0], dtype: dtypes.uint8, dims: [Math.ceil(size / 2)] },
        content: {
          ...{ kind: 'derived', source: weight, perm: [1, 0] },
          inMemory: (data) => this.encode(data, 0, size),
          open: (source) => this.open(source),
        },
      },
      { name: names[1], dtype: weight.dtype, dims: [stored.length], content: { kind: 'memory', data: stored } },
    ];
  }

  /** Makes the codes of elements `from` to before `to` of the transposed matrix, two in a byte. `from` is the first
   * element of a block, `data` has these elements.
   * @type {(data: TypedArray, from: number, to: number) => Uint8Array} */
  encode(data, from, to) {
    const codes = new Uint8Array(Math.ceil((to - from) / 2));
    bnb4Bytes(this.numbersOf(data), this.block, this.isFp4, this.largest.subarray(from / this.block), codes);
    return codes;
  }

  /** Makes the codes a tensor that is read piece by piece. `source`: the transposed matrix.
   * Its elements are bytes of two codes; `widest` is the bits of one.
   * @type {(source: Elements) => Elements} */
  open(source) {
    const { size, block } = this;
    const [, height] = source.dims;
    return {
      ...{ dtype: dtypes.uint8, dims: [Math.ceil(size / 2)], along: 0, widest: 8 },
      /** Writes `counts[0]` bytes of codes from byte `first[0]` on to `data`. */
      fill: async ({ first, counts }, data, work) => {
        // The whole blocks that have the elements of the piece, two a byte, and the rows of `source` that have these.
        const from = Math.floor((2 * first[0]) / block) * block;
        const to = Math.min(size, Math.ceil((2 * (first[0] + counts[0])) / block) * block);
        const top = Math.floor(from / height);
        const box = { first: [top, 0], counts: [Math.ceil(to / height) - top, height], steps: [1, 1] };
        const rows = work.buffer(this, source.dtype, box.counts[0] * height);
        await source.fill(box, rows, work);
        const codes = this.encode(rows.subarray(from - top * height, to - top * height), from, to);
        // The bytes of the piece, without those of elements before it in its first block. Blocks have even sizes, so
        // `from / 2` is a whole byte.
        data.set(codes.subarray(first[0] - from / 2, first[0] - from / 2 + counts[0]));
      },
    };
  }
}
