/** The version, the help, and the completions of shells. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PNG } from 'pngjs';
import { Tensor } from 'onnx-layout';
import { encodeWav } from 'onnx-layout/audio';
import { writeNpy } from 'onnx-layout/io';
import { commands } from '../../js/cli/commands.js';
import { optionsOf, readCall } from '../../js/cli/usage.js';
import { planShards } from '../../js/node/datasets/plan-shards.js';
import { hashOf } from '../support/goldens.js';
import { modelOf } from '../support/models.js';
import { temporaryFolder } from '../support/programs.js';
import { cli, inFolder } from './streams.js';

const names = Object.keys(commands);
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const printed = async (args) => {
  const { status, stdout, stderr } = await cli(args);
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
};

test('--version', async () => expect(await printed('--version')).toBe(`${version}\n`));

describe('the help', () => {
  test.each([[[]], ['--help'], ['-h'], ['help']])('%j lists all commands', async (args) => {
    const help = await printed(args);
    expect(help.split('\n')[0]).toBe('Usage: onnx-layout COMMAND IN [OUT] [options]');
    const listed = [...help.matchAll(/^ {2}([a-z-]+(?: [a-z]+)?) \[?[A-Z]/gm)].map(([, name]) => name);
    expect(listed).toEqual(names);
  });

  test.each(['flatten --help', 'flatten x.npy -h', 'help flatten', '--help flatten'])(
    '%j is of one command',
    async (args) =>
      expect(await printed(args)).toBe(
        [
          'Usage: onnx-layout flatten IN OUT [options]',
          '',
          'Make a matrix.',
          '',
          '  --axis 1                    the first axis that becomes columns',
          '  --opset N                   whose rules apply; the newest if omitted',
          '  --tensor NAME               which tensor of IN, where it has several',
          '  --dtype TYPE                the type of the void elements (|V1, |V2) of a .npy or .npz file: ' +
            'bfloat16, int4, …',
          '  --view-as int4|uint4|int2|uint2',
          '                              the elements that bytes of IN pack along its last axis; OUT packs them alike',
          '  --as npy|npz|safetensors|onnx',
          '                              the format of OUT where its name has no extension, as -',
          '  --force                     let OUT be an input, or for concat a file that exists',
          '  --json                      print JSON',
          '  --quiet                     print errors alone',
          '  --help                      print this',
          '',
          'Examples:',
          '  onnx-layout flatten in.npy out.npy --axis 2',
          '',
        ].join('\n'),
      ),
  );

  test('has lines of at most 120 columns', async () => {
    for (const args of [[], ...names.map((name) => `help ${name}`)])
      expect((await printed(args)).split('\n').filter((line) => line.length > 120)).toEqual([]);
  });

  test.each(['help flaten', 'flaten --help', 'flaten'])('%s', async (args) =>
    expect(await cli(args)).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^onnx-layout: unknown command 'flaten', did you mean 'flatten'\? Known: .*\nonnx-layout --help says more\n$/,
      ),
    }),
  );
});

/** The name of a command line's command, which has one word or two. */
const nameOf = (line) => names.find((name) => line.startsWith(`${name} `));

/** The arguments of an example, as a shell reads them. */
const argumentsOf = (example) =>
  [...example.replace(/ [<>] .*/, '').matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word);

test.each(names.flatMap((name) => commands[name].examples))('the example %s is read', (example) => {
  const all = argumentsOf(example);
  const count = Object.hasOwn(commands, all[0]) ? 1 : 2;
  const [name, args] = [all.slice(0, count).join(' '), all.slice(count)];
  expect(readCall(name, commands[name], args).name).toBe(name);
});

test.each(names)('%s has a help for its form, and a sentence for each of its options', (name) => {
  const { summary, examples, required = [], options } = commands[name];
  expect([typeof summary, examples.length > 0]).toEqual(['string', true]);
  expect(Object.keys(options)).toEqual(expect.arrayContaining(required));
  for (const { type, sample } of Object.values(options)) expect(sample !== '').toBe(type === 'string');
  const silent = Object.entries(optionsOf(commands[name])).filter(([, { help = '' }]) => help.length < 8);
  expect(silent.map(([option]) => option)).toEqual([]);
});

/** A PNG file whose header states a size that its pixels do not have. */
function pngThatStates(width, height) {
  const file = Buffer.from(PNG.sync.write(new PNG({ width: 1, height: 1 })));
  file.writeUInt32BE(width, 16);
  file.writeUInt32BE(height, 20);
  file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
  return file;
}

