/** Classes by the model types of `config.json`. */

/** @type {(type: string) => string} */
const plain = (type) => type.toLowerCase().replace(/[-_.]/g, '');

/**
 * A class's own name is a model type, in any case and with any signs between its letters.
 * @type {(names: readonly string[], others: Record<string, string>) => (type: unknown) => string | undefined} `others`:
 *   the further types of a class
 */
export function classesByType(names, others) {
  const classes = new Map(
    names.flatMap((name) => [name, ...(others[name]?.split(' ') ?? [])].map((type) => [plain(type), name])),
  );
  return (type) => (typeof type === 'string' ? classes.get(plain(type)) : undefined);
}
