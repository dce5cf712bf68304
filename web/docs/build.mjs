/**
 * `npm run docs:site [-- --serve]`: writes the API's pages, builds the site into web/docs/dist, and puts the playground
 * into it. Runs behind the root's build.mjs.
 */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { install, run } from '../../install.mjs';

const folder = import.meta.dirname;
const site = join(folder, 'dist');

install('docs', 'web');
rmSync(join(folder, 'pages/api'), { recursive: true, force: true });
const typedoc = join(folder, 'node_modules/typedoc/bin/typedoc');
run(process.execPath, typedoc, '--options', join(folder, 'api/typedoc.json'), '--logLevel', 'Warn');
const { build, serve } = await import('vitepress');
await build(folder);
run(process.execPath, join(folder, '../run.mjs'), '--build-only');
cpSync(join(folder, '../dist'), join(site, 'playground'), { recursive: true });
console.log(`The site: ${site}`);
if (process.argv.includes('--serve')) {
  await serve({ root: folder, port: 4174 });
  console.log('http://localhost:4174 (Ctrl+C ends)');
}
