/** Classes by the model types of `config.json`. */

/** @type {(type: string) => string} */
const plain = (type) => type.toLowerCase().replace(/[-_.]/g, '');

/**
 * Makes a function that finds a class by a model type: its own name, in any case and with any signs between its
 * letters, unless the type is another's; or one of its further types in `others`.
 * @type {(names: readonly string[], others: Record<string, string>) => (type: unknown) => string | undefined}
 */
export function classesByType(names, others) {
  const further = names.flatMap((name) => (others[name]?.split(' ') ?? []).map((type) => [type, name]));
  const classes = new Map(
    [...names.map((name) => [name, name]), ...further].map(([type, name]) => [plain(type), name]),
  );
  return (type) => (typeof type === 'string' ? classes.get(plain(type)) : undefined);
}
