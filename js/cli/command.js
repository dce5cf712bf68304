/** Runs one command of the command line. */
import { createRequire } from 'node:module';
import { getSystemErrorMap } from 'node:util';
import { brief, unknownRule } from '../arguments/index.js';
import { commands } from './commands.js';
import { helpOf, helpOfAll } from './help.js';
import { UsageError } from './options.js';
import { clearProgress, safe, safeJson, withoutFunction } from './terminal.js';
import { camelCase, keyOf, optionsOf, readCall } from './usage.js';

/** @import { Call, Command, Streams } from './types.js' */

/** Runs a command of the program, and says on stderr what is wrong. Gives the exit status: that of the command, 1 after
 * an error of a file, 2 after a mistake in the arguments.
 * @type {(args: string[], streams: Streams) => Promise<number>} */
export async function run(args, streams) {
  const [name, ...rest] = withCommand(args);
  try {
    // Without arguments the name is undefined.
    const printed = helpOrVersion([name, ...rest].filter((arg) => arg !== undefined));
    if (printed === undefined) return await work(name, rest, streams);
    streams.stdout.write(printed);
    return 0;
  } catch (error) {
    clearProgress(streams);
    const isUsage = error instanceof UsageError;
    const command = Object.hasOwn(commands, name) ? `${name} ` : '';
    const hint = isUsage ? `onnx-layout ${command}--help says more\n` : '';
    streams.stderr.write(`onnx-layout: ${safe(messageOf(error))}\n${hint}`);
    return isUsage ? 2 : 1;
  }
}

/** Joins the two words of a command such as `dataset build` to one argument, also behind `help`.
 * @type {(args: string[]) => string[]} */
function withCommand(args) {
  const at = args[0] === 'help' ? 1 : 0;
  const name = args.slice(at, at + 2).join(' ');
  return name.includes(' ') && Object.hasOwn(commands, name) ? args.toSpliced(at, 2, name) : args;
}

/** Gives the text of the help or of the version, if the arguments ask for one; undefined if they are a call. Refuses an
 * unknown command. Without arguments, the help of the program is asked for.
 * @type {(args: string[]) => string | undefined} */
function helpOrVersion(args) {
  if (args[0] === '--version') return `${createRequire(import.meta.url)('onnx-layout/package.json').version}\n`;
  const isAsked = args.length === 0 || args[0] === 'help' || args.some((arg) => arg === '--help' || arg === '-h');
  const name = args.find((arg) => arg !== 'help' && arg !== '--help' && arg !== '-h');
  if (name !== undefined && !Object.hasOwn(commands, name))
    throw new UsageError(unknownRule('command', name, Object.keys(commands)));
  if (!isAsked) return undefined;
  return name === undefined ? helpOfAll(commands) : helpOf(name, commands[name]);
}

/** Reads a command's arguments, runs it, prints its report (lines, or JSON with --json; nothing with --quiet or if OUT
 * is standard output), and gives the exit status.
 * @type {(name: string, args: string[], streams: Streams) => Promise<number>} */
async function work(name, args, streams) {
  const command = commands[name];
  const call = readCall(name, command, args);
  const { json, quiet } = call.values;
  const {
    report,
    lines = [],
    status = 0,
  } = await command.work({ ...streams, isQuiet: quiet }, call).catch((/** @type {Error} */ error) => {
    throw inWordsOf(command, call, error);
  });
  clearProgress(streams);
  const text = json
    ? safeJson(`${JSON.stringify(report, plain, 2)}\n`)
    : lines.map((line) => `${safe(line)}\n`).join('');
  // A report must not stand among the bytes of a tensor on standard output.
  if (!quiet && call.out !== '-') streams.stdout.write(text);
  return status;
}

/** Replaces numbers that JSON lacks, as a replacer of JSON.stringify: a bigint by a number if that is exact, otherwise
 * by its text; NaN and infinity by the texts "NaN", "Infinity" and "-Infinity". Other values stay.
 * @type {(_: string, value: unknown) => unknown} */
function plain(_, value) {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

/** Rewrites an error of the package's functions in the words of the command line. Its message is "caller: argument
 * rule", where the caller is a function or, as in "Transpose-25", an operator. A mistake of usage becomes a UsageError:
 * - the argument is an option of the command: "--option rule" replaces the message of a function, and an operator's
 *   message stays;
 * - the operator, a dtype or an argument needs a newer opset than the one that the call names (`isOpset`);
 * - the argument is a key of the JSON that --options holds (`isInside`);
 * - the extents of rearrange's IN do not suit its pattern or lengths (`isExtent`);
 * - the class that the call names is unknown (`isClass`).
 * Any other error is of a file. It stays an error, with the command's name in the place of the function's. Only
 * TypeErrors and RangeErrors are about arguments, so errors of other classes are returned as they are.
 * @type {(command: Command, call: Call, error: Error) => Error} */
function inWordsOf(command, { name, options, values }, error) {
  if (error.name !== 'TypeError' && error.name !== 'RangeError') return error;
  const [, caller = '', argument = '', rule = ''] = /^(?:([^:]+): )?(\w+)? ?([^]*)$/.exec(error.message) ?? [];
  const isFunction = /^[a-z]+[A-Z]/.test(caller); // not a command, whose names are in lower case
  // Options that commands share are about files, except for these two, which are arguments of functions if given.
  const names = [
    ...Object.keys(command.options),
    ...['dtype', 'opset'].filter((key) => key in { ...options, ...values }),
  ];
  const known = optionsOf(command);
  const option = names.find((key) => keyOf(key, known[key]) === argument && !known[key].isPath);
  if (option) return new UsageError(isFunction ? `--${option} ${rule}` : withOptions(error.message, command));
  const words = withOptions(withoutFunction(error.message), command);
  const isOpset = options.opset !== undefined && / opset \d+, got opset \d+$/.test(words);
  const isInside = Object.hasOwn(options.options ?? {}, argument);
  const isExtent = name === 'rearrange' && argument === 'dims';
  const isClass = options.className !== undefined && words.startsWith('unknown class');
  if (isOpset || isInside || isExtent || isClass) return new UsageError(words);
  error.message = isFunction ? `${name}: ${words}` : words;
  return error;
}

/** Rewrites a message so that it names options as the command line does: `maxBytes` becomes `--max-bytes`. Options of
 * one word stay as they are, and so do options such as `no-center`, whose argument has another name.
 * @type {(message: string, command: Command) => string} */
const withOptions = (message, command) =>
  Object.keys(optionsOf(command))
    .filter((option) => option.includes('-') && !option.startsWith('no-'))
    .reduce(
      (text, option) => text.replace(new RegExp(`(option )?\\b${camelCase(option)}\\b`, 'g'), `--${option}`),
      message,
    );

/** Gives the message of an error. One of the system about a file becomes `path: no such file or directory`.
 * @type {(error: unknown) => string} */
function messageOf(error) {
  const { message, path, errno } = /** @type {{ message: string, path?: string, errno?: number }} */ (error);
  const [, words] = getSystemErrorMap().get(Number(errno)) ?? [];
  if (!words || path === undefined) return message;
  // Names of files have at most 255 bytes; what the system refuses may be longer.
  return `${path === '' ? "''" : path.length > 300 ? brief(path) : path}: ${words}`;
}
