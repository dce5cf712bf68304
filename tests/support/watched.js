/** Arguments that note which of their properties are read. */

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
/** The names of all properties and methods of typed arrays and of Maps. */
const members = { array: [...Reflect.ownKeys(typedArray), 'BYTES_PER_ELEMENT'], map: Reflect.ownKeys(Map.prototype) };

/**
 * Makes a typed array or a Map note in `reads` which of its members are read by name. An own property hides the member
 * of the class, and could answer anything.
 * @template {object} T
 * @param {T} object
 * @param {string[]} reads
 * @param {string} name of the object in `reads`
 * @returns {T}
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

const isPlain = (value) =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !(value instanceof Map);

/**
 * A copy of a value that notes in `reads` the path of each property that is read, at any depth.
 * @param {any} value
 * @param {string[]} reads
 * @param {string} path of the value
 * @returns {any}
 */
export function watched(value, reads, path) {
  if (ArrayBuffer.isView(value)) return spied(value.slice(), reads, path);
  if (value instanceof Map)
    return spied(
      new Map(Array.from(value, ([key, entry]) => [key, watched(entry, reads, `${path} ${key}`)])),
      reads,
      path,
    );
  if (!isPlain(value)) return value;
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
 * The paths of all properties that a value has, at any depth, except the members of typed arrays and Maps, which
 * nothing may read by name.
 * @param {any} value
 * @param {string} path of the value
 * @returns {string[]}
 */
export function pathsOf(value, path) {
  if (value instanceof Map) return Array.from(value).flatMap(([key, entry]) => pathsOf(entry, `${path} ${key}`));
  if (!isPlain(value)) return [];
  const own = Object.keys(value).flatMap((key) => [`${path}.${key}`, ...pathsOf(value[key], `${path}.${key}`)]);
  return Array.isArray(value) ? [`${path}.length`, ...own] : own;
}
