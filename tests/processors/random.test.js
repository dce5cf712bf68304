/** Image processors against the oracle: 5,000 files and pictures that the commit's hash chooses. */
import { beforeAll, test } from '@jest/globals';
import { init } from 'onnx-layout';
import { commitHash } from '../support/sample.js';
import { checkCases } from './random-check.js';

beforeAll(() => init());

const firstSeed = Number.parseInt(commitHash().slice(0, 8), 16);
const [portions, cases] = [10, 500];

test.each(Array.from({ length: portions }, (_, i) => firstSeed + 100_000 * i))('500 calls from seed %i', (first) =>
  checkCases(first, cases),
);
