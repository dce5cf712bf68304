/** The processor panel, and the answers of its models. */
import { expect } from '@jest/globals';
import { toOrt } from 'onnx-layout';
import { postProcessor } from 'onnx-layout/postprocess';
import { imageProcessor } from 'onnx-layout/processors';
import * as ort from 'onnxruntime-web';
import { PNG } from 'pngjs';
import { labels, palette } from '../../../web/models/colors.js';
import { detrModel, samModel, segformerModel, things } from '../../../web/models/models.js';
import { configs } from '../../../web/processor/files.js';
import { card, choose, drop, expectTexts, picture, shows } from './controls.js';

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

/** @type {import('./controls.js').PanelTests} */
export function testProcessorPanel(some, onPage) {
  some(
    'a dropped configuration makes the tensors of its processor, step by step',
    onPage('?panel=processor&config=ViT&backend=pil', async (page) => {
      await shows(page, '#processor-dims', 'float32 [1, 3, 224, 224]');
      await drop(page);
      await page.getByText('colours.png, 5 × 3').waitFor();
      expect(await page.getByRole('group', { name: 'Sample' }).locator(':checked').count()).toBe(0);
      const config = {
        feature_extractor_type: 'CLIPFeatureExtractor',
        size: 6,
        crop_size: { height: 5, width: 8 },
        resample: 2,
        image_scale: 1,
      };
      await drop(page, Buffer.from(JSON.stringify(config)), 'preprocessor_config.json', 'application/json');
      await shows(page, '#processor-dims', 'float32 [1, 3, 5, 8]');
      expect(await page.getByRole('group', { name: 'Model' }).locator(':checked').count()).toBe(0);
      await drop(page, Buffer.from('no picture'), 'no.png');
      await shows(page, '#processor-picture-problem', 'no.png is no picture that this browser can read.');
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

  some(
    'transformers.js is shown beside Python, once it is asked for',
    onPage('?panel=processor&config=ViT', async (page) => {
      await shows(page, '#processor-dims', 'float32 [1, 3, 224, 224]');
      const figures = page.locator('#processor-theirs figure');
      expect(await figures.count()).toBe(0);
      await page.locator('#processor-theirs-run').click();
      await expectTexts(figures.locator('b'), ['Python’s numbers', 'transformers.js', 'Difference']);
      expect(await page.locator('#processor-theirs-run').isVisible()).toBe(false);
      await shows(page, '#processor-theirs', '[1, 3, 224, 224]');
      expect(await figures.nth(2).textContent()).toMatch(
        /^Difference\d+(\.\d+)? % of the numbers differby up to 0\.\d+/,
      );

      // The picture of Python's numbers is drawn from their least to their greatest.
      const { data, width, height } = await pixelsOf(page, '.preview:visible');
      const { pixel_values: values } = imageProcessor(configs.ViT)({ data, width, height, channels: 4 });
      const [least, most] = [Math.min, Math.max].map((bound) => values.data.reduce((a, b) => bound(a, b)));
      const drawn = await pixelsOf(page, '#processor-theirs figure:first-child canvas');
      const size = 224 * 224;
      const expected = Array.from(
        { length: 9 },
        (_, i) => ((values.data[(i % 3) * size + i] - least) * 255) / (most - least),
      );
      expected.forEach((level, i) => expect(Math.abs(drawn.data[4 * i + (i % 3)] - level)).toBeLessThan(1));

      // A class that resizes by onnxruntime, which models of the page use too.
      const idefics = { image_processor_type: 'Idefics3ImageProcessor', size: { longest_edge: 728 } };
      await page.locator('#processor-config').fill(JSON.stringify(idefics));
      await shows(page, '#processor-theirs', '[1, 5, 3, 364, 364]');
      await choose(page, 'Model', 'DETR');
      await page.locator('#processor-answer-run').click();
      await legend(page).first().waitFor();

      await choose(page, 'Model', 'Qwen2-VL');
      await shows(page, '#processor-theirs-status', 'They are patches, which are no picture.');
      await choose(page, 'Model', 'LLaVA-NeXT');
      await shows(page, '#processor-theirs-status', 'transformers.js has no LlavaNextImageProcessor.');
      expect(await figures.count()).toBe(0);
    }),
  );

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
}
