/** The linter's rule on lists that become arguments of a call: each entry takes a place on the stack. */

/** @typedef {import('eslint').Scope.Scope} Scope */

/** @type {(name: string, scope: Scope | null) => any} where a name is defined */
function definitionOf(name, scope) {
  for (let at = scope; at; at = at.upper) {
    const variable = at.set.get(name);
    if (variable) return variable.defs[0];
  }
  return undefined;
}

/**
 * Whether a list is as short as the text says it: what this call got as arguments, or an array that is written out.
 * @type {(node: any, scope: Scope) => boolean}
 */
function isShort(node, scope) {
  if (node.type === 'ArrayExpression')
    return node.elements.every(
      (/** @type {any} */ entry) => entry?.type !== 'SpreadElement' || isShort(entry.argument, scope),
    );
  if (node.type === 'ConditionalExpression') return isShort(node.consequent, scope) && isShort(node.alternate, scope);
  if (node.type === 'CallExpression') return node.callee.property?.name === 'map' && isShort(node.callee.object, scope);
  if (node.type !== 'Identifier') return false;
  const { type, name, node: declared, parent } = definitionOf(node.name, scope) ?? {};
  if (type === 'Parameter') return name.parent.type === 'RestElement';
  const isConstant = type === 'Variable' && parent.kind === 'const' && declared.id.type === 'Identifier';
  return isConstant && declared.init !== null && isShort(declared.init, scope);
}

const message =
  'a list must not become arguments: 125,000 entries overflow the stack. ' +
  'Use a loop, concat, largest or smallest; of a list that is always short, say why: ' +
  '// eslint-disable-next-line architecture/spreads -- four addresses';

/** @type {import('eslint').Rule.RuleModule} */
export const spreadsRule = {
  create(context) {
    /** @type {(node: any) => void} */
    const check = (node) => {
      const scope = context.sourceCode.getScope(node);
      for (const entry of node.arguments)
        if (entry.type === 'SpreadElement' && !isShort(entry.argument, scope)) context.report({ node: entry, message });
    };
    return { CallExpression: check, NewExpression: check };
  },
};
