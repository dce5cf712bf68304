/** The numbers of the fields in ONNX's protobuf messages. Source: onnx.in.proto, IR version 14. */

export const modelFields = { irVersion: 1, graph: 7, opsetImport: 8, metadataProps: 14, functions: 25 };

export const opsetFields = { domain: 1, version: 2 };

export const graphFields = {
  node: 1,
  name: 2,
  initializer: 5,
  input: 11,
  output: 12,
  valueInfo: 13,
  sparseInitializer: 15,
};

export const nodeFields = { input: 1, output: 2, name: 3, opType: 4, attribute: 5, domain: 7 };

export const attributeFields = {
  name: 1,
  f: 2,
  i: 3,
  s: 4,
  t: 5,
  g: 6,
  floats: 7,
  ints: 8,
  strings: 9,
  graphs: 11,
  type: 20,
  sparseTensor: 22,
};

export const tensorFields = {
  dims: 1,
  dataType: 2,
  floatData: 4,
  int32Data: 5,
  stringData: 6,
  int64Data: 7,
  name: 8,
  rawData: 9,
  doubleData: 10,
  uint64Data: 11,
  externalData: 13,
  dataLocation: 14,
};

/** SparseTensorProto. */
export const sparseFields = { values: 1, indices: 2, dims: 3 };

/** StringStringEntryProto. */
export const entryFields = { key: 1, value: 2 };

export const infoFields = { name: 1, type: 2 };

/** TypeProto: of its kinds, those that hold tensors. */
export const typeFields = { tensorType: 1, sequenceType: 4, optionalType: 9 };

export const tensorTypeFields = { elemType: 1, shape: 2 };

export const sequenceFields = { elemType: 1 };

export const shapeFields = { dim: 1 };

export const dimFields = { value: 1, param: 2 };

/** FunctionProto. */
export const functionFields = { name: 1, input: 4, output: 5, node: 7, opsetImport: 9, domain: 10 };
