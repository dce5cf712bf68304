/** How the arguments of a command are read. All of it happens before any file is read. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brief, unknownRule } from '../arguments/index.js';
import { flag, integer, readOption, text, typeName, UsageError, word } from './options.js';

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

/** Lists the options of a command with those that it shares with others.
 * @type {(command: Command) => Options} */
export const optionsOf = ({ options, shared }) => ({
  ...options,
  ...Object.fromEntries(shared.map((name) => [name, sharedOptions[name]])),
  ...commonOptions,
});

/** @type {(command: Command) => boolean} */
const hasOut = ({ form }) => form.endsWith('OUT');

/** @type {(name: string) => string} */
export const camelCase = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** The name of an option's value in a call.
 * @type {(option: string, row: Option) => string} */
export const keyOf = (option, { key = camelCase(option) }) => key;

/** Reads the arguments of a command: its options, which the command and the shared table declare, then its files, of
 * which the last one is OUT if the command's form ends with that. Refuses mistakes by a UsageError.
 * @type {(name: string, command: Command, args: string[]) => Call} */
export function readCall(name, command, args) {
  const known = optionsOf(command);
  const { values, files } = readOptions(args, known);
  /** @type {Record<'options' | 'values', Record<string, unknown>>} */
  const read = { options: {}, values: {} };
  for (const [option, value] of Object.entries(values)) {
    // opset is shared, but an argument of the operator, as the command's own options are.
    const isOwn = Object.hasOwn(command.options, option) || option === 'opset';
    read[isOwn ? 'options' : 'values'][keyOf(option, known[option])] = readOption(
      option,
      known[option],
      /** @type {string} */ (value),
    );
  }
  checkCount(name, command, files.length);
  const missing = (command.required ?? []).filter((option) => values[option] === undefined);
  if (missing.length > 0)
    throw new UsageError(`${name} needs ${command.required?.map((option) => `--${option}`).join(' and ')}`);
  const out = hasOut(command) ? /** @type {string} */ (files.at(-1)) : undefined;
  const inputs = out === undefined ? files : files.slice(0, -1);
  if (inputs.filter((file) => file === '-').length > 1) throw new UsageError('standard input can be IN once');
  const call = { name, inputs, out: out ?? '', extension: '', ...read };
  if (out === undefined) return call;
  const paths = Object.keys(values).flatMap((option) => (known[option].isPath ? (values[option] ?? []) : []));
  checkOut(call, command, [...inputs, .../** @type {string[]} */ (paths)]);
  return { ...call, extension: extensionOf(call, command) };
}

/** Refuses more or fewer files than the command's form takes: a word for each, in brackets if it may be omitted; with …
 * there may be more.
 * @type {(name: string, command: Command, count: number) => void} */
function checkCount(name, { form }, count) {
  const least = form.split(' ').filter((word) => !word.startsWith('[')).length;
  if (form.includes('…') ? count >= least : count === least) return;
  throw new UsageError(`${name} takes ${form}, got ${count} file${count === 1 ? '' : 's'}`);
}

/** Finds the extension of OUT, such as `.npy`, which says its format: by --as, or by its name; for standard output the
 * command's first one. Refuses those that the command cannot write.
 * @type {(call: Call, command: Command) => string} */
function extensionOf({ out, values }, { extensions }) {
  const byName = out === '-' ? (extensions?.[0] ?? '.npy') : extname(out);
  const extension = values.as === undefined ? byName : `.${values.as}`;
  if (extensions && !extensions.includes(extension))
    throw new UsageError(`OUT must be ${extensions.join(', ')} or -, got ${values.as ?? out}`);
  return extension;
}

/** Resolves a path; of a link it is the target's.
 * @type {(path: string) => string} */
const realPath = (path) => (existsSync(path) ? realpathSync(path) : resolve(path));

/** Refuses an OUT that would replace an input, or a file in a folder of shards that is one; --force allows it.
 * `inputs`: paths of the files that the command reads.
 * @type {(call: Call, command: Pick<Command, 'isNew' | 'hasPictures'>, inputs: string[]) => void} */
export function checkOut({ name, out, values }, { isNew, hasPictures }, inputs) {
  if (values.json && out === '-') throw new UsageError('--json and OUT cannot both go to standard output');
  if (out === '-' || values.force) return;
  // An OUT that is there may be a file of its folder, where the folder is an input.
  const targets = [realPath(out), ...(existsSync(out) && !hasPictures ? [dirname(realPath(out))] : [])];
  if (inputs.some((file) => file !== '-' && targets.includes(realPath(file))))
    throw new UsageError(`OUT must not be an input, got ${out}: --force replaces it`);
  // concat takes any number of files: if OUT is forgotten, the last IN stands in its place, and exists.
  if (isNew && existsSync(out)) throw new UsageError(`${name}: OUT must not exist, got ${out}: --force replaces it`);
}

/** Splits arguments into the options' texts, by their names, and files. A flag's text is true; an option that may come
 * several times has a list.
 * @type {(argv: string[], options: Options) => { values: Record<string, unknown>, files: string[] }} */
function readOptions(argv, options) {
  /** @type {string[]} */
  const args = [];
  // parseArgs takes -1 for an option: a number belongs to the option before it.
  for (const arg of argv) {
    if (/^-\d/.test(arg) && args.at(-1)?.startsWith('--')) args.push(`${args.pop()}=${arg}`);
    else args.push(arg);
  }
  // parseArgs refuses wrong options too, but says so in its own words, and does not name the one that is near.
  const { tokens, positionals } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  /** @type {Record<string, string | true | unknown[]>} */
  const values = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, value } = token;
    checkOption(token, options);
    if (options[name].multiple) /** @type {unknown[]} */ (values[name] ??= []).push(value);
    else values[name] = value ?? true;
  }
  return { values, files: positionals };
}

/** Refuses an option that is not known, or that lacks a value, or has one too many.
 * @type {(token: { name: string, rawName: string, value?: string, inlineValue?: boolean }, options: Options) => void}
 * */
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
