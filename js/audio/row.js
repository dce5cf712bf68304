/** The types of a row of the table. */

/** @import { Waveform } from './audio.js' */
/** @import { Outputs } from './tensors.js' */

/** @typedef {Record<string, any>} Settings */
/** @typedef {Record<string, any>} CallOptions */
/**
 * One call.
 * @typedef {{ settings: Settings, prepared: any, batch: Waveform[], options: CallOptions }} Call
 */

/**
 * A stream of one extractor: what samples so far have given, and what is left at the end.
 * @typedef {object} StreamSteps
 * @property {(samples: any) => Outputs | undefined} push
 * @property {() => Outputs | undefined} end
 */

/**
 * @typedef {object} Row
 * @property {Record<string, number>} axes the outputs, and along which axis the parts of a stream are joined
 * @property {Settings} defaults the class's own settings, as a file would state them
 * @property {readonly string[]} [nullable] settings that may be null, beside those that are null by default
 * @property {readonly string[]} options the options of a call, besides those of every call
 * @property {boolean} [wide] whether float64 samples stay float64
 * @property {boolean} [hasChannels] whether audio may have several channels
 * @property {boolean} [mayLackAudio] whether a call may have no audio
 * @property {(settings: Settings) => any} prepare tables that follow from the settings
 * @property {(call: Call) => Outputs} make
 * @property {(call: Omit<Call, 'batch'>) => StreamSteps | undefined} [stream] where it is missing or gives undefined,
 *   samples are kept, and everything comes at the end
 */

export {};
