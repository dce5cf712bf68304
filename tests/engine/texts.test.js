/** The texts of the package's modules. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { wasmBytes } from '../../js/engines/loading/index.js';
import { wasm as audio } from '../../dist/audio-wasm.js';
import { wasm as image } from '../../dist/image-wasm.js';
import { wasm as layout } from '../../dist/wasm.js';

const { resolve } = createRequire(import.meta.url);

test.each([
  ['layout.wasm', layout],
  ['image.wasm', image],
  ['audio.wasm', audio],
])('%s is equal to its text', (file, text) => {
  expect(Buffer.compare(wasmBytes(text), readFileSync(resolve(`onnx-layout/${file}`)))).toBe(0);
});

test('texts hold nothing that a charset, a bundler or a quote changes', () => {
  for (const text of [layout, image, audio]) expect(text).toMatch(/^[0-9a-f]{64}[(-[\]-_a-~]+$/);
});
