/** How the modules of the package are loaded: by the first call that needs one, or ahead of it by `init`. */
import { brief, namedAsync, rangeError, readOptions, refusal, show, typeError } from '../../arguments/index.js';

/**
 * A module: compiled, as bytes, or where a server has it.
 * @typedef {WebAssembly.Module | ArrayBufferView | ArrayBuffer | URL | string} WasmSource
 */

/**
 * @typedef {object} InitOptions
 * @property {WasmSource} [wasm] The module: compiled, as bytes, or its URL. If omitted, the one in the package's code.
 */

/** The imports of a module, and the function that takes its instance.
 * @typedef {{ imports: Record<string, object>, use: (instance: Instance) => void }} Start */
/** @typedef {{ readonly exports: object }} Instance a WebAssembly.Instance */

/** Whether a value is of one of these classes, of any realm. By name, because an AudioWorklet has no class `URL`.
 * @type {(value: unknown, ...tags: string[]) => boolean} */
const isOf = (value, ...tags) => tags.includes(Object.prototype.toString.call(value).slice(8, -1));

/** A module of the package, which is loaded once. */
export class Loader {
  isLoaded = false;
  /** @type {Promise<void> | undefined} */
  loading;

  /**
   * @param {string} door the entry point whose `init` loads it, for the message
   * @param {string | WebAssembly.Module | undefined} source the module in the package, as text or compiled; undefined:
   *   the bundle has none
   * @param {(module: WebAssembly.Module) => Start} start gives the module's imports, and takes its instance
   * @param {Loader} [base] the module whose memory this one works in
   */
  constructor(door, source, start, base) {
    this.door = door;
    this.source = source;
    this.start = start;
    this.base = base;
  }

  /** The body of `init`: concurrent calls share one load, later ones do nothing, one after a failure loads again.
   * @type {(options?: InitOptions) => Promise<void>} */
  init(options) {
    return namedAsync('init', () => this.#loadAhead(readWasm(options)));
  }

  /** Loads the package's module off the thread, for a call that is asynchronous. Refuses the call where the bundle
   * holds no module and no `init` is loading one.
   * @returns {Promise<void> | undefined} undefined: it is loaded already */
  loadAsync() {
    if (!this.isLoaded && this.source === undefined && !this.loading) this.#refuseMissing();
    return this.#loadAhead(undefined);
  }

  /** Loads the package's module, and its base first, while the call waits: for a call that is not asynchronous. */
  loadNow() {
    if (this.isLoaded) return;
    if (this.source === undefined) this.#refuseMissing();
    this.base?.loadNow();
    const module = compileNow(/** @type {string | WebAssembly.Module} */ (this.source));
    const { imports, use } = this.start(module);
    use(new WebAssembly.Instance(module, /** @type {WebAssembly.Imports} */ (imports)));
    this.isLoaded = true;
  }

  /** Refuses a call that needs a module where the bundle holds none, and no `init` has loaded it.
   * @type {() => never} */
  #refuseMissing() {
    throw refusal(new Error(`call await init({ wasm }) of '${this.door}' first`));
  }

  /** Loads the module unless it is loaded. Calls during a load get its promise (`loading`); after a failed load the
   * next call loads again. `wasm`: the caller's source; undefined: the package's.
   * @type {(wasm: WasmSource | undefined) => Promise<void> | undefined} */
  #loadAhead(wasm) {
    if (this.isLoaded) return undefined;
    this.loading ??= this.#load(wasm).catch((error) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  /** Compiles the module, loads its base, and starts an instance.
   * @type {(wasm: WasmSource | undefined) => Promise<void>} */
  async #load(wasm) {
    const source = await sourceOf(wasm, this.source);
    const module = isOf(source, 'WebAssembly.Module')
      ? /** @type {WebAssembly.Module} */ (source)
      : await WebAssembly.compile(/** @type {BufferSource} */ (source)).catch(refuseCompiling);
    await this.base?.loadAsync();
    const { imports, use } = this.start(module);
    const instance = await WebAssembly.instantiate(module, /** @type {WebAssembly.Imports} */ (imports));
    // A call that could not wait may have loaded it meanwhile.
    if (!this.isLoaded) use(instance);
    this.isLoaded = true;
  }
}

/** Compiles a module while the call waits. `source`: its text in the package's own encoding, which {@link wasmBytes}
 * decodes, or a compiled module, which is returned.
 * @type {(source: string | WebAssembly.Module) => WebAssembly.Module} */
function compileNow(source) {
  if (typeof source !== 'string') return source;
  try {
    return new WebAssembly.Module(/** @type {BufferSource} */ (wasmBytes(source)));
  } catch (error) {
    return refuseCompiling(error);
  }
}

