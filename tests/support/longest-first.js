/**
 * The order of Jest's suites: those first that take more than five seconds on a quiet machine, then the others by their
 * size. A clone has no times of an earlier run, and a long suite that begins last leaves the other cores idle.
 */
import { statSync } from 'node:fs';
import { words } from './tables.js';

const longest = words(`
  browser/page docs/examples browser/browser engine/leaks weights/entries tensor/print engine/large
  image/sources/frames image/sources/pictures image/image-to-tensor processors/more-goldens browser/processors
  adversarial/adversarial-audio operators/surgery-random processors/random processors/prompts browser/documents
  image/resizing/resize-goldens node/read-configuration-folder operators/einops/rearrange-goldens cli/no-sharp
  image/resizing/resize engine/permutations operators/split-to-sequence image/resizing/opencv-resize
  image/resizing/resize-reference operators/pick/pick.reference processors/goldens io/views operators/cast
  operators/versions processors/counts postprocess/out processors/memory io/scripts weights/memory engine/boxes
  convert/nbits/quantize-files convert/nbits/gather-blocks convert/nbits/dequantize-weights operators/cast-exhaustive
  architecture/js-floors package/package
`);

/** @typedef {{ path: string }} Suite */

/** @type {(suite: Suite) => number} */
function rankOf({ path }) {
  const place = longest.findIndex((name) => path.endsWith(`/tests/${name}.test.js`));
  return place < 0 ? longest.length : place;
}

export default class LongestFirst {
  /** @type {(suites: Suite[]) => Suite[]} */
  sort(suites) {
    const keyed = suites.map((suite) => ({ suite, rank: rankOf(suite), size: statSync(suite.path).size }));
    return keyed.sort((a, b) => a.rank - b.rank || b.size - a.size).map(({ suite }) => suite);
  }

  /** Jest calls it after the run. */
  cacheResults() {}
}
