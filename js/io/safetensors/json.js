/** Objects in JSON, and their members as they are spelled: JSON.parse drops names that are repeated. */
import { rangeError, show } from '../../arguments/index.js';

/** Parses the JSON of an object, and refuses any other text.
 * @type {(argument: string, text: string) => Record<string, any>} */
export function parseObject(argument, text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    rangeError(`${argument} must be JSON, got ${show(text)}`);
  }
  if (!isRecord(value)) rangeError(`${argument} must be an object, got ${show(text)}`);
  return value;
}

/** @type {(value: unknown) => boolean} */
export const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Yields the members of an object in JSON: each name decoded, each value as the text spells it. `text` is valid JSON;
 * one that is no object yields nothing. A generator, because a hostile header may have millions of members.
 * @type {(text: string) => Generator<[name: string, value: string]>} */
export function* membersOf(text) {
  if (!/^\s*\{/.test(text)) return;
  let open = text.indexOf('"');
  while (open >= 0) {
    const nameEnd = endOfString(text, open);
    const start = text.indexOf(':', nameEnd) + 1;
    const end = endOfValue(text, start);
    const quoted = text.slice(open, nameEnd);
    const name = quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1);
    yield [name, text.slice(start, end)];
    open = text.indexOf('"', end); // of the next name
  }
}

/** Finds the place behind the closing quote, which valid JSON has, of the string that begins at `open`.
 * @type {(text: string, open: number) => number} */
function endOfString(text, open) {
  let close = text.indexOf('"', open + 1);
  while (isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close + 1;
}

/** Whether an odd number of backslashes stands in front of a character of a string.
 * @type {(text: string, at: number) => boolean} */
function isEscaped(text, at) {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

/** Finds the place of the comma or bracket behind the value that begins at `start`.
 * @type {(text: string, start: number) => number} */
function endOfValue(text, start) {
  let depth = 0;
  for (let at = start; ; at++) {
    const character = text[at];
    // The loop itself steps over the closing quote.
    if (character === '"') at = endOfString(text, at) - 1;
    else if (depth === 0 && (character === ',' || character === '}')) return at;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
  }
}
