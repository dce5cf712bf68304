/** A model to MatMulBnb4, with the nodes and names of onnxruntime's MatMulBnb4Quantizer. */
import { rangeError, show } from '../../arguments/index.js';
import { blockRanges, bnb4Bytes, numbersAs } from '../../engines/tensors/index.js';
import { dtypes, sizeOf } from '../../tensor/index.js';
import * as attributes from '../model/attributes.js';
import { dropUnused, importMicrosoft, liftConstants, microsoft, newNode } from '../model/edit.js';
import { eachGraph, holderOf } from '../model/walk.js';
import { checkNodeNames, isNamedIn } from '../read-choice.js';

/** @import { TypedArray } from '../../arguments/types.js' */
/** @import { Graph, Node, Weight } from '../model/types.js' */
/** @import { Elements } from '../../weights/types.js' */
/** @import { Choice, ReportRow, Step, ReadPass } from '../types.js' */

/** The attribute quant_type of MatMulBnb4, as onnxruntime numbers it. */
const quantTypes = { fp4: 0, nf4: 1 };

/** The step that replaces MatMul nodes of a float matrix by MatMulBnb4 with packed weights.
 * @type {(choice: Choice) => Step} */
export const bnb4Step = (choice) => ({
  apply(model, report) {
    checkNodeNames(choice.float32, model);
    liftConstants(model);
    /** @type {Map<Weight, PackedWeight>} */
    const packed = new Map();
    for (const graph of choice.subgraphs ? eachGraph(model.graph) : [model.graph])
      graph.nodes = graph.nodes.map((node) => replaceNode(choice, graph, node, packed, report));
    dropUnused(model.graph);
    importMicrosoft(model);
    return { isChanged: packed.size > 0, passes: Array.from(packed.values(), (weight) => weight.readPass()) };
  },
});

/** Makes the MatMulBnb4 that replaces a MatMul of a float matrix, and adds its packed weights to the initializers of
 * the graph that has the matrix. Gives other nodes as they are. `packed` keeps weights for all nodes that use them.
 * @type {(choice: Choice, graph: Graph, node: Node, packed: Map<Weight, PackedWeight>, report: ReportRow[]) =>
 *   Node} */
function replaceNode({ float32, blockSize, bnb4 }, graph, node, packed, report) {
  const { name, operator, domain, outputs } = node;
  if (operator !== 'MatMul' || domain !== '') return node;
  /** Reports why the node stays. */
  const keep = (/** @type {string} */ reason) => {
    report.push({ node: name || outputs[0], from: 'float32', to: 'float32', reason });
    return node;
  };
  if (isNamedIn(float32, node)) return keep('asked for');
  const [a, b] = node.inputs;
  const holder = holderOf(graph, b);
  const weight = holder?.initializers.get(b);
  const isFloat = weight?.dtype === dtypes.float32 || weight?.dtype === dtypes.float16;
  if (!holder || !weight || !isFloat) return keep('the weights are no float initializer');
  if (weight.dims.length !== 2) return keep('the weights are no matrix');
  const packedWeight = packed.get(weight) ?? new PackedWeight(weight, blockSize, bnb4);
  const isFirstUse = !packed.has(weight);
  if (isFirstUse) {
    packed.set(weight, packedWeight);
    for (const initializer of packedWeight.initializers()) holder.initializers.set(initializer.name, initializer);
    report.push({ value: weight.name, from: weight.dtype.name, to: bnb4 });
  }
  const [rows, columns] = weight.dims;
  const numbers = { K: rows, N: columns, block_size: blockSize, quant_type: quantTypes[bnb4] };
  return newNode('MatMulBnb4', [a, ...packedWeight.names], outputs, {
    name: name && `${name}_Bnb4`,
    domain: microsoft,
    attributes: Object.entries(numbers).map(([key, value]) => attributes.int(key, value)),
  });
}

const codesInByte = 2;

/** @type {(elements: number) => number} */
const codeBytes = (elements) => Math.ceil(elements / codesInByte);

