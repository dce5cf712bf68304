/** Arguments that note what they are asked for. */

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
/** Everything that one can ask a typed array or a Map for by name. */
const members = { array: [...Reflect.ownKeys(typedArray), 'BYTES_PER_ELEMENT'], map: Reflect.ownKeys(Map.prototype) };

/** Lets a typed array or a Map note in `reads` what it is asked for by name: an own property hides the class' member, and could answer anything. */
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

/** A copy of a value that notes in `reads` the path of each property that is read, its own parts' too. */
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

/** The paths of all that a value has: what is read of it where each property is read once. Of typed arrays and Maps there is nothing to be asked by name. */
export function pathsOf(value, path) {
  if (value instanceof Map) return Array.from(value).flatMap(([key, entry]) => pathsOf(entry, `${path} ${key}`));
  if (!isPlain(value)) return [];
  const own = Object.keys(value).flatMap((key) => [`${path}.${key}`, ...pathsOf(value[key], `${path}.${key}`)]);
  return Array.isArray(value) ? [`${path}.length`, ...own] : own;
}
