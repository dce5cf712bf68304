/** Every option of the published types has a sentence, which editors show and the API pages print. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { root } from '../support/packed.js';

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const doors = Object.values(exports).flatMap(({ types }) => (types ? [join(root, types)] : []));

/** Parameters whose properties are options, and types that name some. */
const isBag = /(^|[a-z])(options|attributes)$/i;
const isBagType = /(Options|Settings|Attributes)$/;

/** Of the standard library's types Pick, Partial and the like are needed, and none of a browser's. */
const settings = { lib: ['lib.es2022.d.ts'], strict: true, types: [], module: ts.ModuleKind.ESNext };

/** Types of the standard library lead to ever longer ones. */
const isOurs = ({ declarations = [] }) =>
  declarations.some((place) => !place.getSourceFile().fileName.includes('/node_modules/'));

/** The options of all that some files export, by the place and the name of each: its sentence, empty if it has none. */
function optionsIn(paths, host) {
  const program = ts.createProgram(paths, { ...settings, moduleResolution: ts.ModuleResolutionKind.Bundler }, host);
  const checker = program.getTypeChecker();
  const options = new Map();
  const visited = new Set();

  const addAll = (type) => {
    for (const one of type.isUnion() ? type.types : [type])
      for (const symbol of checker.getPropertiesOfType(checker.getApparentType(one))) {
        if (!isOurs(symbol)) continue;
        const [place] = symbol.declarations;
        const file = place.getSourceFile().fileName.slice(root.length);
        const sentence = ts.displayPartsToString(symbol.getDocumentationComment(checker));
        options.set(`${file}: ${place.parent.name?.text ?? ''}.${symbol.name}`, sentence);
      }
  };
  const visitSignatures = (type) => {
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      for (const parameter of signature.getParameters())
        if (isBag.test(parameter.name)) addAll(checker.getNonNullableType(checker.getTypeOfSymbol(parameter)));
      visit(signature.getReturnType());
    }
  };
  const visit = (type) => {
    if (visited.has(type)) return;
    visited.add(type);
    visitSignatures(type);
    if (type.isUnionOrIntersection()) type.types.forEach(visit);
    else if (type.flags & ts.TypeFlags.Object)
      for (const member of checker.getPropertiesOfType(type).filter(isOurs)) visit(checker.getTypeOfSymbol(member));
  };

  for (const path of paths) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(path));
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (symbol.flags & ts.SymbolFlags.Value) visit(checker.getTypeOfSymbol(symbol));
      if (!(symbol.flags & ts.SymbolFlags.Type)) continue;
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      if (isBagType.test(symbol.name)) addAll(type);
      visit(type);
    }
  }
  return options;
}

/** A sentence begins with a capital letter, a word in quotes or a name in code, and ends with a period. */
const isSentence = (text) => /^[A-Z'`].*\.$/s.test(text);

const withoutSentence = (options) => [...options].flatMap(([name, text]) => (isSentence(text) ? [] : [name]));

test('every option of the published types has a sentence', () => {
  const options = optionsIn(doors);
  expect(options.size).toBeGreaterThan(600);
  expect(withoutSentence(options)).toEqual([]);
});

test('an option without a sentence is found in a function, what it returns, a class and a type', () => {
  const path = join(root, 'planted.ts');
  const program = `
export declare function f(options?: Options): { g: (options: { c: 1 } | { d: 1 }) => void };
interface Options {
  a?: 1;
  /** Said. */
  b?: 1;
  /** of all */
  z?: 1;
}
export declare class Thing { method(castOptions: { e: 1 }): void }
export interface HOptions {
  f: 1;
  /** Said. */
  g: 1;
}
export interface Plain { h: 1; call: (options: Pick<HOptions, 'f' | 'g'>) => void }
`;
  const host = ts.createCompilerHost(settings);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (file, ...rest) =>
    file === path ? ts.createSourceFile(file, program, ts.ScriptTarget.Latest) : getSourceFile(file, ...rest);
  host.fileExists = (file) => file === path || fileExists(file);
  expect(withoutSentence(optionsIn([path], host))).toEqual(
    ['Options.a', 'Options.z', '.c', '.d', '.e', 'HOptions.f'].map((name) =>
      expect.stringMatching(new RegExp(`planted.ts: ${name}$`)),
    ),
  );
});
