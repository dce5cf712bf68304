/** The kinds of files, told by their first bytes: the most frequent mistake is a file of another kind. */
/* eslint-disable no-control-regex -- files begin with such characters */
import { rangeError, show } from './errors.js';
import { latin1 } from './typed-arrays.js';

/** How many bytes tell the kind: a tar archive is the last to show it, at 257. */
export const kindBytes = 300;

const picture = 'readImage takes it';
const sound = 'decodeAudio takes it';
const torch = 'save it as safetensors';
const png = 'save it as PNG';

/** The beginning of a file in Latin-1, the kind, and a remedy; the first row that fits counts. U+FFFD is left where
 * other bytes were decoded as UTF-8, as configurations are.
 * @type {[begins: RegExp, kind: string, remedy?: string][]} */
const kinds = [
  // First, because the length in front of a safetensors header may look like any other beginning.
  [/^.{4}\0{4}{/s, 'a safetensors file'],
  [/^\x93NUMPY/, 'a .npy file'],
  [/^\x08[\x01-\x20][\x12\x1a":B]/, 'an ONNX model'],
  [/^R.{7}WAVE/s, 'a WAV file', 'readWav takes it'],
  [/^$/, 'an empty file'],
  [/^version .*git-lfs/, 'a Git LFS pointer', 'git lfs pull'],
  [/^\s*<(svg|.xml.*<svg)/is, 'an SVG picture', png],
  [/^\s*<(.xml|error)/i, 'an XML document'],
  [/^\s*<(!|html|head|body)/i, 'a web page'],
  [/^PK\x03\x04.*data.pkl/s, 'a PyTorch checkpoint', torch],
  [/^PK\x03\x04.*[.]npy/s, 'a .npz archive', 'readNpz takes it'],
  [/^PK\x03\x04/, "a zip archive, such as PyTorch's"],
  [/^[\x80\ufffd][\x02-\x05]/, "a pickle, such as PyTorch's", torch],
  [/^GGUF/, 'a GGUF model'],
  [/^.HDF\r/, 'an HDF5 file'],
  [/^.{4}TFL3/, 'a TFLite model'],
  [/^\x1f[\x8b\ufffd]/, 'a gzip archive'],
  [/^.7zXZ/, 'an xz archive'],
  [/^\(\xb5\//, 'a zstd archive'],
  [/^.{257}ustar/s, 'a tar archive'],
  [/^%PDF/, 'a PDF document'],
  [/^SQLite f/, 'an SQLite database'],
  [/^\xff\xd8\xff/, 'a JPEG picture', picture],
  [/^.PNG\r/, 'a PNG picture', picture],
  [/^GIF8/, 'a GIF picture', picture],
  [/^R.{7}WEBP/s, 'a WebP picture', picture],
  [/^(II[*+]\0|MM\0[*+])/, 'a TIFF picture', picture],
  [/^.{4}ftyp(avi|m.f1.*avif)/s, 'an AVIF picture', picture],
  [/^.{4}ftyp(he|m.f1)/s, 'a HEIC picture', png],
  [/^BM.{4}\0{4}/s, 'a BMP picture', png],
  [/^(ID3|\xff[\xe2-\xfb])/, 'an MP3 file', sound],
  [/^OggS/, 'an Ogg file', sound],
  [/^fLaC/, 'a FLAC file', sound],
  [/^(.{4}ftyp|\x1aE\xdf)/s, 'an MP4 or WebM file', sound],
  [/^(\xff\xfe|\xfe\xff|\ufffd\ufffd|[[{<]\0)/, 'text in UTF-16', 'save it as UTF-8'],
  [/^(\xef\xbb\xbf|\ufeff)/, 'text with a byte order mark'],
  [/^[\t\n\r -~]{4,}$/, 'text'],
];

/** Gives the first `kindBytes` characters of a text, or bytes of a file, each as the character of its code.
 * @type {(file: Uint8Array | string) => string} */
const beginningOf = (file) =>
  typeof file === 'string' ? file.slice(0, kindBytes) : latin1(file.subarray(0, kindBytes));

/** Finds the first row of {@link kinds} that a file's beginning fits; an empty one if it fits none.
 * @type {(file: Uint8Array | string) => [begins?: RegExp, kind?: string, remedy?: string]} */
function kindRowOf(file) {
  const beginning = beginningOf(file);
  return kinds.find(([begins]) => begins.test(beginning)) ?? [];
}

/** Tells the kind of a file, such as 'a GIF picture' or 'text'; undefined if it is none of {@link kinds}.
 * @type {(file: Uint8Array | string) => string | undefined} */
export function kindOf(file) {
  const [, kind] = kindRowOf(file);
  return kind;
}

/** Describes a file of a wrong kind in a message; undefined for bytes of no known kind. `file`: at least its first
 * {@link kindBytes}; `byteLength`: of all of it.
 * @type {(file: Uint8Array | string, byteLength?: number) => string | undefined} */
export function describeBytes(file, byteLength = file.length) {
  const [, kind, remedy] = kindRowOf(file);
  if (kind === undefined) return undefined;
  const ending = kind === 'text' ? show(beginningOf(file).trim()) : remedy;
  return `${kind} of ${byteLength} bytes${ending ? `: ${ending}` : ''}`;
}

/** Refuses a file of a kind that `rule`, such as 'a .npy file', does not name; bytes of no known kind pass.
 * @type {(argument: string, rule: string, file: Uint8Array, byteLength?: number) => void} */
export function checkFileKind(argument, rule, file, byteLength) {
  const kind = kindOf(file);
  if (kind && !rule.includes(kind)) rangeError(`${argument} must be ${rule}, got ${describeBytes(file, byteLength)}`);
}
