/** Times `resize` and `letterbox` as OpenCV beside opencv-js, plain loops, and cv2 in Python. */
import { imageToTensor, letterbox, letterboxGeometry, resize } from '../../js/image/index.js';
import { checksOf, contestsOf, expectHash } from './contest.js';
import { hashOf } from './data.js';
import { loopLetterbox, loopPlanes, loops } from './opencv-loops.js';
import { openCvJs } from './opencv-peers.js';
import { pictureOf } from './photo.js';

const hd = [1920, 1080];
const icon = [224, 224];

/**
 * The calls that OpenCV's users make on pictures, with bars: upper limits of our time as a multiple of another's time
 * in the same run, as [must, aim]. `resident`: pictures stay in opencv-js's memory; `opencv-js` copies them in and out,
 * as ours does.
 */
const workloads = [
  { name: 'letterbox', channels: 3, from: hd, to: [640, 640], bars: { 'opencv-js': [1 / 2.5], cv2: [undefined, 2] } },
  { name: 'yolo', channels: 4, from: hd, to: [640, 640], bars: { 'opencv-js': [1 / 3, 1 / 5] } },
  { name: 'linear', channels: 3, from: hd, to: icon, bars: { resident: [1, 1 / 2] } },
  { name: 'area', channels: 3, from: hd, to: icon, bars: { 'opencv-js': [1 / 3, 1 / 6], cv2: [1 / 2.5] } },
  { name: 'cubic', channels: 3, from: icon, to: [1024, 1024], bars: { 'opencv-js': [1 / 4], cv2: [undefined, 1] } },
];

/** cv2's resize, and its border around it. */
function inCv2({ data, width, height, channels }, expected, { width: columns, height: rows, filter, geometry }) {
  const inner = geometry?.resized ?? { width: columns, height: rows };
  const { left, top } = geometry ?? { left: 0, top: 0 };
  const bars = geometry && [top, rows - top - inner.height, left, columns - left - inner.width];
  const request = { width, height, channels, size: [inner.width, inner.height], filter, bars, expected };
  return { name: 'opencv', arrays: [data], requests: [request] };
}

/** Our call, and the plain loop. `yolo` goes on to float32 planes, divided by 255. */
function callsOf(name, picture, { width, height, geometry }) {
  const box = { width, height };
  if (name === 'yolo')
    return {
      ours: () => imageToTensor(picture, { preset: 'yolo', letterbox: box }).data,
      'JS loop': () => loopPlanes(loopLetterbox(picture, geometry)),
    };
  if (geometry) return { ours: () => letterbox(picture, box).data, 'JS loop': () => loopLetterbox(picture, geometry) };
  return {
    ours: () => resize(picture, { ...box, backend: 'opencv', filter: name }).data,
    'JS loop': () => loops[name](picture, width, height),
  };
}

/** One workload beside its peers, all in turn. The results are equal byte for byte, but for opencv-js's cubic. */
async function prepare({ name, channels, from, to, bars }) {
  const { rgba: _, ...picture } = pictureOf(channels, from);
  const [width, height] = to;
  const isBox = name === 'letterbox' || name === 'yolo';
  const geometry = isBox ? letterboxGeometry(picture, { width, height }) : undefined;
  const task = { width, height, filter: isBox ? 'linear' : name, geometry };
  const title = `${name} of ${from.join('x')} x ${channels} to ${to.join('x')}`;
  const contenders = callsOf(name, picture, task);
  const expected = hashOf(contenders.ours());
  const { resident, copied } = await openCvJs(picture, task);
  if (name !== 'yolo') contenders.resident = resident;
  contenders['opencv-js'] = name === 'yolo' ? () => loopPlanes(copied()) : copied;
  // opencv-js sums cubic in whole numbers, as the loop does; OpenCV with SIMD in float32.
  const theirs = name === 'cubic' ? hashOf(copied()) : expected;
  for (const peer of ['JS loop', 'opencv-js']) expectHash(`${title}, ${peer}`, contenders[peer](), theirs);
  const python = name === 'yolo' ? undefined : inCv2(picture, expected, task);
  return { title, contenders, python, bars: { ours: bars } };
}

/** The checks by the name that `--only` takes: `opencv` takes all of them. */
export const openCvChecks = checksOf('opencv', contestsOf(workloads, prepare));
