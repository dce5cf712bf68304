/** The command `completions`: scripts by which shells complete the arguments of the program. */
import { UsageError } from '../options.js';
import { optionsOf } from '../usage.js';

/** @import { Command, Option } from '../types.js' */

/** @type {(command: Command) => [name: string, option: Option][]} */
const entriesOf = (command) => Object.entries(optionsOf(command));

/** @type {(text: string) => string} */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** A command of two words as one word of a script. @type {(name: string) => string} */
const labelOf = (name) => name.replace(' ', '-');

/** The first words of commands, each once. @type {(rows: [string, Command][]) => string[]} */
const firstWords = (rows) => [...new Set(rows.map(([name]) => name.split(' ')[0]))];

/** Lists the first words of commands of two words, each with the second words that may follow, with spaces between.
 * @type {(rows: [string, Command][]) => [first: string, seconds: string][]} */
function secondWords(rows) {
  /** @type {Map<string, string>} */
  const secondsByFirst = new Map();
  for (const [name] of rows) {
    const [first, second] = name.split(' ');
    if (second === undefined) continue;
    const others = secondsByFirst.get(first);
    secondsByFirst.set(first, others === undefined ? second : `${others} ${second}`);
  }
  return [...secondsByFirst];
}

/** Writes the lines of a bash script. It looks up the words to complete by "command:option", where the option is the
 * one under the cursor or before it: the first case that fits counts, so an option's words come before the list of
 * options, `-*`. `rows`: all commands by name.
 * @type {(rows: [string, Command][]) => string[]} */
function bash(rows) {
  const names = firstWords(rows).join(' ');
  const cases = rows.flatMap(([name, command]) => {
    const options = entriesOf(command).map(([option]) => `--${option}`);
    const words = entriesOf(command).flatMap(([option, row]) => {
      const list = row.words?.join(' ');
      return list ? [`    ${labelOf(name)}:--${option}) words=${quoted(list)} ;;`] : [];
    });
    return [...words, `    ${labelOf(name)}:-*) words=${quoted(options.join(' '))} ;;`];
  });
  return [
    '_onnx_layout() {',
    '  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=',
    '  local key=$before',
    '  [[ $current == -* ]] && key=$current',
    '  local command=${COMP_WORDS[1]}',
    ...secondWords(rows).map(
      ([first]) => `  [[ $command == ${first} ]] && (( COMP_CWORD > 2 )) && command+=-\${COMP_WORDS[2]}`,
    ),
    `  if (( COMP_CWORD == 1 )); then words=${quoted(`${names} help --help --version`)}`,
    '  else case $command:$key in',
    ...cases,
    ...secondWords(rows).map(([first, seconds]) => `    ${first}:*) words=${quoted(seconds)} ;;`),
    `    help:*) words=${quoted(names)} ;;`,
    "    completions:*) words='bash zsh fish' ;;",
    '  esac; fi',
    '  COMPREPLY=()',
    '  [[ $words ]] && COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _onnx_layout onnx-layout',
  ];
}

/** Writes the lines of a zsh script. `_describe` completes the command, `_arguments` its options and files. The last
 * line runs the function where zsh loads the script as one, and registers it otherwise.
 * @type {(rows: [string, Command][]) => string[]} */
