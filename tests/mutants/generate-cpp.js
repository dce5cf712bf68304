/** Small mistakes in a source of C++, made from its tokens: one edit each. */

/** @import { Edit } from './generate.js' */

/** Binary operators, which clang-format sets between spaces, unlike those of one operand and brackets of templates. */
const operators = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '==': '!=',
  '!=': '==',
  '+': '-',
  '-': '+',
  '*': '+',
  '/': '*',
  '%': '/',
  '<<': '>>',
  '>>': '<<',
  '&': '|',
  '|': '&',
  '&&': '||',
  '||': '&&',
  '+=': '-=',
  '-=': '+=',
  '*=': '+=',
};

/** Comments, lines of the preprocessor and texts, which stay as they are. */
const skipped = /\/\/.*|\/\*[^]*?\*\/|^[ \t]*#.*(?:\\\n.*)*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/;
/** Names, numbers, and operators between spaces. */
const parts = /([A-Za-z_]\w*)|(\d[\w.']*)|(?<= )([<>=!+*/%&|-]+)(?=[ \n])/;
const token = new RegExp(`(${skipped.source})|${parts.source}`, 'gm');

/** @type {(name?: string, number?: string, operator?: string) => string | undefined} */
function mistake(name, number, operator) {
  if (name === 'true') return 'false';
  if (name === 'false') return 'true';
  if (number !== undefined && /^\d+$/.test(number)) return String(Number(number) + 1);
  return operator !== undefined && Object.hasOwn(operators, operator) ? operators[operator] : undefined;
}

/**
 * Lists the mistakes that can be made in a source. Some do not compile.
 * @param {string} source
 * @returns {Edit[]} in the order of the source
 */
export function cppEditsOf(source) {
  const edits = [];
  let line = 1;
  let last = 0;
  for (const match of source.matchAll(token)) {
    const [whole, isSkipped, ...kinds] = match;
    const text = isSkipped === undefined ? mistake(...kinds) : undefined;
    line += source.slice(last, match.index).split('\n').length - 1;
    last = match.index;
    if (text !== undefined) edits.push({ start: match.index, end: match.index + whole.length, text, line });
  }
  return edits;
}
