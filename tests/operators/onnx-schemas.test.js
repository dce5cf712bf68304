/**
 * The package's tables against what ONNX registers: opset, types, versions, type lists, inputs, attributes, defaults.
 * Fails where ONNX has something newer, and names it. Python's `onnx` says what ONNX has where it is installed and not
 * older than the committed extract; otherwise the extract does.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  cast,
  dequantizeLinear,
  dtypes,
  flatten,
  init,
  quantizeLinear,
  reshape,
  schemas,
  splitToSequence,
  Tensor,
} from 'onnx-layout';
import { operators } from '../../js/operators/internal.js';
import { newestOpset } from '../../js/operators/core/call.js';
import { root } from '../support/packed.js';
import { committed, nameOf } from './onnx-extract.js';
import { calls } from './surgery-names.js';

beforeAll(() => init());

/** The schemas of the installed `onnx`; undefined where there is none, or an older one. */
function installed() {
  const script = join(root, 'tests/operators/onnx-schemas.py');
  const { status, stdout } = spawnSync('python3', [script, ...Object.keys(schemas)], { encoding: 'utf8' });
  const extract = status === 0 ? JSON.parse(stdout) : undefined;
  return extract?.opset >= committed.opset ? extract : undefined;
}

/** Cast's result type is an argument here, not an option. */
const isOption = (name, attribute) => name !== 'Cast' || attribute !== 'to';

/** Where two lists differ, one line for each entry. */
const compared = (what, ours, theirs) => [
  ...theirs.filter((entry) => !ours.includes(entry)).map((entry) => `${what} lacks ${entry}`),
  ...ours.filter((entry) => !theirs.includes(entry)).map((entry) => `${what} has ${entry}, ONNX has not`),
];

