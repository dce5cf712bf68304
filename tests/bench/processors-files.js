/** Times picture files through an image processor: threads beside a plain loop. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { preprocessFiles, readImage } from '../../js/node/index.js';
import { imageProcessor } from '../../js/processors/index.js';
import { expectHash } from './contest.js';
import { hashOf } from './data.js';
import { pictureOf } from './photo.js';

const config = { image_processor_type: 'ViTImageProcessor' };
const [width, height] = [4000, 3000];

/** Of two jobs on two cores. The cores' own limit is .56: sharp decodes beside JavaScript in a plain loop too. */
const must = 0.66;

/** @returns {Promise<string[]>} JPEGs of 12 MP; each counts several times, so that all stay in the system's memory */
async function writePhotos(folder, count) {
  const { data } = pictureOf(3, [width, height]);
  const files = Array.from({ length: 5 }, (_, i) => join(folder, `${i}.jpg`));
  for (const [i, file] of files.entries())
    await sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 86 + i })
      .toFile(file);
  return Array.from({ length: count }, (_, i) => files[i % files.length]);
}

async function inLoop(paths) {
  const processor = imageProcessor(config);
  const results = [];
  for (const path of paths) results.push(processor(await readImage(path)).pixel_values.data);
  return results;
}

async function inThreads(paths) {
  const results = [];
  for await (const { outputs } of preprocessFiles(paths, config, { jobs: 2 })) results.push(outputs.pixel_values.data);
  return results;
}

/** Files by both ways. */
export async function prepareFiles({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'onnx-layout-'));
  const paths = await writePhotos(folder, quick ? 10 : 40);
  const title = `${paths.length} JPEGs of ${width}x${height} to pixel_values of ViT`;
  expectHash(title, hashOf(...(await inThreads(paths))), hashOf(...(await inLoop(paths))));
  return {
    title,
    contenders: { 'loop of readImage': () => inLoop(paths), 'two jobs': () => inThreads(paths) },
    bars: { 'two jobs': { 'loop of readImage': [must] } },
    end: () => rmSync(folder, { recursive: true }),
  };
}
