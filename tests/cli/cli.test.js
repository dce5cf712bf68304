/** The command line: its commands in this process, and the program around them as users spawn it. */
import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { schemas, Tensor } from 'onnx-layout';
import { letterbox, resize } from 'onnx-layout/image';
import { readImage } from 'onnx-layout/node';
import { readModel, readNpy, readSafetensors, writeNpy, writeSafetensors, writeTensorProto } from 'onnx-layout/io';
import { run as runCommand } from '../../js/cli/command.js';
import { commands } from '../../js/cli/commands.js';
import { expectTensor } from '../support/assertions.js';
import { run } from '../support/programs.js';
import { cli, done, expectRefusal, inFolder, output, quiet, words, written } from './streams.js';

const folder = inFolder();
const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

const knownCommands = 'Known: inspect, convert, preprocess, postprocess, features, resample, diff, convert-model, …';

const write = (name, bytes) => writeFileSync(join(folder, name), bytes);
const writeTensors = (name, tensors, options) =>
  write(name, writeSafetensors(new Map(Object.entries(tensors)), options));
const read = (name) => readFileSync(join(folder, name));
/** Expects the tensor in out.npy. */
const expectOut = (dims, data, type = 'float32') => expectTensor(readNpy(read('out.npy')), type, dims, data);
const field = (number, bytes) => Buffer.from([(number << 3) | 2, bytes.length, ...bytes]);
const text = (number, string) => field(number, Buffer.from(string));
const graphOf = (...fields) =>
  Buffer.concat([Buffer.of(8, 8), field(7, Buffer.concat(fields)), field(8, Buffer.of(0x10, 21))]);
const modelOf = (...initializers) => graphOf(...initializers.map((bytes) => field(5, bytes)));
const x = Tensor.from('float32', [1, 2, 3, 4, 5, Infinity], [2, 3]);

beforeAll(() => {
  write('x.npy', writeNpy(x));
  write('photo.jpg', Uint8Array.of(255, 216, 255, 224));
  write('grey.npy', writeNpy(new Tensor('uint8', new Uint8Array(6), [2, 3])));
  write('one.npy', writeNpy(Tensor.from('float32', [7, 8, 9], [1, 3])));
  const metadata = new Map([['format', 'pt']]);
  writeTensors('x.safetensors', { w: x, 'b\u001b': Tensor.from('int64', [2n ** 60n]) }, { metadata });
  const strings = writeTensorProto({ type: 'string', data: ['a'], dims: [1] }, { name: 's' });
  write('x.onnx', modelOf(writeTensorProto(x, { name: 'w' }), strings));
});

// Linux alone lists the descriptors of a process.
if (existsSync('/proc/self/fd'))
  test.each([
    'inspect x.safetensors',
    'convert x.npy closed.safetensors',
    'transpose x.npy closed.npy',
    'concat x.npy one.npy closed.npy --axis 0',
    'diff x.npy one.npy',
    'inspect x.safetensors --dtype int4',
    'inspect x.onnx --tensor none',
    'concat x.npy none.npy closed.npy --axis 0',
    'reshape x.npy closed.npy --shape 7',
  ])('%s lets go of its files', async (args) => {
    const openDescriptors = () => readdirSync('/proc/self/fd').length;
    const before = openDescriptors();
    await cli(args);
    expect(openDescriptors()).toBe(before);
  });

test('a number that is left out is none', async () => {
  for (const option of ['opset', 'axis'])
    expect((await cli(['flatten', 'x.npy', 'out.npy', `--${option}`, ''])).stderr).toBe(
      `onnx-layout: --${option} must be a whole number, got \nonnx-layout flatten --help says more\n`,
    );
});

test('every control character of a name is shown as its number', async () => {
  writeTensors('controls.safetensors', { '\u0000\u001f\u007f\u0085\u009b2J\u00a0': Tensor.from('int8', [1]) });
  const shown = '\\x00\\x1f\\x7f\\x85\\x9b2J\u00a0: int8 [1], 1 bytes: 1\n';
  expect(await output('inspect controls.safetensors')).toBe(shown);
});

/** Turns the direction of the text, hides, ends the line, or is half a character. */
const unseen = '\u202e\u2066\u200b\u00ad\ufeff\u2028\u009b\u{e0041}';
const unseenShown = '\\u202e\\u2066\\u200b\\xad\\ufeff\\u2028\\x9b\\u{e0041}';

test('nothing that a terminal obeys is printed: names, metadata, JSON, errors, progress', async () => {
  const metadata = new Map([[`k${unseen}`, `v${unseen}`]]);
  writeTensors(`f${unseen}.safetensors`, { [`n${unseen}`]: Tensor.from('int8', [1]) }, { metadata });
  const file = `f${unseen}.safetensors`;
  const lines = `n${unseenShown}: int8 [1], 1 bytes: 1\nmetadata k${unseenShown}: v${unseenShown}\n`;
  expect(await output(['inspect', file])).toBe(lines);
  const json = await output(['inspect', file, '--json']);
  expect(json).not.toMatch(/[\x7f-\x9f\p{Cf}\u2028]/u);
  expect(json).toContain('"name": "n\\u202e\\u2066\\u200b\\u00ad\\ufeff\\u2028\\u009b\\udb40\\udc41"');
  const { tensors, metadata: read } = JSON.parse(json);
  expect([tensors[0].name, Object.entries(read)]).toEqual([`n${unseen}`, [...metadata]]);
  await expectRefusal(['inspect', `none${unseen}`], 1, `none${unseenShown}: no such file or directory\n`);
  await expectRefusal(['inspect', 'x.npy', `--x${unseen}`], 2, `unknown option '--x${unseenShown}'.`);
  await expectRefusal(['convert', file, 'a.npy', '--tensor', unseen], 2, `f${unseenShown}.safetensors: unknown tensor`);
  const { stderr } = await written(['transpose', '-', `out${unseen}.npy`], readFileSync('x.npy'), true);
  expect(stderr).not.toMatch(/[\x7f-\x9f\p{Cf}\u2028]/u);
});

