/** Listeners of the steps that are done to the images of a call: for the caller's `onStep`, and for `sizes`. */
import { spending } from '../arguments/index.js';

/** @import { SourceImage } from '../image/types.js' */
/** @import { CallOptions, ImageSizes, StepReport } from './types.js' */

/** Makes a listener that passes steps on to `onStep`, each object once, because all tiles of a picture report the same
 * objects for rescaling and normalizing. `image`: the number of the image in the call
 * @type {(onStep: NonNullable<CallOptions['onStep']>, image: number) => (step: StepReport) => void} */
function stepListener(onStep, image) {
  const reported = new Set();
  return (step) => {
    // Memory that the caller's function takes counts towards no budget of this call.
    if (!reported.has(step)) spending(undefined, () => onStep({ ...step, image }));
    reported.add(step);
  };
}

/** Whether a step changes the size that `sizes` calls `resized`: padding does not.
 * @type {(step: StepReport) => boolean} */
const changesSize = ({ name }) => name === 'resize' || name === 'crop';

/** The sizes of an image to which nothing was done yet. @type {(image: SourceImage) => ImageSizes} */
export const sizesOf = ({ height, width }) => ({ original: [height, width], resized: [height, width] });

/** Makes the listener of the steps of an image, which passes them on to `onStep` and stores the size after resizing and
 * cropping in `sizes`; undefined if neither is asked for. `image`: its number
 * @type {(call: { onStep: CallOptions['onStep'], sizes: ImageSizes[] | undefined }, image: number) =>
 *   ((step: StepReport) => void) | undefined} */
export function listenerOf({ onStep, sizes }, image) {
  const report = onStep && stepListener(onStep, image);
  if (!sizes) return report;
  return (step) => {
    // In the type of all steps the size is optional; a resize or a crop always has it.
    if (changesSize(step)) sizes[image].resized = [Number(step.height), Number(step.width)];
    report?.(step);
  };
}
