/** Reads the settings of a video processor and the options of a call. */
import * as args from '../../arguments/index.js';
import { readTensor } from '../../tensor/index.js';
import { readCallSettings, readFileSettings, readPixelType } from '../settings/index.js';
import { callSettings, readVideoClass } from './video-files.js';

/** @import { TensorLike } from '../../tensor/index.js' */
/** @import { VideoCall, VideoCallOptions, VideoMaker, VideoProcessorOptions } from './types.js' */

const makerTable = { className: args.later, dtype: readPixelType, maxBytes: args.readMaxBytes };
export const asyncTable = { ...makerTable, decode: args.later };

/** Reads the class, the settings and the options of a video processor, which hold for all of its calls. In Python video
 * processors have torchvision's backend alone. `table`: the reader of each option
 * @type {(config: unknown, options: VideoProcessorOptions | undefined, table?: typeof makerTable) => VideoMaker} */
export function makerOf(config, options, table = makerTable) {
  const { className, dtype, maxBytes } = args.readTable(options, table);
  const { name, row, source, owner } = readVideoClass(config, className);
  const fileSettings = readFileSettings(row, source);
  return { name, row, owner, maxBytes, ...fileSettings, backend: 'torchvision', dtype };
}

/** Reads the options of a call: its settings, laid over the file's, and `dtype`, `onStep` and `out`. The caller reads
 * `video_metadata`, once it knows the number of videos, and `more`, further options that are not settings.
 * @type {(maker: VideoMaker, options: VideoCallOptions | undefined, more: readonly string[]) => VideoCall} */
export function readCall(maker, options = {}, more) {
  const { row, backend, file } = maker;
  if (typeof options !== 'object' || options === null)
    args.typeError(`options must be an object, got ${args.show(options)}`);
  const { dtype, onStep, out } = options;
  if (onStep !== undefined) args.readFunction('onStep', onStep);
  const otherOptions = ['dtype', 'video_metadata', 'onStep', 'out', ...more];
  const settings = readCallSettings(maker, options, otherOptions, callSettings);
  const { outputName = 'pixel_values_videos' } = row.rule;
  const callerOut = readOutput(outputName, out);
  const pixelType = readPixelType('dtype', dtype) ?? maker.dtype;
  // Samples are lists of images in one list; videos have none.
  return { backend, settings, file, dtype: pixelType, onStep, samples: [], callerOut };
}

/** Reads the option `out`, whose only key is `outputName`, and the tensor in it; undefined if there is none. Checks its
 * type, the class of its data, and that its dims are extents. The length of its data and the dims of the result are
 * checked when the result is made. `taken` in the result: no video has taken elements of it yet
 * @type {(outputName: string, out: Record<string, TensorLike | undefined> | undefined) => VideoCall['callerOut']} */
function readOutput(outputName, out) {
  if (out === undefined) return undefined;
  if (typeof out !== 'object' || out === null)
    args.typeError(`out must be { ${outputName} }, got ${args.showClass(out)}`);
  args.checkNames('output', out, [outputName]);
  const argument = `out ${outputName}`;
  const tensor = out[outputName];
  if (tensor === undefined || tensor === null) return undefined;
  return { ...readTensor(argument, tensor), argument, tensor, taken: 0 };
}

/** Refuses frames that share memory with the caller's `out`, because writing to it would change them. `argument`: the
 * frames' name; `data`: their elements, of any kind before they are read
 * @type {(call: VideoCall, argument: string, data: unknown) => void} */
export function checkApart({ callerOut }, argument, data) {
  if (callerOut && ArrayBuffer.isView(data) && args.overlap(callerOut.data, data))
    args.rangeError(`${callerOut.argument} must not overlap ${argument}`);
}
