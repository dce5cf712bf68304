/** The rows of the table of operators' types. */
import { operatorTypes } from './operator-types.js';

/** A row of the table, an operator's signature from an opset on: a token for each input and output. A letter is a type
 * variable that may be float32 or float16, F is float32 alone, a dot never float32. Behind a variable, ! excludes
 * float16, * repeats the last place, and ~ gives each repetition a type of its own.
 * @typedef {{ inputs: string[], outputs: string[] }} TypeRow */

/** @type {Map<string, [since: number, row: TypeRow][]>} */
let table;

/** @type {(text: string) => string[]} */
const tokensIn = (text) => text.split(' ').filter((token) => token !== '');

/** Reads a row such as `11 T T > T`: the first opset for which it holds, then the tokens of inputs and outputs.
 * @type {(text: string) => [number, TypeRow]} */
function readRow(text) {
  const firstOpset = Number.parseInt(text, 10);
  const tokens = text.slice(text.indexOf(' '));
  const [inputs, outputs] = tokens.split('>').map(tokensIn);
  return [firstOpset, { inputs, outputs }];
}

/** Reads the table: by operator its rows, the oldest first. A line is `Name=row|row`; a line that begins with a space
 * continues the one before.
 * @type {() => Map<string, [since: number, row: TypeRow][]>} */
function readTable() {
  const lines = operatorTypes.trim().replaceAll('\n ', ' ').split('\n');
  return new Map(
    lines.map((line) => {
      const [name, rows] = line.split('=');
      return [name, rows.split('|').map(readRow)];
    }),
  );
}

/** Finds the signature that an operator has at an opset; undefined for operators that are not known.
 * @type {(operator: string, domain: string, opset: number) => TypeRow | undefined} */
export function rowOf(operator, domain, opset) {
  table ??= readTable();
  const rows = table.get(domain === '' ? operator : `${domain}:${operator}`) ?? [];
  const [, row] = rows.findLast(([since]) => since <= opset) ?? [];
  return row;
}

/** Gives a token for each of the `count` inputs or outputs that a node has, without * and ~. A node may have more than
 * the row has `places`: the last token repeats if it has a *, else the token is a dot.
 * @type {(places: readonly string[], count: number) => string[]} */
export function tokensFor(places, count) {
  const last = places.at(-1) ?? '.';
  const tokenBeyond = last.includes('*') ? last : '.';
  return Array.from({ length: count }, (_, i) => (places[i] ?? tokenBeyond).replace(/[*~]+$/, ''));
}

/** Whether a place is float32 and never float16. @type {(token: string) => boolean} */
export const isFloat32Only = (token) => token === 'F' || token.endsWith('!');
