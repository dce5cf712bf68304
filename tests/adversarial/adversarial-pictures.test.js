/** Mutated pictures: pixels of the stated size, or a documented error. A sample, which the commit chooses;
 * `MUTATIONS=20000 npm run jest -- tests/adversarial/adversarial-pictures` takes more of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readImage } from 'onnx-layout/node';
import { below, generator } from '../support/samples.js';
import { commitHash } from '../support/sample.js';

const folder = join(import.meta.dirname, '../image/sources/pictures');
const small = readdirSync(folder).filter((name) => /\.(jpg|png|webp)$/.test(name));
const gifs = JSON.parse(readFileSync(join(folder, 'gif-goldens.json'), 'utf8'));
const sources = [
  ...small.map((name) => readFileSync(join(folder, name))).filter(({ length }) => length < 40_000),
  ...gifs.slice(0, 12).map(({ data }) => Buffer.from(data, 'base64')),
];
const count = Number(process.env.MUTATIONS ?? 200);

/** Changes one to four places, mostly of the header, or cuts the end off. */
function mutate(bytes, random) {
  for (let changes = 1 + below(random, 4); changes > 0; changes--) {
    const at = below(random, below(random, 2) === 0 ? Math.min(80, bytes.length) : bytes.length);
    bytes[at] = [bytes[at] ^ (1 << below(random, 8)), 0, 0xff, random() & 0xff][below(random, 4)];
  }
  return below(random, 5) === 0 ? bytes.subarray(0, below(random, bytes.length)) : bytes;
}

test(`${count} mutated pictures`, async () => {
  const random = generator(Number.parseInt(commitHash().slice(0, 7), 16));
  const counts = { decoded: 0, refused: 0 };
  for (let i = 0; i < count; i++) {
    const bytes = mutate(Buffer.from(sources[below(random, sources.length)]), random);
    try {
      const { data, width, height, channels } = await readImage(bytes, { maxPixels: 4_000_000 });
      expect(data.length).toBe(width * height * channels);
      counts.decoded++;
    } catch (error) {
      if (!(error instanceof RangeError && /^readImage: image must .{1,400}$/s.test(error.message)))
        throw new Error(`file ${i}, ${bytes.toString('base64').slice(0, 2000)}`, { cause: error });
      counts.refused++;
    }
  }
  expect(Math.min(counts.decoded, counts.refused)).toBeGreaterThan(count / 20);
}, 600_000);
