/** One batch of picture files through an image processor, in whichever thread. */
import { imageProcessor } from '../processors/index.js';
import { readImage } from './read-image.js';

/** @import { CallOptions, Outputs, Processor } from '../processors/types.js' */
/** @import { Pixels } from './gif-frame.js' */
/** @import { Preprocessed, Processing } from './types.js' */

/** Makes a function that decodes a batch of files at the same time and runs those through an image processor that could
 * be decoded. If the processor then throws, all files have failed.
 * @type {(processing: Processing) => (paths: string[]) => Promise<Preprocessed>} */
export function batchProcessor({ config, settings, orientation, maxPixels, steps: reportsSteps, ...options }) {
  const processor = imageProcessor(config, options);
  return async (paths) => {
    const decoded = await Promise.allSettled(paths.map((path) => readImage(path, { orientation, maxPixels })));
    /** @type {Preprocessed} */
    const batch = { paths: [], outputs: undefined, failed: [] };
    /** @type {Pixels[]} */
    const images = [];
    for (const [i, path] of paths.entries()) {
      const result = decoded[i];
      if (result.status === 'rejected') {
        batch.failed.push({ path, error: result.reason });
      } else {
        batch.paths.push(path);
        images.push(result.value);
      }
    }
    if (images.length === 0) return batch;
    try {
      if (!reportsSteps) return { ...batch, outputs: processor(images, settings) };
      return { ...batch, ...withSteps(processor, images, settings) };
    } catch (error) {
      return { ...batch, paths: [], failed: paths.map((path) => ({ path, error: /** @type {Error} */ (error) })) };
    }
  };
}

/** Runs pictures through the processor, and lists for each its size and the steps that it passed, without the pixels
 * behind each step, which would be copied from one thread to another.
 * @type {(processor: Processor<Pixels, CallOptions, Outputs>, images: Pixels[], settings: CallOptions | undefined) =>
 *   Pick<Preprocessed, 'outputs' | 'images'>} */
function withSteps(processor, images, settings) {
  const reports = images.map(({ width, height }) => ({ width, height, steps: /** @type {object[]} */ ([]) }));
  const outputs = processor(images, {
    ...settings,
    onStep: ({ image, pixels: _, ...step }) => void reports[image].steps.push(step),
  });
  return { outputs, images: reports };
}
