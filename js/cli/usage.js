/** How the arguments of the program are read, and its help. */
import { parseArgs } from 'node:util';
import { unknownRule } from '../arguments/index.js';
import { features, resample } from './audio.js';
import { commands } from './commands.js';
import { convert } from './convert.js';
import { diff } from './diff.js';
import { inspect } from './inspect.js';
import { flag, text, UsageError, whole } from './options.js';
import { preprocess } from './preprocess.js';
import { dequantize, quantize } from './quantize.js';

/** @import { Command, Options, SpecialCommand, Usage, Values } from './types.js' */

/** @type {Record<string, SpecialCommand>} */
const special = { inspect, convert, preprocess, features, resample, diff, quantize, dequantize };

/** @type {Options} */
const common = { tensor: text, dtype: text, json: flag, help: flag };

/** Where the meaning of a command stands in its line of the help. */
const column = 42;

/** @type {(command: string, meaning: string[]) => string} */
const linesOf = (command, meaning) =>
  meaning.map((line, i) => `  ${(i === 0 ? command : '').padEnd(column)}${line}`.trimEnd()).join('\n');

/** @type {(rows: Record<string, { help: Command['help'] }>) => string} */
const allLines = (rows) =>
  Object.entries(rows)
    .map(([name, { help }]) => linesOf(`${name} ${help[0]}`, help.slice(1)))
    .join('\n');

const help = `Usage: onnx-layout COMMAND IN [OUT] [options]

${allLines(special)}
${allLines(commands)}

IN   a .npy, .safetensors or .onnx file, told apart by content; - for standard input. Also the
     model.safetensors.index.json of a model in shards, or a folder of .safetensors files, which are taken as one.
OUT  a .npy file, or - for .npy on standard output; .safetensors or .onnx where IN is one too: a copy of IN in which
     the tensor is replaced. For split: pieces.npy stands for pieces.0.npy, pieces.1.npy and so on; a .safetensors file
     has the pieces by number. For concat: where the first IN is one. OUT is there whole or not at all.

Files may be larger than memory for inspect, convert, quantize, dequantize, cast, transpose, slice, concat and split.
cast --all casts every tensor of floats of IN, to .safetensors. inspect reads no more than headers, and the first values
of up to 32 tensors. A model of 2 GiB or more, or one that had external data, gets its data in OUT.data.

For resize and letterbox, IN holds pixels: uint8 [H, W, C] with 1 to 4 channels (L, LA, RGB, RGBA), uint8 [H, W] (L), or
float32 [H, W] (Pillow's mode F, for resize). --backend names the library that the result is equal to, bit for bit: pil
(Pillow), if omitted, torchvision, or opencv (cv2.resize, of 1, 3 or 4 channels of uint8). If --filter is omitted, it is
bicubic for pil, bilinear for torchvision and linear for opencv.

preprocess makes of pictures what the preprocessor_config.json of a model says, with Python's own numbers. An IMAGE is
.npy, of pixels as above, or a picture that sharp decodes (npm install sharp). Several become one batch. OUT.safetensors
has all outputs by name; OUT.npy has pixel_values, and OUT.pixel_mask.npy and so on what else there is. --json says what
was done.

features makes of audio what the preprocessor_config.json of a model says, with Python's own numbers. AUDIO is .wav, or
.npy of float32 samples; several become one batch. OUT is as for preprocess. resample changes the rate of a WAV file,
with the filter of torchaudio, if --backend is omitted, of scipy or of soxr. --mono takes the mean of channels first.
--stream reads a WAV file from standard input as it comes, and keeps frames instead of samples where the class can.

diff says how B differs from A: types, dims, how many elements, by how much, in units in the last place (ULPs) too, and
where. An element is within tolerance if |a - b| <= atol + rtol * |b|.

quantize packs the weights of a model's MatMul and Gather nodes as onnxruntime's quantizer does, in 2, 4 or 8 bits and
blocks of 16 to 256 rows. It says of each node what became of it; --json prints that as JSON. --include and --exclude
name nodes or weights. dequantize is the way back.

  --tensor NAME    which tensor of IN, where it has several
  --dtype TYPE     what the void elements of a .npy file are (|V1, |V2): bfloat16, int4, …; of preprocess and
                   features, what floats become
  --opset N        whose rules apply; the newest if omitted
  --json           print JSON
  --force          let OUT be a file of IN, or for concat one that exists
  --help           print this

Exit status: 0 done, 1 bad input, or files that differ, 2 bad usage.
`;

/** @type {(args: string[]) => Usage | { help: string }} */
export function readUsage(args) {
  if (args.includes('--help') || args.includes('-h')) return { help };
  const [command] = args;
  if (command === undefined) throw new UsageError('unknown command (none)');
  const names = [...Object.keys(special), ...Object.keys(commands)];
  if (!names.includes(command)) throw new UsageError(unknownRule('command', command, names));
  if (Object.hasOwn(special, command)) {
    const { values, files } = readOptions(args.slice(1), { ...special[command].options, ...common });
    return { command, values, files, work: special[command].read(values, files) };
  }
  /** @type {Command} */
  const row = commands[command];
  const { values, files } = readOptions(args.slice(1), {
    ...row.options,
    ...(row.operator && { opset: text }),
    force: flag,
    ...common,
  });
  checkFiles(command, row, files.length);
  if (values.json && files.at(-1) === '-')
    throw new UsageError('--json and the tensor cannot both go to standard output');
  if (values.all && values.tensor !== undefined) throw new UsageError('--all and --tensor exclude each other');
  const opset = whole('opset', values.opset);
  return { command, values, files, operate: row.read(values, opset), transform: row.entries?.(values, opset) };
}

/** @type {(command: string, row: Command, count: number) => void} */
function checkFiles(command, { several }, count) {
  if (several ? count >= 2 : count === 2) return;
  const files = several ? 'files, IN and OUT at least' : 'two files, IN and OUT';
  throw new UsageError(`${command} takes ${files}, got ${count}`);
}

/** @type {(given: string[], options: Options) => { values: Values, files: string[] }} */
function readOptions(given, options) {
  /** @type {string[]} */
  const args = [];
  // parseArgs takes -1 for an option: a number belongs to the option before it.
  for (const arg of given) {
    if (/^-\d/.test(arg) && args.at(-1)?.startsWith('--')) args.push(`${args.pop()}=${arg}`);
    else args.push(arg);
  }
  // parseArgs refuses an unknown option too, but does not name the one that is near.
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'option' && !Object.hasOwn(options, token.name)) {
      const known = Object.keys(options).map((name) => `--${name}`);
      throw new UsageError(unknownRule('option', token.rawName, known));
    }
  }
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { values, files: positionals };
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message);
  }
}
