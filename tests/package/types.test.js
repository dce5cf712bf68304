/** The published types: each door exports those that its signatures name, and the programs of the documents compile. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { fences } from '../support/examples.js';
import { root } from '../support/packed.js';

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const doors = Object.entries(exports).flatMap(([door, { types }]) => (types ? [[door, join(root, types)]] : []));

const options = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.Preserve,
  types: [],
  noEmit: true,
};

test('each door exports the types that its signatures name', async () => {
  const program = ts.createProgram(Object.values(Object.fromEntries(doors)), { ...options, noLib: true });
  const checker = program.getTypeChecker();
  const named = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
  const isOurs = ({ flags, declarations }) =>
    !(flags & ts.SymbolFlags.TypeParameter) &&
    declarations?.some((node) => node.getSourceFile().fileName.includes('/dist/types/'));
  const missing = [];
  for (const [door, path] of doors) {
    const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path))).map(named);
    const names = Object.keys(await import(door.replace('.', 'onnx-layout')));
    const values = symbols.filter(({ name }) => names.includes(name));
    const types = values
      .flatMap(({ declarations }) => declarations.flatMap(typeNames))
      .flatMap((name) => {
        const symbol = checker.getSymbolAtLocation(name);
        return symbol && isOurs(named(symbol)) && !symbols.includes(named(symbol)) ? [`${door} ${name.getText()}`] : [];
      });
    expect([door, values.length > 0]).toEqual([door, true]);
    missing.push(...types);
  }
  expect([...new Set(missing)]).toEqual([]);
});

/** The names of all types in a declaration. */
function typeNames(node) {
  const own = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isImportTypeNode(node) && !node.isTypeOf && node.qualifier;
  const inner = [];
  ts.forEachChild(node, (child) => void inner.push(...typeNames(child)));
  return own ? [own, ...inner] : inner;
}

/** The modules that the documents' programs import beside installed packages. */
const ambient = `
declare module '*.wasm' { const module: WebAssembly.Module; export default module; }
declare module '*?url' { const url: string; export default url; }
declare module 'vite' {
  export const defaultClientConditions: string[];
  export function defineConfig(config: { resolve: { conditions: string[] } }): object;
}
declare module 'react' { export function useState<T>(state: T): [T, (state: T) => void]; }
declare namespace JSX {
  interface IntrinsicElements { input: Input; label: {} }
  interface Input { type: string; onChange(event: { target: HTMLInputElement }): void }
}
`;

/** TypeScript's complaints about programs that lie in the root, where the package finds itself by its name. */
function complaints(programs, more) {
  const paths = programs.map(({ path, language }, i) => join(root, `${path.replaceAll('/', '-')}-${i}.${language}`));
  const texts = new Map(paths.map((path, i) => [path, programs[i].program]));
  texts.set(join(root, 'ambient.d.ts'), ambient);
  const host = ts.createCompilerHost({ ...options, ...more });
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (path, version, ...rest) =>
    texts.has(path) ? ts.createSourceFile(path, texts.get(path), version) : getSourceFile(path, version, ...rest);
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  const program = ts.createProgram([...texts.keys()], { ...options, ...more }, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, '\n');
    const place = file && file.fileName.slice(root.length);
    return `${place}:${file && file.getLineAndCharacterOfPosition(start).line + 1}: ${text}`;
  });
}

test('the TypeScript programs of the documents compile in the strictest mode', () => {
  const programs = fences(['ts', 'tsx']);
  expect(programs.length).toBeGreaterThan(5);
  const strictest = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true };
  expect(complaints(programs, strictest)).toEqual([]);
  const wrong = { path: 'wrong', language: 'ts', program: "import { transpose } from 'onnx-layout';\ntranspose(1);" };
  expect(complaints([wrong], strictest)).toEqual([
    expect.stringMatching(/^\/?wrong-0\.ts:2: Argument of type 'number'/),
  ]);
});
