/** JSON as Python's json module reads it: it writes NaN, Infinity and -Infinity, which JSON has no words for. */

/** A string, which may hold a word, or a word: NaN, Infinity, -Infinity. A string may lack its end: to look for that
 * from each quote would take quadratic time. */
const tokens = /"[^"\\]*(?:\\[^]?[^"\\]*)*(?:"|$)|NaN|-?Infinity/g;

/** Parses JSON, with Python's words for NaN and infinity. Throws a SyntaxError for anything that Python refuses.
 * @type {(text: string) => unknown} */
export function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Few texts have the words, so the slower way comes second.
    if (!/NaN|Infinity/.test(text)) throw error;
    return parseWords(text);
  }
}

/** Parses JSON with the words NaN, Infinity and -Infinity, which are replaced by JSON first: Infinity by a number that
 * overflows, NaN by an object with a key that the text does not hold, which becomes NaN once it is parsed. It is no
 * string, so that NaN in the place of a key is still refused.
 * @type {(text: string) => unknown} */
function parseWords(text) {
  let key = 'NaN';
  while (text.includes(key)) key += ' ';
  /** @type {Record<string, string>} */
  const spelled = { NaN: ` {"${key}":0} `, Infinity: ' 1e999 ', '-Infinity': ' -1e999 ' };
  const json = text.replace(tokens, (token) => (token.startsWith('"') ? token : spelled[token]));
  return JSON.parse(json, (_, value) => (hasKey(value, key) ? NaN : value));
}

/** @type {(value: unknown, key: string) => boolean} */
const hasKey = (value, key) => typeof value === 'object' && value !== null && Object.hasOwn(value, key);
