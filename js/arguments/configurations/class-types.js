/** Classes by the model types of `config.json`. */

/** @type {(type: string) => string} a name in lower case, without hyphens, underscores and dots */
const plain = (type) => type.toLowerCase().replace(/[-_.]/g, '');

/**
 * Makes a function that finds the name of a class by a model type, in any case, with or without hyphens, underscores
 * and dots. The type is the class's name, or one of its further types: `others` lists these by class, in one text. A
 * type that is a class's name but another one's further type belongs to the latter.
 * @type {(names: readonly string[], others: Record<string, string>) => (type: unknown) => string | undefined}
 */
export function classesByType(names, others) {
  const further = names.flatMap((name) => (others[name]?.split(' ') ?? []).map((type) => [type, name]));
  // Further types come last, so that they replace names.
  const classes = new Map(
    [...names.map((name) => [name, name]), ...further].map(([type, name]) => [plain(type), name]),
  );
  return (type) => (typeof type === 'string' ? classes.get(plain(type)) : undefined);
}
