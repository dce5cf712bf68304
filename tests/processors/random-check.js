/** Compares image processors with the oracle. Runs on any engine. */
import { expect } from '@jest/globals';
import { imageProcessor } from 'onnx-layout/processors';
import { expectTensor } from '../support/assertions.js';
import { processed, Refused, TooLarge } from './processor.reference.js';
import { randomCase } from './random-cases.js';

/** The oracle's outputs, or the kind of the case where it has none. */
function expectedOf({ name, images, settings, backend, trimap }) {
  try {
    return processed(name, images, settings, backend, trimap) ?? 'no batch';
  } catch (error) {
    if (error instanceof TooLarge) return 'too large';
    if (error instanceof Refused) return 'refused';
    throw error;
  }
}

function check(given, expected, what) {
  const run = () => {
    const processor = imageProcessor(JSON.stringify(given.config), { backend: given.backend });
    return processor(given.images, given.trimap && { trimaps: given.trimap });
  };
  if (typeof expected === 'string') {
    expect(run).toThrow(/^imageProcessor: .+ must /);
    return;
  }
  let outputs;
  try {
    outputs = run();
  } catch (error) {
    throw new Error(`${what}: ${error.message}`, { cause: error });
  }
  expect({ what, names: Object.keys(outputs).sort() }).toEqual({ what, names: Object.keys(expected).sort() });
  for (const [name, { type, dims, data }] of Object.entries(expected))
    expectTensor(outputs[name], type, dims, data, `${what}: ${name}`);
}

/**
 * Checks cases from a seed on, those left out that would take the oracle seconds.
 * @param {number} first the seed
 * @param {number} cases how many
 */
export function checkCases(first, cases) {
  let refused = 0;
  for (let seed = first, done = 0; done < cases; seed++) {
    const given = randomCase(seed);
    const expected = expectedOf(given);
    if (expected === 'too large') continue;
    const sizes = given.images.map(({ width, height, channels }) => `${width} x ${height} x ${channels}`);
    check(given, expected, `randomCase(${seed}): ${given.backend} ${JSON.stringify(given.config)} of ${sizes}`);
    if (typeof expected === 'string') refused++;
    else done++;
  }
  expect(refused).toBeLessThan(cases / 5);
}
