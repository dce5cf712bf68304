/** Writes the program that does what the panel does. No DOM. */
import { asStored, isFloat } from './cast.js';

const quote = (value) => `'${value.replaceAll(/[\\']/g, '\\$&')}'`;

const write = `async function write(saved, name) {
  const handle = await showSaveFilePicker({ suggestedName: name });
  const stream = await handle.createWritable();
  try {
    for await (const { at, bytes } of saved.writes())
      await stream.write({ type: 'write', position: at, data: bytes });
    await stream.close();
  } catch (error) {
    await stream.abort();
    throw error;
  }
}
`;

/** `door`: the entry point that the names are of */
const program = (names, door, parts) => `import { ${names.join(', ')} } from 'onnx-layout/${door}';

${parts.join('\n')}`;

/** The lines that open a file. `isSplit`: whether other files belong to it; a .npy file has no name for its tensor. */
const opening = {
  npy: (isSplit, name) => `const entries = new Map([[${quote(name)}, await openNpy(file)]]);`,
  safetensors: (isSplit) =>
    isSplit
      ? `const entries = await openSafetensors(file, {
  shard: (name) => files.get(name),
});`
      : 'const entries = await openSafetensors(file);',
  onnx: (isSplit) =>
    isSplit
      ? `const { bytes, initializers: entries } = await openModel(file, {
  external: (name) => files.get(name),
});`
      : 'const { bytes, initializers: entries } = await openModel(file);',
};
const about = (isSplit) => `// file: a File of any size${isSplit ? '; files: a Map of the others by name' : ''}`;
const joining = `// shards: Files of any size
const entries = new Map();
for (const shard of shards)
  for (const [name, entry] of await openSafetensors(shard)) entries.set(name, entry);`;
const openers = { npy: 'openNpy', safetensors: 'openSafetensors', onnx: 'openModel' };
const savers = { npy: 'saveNpy', safetensors: 'saveSafetensors', onnx: 'saveModel' };

const casting = (to) => `for (const [name, entry] of entries)
  if (${isFloat}.test(entry.type)) entries.set(name, entry.cast('${to}'));`;

/** The lines that write files, the model last. */
function saving({ format, to, tensor }, files) {
  const names = files.map(({ name }) => quote(name));
  const last = names.at(-1);
  if (format === 'npy') {
    const cast = to === asStored ? '' : `.cast('${to}')`;
    return [`await write(saveNpy(entries.get(${quote(tensor)})${cast}), ${last});`];
  }
  const cast = to === asStored ? [] : [casting(to)];
  if (format === 'safetensors') return [...cast, `await write(saveSafetensors(entries), ${last});`];
  const data = names.length > 1 ? names[0] : undefined;
  return [
    ...cast,
    data
      ? `const { model, externalFile } = await saveModel(bytes, entries, { externalName: ${data} });
await write(externalFile, ${data});`
      : 'const { model } = await saveModel(bytes, entries);',
    `await write(model, ${last});`,
  ];
}

/**
 * The program that does what is asked for.
 * @param {{ format: 'onnx' | 'npy' | 'safetensors', isSplit: boolean, isJoined?: boolean }} source `isSplit`: whether
 *   other files belong to it; `isJoined`: whether it is several files without an index
 * @param {import('./save.js').Wanted} wanted
 * @param {{ name: string }[]} files of the result, the model last
 * @returns {string} a module
 */
export function codeFor({ format, isSplit, isJoined }, wanted, files) {
  if (wanted.action === 'model') return converting(wanted, isSplit, files);
  if (wanted.action !== 'convert') return rewriting(wanted, isSplit, files);
  return program([openers[format], savers[wanted.format]], 'io', [
    ...(isJoined ? [joining] : [about(isSplit), opening[format](isSplit, wanted.tensor)]),
    ...saving(wanted, files),
    '',
    write,
  ]);
}

function converting({ dtype }, isSplit, files) {
  const [last, data] = files.map(({ name }) => quote(name)).reverse();
  return program(['convertModelAsync'], 'convert', [
    about(isSplit),
    `const { model, ${data ? 'externalFiles, ' : ''}report } = await convertModelAsync(file, {`,
    ...(isSplit ? ['  external: (name) => files.get(name),'] : []),
    `  dtype: ${quote(dtype)},`,
    ...(data ? [`  externalName: ${data},`, '  externalBytes: Number.MAX_SAFE_INTEGER,'] : []),
    '});',
    'console.table(report);',
    ...(data ? ['for (const [name, data] of externalFiles) await write(data, name);'] : []),
    `await write(model, ${last});`,
    '',
    write,
  ]);
}

function rewriting({ action, quantize }, isSplit, files) {
  const [last, data] = files.map(({ name }) => quote(name)).reverse();
  const call = `${action}WeightsAsync`;
  const options = Object.entries(action === 'quantize' ? quantize : {}).map(([key, value]) => {
    return `  ${key}: ${typeof value === 'string' ? quote(value) : value},`;
  });
  if (isSplit) options.unshift('  external: (name) => files.get(name),');
  if (data) options.push(`  externalName: ${data},`);
  return program([call], 'convert', [
    about(isSplit),
    `const { model, ${data ? 'externalFile, ' : ''}report } = await ${call}(file${options.length > 0 ? ', {' : ');'}`,
    ...(options.length > 0 ? [...options, '});'] : []),
    'console.table(report);',
    ...(data ? [`await write(externalFile, ${data});`] : []),
    `await write(model, ${last});`,
    '',
    write,
  ]);
}
