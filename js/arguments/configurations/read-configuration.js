/** The files of a model that configurations are read from, out of a folder of any kind. */
import { namedAsync, rangeError, show, typeError } from '../errors.js';

const names = ['config.json', 'preprocessor_config.json', 'processor_config.json', 'video_preprocessor_config.json'];

/** Reads the texts of a folder's configurations by the names of their files, and refuses a folder without any. `there`:
 * the names of its files; `read`: gives the text of one.
 * @type {(there: readonly string[], read: (name: string) => Promise<string>) => Promise<Record<string, string>>} */
export async function readTexts(there, read) {
  const present = names.filter((name) => there.includes(name));
  if (present.length === 0) rangeError(`the folder must have one of ${names.join(', ')}, got none`);
  return Object.fromEntries(await Promise.all(present.map(async (name) => [name, await read(name)])));
}

/**
 * Reads the files of a model that say how its inputs are made: what {@link imageProcessor}, {@link videoProcessor} and
 * the other functions of configurations take as `config`. Files of other names are left alone.
 * @param {Record<string, { text(): Promise<string> }>} files a model's files by their names: Blobs, as a page gets
 *   them of a folder that its user chooses
 * @returns {Promise<Record<string, string>>} the texts of the configurations by the names of their files
 * @example
 * const file = new Blob(['{ "image_processor_type": "ViTImageProcessor" }']);
 * const config = await readConfiguration({ 'preprocessor_config.json': file, 'model.onnx': new Blob([bytes]) });
 * Object.keys(config); // ['preprocessor_config.json']
 * imageProcessor(config).className; // 'ViTImageProcessor'
 */
export async function readConfiguration(files) {
  return namedAsync('readConfiguration', async () => {
    if (typeof files !== 'object' || files === null) typeError(`files must be Blobs by name, got ${show(files)}`);
    return readTexts(Object.keys(files), async (name) => {
      const file = files[name];
      return typeof file?.text === 'function' ? file.text() : typeError(`${name} must be a Blob, got ${show(file)}`);
    });
  });
}