test('a process of its own shows values that end within a byte, beside others', () => {
  const p = Tensor.from('float6e2m3', new Array(16).fill(1.5), [2, 8]);
  writeTensors('packed.safetensors', { p, f: Tensor.from('float32', [2]) });
  // From the sources, as the other tests; here nobody has called init().
  const source = fileURLToPath(new URL('../../js/cli/cli.js', import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [source, 'inspect', 'packed.safetensors'], { cwd: folder });
  expect([stdout.toString(), stderr.toString()]).toEqual([
    'f: float32 [1], 4 bytes: 2\n' +
      'p: float6e2m3 [2, 8], 12 bytes: 1.5 1.5 1.5 1.5 1.5 1.5 …\n' +
      'total 2 tensors, 16 bytes: float32 4 bytes, float6e2m3 12 bytes\n',
    '',
  ]);
});

test('a file without tensors is converted', async () => {
  writeTensors('empty.safetensors', {}, { metadata: new Map([['format', 'pt']]) });
  await quiet(['convert', 'empty.safetensors', 'empty too.safetensors']);
  expect(read('empty too.safetensors')).toEqual(read('empty.safetensors'));
});

test('the operators that have a command', () => {
  const operators = Object.values(commands).flatMap(({ operator }) => operator ?? []);
  const ofSurgery = ['Slice', 'Concat', 'Pad', 'Gather', 'Squeeze', 'Unsqueeze'];
  expect(operators).toEqual(['Transpose', 'Reshape', 'Flatten', 'SplitToSequence', 'Cast', ...ofSurgery]);
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining(operators));
});

test('floats have the digits of their own type', async () => {
  const f = Tensor.from('float32', [0.1, 1e-7, 16777216, -0, NaN, -Infinity]);
  const [h, d] = ['float16', 'float64'].map((type) => Tensor.from(type, [0.1]));
  writeTensors('digits.safetensors', { f, h, d, c: Tensor.from('complex64', [[0.1, 2]]) });
  const shown = 'f: float32 [6], 24 bytes: 0.1 1e-07 16777216 -0 NaN -Infinity\n';
  expect(await output('inspect digits.safetensors')).toContain(shown);
  const first = async (name) =>
    JSON.parse(await output(`inspect digits.safetensors --tensor ${name} --json`)).tensors[0].first;
  expect(await first('f')).toEqual([0.1, 1e-7, 16777216, 0, 'NaN', '-Infinity']);
  expect([await first('h'), await first('d')]).toEqual([[0.1], [0.1]]);
  expect(await output('inspect digits.safetensors --tensor c')).toBe('c: complex64 [1], 8 bytes: (0.1, 2)\n');
});

test('package.json points to it', () => expect(manifest.bin).toEqual({ 'onnx-layout': 'dist/cli.js' }));

