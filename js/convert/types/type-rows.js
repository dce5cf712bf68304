/** The rows of the table of operators' types. */
import { operatorTypes } from './operator-types.js';

/** @typedef {{ inputs: string[], outputs: string[] }} TypeRow a token a place */

/** @type {Map<string, [since: number, row: TypeRow][]>} */
let table;

/** Splits a text at spaces. @type {(text: string) => string[]} */
const tokensIn = (text) => text.split(' ').filter((token) => token !== '');

/** Reads a row such as `11 T T > T`: the first opset, then the tokens of inputs and outputs.
 * @type {(text: string) => [number, TypeRow]} */
function readRow(text) {
  const [since, row] = [Number.parseInt(text, 10), text.slice(text.indexOf(' '))];
  const [inputs, outputs] = row.split('>').map(tokensIn);
  return [since, { inputs, outputs }];
}

/** Reads the rows of each operator. */
function readTable() {
  const lines = operatorTypes.trim().replaceAll('\n ', ' ').split('\n');
  return new Map(
    lines.map((line) => {
      const at = line.indexOf('=');
      return [
        line.slice(0, at),
        line
          .slice(at + 1)
          .split('|')
          .map(readRow),
      ];
    }),
  );
}

/** The row of an operator at an opset; undefined for operators that are not known.
 * @type {(operator: string, domain: string, opset: number) => TypeRow | undefined} */
export function rowOf(operator, domain, opset) {
  table ??= readTable();
  const rows = table.get(domain === '' ? operator : `${domain}:${operator}`) ?? [];
  return rows.findLast(([since]) => since <= opset)?.[1];
}

/** The tokens of `count` places; the last one is repeated where it is variadic, and places beyond are dots.
 * @type {(places: readonly string[], count: number) => string[]} */
export function tokensFor(places, count) {
  const last = places.at(-1) ?? '.';
  const more = last.includes('*') ? last : '.';
  return Array.from({ length: count }, (_, i) => (places[i] ?? more).replace(/[*~]+$/, ''));
}

/** Whether a place is float32 and never float16. @type {(token: string) => boolean} */
export const isFloat32Only = (token) => token === 'F' || token.endsWith('!');
