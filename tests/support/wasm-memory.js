/** The wasm module's memory, which the package itself does not hand out. */

/**
 * Every WebAssembly.Memory that is made while `load` runs, whether the module imports or exports it.
 * @param {() => Promise<unknown>} load
 * @returns {Promise<WebAssembly.Memory[]>}
 */
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
