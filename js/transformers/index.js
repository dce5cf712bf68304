/** The public door of transformers.js with Python's numbers: what users import as `onnx-layout/transformers`. */
export { usePython } from './use-python.js';
