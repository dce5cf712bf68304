/** Replaces properties of objects of transformers.js in place, and puts them back. A patch is such a replacement. */

/** The own properties that patched objects had before, by object and name: undefined where there was none.
 * @type {WeakMap<object, Map<string, PropertyDescriptor | undefined>>} */
const originals = new WeakMap();

/** Replaces properties of an object by `values`, until {@link restore} puts back those from before the first patch.
 * @type {(object: object, values: Record<string, unknown>) => void} */
export function patch(object, values) {
  const before = originals.get(object) ?? new Map();
  originals.set(object, before);
  for (const [name, value] of Object.entries(values)) {
    if (!before.has(name)) before.set(name, Object.getOwnPropertyDescriptor(object, name));
    Object.defineProperty(object, name, { value, configurable: true, enumerable: false, writable: true });
  }
}

/** Puts back the properties that an object had before its first patch.
 * @type {(object: object) => void} */
export function restore(object) {
  for (const [name, descriptor] of originals.get(object) ?? []) {
    if (descriptor) Object.defineProperty(object, name, descriptor);
    else delete (/** @type {Record<string, unknown>} */ (object)[name]);
  }
  originals.delete(object);
}

/** Gives the value that a property of an object, own or inherited, would have without patches; undefined if none.
 * @type {(object: unknown, name: string) => any} */
export function originalOf(object, name) {
  for (let holder = object; holder; holder = Object.getPrototypeOf(holder)) {
    const before = originals.get(holder);
    const descriptor = before?.has(name) ? before.get(name) : Object.getOwnPropertyDescriptor(holder, name);
    // A getter runs on the object itself, not on the holder.
    if (descriptor) return descriptor.get ? descriptor.get.call(object) : descriptor.value;
  }
  return undefined;
}

/** The names of the patched properties of an object, without inherited ones.
 * @type {(object: object) => string[]} */
export const patchedNames = (object) => [...(originals.get(object)?.keys() ?? [])];

/** Objects that one `usePython` patched: held weakly, so that a pipeline that nobody uses is freed. */
export class PatchedObjects {
  /** @type {Set<WeakRef<object>>} */
  #objects = new Set();

  /** Replaces properties of an object by `values`, and remembers the object.
   * @type {(object: object, values: Record<string, unknown>) => void} */
  patch(object, values) {
    // An object that is patched already is remembered by the `usePython` that patched it first.
    if (!originals.has(object)) this.#objects.add(new WeakRef(object));
    patch(object, values);
  }

  /** Takes the patches off all objects that are still in use. */
  restoreAll() {
    for (const reference of this.#objects) {
      const object = reference.deref();
      if (object) restore(object);
    }
    this.#objects.clear();
  }
}
