/** The audio panel. */
import { expect, test } from '@jest/globals';
import { encodeWav, featureExtractor, resampleAudio, toMono } from 'onnx-layout/audio';
import { launch, open } from '../../engines/browsers.js';
import { choose, drop, shows } from './controls.js';

/** @type {import('./controls.js').PanelTests} */
export function testAudioPanel(some, onPage) {
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
      expect(await page.getByRole('group', { name: 'Sample' }).locator(':checked').count()).toBe(0);
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
      await shows(page, '#audio-source-problem', 'no.wav: decodeAudio: file must be a WAV file, ');
      await page.locator('#audio-config').fill('{"feature_extractor_type": "Pop2PianoFeatureExtractor"}');
      await shows(page, '#audio-problem', 'featureExtractor: ');
      expect(new URL(page.url()).search).toBe('?panel=audio');
    }),
  );
}

/** @param {() => string} urlOf the page, which is served only once tests run */
export function testMicrophone(urlOf) {
  test('what the microphone hears is drawn, and is the sound once it is off', async () => {
    // A device that beeps once a second.
    const flags = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
    const browser = await launch.Chromium(flags);
    try {
      const { page, complaints } = await open(browser, `${urlOf()}?panel=audio`, { permissions: ['microphone'] });
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
}
