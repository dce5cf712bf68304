/** The smoke suite as one module for any engine: `runTests()` runs it. */
import '../package/smoke.test.js';

export { runTests } from '@jest/globals';
