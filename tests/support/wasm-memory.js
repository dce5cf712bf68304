/** The wasm module's memory, of which the package itself gives no hold. */

/** Every WebAssembly.Memory that comes into being while `load` runs, be it imported or exported by the module. */
export async function memoriesOf(load) {
  const memories = new Set();
  const note = (value) =>
    void (Object.prototype.toString.call(value) === '[object WebAssembly.Memory]' && memories.add(value));
  const { Instance, Memory, instantiate } = WebAssembly;
  const seen = (instance) => {
    Object.values(instance.exports).forEach(note);
    return instance;
  };
  WebAssembly.Instance = function (...args) {
    return seen(new Instance(...args));
  };
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
