/** Times `resize` and `imageToTensor` beside the libraries of JavaScript and Python that do the same. */
import { imageToTensor, resize } from '../../js/image/index.js';
import { checksOf, contest, expectHash, inPython, judged, ratioOf } from './contest.js';
import { hashOf, roomFor } from './data.js';
import { budgetOf, race } from './measure.js';
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

/** The memory of a call's result is its own, as that of all contenders. */
const ours = ({ data, width, height, channels }, options) => {
  const image = { data, width, height, channels };
  return () => resize(image, options);
};

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
async function measure(workload, options) {
  const { channels, from, to, filter, premultiply, bars } = workload;
  const title = titleOf(workload);
  const picture = pictureOf(channels, from);
  const shape = { width: from[0], height: from[1], channels };
  const size = { width: to[0], height: to[1], filter };
  const contenders = { memcpy: memcpyOf(picture), pil: ours(picture, { ...size, premultiply }) };
  if (bars.torchvision) contenders.torchvision = ours(picture, { ...size, backend: 'torchvision' });
  const hashes = { Pillow: hashOf(contenders.pil().data) };
  if (bars.torchvision) hashes.torchvision = hashOf(contenders.torchvision().data);
  if (!premultiply) {
    contenders['JS loop'] = () => loopResize(picture, ...to, filter);
    expectHash(`${title}, JS loop`, contenders['JS loop'](), hashes.Pillow);
  }
  for (const [peer, prepare] of Object.entries(await resizers())) {
    if (peer === 'jsquash' || peer === 'pica') if (channels !== 4) continue;
    contenders[peer] = prepare(picture, to, filter, premultiply);
  }
  const libraries = { Pillow: 'Pillow', torch: 'torchvision' };
  const python = await inPython('resize', [picture.data], ([file], { versions }) =>
    Object.fromEntries(
      Object.entries(libraries)
        .filter(([, library]) => versions[library] && hashes[library])
        .map(([label, library]) => [label, { library, file, ...shape, size: to, filter, premultiply }]),
    ),
  );
  for (const [label, { sha256 }] of Object.entries(python.answers))
    expectHash(`${title}, ${label}`, sha256, hashes[libraries[label]]);
  const result = await contest(title, { ...contenders, ...python.contenders }, bars, options);
  python.end();
  return { ...result, python: python.versions };
}

/** From RGBA to pixel_values. transformers.js resizes otherwise, so that the numbers are not compared. */
async function measurePixelValues({ name, title, channels, from, options, processor, config, bars }, settings) {
  const { rgba, ...picture } = pictureOf(channels, from);
  const image = { ...picture, data: rgba };
  const prepare = await loadProcessor(processor, config);
  const contenders = {
    memcpy: memcpyOf(image),
    pil: () => imageToTensor(image, options),
    torchvision: () => imageToTensor(image, { ...options, backend: 'torchvision' }),
    'transformers.js': prepare(image),
  };
  return contest(`${name} RGBA ${from.join('x')} to pixel_values, ${title}`, contenders, bars, settings);
}

/** The time of a source pixel where rows go first, as a multiple of that where columns do. */
async function measureVerticalFirst(options) {
  const { channels, from, to, filter, most } = verticalFirst;
  const wide = resizeWorkloads.find((workload) => workload.name === 'R2');
  const size = { width: to[0], height: to[1], filter };
  const times = await race(
    { tall: ours(pictureOf(channels, from), size), wide: ours(pictureOf(channels, wide.from), size) },
    budgetOf(options),
  );
  const pixels = ([width, height]) => width * height;
  const ratio = times.tall / pixels(from) / (times.wide / pixels(wide.from));
  return judged(titleOf(verticalFirst), times, [ratioOf('tall', 'wide, per pixel', ratio, most)]);
}

/** The checks by the name that `--only` takes: `resize` takes all of them. */
export const resizeChecks = {
  ...checksOf('resize', resizeWorkloads, measure),
  ...checksOf('resize', pixelValuesWorkloads, measurePixelValues),
  'resize-RV': measureVerticalFirst,
};
