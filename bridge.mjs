/**
 * The enumerations and structs that cross between C++ and JavaScript, read from C++'s headers and written as modules of
 * JavaScript: what a header states, no file of js/engines states again. build.mjs writes dist/bridge/ by them.
 *
 * An enumeration becomes its words in the order of their numbers (`kTorchHann` is 'torchHann'), or the number of each
 * word. A struct becomes its members where wasm32 lays them. One whose members have 32 bits each becomes a function
 * that writes them, or a constant for each member: the word that it begins at.
 */
import { fail, Header, numberTypes } from './bridge-headers.mjs';

/** @import { Member, Struct } from './bridge-headers.mjs' */

/**
 * Enumerations and structs by the modules of dist/bridge. `words`: enumerations as lists; `snake` and `kebab` join the
 * parts of a word as ONNX and torch do. `codes`: enumerations as numbers by words. `structs`: members with types.
 * `calls` and `places`: structs of 32-bit members, which are written at once, if they are integers, and one by one.
 * `sizes`: structs of which JavaScript knows the bytes alone.
 */
const crossings = {
  audio: {
    words: {
      'audio/tables.h': ['Window', 'Precision', 'BankKind', 'MelScale'],
      'audio/numbers.h': ['NumberMap', 'Reduction'],
    },
    codes: { 'audio/codes.h': ['Code'], 'audio/resample.h': ['Sinc'] },
    structs: { 'audio/frames.h': ['Spectrum'], 'audio/tables.h': ['Bank'], 'audio/resample.h': ['Resampling'] },
  },
  images: {
    structs: { 'resize/plan.h': ['ResizeRequest'] },
    calls: {
      'processors/chessboard.h': ['BoardRow'],
      'processors/nearest_colors.h': ['NearestColors'],
      'processors/scan.h': ['Extremes'],
      'warp/samples.h': ['Samples'],
    },
    places: {
      'image/pixels.h': ['PixelNumbers', 'Channel', 'RgbaPixels', 'RgbaByte'],
      'processors/blur.h': ['Blur'],
      'processors/filter_rows.h': ['FilterRows'],
      'processors/zoom.h': ['Zoom'],
      'resize/plan.h': ['ResizeStep', 'ResizeRun'],
      'warp/warp.h': ['Warp'],
    },
  },
  results: {
    words: {
      'postprocess/boxes.h': ['BoxFormat'],
      'postprocess/maps.h': ['MaskKind'],
      'postprocess/yolo.h': ['LetterboxRow'],
      'postprocess/axis_resize.h': ['Interpolation snake', 'Coordinate snake', 'NearestRule snake'],
      'postprocess/rows.h': ['Mode kebab', 'Step'],
    },
    structs: {
      'postprocess/axis_resize.h': ['AxisResize'],
      'postprocess/rows.h': [
        'PlaneBlock',
        'ResizeNumbers',
        'CropNumbers',
        'GatherNumbers',
        'ScaleNumbers',
        'ClampNumbers',
        'MixNumbers',
      ],
      'postprocess/contours.h': ['ContourSpace'],
      'postprocess/text.h': ['TextSettings'],
      'postprocess/yolo.h': ['Head'],
    },
    sizes: {
      'postprocess/contours.h': ['Contour'],
      'postprocess/polygons.h': ['PolygonEdge', 'RotatedRect'],
      'postprocess/select.h': ['Ranked'],
    },
  },
  tensors: {
    calls: {
      'quantize/quantize.h': ['Quantization', 'ExactQuantization', 'BlockRanges'],
      'quantize/columns.h': ['QuantizedColumns'],
      'quantize/bnb4.h': ['Bnb4'],
      'pick/indices.h': ['IndexTuples'],
      'pick/select.h': ['Selection'],
      'pick/scatter.h': ['ScatterCall'],
    },
  },
};

/** @type {(word: string, joint: string) => string} */
const joined = (word, joint) => word.replace(/[A-Z]/g, (letter) => joint + letter.toLowerCase());
const joints = { snake: '_', kebab: '-' };

/** @typedef {{ text: string, types: string }} Written a declaration of JavaScript, and of TypeScript */

/** @type {(header: Header, entry: string) => Written} */
function listOf(header, entry) {
  const [name, style] = entry.split(' ');
  const words = header.wordsOf(name).map((word) => (style ? joined(word, /** @type {any} */ (joints)[style]) : word));
  const list = JSON.stringify(words);
  return { text: `export const ${name} = ${list};`, types: `export declare const ${name}: readonly ${list};` };
}

