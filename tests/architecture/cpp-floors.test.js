import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root } from '../support/packed.js';
import { doors, wrongIncludes } from './cpp-floors.js';

const cpp = join(root, 'cpp');
const paths = readdirSync(cpp, { recursive: true })
  .filter((path) => statSync(join(cpp, path)).isFile() && !path.endsWith('.md'))
  .map((path) => path.replaceAll('\\', '/'));
const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(cpp, path), 'utf8')]));

describe('cpp', () => {
  test('no include runs up, round, or past a door', () => expect(wrongIncludes(files)).toEqual([]));

  test('every source was read', () => {
    expect(paths).toContain('modules/bindings.cpp');
    expect(paths.filter((path) => path.endsWith('.cpp')).length).toBeGreaterThan(10);
  });

  test('every door is there', () => {
    for (const [room, headers] of Object.entries(doors))
      for (const header of headers) expect(paths).toContain(`${room}/${header}`);
  });

  test('no file includes what is outside of cpp by a relative path', () => {
    for (const path of paths) expect(files[path]).not.toMatch(/#include "\.\.?\//);
  });
});

describe('on a made-up tree', () => {
  const tree = {
    'modules/image_exports.cpp': '#include <cstdint>\n#include "image/pixels.h"\n',
    'modules/bindings.cpp': '#include <cstdint>\n#include "convert/convert.h"\n#include "transpose/plan.h"\n',
    'image/pixels.h': '#pragma once\n#include "convert/convert.h"\n',
    'image/pixels.cpp': '#include "image/pixels.h"\n#include "convert/steps.h"\n#include "bits/runs.h"\n',
    'convert/convert.h': '#include "convert/formats.def"\n',
    'convert/formats.def': '',
    'convert/steps.h': '#include "convert/convert.h"\n#include "convert/tables.h"\n',
    'convert/tables.h': '#include "bits/runs.h"\n',
    'transpose/plan.h': '#include "bits/runs.h"\n',
    'transpose/blocks.h': '',
    'bits/runs.h': '',
  };
  const planted = (path, text) => wrongIncludes({ ...tree, [path]: text });

  test('nothing is wrong without a plant', () => expect(wrongIncludes(tree)).toEqual([]));

  test('an include that runs up', () =>
    expect(planted('bits/runs.h', '#include "convert/convert.h"\n')).toContain(
      'bits/runs.h includes convert/convert.h, which runs up',
    ));

  test('an include of a room beside', () =>
    expect(planted('transpose/plan.h', '#include "convert/convert.h"\n')).toEqual([
      'transpose/plan.h includes convert/convert.h, which runs up',
    ]));

  test('an include past a door', () => {
    expect(planted('modules/bindings.cpp', '#include "transpose/blocks.h"\n')).toEqual([
      'modules/bindings.cpp includes transpose/blocks.h, which goes past a door',
    ]);
    expect(planted('image/pixels.cpp', '#include "convert/tables.h"\n')).toEqual([
      'image/pixels.cpp includes convert/tables.h, which goes past a door',
    ]);
  });

  test('a circle', () =>
    expect(planted('convert/tables.h', '#include "convert/steps.h"\n')).toEqual([
      'circle: convert/steps.h > convert/tables.h > convert/steps.h',
    ]));

  test('an include of a file that is not there, and a room that nobody knows', () =>
    expect(planted('misc/things.h', '#include "bits/lanes.h"\n')).toEqual([
      'misc/things.h: no room has this name',
      'misc/things.h includes bits/lanes.h, which is not there',
    ]));
});
