/** The numbers that the bytes of pictures become: rescaled and normalized, by the settings of each class. */
import { rangeError } from '../../arguments/index.js';
import { dtypes } from '../../tensor/index.js';
import { normalizing, numbersOf } from '../../image/internal.js';

/** @import { NumberStep, Scaling } from '../../image/types.js' */
/** @import { Call, ChainLayout, Counting, Make, Mean, Numbers, Picture, StepReport } from '../types.js' */

/** Adds to a function the names of the settings that it reads, as its property `reads`. Keys of a file that a class
 * does not read are listed as ignored, and are not checked.
 * @type {<F extends (call: Call, pictures: Picture[], layout: ChainLayout) => unknown>(reads: readonly string[],
 *   read: F) => F & { reads: readonly string[] }} */
export const withSettings = (reads, read) => Object.assign(read, { reads });

/** Adds to a class the function that computes its `get_number_of_image_patches`, from a picture without pixels.
 * @type {<M extends Make>(make: M, patches: Counting['patches']) => M & Counting} */
export const withPatchCount = (make, patches) => Object.assign(make, { patches });

/** The factor by which bytes are rescaled, undefined if `do_rescale` is off.
 * @type {(call: Call) => number | undefined} */
const rescaleFactor = ({ settings }) => (settings.do_rescale ? settings.rescale_factor : undefined);

/** The factor of rescaling, and the mean and deviation of normalizing, each undefined where its flag is off.
 * @type {(call: Call) => Scaling} */
export const scalingOf = (call) => ({
  factor: rescaleFactor(call),
  mean: call.settings.do_normalize ? call.settings.image_mean : undefined,
  std: call.settings.do_normalize ? call.settings.image_std : undefined,
});

/** A mean or a deviation as a list of three: one number stands for red, green and blue.
 * @type {(value: Mean) => readonly number[]} */
export const perColor = (value) => (typeof value === 'number' ? [value, value, value] : value);

/** Refuses a call in which the flag `name` is off, of a class that cannot do without its step.
 * @type {(call: Call, name: string) => void} */
export const requireFlag = ({ settings }, name) => settings[name] || rangeError(`${name} must be true, got false`);

/** The steps of a scaling that are on, as the caller's listener gets them.
 * @type {(scaling: Scaling) => StepReport[]} */
function stepsOf({ factor, mean, std }) {
  /** @type {StepReport[]} */
  const steps = [];
  if (factor !== undefined) steps.push({ name: 'rescale', factor });
  if (mean !== undefined) steps.push({ name: 'normalize', mean, std });
  return steps;
}

const rescaleKeys = ['do_rescale', 'rescale_factor'];
const normalizeKeys = ['do_normalize', 'image_mean', 'image_std'];

/** Says how bytes become rescaled and normalized numbers, and which steps the caller's listener hears of.
 * `isReversed`: blue comes first; `channels`: 3 if omitted
 * @type {(call: Call, scaling: Scaling, options?: { isReversed?: boolean, channels?: number }) => Numbers} */
const numbersByScaling = ({ backend, dtype }, scaling, options) => ({
  ...numbersOf(backend, scaling, { dtype, ...options }),
  steps: stepsOf(scaling),
});

/** Numbers that are rescaled and normalized where the flags are on, as most classes have them. */
export const usualNumbers = withSettings([...rescaleKeys, ...normalizeKeys], (call) =>
  numbersByScaling(call, scalingOf(call)),
);

/** Rescaled and normalized numbers with as many planes as the first image has channels. */
export const ownChannelNumbers = withSettings(usualNumbers.reads, (call, pictures) =>
  numbersByScaling(call, scalingOf(call), { channels: pictures[0].image.channels }),
);

/** Rescaled and normalized numbers, which are float32 even where both flags are off and bytes would do. */
export const floatNumbers = withSettings(usualNumbers.reads, (call) =>
  usualNumbers({ ...call, dtype: call.dtype ?? dtypes.float32 }),
);

/** Rescaled and normalized numbers in the order blue, green, red. */
export const reversedNumbers = withSettings(usualNumbers.reads, (call) =>
  numbersByScaling(call, scalingOf(call), { isReversed: true }),
);

/** Numbers that are rescaled if `do_rescale` is on, and never normalized. */
export const rescaledNumbers = withSettings(rescaleKeys, (call) =>
  numbersByScaling(call, { factor: rescaleFactor(call) }),
);

/** Rescaled numbers, with `do_flip_channel_order` in the order blue, green, red, as MobileViT has them. */
export const flippedNumbers = withSettings([...rescaleKeys, 'do_flip_channel_order'], (call) =>
  numbersByScaling(call, { factor: rescaleFactor(call) }, { isReversed: call.settings.do_flip_channel_order }),
);

/** EfficientNet's numbers: rescaled, less 1 with `rescale_offset` (only if `do_rescale` is on), normalized, and with
 * `include_top` divided by the deviation once more, whether or not `do_normalize` is on. */
export const efficientNetNumbers = withSettings(
  [...rescaleKeys, ...normalizeKeys, 'rescale_offset', 'include_top'],
  (call) => {
    const { backend, dtype, settings } = call;
    const scaling = scalingOf(call);
    const isOffset = settings.rescale_offset && scaling.factor !== undefined;
    const { first, then, reports } = isOffset ? offsetSteps(scaling) : fusedSteps(scaling);
    if (settings.include_top) {
      const topStd = settings.image_std ?? 1;
      then.push(normalizing(0, topStd));
      reports.push({ name: 'normalize', mean: 0, std: topStd });
    }
    return { ...numbersOf(backend, first, { dtype, then }), steps: reports };
  },
);

/** How numbers are computed in steps: the `first` scaling of bytes, what follows on its numbers, and the reports for
 * the caller's listener.
 * @typedef {{ first: Scaling, then: NumberStep[], reports: StepReport[] }} ScalingSteps */

/** Rescales and normalizes in a single step, which torchvision fuses to one formula.
 * @type {(scaling: Scaling) => ScalingSteps} */
const fusedSteps = (scaling) => ({ first: scaling, then: [], reports: stepsOf(scaling) });

/** Rescales, subtracts 1 and normalizes, each in a step of its own, which torchvision does not fuse.
 * @type {(scaling: Scaling) => ScalingSteps} */
function offsetSteps(scaling) {
  const { factor, mean, std } = scaling;
  /** @type {NumberStep[]} */
  const then = [(value) => value - 1];
  if (mean !== undefined) then.push(normalizing(mean, /** @type {Mean} */ (std)));
  const [rescale, ...others] = stepsOf(scaling);
  return { first: { factor }, then, reports: [{ ...rescale, offset: -1 }, ...others] };
}
