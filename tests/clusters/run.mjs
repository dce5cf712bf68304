/** Runs the files of the guide "Beyond one machine" on local clusters: `npm run test:clusters`. */
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fail } from '../../install.mjs';

const root = join(import.meta.dirname, '../..');
const [work, venv] = [join(root, 'build/clusters/work'), join(root, 'build/clusters/venv')];
const python = join(venv, 'bin/python');
const count = 160;

/** @type {(command: string, args: string[], options?: object) => void} */
function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (status !== 0) fail(`${command} ${args.join(' ')}: ${error?.message ?? `exit status ${status}`}`);
}

/** The files that the guide shows, by the names in their first comments. */
function guideFiles() {
  const guide = readFileSync(join(root, 'web/docs/pages/guides/clusters.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```\w+\n([^]*?)^```$/gm)].map(([, text]) => text);
  return Object.fromEntries(
    blocks.flatMap((text) => {
      const [, name] = /^(?:#!.*\n)?# (\w[\w.]*)(?::|$)/m.exec(text) ?? [];
      return name?.includes('.') ? [[name, text]] : [];
    }),
  );
}

function prepare() {
  if (!existsSync(python)) run('python3', ['-m', 'venv', venv]);
  run(python, ['-m', 'pip', 'install', '--quiet', '-r', join(import.meta.dirname, 'requirements.txt')]);
  rmSync(work, { recursive: true, force: true });
  for (const folder of ['photos', 'bin']) mkdirSync(join(work, folder), { recursive: true });
  for (let i = 0; i < count; i++)
    linkSync(join(root, 'tests/demo/photo.jpg'), join(work, 'photos', `${String(i).padStart(4, '0')}.jpg`));
  symlinkSync(join(root, 'dist/cli.js'), join(work, 'bin/onnx-layout'));
  writeFileSync(join(work, 'preprocessor_config.json'), JSON.stringify({ image_processor_type: 'CLIPImageProcessor' }));
  for (const [name, text] of Object.entries(guideFiles())) writeFileSync(join(work, name), text);
}

const env = {
  ...process.env,
  PATH: [join(work, 'bin'), join(venv, 'bin'), process.env.PATH].join(delimiter),
  RAY_USAGE_STATS_ENABLED: '0',
};

/** Processes that make a part, and the workers that started them. */
function builders(target) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        if (!words.includes('--shard') || !words.includes(target) || !words[0].endsWith('node')) return [];
        const [, parent] = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
        return [{ pid: Number(pid), worker: Number(parent) }];
      } catch {
        // It has ended.
        return [];
      }
    });
}

/** Kills a worker and the program that it runs, as where a machine is lost, once a third of the shards are there.
 * @type {(target: string) => Promise<void>} */
async function killWorker(target) {
  const isHalf = () => existsSync(join(work, target)) && readdirSync(join(work, target)).length > count / 10 / 3;
  while (!isHalf() || builders(target).length === 0) await delay(20);
  const [{ pid, worker }] = builders(target);
  for (const each of [worker, pid]) process.kill(each, 'SIGKILL');
  console.log(`killed worker ${worker} of ${target} at ${readdirSync(join(work, target)).length - 1} shards`);
}

/** The files of a data set, without what lies beside them. */
const filesIn = (target) =>
  readdirSync(join(work, target))
    .filter((name) => name !== '.parts')
    .sort();

/** @type {(target: string) => void} */
function compare(target) {
  const names = filesIn('alone');
  if (String(names) !== String(filesIn(target))) fail(`${target} has other files: ${filesIn(target).join(', ')}`);
  for (const name of names)
    if (!readFileSync(join(work, 'alone', name)).equals(readFileSync(join(work, target, name))))
      fail(`${target}/${name} has other bytes`);
  console.log(`${target}: ${names.length} files, the bytes of one process`);
}

/** @type {(target: string, command: string, args: string[]) => Promise<void>} */
async function runCluster(target, command, args) {
  const start = performance.now();
  const child = spawn(command, args, { cwd: work, env, stdio: 'inherit' });
  const ended = new Promise((resolve) => {
    child.on('close', resolve);
  });
  const status = await Promise.race([ended, killWorker(target).then(() => ended)]);
  if (status !== 0) fail(`${command} ${args.join(' ')}: exit status ${status}`);
  console.log(`${target}: ${Math.round((performance.now() - start) / 100) / 10} s`);
  compare(target);
}

prepare();
const config = 'preprocessor_config.json';
run('onnx-layout', ['dataset', 'build', 'photos', 'alone', '--config', config, '--shard-rows', '10'], {
  cwd: work,
  env,
});
await runCluster('dask', python, ['build_dask.py', 'photos', 'dask', config]);
await runCluster('ray', python, ['build_ray.py', 'photos', 'ray', config]);
if (spawnSync('parallel', ['--version']).status === 0) {
  run('bash', ['build.sh'], { cwd: work, env });
  compare('shards');
} else console.log('NOT RUN: GNU parallel is not installed');
for (const file of ['build.sbatch', 'merge.sbatch', 'build.sh']) run('bash', ['-n', file], { cwd: work });
run(python, ['-c', 'import yaml; yaml.safe_load(open("build.yaml"))'], { cwd: work });
// A watcher of a cluster that ended sooner would keep the process.
process.exit(0);
