/** The floors of cpp/: which room may include which, and by which headers. */
import { words } from '../support/tables.js';

/** For each room the rooms below it that it may include. Each file of cpp/modules is a room. */
export const floors = {
  image_exports: ['call', 'processors', 'resize', 'image', 'warp'],
  bindings: ['call', 'quantize', 'pick', 'transpose', 'convert', 'bits'],
  audio_exports: ['audio', 'elementary'],
  postprocess_exports: ['postprocess'],
  mask_exports: ['postprocess', 'warp'],
  audio: ['elementary', 'bits'],
  postprocess: ['elementary', 'bits'],
  elementary: ['bits'],
  resize: ['bits'],
  warp: [],
  processors: ['elementary', 'bits'],
  image: ['convert', 'bits'],
  quantize: ['convert', 'bits'],
  pick: ['convert', 'bits'],
  transpose: ['bits'],
  convert: ['bits'],
  call: [],
  bits: [],
};

/** For each room the headers that other rooms may include. Every header of bits is a door. */
export const doors = {
  resize: [
    'plan.h',
    // For image_exports, which exports the codes of all filters.
    'filters.def',
    'opencv.def',
    'float_filters.def',
  ],
  image: ['pixels.h'],
  warp: ['perspective.h', 'samples.h', 'warp.h'],
  processors: ['blur.h', 'chessboard.h', 'nearest_colors.h', 'scan.h', 'zoom.h'],
  audio: ['codes.h', 'fft.h', 'frames.h', 'normals.h', 'numbers.h', 'resample.h', 'tables.h'],
  elementary: ['elementary.h', 'pairs.h'],
  postprocess: words(`
    approximate.h axis_resize.h boxes.h contours.h keypoints.h labels.h maps.h numbers.h pick.h planes.h
    polygons.h rows.h runs.h select.h text.h yolo.h
  `),
  quantize: ['quantize.h', 'columns.h', 'bnb4.h'],
  pick: ['indices.h', 'range.h', 'scatter.h', 'select.h'],
  transpose: ['plan.h'],
  convert: [
    'convert.h',
    // For rooms that make chains of steps of their own, as image does.
    'steps.h',
  ],
};

/**
 * Holds sources against the floors.
 * @param {Record<string, string>} files text by path in cpp/, such as `bits/runs.h`
 * @returns {string[]} a line for each include that runs up, goes past a door, finds no file, or closes a circle
 */
export function wrongIncludes(files) {
  const roomOf = (path) => /^(?:modules\/)?(\w+)/.exec(path)[1];
  const includes = new Map(
    Object.entries(files).map(([path, text]) => [path, [...text.matchAll(/^#include "(.+)"/gm)].map(([, to]) => to)]),
  );
  const wrong = [];
  for (const [path, list] of includes) {
    const room = roomOf(path);
    if (!(room in floors)) wrong.push(`${path}: no room has this name`);
    for (const to of list) {
      const target = roomOf(to);
      if (!(to in files)) wrong.push(`${path} includes ${to}, which is not there`);
      else if (target === room) continue;
      else if (!floors[room]?.includes(target)) wrong.push(`${path} includes ${to}, which runs up`);
      else if (doors[target] && !doors[target].includes(to.slice(target.length + 1)))
        wrong.push(`${path} includes ${to}, which goes past a door`);
    }
  }
  const done = new Set();
  const visit = (path, way) => {
    if (way.includes(path)) wrong.push(`circle: ${[...way.slice(way.indexOf(path)), path].join(' > ')}`);
    if (way.includes(path) || done.has(path)) return;
    // A .def file is included again and again, each time for another list, and includes nothing.
    for (const to of includes.get(path) ?? []) visit(to, [...way, path]);
    done.add(path);
  };
  for (const path of includes.keys()) visit(path, []);
  return wrong;
}
