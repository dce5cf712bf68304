/** Options of the command line: functions such as `integer` make one of a sample and a line for the help. The option's
 * `read` parses its text, or refuses it by a rule. */

import { brief, either, rangeError, typeError, unknownName, namePart } from '../arguments/index.js';
import { dtypes } from '../index.js';

/** @import { Option } from './types.js' */

/** The caller's mistake, as opposed to the file's. */
export class UsageError extends Error {}

/** @typedef {(name: string, text: string) => unknown} TextReader refuses a text by a rule that names the option */
/** @typedef {(sample: string, help?: string, key?: string) => Option} MakeOption */

/** Makes a function that reads an option's text by `parse`, which gives undefined for a wrong text.
 * @type {<Value>(rule: string, parse: (text: string) => Value | undefined) => (name: string, text: string) => Value} */
const textReader = (rule, parse) => (name, text) =>
  parse(text) ?? rangeError(`${name} must be ${rule}, got ${brief(text)}`);

/** Gives the function that makes options whose text `read` reads.
 * @type {(read: TextReader) => MakeOption} */
const optionReadBy = (read) => (sample, help, key) => ({ type: 'string', sample, help, key, read });

/** Gives the function that makes options whose text `parse` parses. `rule`: what a text must be, for messages.
 * @type {(rule: string, parse: (text: string) => unknown) => MakeOption} */
const optionParsedBy = (rule, parse) => optionReadBy(textReader(rule, parse));

/** Reads the text of an option. A refusal becomes a UsageError, because it is the caller's mistake, not a file's.
 * @type {(option: string, row: Option, text: string) => unknown} */
export function readOption(option, { read }, text) {
  try {
    return read(`--${option}`, text);
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message);
  }
}

/** Makes a function that parses a number of the form of the pattern.
 * @type {(pattern: RegExp) => (text: string) => number | undefined} */
const numberIn = (pattern) => (text) => (pattern.test(text) ? Number(text) : undefined);

/** Makes a function that parses numbers with commas between, each by the pattern. An empty text gives an empty list.
 * @type {(pattern: RegExp) => (text: string) => number[] | undefined} */
const numbersIn = (pattern) => (text) => {
  const entries = text === '' ? [] : text.split(',');
  return entries.every((entry) => pattern.test(entry)) ? entries.map(Number) : undefined;
};

/** Parses lengths of axes by name, such as `h=2,w=3`, of up to 15 digits, which are exact.
 * @type {(text: string) => Record<string, number> | undefined} */
function lengthsIn(text) {
  const matches = text.split(',').map((entry) => /^([^=]+)=(\d{1,15})$/.exec(entry));
  if (!matches.every((match) => match !== null)) return undefined;
  return Object.fromEntries(matches.map(([, axis, length]) => [axis, Number(length)]));
}

/** @type {(text: string) => object | undefined} */
function objectIn(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parses a byte or several with commas between. A text that is no numbers is returned as it is: a CSS color, which is
 * read later.
 * @type {(text: string) => number | number[] | string | undefined} */
function backgroundIn(text) {
  const bytes = numbersIn(wholePattern)(text) ?? [];
  if (bytes.some((byte) => byte < 0 || byte > 255)) return undefined;
  if (bytes.length === 0) return text;
  return bytes.length === 1 ? bytes[0] : bytes;
}

/** Numbers of up to 15 digits, which float64 holds exactly. */
const wholePattern = /^-?\d{1,15}$/;
const realPattern = /^-?\d{1,15}(\.\d{1,15})?$/;

/** Finds the number of this process among the tasks of a cluster's array job, from 0 on; undefined without one. Slurm
 * may count from another number, which it states.
 * @type {(env: Record<string, string | undefined>) => number | undefined} */
function taskIndex(env) {
  const { SLURM_ARRAY_TASK_ID: slurm, SLURM_ARRAY_TASK_MIN: first = '0' } = env;
  const text = slurm ?? env.JOB_COMPLETION_INDEX ?? env.AWS_BATCH_JOB_ARRAY_INDEX;
  if (text === undefined || !/^\d{1,9}$/.test(text)) return undefined;
  return slurm === undefined ? Number(text) : Number(text) - Number(first);
}

/** Parses the part of the shards that a process makes: `I/N`, I from 0 to N - 1, or `auto/N`, where the cluster's
 * variables say I.
 * @type {(text: string) => { index: number, count: number } | undefined} */
function shardIn(text) {
  const match = /^(auto|\d{1,9})\/(\d{1,9})$/.exec(text);
  if (!match) return undefined;
  const [, part, total] = match;
  const index = part === 'auto' ? taskIndex(process.env) : Number(part);
  if (index === undefined)
    return rangeError(
      '--shard auto/N needs SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX, got none of them',
    );
  const count = Number(total);
  return index >= 0 && index < count ? { index, count } : undefined;
}

const readIntegers = textReader('whole numbers with commas between', numbersIn(wholePattern));

/** Reads the name of a dtype, or `float` or `double`, which the package takes too.
 * @type {TextReader} */
function readTypeName(name, text) {
  const known = Object.keys(dtypes);
  if (known.includes(text) || text === 'float' || text === 'double') return text;
  return namePart(name, () => unknownName('type', text, known));
}

export const integer = optionParsedBy('a whole number', numberIn(wholePattern));
export const integers = optionReadBy(readIntegers);
export const oneOrMoreIntegers = optionReadBy((name, text) => {
  const list = readIntegers(name, text);
  return list.length === 1 ? list[0] : list;
});
export const real = optionParsedBy('a number', numberIn(realPattern));
export const reals = optionParsedBy('numbers with commas between', numbersIn(realPattern));
export const tolerance = optionParsedBy('a number from 0 on', numberIn(/^\d{1,15}(\.\d{1,15})?(e-?\d{1,3})?$/));
export const background = optionParsedBy('a byte, bytes or a CSS color', backgroundIn);
export const lengths = optionParsedBy('like h=2,w=3', lengthsIn);
export const text = optionParsedBy('text', (text) => text);
export const json = optionParsedBy('a JSON object', objectIn);
export const shardPart = optionParsedBy('I/N with I from 0 to N - 1, or auto/N', shardIn);
export const names = optionParsedBy('names', (text) => text.split(','));
export const typeName = optionReadBy(readTypeName);
export const numberType = optionReadBy((name, text) =>
  text === 'string' ? typeError(`${name} must be a type of numbers, got string`) : readTypeName(name, text),
);

/** @type {(help: string) => Option} a file that the command reads */
export const path = (help) => ({ ...text('FILE', help), isPath: true });

/** Makes an option whose text is one of a few words, which shells complete.
 * @type {(words: readonly string[], help?: string, key?: string) => Option} */
export const word = (words, help, key) => {
  const parse = (/** @type {string} */ text) => (words.includes(text) ? text : undefined);
  return { ...optionParsedBy(either(words), parse)(words.join('|'), help, key), words };
};

/** @type {(help?: string, key?: string, value?: unknown) => Option} `value`: what it means to give the flag */
export const flag = (help, key, value = true) => ({ type: 'boolean', sample: '', help, key, read: () => value });