/** The differences between an extract and the package's tables, one line each. */
function differences({ opset, types, operators: registered, typeLists }) {
  const found = compared(
    'dtypes',
    Object.values(dtypes).map(({ name, code }) => `${name} (${code})`),
    Object.entries(types).map(([name, code]) => `${nameOf(name)} (${code})`),
  );
  if (opset !== newestOpset) found.push(`the newest opset is ${newestOpset}, ONNX has ${opset}`);
  found.push(...compared('schemas', Object.keys(schemas), Object.keys(registered)));
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
    const { inputs, optional, firstInputs } = operators[name];
    // An input that some version lacks may be left out, too: the shape of Reshape-1 is an attribute. Tile-1 has others.
    const isOptional = ({ name: input, optional: may }) =>
      may ||
      (firstInputs ? versions.slice(1) : versions).some((version) =>
        version.inputs.every((other) => other.name !== input),
      );
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

/** The operators whose results are int64, whatever their inputs are. */
const ofInt64 = ['Shape', 'Size', 'SequenceLength'];
/** Those whose results have types of their own. */
const ofOwnTypes = [...ofInt64, 'QuantizeLinear', 'DequantizeLinear', 'DynamicQuantizeLinear'];

function versionDifferences(name, row, { since, attributes, inputs, outputs }, typeLists) {
  const ours = Object.values(dtypes).filter(({ name: type, ir, format }) =>
    row.types ? row.types.includes(type) : ir <= row.ir && !row.lacks.includes(format.kind),
  );
  // The results have the type list, and the first input; the result of a Cast has a list of its own. A sequence's types
  // are its tensors'.
  const first = inputs[{ Where: 1, OneHot: 2 }[name] ?? 0];
  const lists = [...(first ? [first.types] : []), ...(ofOwnTypes.includes(name) ? [] : outputs)];
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

/** @type {(what: string) => never} */
const missing = (what) => {
  throw new Error(what);
};

/** Calls whose results show which value an attribute has, and another value than ONNX's default. */
const floats = new Tensor('float32', Float32Array.of(3, -1e6, 0.3, 1, 2, 6), [2, 3]);
const cube = new Tensor('float32', new Float32Array(24), [2, 3, 4]);
const shown = {
  'Flatten axis': [(options) => flatten(cube, options), 2],
  'Reshape allowzero': [(options) => reshape(new Tensor('float32', new Float32Array(0), [2, 0]), [0, 0], options), 1],
  'SplitToSequence axis': [(options) => splitToSequence(floats, undefined, options), 1],
  'SplitToSequence keepdims': [(options) => splitToSequence(floats, undefined, options), 0],
  'Cast saturate': [(options) => cast(floats, 'float8e4m3fn', { ...options, strict: false }), 0],
  ...ofQuantization(),
  'Cast round_mode': [(options) => cast(floats, 'float8e8m0', options), 'down'],
  ...ofSurgery(calls),
};

/** The same of quantization. Codes of types stand for their names. */
function ofQuantization() {
  const scale = new Tensor('float32', Float32Array.of(1, 2), [2]);
  const halves = new Tensor('float16', Uint16Array.of(0x3c00), []);
  const square = new Tensor('float32', Float32Array.of(1, 2, 3, 70_000), [2, 2]);
  const codes = new Tensor('uint8', Uint8Array.of(1, 2, 3, 4), [2, 2]);
  const names = { 0: undefined, 3: 'int8', 10: 'float16' };
  const named = ({ output_dtype, precision, ...options }) => ({
    ...options,
    ...(output_dtype && { output_dtype: names[output_dtype] }),
    ...(precision && { precision: names[precision] }),
  });
  // The bytes of a result; blocks of one row of a square are what an axis has too, so a refusal shows them.
  const tried = (call) => {
    try {
      const { type, data } = call();
      return [type, ...data];
    } catch (error) {
      return error instanceof RangeError ? 'refused' : missing(error.message);
    }
  };
  const one = new Tensor('float32', Float32Array.of(1), []);
  const large = (options) =>
    tried(() =>
      quantizeLinear(
        square,
        options.opset >= 23 || options.opset === undefined ? halves : one,
        undefined,
        named(options),
      ),
    );
  const small = new Tensor('float32', Float32Array.of(1e6), []);
  // float16 has no 2049.
  const [odd, short] = [new Tensor('float32', Float32Array.of(2049), []), new Tensor('int16', Int16Array.of(0), [])];
  const eight = new Tensor('float8e4m3fn', Uint8Array.of(0), []);
  return {
    'QuantizeLinear axis': [(options) => tried(() => quantizeLinear(square, scale, undefined, options)), 0],
    'QuantizeLinear block_size': [(options) => tried(() => quantizeLinear(square, scale, undefined, options)), 1],
    'QuantizeLinear output_dtype': [large, 3],
    'QuantizeLinear precision': [(options) => tried(() => quantizeLinear(odd, one, short, named(options))), 10],
    'QuantizeLinear saturate': [(options) => tried(() => quantizeLinear(small, one, eight, options)), 0],
    'DequantizeLinear axis': [(options) => tried(() => dequantizeLinear(codes, scale, undefined, options)), 0],
    'DequantizeLinear block_size': [(options) => tried(() => dequantizeLinear(codes, scale, undefined, options)), 1],
    'DequantizeLinear output_dtype': [
      (options) => tried(() => dequantizeLinear(codes, one, undefined, named(options))),
      10,
    ],
  };
}

/** The same of tensor surgery: `here` has the calls. Its square's rows and columns differ. */
function ofSurgery(here) {
  const square = new Tensor('float32', Float32Array.of(1, 2, 3, 4), [2, 2]);
  const row = new Tensor('float32', Float32Array.of(1, 2), [2]);
  const channels = new Tensor('float32', Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8), [1, 8, 1, 1]);
  const planes = new Tensor('float32', Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8), [1, 2, 2, 2]);
  const int64 = (dims, ...values) => new Tensor('int64', BigInt64Array.from(values, BigInt), dims);
  const [zeros, lens, pairs] = [int64([2, 2], 0, 0, 0, 0), int64([2], 2, 1), int64([2, 1], 0, 1)];
  const pad = ({ opset = 25, ...options }) => {
    if (opset >= 11) return here.pad(row, [1, 1], undefined, undefined, { opset, ...options });
    const pads = { [opset < 2 ? 'paddings' : 'pads']: [1, 1] };
    return here.pad(row, undefined, undefined, undefined, { opset, ...pads, ...options });
  };
  const split = ({ opset = 18, ...options }) =>
    opset < 13
      ? here.split(square, undefined, { opset, split: [1, 1], ...options })
      : here.split(square, [1, 1], { opset, ...options });
  // 2049 and a little is 2048 where the little is lost before float16 is made of it.
  const stashed = ({ stash_type: code, ...options }) => {
    const numbers = [0x0001, 0x6805, 0x3c00].map((half) => new Tensor('float16', Uint16Array.of(half), []));
    return here.range(...numbers, { ...options, ...(code && { stash_type: { 1: 'float32', 11: 'float64' }[code] }) });
  };
  // One of the two axes alone cannot be another.
  const reversed = (options) => {
    try {
      return here.reverseSequence(square, lens, options);
    } catch (error) {
      return error instanceof RangeError ? 'refused' : missing(error.message);
    }
  };
  return {
    'Split axis': [split, 1],
    'Pad mode': [pad, 'edge'],
    'Pad value': [(options) => pad({ opset: 2, ...options }), 1],
    'Gather axis': [(options) => here.gather(square, [0, 0], options), 1],
    'GatherElements axis': [(options) => here.gatherElements(square, zeros, options), 1],
    'GatherND batch_dims': [(options) => here.gatherND(square, pairs, options), 1],
    'Trilu upper': [(options) => here.trilu(square, null, options), 0],
    'EyeLike k': [(options) => here.eyeLike(square, options), 1],
    'Range stash_type': [stashed, 11],
    'OneHot axis': [(options) => here.oneHot(zeros, 2, row, options), 0],
    'ScatterElements axis': [(options) => here.scatterElements(square, zeros, square, options), 1],
    'ScatterElements reduction': [(options) => here.scatterElements(square, zeros, square, options), 'add'],
    'ScatterND reduction': [(options) => here.scatterND(square, pairs, square, options), 'add'],
    'DepthToSpace mode': [(options) => here.depthToSpace(channels, { blocksize: 2, ...options }), 'CRD'],
    'SpaceToDepth mode': [(options) => here.spaceToDepth(planes, { blocksize: 2, ...options }), 'CRD'],
    'Shape start': [(options) => here.shape(cube, options).dims, 1],
    'ReverseSequence batch_axis': [reversed, 0],
    'ReverseSequence time_axis': [reversed, 1],
    'ConcatFromSequence new_axis': [
      (options) =>
        here.concatFromSequence(Object.assign([square, square], { type: 'float32' }), { axis: 0, ...options }),
      1,
    ],
  };
}

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
  ])('%#', (change, line) => expect(differences(changed(change))).toContain(line));

  test('another default', () => {
    const change = (_, { Flatten, Cast }) => {
      Flatten[2].attributes.axis.default = 2;
      Cast.at(-1).attributes.round_mode.default = 'nearest';
    };
    expect(otherDefaults(changed(change))).toEqual(["Flatten-11's default of axis", "Cast-28's default of round_mode"]);
  });
});
