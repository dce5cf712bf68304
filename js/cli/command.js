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

/** Runs the command that the arguments name, and says on stderr what is wrong. Gives the exit status: that of the
 * command, 1 after an error of a file, 2 after a mistake in the arguments.
 * @type {(args: string[], streams: Streams) => Promise<number>} */
export async function run(args, streams) {
  const [name, ...rest] = withCommand(args);
  try {
    // Without arguments the name is undefined.
    const printed = helpOrVersion([name, ...rest].filter((arg) => arg !== undefined));
    if (printed === undefined) return await runCommand(name, rest, streams);
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
 * unknown command.
 * @type {(args: string[]) => string | undefined} */
function helpOrVersion(args) {
  if (args[0] === '--version') return `${createRequire(import.meta.url)('onnx-layout/package.json').version}\n`;
  const asksForHelp = args.length === 0 || args[0] === 'help' || args.includes('--help') || args.includes('-h');
  const name = args.find((arg) => !['help', '--help', '-h'].includes(arg));
  if (name !== undefined && !Object.hasOwn(commands, name))
    throw new UsageError(unknownRule('command', name, Object.keys(commands)));
  if (!asksForHelp) return undefined;
  return name === undefined ? helpOfAll(commands) : helpOf(name, commands[name]);
}

/** Reads a command's arguments, runs it, prints its report, and gives the exit status.
 * @type {(name: string, args: string[], streams: Streams) => Promise<number>} */
async function runCommand(name, args, streams) {
  const command = commands[name];
  const call = readCall(name, command, args);
  const { json, quiet } = call.values;
  const outcome = await command.work({ ...streams, isQuiet: quiet }, call).catch((/** @type {Error} */ error) => {
    throw inWordsOf(command, call, error);
  });
  clearProgress(streams);
  const { report, lines = [], status = 0 } = outcome;
  const text = json
    ? safeJson(`${JSON.stringify(report, withoutSpecialNumbers, 2)}\n`)
    : lines.map((line) => `${safe(line)}\n`).join('');
  // A report must not stand among the bytes of a tensor on standard output.
  if (!quiet && call.out !== '-') streams.stdout.write(text);
  return status;
}

/** Replaces numbers that JSON lacks, as a replacer of JSON.stringify: by a number if that is exact, otherwise by text.
 * @type {(_: string, value: unknown) => unknown} */
function withoutSpecialNumbers(_, value) {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

/** A message of the package: the caller is a function or, as in "Transpose-25", an operator. */
const messageForm = /^(?:(?<caller>[^:]+): )?(?<argument>\w+)? ?(?<rule>[^]*)$/;

/** Rewrites an error of the package's functions in the words of the command line. A mistake of usage becomes a
 * UsageError; any other error is of a file, and stays an error, with the command's name in place of the function's.
 * @type {(command: Command, call: Call, error: Error) => Error} */
function inWordsOf(command, call, error) {
  // Errors of other classes are never about arguments.
  if (error.name !== 'TypeError' && error.name !== 'RangeError') return error;
  const { caller = '', argument = '', rule = '' } = messageForm.exec(error.message)?.groups ?? {};
  const isFunction = /^[a-z]+[A-Z]/.test(caller); // not a command, whose names are in lower case
  const option = optionOfArgument(argument, command, call);
  if (option && isFunction) return new UsageError(`--${option} ${rule}`);
  // The user knows the operator that the command runs, so its message stays.
  if (option) return new UsageError(withOptions(error.message, command));
  const words = withOptions(withoutFunction(error.message), command);
  if (isUsageMistake(words, argument, call)) return new UsageError(words);
  error.message = isFunction ? `${call.name}: ${words}` : words;
  return error;
}

/** Finds the option that a function calls `argument`. Options that name files are left out: their errors are the
 * files'.
 * @type {(argument: string, command: Command, call: Call) => string | undefined} */
function optionOfArgument(argument, command, { options, values }) {
  const known = optionsOf(command);
  // Of the options that commands share, these two alone are arguments of functions.
  const shared = ['dtype', 'opset'].filter((option) => option in options || option in values);
  return [...Object.keys(command.options), ...shared].find(
    (option) => keyOf(option, known[option]) === argument && !known[option].isPath,
  );
}

/** Whether a message about no single option is still about the arguments of the call, and not about a file.
 * @type {(message: string, argument: string, call: Call) => boolean} */
function isUsageMistake(message, argument, { name, options }) {
  const needsNewerOpset = options.opset !== undefined && / opset \d+, got opset \d+$/.test(message);
  const isKeyOfOptions = Object.hasOwn(options.options ?? {}, argument); // of the JSON of --options
  const isPatternMisfit = name === 'rearrange' && argument === 'dims'; // --pattern or --lengths do not suit IN
  const isUnknownClass = options.className !== undefined && message.startsWith('unknown class');
  return needsNewerOpset || isKeyOfOptions || isPatternMisfit || isUnknownClass;
}

/** Rewrites a message so that it names options as the command line does: `maxBytes` becomes `--max-bytes`.
 * @type {(message: string, command: Command) => string} */
function withOptions(message, command) {
  let text = message;
  for (const option of Object.keys(optionsOf(command))) {
    // A word such as `axis` may mean the axis itself. The argument of `no-center` has another name, `center`.
    if (!option.includes('-') || option.startsWith('no-')) continue;
    text = text.replace(new RegExp(`(option )?\\b${camelCase(option)}\\b`, 'g'), `--${option}`);
  }
  return text;
}

/** Gives the message of an error. One of the system about a file becomes `path: no such file or directory`.
 * @type {(error: unknown) => string} */
function messageOf(error) {
  const { message, path, errno } = /** @type {{ message: string, path?: string, errno?: number }} */ (error);
  const [, words] = getSystemErrorMap().get(Number(errno)) ?? [];
  if (!words || path === undefined) return message;
  if (path === '') return `'': ${words}`;
  return `${path.length > longestShownPath ? brief(path) : path}: ${words}`;
}

/** Names of files have at most 255 bytes, but a path that the system refuses may be longer. */
const longestShownPath = 300;
