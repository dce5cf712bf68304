/** Times `resize` and `letterbox` as OpenCV beside opencv-js, plain loops, and cv2 in Python. */
import { imageToTensor, letterbox, letterboxGeometry, resize } from '../../js/image/index.js';
import { checksOf, contest, expectHash, inPython } from './contest.js';
import { hashOf } from './data.js';
import { loopLetterbox, loopPlanes, loops } from './opencv-loops.js';
import { openCvJs } from './opencv-peers.js';
import { openCvWorkloads } from './opencv-workloads.js';
import { pictureOf } from './photo.js';

/** cv2's resize, and its border around it. */
function inCv2({ data, width, height, channels }, filter, { width: columns, height: rows, geometry }) {
  const inner = geometry?.resized ?? { width: columns, height: rows };
  const { left, top } = geometry ?? { left: 0, top: 0 };
  const bars = geometry && [top, rows - top - inner.height, left, columns - left - inner.width];
  const size = [inner.width, inner.height];
  return inPython('opencv', [data], ([file]) => ({ cv2: { file, width, height, channels, size, filter, bars } }));
}

/** Our call, and the plain loop. `yolo` goes on to float32 planes, divided by 255. */
function callsOf({ name, to: [width, height] }, picture, geometry) {
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
async function measure(workload, options) {
  const { name, channels, from, to, bars } = workload;
  const { rgba: _, ...picture } = pictureOf(channels, from);
  const [width, height] = to;
  const isBox = name === 'letterbox' || name === 'yolo';
  const geometry = isBox ? letterboxGeometry(picture, { width, height }) : undefined;
  const filter = isBox ? 'linear' : name;
  const title = `${name} of ${from.join('x')} x ${channels} to ${to.join('x')}`;
  const contenders = callsOf(workload, picture, geometry);
  const expected = hashOf(contenders.ours());
  const how = { width, height, filter, geometry };
  const { resident, copied } = await openCvJs(picture, how);
  if (name !== 'yolo') contenders.resident = resident;
  contenders['opencv-js'] = name === 'yolo' ? () => loopPlanes(copied()) : copied;
  // opencv-js sums cubic in whole numbers, as the loop does; OpenCV with SIMD in float32.
  const theirs = name === 'cubic' ? hashOf(copied()) : expected;
  for (const peer of ['JS loop', 'opencv-js']) expectHash(`${title}, ${peer}`, contenders[peer](), theirs);
  if (name === 'yolo') return contest(title, contenders, { ours: bars }, options);
  const python = await inCv2(picture, filter, how);
  if (python.answers.cv2) expectHash(`${title}, cv2`, python.answers.cv2.sha256, expected);
  const result = await contest(title, { ...contenders, ...python.contenders }, { ours: bars }, options);
  python.end();
  return result;
}

/** The checks by the name that `--only` takes: `opencv` takes all of them. */
export const openCvChecks = checksOf('opencv', openCvWorkloads, measure);
