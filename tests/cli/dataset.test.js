/** The commands `dataset build`, `dataset merge` and `dataset check`; ends by signals at any moment. */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { openDataset } from 'onnx-layout/node';
import { meter } from '../../js/cli/terminal.js';
import { cli, done, expectRefusal, inFolder, output, program, words } from './streams.js';

inFolder();
const names = Array.from({ length: 24 }, (_, i) => `${String(i).padStart(2, '0')}.png`);
const config = '--config vit.json';

beforeAll(async () => {
  mkdirSync('photos');
  writeFileSync('vit.json', JSON.stringify({ image_processor_type: 'ViTImageProcessor' }));
  for (const [i, name] of names.entries()) {
    const raw = { width: 300, height: 200, channels: 3 };
    const data = Buffer.from(Array.from({ length: 3 * raw.width * raw.height }, (_, k) => (k * (i + 3)) % 251));
    await sharp(data, { raw }).toFile(join('photos', name));
  }
});

/** The files of a data set; `isAll`: and what lies beside it. */
const filesIn = (target, isAll = false) =>
  Object.fromEntries(
    readdirSync(target, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && (isAll || !entry.parentPath.endsWith('.parts')))
      .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name)).toString('latin1')]),
  );

test('build, again, merge and check', async () => {
  const build = `dataset build photos all ${config} --shard-rows 10 --jobs 1`;
  expect(await cli(build)).toEqual(done('3 shards, 3 of them new, 24 rows, 14.5 MB\n'));
  const files = filesIn('all', true);
  expect(JSON.parse(await output(`${build} --json`))).toEqual({
    ...{ target: 'all', shards: 3, made: 0, rows: 24, bytes: 14451320, failed: 0 },
  });
  expect(await cli('dataset merge all')).toEqual(done('3 shards, 24 rows\n'));
  expect(filesIn('all', true)).toEqual(files);
  expect(await cli('dataset check all')).toEqual(done('3 shards, 24 rows, 14.5 MB\n'));
  writeFileSync('all/data-00001-of-00003.safetensors', 'x');
  expect(await cli('dataset check all')).toEqual({
    ...{ status: 1, stderr: '' },
    stdout: "data-00001-of-00003.safetensors: 'data-00001-of-00003.safetensors' must have 6021352 bytes, got 1\n",
  });
});

test('parts by the variables of Slurm, Kubernetes and AWS', async () => {
  const variables = [
    { SLURM_ARRAY_TASK_ID: '7', SLURM_ARRAY_TASK_MIN: '7' },
    { JOB_COMPLETION_INDEX: '1' },
    { AWS_BATCH_JOB_ARRAY_INDEX: '2' },
  ];
  for (const env of variables) {
    Object.assign(process.env, env);
    await output(`dataset build photos parts ${config} --shard-rows 10 --jobs 1 --shard auto/3`);
    for (const name of Object.keys(env)) delete process.env[name];
  }
  await output('dataset merge parts');
  await output(`dataset build photos clean ${config} --shard-rows 10 --jobs 1`);
  expect(filesIn('parts')).toEqual(filesIn('clean'));
});

test('lists and patterns', async () => {
  writeFileSync('list.txt', 'photos/03.png\r\nphotos/01.png\n');
  const keys = async (target) => (await openDataset(target)).keys;
  await output(`dataset build --from list.txt listed ${config} --jobs 1`);
  expect(await keys('listed')).toEqual(['photos/01.png', 'photos/03.png']);
  await cli(`dataset build photos/1?.png - both ${config} --jobs 1`, Buffer.from('photos/02.png\n'));
  expect(await keys('both')).toEqual(['photos/02.png', ...names.slice(10, 20).map((name) => `photos/${name}`)]);
});

test('inputs that fail are said, and end with 3', async () => {
  mkdirSync('some');
  copyFileSync('photos/00.png', 'some/a.png');
  writeFileSync('some/b.png', '');
  const kind = 'image must be a JPEG, PNG, GIF, WebP, AVIF or TIFF picture, got an empty file of 0 bytes';
  const build = `dataset build some left ${config} --jobs 1`;
  await expectRefusal(build, 1, `dataset build: 'b.png': ${kind}\n`);
  expect(await cli(`${build} --on-error skip`)).toEqual({
    ...{ status: 3, stdout: '1 shard, 1 of them new, 1 row, 602 kB\n' },
    stderr: `onnx-layout: left out b.png: ${kind}\n`,
  });
});

