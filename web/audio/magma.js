/** The colors of features. */
import { interpolateMagma } from 'd3-scale-chromatic';

/** d3's magma: from black over red to pale yellow, evenly to the eye. */
export const magma = Uint32Array.from({ length: 256 }, (_, i) => {
  const [red, green, blue] = interpolateMagma(i / 255)
    .match(/[\da-f]{2}/g)
    .map((pair) => parseInt(pair, 16));
  return new DataView(Uint8Array.of(red, green, blue, 255).buffer).getUint32(0, true);
});
