/** JSON as Python's json module reads it: it writes NaN, Infinity and -Infinity, which JSON has no words for. */

/** Strings, which may hold the words, and the words. A string without an end is one too, so that time stays linear. */
const tokens = /"[^"\\]*(?:\\[^]?[^"\\]*)*(?:"|$)|NaN|-?Infinity/g;

/** Parses JSON, with Python's words for NaN and infinity. Throws a SyntaxError for anything that Python refuses.
 * @type {(text: string) => unknown} */
export function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!/NaN|Infinity/.test(text)) throw error;
    return parseWords(text);
  }
}

/** Parses JSON with NaN, Infinity and -Infinity. Numbers that overflow are infinite in JSON too. NaN becomes an object
 * of a key that the text does not hold, because an object, unlike a string, is no key of another.
 * @type {(text: string) => unknown} */
function parseWords(text) {
  let key = 'NaN';
  while (text.includes(key)) key += ' ';
  /** @type {Record<string, string>} */
  const spelled = { NaN: ` {"${key}":0} `, Infinity: ' 1e999 ', '-Infinity': ' -1e999 ' };
  const json = text.replace(tokens, (token) => (token.startsWith('"') ? token : spelled[token]));
  return JSON.parse(json, (_, value) => (isMarked(value, key) ? NaN : value));
}

/** @type {(value: unknown, key: string) => boolean} */
const isMarked = (value, key) => typeof value === 'object' && value !== null && Object.hasOwn(value, key);
