/**
 * The page of web/, built and served by its command, used as a person would in both browsers. Its numbers are compared
 * with values that are computed here.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statfsSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PNG } from 'pngjs';
import {
  Tensor,
  concat,
  dtypes,
  flatten,
  pad,
  rearrange,
  reshape,
  slice,
  splitToSequence,
  toOrt,
  transpose,
} from 'onnx-layout';
import { imageToTensor } from 'onnx-layout/image';
import { encodeWav, featureExtractor, init as initAudio, resampleAudio, toMono } from 'onnx-layout/audio';
import {
  Entry,
  dequantizeWeights,
  openSafetensors,
  readModel,
  saveModel,
  saveSafetensors,
  writeNpy,
  writeSafetensors,
} from 'onnx-layout/io';
import { init as initAnswers, postProcessor } from 'onnx-layout/postprocess';
import { imageProcessor, init } from 'onnx-layout/processors';
import * as ort from 'onnxruntime-web';
import { launch, open } from '../engines/browsers.js';
import { labels, palette } from '../../web/models/colors.js';
import { detrModel, samModel, segformerModel, things } from '../../web/models/models.js';
import { configs } from '../../web/processor/files.js';
import { showBytes } from '../../web/shared/number-text.js';
import { root } from '../support/packed.js';
import { temporaryFolder } from '../support/programs.js';
import { hasHoles, sparseSafetensors } from '../support/sparse-files.js';
import { decodeByFormula } from '../tensor/codec.reference.js';
import { inBrowsers } from './in-browsers.js';

let server;

async function startServer() {
  const socket = createServer().listen(0, 'localhost');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  const command = spawn(process.execPath, ['web/run.mjs', '--port', String(port)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(command.stdout)) {
    const url = /^The page: (\S+)/.exec(line)?.[1];
    if (url)
      return {
        url,
        stop: () => {
          command.kill('SIGKILL');
          return once(command, 'exit');
        },
      };
  }
  throw new Error('web/run.mjs ended');
}

beforeAll(async () => {
  await Promise.all([init(), initAnswers(), initAudio()]);
  server = await startServer();
});

afterAll(() => server?.stop());

const hasReference = existsSync(join(root, 'build/api/index.html'));

/** 5 x 3 pixels of as many colors. */
const picture = new PNG({ width: 5, height: 3 });
for (let i = 0; i < picture.data.length; i++) picture.data[i] = i % 4 === 3 ? 255 : (37 * i) % 251;
const png = PNG.sync.write(picture);

/** Drops files, each with its name, bytes and type. */
const dropAll = (page, files) =>
  page.evaluate(
    (files) => {
      const dataTransfer = new DataTransfer();
      for (const [name, base64, type] of files) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], name, { type }));
      }
      for (const type of ['dragenter', 'dragover', 'drop'])
        document
          .querySelector('section:not([hidden]) .drop')
          .dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    files.map(([name, bytes, type]) => [name, Buffer.from(bytes).toString('base64'), type]),
  );
const drop = (page, bytes = png, name = 'colours.png', type = 'image/png') => dropAll(page, [[name, bytes, type]]);

const shows = (page, selector, text) => page.locator(selector).filter({ hasText: text }).first().waitFor();
const card = (page, title) =>
  page.locator('section.card', { has: page.getByRole('heading', { name: title, exact: true }) });
const choose = (page, group, option) =>
  page.getByRole('group', { name: group, exact: true }).getByRole('radio', { name: option, exact: true }).check();

