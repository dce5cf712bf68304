/**
 * The whole suite as one module for any engine: `runTests()` runs it. These are Jest's own test files, those that
 * need nothing but JavaScript and the package. Streaming and large tensors stay out, because the oracle takes minutes
 * for them.
 */
import '../operators/cast.test.js';
import '../operators/cast-strings.test.js';
import '../operators/flatten.test.js';
import '../image/image-to-tensor.test.js';
import '../image/tensor-to-image.test.js';
import '../operators/identity.test.js';
import '../operators/infer.test.js';
import '../operators/infer-operators.test.js';
import '../operators/int64-ends.test.js';
import '../arguments/inputs.test.js';
import '../io/views.test.js';
import '../arguments/options.test.js';
import '../engine/pack.test.js';
import '../engine/permutations.test.js';
import '../operators/einops/rearrange.test.js';
import '../operators/reshape.test.js';
import '../operators/pick/slice.test.js';
import '../operators/concat.test.js';
import '../operators/split.test.js';
import '../operators/pad/pad.test.js';
import '../operators/squeeze.test.js';
import '../operators/pad/expand.test.js';
import '../operators/depth-to-space.test.js';
import '../operators/pad/center-crop-pad.test.js';
import '../operators/stack.test.js';
import '../operators/split-to-sequence.test.js';
import '../tensor/tensor.test.js';
import '../operators/transpose.test.js';
import '../processors/config.test.js';
import '../processors/fused.test.js';
import '../processors/numbers.test.js';
import '../processors/steps.test.js';
import '../operators/versions.test.js';

export { runTests } from '@jest/globals';
