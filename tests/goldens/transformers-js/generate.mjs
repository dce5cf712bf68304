/**
 * Writes what transformers.js makes of tests/demo/photo.jpg by tests/demo/configurations.json:
 * `node tests/goldens/transformers-js/generate.mjs`, where tests/engines or tests/bench has it installed.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import sharp from 'sharp';
import { transformersJs } from '../../demo/transformers-js.mjs';

const demo = new URL('../../demo/', import.meta.url);
const configurations = JSON.parse(readFileSync(new URL('configurations.json', demo), 'utf8'));
const { RawImage, env, ...classes } = await transformersJs();
const { data, info } = await sharp(readFileSync(new URL('photo.jpg', demo)), { autoOrient: true, ignoreIcc: true })
  .removeAlpha()
  .raw()
  .toBuffer({ resolveWithObject: true });
const picture = new RawImage(data, info.width, info.height, info.channels);

/** The bytes of [1, 3, height, width] before normalization: a quarter of the file. */
function pixelsOf({ dims: [, , height, width], data: values }, { image_mean: mean, image_std: std }) {
  const png = new PNG({ width, height });
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < 3; c++)
      png.data[4 * i + c] = Math.round(255 * (values[c * width * height + i] * std[c] + mean[c]));
    png.data[4 * i + 3] = 255;
  }
  return PNG.sync.write(png, { colorType: 2, deflateLevel: 9 });
}

const written = { version: env.version };
for (const [name, configuration] of Object.entries(configurations)) {
  const outputs = await new classes[configuration.image_processor_type](configuration)(picture);
  const { pixel_values: values } = outputs;
  // DETR's size differs from Python's, so that its numbers are compared with none.
  if (name === 'ViT') writeFileSync(new URL(`${name}.png`, import.meta.url), pixelsOf(values, configuration));
  written[name] = Object.fromEntries(
    Object.entries(outputs).flatMap(([output, { dims, type, data: numbers }]) => {
      if (!dims) return [];
      const sha256 = createHash('sha256').update(new Uint8Array(numbers.buffer)).digest('hex');
      return [[output, { type, dims, sha256 }]];
    }),
  );
}
writeFileSync(new URL('photo.json', import.meta.url), `${JSON.stringify(written, null, 2)}\n`);
