// A folder of PNG images of one size to one .npy file, uint8 [images, 3, height, width]: node images-to-npy.mjs FOLDER OUT
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { init, splitToSequence, transpose } from 'onnx-layout';
import { writeNpy } from 'onnx-layout/io';

await init();
const [folder, out] = process.argv.slice(2);
const names = readdirSync(folder).filter((name) => name.endsWith('.png')).sort();
const images = names.map((name) => PNG.sync.read(readFileSync(join(folder, name))));
const [{ width, height }] = images;
const rgba = { type: 'uint8', data: new Uint8Array(Buffer.concat(images.map(({ data }) => data))), dims: [images.length, height, width, 4] };
const [rgb] = splitToSequence(transpose(rgba, { perm: [0, 3, 1, 2] }), [3, 1], { axis: 1 });
writeFileSync(out, writeNpy(rgb));
