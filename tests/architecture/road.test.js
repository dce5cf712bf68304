/** The files that a small call runs through: a reader of the call reads these. */
import { expect, test } from '@jest/globals';
import { run } from '../support/packed.js';

/** Counts calls in a process of its own: a second count of a process would reset that of `npm run coverage`. */
const program = `
  import { Session } from 'node:inspector/promises';
  import { init, transpose } from 'onnx-layout';
  await init();
  const tensor = { type: 'float32', dims: [2, 3, 4], data: new Float32Array(24) };
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  transpose(tensor, { perm: [2, 0, 1] });
  await session.post('Profiler.takePreciseCoverage');
  transpose(tensor, { perm: [2, 0, 1] });
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const runs = ({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0;
  const files = result.filter(({ functions }) => functions.some(runs)).map(({ url }) => url.split('/js/')[1]);
  console.log(JSON.stringify(files.filter((file) => file !== undefined).sort()));`;

test('a warm transpose runs through twelve files', () => {
  const files = JSON.parse(run(process.execPath, ['--input-type=module', '--eval', program]));
  expect(files).toEqual([
    'arguments/budget.js',
    'arguments/lists.js',
    'arguments/typed-arrays.js',
    'engines/tensors/module.js',
    'engines/tensors/moves/plan.js',
    'operators/core/call.js',
    'operators/core/kinds.js',
    'operators/core/results.js',
    'operators/core/view.js',
    'operators/layout/transpose.js',
    'tensor/read-tensor.js',
    'tensor/tensor.js',
  ]);
});
