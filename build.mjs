/**
 * Installs what is missing, then builds the wasm module and the types into dist/. With `--native` it also installs
 * what the tests need, and builds the native tests into build/native. What is up to date is left alone. Uses nothing
 * but Node, because it runs before `npm ci`.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Commands, and the Debian packages that bring them.
 * @type {Record<string, string>}
 */
const wasmTools = { emcc: 'emscripten', cmake: 'cmake', ninja: 'ninja-build' };
/** @type {Record<string, string>} */
const nativeTools = { 'clang++': 'clang', 'clang-format': 'clang-format' };
/**
 * More Debian packages for the tests: the sanitizers' runtime, the wasm intrinsics for the host, NumPy and protoc to
 * compare with, and browsers.
 */
const testPackages = [
  'libclang-rt-dev',
  'libsimde-dev',
  'python3-numpy',
  'protobuf-compiler',
  'chromium',
  'firefox-esr',
  'webkit2gtk-driver',
  'xvfb',
];

const native = process.argv.includes('--native');
process.chdir(import.meta.dirname);

/**
 * Ends the process with a message.
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(1);
}

/**
 * Shows progress, on stderr: stdout belongs to `npm pack --json`, which runs this script too.
 * @param {string} what
 */
function announce(what) {
  console.error(`build: ${what}`);
}

/**
 * Runs a command. If it fails, shows what it printed and ends the process.
 * @param {string} command
 * @param {string[]} args
 */
function run(command, ...args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: Infinity,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status !== 0)
    fail(
      `${stdout ?? ''}${stderr ?? ''}build: ${command} ${args.join(' ')}: ${error?.message ?? `exit status ${status}`}`,
    );
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
function isFresh(output, inputs) {
  const time = (/** @type {string} */ file) => statSync(file).mtimeMs;
  return existsSync(output) && inputs.every((input) => time(input) <= time(output));
}

function installTools() {
  const tools = { ...wasmTools, ...(native && nativeTools) };
  const commands = Object.keys(tools).filter((command) => !onPath(command));
  const hasApt = onPath('apt-get');
  const packages = commands.map((command) => tools[command]);
  if (native && hasApt) packages.push(...testPackages.filter((name) => !isInstalled(name)));
  if (packages.length === 0) return;
  if (!hasApt) {
    const wanted = native ? 'CMake, Ninja, Clang with clang-format, and SIMDe' : 'CMake and Ninja';
    fail(`Install Emscripten 3.1.6 or newer, ${wanted}: the PATH has no ${commands.join(', ')}.`);
  }
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  if (process.getuid?.() !== 0) fail(`Run this once as root, or have root run: apt-get ${install.join(' ')}`);
  announce(`apt-get ${install.join(' ')}`);
  process.env.DEBIAN_FRONTEND = 'noninteractive';
  run('apt-get', 'update');
  run('apt-get', ...install);
}

function installModules() {
  if (isFresh('node_modules/.package-lock.json', ['package-lock.json'])) return;
  announce('npm ci');
  run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
}

/**
 * Builds a folder. It is configured once: from then on Ninja does that where CMakeLists.txt changes.
 * @param {string} folder
 * @param {[command: string, ...args: string[]]} configure
 */
function compile(folder, ...configure) {
  if (!existsSync(join(folder, 'build.ninja'))) {
    announce(`CMake in ${folder}`);
    run(...configure, '-S', '.', '-B', folder, '-G', 'Ninja');
  }
  run('cmake', '--build', folder);
}

function publishWasm() {
  mkdirSync('dist', { recursive: true });
  if (isFresh('dist/wasm.js', ['build/wasm/layout.mjs', 'build/wasm/layout.wasm', 'build.mjs'])) return;
  for (const file of ['layout.mjs', 'layout.wasm']) copyFileSync(join('build/wasm', file), join('dist', file));
  // Hexadecimal gzips to 72 % of what base64 does, because bytes stay aligned.
  const hex = readFileSync('dist/layout.wasm').toString('hex');
  const prose = '// layout.wasm as text, so that no bundler, server or CSP has to know of one more file.';
  writeFileSync('dist/wasm.js', `${prose}\nexport const wasm = '${hex}';\n`);
  // tsc takes these in the place of the generated code beside them.
  writeFileSync('dist/layout.d.mts', 'export default function load(module: object): Promise<any>;\n');
  writeFileSync('dist/wasm.d.ts', 'export declare const wasm: string;\n');
}

/**
 * Copies the modules of protobuf's wire format, with their licences. js/io reads ONNX files with them, and the
 * package needs no other package.
 */
function publishProtobuf() {
  for (const module of ['proto-int64', 'wire/binary-encoding', 'wire/text-encoding', 'wire/varint']) {
    for (const file of [`${module}.js`, `${module}.d.ts`])
      cpSync(join('node_modules/@bufbuild/protobuf/dist/esm', file), join('dist/protobuf', file));
  }
}

const sources = readdirSync('js', { recursive: true, encoding: 'utf8' }).map((file) => join('js', file));

/**
 * Joins the modules of the program to one file. Node takes about 1 ms to find and link each module of two hundred:
 * `inspect` takes 115 ms of processor time instead of 255, of which Node alone takes 69.
 */
function publishProgram() {
  if (isFresh('dist/cli.js', ['js', ...sources, 'build.mjs', 'package-lock.json'])) return;
  const options = ['--bundle', '--minify', '--platform=node', '--format=esm', '--external:./dist/*'];
  run(process.execPath, 'node_modules/esbuild/bin/esbuild', 'js/cli/cli.js', ...options, '--outfile=dist/cli.js');
}

function publishTypes() {
  if (isFresh('dist/types/index.d.ts', ['js', ...sources, 'tsconfig.json', 'package-lock.json'])) return;
  announce('types');
  rmSync('dist/types', { recursive: true, force: true });
  run(process.execPath, 'node_modules/typescript/bin/tsc');
}

// Debian's emcc needs the acorn module, which lies in the folder of Debian's own Node modules. No other Node searches
// there.
process.env.NODE_PATH = [process.env.NODE_PATH, '/usr/share/nodejs'].filter(Boolean).join(delimiter);

installTools();
installModules();
compile('build/wasm', 'emcmake', 'cmake', '-DCMAKE_BUILD_TYPE=Release');
publishWasm();
publishProtobuf();
publishProgram();
publishTypes();
if (native) compile('build/native', 'cmake', '-DCMAKE_CXX_COMPILER=clang++');
