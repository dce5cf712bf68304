/**
 * Fuzzes files: `node tests/fuzz/files.mjs [--count N] [--seed N]` tries N mutations of the files of each format,
 * 20,000 if omitted. Ends with a line `N passed, M failed`.
 */
import { parseArgs } from 'node:util';
import { tryFiles } from './mutate-files.js';

const options = { count: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } };
const { values } = parseArgs({ options });
const { tried, read, faults } = await tryFiles(Number(values.count), Number(values.seed));
for (const fault of faults.slice(0, 20)) console.log(fault);
console.log(`${read} of ${tried} files were read`);
console.log(`${tried - faults.length} passed, ${faults.length} failed`);
process.exitCode = faults.length > 0 ? 1 : 0;
