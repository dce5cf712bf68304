/**
 * The operators' own tests, those that need nothing but JavaScript and the package, as one module for any engine: `runTests()` gives the
 * outcome. They are Jest's test files as they are; streaming and large tensors stay out, because the oracle takes minutes for them.
 */
import '../cast.test.js';
import '../cast-strings.test.js';
import '../flatten.test.js';
import '../image.test.js';
import '../image-back.test.js';
import '../infer.test.js';
import '../infer-operators.test.js';
import '../inputs.test.js';
import '../io-views.test.js';
import '../options.test.js';
import '../pack.test.js';
import '../permutations.test.js';
import '../reads.test.js';
import '../reshape.test.js';
import '../split.test.js';
import '../tensor.test.js';
import '../transpose.test.js';
import '../versions.test.js';

export { runTests } from '@jest/globals';
