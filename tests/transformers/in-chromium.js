/** Two tasks in a page that Vite builds and minifies, and in a worker, in Chromium. */
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { launch, open } from '../engines/browsers.js';
import { serve } from '../engines/serve.js';
import { root } from '../support/packed.js';
import { isNear } from './answers.js';

/** Builds the page beside node_modules, so that it gets this version. @type {(folder: string) => void} */
function buildPage(folder) {
  for (const name of ['page', 'answers.js'])
    cpSync(join(import.meta.dirname, name), join(folder, name), { recursive: true });
  const vite = join(root, 'web/node_modules/vite/bin/vite.js');
  const options = ['--base=./', '--target=es2022', '--logLevel=error'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [vite, 'build', ...options], {
    cwd: join(folder, 'page'),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`vite build: ${stdout}${stderr}`);
}

/** Compares the answers of one thread with Python's.
 * @type {(thread: string, answers: any, results: any) => [name: string, isPassed: boolean, shown: unknown][]} */
function checksOf(thread, { classes, boxes, count, report }, { vit, detr }) {
  const places = ([label, , box]) => [label, box];
  const others = report.filter(({ by }) => by !== 'python');
  return [
    [`${thread} image-classification`, isNear(classes, vit.result, 2e-5), classes],
    [`${thread} object-detection count`, count === detr.count, count],
    [`${thread} object-detection`, isNear(boxes.map(places), detr.result.map(places), 2e-5), boxes],
    [`${thread} report`, report.length > 0 && others.length === 0, others],
  ];
}

/**
 * Runs the tasks with one version of transformers.js.
 * @param {string} work the folder that is served: of the models and the versions
 * @param {string} version the name of a folder of it, with node_modules
 * @param {any} results Python's
 * @returns {Promise<[passed: number, failed: number]>}
 */
export async function runInChromium(work, version, results) {
  const folder = join(work, version);
  buildPage(folder);
  cpSync(join(root, 'tests/demo/photo.jpg'), join(work, 'photo.jpg'));
  const server = await serve(work, { headers: {} });
  const browser = await launch.Chromium();
  try {
    const { page } = await open(browser, `${server.url}${version}/page/dist/`);
    const addresses = {
      // An address with a host has no processor: transformers.js finds no size of its files.
      models: '/models/',
      runtime: `${server.url}${version}/node_modules/onnxruntime-web/dist/`,
      picture: `${server.url}photo.jpg`,
    };
    const checks = [];
    for (const [thread, name] of [
      ['page', 'runTasks'],
      ['worker', 'runTasksInWorker'],
    ]) {
      await page.waitForFunction((task) => globalThis[task], name);
      const answers = await page.evaluate(([task, given]) => globalThis[task](given), [name, addresses]);
      checks.push(...checksOf(`Chromium, ${thread}:`, answers, results));
    }
    const failures = checks.filter(([, isPassed]) => !isPassed);
    for (const [name, , shown] of failures) console.log(`${name}: ${JSON.stringify(shown).slice(0, 300)}`);
    console.log(
      `transformers.js ${version} in Chromium: ${checks.length - failures.length} passed, ${failures.length} failed`,
    );
    return [checks.length - failures.length, failures.length];
  } finally {
    await browser.close();
    server.close();
  }
}