/** @type {(header: Header, name: string) => Written} */
function codesOf(header, name) {
  const codes = header.wordsOf(name).map((word, i) => `${word}: ${i}`);
  const types = header.wordsOf(name).map((word) => `readonly ${word}: number`);
  return {
    text: `export const ${name} = { ${codes.join(', ')} };`,
    types: `export declare const ${name}: { ${types.join('; ')} };`,
  };
}

/** Code that lists the numbers of members, whose values are those of `from`. Code of its own for each struct, because
 * a loop over a table of members makes resizing of 4 x 4 pixels a quarter slower.
 * @type {(header: Header, struct: Struct, from: string) => string} */
function listText(header, { members }, from) {
  const entries = members.map(({ name, count, initial, words, members: inner }) => {
    const value = `${from}.${name}`;
    if (inner) return `...(${value} ? ${listText(header, inner, value)} : [])`;
    if (count > 1) return `...${value}`;
    if (words) return `codeOf(${JSON.stringify(header.wordsOf(words))}, ${value}, ${header.codeOf(words, initial)})`;
    return `+(${value} ?? ${initial})`;
  });
  return `[${entries.join(', ')}]`;
}

/** Where numbers of {@link listText} go: runs of numbers of one type, by their first byte, type and count.
 * @type {(struct: Struct) => [byte: number, kind: string, count: number][]} */
function runsOf(struct) {
  /** @type {[byte: number, kind: string, count: number][]} */
  const runs = [];
  const bytesOf = Object.fromEntries(Object.values(numberTypes).map(([bytes, kind]) => [kind, bytes]));
  for (const [byte, kind, count] of placesOf(struct)) {
    const last = runs.at(-1);
    if (last && last[1] === kind && last[0] + last[2] * bytesOf[kind] === byte) last[2] += count;
    else runs.push([byte, kind, count]);
  }
  return runs;
}

/** @type {(struct: Struct, start?: number) => [byte: number, kind: string, count: number][]} */
function placesOf({ members }, start = 0) {
  return members.flatMap(({ place, kind, count, members: inner }) =>
    inner ? placesOf(inner, start + place) : [/** @type {[number, string, number]} */ ([start + place, kind, count])],
  );
}

/** @type {(header: Header, struct: Struct) => string} the values of members, each of which may be left out */
function valuesType(header, struct) {
  const entries = struct.members.map((member) => `${member.name}?: ${memberType(header, member)} | undefined`);
  return `{ ${entries.join('; ')} }`;
}

/** @type {(header: Header, name: string) => string} */
const unionOf = (header, name) =>
  header
    .wordsOf(name)
    .map((word) => `'${word}'`)
    .join(' | ');

/** @type {(header: Header, member: Member) => string} */
function memberType(header, { initial, words, count, members }) {
  if (members) return valuesType(header, members);
  if (words) return `${unionOf(header, words)} | number`;
  if (typeof initial === 'boolean') return 'boolean';
  return count > 1 ? 'ArrayLike<number>' : 'number';
}

/** @type {(header: Header, name: string) => Written} */
function structText(header, name) {
  const struct = header.structOf(name);
  const runs = JSON.stringify(runsOf(struct));
  return {
    text:
      `export const ${name} = { bytes: ${struct.bytes}, runs: ${runs}, ` +
      `list: (v) => ${listText(header, struct, 'v')} };`,
    types: `export declare const ${name}: Struct<${name}>;\n` + `export type ${name} = ${valuesType(header, struct)};`,
  };
}

/** Assignments of members, whose values are those of `from`, to the words of a call.
 * @type {(header: Header, struct: Struct, from: string, start?: number) => string[]} */
const assignments = (header, { members }, from, start = 0) =>
  members.flatMap((member) => {
    const { name, kind, count, place, initial, words, members: inner } = member;
    const value = `${from}.${name}`;
    if (inner) return assignments(header, inner, value, start + place);
    if (/Float|64/.test(kind) || count > 1) fail(`${from}.${name} must be an integer of 32 bits, got ${count} ${kind}`);
    const number = words ? `${JSON.stringify(header.wordsOf(words))}.indexOf(${value})` : value;
    return `words[${start / 4 + wordPlace(from, member)}] = ${typeof initial === 'boolean' ? '+' : ''}${number};`;
  });