describe('inspect', () => {
  test.each([
    ['x.npy', 'float32 [2, 3], 24 bytes: 1 2 3 4 5 Infinity\n'],
    [
      'x.safetensors',
      'b\\x1b: int64 [1], 8 bytes: 1152921504606846976\n' +
        'w: float32 [2, 3], 24 bytes: 1 2 3 4 5 Infinity\n' +
        'total 2 tensors, 32 bytes: int64 8 bytes, float32 24 bytes\nmetadata format: pt\n',
    ],
    [
      'x.onnx',
      'w: float32 [2, 3], 24 bytes: 1 2 3 4 5 Infinity\ns: string [1], 1 bytes: "a"\n' +
        'total 2 tensors, 25 bytes: float32 24 bytes, string 1 bytes\nopset 21\n',
    ],
  ])('%s', async (file, stdout) => expect(await cli(`inspect ${file}`)).toEqual(done(stdout)));

  test('standard input', async () =>
    expect(await output('inspect -', read('x.npy'))).toBe('float32 [2, 3], 24 bytes: 1 2 3 4 5 Infinity\n'));

  test('--json', async () => {
    const { status, stdout } = await cli('inspect x.safetensors --json');
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      {
        format: 'safetensors',
        metadata: { format: 'pt' },
        tensors: [
          { name: 'b\u001b', type: 'int64', dims: [1], bytes: 8, first: ['1152921504606846976'] },
          { name: 'w', type: 'float32', dims: [2, 3], bytes: 24, first: [1, 2, 3, 4, 5, 'Infinity'] },
        ],
      },
    ]);
    expect(JSON.parse(await output('inspect x.onnx --json')).opsets).toEqual({ '': 21 });
  });

  test('a model of which the second four bytes are zero, as in the length of a safetensors file', async () => {
    const producer = Buffer.of(8, 8, 0x12, 4, 0, 0, 0, 0);
    const shown = await output('inspect x.onnx');
    expect(await output('inspect -', Buffer.concat([producer, read('x.onnx')]))).toBe(shown);
  });

  test('a graph', async () => {
    const extents = (...dims) => field(2, Buffer.concat(dims.map((dim) => field(1, dim))));
    const info = (number, name, type) => field(number, Buffer.concat([text(1, name), field(2, type)]));
    const node = (...fields) => field(1, Buffer.concat(fields));
    const shape = Buffer.concat([Buffer.of(8, 1), extents(text(2, 'N'), Buffer.of(8, 3), Buffer.of(), text(2, ''))]);
    const graph = graphOf(
      node(text(1, 'x'), text(2, 't'), text(4, 'Transpose')),
      node(text(1, 't'), text(1, ''), text(2, 'y'), text(3, 'cut'), text(4, 'Split'), text(7, 'org')),
      info(11, 'x', field(1, shape)),
      info(12, 'y', field(4, field(1, field(1, Buffer.of(8, 7))))),
      field(12, text(1, 'z')),
    );
    write('graph.onnx', graph);
    const shown =
      'opset 21\ninput x: float32 [N, 3, ?, ?]\noutput y: sequence of int64 […]\noutput z: ? […]\n' +
      'node Transpose(x) -> t\nnode cut: org.Split(t, ) -> y\n';
    expect(await cli('inspect graph.onnx')).toEqual(done(shown));
    expect(JSON.parse(await output('inspect graph.onnx --json'))).toEqual({
      format: 'onnx',
      opsets: { '': 21 },
      tensors: [],
      inputs: [{ name: 'x', type: 'float32', dims: ['N', 3, null, null], sequence: false }],
      outputs: [
        { name: 'y', type: 'int64', dims: null, sequence: true },
        { name: 'z', dims: null, sequence: false },
      ],
      nodes: [
        { name: '', operator: 'Transpose', domain: '', inputs: ['x'], outputs: ['t'] },
        { name: 'cut', operator: 'Split', domain: 'org', inputs: ['t', ''], outputs: ['y'] },
      ],
    });
  });

  test('values of every kind, the first six; one tensor of several', async () => {
    const l = Tensor.from('int8', [1, 2, 3, 4, 5, 6, 7]);
    const c = new Tensor('complex64', Float32Array.of(1, -2, 0, NaN), [2]);
    writeTensors('kinds.safetensors', { c, l, s: Tensor.from('int64', [5n]) });
    write('string.onnx', modelOf(writeTensorProto(Tensor.from('string', ['\u{1b}"' + 'a'.repeat(50)]), { name: 's' })));
    write('packed.onnx', modelOf(writeTensorProto(Tensor.from('int4', [-1, 7, -8], [3, 1]), { name: 'p' })));
    expect(await output('inspect kinds.safetensors')).toBe(
      'c: complex64 [2], 16 bytes: (1, -2) (0, NaN)\ns: int64 [1], 8 bytes: 5\n' +
        'l: int8 [7], 7 bytes: 1 2 3 4 5 6 …\n' +
        'total 3 tensors, 31 bytes: complex64 16 bytes, int64 8 bytes, int8 7 bytes\n',
    );
    const long = 'l: int8 [7], 7 bytes: 1 2 3 4 5 6 …\n';
    expect(await cli('inspect kinds.safetensors --tensor l')).toEqual(done(long));
    expect(JSON.parse(await output('inspect kinds.safetensors --tensor s --json')).tensors[0].first).toEqual([5]);
    const escaped = `s: string [1], 52 bytes: "\\u001b\\"${'a'.repeat(38)}"\nopset 21\n`;
    expect(await output('inspect string.onnx')).toBe(escaped);
    expect(await output('inspect packed.onnx')).toBe('p: int4 [3, 1], 2 bytes: -1 7 -8\nopset 21\n');
  });

  describe('external data', () => {
    const pair = (key, value) => field(13, Buffer.concat([text(1, key), text(2, value)]));
    const model = (location, extent = 2) => {
      const head = Buffer.of(8, extent, 0x10, 5, 0x70, 1);
      return modelOf(Buffer.concat([head, pair('location', location), pair('offset', '2'), text(8, 'e')]));
    };
    const shown = done('e: int16 [2], 4 bytes: 1 2\nopset 21\n');

    test('beside the model is read, and what a link leads to', async () => {
      mkdirSync(join(folder, 'model'));
      write('outside.bin', Buffer.of(0, 0, 1, 0, 2, 0));
      write('model/inside.bin', Buffer.of(0, 0, 1, 0, 2, 0));
      symlinkSync('../outside.bin', join(folder, 'model/link.bin'));
      for (const name of ['inside', 'link', 'none']) write(`model/${name}.onnx`, model(`${name}.bin`));
      expect(await cli('inspect model/inside.onnx')).toEqual(shown);
      expect(await cli('inspect model/link.onnx')).toEqual(shown);
      expect((await cli('inspect model/none.onnx')).status).toBe(1);
      write('model/inside.bin', Buffer.of(0, 0, 1, 0));
      const stderr = "onnx-layout: Entry.read: external 'inside.bin' must have 6 bytes, got 4\n";
      expect(await cli('inspect model/inside.onnx')).toEqual({ status: 1, stdout: '', stderr });
    });

    test('lies in the current folder, of a model that comes by standard input', async () => {
      write('here.bin', Buffer.of(0, 0, 1, 0, 2, 0));
      expect(await cli('inspect -', model('here.bin'))).toEqual(shown);
      process.chdir('/');
      try {
        expect(await cli('inspect -', model(join(folder, 'here.bin').slice(1)))).toEqual(shown);
        // A file of Linux's that says it has 4096 bytes, and gives the few that it has.
        const { status, stdout, stderr } = await cli('inspect -', model('sys/kernel/uevent_seqnum', 100));
        expect([status, stdout]).toEqual([1, '']);
        expect(stderr).toMatch(
          /^onnx-layout: Entry\.read: external 'sys\/kernel\/uevent_seqnum' must give \d+ bytes from \d+, got 0\n$/,
        );
      } finally {
        process.chdir(folder);
      }
    });
  });
});

/** The dims of the tensors in a file. */
const dimsOf = (bytes) => Object.fromEntries(Array.from(readSafetensors(bytes), ([name, { dims }]) => [name, dims]));
const to3x2 = '--width 3 --height 2';

