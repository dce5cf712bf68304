/** The workloads: pictures that become tensors or smaller ones, and transposes that models need. No DOM. */

/**
 * @typedef {object} Workload
 * @property {string} title
 * @property {'uint8' | 'float32'} type
 * @property {readonly number[]} dims
 * @property {readonly number[]} [perm] of a transpose
 * @property {readonly number[]} [size] height and width that RGB pixels are resized to, by Pillow's bicubic filter.
 *   With neither perm nor size, the workload is RGBA pixels to float32 [1, 3, height, width], normalized for ImageNet
 */

/** @type {Record<string, Workload>} */
export const workloads = {
  photo: { title: 'Photograph, HWC to CHW', type: 'uint8', dims: [1080, 1920, 3], perm: [2, 0, 1] },
  picture: { title: 'Picture to tensor', type: 'uint8', dims: [1080, 1920, 4] },
  resize: { title: 'Photograph resized', type: 'uint8', dims: [1080, 1920, 3], size: [224, 224] },
  batch: { title: 'Batch, NHWC to NCHW', type: 'float32', dims: [8, 224, 224, 3], perm: [0, 3, 1, 2] },
  features: { title: 'Features, NCHW to NHWC', type: 'float32', dims: [1, 64, 112, 112], perm: [0, 2, 3, 1] },
  heads: { title: 'Attention heads', type: 'float32', dims: [1, 512, 12, 64], perm: [0, 2, 1, 3] },
  matrix: { title: 'Matrix', type: 'float32', dims: [2048, 2048], perm: [1, 0] },
  bytes: { title: 'Matrix of bytes', type: 'uint8', dims: [4096, 4096], perm: [1, 0] },
  reversal: { title: 'Four axes reversed', type: 'float32', dims: [64, 64, 64, 64], perm: [3, 2, 1, 0] },
};

export const sizeOf = (dims) => dims.reduce((size, extent) => size * extent, 1);

/**
 * The bytes that a call reads and writes. A picture has 4 bytes a pixel, and 3 numbers of 4 bytes in the result.
 * @param {Workload} workload
 */
export function bytesMoved({ type, dims, perm, size }) {
  if (size) return sizeOf(dims) + 3 * sizeOf(size);
  return sizeOf(dims) * (perm ? 2 * (type === 'uint8' ? 1 : 4) : 4);
}

/**
 * A workload as the list names it.
 * @param {Workload} workload
 */
export function describe({ title, type, dims, perm, size }) {
  if (perm) return `${title}: ${type} [${dims.join(', ')}], perm ${perm.join(', ')}`;
  const picture = `${title}: ${dims[1]} × ${dims[0]}`;
  return size
    ? `${picture} to ${size[1]} × ${size[0]}, RGB, Pillow’s bicubic`
    : `${picture}, RGBA to float32, ImageNet`;
}
