/** The image panel. */
import { expect } from '@jest/globals';
import { imageToTensor } from 'onnx-layout/image';
import { choose, drop, picture, shows } from './controls.js';

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

/** @type {import('./controls.js').PanelTests} */
export function testImagePanel(some, onPage) {
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
}
