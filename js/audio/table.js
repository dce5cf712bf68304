/**
 * The feature extractors of transformers: for each its defaults, the options of its call, and how its outputs are
 * made. To add one is to add a row. Moonshine, Chatterbox, PyAnnote, Snac and WeSpeaker are names that Python does
 * not have.
 */
import { clap } from './classes/clap.js';
import { gemma } from './classes/gemma.js';
import { kaldi } from './classes/kaldi.js';
import { mels } from './classes/mels.js';
import { nemo } from './classes/nemo.js';
import { torchMels } from './classes/torch-mels.js';
import { voices } from './classes/voices.js';
import { waveforms } from './classes/waveforms.js';
import { whisper } from './classes/whisper.js';

/** @import { Row } from './types.js' */

/** @type {Record<string, Partial<Row>>} */
export const table = {
  ...clap,
  ...whisper,
  ...kaldi,
  ...mels,
  ...gemma,
  ...waveforms,
  ...voices,
  ...torchMels,
  ...nemo,
};
