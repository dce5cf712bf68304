/** The docblocks of all that the package exports, as data: the reference and the tests of examples are made of them. */
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../support/packed.js';

/** The public doors by the names that users import. */
export const doors = {
  'onnx-layout': 'js/index.js',
  'onnx-layout/image': 'js/image/index.js',
  'onnx-layout/io': 'js/io/index.js',
  'onnx-layout/convert': 'js/convert/index.js',
  'onnx-layout/processors': 'js/processors/index.js',
  'onnx-layout/audio': 'js/audio/index.js',
  'onnx-layout/postprocess': 'js/postprocess/index.js',
  'onnx-layout/transformers': 'js/transformers/index.js',
  'onnx-layout/node': 'js/node/index.js',
};

/**
 * A docblock.
 * @typedef {object} Docblock
 * @property {string} text the prose before the first tag
 * @property {Part[]} params the arguments; an object's described properties follow it as `options.axis`
 * @property {Part[]} returns none or one
 * @property {Part[]} throws
 * @property {string[]} examples programs
 */

/**
 * A tag of a docblock.
 * @typedef {object} Part
 * @property {string} name of an argument; empty for other tags
 * @property {string} type as the docblock writes it
 * @property {boolean} optional
 * @property {string} text
 */

/**
 * An export of a public door, or a member of an exported class.
 * @typedef {Docblock & { door: string, name: string, signature: string, kind: 'function' | 'class' | 'value' | 'member'
 *   }} Entry
 */

/**
 * Reads the docblocks of everything public.
 * @returns {Entry[]} in the order of the doors; a class is followed by its members
 */
export function publicEntries() {
  const files = Object.values(doors).map((path) => join(root, path));
  // Types are not asked for, and without the standard library the program is made in a third of the time.
  const program = ts.createProgram(files, { allowJs: true, noLib: true, types: [], module: ts.ModuleKind.NodeNext });
  const checker = program.getTypeChecker();
  const typedefs = typedefsOf(program);
  return Object.keys(doors).flatMap((door, i) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(files[i]));
    return checker.getExportsOfModule(module).flatMap((symbol) => {
      const isAlias = symbol.flags & ts.SymbolFlags.Alias;
      const { valueDeclaration } = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
      return valueDeclaration ? entriesOf(door, symbol.name, valueDeclaration, typedefs) : [];
    });
  });
}

/** @returns {Entry[]} */
function entriesOf(door, name, node, typedefs) {
  const entry = (of, kind, signature) => ({ door, name, kind, signature, ...readDocblock(of, typedefs) });
  if (!ts.isClassDeclaration(node)) {
    const callable = ts.isFunctionDeclaration(node) || ts.getJSDocReturnTag(node) !== undefined;
    return [entry(node, callable ? 'function' : 'value', callable ? signatureOf(name, node) : name)];
  }
  const members = node.members.flatMap((member) => {
    const signature = memberSignature(name, member);
    return signature === undefined ? [] : [entry(member, 'member', signature)];
  });
  return [entry(node, 'class', name), ...members];
}

/** Undefined for a member that no caller names. */
function memberSignature(className, member) {
  if (ts.isConstructorDeclaration(member)) return signatureOf(`new ${className}`, member);
  if (!member.name || !ts.isIdentifier(member.name)) return undefined;
  const isStatic = ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static;
  const name = `${isStatic ? className : className.toLowerCase()}.${member.name.text}`;
  return ts.isMethodDeclaration(member) ? signatureOf(name, member) : name;
}

function signatureOf(name, node) {
  const params = tagsOf(node).filter(ts.isJSDocParameterTag);
  return `${name}(${params.map((tag) => tag.name.getText() + (tag.isBracketed ? '?' : '')).join(', ')})`;
}

const isOverload = ({ tags }) => tags?.some(ts.isJSDocOverloadTag);

