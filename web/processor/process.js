/** The worker's part of the processor panel: a picture through an image processor, step by step. */
import { Tensor } from 'onnx-layout';
import { imageToTensor, tensorToImage } from 'onnx-layout/image';
import { imageProcessor } from 'onnx-layout/processors';
import { differenceOf } from '../shared/pictures/difference.js';
import { thinOut } from '../shared/pictures/thin.js';

/** The pixels on the longer side of a picture that is shown, and the greatest number of them. */
const [shownSize, mostShown] = [400, 12];

/**
 * The picture that is shown.
 * @type {ImageBitmap}
 */
let image;

/** The picture, for the answer of a model. */
export const currentImage = () => image;

/** RGB bytes as RGBA. */
const rgbaOf = ({ data, width, height }) =>
  tensorToImage(new Tensor('uint8', data, [height, width, 3]), { layout: 'HWC', channels: 'RGB' });

/**
 * The planes of a tensor's first picture as gray pictures, its range from black to white.
 * @param {Tensor} tensor float32 [..., C, H, W]
 */
function planesOf({ dims, data }) {
  if (dims.length < 4) return [];
  const [channels, height, width] = dims.slice(-3);
  const size = width * height;
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < channels * size; i++) [least, most] = [Math.min(least, data[i]), Math.max(most, data[i])];
  const scale = 255 / (most - least || 1);
  return Array.from({ length: channels }, (_, c) => {
    const rgba = new Uint8ClampedArray(4 * size).fill(255);
    for (let i = 0; i < size; i++) rgba.fill((data[c * size + i] - least) * scale, 4 * i, 4 * i + 3);
    return thinOut({ data: rgba, width, height }, shownSize);
  });
}

/** The canvas resizes the picture in the place of the first step, where that step resizes. */
function comparedWithCanvas(ours) {
  const { width, height } = ours;
  const options = { width, height, fit: 'fill', layout: 'HWC', channels: 'RGB', dtype: 'uint8', filter: 'canvas' };
  const canvas = tensorToImage(imageToTensor(image, options), { layout: 'HWC', channels: 'RGB' });
  const { picture, ...numbers } = differenceOf(ours, canvas, 3);
  return { ...numbers, canvas: thinOut(canvas, shownSize), difference: thinOut(picture, shownSize) };
}

/**
 * Processes a picture and makes everything that the panel shows.
 * @param {ImageBitmap | undefined} given a new picture; the one before if omitted
 * @param {string} config JSON
 * @param {'torchvision' | 'pil'} backend
 */
export function processImage(given, config, backend) {
  if (given) {
    image?.close();
    image = given;
  }
  const processor = imageProcessor(config, { backend });
  const steps = [];
  let comparison;
  const start = performance.now();
  processor(image);
  const ms = performance.now() - start;
  const outputs = processor(image, {
    onStep: ({ pixels, image: _, ...step }) => {
      if (!pixels || steps.length >= mostShown) {
        steps.push(step);
        return;
      }
      const picture = rgbaOf(pixels());
      if (step.name === 'resize' && steps.length === 0) comparison = comparedWithCanvas(picture);
      steps.push({ ...step, picture: thinOut(picture, shownSize) });
    },
  });
  const { pixel_values: values } = outputs;
  return {
    ms,
    type: processor.className,
    ignored: [...processor.ignored],
    steps,
    comparison,
    outputs: Object.fromEntries(Object.entries(outputs).map(([name, { type, dims }]) => [name, { type, dims }])),
    planes: planesOf(values),
    text: String(values),
  };
}
