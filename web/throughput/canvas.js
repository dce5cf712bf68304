/** The browser's canvas as a contender: it resizes pixels to other numbers than Python's. */

function contextOf(width, height) {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  context.imageSmoothingQuality = 'high';
  return context;
}

/**
 * @param {Uint8Array} rgba
 * @param {readonly number[]} dims the height and the width of the pixels
 * @param {readonly number[]} size those of the result
 * @returns {() => Uint8ClampedArray}
 */
export function canvasCall(rgba, [height, width], [rows, columns]) {
  const [whole, small] = [contextOf(width, height), contextOf(columns, rows)];
  const image = new ImageData(new Uint8ClampedArray(rgba.buffer), width, height);
  return () => {
    whole.putImageData(image, 0, 0);
    small.drawImage(whole.canvas, 0, 0, columns, rows);
    return small.getImageData(0, 0, columns, rows).data;
  };
}
