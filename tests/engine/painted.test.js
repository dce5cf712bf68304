/**
 * Results do not depend on the bytes that lie in the modules' memory. `node tests/fuzz/painted.mjs` makes all calls.
 */
import { beforeAll, expect, test } from '@jest/globals';
import { pieces } from '../../js/engines/audio/module.js';
import { scratch } from '../../js/engines/images/module.js';
import { withMemory } from '../../js/engines/results/load.js';
import { arena } from '../../js/engines/results/module.js';
import { differences, loadPainted, trials } from '../fuzz/painted.js';
import { chooseSample } from '../support/sample.js';

let paint;
beforeAll(async () => {
  paint = await loadPainted();
});

test('a three-hundredth of the calls give the same under each paint', () => {
  for (const { title, call } of chooseSample(trials(), 300))
    expect([title, ...differences(paint, call)]).toEqual([title]);
});

test.each(
  Object.entries({
    'of the audio module': () => {
      pieces.clear();
      return pieces.view(Float32Array, pieces.allocate(40), 10).slice();
    },
    'of layout.wasm and image.wasm': () => scratch.slice(2 ** 22, 2 ** 22 + 16),
    'of the postprocess module': () => withMemory(() => arena.copyOut(Float32Array, arena.allocate(2 ** 20), 2 ** 18)),
  }),
)('a read of memory %s that nothing was written to is seen', (_, call) => {
  expect(new Set(differences(paint, call)).size).toBe(3);
});
