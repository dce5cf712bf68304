/** The libraries whose resizing this package has, and their filters. */
import { rangeError, readWord, show } from '../../arguments/index.js';

/** The module's names. The libraries' `nearest` read different pixels. */
const filters = /** @type {const} */ ({
  pil: {
    nearest: 'Nearest',
    box: 'Box',
    bilinear: 'Bilinear',
    hamming: 'Hamming',
    bicubic: 'Bicubic',
    lanczos: 'Lanczos',
  },
  torchvision: {
    nearest: 'TorchNearest',
    nearest_exact: 'TorchNearestExact',
    bilinear: 'Bilinear',
    bicubic: 'Bicubic',
    lanczos: 'Lanczos',
  },
  opencv: {
    nearest: 'Nearest',
    nearest_exact: 'NearestExact',
    linear: 'Linear',
    linear_exact: 'LinearExact',
    area: 'Area',
    cubic: 'Cubic',
    lanczos4: 'Lanczos4',
  },
});

/** @typedef {keyof typeof filters} Backend */
/** @typedef {keyof typeof filters.opencv} OpenCvFilter */
export const openCvFilters = /** @type {OpenCvFilter[]} */ (Object.keys(filters.opencv));
/** @typedef {keyof typeof filters.pil} PilFilter */
/** @typedef {keyof typeof filters.torchvision} TorchvisionFilter */
/** @typedef {PilFilter | TorchvisionFilter | OpenCvFilter} Filter */

/** Each library's filter if the caller names none. */
const usual = /** @type {const} */ ({ pil: 'bicubic', torchvision: 'bilinear', opencv: 'linear' });

const backends = /** @type {Backend[]} */ (Object.keys(filters));
const allFilters = [...new Set(Object.values(filters).flatMap((row) => Object.keys(row)))];

/** @type {(backend: unknown) => Backend} */
export const readBackend = (backend) => readWord('backend', backends, backend) ?? 'pil';

/** @type {(backend: unknown, filter: unknown, others?: readonly string[]) => { backend: Backend, filter: string }} */
export function readFilter(backend, filter, others = []) {
  const library = readBackend(backend);
  const name = readWord('filter', [...allFilters, ...others], filter) ?? usual[library];
  if (!(name in filters[library]) && !others.includes(name)) {
    const known = Object.keys(filters[library]).join(', ');
    rangeError(`filter of backend '${library}' must be one of ${known}, got ${show(name)}`);
  }
  return { backend: library, filter: name };
}

/** @type {(backend: Backend, filter: string) => string} */
export const filterName = (backend, filter) => /** @type {Record<string, string>} */ (filters[backend])[filter];
