/** OpenCV in its own wasm module: pictures as `Mat`s in its memory. */
import { importPeer } from './peers.js';

/**
 * Loads the module. It is in a box, since it is a promise of itself.
 * @returns {Promise<{ cv: any }>}
 */
export async function loadOpenCv() {
  const { default: module } = await importPeer('@techstark/opencv-js');
  return new Promise((resolve) => {
    module.then((cv) => resolve({ cv }));
  });
}

/**
 * Makes two contenders of a workload: one whose pictures stay in the module's memory, and one that copies them.
 * @param {object} picture
 * @param {{ width: number, height: number, filter?: string, geometry?: object }} how to a size, or into a letterbox
 * @returns {Promise<{ resident: () => void, copied: () => Uint8Array }>}
 */
export async function openCvJs({ data, width, height, channels }, { width: columns, height: rows, filter, geometry }) {
  const { cv } = await loadOpenCv();
  const type = { 3: cv.CV_8UC3, 4: cv.CV_8UC4 }[channels];
  const code = { linear: cv.INTER_LINEAR, area: cv.INTER_AREA, cubic: cv.INTER_CUBIC }[filter];
  const [source, resized, framed] = [new cv.Mat(height, width, type), new cv.Mat(), new cv.Mat()];
  source.data.set(data);
  const inner = geometry?.resized ?? { width: columns, height: rows };
  const size = new cv.Size(inner.width, inner.height);
  const gray = new cv.Scalar(114, 114, 114, 114);
  const resident = () => {
    cv.resize(source, resized, size, 0, 0, code);
    if (!geometry) return;
    const { left, top } = geometry;
    const [right, bottom] = [columns - left - inner.width, rows - top - inner.height];
    cv.copyMakeBorder(resized, framed, top, bottom, left, right, cv.BORDER_CONSTANT, gray);
  };
  const copied = () => {
    source.data.set(data);
    resident();
    return (geometry ? framed : resized).data.slice();
  };
  return { resident, copied };
}
