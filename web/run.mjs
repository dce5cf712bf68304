/**
 * Builds the page into web/dist and serves it. This file imports nothing but Node's own modules until `npm ci` has run.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { install } from '../install.mjs';

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

install('web');
process.chdir(import.meta.dirname);
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
