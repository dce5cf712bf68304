/** Times picture files through an image processor: threads beside a plain loop. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { preprocessFiles, readImage } from '../../js/node/index.js';
import { imageProcessor } from '../../js/processors/index.js';
import { judged, ratioOf } from './contest.js';
import { median } from './measure.js';
import { pictureOf } from './photo.js';

const config = { image_processor_type: 'ViTImageProcessor' };
const count = 40;
const [width, height] = [4000, 3000];

/** Of two jobs on two cores. The cores' own limit is .56: sharp decodes beside JavaScript in a plain loop too. */
const must = 0.66;

/** @returns {Promise<string[]>} JPEGs of 12 MP; each counts eight times, so that all stay in the system's memory */
async function photos(folder) {
  const { data } = pictureOf(3, [width, height]);
  const files = Array.from({ length: 5 }, (_, i) => join(folder, `${i}.jpg`));
  for (const [i, file] of files.entries())
    await sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 86 + i })
      .toFile(file);
  return Array.from({ length: count }, (_, i) => files[i % files.length]);
}

async function looped(paths, use) {
  const processor = imageProcessor(config);
  for (const path of paths) use(processor(await readImage(path)).pixel_values);
}

async function inThreads(paths, use) {
  for await (const { outputs } of preprocessFiles(paths, config, { jobs: 2 })) use(outputs.pixel_values);
}

/** The time of a way, and the hash of what it makes. */
async function timed(way, paths) {
  const hash = createHash('sha256');
  const start = performance.now();
  await way(paths, ({ data }) => hash.update(data));
  return { ms: performance.now() - start, hash: hash.digest('hex') };
}

/** Both ways in turn; the ratio is the median of those of each turn. */
export async function files({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'onnx-layout-'));
  try {
    const paths = await photos(folder);
    const turns = [];
    for (let turn = 0; turn < (quick ? 1 : 5); turn++) {
      const [loop, threads] = [await timed(looped, paths), await timed(inThreads, paths)];
      if (loop.hash !== threads.hash) throw new Error('threads give other bytes than the loop');
      turns.push({ loop: loop.ms, threads: threads.ms });
    }
    const ratio = median(turns.map(({ loop, threads }) => threads / loop));
    const title = `${count} JPEGs of ${width}x${height} to pixel_values of ViT`;
    const times = {
      'loop of readImage': median(turns.map(({ loop }) => loop)),
      'two jobs': median(turns.map(({ threads }) => threads)),
    };
    return judged(title, times, [ratioOf('two jobs', 'loop', ratio, must)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
