/** The comparison of two releases, on tables that `npm run follow -- --record` has made of transformers' wheels. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { compareTables, differingRows } from './compare.js';

const recorded = JSON.parse(gunzipSync(readFileSync(join(import.meta.dirname, 'recorded.json.gz'))));
const compare = (before, after) => compareTables(recorded[before], recorded[after]);

describe('transformers', () => {
  test('5.24.0 has five classes more than 5.23.0, and changes three rules', () => {
    expect(compare('5.23.0', '5.24.0')).toEqual([
      'answers: HYV4VLProcessor: new',
      'audio: OmniASRFeatureExtractor: new',
      'audio: WavTokenizerFeatureExtractor: new',
      'image: Apertus1p5ImageProcessor: new',
      'image: HYV4VLImageProcessor: new',
      'image: HYV4VLImageProcessorPil: new',
      'image: image_processing_apertus1p5.smart_resize: new',
      'image: image_processing_hy_v4_vl.smart_resize: new',
      'image: image_processing_pil_hy_v4_vl.smart_resize: new',
      'image: Emu3ImageProcessor: body of preprocess',
      'audio model type: apertus1p5: new',
      'audio model type: omniasr: new',
      'audio model type: omniasr_ctc: new',
      'audio model type: wavtokenizer: new',
      'image model type: apertus1p5: new',
      'image model type: hy_v4_vl: new',
      'image model type: inkling2_loop: new',
      'video model type: hy_v4_vl: new',
      'shared code: image_utils.get_image_size: changed',
      'video: HYV4VLVideoProcessor: new',
      'video: video_processing_hy_v4_vl.smart_resize: new',
      'video: NemotronH_Omni_Reasoning_V3VideoProcessor: new default of temporal_patch_size; ' +
        'new setting temporal_patch_size; body of _preprocess',
    ]);
  });

  test('a release beside itself moves nothing', () => {
    for (const table of Object.values(recorded)) expect(compareTables(table, table)).toEqual([]);
  });

  test.each([
    ['5.20.0', '5.21.0', 65],
    ['5.21.0', '5.22.0', 5],
    ['5.22.0', '5.23.0', 74],
  ])('from %s to %s', (before, after, count) => expect(compare(before, after)).toHaveLength(count));

  test('what goes forward as new goes backward as gone', () => {
    const news = compare('5.23.0', '5.24.0').filter((line) => line.endsWith(': new'));
    const gone = compare('5.24.0', '5.23.0').filter((line) => line.endsWith(': gone'));
    expect(gone.map((line) => line.replace(/gone$/, 'new')).sort()).toEqual(news.sort());
  });
});

describe('a class', () => {
  const row = { bases: ['A'], defaults: { size: '2' }, kwargs: ['size'], methods: { resize: '0a', pad: '0b' } };
  const changed = (change) => compareTables({ image: { Row: row } }, { image: { Row: { ...row, ...change } } });

  test.each([
    [{ bases: ['A', 'B'] }, 'bases A -> A, B'],
    [{ defaults: { size: '3' } }, 'default of size 2 -> 3'],
    [{ defaults: {} }, 'no default of size any more'],
    [{ kwargs: ['size', 'mean'] }, 'new setting mean'],
    [{ kwargs: [] }, 'no setting size any more'],
    [{ methods: { resize: '0c', pad: '0b' } }, 'body of resize'],
    [{ methods: { resize: '0a', post_process_masks: '0d' } }, 'new method post_process_masks; no method pad any more'],
  ])('%j', (change, line) => expect(changed(change)).toEqual([`image: Row: ${line}`]));
});

test('an operator has a version more, a type another number', () => {
  const before = { operators: { Cast: [1, 13] }, types: { FLOAT: 1 } };
  const after = { operators: { Cast: [1, 13, 24] }, types: { FLOAT: 2 } };
  expect(compareTables(before, after)).toEqual(['operators: Cast: [1,13] -> [1,13,24]', 'types: FLOAT: 1 -> 2']);
});

test('what is recorded is what differs', () => {
  const tables = [
    { image: { A: { bases: [] }, B: { bases: ['x'] } }, 'model types': { image: { a: 'A', b: 'B' } } },
    { image: { A: { bases: [] }, B: { bases: ['y'] } }, 'model types': { image: { a: 'A' } } },
  ];
  expect(differingRows(tables)).toEqual([
    { image: { B: { bases: ['x'] } }, 'model types': { image: { b: 'B' } } },
    { image: { B: { bases: ['y'] } }, 'model types': { image: {} } },
  ]);
});
