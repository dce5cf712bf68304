/** Gets hold of the wasm module's memory, which the package itself does not hand out. */

/**
 * Finds every WebAssembly.Memory that is made while `load` runs, whether the module imports or exports it.
 * @param {() => Promise<void>} load
 * @returns {Promise<WebAssembly.Memory[]>}
 */
export async function memoriesOf(load) {
  /** @type {Set<WebAssembly.Memory>} */
  const memories = new Set();
  const note = (/** @type {any} */ value) =>
    void (Object.prototype.toString.call(value) === '[object WebAssembly.Memory]' && memories.add(value));
  /** @type {any} */
  const engine = WebAssembly;
  const { Instance, Memory, instantiate } = engine;
  const noteExports = (/** @type {WebAssembly.Instance} */ instance) => {
    Object.values(instance.exports).forEach(note);
    return instance;
  };
  engine.Instance = function (/** @type {unknown[]} */ ...args) {
    return noteExports(new Instance(...args));
  };
  engine.Memory = function (/** @type {unknown[]} */ ...args) {
    const memory = new Memory(...args);
    note(memory);
    return memory;
  };
  engine.instantiate = async (/** @type {unknown[]} */ ...args) => {
    const result = await instantiate(...args);
    noteExports(result.instance ?? result);
    return result;
  };
  try {
    await load();
  } finally {
    Object.assign(engine, { Instance, Memory, instantiate });
  }
  return [...memories];
}