/** @type {(header: Header, struct: Struct) => string} the values of all members */
function callType(header, { members }) {
  const entries = members.map((member) => {
    const { name, words, members: inner } = member;
    const type = inner ? callType(header, inner) : words ? unionOf(header, words) : memberType(header, member);
    return `${name}: ${type}`;
  });
  return `{ ${entries.join('; ')} }`;
}

/** @type {(header: Header, name: string) => Written} */
function callText(header, name) {
  const struct = header.structOf(name);
  const lines = assignments(header, struct, 'v');
  return {
    text: `export const write${name} = (words, v) => { ${lines.join(' ')} };`,
    types: `export declare const write${name}: (words: Uint32Array, values: ${callType(header, struct)}) => void;`,
  };
}

/** A constant for each member, because minifiers put its number in the place of its name.
 * @type {(header: Header, name: string) => Written} */
function placesText(header, name) {
  const struct = header.structOf(name);
  const start = name[0].toLowerCase() + name.slice(1);
  const places = struct.members.map((member) => [
    start + member.name[0].toUpperCase() + member.name.slice(1),
    wordPlace(name, member),
  ]);
  const entries = [[`${start}Words`, struct.bytes / 4], ...places];
  return {
    text: entries.map(([each, place]) => `export const ${each} = ${place};`).join('\n'),
    types: entries.map(([each]) => `export declare const ${each}: number;`).join('\n'),
  };
}

/** @type {(struct: string, member: Member) => number} */
function wordPlace(struct, { name, place }) {
  return place % 4 === 0 ? place / 4 : fail(`${struct}'s ${name} must begin at a word, got byte ${place}`);
}

/** @type {(header: Header, name: string) => Written} */
const sizeText = (header, name) => ({
  text: `export const ${name} = { bytes: ${header.structOf(name).bytes} };`,
  types: `export declare const ${name}: { readonly bytes: number };`,
});

const writers = {
  words: listOf,
  codes: codesOf,
  structs: structText,
  calls: callText,
  places: placesText,
  sizes: sizeText,
};

const prose = '// Written by bridge.mjs from the headers of cpp/.';
/** The number of an enumeration's word. */
const codeOf =
  "const codeOf = (words, value, initial) => (typeof value === 'string' ? words.indexOf(value) : +(value ?? initial));";
/** Numbers of members, in their order, and where runs of them go. */
const structType =
  'interface Struct<Values> {\n' +
  '  readonly bytes: number;\n' +
  '  readonly runs: readonly (readonly [byte: number, kind: string, count: number])[];\n' +
  '  readonly list: (values: Values) => number[];\n' +
  '}';

/**
 * The modules of dist/bridge: their names, their text and their types.
 * @returns {{ name: string, text: string, types: string }[]}
 */
export function bridgeModules() {
  return Object.entries(crossings).map(([name, kinds]) => {
    /** @type {Written[]} */
    const parts = Object.entries(kinds).flatMap(([kind, headers]) =>
      Object.entries(headers).flatMap(([file, names]) => {
        const header = new Header(file);
        return names.map((/** @type {string} */ each) =>
          writers[/** @type {keyof typeof writers} */ (kind)](header, each),
        );
      }),
    );
    const [text, types] = [parts.map((part) => part.text), parts.map((part) => part.types)];
    return { name, text: [prose, codeOf, ...text, ''].join('\n'), types: [prose, structType, ...types, ''].join('\n') };
  });
}

/**
 * Where the structs of {@link bridgeModules} and their members lie, for a test that asks the compiler.
 * @returns {{ file: string, name: string, bytes: number, places: Record<string, number> }[]} `places`: by C++'s names
 */
export function structLayouts() {
  const kinds = Object.values(crossings).flatMap((/** @type {any} */ { structs, calls, places, sizes }) => [
    ...Object.entries({ ...structs }),
    ...Object.entries({ ...calls }),
    ...Object.entries({ ...places }),
    ...Object.entries({ ...sizes }),
  ]);
  return kinds.flatMap(([file, names]) =>
    names.map((/** @type {string} */ name) => {
      const { bytes, members } = new Header(file).structOf(name);
      return { file, name, bytes, places: Object.fromEntries(members.map(({ field, place }) => [field, place])) };
    }),
  );
}
