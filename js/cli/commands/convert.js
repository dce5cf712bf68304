/** The command `convert`: the same tensors in a file of another format. */
import { allFiles, choose, withFiles, writeFiles } from '../files.js';

/** @import { Command } from '../types.js' */

/** @type {Command} */
export const convert = {
  form: 'IN OUT',
  summary: 'write the same tensors in another format: .npy of one, .npz or .safetensors of all',
  examples: [
    'convert model.safetensors weight.npy --tensor weight',
    'convert folder-of-shards model.safetensors',
    'convert in.npy - --as safetensors > out.safetensors',
  ],
  options: {},
  shared: ['tensor', 'dtype', 'as', 'force'],
  work(streams, call) {
    const [path] = call.inputs;
    const { dtype, tensor: name } = call.values;
    return withFiles(streams, [path], dtype, async ([source]) => {
      const isOne = name !== undefined || call.extension === '.npy';
      if (!isOne) {
        const written = await allFiles(streams, call, source, source.entries);
        return { report: { files: await writeFiles(streams, written) } };
      }
      // One tensor is no model, so OUT cannot be .onnx.
      const alone = { ...source, format: /** @type {const} */ ('npy') };
      // A .npy file names no tensor, so '' does where the only tensor was not named.
      const tensors = new Map([[name ?? '', choose(path, source.entries, name)]]);
      const written = await allFiles(streams, call, alone, tensors);
      return { report: { files: await writeFiles(streams, written) } };
    });
  },
};
