import { readFileSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import { defineConfig } from 'vite';

const path = (file) => fileURLToPath(new URL(file, import.meta.url));
const { exports } = JSON.parse(readFileSync(path('../package.json'), 'utf8'));

/** Nothing but what the page itself brings. Pictures are data: or blob: where a user opens them; the camera needs no address. */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Puts the policy into the page, so that it holds on any host. */
const contentSecurityPolicy = {
  name: 'content-security-policy',
  transformIndexHtml: {
    order: 'post',
    handler: () => [
      { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policy }, injectTo: 'head-prepend' },
    ],
  },
};

/** Writes the service worker, with the list of what the page consists of: onnxruntime, which few ask for, is kept once it was loaded; our own wasm is inside of the worker. */
const serviceWorker = {
  name: 'service-worker',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const files = Object.keys(bundle)
        .filter((name) => !/onnxruntime|\.wasm$/.test(name))
        .sort();
      const version = createHash('sha256');
      for (const name of files) version.update(name).update(bundle[name].code ?? bundle[name].source);
      const constants = `const version = '${version.digest('hex').slice(0, 16)}';\nconst files = ${JSON.stringify(files)};\n`;
      this.emitFile({
        type: 'asset',
        fileName: 'service-worker.js',
        source: constants + readFileSync(path('service-worker.js'), 'utf8'),
      });
    },
  },
};

/** The page has to be fetched as it would be from any static host: packed. */
const packed = {
  name: 'packed',
  configurePreviewServer: ({ middlewares }) => {
    middlewares.use(compression());
  },
};

export default defineConfig({
  root: path('.'),
  base: './',
  define: {
    __ONNXRUNTIME_BYTES__: statSync(path('node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm')).size,
  },
  // The package by its own name, as its users have it.
  resolve: {
    alias: Object.entries(exports)
      .filter(([, { default: file }]) => file)
      .map(([name, { default: file }]) => ({
        find: new RegExp(`^onnx-layout${name.slice(1)}$`),
        replacement: path(`../${file}`),
      })),
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
  },
  worker: { format: 'es' },
  plugins: [contentSecurityPolicy, serviceWorker, packed],
  preview: {
    strictPort: true,
    headers: {
      'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
      // Together these make the page cross-origin isolated, where browsers have finer clocks.
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
  },
});
