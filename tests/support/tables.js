/** Tables of tests as texts, where a list would take a line an entry. */

/** The words of a text. @type {(text: string) => string[]} */
export const words = (text) => text.trim().split(/\s+/);

/** Words in two parts: `int8:i1 bool:b1`. @type {(text: string) => [string, string][]} */
export const pairs = (text) => words(text).map((word) => /** @type {[string, string]} */ (word.split(':')));

/** Rows of JSON, a line each, without the outer brackets. @type {(text: string) => any[][]} */
export const rows = (text) => Array.from(text.trim().split('\n'), (line) => JSON.parse(`[${line}]`));

/** Lists of JSON in a line, without the outer brackets. @type {(text: string) => any[][]} */
export const lists = (text) => JSON.parse(`[${text}]`);