inBrowsers((openPage, _, some) => {
  let tab;

  /** Opens the page, and checks afterwards that it said nothing. */
  const onPage = (query, use) => async () => {
    tab = await openPage(server.url + query, { viewport: { width: 1280, height: 900 } });
    try {
      await use(tab.page);
      expect(tab.complaints).toEqual([]);
    } finally {
      await tab.page.context().close();
    }
  };

  some(
    'a dropped picture becomes the tensor that the options ask for',
    onPage('?panel=image&width=5&height=3&fit=fill', async (page) => {
      await shows(page, '#image-dims', 'float32 [1, 3, 3, 5]');
      await drop(page);
      await page.getByText('colours.png, 5 × 3').waitFor();
      await choose(page, 'Layout', 'NHWC');
      await choose(page, 'Channels', 'BGR');
      await page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('uint8');
      await choose(page, 'Values', 'none');
      await shows(page, '#image-dims', 'uint8 [1, 3, 5, 3]');
      const expected = imageToTensor(
        { data: picture.data, width: 5, height: 3 },
        { layout: 'NHWC', channels: 'BGR', dtype: 'uint8' },
      );
      await shows(page, '#image-values', String(expected).split('\n')[0]);
      expect(await page.locator('#image-planes canvas').count()).toBe(3);
      expect(await page.locator('#image-comparison').textContent()).toBe(
        'This picture has the size of the tensor already.',
      );
      expect(await page.locator('#image-code').textContent()).toContain(
        "layout: 'NHWC', channels: 'BGR', dtype: 'uint8'",
      );
      expect(new URL(page.url()).search).toBe(
        '?panel=image&width=5&height=3&fit=fill&layout=NHWC&channels=BGR&type=uint8&preset=none',
      );
      // The address says all but the picture.
      await page.reload();
      await shows(page, '#image-dims', 'uint8 [1, 3, 5, 3]');
      expect(
        await page
          .getByRole('group', { name: 'Layout', exact: true })
          .getByRole('radio', { checked: true })
          .getAttribute('value'),
      ).toBe('NHWC');
    }),
  );

  /** The comparison as the page shows it: the pixels of its pictures, and the text about each. */
  const comparison = (page) =>
    page.locator('#image-comparison figure').evaluateAll((figures) =>
      figures.map((node) => {
        const canvas = node.querySelector('canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const about = [...node.querySelectorAll('figcaption > *')].map(({ textContent }) => textContent);
        return { rgba: [...data], dims: [canvas.height, canvas.width], about };
      }),
    );
  const rgb = ({ rgba }) => rgba.filter((_, i) => i % 4 < 3);

  some(
    'a picture is resized as Python does, beside what the canvas makes of it',
    onPage('?panel=image&width=3&height=2&fit=fill&layout=NHWC&type=uint8&preset=none', async (page) => {
      const image = { data: picture.data, width: 5, height: 3 };
      const expected = (options) =>
        imageToTensor(image, { width: 3, height: 2, layout: 'NHWC', dtype: 'uint8', ...options });
      await shows(page, '#image-dims', 'uint8 [1, 2, 3, 3]');
      await drop(page);
      await page.getByText('colours.png, 5 × 3').waitFor();
      const options = async () => page.getByLabel('Filter').locator('option').allTextContents();
      expect(await options()).toEqual(['nearest', 'box', 'bilinear', 'hamming', 'bicubic', 'lanczos']);
      await page.getByLabel('Filter').selectOption('hamming');
      await shows(page, '#image-comparison figure', 'Pillow’s hamming');

      const [ours, canvas, difference] = await comparison(page);
      expect(rgb(ours)).toEqual([...expected({ backend: 'pil', filter: 'hamming' }).data]);
      expect([ours.dims, canvas.dims, difference.dims]).toEqual(Array(3).fill([2, 3]));
      expect(ours.about).toEqual([
        'Pillow’s hamming',
        'equal to Pillow, bit for bit',
        expect.stringMatching(/^[\d.]+ ms, after [\d.]+ ms to read 5\u00a0×\u00a03 pixels$/),
        'in the tensor',
      ]);
      expect(canvas.about).toEqual(['The canvas', expect.stringMatching(/^[\d.]+ ms, reading included$/)]);
      const apart = rgb(ours).map((byte, i) => Math.abs(byte - rgb(canvas)[i]));
      const mean = apart.reduce((sum, distance) => sum + distance, 0) / apart.length;
      const factor = 2 ** Math.floor(Math.log2(255 / Math.max(...apart)));
      expect(difference.about).toEqual([
        'Difference',
        `greatest ${Math.max(...apart)} of 255`,
        `mean ${new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }).format(mean)} over all channels`,
        `amplified × ${factor}`,
      ]);
      expect(rgb(difference)).toEqual(apart.map((distance) => factor * distance));

      // torchvision has no hamming. The arrows of the keyboard walk through the backends.
      const backend = (option) =>
        page.getByRole('group', { name: 'Backend', exact: true }).getByRole('radio', { name: option, exact: true });
      await backend('pil').press('ArrowRight');
      await shows(page, '#image-comparison figure', 'torchvision’s bilinear');
      expect(await options()).toEqual(['nearest', 'nearest_exact', 'bilinear', 'bicubic', 'lanczos']);
      expect(await page.getByLabel('Filter').inputValue()).toBe('bilinear');
      const torchvision = expected({ backend: 'torchvision', filter: 'bilinear' });
      expect(rgb((await comparison(page))[0])).toEqual([...torchvision.data]);
      await shows(page, '#image-values', String(torchvision).split('\n')[0]);
      await shows(page, '#image-code', "backend: 'torchvision', filter: 'bilinear'");

      await backend('torchvision').press('ArrowRight');
      await shows(page, '#image-comparison figure', 'OpenCV’s linear');
      const opencv = expected({ backend: 'opencv' });
      expect(rgb((await comparison(page))[0])).toEqual([...opencv.data]);
      await shows(page, '#image-values', String(opencv).split('\n')[0]);
      await shows(page, '#image-code', "backend: 'opencv', filter: 'linear'");

      await backend('opencv').press('ArrowRight');
      await shows(page, '#image-code', "filter: 'canvas'");
      expect(await page.getByLabel('Filter').isDisabled()).toBe(true);
      const [beside, shown] = await comparison(page);
      expect(rgb(beside)).toEqual([...expected({}).data]);
      expect(shown.about.at(-1)).toBe('in the tensor');
      expect(rgb(shown)).toEqual(rgb(canvas));
      expect(new URL(page.url()).search).toBe(
        '?panel=image&width=3&height=2&fit=fill&backend=canvas&filter=hamming&layout=NHWC&type=uint8&preset=none',
      );
      // Back at Pillow, its filter is the one that was chosen.
      await backend('canvas').press('ArrowRight');
      await shows(page, '#image-comparison figure', 'Pillow’s hamming');
    }),
  );

  some(
    'a picture goes into a letterbox as YOLO has it',
    onPage('?panel=image&width=12&height=12&fit=fill&type=uint8&preset=none', async (page) => {
      await shows(page, '#image-dims', 'uint8 [1, 3, 12, 12]');
      await drop(page);
      await page.getByText('colours.png, 5 × 3').waitFor();
      await choose(page, 'Fit', 'letterbox');
      await shows(page, '#image-comparison figure', 'OpenCV’s linear');
      const backends = page.getByRole('group', { name: 'Backend', exact: true });
      expect(await backends.getByRole('radio', { checked: true }).getAttribute('value')).toBe('opencv');
      expect(await backends.getByRole('radio').first().isDisabled()).toBe(true);
      const letterbox = { width: 12, height: 12 };
      const image = { data: picture.data, width: 5, height: 3 };
      const expected = imageToTensor(image, { letterbox, dtype: 'uint8', layout: 'HWC' });
      const [ours, canvas] = await comparison(page);
      expect(rgb(ours)).toEqual([...expected.data]);
      expect([rgb(ours).slice(0, 3), rgb(canvas).slice(0, 3)]).toEqual([
        [114, 114, 114],
        [114, 114, 114],
      ]);
      await page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('float32');
      await choose(page, 'Values', 'yolo');
      await shows(page, '#image-values', String(imageToTensor(image, { letterbox, preset: 'yolo' })).split('\n')[0]);
      await shows(page, '#image-code', "letterbox: { width: 12, height: 12, filter: 'linear' }");
      await choose(page, 'Fit', 'contain');
      await shows(page, '#image-comparison figure', 'Pillow’s bicubic');
      expect(await backends.getByRole('radio').first().isDisabled()).toBe(false);
    }),
  );

  const dims = [2, 3, 4];
  const count = { type: 'int32', dims, data: Int32Array.from({ length: 24 }, (_, i) => i) };
  const result = (page) => card(page, 'Transpose').locator('figure', { hasText: 'result' }).locator('pre');

  some(
    'an axis is dragged, and moved by the keyboard',
    onPage('?panel=lens', async (page) => {
      await result(page)
        .getByText(String(transpose(count, { perm: [2, 0, 1] })), { exact: true })
        .waitFor();
      const box = (axis) => page.locator(`#lens-axes [data-axis="${axis}"]`).boundingBox();
      const [from, to] = [await box(2), await box(1)];
      await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
      await page.mouse.down();
      await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
      await page.mouse.move(to.x + to.width, to.y + to.height / 2, { steps: 4 });
      await page.mouse.up();
      await result(page)
        .getByText(String(transpose(count, { perm: [0, 1, 2] })), { exact: true })
        .waitFor();
      await page.locator('#lens-axes [data-axis="1"]').press('ArrowLeft');
      await result(page)
        .getByText(String(transpose(count, { perm: [1, 0, 2] })), { exact: true })
        .waitFor();
      expect(new URL(page.url()).search).toBe('?panel=lens&perm=1,0,2');
    }),
  );

  some(
    'shapes, axes and splits are those of the package, its refusals too',
    onPage('?panel=lens', async (page) => {
      const messageOf = (call) => {
        try {
          return call();
        } catch ({ message }) {
          return message;
        }
      };
      const text = (title) => card(page, title).locator('.result-area');
      for (const [shape, allowzero] of [
        [[0, -1], 0],
        [[4, -1, 2], 0],
        [[5, 5], 0],
      ]) {
        await page.locator('#lens-shape').fill(shape.join(', '));
        const expected = messageOf(() => `[${reshape(count, shape, { allowzero }).dims.join(', ')}]`);
        await text('Reshape').getByText(expected).waitFor();
      }
      await page.locator('#lens-axis').focus();
      await page.keyboard.press('ArrowRight');
      await text('Flatten')
        .getByText(`[${flatten(count, { axis: 2 }).dims.join(', ')}]`)
        .waitFor();
      for (const split of ['1', '1, 3', '1, 1']) {
        await page.locator('#lens-split').fill(split);
        const list = split.includes(',') ? split.split(',').map(Number) : Number(split);
        const expected = messageOf(() =>
          splitToSequence(count, list, { axis: 2 }).map((piece) => `[${piece.dims.join(', ')}]`),
        );
        if (typeof expected === 'string') await text('SplitToSequence').getByText(expected).waitFor();
        else await expectTexts(text('SplitToSequence').locator('.piece-dims'), expected);
      }
    }),
  );

  some(
    'a dropped configuration makes the tensors of its processor, step by step',
    onPage('?panel=processor&config=ViT&backend=pil', async (page) => {
      await shows(page, '#processor-dims', 'float32 [1, 3, 224, 224]');
      await drop(page);
      await page.getByText('colours.png, 5 × 3').waitFor();
      const config = {
        feature_extractor_type: 'CLIPFeatureExtractor',
        size: 6,
        crop_size: { height: 5, width: 8 },
        resample: 2,
        image_scale: 1,
      };
      await drop(page, Buffer.from(JSON.stringify(config)), 'preprocessor_config.json', 'application/json');
      await shows(page, '#processor-dims', 'float32 [1, 3, 5, 8]');
      const image = { data: picture.data, width: 5, height: 3, channels: 4 };
      const expected = imageProcessor(config, { backend: 'pil' })(image).pixel_values;
      expect(await page.locator('#processor-values').textContent()).toBe(String(expected));
      await expectTexts(page.locator('#processor-steps figure'), [
        'resize10 × 6bilinear',
        'crop8 × 5from 1, 0',
        'rescale× 0.00392',
        'normalize− 0.481, 0.458, 0.408÷ 0.269, 0.261, 0.276',
      ]);
      expect(await page.locator('#processor-steps canvas').count()).toBe(2);
      expect(await page.locator('#processor-planes canvas').count()).toBe(3);
      await expectTexts(page.locator('#processor-comparison figure b'), ['The canvas', 'Difference']);
      await card(page, 'Tensors').getByText('image_scale').waitFor();
      expect(await page.locator('#processor-code').textContent()).toContain(
        "imageProcessorAsync(config, { backend: 'pil' });",
      );
      await page.locator('#processor-config').fill('{ "image_processor_type": "VitImageProcessor" }');
      await shows(page, '#processor-problem', "unknown class 'VitImageProcessor'. Nearest: ViTImageProcessor, ");
      await choose(page, 'Model', 'DETR');
      await shows(page, '#processor-dims', 'float32 [1, 3, 400, 400]');
      await card(page, 'Tensors').getByText('int64 [1, 400, 400]').waitFor();
      expect(await page.locator('#processor-problem').isVisible()).toBe(false);
      expect(new URL(page.url()).search).toBe('?panel=processor&config=DETR&backend=pil');
      // Patches are no planes.
      await choose(page, 'Model', 'Qwen2-VL');
      await card(page, 'Tensors').getByText('image_grid_thw').waitFor();
      expect(await page.locator('#processor-planes canvas').count()).toBe(0);
    }),
  );

  /** The pixels of a canvas, as RGBA. */
  async function pixelsOf(page, selector) {
    const url = await page.locator(selector).evaluate((canvas) => canvas.toDataURL());
    return PNG.sync.read(Buffer.from(url.split(',')[1], 'base64'));
  }

  /** A configuration's answer to the picture that the page shows, computed here. */
  async function answerTo(page, [name, model], prompts) {
    const { data, width, height } = await pixelsOf(page, '.preview:visible');
    const image = { data, width, height, channels: 4 };
    const inputs = imageProcessor(configs[name])(image, prompts);
    const session = await ort.InferenceSession.create(model());
    const outputs = await session.run(toOrt(ort, inputs, session));
    return { inputs, outputs, size: [height, width], processor: postProcessor(configs[name]) };
  }
  const legend = (page) => page.locator('#processor-answer-legend li');
  const percent = (part) => `${(100 * part).toFixed(part < 0.1 ? 1 : 0)} %`;
  const expectLegend = async (page, expected) => {
    const isThere = (text) => document.querySelector('#processor-answer-legend').textContent === text;
    await page.waitForFunction(isThere, expected.join('')).catch(() => {});
    expect(await legend(page).allTextContents()).toEqual(expected);
  };
  /** How far a pixel of the answer's picture is from a color, or from the picture itself. */
  async function distance(page, x, y, color) {
    const pixel = ({ data, width }) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)];
    const drawn = pixel(await pixelsOf(page, '#processor-answer-picture'));
    const wanted = color ?? pixel(await pixelsOf(page, '.preview:visible'));
    return Math.max(...wanted.map((part, i) => Math.abs(part - drawn[i])));
  }

  some(
    'a model finds boxes and labels in the picture, once it is asked to',
    onPage('?panel=processor&config=DETR', async (page) => {
      await shows(page, '#processor-dims', 'float32 [1, 3, 400, 400]');
      expect(await page.locator('#processor-answer-picture').isVisible()).toBe(false);
      await page.locator('#processor-answer-run').click();
      await legend(page).first().waitFor();
      const detr = await answerTo(page, ['DETR', detrModel]);
      const options = { threshold: 0.9, target_sizes: [detr.size], id2label: things };
      const [{ boxes, scores, label_names }] = detr.processor.post_process_object_detection(detr.outputs, options);
      expect(label_names).toEqual(expect.arrayContaining(['red', 'yellow', 'green', 'teal']));
      await expectLegend(
        page,
        label_names.map((label, i) => `${label} ${percent(scores.data[i])}`),
      );
      const [left, top, , bottom] = boxes.data;
      const color = palette[labels.indexOf(label_names[0])];
      expect(await distance(page, Math.floor(left), Math.floor((top + bottom) / 2), color)).toBeLessThan(60);
      expect(await distance(page, 2, 2)).toBe(0);
      await shows(page, '#processor-answer-details', 'post_process_object_detection');
      await shows(page, '#processor-answer-code', '// pred_boxes: float32 [1, 20, 4]');
      expect(await page.locator('#processor-answer-run').isVisible()).toBe(false);

      // The model of another configuration answers by itself.
      await choose(page, 'Model', 'SegFormer');
      await shows(page, '#processor-answer-details', 'post_process_semantic_segmentation');
      const segformer = await answerTo(page, ['SegFormer', segformerModel]);
      const [map] = segformer.processor.post_process_semantic_segmentation(segformer.outputs, {
        target_sizes: [segformer.size],
      });
      const shares = labels.map((_, label) => map.data.filter((one) => one === label).length / map.data.length);
      const found = [...labels.keys()].filter((i) => shares[i] > 0).sort((a, b) => shares[b] - shares[a]);
      await expectLegend(
        page,
        found.map((i) => `${labels[i]} ${percent(shares[i])}`),
      );
      await choose(page, 'Model', 'CLIP');
      const none = 'This page has no model for this processor: choose DETR, SegFormer or SAM.';
      await shows(page, '#processor-answer-status', none);
      expect(await page.locator('#processor-answer-picture').isVisible()).toBe(false);
    }),
  );

  some(
    'a click on the picture is a point of the masks',
    onPage('?panel=processor&config=SAM', async (page) => {
      await shows(page, '#processor-dims', 'float32 [1, 3, 1024, 1024]');
      await page.locator('#processor-answer-run').click();
      await legend(page).first().waitFor();
      const points = page.locator('#processor-answer-points');
      const expected = async (input_points, input_labels) => {
        const { outputs } = await answerTo(page, ['SAM', samModel], {
          input_points: [input_points],
          input_labels: [input_labels],
        });
        return [...outputs.iou_scores.data].map((score, i) => `mask ${i}, score ${score.toFixed(2)}`);
      };
      await expectLegend(page, await expected([[215, 100]], [1]));
      expect(await distance(page, 5, 5)).toBe(0);
      expect(await distance(page, 215, 140)).toBeGreaterThan(40);
      await choose(page, 'A click is', 'outside');
      const box = await page.locator('#processor-answer-picture').boundingBox();
      await page.locator('#processor-answer-picture').click({ position: { x: box.width * 0.5, y: box.height * 0.2 } });
      const [, x, y] = /^\+215,100 -(\d+),(\d+)$/.exec(await points.inputValue()).map(Number);
      expect(Math.hypot(x - 320, y - 96)).toBeLessThan(3);
      const second = [
        [215, 100],
        [x, y],
      ];
      await expectLegend(page, await expected(second, [1, 0]));
      expect(new URL(page.url()).searchParams.get('points')).toBe(`+215,100 -${x},${y}`);
      await page.getByRole('button', { name: 'Clear' }).click();
      await expectLegend(page, await expected([[320, 240]], [1]));
      await points.fill('470,220');
      await expectLegend(page, await expected([[470, 220]], [1]));
      await shows(page, '#processor-answer-code', 'input_points: [[[x, y]]]');
    }),
  );

  async function expectTexts(locator, expected) {
    await locator.nth(expected.length - 1).waitFor();
    expect(await locator.allTextContents()).toEqual(expected);
  }

  const values = Float32Array.from({ length: 24 }, (_, i) => [0, NaN, -2, 0.5, 1, Infinity][i % 6]);
  const upperHalves = Uint16Array.from(new Uint32Array(values.buffer), (word) => word >>> 16);
  const tensors = new Map([
    ['layers.10.weight', { type: 'float32', data: values, dims: [4, 6] }],
    ['layers.2.weight', { type: 'bfloat16', data: upperHalves, dims: [24] }],
    ['layers.2.bias', { type: 'int64', data: BigInt64Array.of(3n, -1n), dims: [2] }],
    ['head', { type: 'complex64', data: Float32Array.of(1, 2), dims: [1] }],
  ]);
  const term = (page, title) =>
    page.locator('#weights-values div', { has: page.getByText(title, { exact: true }) }).locator('dd');
  const openTensor = (page, name) => page.locator(`#weights-tree [data-name="${name}"]`).click();

  some(
    'files of weights become a tree, and one of its tensors a histogram',
    onPage('?panel=weights', async (page) => {
      await shows(page, '#weights-read', 'All 128,000 values, 512 kB');
      const real = new Map([...tensors].filter(([name]) => name !== 'head'));
      await drop(page, writeSafetensors(real), 'small.safetensors', '');
      await shows(page, '#weights-about', 'small.safetensors');
      const labels = () => page.locator('#weights-tree .tree-label').allTextContents();
      expect(await labels()).toEqual(['layers.', '2.', 'bias', 'weight', '10.weight']);
      await expectTexts(page.locator('#weights-totals tbody tr'), ['float3212496 B', 'bfloat1612448 B', 'int641216 B']);
      await openTensor(page, 'layers.2.weight');
      await shows(page, '#weights-dims', 'bfloat16 [24]');
      await shows(page, '#weights-read', 'All 24 values, 48 B');
      for (const [title, text] of Object.entries({
        Least: '−2',
        Greatest: '1',
        Mean: '−0.125',
        Zero: '4 (16.7 %)',
        NaN: '4 (16.7 %)',
        Infinite: '4 (16.7 %)',
      }))
        expect([title, await term(page, title).textContent()]).toEqual([title, text]);
      const label = () => page.locator('#weights-histogram svg').getAttribute('aria-label');
      expect(await label()).toBe('Histogram of 49 bars from −2 to 1.0625, the highest of 4 values');
      await page.getByLabel('Logarithmic heights').check();
      expect(new URL(page.url()).search).toBe('?panel=weights&tensor=layers.2.weight&log=1');
      // The keyboard folds and chooses.
      await page.locator('#weights-tree summary', { hasText: '2.' }).press('Enter');
      expect(await page.locator('[data-name="layers.2.bias"]').isVisible()).toBe(false);
      await page.locator('[data-name="layers.10.weight"]').press('Enter');
      await shows(page, '#weights-dims', 'float32 [4, 6]');

      const ones = { type: 'uint8', data: Uint8Array.of(1, 1), dims: [2] };
      await drop(page, writeNpy(ones), 'ones.npy', '');
      await shows(page, '#weights-histogram', 'All finite numbers are 1.');
      await drop(page, writeNpy(tensors.get('head')), 'head.npy', '');
      await shows(page, '#weights-read', 'There is no histogram of complex64');
      await drop(page, Buffer.from('{"weight_map": 1}'), 'model.safetensors.index.json', '');
      await shows(page, '#weights-problem', 'openSafetensors: index must have a weight_map of strings');
      await drop(page, Buffer.from('x'), 'notes.txt', '');
      await shows(page, '#weights-problem', 'Choose a .safetensors, .onnx or .npy file, got notes.txt.');
    }),
  );

  some(
    'shards come with their index, and a model’s data may come later',
    onPage('?panel=weights&sample=wave.npy', async (page) => {
      await shows(page, '#weights-dims', 'float32 [256, 256]');
      const index = { weight_map: { 'layers.2.bias': 'a.safetensors', 'layers.10.weight': 'b.safetensors' } };
      const shards = Object.entries(index.weight_map).map(([name, file]) => {
        return [file, writeSafetensors(new Map([[name, tensors.get(name)]])), ''];
      });
      const indexFile = ['model.safetensors.index.json', Buffer.from(JSON.stringify(index)), ''];
      await dropAll(page, [indexFile, shards[0]]);
      await shows(page, '#weights-problem', 'b.safetensors is missing: choose or drop it too.');
      await dropAll(page, [shards[1]]);
      await shows(page, '#weights-about', 'in 3 files');
      await openTensor(page, 'layers.10.weight');
      await shows(page, '#weights-read', 'All 24 values, 96 B');
      await shows(page, '#weights-code', 'shard: (name) => files.get(name),');

      // Without an index, they are one model all the same.
      await dropAll(page, shards);
      await shows(page, '#weights-about', 'in 2 files');
      await shows(page, '#weights-code', 'for (const shard of shards)');
      await dropAll(page, [shards[0], ['copy.safetensors', shards[0][1], '']]);
      await shows(page, '#weights-problem', 'Two of the files have a tensor layers.2.bias.');

      // An empty graph.
      const model = Uint8Array.of(0x3a, 0);
      const weight = { type: 'float32', data: new Float32Array(1536), dims: [1536] };
      const made = await saveModel(model, new Map([['weight', weight]]), { externalName: 'weights.bin' });
      await drop(page, await bytesOf(made.model), 'model.onnx', '');
      await shows(page, '#weights-tensor-problem', 'weights.bin is missing: choose or drop it too.');
      await drop(page, await bytesOf(made.externalFile), 'weights.bin', '');
      await shows(page, '#weights-about', 'in 2 files');
      await shows(page, '#weights-read', 'All 1,536 values');
      const names = ['model.float16.onnx.data', 'model.float16.onnx'];
      await shows(page, '#weights-result', `${names[0]}, 3.07 kB; ${names[1]}`);
      const half = await saveModel(model, new Map([['weight', new Entry(weight).cast('float16')]]), {
        externalName: names[0],
      });
      expect(await saved(page, ...names)).toEqual([await bytesOf(half.externalFile), await bytesOf(half.model)]);
    }),
  );

  /**
   * Saves, and gives the bytes of the files. Where the browser has a picker, it gives files of the page's own file
   * system; otherwise the files are downloaded, of which Playwright's Firefox says nothing.
   */
  async function saved(page, ...files) {
    await page.evaluate(() => {
      globalThis.showSaveFilePicker &&= async ({ suggestedName }) =>
        (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });
      globalThis.showDirectoryPicker &&= () => navigator.storage.getDirectory();
      const made = new Map();
      URL.createObjectURL = (blob) => {
        const address = `blob:${made.size}`;
        made.set(address, blob);
        return address;
      };
      globalThis.downloaded = new Map();
      HTMLAnchorElement.prototype.click = function () {
        globalThis.downloaded.set(this.download, made.get(this.href));
      };
    });
    await page.locator('#weights-save').click();
    await shows(page, '#weights-saved', `${files.join(' and ')}: `);
    const read = (file) =>
      page.evaluate(async (file) => {
        const inside = async () => (await (await navigator.storage.getDirectory()).getFileHandle(file)).getFile();
        const blob = globalThis.downloaded.get(file) ?? (await inside());
        const bytes = new Uint8Array(await blob.arrayBuffer());
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
      }, file);
    const all = [];
    for (const file of files) all.push(Buffer.from(await read(file), 'base64'));
    return all;
  }
  async function bytesOf(file) {
    const parts = [];
    for await (const bytes of file) parts.push(bytes);
    return Buffer.concat(parts);
  }

  some(
    'weights are converted and saved as the package does',
    onPage('?panel=weights', async (page) => {
      await shows(page, '#weights-read', 'All 128,000 values');
      const real = new Map([...tensors].filter(([name]) => name !== 'head'));
      const file = writeSafetensors(real);
      await drop(page, file, 'small.safetensors', '');
      await page.locator('#weights-to').selectOption('float8e5m2');
      await shows(page, '#weights-result', 'small.float8e5m2.safetensors, ');
      const entries = await openSafetensors(file);
      const asked = new Map(
        [...entries].map(([name, entry]) => [name, entry.type === 'int64' ? entry : entry.cast('float8e5m2')]),
      );
      expect(await saved(page, 'small.float8e5m2.safetensors')).toEqual([await bytesOf(saveSafetensors(asked))]);
      await choose(page, 'File', 'npy');
      await openTensor(page, 'layers.2.bias');
      await shows(page, '#weights-result', 'layers.2.bias.npy');
      expect(await saved(page, 'layers.2.bias.npy')).toEqual([Buffer.from(writeNpy(tensors.get('layers.2.bias')))]);
      expect(new URL(page.url()).search).toBe('?panel=weights&tensor=layers.2.bias&to=float8e5m2&format=npy');
    }),
  );

  some(
    'a model is quantized and dequantized, with reports',
    onPage('?panel=weights&action=quantize&bits=8&block=64&symmetric=1', async (page) => {
      await shows(page, '#weights-result', 'encoder.int8.onnx');
      const [bytes] = await saved(page, 'encoder.int8.onnx');
      const model = readModel(bytes);
      const packed = model.nodes.filter(({ operator }) => operator === 'MatMulNBits');
      expect(packed.length).toBe(12);
      expect(packed[0].attributes.get('bits')).toBe(8);
      await shows(page, '#weights-report', 'layers.1.mlp.down.weight');
      await shows(page, '#weights-code', 'quantizeWeightsAsync');
      await choose(page, 'Do', 'dequantize');
      await shows(page, '#weights-result', 'encoder.plain.onnx');
      await saved(page, 'encoder.plain.onnx');
      await shows(page, '#weights-report', 'No node of the model has such weights.');
      const plain = Buffer.from(dequantizeWeights(bytes).model);
      await drop(page, bytes, 'encoder.int8.onnx', '');
      await shows(page, '#weights-result', `encoder.int8.plain.onnx, ${showBytes(plain.length)}`);
      expect(await saved(page, 'encoder.int8.plain.onnx')).toEqual([plain]);
      await shows(page, '#weights-report', 'layers.1.mlp.down.weight_Q8');
      await shows(page, '#weights-code', 'dequantizeWeightsAsync(file);');
    }),
  );

  some(
    'slices, pads, joins and patterns are those of the package, with their threads',
    onPage('?panel=lens', async (page) => {
      /** The dims, the cells of the result and the elements of the threads, once the call is shown. */
      const shown = async (title, call) => {
        const area = card(page, title).locator('.result-area');
        await area.getByText(call, { exact: true }).waitFor();
        const cells = await area.locator('.strip').nth(1).locator('.cell').allTextContents();
        const paths = area.locator('.threads path');
        const elements = await paths.evaluateAll((all) => all.map((path) => path.dataset.element));
        return [await area.locator('.facts dd').textContent(), cells, elements];
      };
      const expectMoved = async (title, call, { dims: own, data }) => {
        const all = [...data].map(String);
        const [cells, elements] = [all.map((entry) => (entry === '-1' ? '·' : entry)), all.filter((e) => e !== '-1')];
        expect(await shown(title, call)).toEqual([`[${own.join(', ')}]`, cells, elements]);
      };
      await expectMoved('Slice', 'slice(tensor, [-1], [0], [-1], [-2])', slice(count, [-1], [0], [-1], [-2]));
      await page.locator('#lens-slice-steps').fill('');
      await page.locator('#lens-slice-starts').fill('1');
      await page.locator('#lens-slice-ends').fill('9223372036854775807');
      const ends = '9223372036854775807';
      await expectMoved('Slice', `slice(tensor, [1], [${ends}], [-1])`, slice(count, [1], [BigInt(ends)], [-1]));
      await page.locator('#lens-slice-axes').fill('3');
      await card(page, 'Slice').getByText('Slice-13: axes must be in [-3, 2], got [3]', { exact: true }).waitFor();

      const mode = 'reflect';
      await expectMoved(
        'Pad',
        "pad(tensor, [1, 2], undefined, [-1], { mode: 'reflect' })",
        pad(count, [1, 2], null, [-1], { mode }),
      );
      await page.locator('#lens-mode').selectOption('constant');
      await page.locator('#lens-pads').fill('1, -1');
      await expectMoved('Pad', 'pad(tensor, [1, -1], -1, [-1])', pad(count, [1, -1], -1, [-1]));
      await page.locator('#lens-pads').fill('1, 1000000000');
      await card(page, 'Pad').getByText('has more than the 128 elements that are drawn').waitFor();

      await expectMoved('Concat', 'concat([tensor, tensor], { axis: 1 })', concat([count, count], { axis: 1 }));
      await page.locator('#lens-concat-axis').selectOption('-1');
      await expectMoved('Concat', 'concat([tensor, tensor], { axis: -1 })', concat([count, count], { axis: -1 }));

      const pattern = 'a ... (b c) -> b ... (a c)';
      await expectMoved('rearrange', `rearrange(tensor, '${pattern}', { c: 2 })`, rearrange(count, pattern, { c: 2 }));
      await page.locator('#lens-lengths').fill('');
      await page.locator('#lens-pattern').fill('a b');
      await card(page, 'rearrange')
        .getByText("rearrange: pattern must have one '->', got 'a b'", { exact: true })
        .waitFor();
      await page.locator('#lens-pattern').fill('a b c -> (c a) b');
      await expectMoved('rearrange', "rearrange(tensor, 'a b c -> (c a) b')", rearrange(count, 'a b c -> (c a) b'));
      expect(new URL(page.url()).searchParams.get('pattern')).toBe('a b c -> (c a) b');
    }),
  );

  some(
    'bits are clicked, codes picked, values packed',
    onPage('?panel=dtype', async (page) => {
      const printed = (type, code) =>
        String(new Tensor(type, Uint8Array.of(code), [1]))
          .slice(1, -1)
          .trim();
      // 1.5 is code 0x3c.
      await shows(page, '#dtype-value', printed('float8e4m3fn', 0x3c));
      await page.locator('#dtype-bit-7').click();
      await shows(page, '#dtype-value', printed('float8e4m3fn', 0xbc));
      expect(decodeByFormula('float8e4m3fn', 0xbc)).toBe(-1.5);
      await page.locator('#dtype-code-126').click();
      await page.keyboard.press('ArrowRight');
      await shows(page, '#dtype-value', 'nan');
      expect(new URL(page.url()).search).toBe('?panel=dtype&code=7f');
      for (const [type, values] of [
        ['int4', [1, -2, 7]],
        ['float6e2m3', [1, -2, 7.5, 0.125, -7.5]],
      ]) {
        await page.locator(`#dtype-${type}`).check();
        await page.locator('#dtype-values').fill(values.join(', '));
        const bytes = [...Tensor.from(type, values).data].map((byte) => byte.toString(16).padStart(2, '0'));
        expect(await page.locator('#dtype-bytes .byte code').allTextContents()).toEqual(bytes);
      }
      expect(await page.locator('#dtype-bytes .byte-owners').allTextContents()).toEqual([
        'x1 x0',
        'x2 x1',
        'x3 x2',
        'x4',
      ]);
      await card(page, 'float6e2m3').getByText('4 elements in 3 bytes').waitFor();
      for (const type of Object.keys(dtypes)) {
        await page.locator(`#dtype-${type}`).check();
        await card(page, type).waitFor();
      }
    }),
  );

  test.each([
    ['equal results', '', ['equal', 'a copy']],
    ['equal pixels, beside those of the canvas', '&workload=resize', ['equal', 'other pixels']],
  ])('throughput is measured, of %s', (_, workload, outcomes) =>
    onPage(`?panel=throughput${workload}`, async (page) => {
      await page.locator('#throughput-start').click();
      await shows(page, '#throughput-status', /Round ([2-9]|\d\d+) of/);
      await page.locator('#throughput-start').click();
      await shows(page, '#throughput-status', 'Stopped.');
      const results = await page.locator('#throughput-table tbody tr td:last-child').allTextContents();
      expect(results.length).toBeGreaterThan(2);
      expect(results.filter((entry) => !outcomes.includes(entry))).toEqual([]);
    })(),
  );

  some(
    'a dropped sound becomes the features that the configuration asks for',
    onPage('?panel=audio&config=SeamlessM4T', async (page) => {
      await shows(page, '#audio-dims', 'float32 [1, 199, 160]');
      const channelData = [30, 50].map((step) =>
        Float32Array.from({ length: 24000 }, (_, i) => ((i * step) % 97) / 97),
      );
      const wav = encodeWav({ channelData, sampleRate: 24000 }, { format: 'float32' });
      await drop(page, wav, 'beeps.wav', 'audio/wav');
      await page.locator('#audio-play').click();
      await page.getByRole('button', { name: 'Stop playing' }).waitFor();
      await shows(page, '#audio-source', 'beeps.wav, 1 s, 24000 Hz, the mean of 2 channels');
      const sound = resampleAudio(toMono({ channelData, sampleRate: 24000 }), { new_freq: 16000 });
      const featuresOf = (config) => featureExtractor(config)(sound).input_features;
      const seamless = featuresOf({ feature_extractor_type: 'SeamlessM4TFeatureExtractor' });
      await shows(page, '#audio-dims', `float32 [${seamless.dims.join(', ')}]`);
      expect(await page.locator('#audio-values').textContent()).toBe(String(seamless));
      await choose(page, 'Model', 'Whisper');
      await shows(page, '#audio-features', '102 of 3000 frames are drawn; the rest is padding.');
      const whisper = featuresOf({ feature_extractor_type: 'WhisperFeatureExtractor' });
      expect(await page.locator('#audio-values').textContent()).toBe(String(whisper));
      await drop(page, Buffer.from('no sound'), 'no.wav', 'audio/wav');
      await shows(page, '#audio-problem', 'no.wav: decodeAudio: file must be a WAV file, ');
      await page.locator('#audio-config').fill('{"feature_extractor_type": "Pop2PianoFeatureExtractor"}');
      await shows(page, '#audio-problem', 'featureExtractor: ');
      expect(new URL(page.url()).search).toBe('?panel=audio');
    }),
  );

  some(
    'tabs are walked through by the keyboard, and back',
    onPage('', async (page) => {
      const shown = async () => new URL(page.url()).searchParams.get('panel');
      await page.locator('#tab-image').focus();
      for (const panel of ['processor', 'audio', 'weights', 'throughput', 'lens', 'dtype']) {
        await page.keyboard.press('ArrowRight');
        await page.locator(`#panel-${panel} .card`).first().waitFor();
        expect(await shown()).toBe(panel);
      }
      await page.goBack();
      await page.locator('#panel-lens .card').first().waitFor();
      expect(await shown()).toBe('lens');
    }),
  );

  some(
    'the footer links the API reference if that was built',
    onPage('', async (page) => {
      const links = page.getByRole('link', { name: 'API reference' });
      expect(await links.count()).toBe(hasReference ? 1 : 0);
      if (!hasReference) return;
      const file = new URL(await links.getAttribute('href'), page.url());
      expect((await fetch(file)).status).toBe(200);
    }),
  );

  some('the page works when its server is gone', async () => {
    const own = await startServer();
    const { page } = await openPage(own.url);
    try {
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await shows(page, '#image-dims', 'float32 [1, 3, 224, 224]');
      await own.stop();
      await page.goto(`${own.url}?panel=lens&perm=0,2,1`);
      await result(page)
        .getByText(String(transpose(count, { perm: [0, 2, 1] })), { exact: true })
        .waitFor();
      await page.locator('#tab-dtype').click();
      await page.locator('#dtype-value').waitFor();
      if (!hasReference) return;
      await page.getByRole('link', { name: 'API reference' }).click();
      await page.getByRole('heading', { name: 'onnx-layout' }).first().waitFor();
    } finally {
      await page.context().close();
    }
  });
});

