/** The libraries whose resizing this package has, and their filters. */
import { rangeError, readWord, show } from '../../arguments/index.js';

const filters = /** @type {const} */ ({
  pil: ['nearest', 'box', 'bilinear', 'hamming', 'bicubic', 'lanczos'],
  torchvision: ['nearest', 'nearest_exact', 'bilinear', 'bicubic', 'lanczos'],
  opencv: ['nearest', 'nearest_exact', 'linear', 'linear_exact', 'area', 'cubic', 'lanczos4'],
});

/** @typedef {keyof typeof filters} Backend */
/** @typedef {(typeof filters.opencv)[number]} OpenCvFilter */
export const openCvFilters = filters.opencv;
/** @typedef {(typeof filters.pil)[number]} PilFilter */
/** @typedef {(typeof filters.torchvision)[number]} TorchvisionFilter */
/** @typedef {PilFilter | TorchvisionFilter | OpenCvFilter} Filter */

/** Each library's filter if the caller names none. */
const usual = /** @type {const} */ ({ pil: 'bicubic', torchvision: 'bilinear', opencv: 'linear' });

const backends = /** @type {Backend[]} */ (Object.keys(filters));
const allFilters = [...new Set(Object.values(filters).flat())];

/** Reads the name of a library, 'pil' if omitted. @type {(backend: unknown) => Backend} */
export const readBackend = (backend) => readWord('backend', backends, backend) ?? 'pil';

/** Reads the library that resizes, and one of its filters. `others`: filters that every backend has, such as 'canvas'
 * @type {(backend: unknown, filter: unknown, others?: readonly string[]) => { backend: Backend, filter: string }} */
export function readFilter(backend, filter, others = []) {
  const library = readBackend(backend);
  const name = readWord('filter', [...allFilters, ...others], filter) ?? usual[library];
  const known = /** @type {readonly string[]} */ (filters[library]);
  if (!known.includes(name) && !others.includes(name))
    rangeError(`filter of backend '${library}' must be one of ${known.join(', ')}, got ${show(name)}`);
  return { backend: library, filter: name };
}

/** Spells a filter as the module exports it: 'linear_exact' is LinearExact. torchvision's 'nearest' and
 * 'nearest_exact', which read other pixels than Pillow's, are TorchNearest and TorchNearestExact.
 * @type {(backend: Backend, filter: string) => string} */
export function filterName(backend, filter) {
  const name = filter.replace(/(^|_)[a-z]/g, (letter) => /** @type {string} */ (letter.at(-1)).toUpperCase());
  return backend === 'torchvision' && filter.startsWith('nearest') ? `Torch${name}` : name;
}
