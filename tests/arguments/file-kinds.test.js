/** Files of another kind in every reader's place: what each is called, and what to do. The beginnings are those of real
 * files. */
import { describe, expect, test } from '@jest/globals';
import {
  readNpy,
  readNpz,
  readModel,
  readSafetensors,
  openModel,
  openNpy,
  openNpz,
  openSafetensors,
  writeNpy,
} from 'onnx-layout/io';
import { decodeAudio, featureExtractor, readWavHeader } from 'onnx-layout/audio';
import { openWeights } from 'onnx-layout/node';
import { imageProcessor } from 'onnx-layout/processors';

const latin1 = (text) => new Uint8Array(Buffer.from(text, 'latin1'));
const utf16 = (text, mark = '') => new Uint8Array(Buffer.from(mark + text, 'utf16le'));
const zip = (name) => `PK\x03\x04\x14\0\0\x08\0\0\0\0!\0\xcd\xe3\x99\0\0\0\0\0\0\0\0\0${name.length}\0\0\0${name}`;
const header = '{"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}';

const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 123456789\n`;
const torch = 'save it as safetensors';
const [png, picture, sound] = ['save it as PNG', 'readImage takes it', 'decodeAudio takes it'];

/** A file, its kind and the remedy. */
const kinds = Object.entries({
  'a Git LFS pointer': [pointer, 'git lfs pull'],
  'a web page': ['\n<!DOCTYPE html>\n<html lang="en">'],
  'an XML document': [
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
  ],
  'a PyTorch checkpoint': [zip('archive/data.pkl'), torch],
  'a .npz archive': [zip('weight.npy'), 'readNpz takes it'],
  "a zip archive, such as PyTorch's": [zip('config.json')],
  "a pickle, such as PyTorch's": ['\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.', torch],
  'a GGUF model': ['GGUF\x03\0\0\0\x23\x01\0\0'],
  'an HDF5 file': ['\x89HDF\r\n\x1a\n\0\0\0\0'],
  'a TFLite model': ['\x1c\0\0\0TFL3\x14\0\x20\0'],
  'a gzip archive': ['\x1f\x8b\x08\x08\x84\x6e\xf0\x65'],
  'an xz archive': ['\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46'],
  'a zstd archive': ['\x28\xb5\x2f\xfd\x24\x05\x29\0'],
  'a tar archive': [`model/${'\0'.repeat(94)}0000755\0${'\0'.repeat(149)}ustar\x0000`],
  'a PDF document': ['%PDF-1.7\n%\xe2\xe3\xcf\xd3'],
  'an SQLite database': ['SQLite format 3\0\x10\0'],
  'a JPEG picture': ['\xff\xd8\xff\xe0\0\x10JFIF\0', picture],
  'a PNG picture': ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR', picture],
  'a GIF picture': ['GIF89a\x01\0\x01\0\x80', picture],
  'a WebP picture': ['RIFF\x1a\0\0\0WEBPVP8L', picture],
  'an AVIF picture': ['\0\0\0\x20ftypmif1\0\0\0\0mif1avifmiaf', picture],
  'a HEIC picture': ['\0\0\0\x24ftypheic\0\0\0\0mif1heic', png],
  'a TIFF picture': ['II*\0\x08\0\0\0', picture],
  'a BMP picture': ['BM\x46\0\0\0\0\0\0\0\x36\0', png],
  'an SVG picture': ['<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>', png],
  'a WAV file': ['RIFF\x24\0\0\0WAVEfmt ', 'readWav takes it'],
  'an MP3 file': ['ID3\x04\0\0\0\0\x00\x23TSSE', sound],
  'an Ogg file': ['OggS\0\x02\0\0\0\0\0\0', sound],
  'a FLAC file': ['fLaC\0\0\0\x22\x10\0\x10\0', sound],
  'an MP4 or WebM file': ['\0\0\0\x1cftypM4A \0\0\0\0M4A mp42', sound],
  'text in UTF-16': [Buffer.from(utf16('{"a": 1}', '\ufeff')).toString('latin1'), 'save it as UTF-8'],
  'text with a byte order mark': ['\xef\xbb\xbf{"a": 1}'],
  'a safetensors file': [`${String.fromCharCode(header.length)}\0\0\0\0\0\0\0${header}\x07`],
  'a .npy file': [Buffer.from(writeNpy({ type: 'uint8', data: Uint8Array.of(1), dims: [1] })).toString('latin1')],
  'an ONNX model': ['\x08\x08\x12\x07pytorch\x1a\x052.4.0:\x02\x12\0'],
}).map(([kind, [text, remedy]]) => ({ kind, text, remedy: remedy ? `: ${remedy}` : '' }));

const isSound = /WAV|MP3|Ogg|FLAC|MP4|WebM/;
const sounds = 'a WAV file, an MP3 file, an Ogg file, a FLAC file, an MP4 or WebM file';

/** Each reader: the argument, the rule, and the kinds that it takes. */
const readers = {
  readNpy: [readNpy, 'bytes must be a .npy file', /npy file/],
  openNpy: [openNpy, 'bytes must be a .npy file', /npy file/],
  readNpz: [readNpz, 'bytes must be a .npz archive', /npz|zip archive/],
  openNpz: [openNpz, 'bytes must be a .npz archive', /npz|zip archive/],
  readSafetensors: [readSafetensors, 'bytes must be a safetensors file', /safetensors/],
  openSafetensors: [openSafetensors, 'bytes must be a safetensors file', /safetensors/],
  readModel: [readModel, 'bytes must be an ONNX model', /ONNX/],
  openModel: [openModel, 'bytes must be an ONNX model', /ONNX/],
  openWeights: [
    openWeights,
    'file must be a .npy file, a .npz archive, a safetensors file or an ONNX model',
    /np[yz]|safe|ONNX/,
  ],
  readWavHeader: [readWavHeader, 'bytes must be a WAV file', /WAV/],
  decodeAudio: [decodeAudio, `file must be ${sounds}`, isSound],
};

const failure = async (work) => {
  try {
    await work();
  } catch (error) {
    return String(error);
  }
  return undefined;
};

describe.each(Object.entries(readers))('%s', (name, [read, rule, taken]) => {
  test.each(kinds.filter(({ kind }) => !taken.test(kind)))('calls $kind what it is', async ({ kind, text, remedy }) => {
    const bytes = latin1(text);
    expect(await failure(() => read(bytes))).toBe(
      `RangeError: ${name}: ${rule}, got ${kind} of ${bytes.length} bytes${remedy}`,
    );
  });

  test('calls no bytes an empty file, and shows text', async () => {
    expect(await failure(() => read(new Uint8Array(0)))).toBe(
      `RangeError: ${name}: ${rule}, got an empty file of 0 bytes`,
    );
    const shown = "text of 15 bytes: 'Entry not found'";
    expect(await failure(() => read(latin1('Entry not found')))).toBe(`RangeError: ${name}: ${rule}, got ${shown}`);
  });
});

test('files that begin otherwise, too', async () => {
  const rule = 'RangeError: readWavHeader: bytes must be a WAV file, got an MP3 file of 4 bytes';
  for (const beginning of ['\xff\xfb\x90\0', '\xff\xf1\x60\0'])
    expect(await failure(() => readWavHeader(latin1(beginning)))).toBe(`${rule}: ${sound}`);
  const webm = latin1('\x1aE\xdf\xa3\x9fB\x86\x81');
  expect(await failure(() => readWavHeader(webm))).toContain(`got an MP4 or WebM file of 8 bytes: ${sound}`);
  expect(await failure(() => readModel(latin1('MM\0*\0\0\0\x08')))).toContain('got a TIFF picture of 8 bytes');
});

test('a source is called so by the length of all of it, and no more than its beginning is read', async () => {
  const asked = [];
  const slice = (start, end) => {
    asked.push([start, end]);
    return latin1(zip('archive/data.pkl').padEnd(end, 'x')).subarray(start, end);
  };
  expect(await failure(() => openModel({ byteLength: 5e9, slice }))).toBe(
    `RangeError: openModel: bytes must be an ONNX model, got a PyTorch checkpoint of 5000000000 bytes: ${torch}`,
  );
  expect(asked).toEqual([[0, 300]]);
});

describe('the text of a configuration', () => {
  const isText = /pointer|page|XML|SVG|UTF-16|mark|zip|PyTorch|HDF5|gzip|GGUF|PDF|SQLite|PNG/;
  const cases = kinds.filter(({ kind }) => isText.test(kind));
  test.each(cases)('calls $kind what it is', async ({ kind, text, remedy }) => {
    const config = Buffer.from(text, 'latin1').toString();
    const got = `got ${kind} of ${config.length} bytes${remedy}`;
    const rule = 'RangeError: %: config must be JSON';
    expect(await failure(() => imageProcessor(config))).toBe(`${rule.replace('%', 'imageProcessor')}, ${got}`);
    expect(await failure(() => featureExtractor(config))).toBe(`${rule.replace('%', 'featureExtractor')}, ${got}`);
  });
});

test('safetensors headers of any length are no other kind', () => {
  // A length of 0x0280 begins as a pickle does, 0x8b1f as gzip, 0x4342 as nothing.
  for (const length of [0x0280, 0x0380, 0x8b1f, 0xd8ff, 0x4342, 0x3c20]) {
    const file = latin1(`\0\0\0\0\0\0\0\0${header.padEnd(length)}\x07`);
    new DataView(file.buffer).setUint32(0, length, true);
    expect(readSafetensors(file).get('w').data).toEqual(Uint8Array.of(7));
  }
});
