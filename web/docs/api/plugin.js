/**
 * TypeDoc's plugin: puts each of the package's types that a page names, and no door exports, into the module `types`;
 * finds what a `{@link}` names behind any door; and refuses a public function or class without prose.
 */
import ts from 'typescript';
import { Context, Converter, ReflectionKind } from 'typedoc';

const typeFlags = ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface;
const described = ReflectionKind.FunctionOrMethod | ReflectionKind.Class | ReflectionKind.Variable;

/** @param {import('typedoc').Application} app */
export function load(app) {
  const named = new Set();
  let programs;
  const { createSymbolReference } = Context.prototype;
  Context.prototype.createSymbolReference = function (symbol, context, name) {
    named.add(symbol);
    programs ??= context.programs;
    return createSymbolReference.call(this, symbol, context, name);
  };
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
    const module = context.project.getChildrenByKind(ReflectionKind.Module).find(({ name }) => name === 'types');
    context.setActiveProgram(programs[0]);
    const inner = context.withScope(module);
    // A Set's iteration also meets the symbols that a conversion adds.
    for (const symbol of named) {
      if (isOurs(symbol) && !context.getReflectionFromSymbol(symbol)) app.converter.convertSymbol(inner, symbol);
    }
  });
  app.converter.addUnknownSymbolResolver(({ symbolReference }, { project }, link) => {
    if (!link) return undefined;
    const [{ path } = {}] = symbolReference?.path ?? [];
    const all = project.getReflectionsByKind(ReflectionKind.All);
    const target = all.find(({ name, parent }) => name === path && isPublic(parent));
    return target && { target };
  });
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    for (const { name, parent, comment, signatures } of project.getReflectionsByKind(described)) {
      const isSaid = comment ?? signatures?.some((one) => one.comment);
      if (isPublic(parent) && !isSaid) app.logger.warn(`${parent.name}: ${name} has no docblock`);
    }
  });
}

const isPublic = (parent) => parent?.kind === ReflectionKind.Module && parent.name !== 'types';

function isOurs({ flags, declarations }) {
  return flags & typeFlags && declarations?.some((node) => node.getSourceFile().fileName.includes('/dist/types/'));
}
