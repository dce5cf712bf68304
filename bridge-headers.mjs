/**
 * Reads C++'s headers for bridge.mjs: the words of enumerations, and the members of structs where wasm32 lays them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const cpp = join(import.meta.dirname, 'cpp');

/** Bytes of the types of wasm32, and what a DataView calls them. An address is a uint32.
 * @type {Record<string, [bytes: number, kind: string]>} */
export const numberTypes = {
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

/** The text of headers without comments and `std::`, and of those that they include. */
export class Header {
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
export function fail(text) {
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
