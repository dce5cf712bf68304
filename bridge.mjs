/**
 * The enumerations and structs that cross between C++ and JavaScript, read from C++'s headers and written as modules of
 * JavaScript: what a header states, no file of js/engines states again. build.mjs writes dist/bridge/ by them.
 *
 * An enumeration becomes its words in the order of their numbers (`kTorchHann` is 'torchHann'), or the number of each
 * word. A struct becomes its members where wasm32 lays them; one whose members have 32 bits each becomes a constant for
 * each member: the word that it begins at.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const cpp = join(import.meta.dirname, 'cpp');

/**
 * Enumerations and structs by the modules of dist/bridge. `words`: enumerations as lists; `snake` and `kebab` join the
 * parts of a word as ONNX and torch do. `codes`: enumerations as numbers by words. `structs`: members with types.
 * `places`: structs of 32-bit members. `sizes`: structs of which JavaScript knows the bytes alone.
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
    places: {
      'image/pixels.h': ['PixelNumbers', 'Channel', 'RgbaPixels', 'RgbaByte'],
      'resize/plan.h': ['ResizeStep', 'ResizeRun'],
      'warp/warp.h': ['Warp'],
      'warp/samples.h': ['Samples'],
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
};

/** Bytes of the types of wasm32, and what a DataView calls them. An address is a uint32.
 * @type {Record<string, [bytes: number, kind: string]>} */
const numberTypes = {
  bool: [1, 'Uint8'],
  int8_t: [1, 'Int8'],
  uint8_t: [1, 'Uint8'],
  int16_t: [2, 'Int16'],
  uint16_t: [2, 'Uint16'],
  int: [4, 'Int32'],
  int32_t: [4, 'Int32'],
  ptrdiff_t: [4, 'Int32'],
  uint32_t: [4, 'Uint32'],
  size_t: [4, 'Uint32'],
  int64_t: [8, 'BigInt64'],
  float: [4, 'Float32'],
  double: [8, 'Float64'],
};

/**
 * @typedef {object} Member
 * @property {string} name
 * @property {string} field its name in C++
 * @property {number} place
 * @property {string} kind
 * @property {number} count of an array, else 1
 * @property {any} initial
 * @property {string} [words] the enumeration
 * @property {Struct} [members] of a struct
 */
/** @typedef {{ bytes: number, alignment: number, members: Member[] }} Struct */

/** @type {(name: string) => string} a name of C++ as JavaScript writes it */
const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
/** @type {(name: string) => string} */
const wordOf = (name) => name[1].toLowerCase() + name.slice(2);
/** @type {(word: string, joint: string) => string} */
const joined = (word, joint) => word.replace(/[A-Z]/g, (letter) => joint + letter.toLowerCase());
const joints = { snake: '_', kebab: '-' };

