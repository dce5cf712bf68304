/** Bytes of the numbers that kernels read and write. */
export const floatBytes = 4;
export const intBytes = 4;
export const doubleBytes = 8;
/** Of a number that is float32 or int32. */
export const wordBytes = 4;
