// Packs a folder of pictures of one size into one .npy file, uint8 [images, 3,
// height, width], with the pixels that Pillow decodes:
// node images-to-npy.mjs FOLDER OUT. `npm install sharp` first.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { imageToTensorAsync } from 'onnx-layout/image';
import { writeNpy } from 'onnx-layout/io';
import { readImage } from 'onnx-layout/node';

const [folder, out] = process.argv.slice(2);
const images = readdirSync(folder)
  .sort()
  .map((name) => join(folder, name));
const options = { decode: readImage, dtype: 'uint8' };
writeFileSync(out, writeNpy(await imageToTensorAsync(images, options)));