describe('a tensor in, a tensor out', () => {
  const values = [1, 2, 3, 4, 5, Infinity];
  const turned = [1, 4, 2, 5, 3, Infinity];
  test.each([
    ['transpose --perm 1,0', [3, 2], turned],
    ['transpose', [3, 2], turned],
    ['reshape --shape -1,2', [3, 2], values],
    ['reshape --shape 3,2 --opset 1', [3, 2], values],
    ['flatten --axis -2', [1, 6], values],
    ['flatten', [2, 3], values],
    ['slice --starts 1 --ends 9 --axes -1 --steps 1', [2, 2], [2, 3, 5, Infinity]],
    ['slice --starts -1,0 --ends -9,1 --steps -1,2', [2, 1], [4, 1]],
    ['slice --starts 1 --ends 2 --axes 1 --opset 9', [2, 1], [2, 5]],
    ['concat --axis -1', [2, 3], values],
    ['concat x.npy --axis -1', [2, 6], [1, 2, 3, 1, 2, 3, 4, 5, Infinity, 4, 5, Infinity]],
    ['concat one.npy x.npy --axis 0 --opset 4', [5, 3], [...values, 7, 8, 9, ...values]],
    ['pad --pads 0,1,-1,0', [1, 4], [0, 1, 2, 3]],
    ['pad --pads 1,0 --axes -2 --value -0.5', [3, 3], [-0.5, -0.5, -0.5, ...values]],
    ['pad --pads 0,0,1,0 --mode wrap', [3, 3], [...values, 1, 2, 3]],
    ['pad --pads 0,0,1,0 --value 7 --opset 2', [3, 3], [...values, 7, 7, 7]],
    ['pad --pads 0,0,1,0 --mode edge --opset 1', [3, 3], [...values, 4, 5, Infinity]],
    ['gather --indices 1,-2', [2, 3], [4, 5, Infinity, 1, 2, 3]],
    ['gather --indices -1 --axis 1', [2, 1], [3, Infinity]],
    ['gather --indices -1 --axis 1 --drop-axis', [2], [3, Infinity]],
    ['unsqueeze --axes 0,-1', [1, 2, 3, 1], values],
    ['unsqueeze --axes 1 --opset 11', [2, 1, 3], values],
    ['squeeze', [2, 3], values],
    [['rearrange', '--pattern', 'h w -> w h'], [3, 2], turned],
    [['rearrange', '--pattern', 'a (b c) -> b a c', '--lengths', 'b=3,c=1'], [3, 2, 1], turned],
  ])('%j', async (args, dims, expected) => {
    const [command, ...rest] = words(args);
    const more = rest.filter((argument) => argument.endsWith('.npy'));
    await quiet([command, 'x.npy', ...more, 'out.npy', ...rest.slice(more.length), '--force']);
    expectOut(dims, Float32Array.from(expected));
  });

  test('squeeze', async () => {
    write('ones.npy', writeNpy(Tensor.from('float32', values, [1, 2, 1, 3])));
    const dims = { '': [2, 3], '--axes -2': [1, 2, 3], '--axes 2 --opset 1': [1, 2, 3] };
    for (const options of Object.keys(dims)) {
      await quiet(`squeeze ones.npy out.npy ${options}`);
      expectOut(dims[options], Float32Array.from(values));
    }
  });

  test('concat: one tensor of each file, in a copy of the first; one from standard input', async () => {
    await quiet('concat x.safetensors x.onnx out.safetensors --tensor w --axis 0');
    const tensors = readSafetensors(read('out.safetensors'));
    expectTensor(tensors.get('w'), 'float32', [4, 3], Float32Array.from([...values, ...values]));
    expect([tensors.size, tensors.metadata.get('format')]).toEqual([2, 'pt']);
    const { stdout } = await written('concat one.npy - - --axis 0', read('x.npy'));
    expectTensor(readNpy(new Uint8Array(stdout)), 'float32', [3, 3], Float32Array.from([7, 8, 9, ...values]));
  });

  test('--force lets OUT be IN, by whatever path', async () => {
    write('again.npy', writeNpy(x));
    symlinkSync('again.npy', join(folder, 'link.npy'));
    const refused = (command, out) => {
      const rule = `OUT must not be an input, got ${out}: --force replaces it`;
      return { status: 2, stdout: '', stderr: `onnx-layout: ${rule}\nonnx-layout ${command} --help says more\n` };
    };
    expect(await cli('transpose again.npy link.npy')).toEqual(refused('transpose', 'link.npy'));
    expect(await cli('cast . x.safetensors --all --to int8')).toEqual(refused('cast', 'x.safetensors'));
    expectTensor(readNpy(read('again.npy')), 'float32', [2, 3], x.data);
    await quiet('transpose again.npy link.npy --force');
    expectTensor(readNpy(read('again.npy')), 'float32', [3, 2], Float32Array.of(1, 4, 2, 5, 3, Infinity));
    await quiet('concat one.npy again.npy --axis 0 --force');
    expectTensor(readNpy(read('again.npy')), 'float32', [1, 3], Float32Array.of(7, 8, 9));
  });

  test('options of lists that are empty, and of flags', async () => {
    write('scalar.npy', writeNpy(Tensor.from('float32', [7], [])));
    await quiet(['transpose', 'scalar.npy', 'out.npy', '--perm', '']);
    expectOut([], Float32Array.of(7));
    write('empty.npy', writeNpy(new Tensor('float32', new Float32Array(0), [0, 3])));
    await quiet('reshape empty.npy out.npy --shape 5,0 --allowzero');
    expectOut([5, 0], new Float32Array(0));
    write('third.npy', writeNpy(Tensor.from('float32', [3])));
    await quiet('cast third.npy out.npy --to float8e8m0 --round-mode down --opset 24');
    expectTensor(readNpy(read('out.npy'), { dtype: 'float8e8m0' }), 'float8e8m0', [1], Uint8Array.of(128));
  });

  test('cast', async () => {
    await quiet('cast x.npy out.npy --to float8e4m3fn --no-saturate');
    await quiet('cast out.npy back.npy --to float16 --dtype float8e4m3fn');
    const halves = Uint16Array.of(0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x7e00);
    expectTensor(readNpy(read('back.npy')), 'float16', [2, 3], halves);
  });

  test('--view-as takes bytes for elements of a few bits, and packs those of OUT', async () => {
    const packed = Tensor.from('int4', [1, -2, 3, 4, 5, -6, 7, -8], [2, 4]);
    writeTensors('int4.safetensors', { w: new Tensor('uint8', packed.data, [2, 2]), other: x });
    await quiet('transpose int4.safetensors out.safetensors --tensor w --view-as int4');
    const { data } = Tensor.from('int4', [1, 5, -2, -6, 3, 7, 4, -8], [4, 2]);
    const tensors = readSafetensors(read('out.safetensors'));
    expectTensor(tensors.get('w'), 'uint8', [4, 1], data);
    expect(tensors.size).toBe(2);
    await quiet('cast int4.safetensors out.npy --tensor w --to float32 --view-as int4');
    expectOut([2, 4], Float32Array.of(1, -2, 3, 4, 5, -6, 7, -8));
  });

  describe('resize', () => {
    const [height, width] = [7, 9];
    const bytes = (channels) => Uint8Array.from({ length: height * width * channels }, (_, i) => (i * 83) % 256);
    const floats = Float32Array.from({ length: height * width }, (_, i) => ((i * 83) % 256) - 40.25);

    test.each([
      ['uint8', [3], '', {}],
      ['uint8', [1], '--filter lanczos --backend pil', { filter: 'lanczos' }],
      ['uint8', [], '--filter box', { filter: 'box' }],
      ['uint8', [2], '--no-premultiply', { premultiply: false }],
      ['uint8', [4], '--backend pil', { premultiply: true }],
      ['uint8', [3], '--box 0.5,1,8.25,7', { box: [0.5, 1, 8.25, 7] }],
      ['uint8', [3], '--reducing-gap 1.5', { reducingGap: 1.5 }],
      ['uint8', [4], '--backend torchvision --filter bicubic', { backend: 'torchvision', filter: 'bicubic' }],
      ['uint8', [3], '--backend torchvision --no-antialias', { backend: 'torchvision', antialias: false }],
      ['uint8', [4], '--backend opencv --filter area', { backend: 'opencv', filter: 'area' }],
      ['float32', [], '--filter bilinear', { filter: 'bilinear' }],
    ])('%s %j %s', async (type, channels, options, expected) => {
      const data = type === 'uint8' ? bytes(channels[0] ?? 1) : floats;
      write('pixels.npy', writeNpy(new Tensor(type, data, [height, width, ...channels])));
      await quiet(`resize pixels.npy out.npy ${to3x2} ${options}`);
      const resized = resize({ data, width, height, channels: channels[0] ?? 1 }, { width: 3, height: 2, ...expected });
      expectOut([2, 3, ...channels], resized.data, type);
    });

    test.each([
      ['', {}],
      ['--auto --stride 4', { auto: true, stride: 4 }],
      ['--scale-fill --background 9', { scaleFill: true, background: 9 }],
      ['--background #0000ff', { background: 'blue' }],
      ['--no-scaleup --no-center', { scaleup: false, center: false }],
    ])('letterbox %s', async (options, expected) => {
      for (const channels of [[3], []]) {
        const data = bytes(channels[0] ?? 1);
        write('pixels.npy', writeNpy(new Tensor('uint8', data, [height, width, ...channels])));
        await quiet(`letterbox pixels.npy out.npy --width 16 --height 15 ${options}`);
        const image = { data, width, height, channels: channels[0] ?? 1 };
        const boxed = letterbox(image, { width: 16, height: 15, ...expected });
        expectOut([boxed.height, boxed.width, ...channels], boxed.data, 'uint8');
      }
    });

    test('takes a picture, from a file and from standard input', async () => {
      const jpeg = readFileSync(new URL('../image/sources/pictures/jpeg-444.jpg', import.meta.url));
      write('picture.jpg', jpeg);
      const resized = resize(await readImage(jpeg), { width: 3, height: 2 });
      await quiet(`resize picture.jpg out.npy ${to3x2}`);
      expectOut([2, 3, 3], resized.data, 'uint8');
      const { stdout } = await written(`resize - - ${to3x2}`, jpeg);
      expect(new Uint8Array(stdout)).toEqual(new Uint8Array(read('out.npy')));
      const fromTensor = await written(`resize - - ${to3x2}`, read('grey.npy'));
      expect([fromTensor.status, readNpy(new Uint8Array(fromTensor.stdout)).dims]).toEqual([0, [2, 3]]);
    });

    test('has the numbers of Pillow', async () => {
      write('row.npy', writeNpy(new Tensor('uint8', Uint8Array.of(0, 100, 200, 255), [1, 4])));
      await quiet('resize row.npy out.npy --width 2 --height 1 --filter bilinear');
      expectOut([1, 2], Uint8Array.of(71, 209), 'uint8');
    });
  });

  test('split: numbered files, or one file of all', async () => {
    await quiet('split x.npy piece.npy --axis 1 --split 1,2');
    expectTensor(readNpy(read('piece.0.npy')), 'float32', [2, 1], Float32Array.of(1, 4));
    expectTensor(readNpy(read('piece.1.npy')), 'float32', [2, 2], Float32Array.of(2, 3, 5, Infinity));
    await quiet('split x.npy pieces.safetensors --drop-axis');
    expect(dimsOf(read('pieces.safetensors'))).toEqual({ 0: [3], 1: [3] });
    // Where extents are given, the axis stays.
    for (const option of ['', '--drop-axis']) {
      await quiet(`split x.npy two.safetensors --axis 1 --split 2 ${option}`);
      expect(dimsOf(read('two.safetensors'))).toEqual({ 0: [2, 2], 1: [2, 1] });
    }
  });

  test('one tensor of a safetensors file or a model is replaced, the others stay', async () => {
    await quiet('transpose x.safetensors out.safetensors --tensor w');
    const tensors = readSafetensors(read('out.safetensors'));
    expectTensor(tensors.get('w'), 'float32', [3, 2], Float32Array.from(turned));
    expect([tensors.size, tensors.metadata.get('format')]).toEqual([2, 'pt']);
    await quiet('transpose x.onnx out.onnx --tensor w');
    expectTensor(readModel(read('out.onnx')).initializers.get('w'), 'float32', [3, 2], Float32Array.from(turned));
    await quiet('flatten x.onnx out.safetensors --tensor w');
    expect([...readSafetensors(read('out.safetensors')).keys()]).toEqual(['w']);
    await quiet('flatten x.npy out.safetensors');
    expect([...readSafetensors(read('out.safetensors')).keys()]).toEqual(['tensor']);
  });

  test('standard input to standard output', async () => {
    const { status, stdout, stderr } = await written('transpose - -', read('x.npy'));
    expect([status, stderr]).toEqual([0, '']);
    expectTensor(readNpy(new Uint8Array(stdout)), 'float32', [3, 2], Float32Array.from(turned));
  });

  test.each([
    ['drain', undefined, 0, ''],
    ['drain', 'nobody reads any more', 0, ''],
    ['error', Object.assign(new Error('write EIO'), { code: 'EIO' }), 1, 'onnx-layout: write EIO\n'],
  ])('standard output that is full, then %s %s', async (event, argument, status, message) => {
    const stdout = new EventEmitter();
    const [chunks, errors] = [[], []];
    stdout.write = (chunk) => {
      chunks.push(Buffer.from(chunk));
      stdout.isClosed = argument !== undefined;
      setImmediate(() => stdout.emit(event, argument));
      return false;
    };
    const streams = { stdin: [], stdout, stderr: { write: (line) => errors.push(line) } };
    // The command prints nothing at its end, so nobody waits for that.
    stdout.on('error', () => {});
    expect(await runCommand(words('transpose x.npy -'), streams)).toBe(status);
    expect(errors.join('')).toBe(message);
    const whole = (await written('transpose x.npy -')).stdout;
    expect(Buffer.concat(chunks)).toEqual(argument ? whole.subarray(0, 128) : whole);
  });

  test('standard output in every format', async () => {
    const out = async (args) => new Uint8Array((await written(args)).stdout);
    expect(await out('transpose x.npy - --as npy')).toEqual(await out('transpose x.npy -'));
    const one = readSafetensors(await out('transpose x.npy - --as safetensors'));
    expectTensor(one.get('tensor'), 'float32', [3, 2], Float32Array.from(turned));
    const others = readSafetensors(await out('transpose x.safetensors - --as safetensors --tensor w'));
    expect([...others.keys()].sort()).toEqual(['b\u001b', 'w']);
    expect(dimsOf(await out('split x.npy - --as safetensors'))).toEqual({ 0: [1, 3], 1: [1, 3] });
    const model = readModel(await out('transpose x.onnx - --as onnx --tensor w'));
    expectTensor(model.initializers.get('w'), 'float32', [3, 2], Float32Array.from(turned));
    const copy = await written('convert - - --as safetensors', read('x.safetensors'));
    expect(copy.stdout).toEqual(read('x.safetensors'));
    await quiet('transpose x.npy no-extension --as npy');
    expect(read('no-extension')).toEqual(Buffer.from(await out('transpose x.npy -')));
  });

  test('--json', async () => {
    const { status, stdout } = await cli('split x.npy j.npy --json');
    const [files, piece] = [
      ['j.0.npy', 'j.1.npy'],
      [1, 3],
    ];
    expect([status, JSON.parse(stdout)]).toEqual([0, { files, type: 'float32', dims: [piece, piece] }]);
  });
});

