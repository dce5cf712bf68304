// Packs a folder of pictures of one size into one .npy file, uint8 [images, 3, height, width], with the pixels that
// Pillow decodes: node images-to-npy.mjs FOLDER OUT
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { imageToTensor, init } from 'onnx-layout';
import { writeNpy } from 'onnx-layout/io';

await init();
const [folder, out] = process.argv.slice(2);
const settings = { autoOrient: true, ignoreIcc: true }; // upright by EXIF; colors as the file stores them
const images = [];
for (const name of readdirSync(folder).sort()) {
  const { data, info } = await sharp(join(folder, name), settings).raw().toBuffer({ resolveWithObject: true });
  images.push({ data, ...info });
}
writeFileSync(out, writeNpy(imageToTensor(images, { dtype: 'uint8' })));
