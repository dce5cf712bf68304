/** Classes by the model types of `config.json`. */

/** @type {(type: string) => string} a name in lower case, without hyphens, underscores and dots */
const plain = (type) => type.toLowerCase().replace(/[-_.]/g, '');

/**
 * Makes a function that finds the class in `names` for a model type, and gives undefined for an unknown one. A type
 * belongs to the class of the same name, unless `others` lists it for another class: there, each class has one text of
 * types with spaces between. Case, hyphens, underscores and dots do not count.
 * @type {(names: readonly string[], others: Record<string, string>) => (type: unknown) => string | undefined}
 */
export function classesByType(names, others) {
  /** @type {Map<string, string>} */
  const classes = new Map();
  for (const name of names) classes.set(plain(name), name);
  // Set after the names, so that a listed type takes the place of an equal name.
  for (const name of names) for (const type of others[name]?.split(' ') ?? []) classes.set(plain(type), name);
  return (type) => (typeof type === 'string' ? classes.get(plain(type)) : undefined);
}
