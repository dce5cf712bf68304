// Transposes one initializer of an .onnx file and keeps the rest byte for byte:
// node transpose-initializer.mjs IN OUT NAME
import { readFileSync, writeFileSync } from 'node:fs';
import { transpose } from 'onnx-layout';
import { readModel, writeInitializers } from 'onnx-layout/io';

const [source, target, name] = process.argv.slice(2);
const model = readFileSync(source);
const weight = readModel(model).initializers.get(name);
const changed = new Map([[name, transpose(weight)]]);
writeFileSync(target, writeInitializers(model, changed));
