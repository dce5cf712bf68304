/** Small mistakes in a source of JavaScript, made from its syntax tree: one edit each. */
import { parse } from 'acorn';
import { fullAncestor } from 'acorn-walk';

/** @typedef {import('acorn').AnyNode} Node */

/**
 * An edit of a source.
 * @typedef {object} Edit
 * @property {number} start
 * @property {number} end
 * @property {string} text replaces what stands from start to end
 * @property {number} line of the source, from 1
 */

/** @type {Record<string, string[]>} */
const operators = {
  '<': ['<=', '>='],
  '<=': ['<'],
  '>': ['>=', '<='],
  '>=': ['>'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&': ['|'],
  '|': ['&'],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '++': ['--'],
  '--': ['++'],
};

/** Statements that can go without a fault of syntax. */
const removable = ['ExpressionStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement'];

/** Functions whose arguments are the text of a message. */
const refusals = ['typeError', 'rangeError', 'refusal', 'Error', 'TypeError', 'RangeError'];

/** @type {(node: Node) => boolean} */
const isMessage = (node) =>
  (node.type === 'CallExpression' || node.type === 'NewExpression') &&
  node.callee.type === 'Identifier' &&
  refusals.includes(node.callee.name);

/** @type {(node: Node) => boolean} */
const isText = (node) => node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');

/**
 * Lists the mistakes of a node: pairs of the part that is replaced, and its new text.
 * @type {(source: string, node: Node) => [{ start: number, end: number }, string][]}
 */
function faults(source, node) {
  const text = ({ start, end }) => source.slice(start, end);
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression': {
      // A sum with a text is a text.
      if (isText(node.left) || isText(node.right)) return [];
      if (node.operator === '??') return [[node, text(node.left)]];
      const at = source.indexOf(node.operator, node.left.end);
      const part = { start: at, end: at + node.operator.length };
      return (operators[node.operator] ?? []).map((operator) => [part, operator]);
    }
    case 'UpdateExpression': {
      const at = node.prefix ? node.start : node.end - 2;
      return [[{ start: at, end: at + 2 }, operators[node.operator][0]]];
    }
    case 'UnaryExpression':
      return node.operator === '!' || node.operator === '-' ? [[node, `(${text(node.argument)})`]] : [];
    case 'IfStatement':
    case 'ConditionalExpression':
      return [[node.test, `!(${text(node.test)})`]];
    case 'Literal':
      if (typeof node.value === 'boolean') return [[node, String(!node.value)]];
      if (typeof node.value === 'bigint') return [[node, `${node.value + 1n}n`]];
      return typeof node.value === 'number' ? [[node, String(node.value + 1)]] : [];
    default:
      return removable.includes(node.type) && !('directive' in node) ? [[node, ';']] : [];
  }
}

/**
 * Lists the mistakes that can be made in a source. The texts of messages are left alone.
 * @param {string} source of a module
 * @returns {Edit[]} in the order of the source
 */
export function editsOf(source) {
  /** @type {Edit[]} */
  const edits = [];
  const tree = parse(source, { ecmaVersion: 'latest', sourceType: 'module', locations: true, allowHashBang: true });
  fullAncestor(tree, (node, _, ancestors) => {
    if (ancestors.slice(0, -1).some(isMessage)) return;
    for (const [{ start, end }, text] of faults(source, node))
      edits.push({ start, end, text, line: node.loc.start.line });
  });
  return edits.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** @type {(source: string, edit: Edit) => string} */
export const apply = (source, { start, end, text }) => source.slice(0, start) + text + source.slice(end);
