/** Every processor's outputs against those of transformers, byte for byte, with both backends. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { imageProcessor, init } from 'onnx-layout/processors';
import { refuseUndeclared } from '../support/declared-settings.js';
import { recordOf } from '../support/goldens.js';
import { configText, processorGoldens, readNumbers, readPicture } from '../support/image-goldens.js';

/** How far numbers may be off that were resized in float32: CPUs differ by 1.5e-5 in Python. */
const tolerance = 2e-5;

beforeAll(() => init());
beforeAll(refuseUndeclared);

/** The outputs of a golden's processor. */
function outputsOf({ config, backend, inputs, trimap }) {
  const processor = imageProcessor(configText(config), { backend });
  const images = inputs.map(readPicture);
  if (trimap) return processor(images[0], { trimaps: images[1] });
  return processor(images.length > 1 ? images : images[0]);
}

/** The goldens in groups: processor and backend. */
function groupsOf(goldens) {
  const groups = new Map();
  for (const golden of goldens) {
    const name = `${golden.processor}, ${golden.backend}`;
    groups.set(name, [...(groups.get(name) ?? []), golden]);
  }
  return [...groups].map(([name, list]) => [`${name}: ${list.length}`, list]);
}

test('there are 459 goldens', () => expect(processorGoldens.length).toBe(459));

describe.each(groupsOf(processorGoldens))('%s', (_, group) => {
  test.each(group.map((golden) => [golden.id, golden]))('%s', (_id, golden) => {
    const outputs = outputsOf(golden);
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(golden.outputs).sort());
    for (const [name, { file, ...record }] of Object.entries(golden.outputs)) {
      const { type, data, dims } = outputs[name];
      if (file === undefined) {
        expect({ name, ...recordOf(type, dims, data, record) }).toEqual({ name, ...record });
      } else {
        expect([name, type, dims]).toEqual([name, record.dtype, record.dims]);
        const most = readNumbers(file).reduce((worst, number, i) => Math.max(worst, Math.abs(number - data[i])), 0);
        expect(most).toBeLessThan(tolerance);
      }
    }
  });
});
