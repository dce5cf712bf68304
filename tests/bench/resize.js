/** Times `resize` and `imageToTensor` beside the libraries of JavaScript and Python that do the same. */
import * as images from '../../js/image/index.js';
import { checksOf, contestsOf, expectHash } from './contest.js';
import { hashOf, roomFor } from './data.js';
import { once, pictureOf } from './photo.js';
import { loopResize } from './resize-loops.js';
import { loadProcessor, loadResizers } from './resize-peers.js';
import { pixelValuesWorkloads, resizeWorkloads, verticalFirst } from './resize-workloads.js';

const resizers = once(loadResizers);

const namesOfChannels = { 1: 'L', 3: 'RGB', 4: 'RGBA' };
const titleOf = ({ name, channels, from, to, filter, premultiply }) => {
  const mode = namesOfChannels[channels] + (channels === 4 ? ` ${premultiply ? 'premultiplied' : 'straight'}` : '');
  return `${name} ${mode} ${from.join('x')} to ${to.join('x')} ${filter}`;
};

/** Our call. The memory of its result is its own, as that of all contenders. */
export function resizeCall({ to, filter, premultiply }, { rgba: _, ...image }, backend, build = images) {
  const options = { width: to[0], height: to[1], filter, backend, ...(backend === 'pil' && { premultiply }) };
  return () => build.resize(image, options);
}

/** Our call from RGBA to pixel_values. */
export function pixelValuesCall({ options }, { rgba, width, height }, backend, build = images) {
  const image = { data: rgba, width, height, channels: 4 };
  return () => build.imageToTensor(image, { ...options, backend });
}

/** More than the caches hold. */
const uncached = 96e6;

/**
 * A copy of the picture to memory that the caches do not hold, which the bars are multiples of: a copy that repeats to
 * the same 6 MB runs twice as fast.
 */
function memcpyOf({ data }) {
  const targets = Array.from({ length: Math.ceil(uncached / data.length) }, () => roomFor('uint8', data.length));
  let next = 0;
  return () => targets[next++ % targets.length].set(data);
}

/** One workload. The results of both backends have to be those of Pillow and torchvision, and of the plain loop. */
async function prepare(workload) {
  const { channels, from, to, filter, premultiply, bars } = workload;
  const title = titleOf(workload);
  const picture = pictureOf(channels, from);
  const contenders = { memcpy: memcpyOf(picture), pil: resizeCall(workload, picture, 'pil') };
  const hashes = { Pillow: hashOf(contenders.pil().data) };
  if (bars.torchvision) {
    contenders.torchvision = resizeCall(workload, picture, 'torchvision');
    hashes.torchvision = hashOf(contenders.torchvision().data);
  }
  if (!premultiply) {
    contenders['JS loop'] = () => loopResize(picture, ...to, filter);
    expectHash(`${title}, JS loop`, contenders['JS loop'](), hashes.Pillow);
  }
  for (const [peer, prepare] of Object.entries(await resizers())) {
    if (peer === 'jsquash' || peer === 'pica') if (channels !== 4) continue;
    contenders[peer] = prepare(picture, to, filter, premultiply);
  }
  const request = { width: from[0], height: from[1], channels, size: to, filter, premultiply };
  const requests = Object.entries(hashes).map(([library, expected]) => ({ ...request, library, expected }));
  return { title, contenders, python: { name: 'resize', arrays: [picture.data], requests }, bars };
}

/** From RGBA to pixel_values. transformers.js resizes otherwise, so that the numbers are not compared. */
async function preparePixelValues(workload) {
  const { name, title, channels, from, processor, config, bars } = workload;
  const picture = pictureOf(channels, from);
  const contenders = {
    memcpy: memcpyOf(picture),
    pil: pixelValuesCall(workload, picture, 'pil'),
    torchvision: pixelValuesCall(workload, picture, 'torchvision'),
    'transformers.js': await loadProcessor(processor, config, picture),
  };
  return { title: `${name} RGBA ${from.join('x')} to pixel_values, ${title}`, contenders, bars };
}

/** The time of a source pixel where rows go first, as a multiple of that where columns do. */
function prepareVerticalFirst() {
  const wide = { ...verticalFirst, from: resizeWorkloads.find(({ name }) => name === 'R2').from };
  const call = (workload) => resizeCall(workload, pictureOf(workload.channels, workload.from), 'pil');
  const pixels = ({ from: [width, height] }) => width * height;
  return {
    title: titleOf(verticalFirst),
    contenders: { tall: call(verticalFirst), wide: call(wide) },
    references: (times) => ({ 'wide, per pixel': (times.wide * pixels(verticalFirst)) / pixels(wide) }),
    bars: { tall: { 'wide, per pixel': [verticalFirst.most] } },
  };
}

/** The checks by the name that `--only` takes: `resize` takes all of them. */
export const resizeChecks = checksOf('resize', {
  ...contestsOf(resizeWorkloads, prepare),
  ...contestsOf(pixelValuesWorkloads, preparePixelValues),
  RV: prepareVerticalFirst,
});
