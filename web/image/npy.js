/** A chunk of its own, since few pages ask for a file. */
export { writeNpy } from 'onnx-layout/io';
