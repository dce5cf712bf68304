/**
 * The libraries that resize in JavaScript, and fast_image_resize as a wasm module. Each gives a function from pixels to
 * pixels, or undefined where it lacks the kind of picture. Their results are their own: none equals Pillow's.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importPeer, loadTransformers } from './peers.js';

const folder = import.meta.dirname;
const build = join(folder, '../../build/bench');

/** jsquash makes an ImageData, which Node lacks. */
class PixelData {
  constructor(data, width, height) {
    Object.assign(this, { data, width, height });
  }
}

async function sharp() {
  const { default: open } = await importPeer('sharp');
  // One thread, as all others here.
  open.concurrency(1);
  const kernels = { bilinear: 'linear', bicubic: 'cubic', lanczos: 'lanczos3' };
  return ({ data, width, height, channels }, [columns, rows], filter) =>
    () =>
      open(data, { raw: { width, height, channels } })
        .resize(columns, rows, { fit: 'fill', kernel: kernels[filter] })
        .raw()
        .toBuffer();
}

/** pica has filters of its own; these have the same supports. It takes RGBA alone. */
async function pica() {
  const { default: Pica } = await importPeer('pica');
  const scaler = new Pica({ features: ['js', 'wasm'] });
  const filters = { bilinear: 'hamming', bicubic: 'mks2013', lanczos: 'lanczos3' };
  return ({ rgba, width, height }, [toWidth, toHeight], filter) =>
    () =>
      scaler.resizeBuffer({ src: rgba, width, height, toWidth, toHeight, filter: filters[filter] });
}

/** jsquash takes RGBA alone. */
async function jsquash() {
  globalThis.ImageData ??= PixelData;
  const { default: scale, initResize } = await importPeer('@jsquash/resize');
  const wasm = join(folder, 'node_modules/@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm');
  await initResize(await WebAssembly.compile(readFileSync(wasm)));
  const methods = { bilinear: 'triangle', bicubic: 'catrom', lanczos: 'lanczos3' };
  return ({ rgba, width, height }, [columns, rows], filter, premultiply) =>
    () =>
      scale(new PixelData(new Uint8ClampedArray(rgba.buffer), width, height), {
        width: columns,
        height: rows,
        method: methods[filter],
        premultiply,
        linearRGB: false,
        fitMethod: 'stretch',
      });
}

async function transformers() {
  const { RawImage } = await loadTransformers();
  const numbers = { lanczos: 1, bilinear: 2, bicubic: 3 };
  return ({ data, width, height, channels }, [columns, rows], filter) =>
    () =>
      new RawImage(data, width, height, channels).resize(columns, rows, { resample: numbers[filter] });
}

/** Builds the crate in `fir`. Undefined, after a line that says so, where cargo or its wasm32 target is missing. */
function buildFir() {
  const target = 'wasm32-unknown-unknown';
  const options = ['--locked', '--release', '--target', target, '--target-dir', join(build, 'fir')];
  const { status } = spawnSync('cargo', ['build', '--quiet', ...options], {
    cwd: join(folder, 'fir'),
    env: { ...process.env, RUSTFLAGS: '-C target-feature=+simd128' },
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    console.error(`bench: without fast_image_resize, which needs cargo and its target ${target}`);
    return undefined;
  }
  return new WebAssembly.Module(readFileSync(join(build, 'fir', target, 'release/fir.wasm')));
}

const fir =
  (module) =>
  ({ data, width, height, channels }, [columns, rows], filter, premultiply) => {
    const { memory, allocate, resize } = new WebAssembly.Instance(module).exports;
    const bytes = columns * rows * channels;
    const [from, to] = [allocate(data.length), allocate(bytes)];
    const filters = ['bilinear', 'bicubic', 'lanczos'];
    return () => {
      new Uint8Array(memory.buffer, from, data.length).set(data);
      resize(from, width, height, to, columns, rows, channels, filters.indexOf(filter), premultiply ? 1 : 0);
      return new Uint8Array(memory.buffer, to, bytes).slice();
    };
  };

/**
 * Installs and loads the libraries.
 * @returns {Promise<Record<string, Function>>} by name; each makes a contender from a picture, the size of the result,
 *   a filter, and whether colors are weighted by alpha
 */
export async function loadResizers() {
  const module = buildFir();
  return {
    ...(module && { fast_image_resize: fir(module) }),
    sharp: await sharp(),
    pica: await pica(),
    jsquash: await jsquash(),
    'transformers.js': await transformers(),
  };
}

/** A whole image processor of transformers.js, from the picture's pixels to pixel_values. */
export async function loadProcessor(name, config, { data, width, height, channels }) {
  const { RawImage, [name]: Processor } = await loadTransformers();
  const processor = new Processor(config);
  return () => processor([new RawImage(data, width, height, channels)]);
}
