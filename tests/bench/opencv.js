/** Times `resize` and `letterbox` as OpenCV beside opencv-js, plain loops, and cv2 in Python. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { imageToTensor, letterbox, letterboxGeometry, resize } from '../../js/image/index.js';
import { hashOf } from './data.js';
import { budgetOf, race } from './measure.js';
import { loopLetterbox, loopPlanes, loops } from './opencv-loops.js';
import { openCvJs } from './opencv-peers.js';
import { openCvWorkloads } from './opencv-workloads.js';
import { pictureOf } from './photo.js';
import { startPython } from './python.js';

function expectSame(title, actual, expected) {
  if (hashOf(actual) !== expected) throw new Error(`${title}: the results differ`);
}

/** cv2's resize, and its border around it. Undefined where Python is missing. */
async function cv2Of(title, { data, width, height, channels }, filter, { width: columns, height: rows, geometry }) {
  const python = await startPython('opencv-python.py', 'opencv-python.txt');
  if (python === undefined) return undefined;
  const { ask, folder, end } = python;
  const file = join(folder, 'pixels');
  writeFileSync(file, data);
  const inner = geometry?.resized ?? { width: columns, height: rows };
  const { left, top } = geometry ?? { left: 0, top: 0 };
  const bars = geometry && [top, rows - top - inner.height, left, columns - left - inner.width];
  const size = [inner.width, inner.height];
  const { sha256 } = await ask({ file, width, height, channels, size, filter, bars });
  return { sha256, time: async (calls) => (await ask({ calls })).ms, end };
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
  for (const peer of ['JS loop', 'opencv-js']) expectSame(`${title}, ${peer}`, contenders[peer](), theirs);
  const cv2 = name === 'yolo' ? undefined : await cv2Of(title, picture, filter, how);
  if (cv2) {
    if (cv2.sha256 !== expected) throw new Error(`${title}, cv2: the results differ`);
    contenders.cv2 = cv2;
  }
  const times = await race(contenders, budgetOf(options));
  cv2?.end();
  const ratios = Object.entries(bars)
    .filter(([against]) => times[against])
    .map(([against, [must, aim]]) => {
      const ratio = times.ours / times[against];
      return { backend: 'ours', against, ratio, must, aim, pass: must === undefined || ratio <= must };
    });
  return { title, times, ratios, pass: ratios.every(({ pass }) => pass) };
}

/** The checks by the name that `--only` takes: `opencv` takes all of them. */
export const openCvChecks = Object.fromEntries(
  openCvWorkloads.map((workload) => [`opencv-${workload.name}`, (options) => measure(workload, options)]),
);
