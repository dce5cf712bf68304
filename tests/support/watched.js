/** Arguments that note which of their properties are read. */

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
/** Everything that can be read by name from a typed array or a Map. */
const members = { array: [...Reflect.ownKeys(typedArray), 'BYTES_PER_ELEMENT'], map: Reflect.ownKeys(Map.prototype) };

/**
 * Makes a typed array or a Map note in `reads` what is read of it by name: an own property hides the class's member,
 * and could answer anything.
 * @param {any} object
 * @param {string[]} reads
 * @param {string} name
 * @returns {any} the object
 */
export function spied(object, reads, name) {
  for (const key of object instanceof Map ? members.map : members.array) {
    Object.defineProperty(object, key, {
      get() {
        reads.push(`${name}.${String(key)}`);
        return Reflect.get(Object.getPrototypeOf(object), key, object);
      },
    });
  }
  return object;
}

/** @type {(value: any) => boolean} */
const isPlain = (value) =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !(value instanceof Map);

/**
 * Copies a value into one that notes in `reads` the path of each property that is read, at any depth.
 * @param {any} value
 * @param {string[]} reads
 * @param {string} path
 * @returns {any}
 */
export function watched(value, reads, path) {
  if (ArrayBuffer.isView(value)) return spied(/** @type {Uint8Array} */ (value).slice(), reads, path);
  if (value instanceof Map)
    return spied(
      new Map(Array.from(value, ([key, entry]) => [key, watched(entry, reads, `${path} ${key}`)])),
      reads,
      path,
    );
  if (!isPlain(value)) return value;
  /** @type {any} */
  const copy = Array.isArray(value) ? [] : {};
  for (const key of Object.keys(value)) copy[key] = watched(value[key], reads, `${path}.${key}`);
  return new Proxy(copy, {
    get(object, key) {
      reads.push(`${path}.${String(key)}`);
      return object[key];
    },
  });
}

/**
 * The paths of all properties of a value, which are what is read of it where each property is read once. Nothing is
 * read by name of typed arrays and Maps.
 * @param {any} value
 * @param {string} path
 * @returns {string[]}
 */
export function pathsOf(value, path) {
  if (value instanceof Map) return Array.from(value).flatMap(([key, entry]) => pathsOf(entry, `${path} ${key}`));
  if (!isPlain(value)) return [];
  const own = Object.keys(value).flatMap((key) => [`${path}.${key}`, ...pathsOf(value[key], `${path}.${key}`)]);
  return Array.isArray(value) ? [`${path}.length`, ...own] : own;
}
