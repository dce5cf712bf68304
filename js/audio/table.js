/**
 * The feature extractors of transformers 5.23.0: for each its defaults, the options of its call, and how its outputs
 * are made. To add one is to add a row. Moonshine, Chatterbox, PyAnnote, Snac and WeSpeaker are names that Python does
 * not have.
 */
import { Clap } from './classes/clap.js';
import * as gemma from './classes/gemma.js';
import * as kaldi from './classes/kaldi.js';
import * as mels from './classes/mels.js';
import * as nemo from './classes/nemo.js';
import * as torchMels from './classes/torch-mels.js';
import * as waveforms from './classes/waveforms.js';
import * as whisper from './classes/whisper.js';

/** @import { Row } from './types.js' */

const all = { Clap, ...whisper, ...kaldi, ...mels, ...gemma, ...waveforms, ...torchMels, ...nemo };

/** The rows by name: what begins with a capital letter is a class. */
export const table = /** @type {Record<string, Row>} */ (
  Object.fromEntries(Object.entries(all).filter(([name]) => name[0] < 'a'))
);
