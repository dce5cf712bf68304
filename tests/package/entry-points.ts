/** A program that imports every entry point, for versions of TypeScript and environments that user.ts does not fit. */
import * as layout from 'onnx-layout';
import * as audio from 'onnx-layout/audio';
import * as convert from 'onnx-layout/convert';
import * as image from 'onnx-layout/image';
import * as io from 'onnx-layout/io';
import * as node from 'onnx-layout/node';
import * as operators from 'onnx-layout/operators';
import * as postprocess from 'onnx-layout/postprocess';
import * as processors from 'onnx-layout/processors';
import * as transformers from 'onnx-layout/transformers';

const matrix = new layout.Tensor('float32', new Float32Array(6), [2, 3]);
export const turned: layout.Tensor<'float32'> = layout.transpose(matrix, { perm: [1, 0] });
const pixels = { data: new Uint8Array(12), width: 2, height: 2 };
const config = { image_processor_type: 'DetrImageProcessor' } as const;
const { pixel_values } = processors.imageProcessor(config)(pixels, { do_resize: false });
const [found] = postprocess.postProcessor(config).post_process_object_detection({ pixel_values }, { threshold: 0.9 });
export const boxes: layout.Tensor<'float32'> | undefined = found?.boxes;
// @ts-expect-error a misspelt method
void postprocess.postProcessor(config).post_process_object_detections;
void [audio, convert, image, io, node, operators, transformers];
