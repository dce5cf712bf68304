/** Times `resize` and `imageToTensor` beside the libraries of JavaScript and Python that do the same. */
import { imageToTensor, resize } from '../../js/image/index.js';
import { hashOf, roomFor } from './data.js';
import { budgetOf, race } from './measure.js';
import { once, pictureOf } from './photo.js';
import { loopResize } from './resize-loops.js';
import { loadProcessor, loadResizers } from './resize-peers.js';
import { startPython } from './resize-python.js';
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

function expectSame(title, actual, expected) {
  if (actual !== expected) throw new Error(`${title}: the results differ`);
}

/** Each bar beside its ratio, where both sides were measured. */
function compare(times, bars) {
  return Object.entries(bars).flatMap(([backend, limits]) =>
    Object.entries(limits ?? {})
      .filter(([against, limit]) => limit && times[against])
      .map(([against, [must, aim]]) => {
        const ratio = times[backend] / times[against];
        return { backend, against, ratio, must, aim, pass: ratio <= must };
      }),
  );
}

const judged = (name, title, times, ratios) => ({ name, title, times, ratios, pass: ratios.every(({ pass }) => pass) });

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
  const { name, channels, from, to, filter, premultiply, bars } = workload;
  const title = titleOf(workload);
  const picture = pictureOf(channels, from);
  const size = { width: to[0], height: to[1], filter };
  const contenders = { memcpy: memcpyOf(picture), pil: ours(picture, { ...size, premultiply }) };
  if (bars.torchvision) contenders.torchvision = ours(picture, { ...size, backend: 'torchvision' });
  const hashes = { Pillow: hashOf(contenders.pil().data) };
  if (bars.torchvision) hashes.torchvision = hashOf(contenders.torchvision().data);
  if (!premultiply) {
    contenders['JS loop'] = () => loopResize(picture, ...to, filter);
    expectSame(`${title}, JS loop`, hashOf(contenders['JS loop']()), hashes.Pillow);
  }
  for (const [peer, prepare] of Object.entries(await resizers())) {
    if (peer === 'jsquash' || peer === 'pica') if (channels !== 4) continue;
    contenders[peer] = prepare(picture, to, filter, premultiply);
  }
  const python = await startPython();
  for (const library of Object.keys(python?.versions ?? {})) {
    if (!hashes[library]) continue;
    const contender = await python.contender(library, picture, to, filter, premultiply);
    expectSame(`${title}, ${library}`, contender.sha256, hashes[library]);
    contenders[library === 'torchvision' ? 'torch' : library] = contender;
  }
  const times = await race(contenders, budgetOf(options));
  python?.end();
  return { ...judged(name, title, times, compare(times, bars)), python: python?.versions };
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
  const times = await race(contenders, budgetOf(settings));
  return judged(name, `${name} RGBA ${from.join('x')} to pixel_values, ${title}`, times, compare(times, bars));
}

/** The time of a source pixel where rows go first, as a multiple of that where columns do. */
async function measureVerticalFirst(options) {
  const { name, channels, from, to, filter, most } = verticalFirst;
  const wide = resizeWorkloads.find((workload) => workload.name === 'R2');
  const size = { width: to[0], height: to[1], filter };
  const times = await race(
    { tall: ours(pictureOf(channels, from), size), wide: ours(pictureOf(channels, wide.from), size) },
    budgetOf(options),
  );
  const pixels = ([width, height]) => width * height;
  const ratio = times.tall / pixels(from) / (times.wide / pixels(wide.from));
  const ratios = [{ backend: 'tall', against: 'wide, per pixel', ratio, must: most, pass: ratio <= most }];
  return judged(name, titleOf(verticalFirst), times, ratios);
}

/** The checks by the name that `--only` takes: `resize` takes all of them. */
export const resizeChecks = {
  ...Object.fromEntries(
    resizeWorkloads.map((workload) => [`resize-${workload.name}`, (options) => measure(workload, options)]),
  ),
  ...Object.fromEntries(
    pixelValuesWorkloads.map((workload) => [
      `resize-${workload.name}`,
      (options) => measurePixelValues(workload, options),
    ]),
  ),
  'resize-RV': measureVerticalFirst,
};
