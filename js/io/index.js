/** Files in and out: bytes in, tensors out, and back. What runs in a browser runs here. */
export { readNpy, writeNpy } from './npy.js';
export { readSafetensors, writeSafetensors } from './safetensors.js';
