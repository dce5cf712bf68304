/** The table of all commands. */
import { features, resample } from './audio.js';
import { completions } from './completions.js';
import { convert } from './convert.js';
import { diff } from './diff.js';
import { inspect } from './inspect.js';
import { postprocess } from './postprocess.js';
import { preprocess } from './preprocess.js';
import { dequantize, quantize } from './quantize.js';
import { tensorCommands } from './tensor-commands.js';

/** @import { Command } from './types.js' */

/** @type {Record<string, Command>} */
export const commands = {
  ...{ inspect, convert, preprocess, postprocess, features, resample, diff, quantize, dequantize },
  ...tensorCommands,
  completions: completions(() => commands),
};
