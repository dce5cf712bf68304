/** Opens files of weights by their paths. A shard is one of several safetensors files that hold a model's weights. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import * as args from '../arguments/index.js';
import { openModel, openNpy, openNpz, openSafetensors } from '../io/index.js';
import { namedSource, openRegular } from './path-source.js';
import { ofSystem, readPath } from './paths.js';

/** @import { TypeName } from '../tensor/index.js' */
/** @import { Entry } from '../io/index.js' */
/** @import { OpenWeightsOptions, PathSource, Weights } from './types.js' */

const indexName = 'model.safetensors.index.json';

const table = {
  dtype: args.later,
  folder: args.row(args.later, '.'),
  links: args.word(['follow', 'inside'], 'follow'),
};

/**
 * Opens a .npy, .npz, safetensors or ONNX file of any size, whose first bytes tell which it is; an index of shards; or
 * a folder: by its index of shards, or else all of its safetensors files as one. Headers alone are read.
 *
 * Shards and external data are files in the folder that the path names; their names do not lead out of it. A link found
 * there is followed wherever it leads, as Hugging Face's cache has them. `links: 'inside'` refuses links out, which an
 * unpacked archive of a stranger may hold.
 * @param {string | Uint8Array} file a path, or the bytes of a file
 * @param {OpenWeightsOptions} [options]
 * @returns {Promise<Weights>}
 * @example
 * await writeFiles({ 'two.npy': saveNpy({ type: 'uint8', data: Uint8Array.of(1, 2), dims: [2] }) });
 * const { format, entries, close } = await openWeights('two.npy');
 * [format, entries.get('').dims]; // ['npy', [2]]
 * await close();
 */
export async function openWeights(file, options) {
  return args.namedAsync('openWeights', async () => {
    const { dtype, folder, links } = args.readTable(options, table);
    const isBytes = args.typedArrayName(file) === 'Uint8Array';
    if (typeof file !== 'string' && !isBytes)
      args.typeError(`file must be a path or a Uint8Array, got ${args.showClass(file)}`);
    const { openPath, openInside, close, byteLength } = openFiles(links === 'inside');
    try {
      if (typeof file !== 'string') {
        return { ...(await openSource(file, folder, dtype, openInside)), byteLength: file.byteLength, close };
      }
      const isFolder = (await ofSystem(stat(readPath('file', file)))).isDirectory();
      const opened = isFolder
        ? await openFolder(file, openInside)
        : await openSource(await openPath(file), dirname(file), dtype, openInside);
      return { ...opened, byteLength: byteLength(), close };
    } catch (error) {
      await close();
      throw error;
    }
  });
}

/** @typedef {(folder: string, name: string, argument: string) => Promise<PathSource>} OpenInside */
/** @typedef {Omit<Weights, 'byteLength' | 'close'>} Opened */

/** @param {boolean} isInside whether `openInside` refuses links that lead out of the folder. Names such as `../x` do
 *   not come here: the readers of indexes and of models have refused them, by `checkLocation` of js/io */
function openFiles(isInside) {
  /** @type {PathSource[]} */
  const files = [];
  let isClosed = false;
  const close = async () => {
    isClosed = true;
    await Promise.all(files.splice(0).map((file) => file.close()));
  };
  const openPath = async (/** @type {string} */ path) => {
    const source = namedSource('openWeights', await openRegular(path));
    files.push(source);
    // External data are opened when they are read. If the caller's `close` ran before or meanwhile, it did not see this
    // file, which is then closed here.
    if (isClosed) {
      await close();
      args.rangeError(`${args.show(path)} must be opened before close(), got closed weights`);
    }
    return source;
  };
  /** Puts `openWeights` in front of errors by itself, because external data are opened by later reads, outside of the
   * call of `openWeights`. `argument`: how errors call the file.
   * @type {OpenInside} */
  const openInside = (folder, name, argument) =>
    args.namedAsync('openWeights', async () =>
      openPath(isInside ? await pathInside(folder, name, argument) : join(folder, name)),
    );
  const byteLength = () => files.reduce((sum, file) => sum + file.byteLength, 0);
  return { openPath, openInside, close, byteLength };
}

