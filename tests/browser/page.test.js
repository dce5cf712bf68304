/**
 * The page of web/, built and served by its command, used as a person would in both browsers. Its numbers are compared
 * with values that are computed here. The panels are one suite, because they share the built page and a browser.
 */
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { init as initAudio } from 'onnx-layout/audio';
import { init as initAnswers } from 'onnx-layout/postprocess';
import { init } from 'onnx-layout/processors';
import { inBrowsers } from './in-browsers.js';
import { testAudioPanel, testMicrophone } from './page/audio.js';
import { testDtypePanel } from './page/dtype.js';
import { testFrame, testLicenses, testNetwork } from './page/frame.js';
import { testImagePanel } from './page/image.js';
import { testLargeFile } from './page/large-file.js';
import { testLensPanel } from './page/lens.js';
import { testProcessorPanel } from './page/processor.js';
import { startServer } from './page/server.js';
import { testThroughputPanel } from './page/throughput.js';
import { testWeightsPanel } from './page/weights.js';

let server;
const urlOf = () => server.url;

beforeAll(async () => {
  await Promise.all([init(), initAnswers(), initAudio()]);
  server = await startServer();
});

afterAll(() => server?.stop());

const panels = {
  image: testImagePanel,
  lens: testLensPanel,
  processor: testProcessorPanel,
  weights: testWeightsPanel,
  dtype: testDtypePanel,
  throughput: testThroughputPanel,
  audio: testAudioPanel,
};

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

  describe.each(Object.entries(panels))('%s', (_, testPanel) => testPanel(some, onPage));
  describe('frame', () => testFrame(some, onPage, openPage));
});

describe('weights', () => testLargeFile(urlOf));
describe('audio', () => testMicrophone(urlOf));
describe('frame', () => testNetwork(urlOf));
describe('frame', () => testLicenses(urlOf));
