/**
 * WAV headers at random against soundfile: `node tests/audio/replay-wav.mjs HEADERS.json`, with what
 * tests/goldens/audio/wav_headers.py wrote. The test of headers uses it too.
 */
import { readFileSync } from 'node:fs';
import { decodeWav, init } from 'onnx-layout/audio';

const hexOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength).toString('hex');

/** How a file is read otherwise than by soundfile, in words, or ''. Files that soundfile refuses may be read. */
export function wrongWavOf({ bytes, rate, channels }) {
  const shown = (words) => `${words}: ${bytes}`;
  let decoded;
  try {
    decoded = decodeWav(new Uint8Array(Buffer.from(bytes, 'base64')));
  } catch (error) {
    return channels && error instanceof RangeError ? shown(error.message) : '';
  }
  if (!channels) return '';
  if (decoded.sampleRate !== rate) return shown(`rate ${decoded.sampleRate} instead of ${rate}`);
  return decoded.channelData.map(hexOf).join() === channels.join() ? '' : shown('other samples');
}

if (import.meta.url.endsWith(process.argv[1])) {
  await init();
  const headers = JSON.parse(readFileSync(process.argv[2], 'utf8'));
  const wrong = headers.map(wrongWavOf).filter(Boolean);
  wrong.slice(0, 9).forEach((words) => console.log(words));
  console.log(`${headers.length} headers, ${headers.filter(({ channels }) => channels).length} that soundfile reads`);
  console.log(`${wrong.length} differ`);
  process.exitCode = Number(wrong.length > 0);
}
