/** The oracle of random.test.js against transformers itself, on all goldens of the processors that it knows. */
import { expect, test } from '@jest/globals';
import { recordOf } from '../support/goldens.js';
import { processorGoldens, readPicture } from '../support/image-goldens.js';
import { processed, TooLarge } from './processor.reference.js';

test.each(processorGoldens.filter(({ referenced }) => referenced).map((golden) => [golden.id, golden]))(
  '%s',
  (_, { processor, backend, settings, ...golden }) => {
    const inputs = golden.inputs.map(readPicture);
    const images = golden.trimap ? inputs.slice(0, 1) : inputs;
    let outputs;
    try {
      outputs = processed(processor.replace('ImageProcessor', ''), images, settings, backend, inputs[1]);
    } catch (error) {
      // The oracle's loops would take seconds.
      if (error instanceof TooLarge) return;
      throw error;
    }
    for (const [name, record] of Object.entries(golden.outputs)) {
      const { type, dims, data } = outputs[name];
      expect({ name, ...recordOf(type, dims, data) }).toEqual({ name, ...record });
    }
  },
);
