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

/** Lists, for each first word of commands of two words, that word and the second words, with spaces between.
 * @type {(rows: [string, Command][]) => [string, string][]} */
const secondWords = (rows) =>
  firstWords(rows).flatMap((first) => {
    const seconds = rows.flatMap(([name]) => (name.startsWith(`${first} `) ? name.slice(first.length + 1) : []));
    return seconds.length > 0 ? [/** @type {[string, string]} */ ([first, seconds.join(' ')])] : [];
  });

/** Writes the lines of a bash script. It looks up the words to complete by "command:option", where the option is the
 * one under the cursor or before it: the first case that fits counts, so an option's words come before the list of
 * options, `-*`. A command of two words is joined by "-". `rows`: all commands by name.
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

/** Writes the lines of a zsh script. `_describe` completes the command, `_arguments` its options and files; a command
 * of two words is joined by "-". A value that is no file and no word has the action " ", which completes nothing. The
 * last line runs the function where zsh loads the script as one, and registers it otherwise.
 * @type {(rows: [string, Command][]) => string[]} */
function zsh(rows) {
  const escaped = (/** @type {string} */ text) => text.replace(/[[\]:\\]/g, '\\$&');
  const described = firstWords(rows).map((first) => {
    const summary = rows.find(([name]) => name === first)?.[1].summary ?? `commands of a ${first}`;
    return `    ${quoted(`${escaped(first)}:${escaped(summary)}`)}`;
  });
  const cases = rows.map(([name, command]) => {
    const specs = entriesOf(command).map(([option, row]) => {
      const { type, help = '', sample, multiple, words = [] } = row;
      const action = words.length > 0 ? `(${words.join(' ')})` : row.isPath ? '_files' : ' ';
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

/** Writes the lines of a fish script: a `complete` for each command, and one for each option, whose condition is that
 * the words of its command were typed. `rows`: all commands by name.
 * @type {(rows: [string, Command][]) => string[]} */
function fish(rows) {
  const start = 'complete -c onnx-layout';
  // Writes the condition that the words of a command were typed.
  const seen = (/** @type {string} */ name) =>
    name
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ');
  // Writes the line that completes a command, or the second word of one once the first was typed.
  const first = (/** @type {string} */ name, /** @type {string} */ summary) => {
    const [word, second] = name.split(' ');
    if (second === undefined) return `${start} -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`;
    return `${start} -n '__fish_seen_subcommand_from ${word}' -a ${second} -d ${quoted(summary)}`;
  };
  const groups = secondWords(rows).map(([word]) => `${start} -n __fish_use_subcommand -a ${word}`);
  const lines = rows.flatMap(([name, command]) => [
    first(name, command.summary),
    ...entriesOf(command).map(([option, row]) => {
      const { words = [] } = row;
      // fish: -r stands for an option with a value, which may be a file; -x for one whose value is none.
      const value =
        row.type === 'boolean'
          ? ''
          : row.isPath
            ? ' -r'
            : ` -x${words.length > 0 ? ` -a ${quoted(words.join(' '))}` : ''}`;
      const help = row.help ? ` -d ${quoted(row.help)}` : '';
      return `${start} -n '${seen(name)}' -l ${option}${value}${help}`;
    }),
  ]);
  return [...groups, ...lines];
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
