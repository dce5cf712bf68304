/** The configurations in a folder of a model. */
import { Buffer } from 'node:buffer';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { namedAsync } from '../arguments/index.js';
import { readTexts } from '../arguments/configurations/index.js';
import { readRegular } from './path-source.js';
import { ofSystem, readPath } from './paths.js';

/** Limit of a file: a hundred times the longest one, Whisper's, which holds the numbers of its filters. */
const maxBytes = 64 * 2 ** 20;

/**
 * {@link readConfiguration} of a folder: reads the files that say how a model's inputs are made, and gives what
 * {@link imageProcessor}, {@link videoProcessor} and the other functions of configurations take as `config`.
 * @param {string} folder
 * @returns {Promise<Record<string, string>>} the texts of the configurations by the names of their files
 * @example
 * const text = new TextEncoder().encode('{ "image_processor_type": "ViTImageProcessor" }');
 * await writeFiles({ 'preprocessor_config.json': text });
 * imageProcessor(await readConfigurationFolder('.')).className; // 'ViTImageProcessor'
 */
export async function readConfigurationFolder(folder) {
  return namedAsync('readConfigurationFolder', async () => {
    const names = await ofSystem(readdir(readPath('folder', folder)));
    return readTexts(names, async (name) => {
      const bytes = await readRegular(join(folder, name), maxBytes);
      return Buffer.from(bytes).toString();
    });
  });
}
