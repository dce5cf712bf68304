/** How the arguments of a command are read. All of it happens before any file is read. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brief, unknownRule } from '../arguments/index.js';
import { flag, integer, readOption, text, typeName, UsageError, word } from './options.js';
import { counted } from './terminal.js';

/** @import { Call, Command, Options, Option } from './types.js' */

/** @type {Record<string, Option>} options that several commands share */
const sharedOptions = {
  tensor: text('NAME', 'which tensor of IN, where it has several'),
  dtype: typeName('TYPE', 'the type of the void elements (|V1, |V2) of a .npy or .npz file: bfloat16, int4, …'),
  'view-as': word(
    ['int4', 'uint4', 'int2', 'uint2'],
    'the elements that bytes of IN pack along its last axis; OUT packs them alike',
  ),
  opset: integer('N', 'whose rules apply; the newest if omitted'),
  as: word(['npy', 'npz', 'safetensors', 'onnx'], 'the format of OUT where its name has no extension, as -'),
  force: flag('let OUT be an input, or for concat a file that exists'),
};

/** @type {Options} */
const commonOptions = { json: flag('print JSON'), quiet: flag('print errors alone'), help: flag('print this') };

/** @type {(command: Command) => Options} */
export const optionsOf = ({ options, shared }) => ({
  ...options,
  ...Object.fromEntries(shared.map((name) => [name, sharedOptions[name]])),
  ...commonOptions,
});

/** @type {(command: Command) => boolean} */
const hasOut = ({ form }) => form.endsWith('OUT');

/** @type {(name: string) => string} */
export const camelCase = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** The name of an option's value in a {@link Call}.
 * @type {(option: string, row: Option) => string} */
export const keyOf = (option, { key = camelCase(option) }) => key;

/** Reads the arguments of a command: its options, then its files, of which the last one is OUT if the command's form
 * ends with that. Refuses mistakes by a UsageError.
 * @type {(name: string, command: Command, args: string[]) => Call} */
export function readCall(name, command, args) {
  const known = optionsOf(command);
  const { texts, files } = splitArguments(args, known);
  const read = readValues(texts, command, known);
  checkCount(name, command, files.length);
  const { required = [] } = command;
  if (required.some((option) => texts[option] === undefined))
    throw new UsageError(`${name} needs ${required.map((option) => `--${option}`).join(' and ')}`);
  const inputs = hasOut(command) ? files.slice(0, -1) : files;
  if (inputs.filter((file) => file === '-').length > 1) throw new UsageError('standard input can be IN once');
  if (!hasOut(command)) return { name, inputs, out: '', extension: '', ...read };
  const out = /** @type {string} */ (files.at(-1));
  const call = { name, inputs, out, extension: '', ...read };
  checkOut(call, command, [...inputs, ...pathsOf(texts, known)]);
  return { ...call, extension: extensionOf(call, command) };
}

/** Reads the texts of options to their values: the command's own ones to `options`, shared ones to `values`.
 * @type {(texts: Record<string, unknown>, command: Command, known: Options) => Pick<Call, 'options' | 'values'>} */
function readValues(texts, command, known) {
  /** @type {Record<'options' | 'values', Record<string, unknown>>} */
  const read = { options: {}, values: {} };
  for (const [option, text] of Object.entries(texts)) {
    // opset is shared, but an argument of the operator, as the command's own options are.
    const group = Object.hasOwn(command.options, option) || option === 'opset' ? read.options : read.values;
    const row = known[option];
    group[keyOf(option, row)] = readOption(option, row, /** @type {string} */ (text));
  }
  return read;
}

/** Lists the files that options name.
 * @type {(texts: Record<string, unknown>, known: Options) => string[]} */
const pathsOf = (texts, known) =>
  Object.keys(texts).flatMap((option) =>
    known[option].isPath ? /** @type {string | string[]} */ (texts[option] ?? []) : [],
  );

/** Refuses more or fewer files than the command's form takes: a word for each, in brackets if it may be omitted; with …
 * there may be more.
 * @type {(name: string, command: Command, count: number) => void} */
