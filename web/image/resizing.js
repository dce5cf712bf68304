/** Whose numbers a resized picture has: the backends that the panel offers, and their filters. No DOM. */

/**
 * The libraries that the package resizes like, by the option `backend`. `usual` is the filter that the library takes if
 * none is named.
 * @type {Record<'pil' | 'torchvision', { library: string, version: string, usual: string, filters: string[] }>}
 */
export const libraries = {
  pil: {
    library: 'Pillow',
    version: '13.0.0',
    usual: 'bicubic',
    filters: ['nearest', 'box', 'bilinear', 'hamming', 'bicubic', 'lanczos'],
  },
  torchvision: {
    library: 'torchvision',
    version: '0.29.2',
    usual: 'bilinear',
    filters: ['nearest', 'nearest_exact', 'bilinear', 'bicubic', 'lanczos'],
  },
};

/** The panel's backends: the libraries, and the browser's own canvas. */
export const backends = [...Object.keys(libraries), 'canvas'];
export const allFilters = [...new Set(Object.values(libraries).flatMap(({ filters }) => filters))];

/**
 * The library whose result is shown, and its filter. A filter that the library lacks becomes its usual one. Beside the
 * canvas, it is Pillow's usual filter.
 * @param {{ backend: string, filter: string }} state
 * @returns {{ backend: 'pil' | 'torchvision', filter: string }}
 */
export function pythonOf({ backend, filter }) {
  if (backend === 'canvas') return { backend: 'pil', filter: libraries.pil.usual };
  const { filters, usual } = libraries[backend];
  return { backend, filter: filters.includes(filter) ? filter : usual };
}

/** How the picture is resized, as imageToTensor takes it. */
export const resizingOf = (state) => (state.backend === 'canvas' ? { filter: 'canvas' } : pythonOf(state));
