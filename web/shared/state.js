/**
 * The state of a panel as a query string. Each panel declares its fields; the address has those that differ from their
 * initial values. No DOM.
 */

/**
 * How one entry of a state is read and written.
 * @typedef {object} Field
 * @property {any} initial
 * @property {(text: string) => any} parse gives undefined for text that is no value
 * @property {(value: any) => string} print
 */

/** @type {(initial: string, options: readonly string[]) => Field} */
export const oneOf = (initial, options) => ({
  initial,
  parse: (text) => (options.includes(text) ? text : undefined),
  print: String,
});

/** @type {(initial: number, least: number, most: number) => Field} */
export const whole = (initial, least, most) => ({
  initial,
  parse: (text) =>
    /^-?\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined,
  print: String,
});

/** @type {(initial: boolean) => Field} */
export const flag = (initial) => ({
  initial,
  parse: (text) => ({ 0: false, 1: true })[text],
  print: (value) => String(Number(value)),
});

/**
 * Text of at most `most` characters.
 * @type {(initial: string, most?: number) => Field}
 */
export const text = (initial, most = 200) => ({
  initial,
  parse: (given) => (given.length <= most ? given : undefined),
  print: String,
});

/**
 * Whole numbers from `least` to `greatest`, separated by commas; at most `most` of them.
 * @type {(initial: readonly number[], most: number, least: number, greatest: number) => Field}
 */
export const wholes = (initial, most, least, greatest) => ({
  initial: [...initial],
  parse: (given) => {
    const list = given === '' ? [] : given.split(',').map((entry) => whole(0, least, greatest).parse(entry.trim()));
    return list.length <= most && !list.includes(undefined) ? list : undefined;
  },
  print: (list) => list.join(','),
});

/**
 * The state that a query string asks for. A field that it lacks, or that it has wrong, gets its initial value.
 * @param {Record<string, Field>} fields
 * @param {URLSearchParams} query
 */
export function readState(fields, query) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { initial, parse }]) => {
      const given = query.get(name);
      return [name, (given === null ? undefined : parse(given)) ?? structuredClone(initial)];
    }),
  );
}

/**
 * The query string of a state, without the fields that have their initial values.
 * @param {Record<string, Field>} fields
 * @param {Record<string, any>} state
 * @param {string} panel
 */
export function writeState(fields, state, panel) {
  const entries = Object.entries(fields).map(([name, { initial, print }]) => [
    name,
    print(state[name]),
    print(initial),
  ]);
  const query = new URLSearchParams([
    ['panel', panel],
    ...entries.filter(([, now, first]) => now !== first).map(([name, now]) => [name, now]),
  ]);
  // Commas need no escape in a query, and people read addresses.
  return `?${String(query).replaceAll('%2C', ',')}`;
}
