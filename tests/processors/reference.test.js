/** The oracle of random.test.js against transformers itself, on all goldens of the processors that it knows. */
import { expect, test } from '@jest/globals';
import { where } from '../support/programs.js';
import { hasPythonGoldens, hashOf, processorGoldens, readPicture } from '../support/python-goldens.js';
import { processed, TooLarge } from './processor.reference.js';

where(hasPythonGoldens, '../shared/python-goldens', () => {
  const goldens = hasPythonGoldens ? processorGoldens().filter(({ referenced }) => referenced) : [];

  test.each(goldens.map((golden) => [golden.id, golden]))('%s', (_, { processor, backend, settings, ...golden }) => {
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
    for (const [name, { dtype, dims, sha256 }] of Object.entries(golden.outputs))
      expect({ name, ...outputs[name], data: hashOf(outputs[name].data) }).toEqual({
        name,
        type: dtype,
        dims,
        data: sha256,
      });
  });
});
