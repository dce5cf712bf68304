/** Image processors on any engine: the same bytes as the oracle's, which are Python's, for 300 files and pictures. */
import { test } from '@jest/globals';
import { checkCases } from '../processors/random-check.js';

test('300 image processors at random', () => checkCases(1, 300));
