/** How Vite builds the page into web/dist, and serves it. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import { defaultClientConditions, defineConfig } from 'vite';

const path = (file) => fileURLToPath(new URL(file, import.meta.url));
const { exports } = JSON.parse(readFileSync(path('../package.json'), 'utf8'));

/** Allows only the page's own files. Pictures that the user opens are data: or blob:; the camera needs no address. */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Writes the policy into the page, so that it holds on any host. */
const contentSecurityPolicy = {
  name: 'content-security-policy',
  transformIndexHtml: {
    order: 'post',
    handler: () => [
      { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policy }, injectTo: 'head-prepend' },
    ],
  },
};

/** The folders of packages in the page and in its workers, whose bundles are made before the page's. */
const packages = new Set();

const notePackages = {
  name: 'note-packages',
  generateBundle(_, bundle) {
    for (const { moduleIds = [] } of Object.values(bundle))
      for (const id of moduleIds) packages.add(/^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0]);
    packages.delete(undefined);
  },
};

/** Writes the licenses of packages, most of whose modules have no notice that the bundles keep. */
const licenses = {
  name: 'licenses',
  generateBundle() {
    const sections = [...packages, path('node_modules/@fontsource-variable/geist')].sort().flatMap((folder) => {
      const file = `${folder}/LICENSE`;
      // The bundle of onnxruntime-web begins with its notice.
      return existsSync(file) ? [`# ${folder.replace(/^.*node_modules\//, '')}\n\n${readFileSync(file, 'utf8')}`] : [];
    });
    this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: sections.join('\n') });
  },
};

/**
 * Writes the service worker with the list of all files to keep. onnxruntime, transformers.js and the licenses are not
 * among them, because few users ask for them; they are kept once they were loaded.
 */
const serviceWorker = {
  name: 'service-worker',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const files = Object.keys(bundle)
        .filter((name) => !/onnxruntime|ort-wasm|licenses|theirs/.test(name))
        .sort();
      const version = createHash('sha256');
      for (const name of files) version.update(name).update(bundle[name].code ?? bundle[name].source);
      const constants = [
        `const version = '${version.digest('hex').slice(0, 16)}';\n`,
        `const files = ${JSON.stringify(files)};\n`,
      ].join('');
      this.emitFile({
        type: 'asset',
        fileName: 'service-worker.js',
        source: constants + readFileSync(path('service-worker.js'), 'utf8'),
      });
    },
  },
};

/** Compresses what the preview server sends, as static hosts do. */
const compressed = {
  name: 'compressed',
  configurePreviewServer: ({ middlewares }) => {
    middlewares.use(compression({ level: 9 }));
  },
};

/** The imports of main.js for all panels are one file: each file of its own costs two thirds of a kilobyte. */
const sharedByPanels = {
  name: 'shared',
  test: /\/web\/((shared\/)?[a-z-]+|node_modules\/comlink\/.*)\.m?js$/,
};

export default defineConfig({
  root: path('.'),
  base: './',
  define: {
    __ONNXRUNTIME_BYTES__: statSync(path('node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm')).size,
    __TRANSFORMERS_BYTES__: statSync(path('node_modules/@huggingface/transformers/dist/transformers.web.min.js')).size,
  },
  // Import the package by its own name, as users do.
  resolve: {
    // Workers fetch the wasm as a file, which is less from the network than its text.
    conditions: ['onnx-layout-external-wasm', ...defaultClientConditions],
    alias: [
      ...Object.entries(exports)
        .filter(([, { default: file }]) => file)
        .map(([name, { default: file }]) => ({
          find: new RegExp(`^onnx-layout${name.slice(1)}$`),
          replacement: path(`../${file}`),
        })),
      // The page runs no model by transformers.js: its runtime for WebGPU has a wasm of 27 MB.
      { find: 'onnxruntime-web/webgpu', replacement: 'onnxruntime-web/wasm' },
      ...['layout', 'image', 'audio', 'postprocess'].map((name) => ({
        find: `onnx-layout/${name}.wasm?url`,
        replacement: `${path(`../dist/${name}.wasm`)}?url`,
      })),
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [sharedByPanels] } } },
    chunkSizeWarningLimit: 1000,
  },
  worker: { format: 'es', plugins: () => [notePackages] },
  plugins: [contentSecurityPolicy, notePackages, licenses, serviceWorker, compressed],
  preview: {
    strictPort: true,
    headers: {
      'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
      // These two make the page cross-origin isolated, which gives it a finer clock.
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
  },
});
