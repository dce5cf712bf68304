/** The code and the files of the processor panel, without a DOM. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'onnx-layout/image';
import { imageProcessor } from 'onnx-layout/processors';
import { codeFor as codeForProcessor, configs, textOf } from '../../../web/processor/files.js';

describe('image processors', () => {
  beforeAll(() => init());
  const image = { data: new Uint8Array(640 * 480 * 3), width: 640, height: 480, channels: 3 };

  test.each(Object.keys(configs))('the sample %s is a configuration, of which all keys are read', (name) => {
    const processor = imageProcessor(textOf(name));
    expect(processor.ignored).toEqual([]);
    expect(processor(image).pixel_values.type).toBe('float32');
  });

  test('the code names all outputs', () =>
    expect(
      codeForProcessor('pil', {
        pixel_values: { type: 'float32', dims: [1, 3, 2, 2] },
        pixel_mask: { type: 'int64', dims: [1, 2, 2] },
      }).split('\n'),
    ).toEqual(
      expect.arrayContaining([
        "const processor = imageProcessorAsync(config, { backend: 'pil' });",
        'const { pixel_values, pixel_mask } = await processor(file);',
        '// pixel_values: float32 [1, 3, 2, 2]',
        '// pixel_mask: int64 [1, 2, 2]',
      ]),
    ));
});
