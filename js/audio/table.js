/**
 * The feature extractors of transformers 5.23.0: for each its defaults, the options of its call, and how its outputs
 * are made. To add one is to add a row. The last five are names that Python does not have.
 */
import * as gemma from './classes/gemma.js';
import * as javascript from './classes/javascript.js';
import * as kaldi from './classes/kaldi.js';
import * as mels from './classes/mels.js';
import * as torchMels from './classes/torch-mels.js';
import * as waveforms from './classes/waveforms.js';
import * as whisper from './classes/whisper.js';

/** @import { Row } from './row.js' */

/** @type {Record<string, Row>} */
export const table = { ...whisper, ...kaldi, ...mels, ...gemma, ...waveforms, ...torchMels, ...javascript };
