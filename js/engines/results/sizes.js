/** How many float32 or int32 numbers, and how many bytes, the module takes for a point and for a box. */
import { wordBytes } from '../memory/index.js';

/** x and y. */
export const pointNumbers = 2;
export const pointBytes = pointNumbers * wordBytes;
/** Two corners, or a center and a size. */
export const boxNumbers = 4;
export const boxBytes = boxNumbers * wordBytes;
