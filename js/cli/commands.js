/** The table of all commands. */
import { features, resample } from './commands/audio.js';
import { completions } from './commands/completions.js';
import { convert } from './commands/convert.js';
import { convertModel } from './commands/convert-model.js';
import { datasetCommands } from './commands/dataset.js';
import { diff } from './commands/diff.js';
import { inspect } from './commands/inspect.js';
import { postprocess } from './commands/postprocess.js';
import { preprocess } from './commands/preprocess.js';
import { tensorCommands } from './commands/tensor-commands.js';

/** @import { Command } from './types.js' */

/** @type {Record<string, Command>} */
export const commands = {
  inspect,
  convert,
  preprocess,
  postprocess,
  features,
  resample,
  diff,
  'convert-model': convertModel,
  ...datasetCommands,
  ...tensorCommands,
  completions: completions(() => commands),
};