describe('exit status', () => {
  beforeAll(() => {
    write('five.npy', writeNpy(new Tensor('uint8', new Uint8Array(30), [2, 3, 5])));
    write('flat.npy', writeNpy(new Tensor('uint8', new Uint8Array(6), [6])));
    write('bool.npy', writeNpy(new Tensor('bool', new Uint8Array(6), [2, 3])));
    write('cube.npy', writeNpy(new Tensor('float32', new Float32Array(6), [2, 3, 1])));
  });

  test.each([
    ['inspect none.npy', 'none.npy: no such file or directory\n'],
    [`resize photo.jpg out.npy ${to3x2}`, 'photo.jpg: image must be a picture that sharp decodes: '],
    [`letterbox none.jpg out.npy ${to3x2}`, 'none.jpg: no such file or directory\n'],
    ['transpose x.npy none/out.npy', 'none/out.npy: no such file or directory\n'],
    ['transpose x.npy out.npy --view-as int4', 'IN must be uint8 with an axis for --view-as, got float32 [2, 3]\n'],
    [
      'transpose five.npy out.npy --view-as uint2 --perm 2,1,0',
      'OUT must have a last axis of a multiple of 4 to be packed, got [20, 3, 2]\n',
    ],
    ...['inspect photo.jpg', 'slice photo.jpg out.npy --starts 0 --ends 1'].map((args) => [
      args,
      'photo.jpg: file must be a .npy file, a .npz archive, a safetensors file or an ONNX model, ' +
        'got a JPEG picture of 4 bytes: preprocess takes it\n',
    ]),
    [
      ['inspect', program],
      `${program}: file must be a .npy file, a .npz archive, a safetensors file or an ONNX model, got text of `,
    ],
    ...[
      ['flat', 'uint8 [6]'],
      ['bool', 'bool [2, 3]'],
      ['cube', 'float32 [2, 3, 1]'],
    ].map(([file, got]) => [
      `resize ${file}.npy out.npy ${to3x2}`,
      `resize: IN must be uint8 [H, W] or [H, W, C], or float32 [H, W], got ${got}\n`,
    ]),
    [`letterbox x.npy out.npy ${to3x2}`, 'letterbox: IN must be uint8 [H, W] or [H, W, C], got float32 [2, 3]\n'],
    [`resize five.npy out.npy ${to3x2}`, 'resize: image channels must be 1, 2, 3 or 4, got 5\n'],
    [
      'concat x.npy flat.npy none.npy --axis 0',
      'Concat-13: inputs[1] type must be float32, as that of inputs[0], got uint8\n',
    ],
  ])('1: %j', async (args, message) => {
    const { status, stdout, stderr } = await cli(args);
    expect([status, stdout, stderr.startsWith(`onnx-layout: ${message}`), stderr.split('\n').length]).toEqual([
      1,
      '',
      true,
      2,
    ]);
  });

  test.each([
    ['toString', `unknown command 'toString'. ${knownCommands}`],
    ['transpos x.npy', `unknown command 'transpos', did you mean 'transpose'? ${knownCommands}`],
    ['inspect', 'inspect takes FILE, got 0 files'],
    ['transpose x.npy', 'transpose takes IN OUT, got 1 file\nonnx-layout transpose --help says more\n'],
    ['transpose x.npy out.npy --perm a', '--perm must be whole numbers with commas between, got a'],
    ['transpose x.npy out.npy --perm 1,0x', '--perm must be whole numbers with commas between, got 1,0x'],
    ['flatten x.npy out.npy --axis 1,2', '--axis must be a whole number, got 1,2'],
    ['reshape x.npy out.npy', 'reshape needs --shape'],
    ['cast x.npy out.npy', 'cast needs --to'],
    ['letterbox x.npy out.npy --height 2', 'letterbox needs --width and --height'],
    ['letterbox x.npy out.npy --width 2', 'letterbox needs --width and --height'],
    ['resize x.npy out.npy --height 2', 'resize needs --width and --height'],
    ['resize x.npy out.npy --width 2', 'resize needs --width and --height'],
    ['resize x.npy out.npy --width 2.5', '--width must be a whole number, got 2.5'],
    [`resize x.npy out.npy ${to3x2} --box 0,0,.5,2`, '--box must be numbers with commas between, got 0,0,.5,2'],
    [`resize x.npy out.npy ${to3x2} --reducing-gap 2,3`, '--reducing-gap must be a number, got 2,3'],
    [
      'resize x.npy out.npy --opset 1',
      "unknown option '--opset'. Known: --width, --height, --backend, --filter, --no-antialias, --box, ",
    ],
    ['flatten x.npy out.npy --perm 1', "unknown option '--perm'. Known: --axis, --opset, --tensor, --dtype, "],
    [
      'transpose x.npy out.npy --prem=1,0',
      "unknown option '--prem', did you mean '--perm'? " +
        'Known: --perm, --opset, --tensor, --dtype, --view-as, --as, --force, --json, …\n',
    ],
    [
      'inspect x.npy --opset 1',
      "unknown option '--opset'. Known: --tree, --tensor, --dtype, --json, --quiet, --help\n",
    ],
    ['inspect x.npy -x', "unknown option '-x'. Known: --tree, --tensor, --dtype, --json, --quiet, --help\n"],
    [
      'inspect x.npy --toString',
      "unknown option '--toString'. Known: --tree, --tensor, --dtype, --json, --quiet, --help\n",
    ],
    ['inspect x.npy --tensor', '--tensor needs a value'],
    ['flatten x.npy out.npy --axis --json', '--axis needs a value, got --json: --axis=--json takes it for one'],
    ['inspect x.npy --json=1', '--json takes no value, got 1'],
    ['flatten x.npy out.txt', 'OUT must be .npy, .npz, .safetensors or -, got out.txt'],
    ['flatten x.onnx out.txt --tensor w', 'OUT must be .npy, .npz, .safetensors, .onnx or -, got out.txt'],
    ['split x.onnx out.onnx --tensor w', 'OUT must be .npy, .npz, .safetensors or -, got out.onnx'],
    ['flatten x.npy x.npy', 'OUT must not be an input, got x.npy: --force replaces it'],
    ['flatten x.safetensors out.npy', 'x.safetensors has 2 tensors: choose one by --tensor'],
    ['split x.npy -', 'pieces need a file OUT, or --as safetensors'],
    ['flatten x.npy - --json', '--json and OUT cannot both go to standard output'],
    ['slice x.npy out.npy --starts 0', 'slice needs --starts and --ends'],
    ['concat x.npy out.npy', 'concat needs --axis'],
    ['concat x.npy --axis 0', 'concat takes IN… OUT, got 1 file'],
    ['concat one.npy x.npy ./x.npy --axis 0', 'OUT must not be an input, got ./x.npy: --force replaces it'],
    ['concat one.npy x.npy --axis 0', 'concat: OUT must not exist, got x.npy: --force replaces it'],
    [
      'cast x.onnx y.onnx --all --to float16',
      'cast --all must have OUT .safetensors: the graph of a model would keep the old types',
    ],
    ['concat - - out.npy --axis 0', 'standard input can be IN once'],
    ['concat - x.npy - --axis 0 --json', '--json and OUT cannot both go to standard output'],
    ['pad x.npy out.npy', 'pad needs --pads'],
    ['pad x.npy out.npy --pads 1,1 --value a', '--value must be a number, got a'],
    ['gather x.npy out.npy --axis 0', 'gather needs --indices'],
    ['gather x.npy out.npy --indices 0,1 --drop-axis', '--drop-axis needs one index, got 0,1'],
    ['unsqueeze x.npy out.npy', 'unsqueeze needs --axes'],
    ['rearrange x.npy out.npy', 'rearrange needs --pattern'],
    [
      ['rearrange', 'x.npy', 'out.npy', '--pattern', 'a -> a', '--lengths', 'h:2'],
      '--lengths must be like h=2,w=3, got h:2',
    ],
    [
      ['rearrange', 'x.npy', 'out.npy', '--pattern', 'a -> a', '--lengths', 'h=2,w=3x'],
      '--lengths must be like h=2,w=3, got h=2,w=3x',
    ],
    ['rearrange x.npy out.npy --opset 1', "unknown option '--opset'. Known: --pattern, --lengths, --tensor, --dtype, "],
    ['inspect x.onnx --dtype int4', '--dtype is for .npy and .npz files'],
    ['flatten x.npy - --as onnx', 'OUT must be .npy, .npz, .safetensors or -, got -'],
    ['flatten x.npy - --as png', '--as must be npy, npz, safetensors or onnx, got png'],
    ['convert x.safetensors -', 'x.safetensors has 2 tensors: choose one by --tensor'],
    ['transpose x.npy out.npy --perm 0,0', 'Transpose-25: perm must be a permutation of [0, 2), got [0, 0]'],
    ['transpose x.onnx out.npy --tensor v', "x.onnx: unknown tensor 'v'. Known: w, s\n"],
    ['cast x.npy out.npy --to floatfloat', "--to: unknown type 'floatfloat'. Known: float32, uint8, "],
    [
      `letterbox grey.npy out.npy ${to3x2} --background 256`,
      '--background must be a byte, bytes or a CSS color, got 256\n',
    ],
    ['resize grey.npy out.npy --width 0 --height 2', 'resize: width must be at least 1, got 0\n'],
    [
      `resize grey.npy out.npy ${to3x2} --backend torchvision --filter box`,
      "resize: filter of backend 'torchvision' must be one of nearest, nearest_exact, bilinear, bicubic, lanczos, " +
        "got 'box'\n",
    ],
    [`resize grey.npy out.npy ${to3x2} --no-antialias`, "resize: antialias of backend 'pil' must be true, got false\n"],
    [`resize grey.npy out.npy ${to3x2} --box 0,0,4,2`, 'resize: box must lie within 3 x 2 pixels, got [0, 0, 4, 2]\n'],
    [`resize grey.npy out.npy ${to3x2} --reducing-gap 0.5`, 'resize: --reducing-gap must be at least 1, got 0.5\n'],
    [
      ['rearrange', 'x.npy', 'out.npy', '--pattern', '(a b) c -> a b c', '--lengths', 'a=3'],
      'rearrange: dims[0] must be a multiple of 3, the product of its lengths, got 2\n',
    ],
    ['cast x.npy out.npy --to string', '--to must be a type of numbers, got string\n'],
    ['cast x.safetensors all.safetensors --all --to int8 --view-as int4', '--all and --view-as exclude each other\n'],
    ['flatten x.npy out.npy --view-as int8', '--view-as must be int4, uint4, int2 or uint2, got int8\n'],
    ['slice x.npy out.npy --starts 0 --ends 1 --axes 2', 'Slice-13: axes must be in [-2, 1], '],
    ['slice x.npy out.npy --starts 0 --ends 1 --steps 1 --opset 9', 'Slice-1: steps needs opset 10, got opset 9\n'],
    ['pad x.npy out.npy --pads 1', 'Pad-25: pads must have two entries for each of 2 axes, got [1]\n'],
    ['pad x.npy out.npy --pads 0,0,0,0 --mode edges', '--mode must be constant, reflect, edge or wrap, got edges\n'],
    ['pad x.npy out.npy --pads 0,0 --axes 0 --opset 2', 'Pad-2: axes needs opset 18, got opset 2\n'],
    ['gather x.npy out.npy --indices 2', 'Gather-13: indices must be in [-2, 1], got 2 at 0\n'],
    ['squeeze x.npy out.npy --axes 0', 'Squeeze-25: axes must name axes of extent 1, got [0] of dims [2, 3]\n'],
    ['unsqueeze x.npy out.npy --axes 9 --opset 13', 'Unsqueeze-13: axes must be in [-3, 2], got [9]\n'],
    [['rearrange', 'x.npy', 'out.npy', '--pattern', 'h w'], "rearrange: pattern must have one '->', got 'h w'\n"],
    [
      ['rearrange', 'x.npy', 'out.npy', '--pattern', 'h w -> w h', '--lengths', 'd=2'],
      "rearrange: lengths must be of the pattern's names, got 'd'\n",
    ],
  ])('2: %j', (args, message) => expectRefusal(args, 2, message));
});

