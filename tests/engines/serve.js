/** A static server with the strictest policy that a page using the package can have. */
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

const strict = {
  'Content-Security-Policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob:",
};
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * Serves a folder on a port that is free.
 * @param {string} folder
 * @param {object} [options]
 * @param {boolean} [options.isolated] whether pages are cross-origin isolated
 * @param {Record<string, string>} [options.headers] replace the policy, which allows scripts and workers of the same
 *   origin, wasm, images of the same origin or made by the page, and nothing else
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function serve(folder, { isolated = false, headers = strict } = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const file = join(folder, normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
    // Browsers request it unasked, and report that it is missing.
    if (pathname === '/favicon.ico') return response.writeHead(204).end();
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end();
    response.writeHead(200, {
      'Content-Type': types[extname(file)] ?? 'application/octet-stream',
      ...headers,
      ...(isolated && isolation),
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
