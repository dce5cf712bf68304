/** The wasm memory is bounded: its size does not depend on the tensors'. */
import { test, expect } from '@jest/globals';
import { imageToTensor, init, pack, splitToSequence, transpose, unpack } from 'onnx-layout';

/** Every WebAssembly.Memory that comes into being while `load` runs, be it imported or exported by the module. */
async function memoriesOf(load) {
  const memories = new Set();
  const note = (value) => void (Object.prototype.toString.call(value) === '[object WebAssembly.Memory]' && memories.add(value));
  const { Instance, Memory, instantiate } = WebAssembly;
  const seen = (instance) => {
    Object.values(instance.exports).forEach(note);
    return instance;
  };
  WebAssembly.Instance = function (...args) { return seen(new Instance(...args)); };
  WebAssembly.Memory = function (...args) {
    const memory = new Memory(...args);
    note(memory);
    return memory;
  };
  WebAssembly.instantiate = async (...args) => {
    const result = await instantiate(...args);
    seen(result.instance ?? result);
    return result;
  };
  try {
    await load();
  } finally {
    Object.assign(WebAssembly, { Instance, Memory, instantiate });
  }
  return [...memories];
}

test('a tensor of 96 MB moves through the memory that one of 1 MB needs', async () => {
  const memories = await memoriesOf(() => init());
  expect(memories.length).toBe(1);
  const size = () => memories[0].buffer.byteLength;

  const move = (type, array, dims, perm) => {
    const length = dims.reduce((a, b) => a * b) / (type === 'int4' ? 2 : 1);
    transpose({ type, data: new array(length), dims }, { perm });
    splitToSequence({ type, data: new array(length), dims }, [dims[1] - 1, 1], { axis: 1, strict: false });
  };
  const all = (factor) => {
    move('uint8', Uint8Array, [1024 * factor, 1024], [1, 0]);
    move('int4', Uint8Array, [1024, 2048 * factor], [1, 0]);
    move('float32', Float32Array, [512, 512 * factor], [1, 0]);
    move('float32', Float32Array, [16, 16, 16 * factor, 64], [3, 2, 1, 0]);
    move('float64', Float64Array, [4, 32 * 1024 * factor], [1, 0]);
    imageToTensor({ data: new Uint8Array(1024 * 1024 * factor), width: 1024, height: 256 * factor, channels: 4 }, { type: 'float16' });
    unpack('int4', pack('int4', new Int8Array(1024 * 1024 * factor)), 1024 * 1024 * factor);
  };
  all(1);
  const afterSmall = size();
  all(96);
  expect(size()).toBe(afterSmall);
  expect(size()).toBeLessThan(24 * 1024 * 1024);
});
