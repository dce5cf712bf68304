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
    declarations?.some((node) => /\/dist\/types\/(?!environment)/.test(node.getSourceFile().fileName));
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

test('resolution without exports finds the same types', () => {
  const { typesVersions, types } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const older = Object.entries(typesVersions['*']).map(([name, [path]]) => [`./${name}`, join(root, path)]);
  expect([['.', join(root, types)], ...older].sort()).toEqual(doors.toSorted());
});

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
function complaints(programs, more, declared = ambient) {
  const paths = programs.map(({ path, language }, i) => join(root, `${path.replaceAll('/', '-')}-${i}.${language}`));
  const texts = new Map(paths.map((path, i) => [path, programs[i].program]));
  texts.set(join(root, 'ambient.d.ts'), declared);
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

/** Asks TypeScript's service for editors what it shows at each `|` of a program, and what completes there. */
function editor(program) {
  const path = join(root, 'in-editor.ts');
  const host = {
    getCompilationSettings: () => ({ ...options, strict: true }),
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    getScriptFileNames: () => [path],
    getScriptSnapshot: (file) => {
      const text = file === path ? program.replaceAll('|', '') : ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getScriptVersion: () => '1',
    fileExists: (file) => file === path || ts.sys.fileExists(file),
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  const service = ts.createLanguageService(host);
  const places = [...program.matchAll(/\|/g)].map(({ index }, i) => index - i);
  const textOf = (parts) => ts.displayPartsToString(parts).replaceAll('"', "'");
  return {
    hovers: places.map((place) => {
      const info = service.getQuickInfoAtPosition(path, place);
      return info && [textOf(info.displayParts), textOf(info.documentation)];
    }),
    completions: places.map((place) =>
      service.getCompletionsAtPosition(path, place, {})?.entries.map(({ name }) => name),
    ),
  };
}

test('an editor completes class names and the options of a class, and shows a sentence for each', () => {
  const { completions } = editor(`
import { imageProcessor, videoProcessor } from 'onnx-layout/processors';
import { featureExtractor } from 'onnx-layout/audio';
import { postProcessor } from 'onnx-layout/postprocess';
imageProcessor('{}', { className: '|' });
videoProcessor('{}', { className: '|' });
featureExtractor('{}', { className: '|' });
postProcessor('{}', { className: '|' });
imageProcessor({ image_processor_type: 'DetrImageProcessor' })([], { | });
postProcessor({ image_processor_type: 'DetrImageProcessor' }).|;
`);
  const [images, videos, extractors, classes, settings, methods] = completions;
  expect(images).toEqual(expect.arrayContaining(['DetrImageProcessor', 'ViTImageProcessor']));
  expect(videos).toEqual(expect.arrayContaining(['Qwen2VLVideoProcessor']));
  expect(extractors).toEqual(expect.arrayContaining(['WhisperFeatureExtractor']));
  expect(classes).toEqual(expect.arrayContaining(['DetrImageProcessor', 'GroundingDinoProcessor']));
  const usual = ['default_to_square', 'do_convert_rgb', 'do_normalize', 'do_rescale', 'do_resize', 'image_mean'];
  const more = ['image_std', 'resample', 'rescale_factor', 'size', 'do_pad', 'max_size', 'pad_size'];
  expect(settings.toSorted()).toEqual([...usual, ...more, 'dtype', 'maskDtype', 'onStep', 'out', 'returnSizes'].sort());
  expect(methods).toEqual([
    'className',
    ...['object_detection', 'semantic_segmentation', 'instance_segmentation', 'panoptic_segmentation']
      .map((name) => `post_process_${name}`)
      .sort(),
  ]);
});

test('an editor shows the type of a tensor, and what an option means', () => {
  const { hovers } = editor(`
import { Tensor, transpose } from 'onnx-layout';
import { imageProcessor } from 'onnx-layout/processors';
import { featureExtractor } from 'onnx-layout/audio';
import { postProcessor } from 'onnx-layout/postprocess';
const |x = transpose(Tensor.from('float32', [1]));
imageProcessor({ image_processor_type: 'ViTImageProcessor' })([], { |rescale_factor: 1 / 255 });
featureExtractor({ feature_extractor_type: 'WhisperFeatureExtractor' })([0], { |padding: 'longest' });
const detr = postProcessor({ image_processor_type: 'DetrImageProcessor' });
detr.|post_process_object_detection({}, { |threshold: 0.9 });
`);
  const [tensor, factor, padding, method, threshold] = hovers;
  expect(tensor[0]).toBe("const x: Tensor<'float32'>");
  expect(factor[1]).toBe('The factor of bytes, such as 1 / 255.');
  expect(padding[1]).toBe(
    "Up to which length a batch is padded: 'longest' or true, 'max_length', 'do_not_pad' or false.",
  );
  expect(method[1]).toBe('If omitted: `threshold` 0.5.');
  expect(threshold[1]).toBe('The score, from 0 to 1, that results have to pass.');
});

test.each([
  [['lib.es2022.d.ts'], false],
  [['lib.es2022.d.ts', 'lib.dom.d.ts'], true],
])("the types hold without a browser's types and with them: %j, skipLibCheck %j", (lib, skipLibCheck) => {
  const program = readFileSync(join(root, 'tests/package/entry-points.ts'), 'utf8');
  const more = { strict: true, skipLibCheck, lib };
  expect(complaints([{ path: 'entry', language: 'ts', program }], more, '')).toEqual([]);
});
