/** The command `convert`: the same tensors in a file of another format. */
import { allFiles, choose, outputFiles, withFiles, writeFiles } from './files.js';
import { checkOut, flag, UsageError } from './options.js';
import { clearProgress } from './terminal.js';

/** @import { SpecialCommand } from './types.js' */

/** @type {SpecialCommand} */
export const convert = {
  help: ['IN OUT [--tensor NAME]', 'the same in another format: .npy of one tensor, .safetensors of all'],
  options: { force: flag },
  read({ json, dtype, tensor: name, force }, files) {
    if (files.length !== 2) throw new UsageError(`convert takes two files, IN and OUT, got ${files.length}`);
    const [path, out] = files;
    checkOut(out, [path], force);
    if (json && out === '-') throw new UsageError('--json and the tensor cannot both go to standard output');
    return (streams) =>
      withFiles(streams, [path], dtype, async ([source]) => {
        const isOne = name !== undefined || out === '-' || out.endsWith('.npy');
        const entries = isOne ? new Map([[name ?? '', choose(source.entries, name)]]) : source.entries;
        const [[first, entry]] = entries.size > 0 ? entries : new Map([['', undefined]]);
        const alone = { ...source, format: /** @type {const} */ ('npy'), entries };
        const written =
          isOne && entry
            ? await outputFiles(streams, out, alone, first, entry)
            : await allFiles(streams, out, source, new Map(entries));
        await writeFiles(streams, written);
        clearProgress(streams);
        return { printed: json ? `${JSON.stringify({ files: written.map(([file]) => file) })}\n` : '' };
      });
  },
};
