/**
 * The linter looks for defects that neither the types nor the tests show, for docblocks that say too little, and for
 * words and sizes that CONTRIBUTING.md rules out. eslint-suppressions.json counts what each file still breaks. Prettier
 * lays the code out, and tsc checks the types that the docblocks name.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import js from '@eslint/js';
import jsdoc from 'eslint-plugin-jsdoc';
import globals from 'globals';
import { spreadsRule } from './tests/architecture/spreads.js';
import { wordsRule } from './tests/architecture/words.js';

/** Rules beyond ESLint's recommended ones. */
const defects = {
  'array-callback-return': 'error',
  'default-case-last': 'error',
  eqeqeq: 'error',
  'no-constructor-return': 'error',
  'no-duplicate-imports': 'error',
  'no-throw-literal': 'error',
  'no-unreachable-loop': 'error',
  'no-unused-expressions': 'error',
  'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-const': 'error',
  radix: 'error',
};

/** A docblock says what is so. */
const truthful = {
  'jsdoc/check-alignment': 'error',
  'jsdoc/check-param-names': ['error', { checkDestructured: false }],
  'jsdoc/check-tag-names': 'error',
  'jsdoc/empty-tags': 'error',
  'jsdoc/no-bad-blocks': 'error',
  'jsdoc/no-blank-block-descriptions': 'error',
  'jsdoc/require-param-name': 'error',
  'jsdoc/require-property-name': 'error',
};

/** The names that users import. Each door lists them as `export { name } from`. */
const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));
/** @param {string[]} files */
const namesOf = (files) =>
  files
    .flatMap((file) => [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/^export \{([^}]*)\}/gm)])
    .flatMap(([, list]) => list.match(/\w+/g) ?? [])
    .join('|');
const doors = Object.values(exports).flatMap(({ default: file }) => file ?? []);
// The parts of a declaration are short functions, whose types say all.
const calls = namesOf(doors.filter((file) => file !== exports['./operators'].default));
const contexts = [
  `FunctionDeclaration[id.name=/^(${namesOf(doors)})$/]`,
  `ClassDeclaration[id.name=/^(${namesOf(doors)})$/]`,
  `VariableDeclaration > VariableDeclarator[id.name=/^(${calls})$/] > ArrowFunctionExpression`,
].map((kind) => `ExportNamedDeclaration > ${kind}`);

/** The docblock of a public function says all that a caller has to know. */
const complete = {
  'jsdoc/require-description': ['error', { contexts }],
  'jsdoc/require-jsdoc': ['error', { require: { FunctionDeclaration: false }, contexts }],
  'jsdoc/require-param': ['error', { contexts, checkDestructured: false }],
  'jsdoc/require-param-type': ['error', { contexts }],
  'jsdoc/require-returns': ['error', { contexts }],
  'jsdoc/require-returns-type': ['error', { contexts }],
};

/** A function that fits on a screen. */
const small = { 'max-lines-per-function': ['error', { max: 40 }] };

/** Words that say too little as names: eslint-suppressions.json counts those that still stand. */
const vague = ['given', 'most', 'own', 'side', 'parts', 'made', 'whole', 'one', 'found', 'kept', 'some', 'how'];

/** The package compiles no text, so that pages need no `unsafe-eval`. */
const compilesNothing = { 'no-eval': 'error', 'no-implied-eval': 'error', 'no-new-func': 'error' };

/** Names that Vite and the page's build put into the page. */
const ofTheBuild = {
  __ONNXRUNTIME_BYTES__: 'readonly',
  __TRANSFORMERS_BYTES__: 'readonly',
  files: 'readonly',
  version: 'readonly',
};

export default [
  { ignores: ['build/', '**/dist/', '**/node_modules/'] },
  js.configs.recommended,
  {
    plugins: { jsdoc, architecture: { rules: { spreads: spreadsRule, words: wordsRule } } },
    settings: { jsdoc: { mode: 'typescript' } },
    rules: { ...defects, ...truthful, 'architecture/words': 'error', 'max-params': ['error', 6] },
  },
  { files: ['js/**', 'web/**'], rules: { ...small, 'architecture/spreads': 'error' } },
  {
    files: ['js/**'],
    languageOptions: { globals: { ...globals['shared-node-browser'], createImageBitmap: 'readonly' } },
    rules: { ...complete, ...compilesNothing, 'id-denylist': ['error', ...vague] },
  },
  {
    files: ['js/cli/**', 'tests/**', '*.mjs', '*.js', 'web/*.mjs', 'web/vite.config.js', 'web/docs/**'],
    languageOptions: { globals: globals.node },
  },
  {
    files: ['web/**', 'tests/engines/**', 'tests/browser/**', 'tests/transformers/page/**'],
    languageOptions: { globals: { ...globals.browser, ...globals.worker, ...ofTheBuild } },
    rules: compilesNothing,
  },
  { files: ['web/service-worker.js'], languageOptions: { globals: globals.serviceworker } },
];
