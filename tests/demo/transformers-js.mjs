/** transformers.js: the package where it is installed, and what it made of photo.jpg where it is not. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { PNG } from 'pngjs';
import { imageToTensor } from 'onnx-layout/image';

const goldens = new URL('../goldens/transformers-js/', import.meta.url);

/** The package from the folder of the benchmarks or of the engines; undefined where neither has it. */
export async function transformersJs() {
  for (const folder of ['bench', 'engines']) {
    try {
      const { resolve } = createRequire(new URL(`../${folder}/package.json`, import.meta.url));
      return await import(pathToFileURL(resolve('@huggingface/transformers')).href);
    } catch {
      // It is not installed there.
    }
  }
  return undefined;
}

/**
 * Reads tests/goldens/transformers-js for photo.jpg: the dims of all outputs, and where these are Python's the
 * tensor, of pixels that are normalized as the configuration says.
 * @returns {{ version: string, outputs: Record<string, { dims: readonly number[] }> }}
 */
export function recorded(name, { image_mean: mean, image_std: std }) {
  const { version, [name]: outputs } = JSON.parse(readFileSync(new URL('photo.json', goldens), 'utf8'));
  const pixels = new URL(`${name}.png`, goldens);
  if (!existsSync(pixels)) return { version, outputs };
  const { data, width, height } = PNG.sync.read(readFileSync(pixels));
  const pixel_values = imageToTensor({ data, width, height, channels: 4 }, { scale: 1 / 255, mean, std });
  return { version, outputs: { ...outputs, pixel_values } };
}
