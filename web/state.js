/** What is shown, as a query string: each panel declares its fields, and what differs from their defaults stands in the address. No DOM. */

/**
 * How one entry of a state is read and written.
 * @typedef {object} Field
 * @property {any} initial
 * @property {(text: string) => any} parse undefined for text that does not stand for a value
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

/** @type {(initial: string, most?: number) => Field} `most`: characters */
export const text = (initial, most = 200) => ({
  initial,
  parse: (given) => (given.length <= most ? given : undefined),
  print: String,
});

/** Whole numbers, separated by commas. @type {(initial: readonly number[], most: number, least: number, greatest: number) => Field} `most`: entries */
export const wholes = (initial, most, least, greatest) => ({
  initial: [...initial],
  parse: (given) => {
    const list = given === '' ? [] : given.split(',').map((entry) => whole(0, least, greatest).parse(entry.trim()));
    return list.length <= most && !list.includes(undefined) ? list : undefined;
  },
  print: (list) => list.join(','),
});

/**
 * The state that a query string asks for. What it does not say, or says wrongly, is as at first.
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
 * The query string of a state, without what is as at first.
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
  // Commas need no escape in a query, and addresses are there to be read.
  return `?${String(query).replaceAll('%2C', ',')}`;
}