/** The tags of a docblock; of a function with overloads, those of the first. */
function tagsOf(node) {
  const [overload] = (node.jsDoc ?? []).filter(isOverload);
  if (!overload) return ts.getJSDocTags(node);
  return overload.tags.flatMap((tag) => {
    if (!ts.isJSDocOverloadTag(tag)) return [tag];
    const { parameters, type } = tag.typeExpression;
    return [...parameters, type];
  });
}

/** @returns {Docblock} */
function readDocblock(node, typedefs) {
  const tags = tagsOf(node);
  const [overload] = (node.jsDoc ?? []).filter(isOverload);
  const blocks = overload ? [overload] : ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const named = (name) => tags.filter(({ tagName }) => tagName.text === name);
  return {
    text: textOf(blocks.at(-1)?.comment),
    params: tags.filter(ts.isJSDocParameterTag).flatMap((tag) => [partOf(tag), ...propertiesOf(tag, typedefs)]),
    returns: named('returns').map(partOf),
    throws: named('throws').map(partOf),
    examples: named('example').map(({ comment }) => textOf(comment)),
  };
}

/** @returns {Part} */
function partOf(tag) {
  const name = tag.name?.getText() ?? '';
  const type = tag.typeExpression?.type?.getText() ?? '';
  return {
    name,
    type: type.replace(/\s*\n\s*\*?\s*/g, ' '),
    optional: Boolean(tag.isBracketed),
    text: textOf(tag.comment),
  };
}

/**
 * The described properties of an argument: of tags such as `options.axis`, and of the object types that `options`
 * names.
 */
function propertiesOf(tag, typedefs) {
  const type = tag.typeExpression?.type;
  const name = tag.name.getText();
  if (type && ts.isJSDocTypeLiteral(type)) return (type.jsDocPropertyTags ?? []).map((property) => partOf(property));
  const types = name === 'options' ? (type?.getText().match(/\w+/g) ?? []) : [];
  // A file's own type comes before one of the same name elsewhere.
  const typedef = (word) =>
    typedefs.get(tag.getSourceFile()).get(word) ?? [...typedefs.values()].find((own) => own.has(word))?.get(word) ?? [];
  return types.flatMap((word) => typedef(word).map((part) => ({ ...part, name: `${name}.${part.name}` })));
}

/** The described properties of each type, by file and by the type's name. */
function typedefsOf(program) {
  return new Map(program.getSourceFiles().map((file) => [file, typedefsIn(file)]));
}

function typedefsIn(file) {
  const blocks = [...file.statements, file.endOfFileToken].flatMap((node) => node.jsDoc ?? []);
  const tags = blocks.flatMap((block) => block.tags ?? []).filter(ts.isJSDocTypedefTag);
  const properties = ({ typeExpression: type }) =>
    type && ts.isJSDocTypeLiteral(type) ? (type.jsDocPropertyTags ?? []) : [];
  const interfaces = file.statements.filter(ts.isInterfaceDeclaration);
  return new Map([
    ...tags.map((tag) => [tag.name.text, properties(tag).map((property) => partOf(property))]),
    ...interfaces.map((own) => [own.name.text, membersOf(own, interfaces)]),
  ]);
}

/** The properties of an interface, behind them those of the interfaces of its file that it extends. */
function membersOf(own, interfaces) {
  const bases = (own.heritageClauses ?? []).flatMap(({ types }) => types.map(({ expression }) => expression.getText()));
  const inherited = interfaces.filter(({ name }) => bases.includes(name.text));
  const parts = own.members.filter(ts.isPropertySignature).map(memberPart);
  return [...parts, ...inherited.flatMap((base) => membersOf(base, interfaces))];
}

/** @returns {Part} a property of an interface */
const memberPart = (member) => ({
  name: member.name.getText(),
  type: member.type.getText().replace(/\s*\n\s*/g, ' '),
  optional: Boolean(member.questionToken),
  text: textOf(member.jsDoc?.at(-1)?.comment),
});

/** A comment's text; links become code. */
const textOf = (comment) => (ts.getTextOfJSDocComment(comment) ?? '').replace(/\{@link (\w+)\}/g, '`$1`').trim();