/** The text of headers without comments and `std::`, and of those that they include. */
class Header {
  /** @param {string} file below cpp/ */
  constructor(file) {
    const text = readFileSync(join(cpp, file), 'utf8');
    this.file = file;
    this.text = text.replace(/\/\/.*/g, '').replace(/\bstd::/g, '');
    /** @type {string[]} */
    this.includes = [...text.matchAll(/^#include "(.+)"/gm)].map(([, path]) => path);
  }

  /** Finds a pattern here or in an included header.
   * @type {(pattern: RegExp) => { match: RegExpMatchArray, header: Header } | undefined} */
  find(pattern) {
    const match = this.text.match(pattern);
    if (match) return { match, header: this };
    for (const file of this.includes) {
      const found = new Header(file).find(pattern);
      if (found) return found;
    }
    return undefined;
  }

  /** @type {(pattern: RegExp) => { match: RegExpMatchArray, header: Header }} */
  need(pattern) {
    return this.find(pattern) ?? fail(`${this.file} and what it includes have nothing like ${pattern}`);
  }

  /** @type {(name: string) => string[]} */
  wordsOf(name) {
    const { match } = this.need(new RegExp(`enum class ${name}(?: : \\w+)? \\{([^}]*)\\}`));
    const entries = match[1].split(',').map((entry) => entry.trim().split(/\s*=\s*/));
    return entries
      .filter(([entry]) => entry)
      .map(([entry, number = undefined], i) => {
        if (number !== undefined && Number(number) !== i)
          fail(`${name} must count from 0 on, got ${entry} = ${number}`);
        return wordOf(entry);
      });
  }

  /** The number of an initial word.
   * @type {(name: string, initial: any) => number} */
  codeOf(name, initial) {
    return typeof initial === 'string' ? this.wordsOf(name).indexOf(initial) : initial;
  }

  /** A number, or the value of a constant.
   * @type {(text: string) => number} */
  numberOf(text) {
    if (!/^k[A-Z]/.test(text)) return Number(text.replace(/f$/, ''));
    return Number(this.need(new RegExp(`constexpr \\w+ ${text} = (-?[\\d.]+);`)).match[1]);
  }

  /** @type {(name: string) => Struct} */
  structOf(name) {
    const { match, header } = this.need(new RegExp(`struct ${name}(?: : (\\w+))? \\{`));
    const start = /** @type {number} */ (match.index) + match[0].length;
    /** @type {Struct} */
    const struct = { bytes: 0, alignment: 1, members: [] };
    if (match[1]) Object.assign(struct, header.structOf(match[1]));
    struct.members = [...struct.members];
    for (const declaration of declarationsIn(header.text, start)) header.addMembers(struct, declaration);
    struct.bytes = Math.ceil(struct.bytes / struct.alignment) * struct.alignment;
    return struct;
  }

  /** @type {(struct: Struct, declaration: string) => void} such as `int first, second[2]` */
  addMembers(struct, declaration) {
    const [, alignment, type, list] =
      declaration.match(/^(?:alignas\((\d+)\) )?(?:const )?(\w+)((?:\s|\*).*)$/s) ?? fail(`no member: ${declaration}`);
    for (const declarator of list.split(',')) {
      const [, star, name, extents, initial] =
        declarator.trim().match(/^(\*?)\s*(\w+)((?:\[\w+\])*)(?:\s*=\s*(.+))?$/s) ?? fail(`no member: ${declarator}`);
      const lengths = [...extents.matchAll(/\w+/g)].map(([length]) => this.numberOf(length));
      const form = star ? { bytes: 4, alignment: 4, kind: 'Uint32' } : this.formOf(type);
      const step = Math.max(form.alignment, Number(alignment ?? 1));
      const place = Math.ceil(struct.bytes / step) * step;
      const { bytes, alignment: _, ...rest } = form;
      const count = lengths.reduce((product, length) => product * length, 1);
      struct.members.push({
        ...{ name: camel(name), field: name, place, count, kind: '' },
        ...rest,
        initial: initial === undefined ? (type === 'bool' ? false : 0) : this.initialOf(initial),
      });
      struct.bytes = place + bytes * count;
      struct.alignment = Math.max(struct.alignment, step);
    }
  }

  /** @type {(type: string) => { bytes: number, alignment: number, kind?: string, words?: string, members?: Struct }} */
  formOf(type) {
    if (numberTypes[type]) {
      const [bytes, kind] = numberTypes[type];
      return { bytes, alignment: bytes, kind };
    }
    const enumeration = this.find(new RegExp(`enum class ${type}(?: : (\\w+))? \\{([^}]*)\\}`));
    if (enumeration) {
      const [bytes, kind] = numberTypes[enumeration.match[1] ?? 'int'];
      // A list that a .def file holds has no words here: its members are numbers.
      return { bytes, alignment: bytes, kind, ...(!enumeration.match[2].includes('#') && { words: type }) };
    }
    const struct = this.structOf(type);
    return { bytes: struct.bytes, alignment: struct.alignment, members: struct };
  }

  /** @type {(text: string) => any} */
  initialOf(text) {
    const [, word] = text.match(/^\w+::(k\w+)$/) ?? [];
    if (word) return wordOf(word);
    return /^(true|false)$/.test(text) ? text === 'true' : this.numberOf(text);
  }
}

/** @type {(text: string) => never} */
function fail(text) {
  throw new Error(`bridge.mjs: ${text}`);
}

/** The declarations of members in a struct's body; functions, constants and types of its own are none.
 * @type {(text: string, start: number) => string[]} */
function declarationsIn(text, start) {
  const declarations = [];
  let [depth, begin] = [0, start];
  for (let i = start; depth >= 0; i++) {
    const letter = text[i];
    if (letter === '{') depth++;
    else if (letter === '}') depth--;
    const isFunctionEnd = letter === '}' && depth === 0 && text.slice(begin, i).includes('(');
    if (depth !== 0 || !(letter === ';' || isFunctionEnd)) continue;
    const declaration = text.slice(begin, i).trim();
    begin = i + 1;
    if (declaration && !isFunctionEnd && !/^(static|using|struct|enum)\b/.test(declaration))
      declarations.push(declaration);
  }
  return declarations;
}

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

/** @type {(header: Header, member: Member) => string} */
function memberType(header, { initial, words, count, members }) {
  if (members) return valuesType(header, members);
  if (words) return [...header.wordsOf(words).map((word) => `'${word}'`), 'number'].join(' | ');
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

const writers = { words: listOf, codes: codesOf, structs: structText, places: placesText, sizes: sizeText };

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
  const kinds = Object.values(crossings).flatMap((/** @type {any} */ { structs, places, sizes }) => [
    ...Object.entries({ ...structs }),
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
