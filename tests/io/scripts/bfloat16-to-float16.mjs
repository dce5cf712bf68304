// Converts every bfloat16 tensor of a safetensors file to float16:
// node bfloat16-to-float16.mjs IN OUT
import { readFileSync, writeFileSync } from 'node:fs';
import { cast } from 'onnx-layout';
import { readSafetensors, writeSafetensors } from 'onnx-layout/io';

const [source, target] = process.argv.slice(2);
const tensors = readSafetensors(readFileSync(source));
for (const [name, tensor] of tensors)
  if (tensor.type === 'bfloat16') tensors.set(name, cast(tensor, 'float16'));
// The metadata goes with the tensors.
writeFileSync(target, writeSafetensors(tensors));
