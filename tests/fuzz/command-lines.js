/**
 * Random command lines of the declared commands, options and files, among them odd ones. Each ends with a documented
 * status, and says in one line what is wrong; a refused one leaves no file and changes none.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Tensor } from 'onnx-layout';
import { encodeWav, init as initAudio } from 'onnx-layout/audio';
import { writeNpy, writeSafetensors } from 'onnx-layout/io';
import { run } from '../../js/cli/command.js';
import { commands } from '../../js/cli/commands.js';
import { optionsOf } from '../../js/cli/usage.js';
import { weightsModel } from '../support/models.js';
import { below, generator } from '../support/samples.js';

/** @typedef {{ args: string[], input: Uint8Array }} Line a command line, and what stands on standard input */

const floats = Tensor.from('float32', [1, 2, 3, 4, 5, 6], [2, 3]);
const bytes = (/** @type {number[]} */ dims) => {
  const length = dims.reduce((a, b) => a * b, 1);
  return new Tensor(
    'uint8',
    Uint8Array.from({ length }, (_, i) => (i * 37) % 256),
    dims,
  );
};
const wave = Float32Array.from({ length: 2000 }, (_, i) => Math.sin(i / 9));
const config = (/** @type {object} */ settings) => JSON.stringify(settings);

/** The files of the folder, by name. */
function files() {
  const wav = encodeWav({ channelData: [wave, wave], sampleRate: 16000 });
  return {
    'x.npy': writeNpy(floats),
    'rgb.npy': writeNpy(bytes([8, 9, 3])),
    'gray.npy': writeNpy(bytes([8, 9])),
    'two.safetensors': writeSafetensors(
      new Map([
        ['w', floats],
        ['logits', Tensor.from('float32', [1, 2], [1, 1, 2])],
      ]),
    ),
    'model.onnx': weightsModel('MatMul', Tensor.from('float32', Array(64 * 4).fill(0.5), [64, 4])),
    'stereo.wav': wav,
    'mono.wav': encodeWav({ channelData: [wave], sampleRate: 8000 }),
    'cut.wav': wav.subarray(0, 50),
    'cut.npy': writeNpy(floats).subarray(0, 130),
    'cut.safetensors': writeSafetensors(new Map([['w', floats]])).subarray(0, 40),
    'vit.json': config({ image_processor_type: 'ViTImageProcessor', size: { height: 8, width: 8 } }),
    'detr.json': config({ image_processor_type: 'DetrImageProcessor' }),
    'lasr.json': config({ feature_extractor_type: 'LasrFeatureExtractor' }),
    'odd.json': '{"image_processor_type": 5, "size": {"height": 1e9}}',
    empty: '',
    'pointer.npy': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 123\n`,
    'page.onnx': '<!DOCTYPE html><html><body>no</body></html>',
    'noise.bin': Uint8Array.from({ length: 3000 }, (_, i) => (i * i * 7) >> 3),
    'folder/a.npy': writeNpy(bytes([8, 9, 3])),
  };
}

/** Writes the files, with links that lead to nothing and to themselves. @param {string} folder */
export async function fillFolder(folder) {
  await initAudio();
  mkdirSync(join(folder, 'folder'), { recursive: true });
  for (const [name, content] of Object.entries(files())) writeFileSync(join(folder, name), content);
  symlinkSync('nowhere', join(folder, 'broken.npy'));
  symlinkSync('circle.npy', join(folder, 'circle.npy'));
}

const inputs = ['x.npy', 'x.npy', 'rgb.npy', 'gray.npy', 'two.safetensors', 'model.onnx', '-'];
const oddInputs = [
  ...[
    'stereo.wav',
    'cut.wav',
    'cut.npy',
    'cut.safetensors',
    'vit.json',
    'empty',
    'pointer.npy',
    'page.onnx',
    'noise.bin',
    'folder',
  ],
  ...['broken.npy', 'circle.npy', 'none.npy', '', '.', '/dev/null', 'n'.repeat(300), '[z-a]*', 'folder/*', '*.npy'],
  ...['\u202e.npy', 'x.npy/y', '../none', '--', '-1', 'a\nb'],
];
const outputs = ['out.npy', 'out.npy', 'out.safetensors', 'out.onnx', 'out.wav', '-'];
const oddOutputs = [
  ...['out', 'out.txt', 'x.npy', 'folder', 'none/out.npy', '/dev/full', 'circle.npy', 'empty/out.npy', ''],
  ...[`${'n'.repeat(300)}.npy`, 'a\nb.npy'],
];
/** Files, and a configuration, that a command takes. */
const usual = {
  features: { inputs: ['stereo.wav', 'mono.wav', '-'], config: 'lasr.json' },
  resample: { inputs: ['stereo.wav', 'mono.wav', '-'] },
  preprocess: { inputs: ['rgb.npy', 'gray.npy', 'folder/a.npy'], config: 'vit.json' },
  postprocess: { inputs: ['two.safetensors'], config: 'detr.json' },
  resize: { inputs: ['rgb.npy', 'gray.npy'] },
  letterbox: { inputs: ['rgb.npy', 'gray.npy'] },
  'convert-model': { inputs: ['model.onnx'] },
};
/** Values for the samples of the help that are no values. */
const usualValues = {
  N: ['1', '2', '13', '25'],
  NAME: ['w', 'logits', 'object_detection', 'semantic_segmentation', 'ViTImageProcessor'],
  TYPE: ['float16', 'int4'],
  HERTZ: ['8000', '44100', '16000'],
  JSON: ['{"target_sizes": [[4, 5]]}', '{}'],
  'NAME,NAME': ['node', 'W'],
  'left,top,right,bottom': ['0,0,4,4', '1,1.5,7,8'],
  "'h w c -> c h w'": ['h w -> w h', 'h w c -> c h w', '(h p) w c -> h p w c'],
  '4|1,2,3': ['1', '1,2'],
  npy: ['npy', 'safetensors'],
};

const oddValues = [
  ...[
    '',
    '-',
    '0',
    '-1',
    '1',
    '2',
    '3',
    '64',
    '1e9',
    '999999999999999',
    '-999999999999999',
    '2147483648',
    '4294967296',
  ],
  ...[
    'NaN',
    '1,2',
    '0,0',
    ',,,',
    '-1,-1',
    '1.5',
    '0.5',
    'x',
    'null',
    'toString',
    '__proto__',
    'int4',
    'string',
    'float16',
  ],
  ...['{}', '[]', '{"target_sizes": [[1e9, 1e9]]}', '{"target_sizes": null}', 'h=2', 'h w -> w h', '(h p) w -> h p w'],
  ...[
    'x'.repeat(5000),
    '\u202e\u0007',
    '../x',
    'w',
    'logits',
    'object_detection',
    'ViTImageProcessor',
    'MatMul',
    '300',
  ],
  ...[
    '1,2,3,4,5,6,7,8,9',
    '-5',
    '100000',
    '40000',
    'skip',
    'pil',
    'opencv',
    'bilinear',
    'reflect',
    '0,1',
    '1,0',
    '#fff',
  ],
];

const standardInputs = [writeNpy(floats), writeNpy(bytes([8, 9, 3])), Buffer.from('noise'), Buffer.alloc(0)];

/** A random command line. @type {(random: () => number) => Line} */
export function randomLine(random) {
  const pick = (/** @type {readonly any[]} */ list) => list[below(random, list.length)];
  const chance = (/** @type {number} */ percent) => below(random, 100) < percent;
  const name = chance(98) ? pick(Object.keys(commands)) : pick(['', 'x', 'help', '--version', '-h', 'toString']);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const input = () => (chance(75) ? pick(inputs) : pick(oddInputs));
  const standard = pick(standardInputs);
  if (!command) return { args: [name, input()], input: standard };
  const { form, required = [] } = command;
  const own = usual[name] ?? { inputs };
  const count = Math.max(0, form.split(' ').length + (form.includes('…') ? below(random, 3) : 0) - Number(chance(3)));
  const paths = Array.from({ length: count }, () => (chance(85) ? pick(own.inputs) : input()));
  const [outName] = command.extensions ?? ['.npy'];
  if (form.endsWith('OUT') && count > 0)
    paths[count - 1] = chance(60) ? `out${outName}` : pick(chance(80) ? outputs : oddOutputs);
  const given = Object.entries(optionsOf(command)).filter(([option]) =>
    required.includes(option) ? chance(97) : option !== 'help' && chance(12),
  );
  const options = given.flatMap(([option, { type, isPath, sample }]) => {
    if (type === 'boolean') return chance(98) ? [`--${option}`] : [`--${option}=1`];
    const word = pick(sample.split('|'));
    const good = isPath ? (own.config ?? 'x.npy') : pick(usualValues[sample] ?? usualValues[word] ?? [word]);
    const value = chance(75) ? good : pick(chance(20) ? oddInputs : oddValues);
    return chance(50) ? [`--${option}=${value}`] : [`--${option}`, value];
  });
  const all = chance(50) ? [...paths, ...options] : [...options, ...paths];
  return { args: [name, ...all], input: standard };
}

/** Paths of a folder's files but for links, and hashes of their contents.
 * @type {(folder: string) => Map<string, string>} */
function contentOf(folder) {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = all.map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  return new Map(
    paths.map((path) => [
      path,
      createHash('sha1')
        .update(statSync(path).size < 1e6 ? readFileSync(path) : path)
        .digest('hex'),
    ]),
  );
}

/** Words that the package does not say: Node's, the engine's, and names of functions. */
const foreignWords = new RegExp(
  [
    /\n\s+at |Cannot (read|convert|destructure|mix)|is not (a function|iterable|defined|a constructor)/,
    /[Ii]nvalid (array|string|typed array|regular)|out of bounds|argument must be|must be of type/,
    /ERR_|(?<!got )ENO[A-Z]{3,}:/,
    /Maximum call stack|allocation failed|Unexpected (token|end)|^onnx-layout: [a-z]+[A-Z]\w*: /,
    /\b(read|open|decode|encode|save|write|quantize|resample)[A-Z]\w+: /,
  ]
    .map(({ source }) => source)
    .join('|'),
);
const maxText = 1500;
const maxSeconds = 4;

/**
 * Runs a command line in this process and the folder.
 * @param {Line} line @param {string} folder @returns {Promise<string | undefined>} its fault, if it has one
 */
export async function faultOfLine({ args, input }, folder) {
  const before = contentOf(folder);
  const start = process.cpuUsage();
  const said = { stdout: 0, stderr: '' };
  const status = await run(args, {
    stdin: [input],
    stdout: { write: (/** @type {string | Uint8Array} */ chunk) => (said.stdout += chunk.length) },
    stderr: { write: (/** @type {string} */ text) => (said.stderr += text) },
  });
  const { user, system } = process.cpuUsage(start);
  const after = contentOf(folder);
  const added = [...after.keys()].filter((path) => !before.has(path));
  const changed = [...before].filter(([path, hash]) => after.get(path) !== hash).map(([path]) => path);
  for (const path of added) rmSync(path);
  const isDone = status === 0 || status === 3;
  if (changed.length > 0) await fillAgain(folder);
  // OUT may be there, and --force lets it be IN.
  const wrongly = changed.filter((path) => !isDone || !args.some((arg) => arg.endsWith(relative(folder, path))));
  if (wrongly.length > 0) return `status ${status} changed ${wrongly}`;
  const leftOver = added.filter((path) => !isDone || /\.tmp$/.test(path));
  if (leftOver.length > 0) return `status ${status} left ${leftOver}`;
  return faultOfEnd(args, status, said, (user + system) / 1e6);
}

/** Leaves out the name of a file that the call names, which may read like a function's: `toString`. */
function withoutFileName(/** @type {string} */ stderr, /** @type {readonly string[]} */ args) {
  const [, name] = /^onnx-layout: ([^:\n]+): /.exec(stderr) ?? [];
  const isNamed = name && args.some((arg) => arg === name || arg.endsWith(`=${name}`));
  return isNamed ? stderr.replace(`${name}: `, '') : stderr;
}

/** @type {(args: readonly string[], status: number, said: { stdout: number, stderr: string }, seconds: number) =>
 *   string | undefined} */
function faultOfEnd(args, status, { stdout, stderr }, seconds) {
  const [name] = args;
  const lines = stderr.split('\n');
  const differs = name === 'diff' && status === 1 && stderr === '';
  if (![0, 1, 2, 3].includes(status) || (status === 3 && name !== 'preprocess')) return `status ${status}`;
  if (seconds > maxSeconds) return `took ${seconds.toFixed(1)} s: ${stderr.slice(0, 200)}`;
  if (stderr.length > maxText) return `${stderr.length} characters: ${stderr.slice(0, 200)}`;
  if (foreignWords.test(withoutFileName(stderr, args))) return `foreign words: ${stderr.slice(0, 300)}`;
  if (status === 0) return stderr === '' ? undefined : `done, but said ${stderr}`;
  if (differs || status === 3) return undefined;
  if (stdout > 0 && name !== 'diff') return `status ${status}, but ${stdout} bytes of output`;
  if (!lines.every((line, i) => i === lines.length - 1 || line.startsWith('onnx-layout'))) return `said ${stderr}`;
  const hasHint = /^onnx-layout (\S+ ){0,2}--help says more$/.test(lines.at(-2) ?? '');
  return hasHint === (status === 2) ? undefined : `status ${status}: ${stderr}`;
}

/** Restores what --force replaced. */
async function fillAgain(/** @type {string} */ folder) {
  for (const entry of readdirSync(folder)) rmSync(join(folder, entry), { recursive: true });
  await fillFolder(folder);
}

/** Tries some lines in the current folder.
 * @type {(seed: number, goesOn: (count: number) => boolean, onFault: (line: Line, fault: string) => void) =>
 *   Promise<number>} how many were tried */
export async function tryLines(seed, goesOn, onFault) {
  const random = generator(seed);
  let count = 0;
  for (; goesOn(count); count++) {
    const line = randomLine(random);
    if (process.env.TRACE) console.error(JSON.stringify(line.args).slice(0, 300));
    const fault = await faultOfLine(line, process.cwd());
    if (fault) onFault(line, fault);
  }
  return count;
}