describe('a value that the help states is what a command takes where the option is omitted:', () => {
  const folder = inFolder();
  beforeAll(() => {
    const cube = Tensor.from('float32', [3, -1, 0.7, 5, 9, 2, -4, 8, 6, 1.5, 12, 7], [2, 3, 2]);
    writeFileSync('cube.npy', writeNpy(cube));
    writeFileSync('other.npy', writeNpy(Tensor.from('float32', [...cube.toArray().slice(1), 7], [2, 3, 2])));
    const pixels = Uint8Array.from({ length: 5 * 70 * 3 }, (_, i) => (i * i) % 251);
    writeFileSync('pixels.npy', writeNpy(new Tensor('uint8', pixels, [5, 70, 3])));
    const samples = Float32Array.from({ length: 4000 }, (_, i) => Math.sin(i * i * 1e-4) / 2);
    writeFileSync('sound.wav', encodeWav({ channelData: [samples], sampleRate: 16000 }, { format: 'float32' }));
    const matrix = { type: 'float32', data: samples.slice(0, 2048), dims: [64, 32] };
    const nodes = ['MatMul', 'Gather'].map((operator, i) => {
      return {
        name: operator,
        operator,
        inputs: [
          ['x', 'W'],
          ['T', 'i'],
        ][i],
        outputs: [`y${i}`],
      };
    });
    const inputs = { x: ['float32', ['n', 64]], i: ['int64', ['n']] };
    writeFileSync('model.onnx', modelOf({ nodes, initializers: { W: matrix, T: matrix }, inputs }));
    const large = { height: 20_000, width: 20_000 };
    writeFileSync('large.json', JSON.stringify({ image_processor_type: 'ViTImageProcessor', size: large }));
    writeFileSync('vit.json', JSON.stringify({ image_processor_type: 'ViTImageProcessor' }));
    const long = { feature_extractor_type: 'WhisperFeatureExtractor', chunk_length: 100_000 };
    writeFileSync('long.json', JSON.stringify(long));
    writeFileSync('wide.png', pngThatStates(20_000, 10_000));
    mkdirSync('wide');
    writeFileSync('wide/wide.png', pngThatStates(20_000, 10_000));
    mkdirSync('pictures');
    for (const name of ['a', 'b'])
      writeFileSync(`pictures/${name}.png`, PNG.sync.write(new PNG({ width: 9, height: 7 })));
  });

  /** A command's status and text, and the hashes of the files that it leaves in `out` and `onnx`. */
  async function outcome(command) {
    const printed = await cli(command);
    const files = ['out', 'onnx'].flatMap((name) => {
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && `${entry.parentPath}/`.startsWith(join(folder, name, '/')))
        .map(({ parentPath, name: file }) => [file, hashOf(readFileSync(join(parentPath, file)))]);
    });
    for (const name of ['out', 'onnx']) rmSync(name, { recursive: true, force: true });
    mkdirSync('out');
    return { ...printed, files };
  }

  /** Each option with another value, which must change the outcome: else the call says nothing of the default. */
  const defaults = [
    ['pad cube.npy out/o.npy --pads 0,1,0,0,1,0', 'value', '0', '1'],
    ['pad cube.npy out/o.npy --pads 0,1,0,0,1,0', 'mode', 'constant', 'edge'],
    ['pad cube.npy out/o.npy --pads 0,1,0,0,1,0', 'axes', '0,1,2', '1,0,2', 'all'],
    ['slice cube.npy out/o.npy --starts 0,1 --ends 2,3', 'steps', '1,1', '1,2', '1'],
    ['slice cube.npy out/o.npy --starts 0,1 --ends 2,3', 'axes', '0,1', '0,2', 'the first ones'],
    ['gather cube.npy out/o.npy --indices 1,0', 'axis', '0', '1'],
    ['split cube.npy out/o.npy', 'axis', '0', '1'],
    ['transpose cube.npy out/o.npy', 'perm', '2,1,0', '2,0,1', 'in reverse'],
    ['cast cube.npy out/o.npy --to float8e8m0', 'round-mode', 'up', 'down'],
    ['diff cube.npy other.npy --rtol 0.1', 'atol', '0', '4'],
    ['diff cube.npy other.npy --atol 1', 'rtol', '0', '1'],
    ['resize pixels.npy out/o.npy --width 31 --height 9', 'backend', 'pil', 'torchvision'],
    ['letterbox pixels.npy out/o.npy --width 90 --height 90 --auto', 'stride', '32', '16'],
    ['resample sound.wav out/o.wav --rate 7000', 'backend', 'torchaudio', 'soxr'],
    ['resample sound.wav out/o.wav --rate 7000', 'format', 'pcm16', 'pcm24'],
    ['convert-model model.onnx --dtype q4 --weights-only', 'ops', 'MatMul', 'MatMul,Gather'],
    ['convert-model model.onnx --dtype bnb4', 'bnb4', 'nf4', 'fp4'],
    ['convert-model model.onnx --dtype q4', 'name', 'model', 'other'],
    ['convert-model model.onnx --dtype q4', 'folder', 'onnx', 'out'],
    ['preprocess wide.png out/o.npy --config vit.json', 'max-pixels', '178956970', '178956969'],
    ['preprocess pixels.npy out/o.npy --config large.json', 'max-bytes', String(2 ** 30), String(2 ** 29), '1 GiB'],
    ['preprocess pixels.npy out/o.npy --config vit.json', 'backend', 'torchvision', 'pil', 'the fast processor'],
    ['features sound.wav out/o.npy --config long.json', 'max-bytes', String(2 ** 30), String(2 ** 29), '1 GiB'],
    ['dataset build pictures out/set --config vit.json --jobs 1', 'name', 'data', 'set'],
    ['dataset build wide out/set --config vit.json --jobs 1', 'max-pixels', '178956970', '178956969'],
    [
      'dataset build pictures out/set --config large.json --jobs 1',
      'max-bytes',
      String(2 ** 30),
      String(2 ** 29),
      '1 GiB',
    ],
  ];

  test.each(defaults)('%s: --%s %s', async (command, option, value, other, stated = value) => {
    const { help } = commands[nameOf(command)].options[option];
    expect(help).toMatch(new RegExp(`(^|[:;,] )${stated},? if omitted`));
    await outcome('--version');
    const omitted = await outcome(command);
    expect(await outcome(`${command} --${option} ${value}`)).toEqual(omitted);
    expect(await outcome(`${command} --${option} ${other}`)).not.toEqual(omitted);
  });

  test('a shard has 256 MiB', async () => {
    expect(commands['dataset build'].options['shard-bytes'].help).toMatch(/; 256 MiB if omitted$/);
    const rowsBy = async (shardBytes) => {
      const config = { image_processor_type: 'ViTImageProcessor' };
      return (await planShards(Array(1000), { config }, { name: 'data', format: 'npy', shardBytes })).rows;
    };
    expect(await rowsBy(undefined)).toBe(Math.floor(2 ** 28 / (4 * 3 * 224 * 224)));
    expect(await rowsBy(undefined)).toBe(await rowsBy(2 ** 28));
  });

  test('of every option, but those whose value depends on the machine, the file, or is told apart in plan.json', () => {
    const tried = new Set(defaults.map(([command, option]) => `${nameOf(command)} --${option}`));
    const stated = names.flatMap((name) =>
      Object.entries(commands[name].options)
        .filter(([, { help }]) => / if omitted/.test(help))
        .map(([option]) => `${name} --${option}`),
    );
    expect(stated.filter((option) => !tried.has(option))).toEqual([
      'preprocess --jobs',
      'features --padding',
      'dataset build --shard-bytes',
      'dataset build --jobs',
      'dataset build --backend',
      'squeeze --axes',
    ]);
  });
});

