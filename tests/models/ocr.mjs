/** PP-OCR's detector and recognizer, from a picture to its texts. */
import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readModel } from 'onnx-layout/io';
import { cropTextBox, ctcDecode, sortTextBoxes, textDetection } from 'onnx-layout/postprocess';
import { Tensor, toOrt } from 'onnx-layout';
import { imageToTensor, textDetectionSize, textLineBatches, textPage, unletterbox } from 'onnx-layout/image';
import * as ort from 'onnxruntime-web';
import { PNG } from 'pngjs';

const goldens = new URL('../goldens/models/', import.meta.url);

/** @type {(folder: string) => Promise<void>} */
export async function readTexts(folder) {
  const expected = JSON.parse(readFileSync(new URL('ocr.json', goldens), 'utf8'));
  const { data, width, height } = PNG.sync.read(readFileSync(new URL('text.png', goldens)));
  const picture = { data, width, height, channels: 4 };
  const detector = await ort.InferenceSession.create(readFileSync(join(folder, 'PP-OCRv6_det_small.onnx')));
  const recognizerFile = readFileSync(join(folder, 'PP-OCRv6_rec_small.onnx'));
  const recognizer = await ort.InferenceSession.create(recognizerFile);
  const run = async (session, input) =>
    Object.values(await session.run({ [session.inputNames[0]]: toOrt(ort, input) }))[0];

  const page = textPage(picture);
  const map = await run(detector, imageToTensor(page, { preset: 'rapidocr-det', ...textDetectionSize(page) }));
  const boxes = sortTextBoxes(textDetection(map, { size: [page.height, page.width] }).boxes);
  deepEqual([...unletterbox(boxes.data, page, { format: 'points' })], expected.boxes.flat(2));

  const pixels = new Tensor('uint8', page.data, [page.height, page.width, page.channels]);
  const lines = Array.from({ length: boxes.dims[0] }, (_, i) => {
    const { data: line, dims } = cropTextBox(pixels, new Tensor('float32', boxes.data.slice(8 * i, 8 * i + 8), [4, 2]));
    return { data: line, width: dims[1], height: dims[0] };
  });
  // RapidOCR puts the blank in front and a space behind.
  const characters = ['', ...readModel(recognizerFile).metadataProps.get('character').split('\n'), ' '];
  const texts = [];
  for (const { indices, letterbox } of textLineBatches(lines)) {
    const images = indices.map((i) => lines[i]);
    const steps = await run(recognizer, imageToTensor(images, { preset: 'rapidocr-text', letterbox }));
    const found = ctcDecode(steps, { character_list: characters, round: 5 });
    indices.forEach((i, k) => (texts[i] = found[k]));
  }
  deepEqual(
    texts.map(({ text }) => text),
    expected.texts,
  );
  const apart = texts.map(({ score }, i) => Math.abs(score - expected.text_scores[i]));
  console.log(`PP-OCR: ${texts.length} texts are equal, scores at most ${Math.max(...apart).toFixed(5)} apart`);
}