test.each([
  [2, `dataset build out ${config}`, 'dataset build takes SOURCE… TARGET or --from\n'],
  [2, 'dataset build photos out', 'dataset build needs --config\n'],
  [2, `dataset build - out ${config} --from -`, 'standard input can be read once\n'],
  [
    2,
    `dataset build photos out ${config} --shard 2/2`,
    '--shard must be I/N with I from 0 to N - 1, or auto/N, got 2/2',
  ],
  [2, `dataset build photos out ${config} --shard auto/2`, '--shard auto/N needs SLURM_ARRAY_TASK_ID, JOB_'],
  [2, `dataset build photos out ${config} --shard-rows 0`, '--shard-rows must be'],
  [2, `dataset build photos out ${config} --name a/b`, '--name must be 1 to 60 letters'],
  [2, 'dataset', "unknown command 'dataset'"],
  [2, 'dataset grow', "unknown command 'dataset'"],
  [2, 'dataset merge', 'dataset merge takes TARGET, got 0 files\n'],
  [1, 'dataset merge photos', "dataset merge: 'photos' must have shards of buildDataset, got none\n"],
  [1, 'dataset check none', 'none/index.json: no such file or directory\n'],
  [1, `dataset build none out ${config}`, 'none: no such file or directory\n'],
])('%i: %s', (status, args, message) => expectRefusal(args, status, message));

test('without a terminal a line comes every 30 s', () => {
  const written = [];
  const streams = { stderr: { write: (text) => written.push(text) } };
  let time = 0;
  const step = meter(streams, 'dataset build', {
    now: () => time,
    rateText: (rate) => `${rate} inputs`,
    isLogged: true,
  });
  for (let i = 0; i <= 7; i++, time += 10_000) step({ done: 100 * i, total: 1000 });
  expect(written).toEqual([
    'onnx-layout: dataset build 300 of 1000, 30 % 10 inputs/s, 70 s left\n',
    'onnx-layout: dataset build 600 of 1000, 60 % 10 inputs/s, 40 s left\n',
  ]);
});

/** Runs the program until it is done, while signals end it at random moments. */
async function buildWithSignals(target, signals, mostDelay) {
  const args = words(`dataset build photos ${target} ${config} --shard-rows 4 --jobs 1`);
  let ended = 0;
  for (const [i, signal] of [...signals, undefined].entries()) {
    const child = spawn(process.execPath, [program, ...args], { stdio: 'ignore' });
    const timer = signal && setTimeout(() => child.kill(signal), (i === 0 ? 0.5 : Math.random()) * mostDelay);
    const status = await new Promise((resolve) => {
      child.on('close', (code, by) => resolve(by ?? code));
    });
    clearTimeout(timer);
    if (status !== 0) ended++;
    else if (signal === undefined) return ended;
  }
  throw new Error('the last run must end well');
}

describe('killed again and again', () => {
  test.each([
    ['SIGKILL', Number(process.env.KILLS ?? 20)],
    ['SIGINT', 3],
  ])('by %s: the bytes of a run that nobody disturbs', async (signal, count) => {
    const start = performance.now();
    const { status } = spawnSync(process.execPath, [
      program,
      ...words(`dataset build photos calm-${signal} ${config} --shard-rows 4 --jobs 1`),
    ]);
    expect(status).toBe(0);
    const ended = await buildWithSignals(signal, Array(count).fill(signal), performance.now() - start);
    expect(ended).toBeGreaterThan(0);
    expect(filesIn(signal, true)).toEqual(filesIn(`calm-${signal}`, true));
    rmSync(signal, { recursive: true });
  });
});

test('a disk that is full: a message, and nothing half', () => {
  mkdirSync('small');
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', 'small']).status === 0;
  // Few machines of CI let a process mount.
  if (!isMounted) return;
  try {
    const build = words(`dataset build photos small/set ${config} --shard-rows 4 --jobs 1`);
    const { status, stderr } = spawnSync(process.execPath, [program, ...build], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/no space left on device/)]);
    const left = readdirSync('small/set', { recursive: true }).filter((name) => !name.endsWith('.json'));
    expect(left.sort()).toEqual(['.parts', 'data-00000-of-00006.safetensors']);
  } finally {
    spawnSync('umount', ['small']);
  }
});