describe('completions', () => {
  const folder = temporaryFolder();
  const script = async (shell) => {
    const path = join(folder, `onnx-layout.${shell}`);
    writeFileSync(path, await printed(`completions ${shell}`));
    return path;
  };
  const inBash = (path, ...words) =>
    execFileSync('bash', [
      '-c',
      `. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _onnx_layout; echo "\${COMPREPLY[@]}"`,
      path,
      'onnx-layout',
      ...words,
    ])
      .toString()
      .trim();

  test('bash completes commands, options and their words', async () => {
    const path = await script('bash');
    expect(inBash(path, 'fl')).toBe('flatten');
    const first = new Set(names.map((name) => name.split(' ')[0]));
    expect(inBash(path, '')).toBe([...first, 'help', '--help', '--version'].join(' '));
    expect(inBash(path, 'dataset', '')).toBe('build merge check');
    for (const name of names)
      expect([name, inBash(path, ...name.split(' '), '--')]).toEqual([
        name,
        Object.keys(optionsOf(commands[name]))
          .map((option) => `--${option}`)
          .join(' '),
      ]);
    expect(inBash(path, 'cast', 'in.npy', '--round-mode', '')).toBe('up down nearest');
    expect(inBash(path, 'convert', '--as', 's')).toBe('safetensors');
    expect(inBash(path, 'help', 'tr')).toBe('transpose');
    expect(inBash(path, 'completions', '')).toBe('bash zsh fish');
    // No words: bash completes files.
    expect(inBash(path, 'flatten', '')).toBe('');
  });

  test.each(['zsh', 'fish'])('%s has every command and option', async (shell) => {
    const path = await script(shell);
    const lines = readFileSync(path, 'utf8').split('\n');
    for (const name of names) {
      const seen = name.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
      const start =
        shell === 'zsh' ? `    ${name.replace(' ', '-')}) ` : `complete -c onnx-layout -n '${seen.join('; and ')}' `;
      const own = lines.filter((line) => line.startsWith(start)).join('\n');
      const dashes = shell === 'zsh' ? '--' : '-l ';
      for (const option of Object.keys(optionsOf(commands[name]))) expect(own).toContain(`${dashes}${option}`);
    }
    // Where the shell is installed, it reads the script.
    const { error, status, stderr } = spawnSync(shell, ['-n', path]);
    if (!error) expect([status, stderr.toString()]).toEqual([0, '']);
  });

  test('an unknown shell', async () =>
    expect(await cli('completions sh')).toEqual({
      ...{ status: 2, stdout: '' },
      stderr: 'onnx-layout: SHELL must be bash, zsh or fish, got sh\nonnx-layout completions --help says more\n',
    }));
});