const folder = temporaryFolder();
const { bavail, bsize } = statfsSync(folder);

if (bavail * bsize < 6e9 || !hasHoles(folder)) test.skip('NOT RUN: no disk with 6 GB free and sparse files', () => {});
else
  describe('a file of 5 GB in Chromium', () => {
    let browser;
    let tab;
    const path = join(folder, 'five.safetensors');
    // Float32 up to 4 GiB and more, then a tensor whose values are known.
    const wide = 1_100_000_000;
    const [start, end] = [4 * wide, 5_000_000_000];
    const marks = Float32Array.of(1, -3, NaN, 2);
    beforeAll(async () => {
      const header = {
        'blocks.0.wide': { dtype: 'F32', shape: [wide / 1000, 1000], data_offsets: [0, start] },
        'blocks.1.far': { dtype: 'F32', shape: [end / 4 - wide], data_offsets: [start, end] },
      };
      sparseSafetensors(path, header, end, [[start + 1000, Buffer.from(marks.buffer)]]);
      browser = await launch.Chromium();
      tab = await open(browser, `${server.url}?panel=weights&sample=wave.npy`);
      await shows(tab.page, '#weights-read', 'All 65,536 values');
    });
    afterAll(() => browser?.close());

    /** The most memory that each of the browser's processes had at once, in bytes. */
    async function peaks() {
      const session = await browser.newBrowserCDPSession();
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      return processInfo.map(({ id }) => {
        const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'));
        return 1024 * Number(kilobytes);
      });
    }

    test('is opened at once, and a tensor past 4 GiB is read while another one is not read to its end', async () => {
      const { page } = tab;
      const before = Math.max(...(await peaks()));
      await page.locator('#weights-file').setInputFiles(path);
      await shows(page, '#weights-about', 'five.safetensors');
      await shows(page, '#weights-about', '5 GB');
      await shows(page, '#weights-dims', 'float32 [1100000, 1000]');
      // The histogram is drawn before all is read, and choosing another tensor ends it.
      await shows(page, '#weights-histogram', 'So far: all finite numbers are 0.');
      await page.locator('[data-name="blocks.1.far"]').click();
      // It takes 3 s on a quiet machine.
      await page.locator('#weights-read').filter({ hasText: 'All 150,000,000 values, 600 MB' }).waitFor();
      const text = await page.locator('#weights-values').textContent();
      expect(text).toBe('Least−3Greatest2Mean0Zero149,999,996 (almost 100 %)NaN1 (0.000000667 %)Infinite0');
      expect(Math.max(...(await peaks()))).toBeLessThan(before + 200e6);
    });

    test('is converted piece by piece, and cancelled without a trace', async () => {
      const { page } = tab;
      const before = Math.max(...(await peaks()));
      await page.evaluate(() => {
        globalThis.showSaveFilePicker = async ({ suggestedName }) =>
          (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });
      });
      const names = () =>
        page.evaluate(async () => {
          const found = [];
          for await (const name of (await navigator.storage.getDirectory()).keys()) found.push(name);
          return found;
        });
      await shows(page, '#weights-result', 'five.float16.safetensors, 2.5 GB');
      await page.locator('#weights-save').click();
      await shows(page, '#weights-progress', /^Writing: .* MB of 2\.5 GB, .* a second, .* left$/);
      expect(await names()).toContain('five.float16.safetensors');
      await page.locator('#weights-save').click();
      await shows(page, '#weights-saved', 'Cancelled. Nothing was written.');
      expect((await names()).filter((name) => name.startsWith('five'))).toEqual([]);
      expect(Math.max(...(await peaks()))).toBeLessThan(before + 200e6);
      expect(tab.complaints).toEqual([]);
    });

    test('is not read once it has changed', async () => {
      const { page } = tab;
      const now = new Date();
      utimesSync(path, now, now);
      await page.locator('[data-name="blocks.0.wide"]').click();
      await shows(page, '#weights-tensor-problem', 'A file cannot be read, or has changed since it was chosen');
      expect(tab.complaints).toEqual([]);
    });
  });

