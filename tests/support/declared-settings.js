/**
 * Makes the rows of processors throw where they read a setting that they do not declare: a file's value of it would
 * have no effect.
 */
import { table } from '../../js/processors/classes/table.js';
import { videoRows } from '../../js/processors/videos/video-rows.js';

/**
 * Settings of which code may read only those that are declared. It may copy all of them.
 * @type {(settings: any, reads: ReadonlySet<string>, name: string) => any}
 */
export function exposeDeclared(settings, reads, name) {
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
  const expose = (settings) => settings && exposeDeclared(settings, reads, name);
  /** @type {(owner: any, key: string) => void} Wraps a function of a call. */
  const wrapCall = (owner, key) => {
    const original = owner[key];
    const wrapper = (/** @type {any} */ call, /** @type {any[]} */ ...others) =>
      original({ ...call, settings: expose(call.settings), file: expose(call.file) }, ...others);
    if (original) owner[key] = Object.assign(wrapper, original);
  };
  /** @type {(key: string) => void} Wraps a function of settings. */
  const wrapSettings = (key) => {
    const original = row[key];
    const wrapper = (/** @type {any} */ settings, /** @type {any} */ file) => {
      const exposed = expose(settings);
      const result = original(exposed, expose(file));
      return result === exposed ? settings : result;
    };
    if (original) row[key] = wrapper;
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
