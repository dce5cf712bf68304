/**
 * The package's tables against what ONNX registers: opset, types, versions, type lists, inputs, attributes, defaults.
 * Fails where ONNX has something newer, and names it. Python's `onnx` says what ONNX has where it is installed and not
 * older than the committed extract; otherwise the extract does.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { cast, dtypes, flatten, init, reshape, schemas, splitToSequence, Tensor } from 'onnx-layout';
import { operators } from '../../js/operators/index.js';
import { newestOpset } from '../../js/operators/operator.js';
import { root } from '../support/packed.js';

beforeAll(() => init());

const committed = JSON.parse(readFileSync(join(root, 'tests/operators/onnx-schemas.json'), 'utf8'));

/** What the installed `onnx` registers; undefined where there is none, or an older one. */
function installed() {
  const script = join(root, 'tests/operators/onnx-schemas.py');
  const { status, stdout } = spawnSync('python3', [script, ...Object.keys(schemas)], { encoding: 'utf8' });
  const extract = status === 0 ? JSON.parse(stdout) : undefined;
  return extract?.opset >= committed.opset ? extract : undefined;
}

/** Cast's result type is an argument here, not an option. */
const isOption = (name, attribute) => name !== 'Cast' || attribute !== 'to';

/** onnxruntime's name of an element type, from ONNX's in a TensorProto or in a type list. */
const nameOf = (onnxName) =>
  ({ float: 'float32', double: 'float64' })[onnxName.toLowerCase()] ?? onnxName.toLowerCase();

/** Where two lists differ, one line for each entry. */
const compared = (what, ours, theirs) => [
  ...theirs.filter((entry) => !ours.includes(entry)).map((entry) => `${what} lacks ${entry}`),
  ...ours.filter((entry) => !theirs.includes(entry)).map((entry) => `${what} has ${entry}, ONNX has not`),
];

/** What differs between an extract and the package's tables, one line each. */
function differences({ opset, types, operators: registered, typeLists }) {
  const found = compared(
    'dtypes',
    Object.values(dtypes).map(({ name, code }) => `${name} (${code})`),
    Object.entries(types).map(([name, code]) => `${nameOf(name)} (${code})`),
  );
  if (opset !== newestOpset) found.push(`the newest opset is ${newestOpset}, ONNX has ${opset}`);
  for (const [name, rows] of Object.entries(schemas)) {
    const versions = registered[name] ?? [];
    if (versions.length === 0) {
      found.push(`ONNX's extract lacks ${name}`);
      continue;
    }
    found.push(
      ...compared(
        name,
        rows.map(({ since }) => `${name}-${since}`),
        versions.map(({ since }) => `${name}-${since}`),
      ),
    );
    const { inputs, optional } = operators[name];
    // An input that some version lacks may be left out, too: the shape of Reshape-1 is an attribute.
    const isOptional = ({ name: input, optional: may }) =>
      may || versions.some((version) => version.inputs.every((other) => other.name !== input));
    const newest = versions.at(-1);
    found.push(
      ...compared(
        `${name}-${newest.since}'s inputs`,
        inputs.map((input) => input + (optional.includes(input) ? '?' : '')),
        newest.inputs.map((input) => input.name + (isOptional(input) ? '?' : '')),
      ),
    );
    for (const version of versions) {
      const row = rows.find(({ since }) => since === version.since);
      if (row) found.push(...versionDifferences(name, row, version, typeLists));
    }
  }
  return found;
}

function versionDifferences(name, row, { since, attributes, inputs, outputs }, typeLists) {
  const ours = Object.values(dtypes).filter(({ ir, format }) => ir <= row.ir && !row.lacks.includes(format.kind));
  // The first input has the type list; the result of a Cast has one of its own. A sequence's types are its tensors'.
  const lists = [inputs[0].types, ...(name === 'SplitToSequence' ? [] : outputs)];
  return [
    ...[...new Set(lists)].flatMap((list) =>
      compared(
        `${name}-${since}'s types`,
        ours.map((dtype) => dtype.name),
        typeLists[list].map(nameOf),
      ),
    ),
    ...compared(
      `${name}-${since}'s attributes`,
      row.attributes,
      Object.keys(attributes).filter((attribute) => isOption(name, attribute)),
    ),
  ];
}