/** Opens a file of weights, whose first bytes tell the format. `folder` has its shards and external data, which are
 * opened by `openInside`; `dtype`: the type of elements for which a .npy or .npz file has no name.
 * @type {(source: Uint8Array | PathSource, folder: string, dtype: TypeName | undefined, openInside: OpenInside) =>
 *   Promise<Opened>} */
async function openSource(source, folder, dtype, openInside) {
  const { byteLength } = source;
  // Bytes whose memory is gone have a length of 0, and refuse to be sliced.
  const beginning = byteLength === 0 ? new Uint8Array(0) : await source.slice(0, Math.min(args.kindBytes, byteLength));
  const format = formatOf(beginning, byteLength);
  if (format === 'npy') return { format, entries: new Map([['', await openNpy(source, { dtype })]]) };
  if (format === 'npz') return { format, entries: await openNpz(source, { dtype }) };
  if (format === 'onnx') {
    const model = await openModel(source, { external: (location) => openInside(folder, location, 'external data') });
    const metadata = model.metadataProps.size > 0 ? model.metadataProps : undefined;
    return { format, entries: new Map([...model.constants, ...model.initializers]), metadata, model };
  }
  const entries = await openSafetensors(source, { shard: (name) => openInside(folder, name, 'shard') });
  return { format: 'safetensors', entries, metadata: entries.metadata };
}

/** Refuses files of another known kind; any unknown one counts as an ONNX model, which has no mark of its own.
 * @type {(beginning: Uint8Array, byteLength: number) => Weights['format']} */
function formatOf(beginning, byteLength) {
  const kind = args.kindOf(beginning);
  if (kind === 'a .npy file') return 'npy';
  if (kind === 'a .npz archive') return 'npz';
  // JSON is an index of shards. No ONNX model begins with a brace: that is protobuf's field 15, which models lack.
  if (kind === 'a safetensors file' || /^\s*\{/.test(args.latin1(beginning))) return 'safetensors';
  args.checkFileKind('file', 'a .npy file, a .npz archive, a safetensors file or an ONNX model', beginning, byteLength);
  return 'onnx';
}

/** Finds the path of a file behind all links, and refuses one outside of the folder. The path of a root folder ends
 * with the separator already.
 * @type {(folderPath: string, name: string, argument: string) => Promise<string>} */
async function pathInside(folderPath, name, argument) {
  const folder = await ofSystem(realpath(folderPath));
  const file = await ofSystem(realpath(join(folder, name)));
  const prefix = folder === sep ? sep : folder + sep;
  if (!file.startsWith(prefix))
    args.rangeError(`${argument} must be inside the folder, got ${args.show(name)}, a link out of it`);
  return file;
}

/** Opens one shard of a folder. Its name comes behind `openSafetensors:` in the messages of that function; errors that
 * the source throws stay as they are.
 * @type {(name: string, source: PathSource) => ReturnType<typeof openSafetensors>} */
async function openShard(name, source) {
  try {
    return await openSafetensors(source);
  } catch (cause) {
    const error = /** @type {Error} */ (cause);
    // A function makes the new text, because `$&` in a name would have a meaning in a string.
    error.message = error.message.replace(/^openSafetensors:/, (start) => `${start} shard ${args.show(name)}:`);
    throw error;
  }
}

/** Opens a folder: by its index of shards if there is one, or else all of its safetensors files, whose entries and
 * metadata are joined. The names of tensors must differ; of metadata with one name the last shard's counts.
 * @type {(folder: string, openInside: OpenInside) => Promise<Opened>} */
async function openFolder(folder, openInside) {
  const names = (await ofSystem(readdir(folder))).sort();
  if (names.includes(indexName)) {
    const index = await openInside(folder, indexName, 'index');
    return openSource(index, folder, undefined, openInside);
  }
  const shards = names.filter((name) => name.endsWith('.safetensors'));
  if (shards.length === 0) args.rangeError(`${args.show(folder)} must have safetensors files, got none`);
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  /** @type {Map<string, string>} */
  const metadata = new Map();
  for (const shard of shards) {
    const opened = await openShard(shard, await openInside(folder, shard, 'shard'));
    for (const [name, entry] of opened) {
      if (entries.has(name))
        args.rangeError(`shards must have tensors of different names, got ${args.show(name)} twice`);
      entries.set(name, entry);
    }
    for (const [key, value] of opened.metadata) metadata.set(key, value);
  }
  return { format: 'safetensors', entries, metadata };
}