function checkCount(name, { form }, count) {
  const minCount = form.split(' ').filter((word) => !word.startsWith('[')).length;
  const isRight = form.includes('…') ? count >= minCount : count === minCount;
  if (isRight) return;
  throw new UsageError(`${name} takes ${form}, got ${counted(count, 'file')}`);
}

/** Finds the extension of OUT, which says its format, and refuses one that the command cannot write.
 * @type {(call: Call, command: Command) => string} */
function extensionOf({ out, values }, { extensions }) {
  const ofStdout = extensions?.[0] ?? '.npy';
  const byName = out === '-' ? ofStdout : extname(out);
  const extension = values.as === undefined ? byName : `.${values.as}`;
  if (extensions && !extensions.includes(extension))
    throw new UsageError(`OUT must be ${extensions.join(', ')} or -, got ${values.as ?? out}`);
  return extension;
}

/** Resolves a path; of a link it is the target's.
 * @type {(path: string) => string} */
const realPath = (path) => (existsSync(path) ? realpathSync(path) : resolve(path));

/** Refuses an OUT that would replace a file that the command reads: one of `inputs`, or one in a folder of `inputs`,
 * such as a model's shard. --force allows it.
 * @type {(call: Call, command: Pick<Command, 'isNew' | 'hasPictures'>, inputs: string[]) => void} */
export function checkOut({ name, out, values }, { isNew, hasPictures }, inputs) {
  if (values.json && out === '-') throw new UsageError('--json and OUT cannot both go to standard output');
  if (out === '-' || values.force) return;
  const target = realPath(out);
  // A folder stands for all of its files, so none that exists may be OUT. Of a folder of pictures the command itself
  // checks the pictures, because other files in it are not read.
  const checksFolders = existsSync(out) && !hasPictures;
  const isRead = (/** @type {string} */ input) => input === target || (checksFolders && input === dirname(target));
  if (inputs.some((file) => file !== '-' && isRead(realPath(file))))
    throw new UsageError(`OUT must not be an input, got ${out}: --force replaces it`);
  // concat takes any number of files: if OUT is forgotten, the last IN stands in its place, and exists.
  if (isNew && existsSync(out)) throw new UsageError(`${name}: OUT must not exist, got ${out}: --force replaces it`);
}

/** Splits arguments into the options' texts, by their names, and files. A flag's text is true; an option that may come
 * several times has a list.
 * @type {(argv: string[], options: Options) => { texts: Record<string, unknown>, files: string[] }} */
function splitArguments(argv, options) {
  const args = withNumbersJoined(argv);
  // parseArgs refuses wrong options too, but says so in its own words, and does not name the one that is near.
  const { tokens, positionals } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  /** @type {Record<string, string | true | unknown[]>} */
  const texts = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, value } = token;
    checkOption(token, options);
    if (options[name].multiple) /** @type {unknown[]} */ (texts[name] ??= []).push(value);
    else texts[name] = value ?? true;
  }
  return { texts, files: positionals };
}

/** Joins negative numbers to the options before them, such as `--axis=-1`: parseArgs takes -1 for an option.
 * @type {(argv: string[]) => string[]} */
function withNumbersJoined(argv) {
  /** @type {string[]} */
  const args = [];
  for (const arg of argv) {
    const before = args.at(-1);
    if (/^-\d/.test(arg) && before?.startsWith('--')) args[args.length - 1] = `${before}=${arg}`;
    else args.push(arg);
  }
  return args;
}

/** @type {(token: { name: string, rawName: string, value?: string, inlineValue?: boolean }, options: Options) =>
 *   void} */
function checkOption({ name, rawName, value, inlineValue }, options) {
  if (!Object.hasOwn(options, name)) {
    const known = Object.keys(options).map((option) => `--${option}`);
    throw new UsageError(unknownRule('option', rawName, known));
  }
  const { type } = options[name];
  if (type === 'boolean' && value !== undefined) throw new UsageError(`--${name} takes no value, got ${brief(value)}`);
  if (type === 'boolean') return;
  if (value === undefined) throw new UsageError(`--${name} needs a value`);
  // - alone is standard input, and --option=-x is meant so.
  if (!inlineValue && value.length > 1 && value.startsWith('-'))
    throw new UsageError(`--${name} needs a value, got ${brief(value)}: --${name}=${brief(value)} takes it for one`);
}
