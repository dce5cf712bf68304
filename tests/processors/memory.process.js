/**
 * The memory of a call beside its input and its results: `memory.process.js CALL`, where CALL is the JSON of [type,
 * settings, width, height, { backend, more }], `more` the sizes of further images. Prints the bytes by which the
 * process grew, less the results', and by how many levels a ramp from the first row to the last is off.
 */
import { imageProcessor, init } from 'onnx-layout/processors';

const levels = 250;

function ramp(width, height) {
  const data = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++) data.fill((levels * y) / height, 3 * width * y, 3 * width * (y + 1));
  return { data, width, height, channels: 3 };
}

/** How far the numbers are from the ramp at most, in levels. */
function maxDeviation({ data, dims: [, , height, width] }) {
  let deviation = 0;
  for (let i = 0; i < data.length; i++) {
    const row = Math.floor(i / width) % height;
    deviation = Math.max(deviation, Math.abs(255 * data[i] - (levels * (row + 0.5)) / height));
  }
  return deviation;
}

/** maxRSS is in kB on every system. */
const peak = () => process.resourceUsage().maxRSS * 1024;

await init();
const [type, settings, width, height, { backend, more = [] } = {}] = JSON.parse(process.argv[2]);
const processor = imageProcessor(settings, { className: type, backend, maxBytes: Infinity });
processor(ramp(40, 40), { size: { height: 8, width: 8 } });
const images = [ramp(width, height), ...more.map(([w, h]) => ramp(w, h))];
const before = peak();
const outputs = processor(images, { do_normalize: false });
const results = Object.values(outputs).reduce((sum, { data }) => sum + data.byteLength, 0);
const used = peak() - before - results;
const { pixel_values: values } = outputs;
console.log(JSON.stringify({ used, off: values.dims.length === 4 ? maxDeviation(values) : 0 }));
