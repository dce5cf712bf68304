/** The version, the help, and the completions of shells. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Tensor } from 'onnx-layout';
import { writeNpy } from 'onnx-layout/io';
import { commands } from '../../js/cli/commands.js';
import { optionsOf, readCall } from '../../js/cli/usage.js';
import { temporaryFolder } from '../support/programs.js';
import { cli, inFolder, words } from './streams.js';

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

describe('a value that the help states is what a command takes where the option is omitted:', () => {
  inFolder();
  beforeAll(() => {
    const cube = Tensor.from('float32', [3, -1, 0.7, 5, 9, 2, -4, 8, 6, 1.5, 12, 7], [2, 3, 2]);
    writeFileSync('cube.npy', writeNpy(cube));
    writeFileSync('other.npy', writeNpy(Tensor.from('float32', [...cube.toArray().slice(1), 7], [2, 3, 2])));
  });

  test.each([
    ['pad cube.npy - --as npy --pads 0,1,0,0,1,0', 'value', '0'],
    ['pad cube.npy - --as npy --pads 0,1,0,0,1,0', 'mode', 'constant'],
    ['slice cube.npy - --as npy --starts 0,1 --ends 2,3', 'steps', '1,1', '1'],
    ['slice cube.npy - --as npy --starts 0,1 --ends 2,3', 'axes', '0,1', 'the first ones'],
    ['gather cube.npy - --as npy --indices 1,0', 'axis', '0'],
    ['transpose cube.npy - --as npy', 'perm', '2,1,0', 'in reverse'],
    ['cast cube.npy - --as npy --to float8e8m0', 'round-mode', 'up'],
    ['diff cube.npy other.npy --rtol 1', 'atol', '0'],
    ['diff cube.npy other.npy --atol 1', 'rtol', '0'],
  ])('%s: --%s %s', async (command, option, value, stated = value) => {
    const { help } = commands[words(command)[0]].options[option];
    expect(help).toMatch(new RegExp(`(^|[;,] )${stated} if omitted`));
    const omitted = await cli(command);
    expect(await cli(`${command} --${option} ${value}`)).toEqual(omitted);
    expect([omitted.stdout === '', omitted.stderr]).toEqual([false, '']);
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
