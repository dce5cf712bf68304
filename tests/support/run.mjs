/**
 * Runs Jest and the native tests, and ends with one line that counts both: `N passed, M failed`. Arguments go to Jest.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';

const report = 'build/jest.json';
rmSync(report, { force: true });
spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    '--json',
    `--outputFile=${report}`,
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
const jest = JSON.parse(readFileSync(report, 'utf8'));

const ctest = spawnSync('ctest', ['--test-dir', 'build/native', '--output-on-failure', '--no-tests=error'], {
  encoding: 'utf8',
});
const counts = /(\d+) tests failed out of (\d+)/.exec(ctest.stdout);
if (ctest.status !== 0) console.log(ctest.stdout + ctest.stderr);
const nativeTotal = Number(counts?.[2] ?? 1);
const nativeFailed = Number(counts?.[1] ?? 1);

// A suite that does not load has no tests to count, and still has to show.
const passed = jest.numPassedTests + nativeTotal - nativeFailed;
const failed = jest.numFailedTests + jest.numRuntimeErrorTestSuites + nativeFailed;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
