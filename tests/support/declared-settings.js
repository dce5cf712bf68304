/**
 * Makes the rows of processors throw where they read a setting that they do not declare: a file's value of it would
 * have no effect.
 */
import { table } from '../../js/processors/classes/table.js';
import { videoRows } from '../../js/processors/videos/video-rows.js';

/**
 * Settings of which code may read those that are declared, and copy all.
 * @type {(settings: any, reads: ReadonlySet<string>, name: string) => any}
 */
export function declaredAlone(settings, reads, name) {
  /** A copy asks for each key's descriptor before its value. @type {string | symbol | undefined} */
  let copied;
  return new Proxy(settings, {
    getOwnPropertyDescriptor: (target, key) => Reflect.getOwnPropertyDescriptor(target, (copied = key)),
    get(target, key) {
      const isCopied = copied === key;
      copied = undefined;
      if (typeof key === 'string' && !isCopied && !reads.has(key)) throw new Error(`${name} does not declare ${key}`);
      return target[key];
    },
  });
}

/** @type {(row: any, name: string) => void} */
function wrapRow(row, name) {
  const reads = new Set(['do_convert_rgb', ...row.make.reads]);
  /** @type {(settings: any) => any} */
  const declared = (settings) => settings && declaredAlone(settings, reads, name);
  /** @type {(owner: any, key: string) => void} Wraps a function of a call. */
  const wrapCall = (owner, key) => {
    const of = owner[key];
    const wrapped = (/** @type {any} */ call, /** @type {any[]} */ ...others) =>
      of({ ...call, settings: declared(call.settings), file: declared(call.file) }, ...others);
    if (of) owner[key] = Object.assign(wrapped, of);
  };
  /** @type {(key: string) => void} Wraps a function of settings. */
  const wrapSettings = (key) => {
    const of = row[key];
    const wrapped = (/** @type {any} */ settings, /** @type {any} */ given) => {
      const own = declared(settings);
      const result = of(own, declared(given));
      return result === own ? settings : result;
    };
    if (of) row[key] = wrapped;
  };
  ['make', 'sample', 'patches'].forEach((key) => wrapCall(row, key));
  wrapCall(row.make, 'patches');
  row.rule = { ...row.rule };
  ['open', 'outputs', 'countsFrames'].forEach((key) => wrapCall(row.rule, key));
  ['adjust', 'ofFile'].forEach(wrapSettings);
}

/** Wraps the rows of all classes. Jest gives each file of tests its own. */
export function refuseUndeclared() {
  for (const rows of [table, videoRows])
    for (const row of new Set(Object.values(rows)))
      wrapRow(row, /** @type {string} */ (Object.keys(rows).find((name) => rows[name] === row)));
}
