/** The tests that need a page, as one module. */
import { runTests } from '@jest/globals';
import './drawables.js';
import './together.js';

globalThis.report = runTests();