/** Throws an error that says what a caller can do where an engine refuses to compile WebAssembly; other errors are
 * thrown again as they are. The first cure names `wasm-unsafe-eval`, where engines' messages name `unsafe-eval`,
 * because it allows less.
 * @type {(error: unknown) => never} */
function refuseCompiling(error) {
  const cure = cureOf(String(/** @type {Error | undefined} */ (error)?.message));
  throw cure ? refusal(new Error(cure, { cause: error })) : error;
}

/** Tells from an engine's message why it refused to compile, and says what a caller can do; undefined for other errors.
 * @type {(message: string) => string | undefined} */
function cureOf(message) {
  if (/unsafe-eval|CSP|Content.Security/i.test(message))
    return "the page's policy must have 'wasm-unsafe-eval' in its script-src to run WebAssembly";
  if (/disallowed by embedder/.test(message))
    return 'this engine compiles no WebAssembly: pass the module that its bundler compiled, by await init({ wasm })';
  if (/main thread/.test(message))
    return 'this engine compiles no module of this size on the main thread while a call waits: call await init() first';
  return undefined;
}

/** @type {(wasm: unknown) => never} */
const refuseSource = (wasm) => typeError(`wasm must be a WebAssembly.Module, bytes or a URL, got ${show(wasm)}`);

/** Reads the option `wasm` of an `init`, the source of the module; undefined if it is omitted.
 * @type {(options: { wasm?: WasmSource } | undefined) => WasmSource | undefined} */
function readWasm(options) {
  const { wasm } = readOptions(options, ['wasm']);
  const isSource = ArrayBuffer.isView(wasm) || isOf(wasm, 'WebAssembly.Module', 'ArrayBuffer', 'URL', 'String');
  if (wasm !== undefined && !isSource) refuseSource(wasm);
  return wasm;
}

/** Gives the module or its bytes: of the caller's `wasm`, which is fetched if it is a URL, or of the package's `source`
 * if `wasm` is omitted.
 * @type {(wasm: WasmSource | undefined, source: string | WebAssembly.Module | undefined) =>
 *   Promise<WasmSource>} */
async function sourceOf(wasm, source) {
  if (wasm === undefined) return typeof source === 'string' ? wasmBytes(source) : (source ?? refuseSource(wasm));
  if (!isOf(wasm, 'URL', 'String')) return wasm;
  const response = await fetch(/** @type {string | URL} */ (wasm));
  if (!response.ok) rangeError(`wasm '${brief(String(wasm))}' must be there, got status ${response.status}`);
  return response.arrayBuffer();
}

/** A module's text is written in base 85: each character stands for a digit from 0 to 84. A digit below 82 is one of
 * the 82 frequent byte values; another one begins a pair, which is one of the 174 other values. */
const base = 85;
const frequentCount = 82;
/** Hexadecimal digits in front of the text, which say which byte values are the frequent ones. */
const maskLength = 64;

/** Decodes the bytes of a module from its text, which wasm-text.mjs writes. It needs no `atob` and no `TextDecoder`,
 * which an AudioWorklet lacks.
 * @type {(text: string) => Uint8Array} */
export function wasmBytes(text) {
  const byteValues = byteValuesByRank(text.slice(0, maskLength));
  const bytes = new Uint8Array(text.length);
  let count = 0;
  let at = maskLength;
  while (at < text.length) {
    let rank = digitOf(text.charCodeAt(at));
    at++;
    const beginsPair = rank >= frequentCount;
    if (beginsPair) {
      const high = rank - frequentCount;
      rank = frequentCount + base * high + digitOf(text.charCodeAt(at));
      at++;
    }
    bytes[count] = byteValues[rank];
    count++;
  }
  return bytes.subarray(0, count);
}

/** Lists all byte values: the frequent ones, then the others, each ascending. `mask`: hexadecimal digits, of which bit
 * b of digit d tells whether byte value 4 d + b is frequent.
 * @type {(mask: string) => number[]} */
function byteValuesByRank(mask) {
  /** @type {number[]} */
  const frequent = [];
  /** @type {number[]} */
  const others = [];
  for (let value = 0; value < 256; value++) {
    const maskDigit = Number.parseInt(mask[Math.floor(value / 4)], 16);
    const isFrequent = ((maskDigit >> (value % 4)) & 1) === 1;
    if (isFrequent) frequent.push(value);
    else others.push(value);
  }
  return [...frequent, ...others];
}

/** Gives the digit of a character of a module's text. The alphabet is ASCII from ( (40) on, without \ (92) and ` (96).
 * @type {(charCode: number) => number} */
function digitOf(charCode) {
  const skippedBefore = Number(charCode > 92) + Number(charCode > 96);
  return charCode - 40 - skippedBefore;
}
