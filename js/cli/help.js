/** The help of the program, and of each command. */
import { optionsOf } from './usage.js';

/** @import { Command } from './types.js' */

/** The column at which the meaning of a command or an option begins. */
const column = 30;

/** Writes a name and its meaning in two columns; a long name takes a line of its own.
 * @type {(name: string, meaning?: string) => string} */
const line = (name, meaning = '') => {
  const start = `  ${name}`;
  if (meaning === '') return start;
  // At least two spaces stand between the columns.
  return start.length < column - 1 ? start.padEnd(column) + meaning : `${start}\n${' '.repeat(column)}${meaning}`;
};

/** @type {(commands: Record<string, Command>) => string} */
export const helpOfAll = (commands) => `Usage: onnx-layout COMMAND IN [OUT] [options]

${Object.entries(commands)
  .map(([name, { form, summary }]) => line(`${name} ${form}`, summary))
  .join('\n')}

onnx-layout COMMAND --help lists the options of a command, with examples.

IN   a .npy, .npz, .safetensors or .onnx file, told apart by content; - for standard input. Also the
     model.safetensors.index.json of a model in shards, or a folder of .safetensors files, which are taken as one.
OUT  a .npy file; .npz, .safetensors, or .onnx where IN is one: a copy of IN in which the tensor is replaced; - for
     standard output, in the format that --as names. OUT is there whole or not at all. A model of 2 GiB or more, or one
     that had external data, gets its data in OUT.data.

Files may be larger than memory for inspect, convert, convert-model, cast, transpose, slice, concat and split.

  --version                   print the version
  --help                      print this

Exit status: 0 done, 1 bad input, or files that differ, 2 bad usage, 3 pictures left out, 130 stopped by Ctrl-C,
129 and 143 by SIGHUP and SIGTERM: files that are not whole are deleted. A second signal kills at once.
`;

/** @type {(name: string, command: Command) => string} */
export function helpOf(name, command) {
  const { form, summary, notes, examples } = command;
  const options = Object.entries(optionsOf(command)).map(([option, { sample, help }]) =>
    line(`--${option} ${sample}`.trimEnd(), help),
  );
  const sentence = `${summary[0].toUpperCase()}${summary.slice(1)}.`;
  const sections = [
    `Usage: onnx-layout ${name} ${form} [options]`,
    notes ? `${sentence}\n${notes}` : sentence,
    options.join('\n'),
    ['Examples:', ...examples.map((example) => `  onnx-layout ${example}`)].join('\n'),
  ];
  return `${sections.join('\n\n')}\n`;
}
