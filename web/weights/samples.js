/** Sample files, made in the worker, by functions of the package that are handed in. No DOM. */

/**
 * The functions that make the samples.
 * @typedef {Pick<typeof import('onnx-layout/io'), 'Entry' | 'saveModel' | 'saveNpy' | 'saveSafetensors'>} Package
 */
/** @typedef {{ type: 'float32', data: Float32Array, dims: number[] }} Filled */

/** Normally distributed numbers, the same ones each time. */
function normal(seed) {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** @type {(dims: number[], value: (i: number) => number) => Filled} */
function filled(dims, value) {
  const length = dims.reduce((product, extent) => product * extent, 1);
  return { type: 'float32', data: Float32Array.from({ length }, (_, i) => value(i)), dims };
}

/** Weights as layers are initialized: smaller where the input is wider. */
function weights(dims, seed) {
  const next = normal(seed);
  return filled(dims, () => next() / Math.sqrt(dims[0]));
}

// protobuf: a field is its number and its kind, then a whole number, or a length and bytes.
const varint = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
const whole = (number, value) => [...varint(number << 3), ...varint(value)];
const messageOf = (number, fields) => {
  const bytes = fields.flat();
  return [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes];
};
const message = (number, ...fields) => messageOf(number, fields);
const string = (number, value) => message(number, [...new TextEncoder().encode(value)]);

const valueInfo = (number, name, type, dims) =>
  message(
    number,
    string(1, name),
    message(
      2,
      message(
        1,
        whole(1, type),
        messageOf(
          2,
          dims.map((dim) => message(1, dim)),
        ),
      ),
    ),
  );
const named = (name) => string(2, name);
const extent = (value) => whole(1, value);

const node = (type, name, inputs, attributes = []) =>
  messageOf(1, [
    ...inputs.map((input) => string(1, input)),
    string(2, `${name}.out`),
    string(3, name),
    string(4, type),
    ...attributes,
  ]);
const ints = (name, list) => messageOf(5, [string(1, name), ...list.map((value) => whole(8, value)), whole(20, 7)]);

/** The nodes of a layer of a transformer with one head. */
function layerNodes(layer, input) {
  const at = (name) => `${layer}.${name}`;
  const linear = (name, from) => node('MatMul', at(name), [from, at(`${name}.weight`)]);
  return [
    linear('attention.query', input),
    linear('attention.key', input),
    linear('attention.value', input),
    node('Transpose', at('attention.turned'), [at('attention.key.out')], [ints('perm', [0, 2, 1])]),
    node('MatMul', at('attention.scores'), [at('attention.query.out'), at('attention.turned.out')]),
    node('Softmax', at('attention.shares'), [at('attention.scores.out')]),
    node('MatMul', at('attention.mixed'), [at('attention.shares.out'), at('attention.value.out')]),
    linear('attention.output', at('attention.mixed.out')),
    node('Add', at('attention.sum'), [input, at('attention.output.out')]),
    linear('mlp.up', at('attention.sum.out')),
    node('Relu', at('mlp.relu'), [at('mlp.up.out')]),
    linear('mlp.down', at('mlp.relu.out')),
    node('Add', at('mlp.sum'), [at('attention.sum.out'), at('mlp.down.out')]),
  ];
}

const [width, words, layers] = [128, 1000, 2];
const ir = 10;
const opset = 21;
const [float32, int64] = [1, 7];

/**
 * A transformer's encoder, whose MatMul and Gather nodes have constant weights.
 * @param {Package} given
 */
async function encoder({ saveModel }) {
  const nodes = [node('Gather', 'embeddings', ['embeddings.weight', 'ids'])];
  const tensors = new Map([['embeddings.weight', weights([words, width], 1)]]);
  let input = 'embeddings.out';
  for (let i = 0; i < layers; i++) {
    const layer = `layers.${i}`;
    for (const one of layerNodes(layer, input)) nodes.push(one);
    ['query', 'key', 'value', 'output'].forEach((name, j) =>
      tensors.set(`${layer}.attention.${name}.weight`, weights([width, width], 10 * i + j + 2)),
    );
    tensors.set(`${layer}.mlp.up.weight`, weights([width, 4 * width], 10 * i + 6));
    tensors.set(`${layer}.mlp.down.weight`, weights([4 * width, width], 10 * i + 7));
    input = `${layer}.mlp.sum.out`;
  }
  const tokens = [named('batch'), named('tokens')];
  const graph = [
    ...nodes,
    string(2, 'encoder'),
    valueInfo(11, 'ids', int64, tokens),
    valueInfo(12, input, float32, [...tokens, extent(width)]),
  ];
  const bytes = Uint8Array.from([...whole(1, ir), ...message(8, whole(2, opset)), ...messageOf(7, graph)]);
  return (await saveModel(bytes, tensors)).model;
}

/**
 * Tensors of several types: half of them zero, or with a NaN and an infinity.
 * @param {Package} given
 */
function mixed({ Entry, saveSafetensors }) {
  const stored = (tensor, type) => new Entry(tensor).cast(type);
  const tensors = new Map([['model.embed.weight', stored(weights([512, 64], 1), 'bfloat16')]]);
  for (let i = 0; i < 12; i++) {
    const dense = weights([64, 64], i + 2);
    // Half of all normally distributed numbers are nearer to zero than 0.674 of their deviation, which is 1/8.
    const kept = filled([64, 64], (j) => (Math.abs(dense.data[j]) < 0.674 / 8 ? 0 : dense.data[j]));
    const next = normal(i + 20);
    const bias = filled([64], (j) => (i === 11 ? [NaN, Infinity][j] : undefined) ?? next() / 10);
    tensors.set(`model.layers.${i}.mlp.weight`, stored(kept, 'float16'));
    tensors.set(`model.layers.${i}.mlp.bias`, bias);
  }
  tensors.set('head.weight', stored(weights([64, 256], 40), 'float8e4m3fn'));
  tensors.set('steps', { type: 'int64', data: BigInt64Array.of(20_000n), dims: [] });
  return saveSafetensors(tensors);
}

/**
 * Numbers of one tensor.
 * @param {Package} given
 */
function wave({ saveNpy }) {
  const side = 256;
  const value = (i) => Math.sin((i % side) / 12) * Math.cos(Math.floor(i / side) / 20) + i / side ** 2;
  return saveNpy(filled([side, side], value));
}

const makers = { 'encoder.onnx': encoder, 'mixed.safetensors': mixed, 'wave.npy': wave };

/**
 * @param {string} name one of `sampleNames`
 * @param {Package} given
 * @returns {Promise<File>}
 */
export async function sampleFile(name, given) {
  const parts = [];
  for await (const bytes of await makers[name](given)) parts.push(bytes);
  return new File(parts, name);
}
