/**
 * Builds the page into web/dist and serves it. This file imports nothing but Node's own modules until `npm ci` has run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const usage = 'npm run web [-- --port 4173] [--build-only]: builds the page into web/dist and serves it';
let options;
try {
  options = parseArgs({
    options: {
      port: { type: 'string', default: '4173' },
      'build-only': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values;
} catch ({ message }) {
  console.error(`web: ${message}\n${usage}`);
  process.exit(1);
}
if (options.help) {
  console.log(usage);
  process.exit(0);
}

process.chdir(import.meta.dirname);
const marker = join('node_modules', '.package-lock.json');
if (!existsSync(marker) || statSync(marker).mtimeMs < statSync('package-lock.json').mtimeMs) {
  console.error('web: npm ci (190 MB, most of it onnxruntime-web)');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(1);
}

const { build, preview } = await import('vite');
const configFile = join(import.meta.dirname, 'vite.config.js');
await build({ configFile, logLevel: 'warn' });
if (!options['build-only']) {
  const server = await preview({ configFile, preview: { port: Number(options.port) } }).catch(({ message }) => {
    console.error(`web: ${message}; npm run web -- --port N takes another`);
    process.exit(1);
  });
  console.log(`The page: ${server.resolvedUrls.local[0]} (Ctrl+C ends)`);
}
