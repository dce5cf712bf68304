/** The tests that need a page, as one module. */
import { runTests } from '@jest/globals';
import './drawables.js';
import './parallel-workers.js';

globalThis.report = runTests();
