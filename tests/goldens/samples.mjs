/**
 * `node tests/goldens/samples.mjs` writes samples.json: of each result whose hash a golden has, a few values and the
 * checks of its parts. It runs the suites that compare hashes, and takes a result only where the hash is the golden's,
 * so that the samples are Python's. Their failures then say what differs.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const suites = [
  'tests/audio/goldens',
  'tests/image/(blob|letterbox|recipes|warp)',
  'tests/image/resizing/(resize-goldens|opencv-resize)',
  'tests/postprocess/goldens',
  'tests/processors/(goldens|more-goldens|transformers|videos/video-goldens)',
];
const lines = join(root, 'build/golden-samples.txt');

mkdirSync(join(root, 'build'), { recursive: true });
rmSync(lines, { force: true });
const { status } = spawnSync('npm', ['run', 'jest', '--', ...suites], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, WHOLE: '1', GOLDEN_SAMPLES: lines },
});
const samples = readFileSync(lines, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split(' '));
const sorted = Object.fromEntries(samples.sort(([a], [b]) => (a < b ? -1 : 1)));
const text = JSON.stringify(sorted).replaceAll(',"', ',\n"');
writeFileSync(join(root, 'tests/goldens/samples.json'), `${text}\n`);
console.log(`${Object.keys(sorted).length} results`);
process.exitCode = status ?? 1;