const transposedAxes = [1, 0];

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

  /** @type {(data: TypedArray) => Float32Array} */
  numbersOf(data) {
    return numbersAs(this.weight.dtype, dtypes.float32, data.length, data);
  }

  /** Makes the pass over the transposed matrix that computes the largest magnitude of each block.
   * @type {() => ReadPass} */
  readPass() {
    const { weight, largest, block } = this;
    let visited = 0;
    return {
      weight,
      perm: transposedAxes,
      /** Pieces come in order, but may end within a block: the rest of that block goes first, then the other blocks. */
      visit: (data) => {
        const numbers = this.numbersOf(data);
        const restOfBlock = (block - (visited % block)) % block;
        const headLength = Math.min(restOfBlock, numbers.length);
        const [head, tail] = [numbers.subarray(0, headLength), numbers.subarray(headLength)];
        for (const run of [head, tail]) {
          if (run.length > 0) this.raiseLargest(run, Math.floor(visited / block));
          visited += run.length;
        }
      },
      finish: () => {
        if (weight.dtype !== dtypes.float32)
          this.stored.set(numbersAs(dtypes.float32, weight.dtype, largest.length, largest));
      },
    };
  }

  /** Raises the largest magnitudes to those of `numbers`, which are blocks from `firstBlock` on or a part of that one.
   * @type {(numbers: Float32Array, firstBlock: number) => void} */
  raiseLargest(numbers, firstBlock) {
    const ranges = blockRanges(numbers, [1, numbers.length], this.block);
    if (!ranges) rangeError(`weights ${show(this.weight.name)} must hold finite numbers, got NaN or an infinity`);
    const blocks = ranges.length / 2;
    for (let i = 0; i < blocks; i++) {
      const [low, high] = [ranges[2 * i], ranges[2 * i + 1]];
      const blockIndex = firstBlock + i;
      this.largest[blockIndex] = Math.max(this.largest[blockIndex], -low, high);
    }
  }

  /** Gives two initializers: codes, made when they are written, and the magnitudes that `readPass` fills.
   * @type {() => Weight[]} */
  initializers() {
    const { weight, size, stored } = this;
    const [codesName, largestName] = this.names;
    return [
      {
        name: codesName,
        dtype: dtypes.uint8,
        dims: [codeBytes(size)],
        content: {
          kind: 'derived',
          source: weight,
          perm: transposedAxes,
          inMemory: (data) => this.encode(data, 0),
          open: (source) => this.open(source),
        },
      },
      { name: largestName, dtype: weight.dtype, dims: [stored.length], content: { kind: 'memory', data: stored } },
    ];
  }

  /** Makes the codes of `data`: elements of the transposed matrix, from the first one of `firstBlock` on.
   * @type {(data: TypedArray, firstBlock: number) => Uint8Array} */
  encode(data, firstBlock) {
    const codes = new Uint8Array(codeBytes(data.length));
    bnb4Bytes(this.numbersOf(data), this.block, this.isFp4, this.largest.subarray(firstBlock), codes);
    return codes;
  }

  /** Gives the codes as a tensor of bytes that are made when they are read. `source`: the transposed matrix.
   * @type {(source: Elements) => Elements} */
  open(source) {
    const { size, block } = this;
    const [, rowLength] = source.dims;
    return {
      // The only axis has its elements side by side in the file, of 8 bits each.
      dtype: dtypes.uint8,
      dims: [codeBytes(size)],
      contiguousAxis: 0,
      widestBits: 8,
      readBox: async ({ first: [firstByte], counts: [byteCount] }, data, work) => {
        const endByte = firstByte + byteCount;
        // All blocks that have elements of the piece are encoded whole, because a block has one scale.
        const firstBlock = Math.floor((firstByte * codesInByte) / block);
        const endBlock = Math.ceil((endByte * codesInByte) / block);
        const from = firstBlock * block;
        const to = Math.min(size, endBlock * block);
        const firstRow = Math.floor(from / rowLength);
        const rowCount = Math.ceil(to / rowLength) - firstRow;
        const box = { first: [firstRow, 0], counts: [rowCount, rowLength], steps: [1, 1] };
        const rows = work.bufferFor(this, source.dtype, rowCount * rowLength);
        await source.readBox(box, rows, work);
        const rowsStart = firstRow * rowLength;
        const codes = this.encode(rows.subarray(from - rowsStart, to - rowsStart), firstBlock);
        // Blocks have even sizes, so this is a whole number.
        const firstEncodedByte = from / codesInByte;
        const skippedBytes = firstByte - firstEncodedByte;
        data.set(codes.subarray(skippedBytes, skippedBytes + byteCount));
      },
    };
  }
}
