/**
 * Decides what a command needs installed, says in one line what is missing, and installs that: Debian packages and
 * folders of npm packages. `node install.mjs NEEDS` does it for the needs below. Imports nothing but Node, because it
 * runs before `npm ci`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Debian packages by need, each with the command that shows that it is there. dpkg looks up a package without one.
 * @type {Record<string, Record<string, string | undefined>>}
 */
const debianPackages = {
  wasm: { emscripten: 'emcc', cmake: 'cmake', 'ninja-build': 'ninja' },
  native: {
    cmake: 'cmake',
    'ninja-build': 'ninja',
    clang: 'clang++',
    'libclang-rt-dev': undefined,
    'libsimde-dev': undefined,
  },
  clang: { clang: 'clang++', 'libsimde-dev': undefined },
  'clang-format': { 'clang-format': 'clang-format' },
  numpy: { 'python3-numpy': undefined },
  protoc: { 'protobuf-compiler': 'protoc' },
  browsers: { chromium: 'chromium', 'firefox-esr': 'firefox-esr', xvfb: 'Xvfb' },
  webkit: { 'webkit2gtk-driver': 'WebKitWebDriver', xvfb: 'Xvfb' },
};

/**
 * Folders of npm packages by need, and the size of the large ones.
 * @type {Record<string, { folder: string, size?: string }>}
 */
const npmFolders = {
  npm: { folder: '.' },
  web: { folder: 'web', size: '190 MB' },
  docs: { folder: 'web/docs', size: '150 MB' },
  engines: { folder: 'tests/engines', size: '1 GB' },
  bench: { folder: 'tests/bench', size: '700 MB' },
};

/**
 * Programs to install by hand where there is no apt. Tests skip what the other packages bring.
 * @type {Record<string, string>}
 */
const titles = {
  emscripten: 'Emscripten 3.1.6 or newer',
  cmake: 'CMake',
  'ninja-build': 'Ninja',
  clang: 'Clang',
  'libsimde-dev': 'SIMDe',
  'clang-format': 'clang-format',
};

/**
 * Ends the process with a message.
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  console.error(message);
  process.exit(1);
}

/**
 * Runs a command. If it fails, shows what it printed and ends the process.
 * @param {string} command
 * @param {string[]} args
 */
export function run(command, ...args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: Infinity,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status !== 0)
    fail(`${stdout ?? ''}${stderr ?? ''}${command} ${args.join(' ')}: ${error?.message ?? `exit status ${status}`}`);
}

/** @param {string} command */
function onPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)));
}

/** @param {string} debianPackage */
function isInstalled(debianPackage) {
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f=${db:Status-Status}', debianPackage], { encoding: 'utf8' });
  return stdout === 'installed';
}

/**
 * Whether a file is at least as new as everything that it is made from.
 * @param {string} output
 * @param {string[]} inputs
 */
export function isFresh(output, inputs) {
  const time = (/** @type {string} */ file) => statSync(file).mtimeMs;
  return existsSync(output) && inputs.every((input) => time(input) <= time(output));
}

/** @param {Record<string, string | undefined>} packages */
function missingPackages(packages) {
  const entries = Object.entries(packages);
  if (onPath('apt-get'))
    return entries.filter(([name, command]) => !(command ? onPath(command) : isInstalled(name))).map(([name]) => name);
  const missing = entries.filter(([name, command]) => titles[name] && command && !onPath(command));
  if (missing.length === 0) return [];
  const wanted = entries.filter(([name, command]) => titles[name] && !(command && onPath(command)));
  const list = new Intl.ListFormat('en').format(wanted.map(([name]) => titles[name]));
  return fail(`Install ${list}: the PATH has no ${missing.map(([, command]) => command).join(', ')}.`);
}

/** @param {{ folder: string }} npmFolder */
function isMissing({ folder }) {
  return !isFresh(join(folder, 'node_modules/.package-lock.json'), [join(folder, 'package-lock.json')]);
}

/**
 * Installs what is missing of some needs.
 * @param {string[]} needs names of the tables above
 */
export function install(...needs) {
  const unknown = needs.filter((need) => !debianPackages[need] && !npmFolders[need]);
  if (unknown.length > 0) fail(`install: nothing is named ${unknown.join(', ')}`);
  process.chdir(import.meta.dirname);
  const packages = missingPackages(Object.assign({}, ...needs.map((need) => debianPackages[need])));
  const folders = needs.flatMap((need) => npmFolders[need] ?? []).filter(isMissing);
  const apt = ['install', '-y', '--no-install-recommends', ...packages];
  if (packages.length > 0 && process.getuid?.() !== 0)
    fail(`Run this once as root, or have root run: apt-get ${apt.join(' ')}`);
  const steps = [
    ...(packages.length > 0 ? [`apt-get install ${packages.join(' ')}`] : []),
    ...folders.map(({ folder, size }) => `npm ci in ${folder}${size ? ` (${size})` : ''}`),
  ];
  // On stderr: stdout belongs to `npm pack --json`, which builds too.
  if (steps.length > 0) console.error(`install: ${steps.join('; ')}`);
  if (packages.length > 0) {
    process.env.DEBIAN_FRONTEND = 'noninteractive';
    run('apt-get', 'update');
    run('apt-get', ...apt);
  }
  // Without install scripts, which download builds for GPUs and move esbuild's binary.
  for (const { folder } of folders) run('npm', 'ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund');
}

if (process.argv[1] === import.meta.filename) install(...process.argv.slice(2));
