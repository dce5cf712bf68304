/** resize and thumbnail against the oracle: 5,000 calls that the commit's hash chooses. */
import { beforeAll, test } from '@jest/globals';
import { init } from 'onnx-layout/image';
import { commitHash } from '../../support/sample.js';
import { expectAsOracle } from '../expect-image.js';
import { randomCase } from './resize-cases.js';

beforeAll(() => init());

const firstSeed = Number.parseInt(commitHash().slice(0, 8), 16);

const portions = 10;
const usualCases = 480;
const largeCases = 20;

test.each(Array.from({ length: portions }, (_, i) => firstSeed + i * (usualCases + largeCases)))(
  '480 small calls and 20 large ones from seed %i',
  (first) => {
    for (let i = 0; i < usualCases + largeCases; i++) {
      const isLarge = i >= usualCases;
      const given = randomCase(first + i, isLarge);
      // thumbnail has no `out`.
      const isInto = given.call === 'resize' && i % 4 === 0;
      const { width, height, data } = given.image;
      const size = `${data.constructor.name} ${width} x ${height}`;
      const what = `randomCase(${first + i}, ${isLarge}): ${given.call} of ${size}, ${JSON.stringify(given.options)}`;
      expectAsOracle(given, { what, isInto });
    }
  },
);
