/**
 * Converts each model of a folder: NAME.onnx becomes NAME.DTYPE.onnx beside it.
 *
 * node convert_folder.mjs FOLDER DTYPE
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertModel } from 'onnx-layout/convert';

const [folder, dtype] = process.argv.slice(2);
for (const file of readdirSync(folder)) {
  const name = join(folder, file.replace(/\.onnx$/, ''));
  writeFileSync(`${name}.${dtype}.onnx`, convertModel(readFileSync(`${name}.onnx`), { dtype }).model);
}
