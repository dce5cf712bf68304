/** Classes by the model types of `config.json`. */

/** @type {(type: string) => string} a name in lower case, without hyphens, underscores and dots */
const plain = (type) => type.toLowerCase().replace(/[-_.]/g, '');

/**
 * Makes a function that finds a class by a model type, whatever its case, hyphens, underscores and dots: the class of
 * which it is a further type, or else the name. `others` lists the further types of each class in one text.
 * @type {(names: readonly string[], others: Record<string, string>) => (type: unknown) => string | undefined}
 */
export function classesByType(names, others) {
  /** @type {Map<string, string>} */
  const classes = new Map();
  for (const name of names) classes.set(plain(name), name);
  for (const name of names) for (const type of others[name]?.split(' ') ?? []) classes.set(plain(type), name);
  return (type) => (typeof type === 'string' ? classes.get(plain(type)) : undefined);
}