test('what the microphone hears is drawn, and is the sound once it is off', async () => {
  // A device that beeps once a second.
  const flags = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
  const browser = await launch.Chromium(flags);
  try {
    const { page, complaints } = await open(browser, `${server.url}?panel=audio`, { permissions: ['microphone'] });
    await shows(page, '#audio-dims', 'float32 [1, 80, 3000]');
    const first = await page.locator('#audio-values').textContent();
    await page.locator('#audio-microphone').click();
    await page.waitForFunction(() => {
      const canvas = document.querySelector('#audio-live');
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, i) => i % 4 === 0 && value > 200).length > 20;
    });
    await page.locator('#audio-microphone').click();
    await shows(page, '#audio-source', 'the microphone, ');
    await page.waitForFunction((text) => document.querySelector('#audio-values').textContent !== text, first);
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
  }
});

test('all seven panels together take less than 380 kB from the network', async () => {
  const browser = await launch.Chromium();
  try {
    const context = await browser.newContext({ serviceWorkers: 'block' });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    const finished = [];
    page.on('requestfinished', (request) => finished.push(request));
    await page.goto(server.url);
    await shows(page, '#image-dims', 'float32 [1, 3, 224, 224]');
    for (const panel of ['processor', 'audio', 'weights', 'throughput', 'lens', 'dtype']) {
      await page.locator(`#tab-${panel}`).click();
      await page.locator(`#panel-${panel} .card`).first().waitFor();
      if (panel === 'audio') await shows(page, '#audio-dims', 'float32 [1, 80, 3000]');
      if (panel === 'weights') await shows(page, '#weights-read', 'All 128,000 values');
    }
    const sizes = await Promise.all(finished.map((request) => request.sizes()));
    const bytes = sizes.reduce(
      (sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize,
      0,
    );
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(380_000);
  } finally {
    await browser.close();
  }
});