test('a terminal has a line about long work, gone at the end', async () => {
  write('long.npy', writeNpy(new Tensor('uint8', new Uint8Array(2 ** 26), [2 ** 26])));
  const seen = async (...args) => (await written(args, undefined, true)).stderr;
  const lines = (await seen('flatten', 'long.npy', 'out.npy')).split('\r\x1b[K');
  const bar = /^writing out\.npy \[=* *\] \d+ % [\d.]+ [kMG]B\/s, \d+ s left$/;
  expect(lines.filter((line) => !bar.test(line))).toEqual(['', 'reading long.npy', 'flatten', 'writing out.npy', '']);
  expect(await seen('flatten', 'x.npy', 'out.npy')).toBe('\r\x1b[K');
  expect(await seen('inspect', 'none.npy')).toBe('\r\x1b[Konnx-layout: none.npy: no such file or directory\n');
});

describe('the program', () => {
  const spawned = (args, input) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words(args)], { cwd: folder, input });
    return [status, stdout.toString(), stderr.toString()];
  };

  test('has the streams and the exit status of its process', () => {
    expect(spawned('inspect -', read('x.npy'))).toEqual([0, 'float32 [2, 3], 24 bytes: 1 2 3 4 5 Infinity\n', '']);
    expect(spawned('inspect none.npy')).toEqual([1, '', 'onnx-layout: none.npy: no such file or directory\n']);
    expect(spawned('--version')).toEqual([0, `${manifest.version}\n`, '']);
  });

  test('works in a pipe, also in one whose reader has seen enough', () => {
    write('large.npy', writeNpy(new Tensor('uint8', new Uint8Array(3e6), [3, 1_000_000])));
    const turn = `"${process.execPath}" "${program}" transpose large.npy -`;
    expect(
      run('sh', ['-c', `${turn} | "${process.execPath}" "${program}" inspect -`], { cwd: folder }).toString(),
    ).toBe('uint8 [1000000, 3], 3000000 bytes: 0 0 0 0 0 0 …\n');
    expect(spawnSync('sh', ['-c', `${turn} | head -c 1`], { cwd: folder }).stderr.toString()).toBe('');
  });
});
