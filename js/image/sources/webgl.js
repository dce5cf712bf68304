/** Reads a bitmap through WebGL2, which unlike a 2-D canvas neither multiplies colors by alpha nor converts them. */

/** @import { BrowserClass } from './drawables.js' */
/** @import { Bitmap, Size } from '../types.js' */

/** No drawing happens here; a computer with two graphics processors need not wake up the fast one. */
const settings = /** @type {const} */ ({
  alpha: false,
  antialias: false,
  depth: false,
  stencil: false,
  powerPreference: 'low-power',
});

/** @typedef {BrowserClass<'WebGL2RenderingContext'>} Context */

/** One for all calls: browsers take the oldest context away from a page that makes more than 8 to 16, and one takes 5
 * to 20 ms to make. It can be lost at any time.
 * @type {Context | null} */
let context = null;

/** The context of all calls, made anew if it was lost; null without WebGL2. @type {() => Context | null} */
function contextOf() {
  const { OffscreenCanvas } = globalThis;
  if (!context || context.isContextLost()) context = new OffscreenCanvas(1, 1).getContext('webgl2', settings);
  return context;
}

/** Reads the RGBA bytes of a bitmap as it stores them. Undefined without WebGL2, above its largest texture (8192 to
 * 16384 pixels a side), and if memory runs out.
 * @type {(bitmap: Bitmap, size: Size) => Uint8Array | undefined} */
export function storedPixels(bitmap, size) {
  // A context that was lost may show it only when it is used, so a second one gets its turn.
  for (let turn = 0; turn < 2; turn++) {
    const gl = contextOf();
    if (!gl || Math.max(size.width, size.height) > gl.getParameter(gl.MAX_TEXTURE_SIZE)) return undefined;
    const pixels = readBitmap(gl, bitmap, size);
    if (pixels) return pixels;
  }
  return undefined;
}

/** Reads the RGBA bytes of a bitmap by way of a texture and a framebuffer of it; undefined after an error of WebGL2.
 * @type {(gl: Context, bitmap: Bitmap, size: Size) => Uint8Array | undefined} */
function readBitmap(gl, bitmap, { width, height }) {
  const pixels = new Uint8Array(4 * width * height);
  const texture = gl.createTexture();
  const framebuffer = gl.createFramebuffer();
  const buffer = gl.createBuffer();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
  gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  // By way of a buffer: Chromium writes a warning to the console when pixels are read straight into memory.
  gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
  gl.bufferData(gl.PIXEL_PACK_BUFFER, pixels.length, gl.STREAM_READ);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, 0);
  gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, pixels);
  gl.deleteBuffer(buffer);
  gl.deleteFramebuffer(framebuffer);
  gl.deleteTexture(texture);
  let isRead = true;
  // Take every error, so that the next call finds none. A lost context is one of them.
  while (gl.getError() !== gl.NO_ERROR) isRead = false;
  return isRead ? pixels : undefined;
}
