// Packs a folder of PNG images of one size into one .npy file, uint8 [images, 3, height, width]:
// node images-to-npy.mjs FOLDER OUT
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { imageToTensor, init } from 'onnx-layout';
import { writeNpy } from 'onnx-layout/io';

await init();
const [folder, out] = process.argv.slice(2);
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.png'))
  .sort();
const images = names.map((name) => PNG.sync.read(readFileSync(join(folder, name))));
writeFileSync(out, writeNpy(imageToTensor(images, { type: 'uint8' })));
