/**
 * TypeDoc's plugin: the table of a call's parameters gets a row for each option that the type of `options` has, with
 * its sentence and a type that links.
 */
import ts from 'typescript';
import { Converter, IntersectionType, ParameterReflection, ReflectionFlag, ReflectionKind } from 'typedoc';
import { MarkdownTheme, MarkdownThemeContext } from 'typedoc-plugin-markdown';

/** The rows of each parameter. */
const rowsOf = new Map();
/** The types of parameters, for those that TypeDoc writes as text. */
const linkedTypes = new Map();

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_CREATE_PARAMETER, (context, parameter) => {
    const symbol = parameter.name === 'options' && context.getSymbolFromReflection(parameter);
    if (symbol) addRows(context, parameter, symbol);
  });
  app.converter.on(Converter.EVENT_RESOLVE_END, () => {
    for (const [parameter, type] of linkedTypes) if (parameter.type?.type === 'unknown') parameter.type = type;
  });
  app.renderer.defineTheme('option-rows', Theme);
}

function addRows(context, parameter, symbol) {
  const { checker } = context;
  const node = symbol.valueDeclaration?.type;
  if (node) linkedTypes.set(parameter, linkedType(context, node));
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
  const rows = propertiesOf(checker, type).filter(isOurs);
  if (rows.length > 0)
    rowsOf.set(
      parameter,
      rows.map((property) => rowOf(context, parameter, property)),
    );
}

/** A type whose parts link: TypeDoc writes an intersection of unions as text. */
function linkedType(context, node) {
  const nodes = ts.isIntersectionTypeNode(node) ? node.types : [node];
  const types = nodes.map((part) => context.converter.convertType(context, part));
  return types.length > 1 ? new IntersectionType(types) : types[0];
}

/** The properties of an object type; of a union, those of each of its types. */
function propertiesOf(checker, type) {
  const types = type.isUnion() ? type.types : [type];
  const all = types.flatMap((one) => checker.getPropertiesOfType(checker.getApparentType(one)));
  const byName = new Map(all.map((property) => [property.name, property]));
  return Array.from(byName, ([name, property]) => checker.getPropertyOfType(type, name) ?? property);
}

const isOurs = ({ declarations }) =>
  declarations?.some((node) => node.getSourceFile().fileName.includes('/dist/types/'));

function rowOf(context, parameter, property) {
  const row = new ParameterReflection(property.name, ReflectionKind.Parameter, parameter.parent);
  const [node, ...others] = property.declarations.map((declaration) => plain(declaration.type));
  const type = context.checker.getNonNullableType(context.checker.getTypeOfSymbol(property));
  row.type = context.converter.convertType(context, type, others.length === 0 ? node : undefined);
  if (row.type.type === 'unknown' && node) row.type = linkedType(context, node);
  row.comment = context.getComment(property, ReflectionKind.Property);
  row.setFlag(ReflectionFlag.Optional, Boolean(property.flags & ts.SymbolFlags.Optional));
  return row;
}

/** A type without the `| undefined` that every option has. */
function plain(node) {
  if (!node || !ts.isUnionTypeNode(node)) return node;
  const rest = node.types.filter(({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword);
  return rest.length === 1 ? rest[0] : undefined;
}

class Theme extends MarkdownTheme {
  getRenderContext(page) {
    return new Context(this, page, this.application.options);
  }
}

class Context extends MarkdownThemeContext {
  constructor(...given) {
    super(...given);
    const { parametersTable } = this.partials;
    this.partials.parametersTable = (parameters) => parametersTable(parameters.map(withRows));
  }
}

/** A parameter whose type has its rows as the properties of an object type, for which the plugin makes rows. */
function withRows(parameter) {
  const children = rowsOf.get(parameter);
  if (!children) return parameter;
  const declaration = { kind: ReflectionKind.TypeLiteral, children };
  const type = Object.assign(Object.create(parameter.type), { declaration });
  return Object.assign(Object.create(parameter), { type });
}