/** Calls whose results show which value an attribute has, and another value than ONNX's default. */
const floats = new Tensor('float32', Float32Array.of(3, -1e6, 0.3, 1, 2, 6), [2, 3]);
const cube = new Tensor('float32', new Float32Array(24), [2, 3, 4]);
const shown = {
  'Flatten axis': [(options) => flatten(cube, options), 2],
  'Reshape allowzero': [(options) => reshape(new Tensor('float32', new Float32Array(0), [2, 0]), [0, 0], options), 1],
  'SplitToSequence axis': [(options) => splitToSequence(floats, undefined, options), 1],
  'SplitToSequence keepdims': [(options) => splitToSequence(floats, undefined, options), 0],
  'Cast saturate': [(options) => cast(floats, 'float8e4m3fn', { ...options, strict: false }), 0],
  'Cast round_mode': [(options) => cast(floats, 'float8e8m0', options), 'down'],
};

/** @type {(what: string) => never} */
const missing = (what) => {
  throw new Error(what);
};

/** The attributes whose omission gives another result than ONNX's default does. */
function otherDefaults({ operators: registered }) {
  return Object.entries(registered).flatMap(([name, versions]) =>
    versions.flatMap(({ since: opset, attributes }) =>
      Object.entries(attributes)
        .filter(([, { default: value }]) => value !== undefined)
        .filter(([attribute, { default: value }]) => {
          const [call] = shown[`${name} ${attribute}`] ?? missing(`shown has no call for ${name} ${attribute}`);
          return JSON.stringify(call({ opset })) !== JSON.stringify(call({ opset, [attribute]: value }));
        })
        .map(([attribute]) => `${name}-${opset}'s default of ${attribute}`),
    ),
  );
}

const live = installed();

describe.each([['the committed extract', committed], ...(live ? [[`the installed onnx ${live.onnx}`, live]] : [])])(
  '%s',
  (_, extract) => {
    test('has nothing that the tables lack, and lacks nothing', () => expect(differences(extract)).toEqual([]));

    test('has the defaults of the calls', () => expect(otherDefaults(extract)).toEqual([]));
  },
);

if (!live) test.skip(`NOT RUN: no python3 with onnx of opset ${committed.opset} or newer`, () => {});

test('each call shows its attribute', () => {
  for (const [name, [call, other]] of Object.entries(shown))
    expect([name, JSON.stringify(call({}))]).not.toEqual([name, JSON.stringify(call({ [name.split(' ')[1]]: other }))]);
});

describe('what ONNX may bring is named', () => {
  const changed = (change) => {
    const extract = structuredClone(committed);
    change(extract, extract.operators);
    return extract;
  };
  test.each([
    [(extract) => (extract.opset = 29), 'the newest opset is 28, ONNX has 29'],
    [(extract) => (extract.types.FLOAT3E1M1 = 29), 'dtypes lacks float3e1m1 (29)'],
    [(_, { Cast }) => Cast.push({ ...Cast.at(-1), since: 29 }), 'Cast lacks Cast-29'],
    [(_, registered) => delete registered.Identity, "ONNX's extract lacks Identity"],
    [(_, { Identity }) => Identity.shift(), 'Identity has Identity-1, ONNX has not'],
    [
      (extract, { Transpose }) => (Transpose.at(-1).inputs[0].types = extract.operators.Cast.at(-2).inputs[0].types),
      "Transpose-25's types has complex64, ONNX has not",
    ],
    [(extract, { Cast }) => (Cast.at(-2).outputs = [Cast.at(-1).inputs[0].types]), "Cast-25's types lacks float6e2m3"],
    [(_, { Flatten }) => (Flatten.at(-1).attributes.order = {}), "Flatten-25's attributes lacks order"],
    [(_, { Reshape }) => (Reshape[3].attributes = {}), "Reshape-14's attributes has allowzero, ONNX has not"],
    [
      (_, { Transpose }) => Transpose.at(-1).inputs.push({ name: 'perm', types: 0 }),
      "Transpose-25's inputs lacks perm?",
    ],
    [
      (_, { SplitToSequence }) => delete SplitToSequence.at(-1).inputs[1].optional,
      "SplitToSequence-24's inputs lacks split",
    ],
  ])('%#', (change, line) => {
    expect(differences(changed(change))).toContain(line);
  });

  test('another default', () => {
    const change = (_, { Flatten, Cast }) => {
      Flatten[2].attributes.axis.default = 2;
      Cast.at(-1).attributes.round_mode.default = 'nearest';
    };
    expect(otherDefaults(changed(change))).toEqual(["Flatten-11's default of axis", "Cast-28's default of round_mode"]);
  });
});