function zsh(rows) {
  const escaped = (/** @type {string} */ text) => text.replace(/[[\]:\\]/g, '\\$&');
  const described = firstWords(rows).map((first) => {
    const summary = rows.find(([name]) => name === first)?.[1].summary ?? `commands of a ${first}`;
    return `    ${quoted(`${escaped(first)}:${escaped(summary)}`)}`;
  });
  const cases = rows.map(([name, command]) => {
    const specs = entriesOf(command).map(([option, row]) => {
      const { type, help = '', sample, multiple } = row;
      const action = zshAction(row);
      const value = type === 'string' ? `:${escaped(sample)}:${action}` : '';
      return quoted(`${multiple ? '*' : ''}--${option}[${escaped(help)}]${value}`);
    });
    const files = name === 'completions' ? "'*:shell:(bash zsh fish)'" : "'*:file:_files'";
    return `    ${labelOf(name)}) _arguments ${[...specs, files].join(' ')} ;;`;
  });
  return [
    '#compdef onnx-layout',
    '_onnx_layout() {',
    '  local -a names',
    '  names=(',
    ...described,
    '  )',
    '  if (( CURRENT == 2 )); then _describe command names; return; fi',
    '  shift words; (( CURRENT-- ))',
    ...secondWords(rows).flatMap(([first, seconds]) => [
      `  if [[ $words[1] == ${first} ]]; then`,
      `    if (( CURRENT == 2 )); then compadd ${seconds}; return; fi`,
      `    words=("${first}-$words[2]" "\${(@)words[3,-1]}"); (( CURRENT-- ))`,
      '  fi',
    ]),
    '  case $words[1] in',
    ...cases,
    '    help) _describe command names ;;',
    '  esac',
    '}',
    'if [ "$funcstack[1]" = _onnx_layout ]; then _onnx_layout "$@"; else compdef _onnx_layout onnx-layout; fi',
  ];
}

/** The action of an option's value: it completes words, files or, for " ", nothing.
 * @type {(option: Option) => string} */
function zshAction({ words = [], isPath }) {
  if (words.length > 0) return `(${words.join(' ')})`;
  return isPath ? '_files' : ' ';
}

/** Writes the lines of a fish script: a `complete` for each command, and one for each option, whose condition is that
 * the words of its command were typed.
 * @type {(rows: [string, Command][]) => string[]} */
function fish(rows) {
  const start = 'complete -c onnx-layout';
  const wereTyped = (/** @type {string} */ name) =>
    name
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ');
  const commandLine = (/** @type {string} */ name, /** @type {string} */ summary) => {
    const [word, second] = name.split(' ');
    if (second === undefined) return `${start} -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`;
    return `${start} -n '__fish_seen_subcommand_from ${word}' -a ${second} -d ${quoted(summary)}`;
  };
  const groups = secondWords(rows).map(([word]) => `${start} -n __fish_use_subcommand -a ${word}`);
  const optionLine = (/** @type {string} */ name, /** @type {string} */ option, /** @type {Option} */ row) => {
    const help = row.help ? ` -d ${quoted(row.help)}` : '';
    return `${start} -n '${wereTyped(name)}' -l ${option}${fishValue(row)}${help}`;
  };
  const lines = rows.flatMap(([name, command]) => [
    commandLine(name, command.summary),
    ...entriesOf(command).map(([option, row]) => optionLine(name, option, row)),
  ]);
  return [...groups, ...lines];
}

/** The value of an option: -r stands for one that may be a file, -x for any other, -a lists its words.
 * @type {(option: Option) => string} */
function fishValue({ type, isPath, words = [] }) {
  if (type === 'boolean') return '';
  if (isPath) return ' -r';
  return words.length > 0 ? ` -x -a ${quoted(words.join(' '))}` : ' -x';
}

/** @type {Record<string, (rows: [string, Command][]) => string[]>} */
const shells = { bash, zsh, fish };

/** Makes the command. `commands` gives all commands, this one included.
 * @type {(commands: () => Record<string, Command>) => Command} */
export const completions = (commands) => ({
  form: 'SHELL',
  summary: 'print the script that completes arguments in bash, zsh or fish',
  examples: [
    'completions bash > ~/.local/share/bash-completion/completions/onnx-layout',
    'completions zsh > ~/.zfunc/_onnx-layout',
    'completions fish > ~/.config/fish/completions/onnx-layout.fish',
  ],
  options: {},
  shared: [],
  /** Prints the script for a shell. */
  async work(_, { inputs: [shell] }) {
    if (!Object.hasOwn(shells, shell)) throw new UsageError(`SHELL must be bash, zsh or fish, got ${shell}`);
    const lines = shells[shell](Object.entries(commands()));
    return { report: { shell, lines }, lines };
  },
});
