/** The audio door in an AudioWorklet's scope, which has neither atob, fetch, performance nor TextDecoder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { buildSync } from 'esbuild';
import { expect, test } from '@jest/globals';
import { featureExtractor, init } from 'onnx-layout/audio';
import { expectBytes } from '../support/assertions.js';
import { root } from '../support/packed.js';

test('runs with the language and WebAssembly alone, from a compiled module', async () => {
  const { outputFiles } = buildSync({
    entryPoints: [join(root, 'js/audio/index.js')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'audio',
  });
  const context = createContext({});
  for (const name of ['atob', 'fetch', 'performance', 'TextDecoder', 'setTimeout', 'console'])
    expect([name, runInContext(`typeof ${name}`, context)]).toEqual([
      name,
      name === 'console' ? 'object' : 'undefined',
    ]);
  runInContext(outputFiles[0].text, context);
  context.bytes = readFileSync(join(root, 'dist/audio.wasm'));
  const program = `(async () => {
    await audio.init({ wasm: new WebAssembly.Module(new Uint8Array(bytes)) });
    const config = { feature_extractor_type: 'WhisperFeatureExtractor', chunk_length: 1 };
    const stream = audio.featureExtractor(config).stream();
    for (let i = 0; i < 16000; i += 128) stream.push(new Float32Array(128).map((_, j) => Math.sin((i + j) / 7)));
    return stream.end().input_features.data;
  })()`;
  const data = await runInContext(program, context);
  await init();
  const samples = Float32Array.from({ length: 16000 }, (_, i) => Math.sin(i / 7));
  const whole = featureExtractor({ feature_extractor_type: 'WhisperFeatureExtractor', chunk_length: 1 })(samples);
  expectBytes(data, whole.input_features.data);
});
