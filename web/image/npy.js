/** The writer of .npy files, in a chunk of its own because few users ask for a file. */
export { writeNpy } from 'onnx-layout/io';
