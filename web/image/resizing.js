/** The backends of resizing that the panel offers, and their filters. No DOM. */

/**
 * The libraries that the package resizes like, by the option `backend`. `usual` is the filter that the library takes if
 * none is named.
 * @type {Record<'pil' | 'torchvision' | 'opencv',
 *   { library: string, usual: string, filters: string[] }>}
 */
export const libraries = {
  pil: {
    library: 'Pillow',
    usual: 'bicubic',
    filters: ['nearest', 'box', 'bilinear', 'hamming', 'bicubic', 'lanczos'],
  },
  torchvision: {
    library: 'torchvision',
    usual: 'bilinear',
    filters: ['nearest', 'nearest_exact', 'bilinear', 'bicubic', 'lanczos'],
  },
  opencv: {
    library: 'OpenCV',
    usual: 'linear',
    filters: ['nearest', 'nearest_exact', 'linear', 'linear_exact', 'area', 'cubic', 'lanczos4'],
  },
};

/** The panel's backends: the libraries, and the browser's own canvas. */
export const backends = [...Object.keys(libraries), 'canvas'];
export const allFilters = [...new Set(Object.values(libraries).flatMap(({ filters }) => filters))];

/**
 * The backend that a state stands for: a letterbox has OpenCV's.
 * @param {{ backend: string, fit: string }} state
 */
export const backendOf = ({ backend, fit }) => (fit === 'letterbox' ? 'opencv' : backend);

/**
 * The library whose result is shown, and its filter. A filter that the library lacks becomes its usual one. Beside the
 * canvas, it is Pillow's usual filter.
 * @param {{ backend: string, filter: string, fit: string }} state
 * @returns {{ backend: 'pil' | 'torchvision' | 'opencv', filter: string }}
 */
export function pythonOf(state) {
  const [backend, { filter }] = [backendOf(state), state];
  if (backend === 'canvas') return { backend: 'pil', filter: libraries.pil.usual };
  const { filters, usual } = libraries[backend];
  return { backend, filter: filters.includes(filter) ? filter : usual };
}

/** The size of the result and how the picture comes to it, as imageToTensor takes it. */
export function resizingOf(state) {
  const { width, height, fit } = state;
  if (fit === 'letterbox') return { letterbox: { width, height, filter: pythonOf(state).filter } };
  return { width, height, fit, ...(state.backend === 'canvas' ? { filter: 'canvas' } : pythonOf(state)) };
}
