/** The differences between two tables of tables.py: of the release that is pinned here, and of another one. */

/**
 * A table: rows by name, by section. A row of a class holds `bases`, `defaults`, `kwargs` and `methods`; other rows are
 * a digest, a class, or a list of versions.
 * @typedef {Record<string, Record<string, any>>} Table
 */

/**
 * Names a row of two objects, which only one of them has or which differs.
 * @param {Record<string, any>} before
 * @param {Record<string, any>} after
 */
function changes(before = {}, after = {}) {
  const names = Object.keys({ ...before, ...after }).sort();
  const differs = (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return {
    added: names.filter((name) => !(name in before)),
    gone: names.filter((name) => !(name in after)),
    changed: names.filter((name) => name in before && name in after && differs(name)),
  };
}

/** @type {(names: readonly string[]) => string} */
const joined = (names) => names.join(', ');

/**
 * Compares lists or objects of a class, such as its defaults.
 * @param {string} what
 * @param {any} before
 * @param {any} after
 * @param {(name: string) => string} describe says how one that both have differs
 * @returns {string[]}
 */
function describeChanges(what, before, after, describe) {
  const { added, gone, changed } = changes(before, after);
  return [
    ...(added.length > 0 ? [`new ${what} ${joined(added)}`] : []),
    ...(gone.length > 0 ? [`no ${what} ${joined(gone)} any more`] : []),
    ...changed.map(describe),
  ];
}

/** @type {(list?: readonly string[]) => Record<string, true>} */
const asSet = (list = []) => Object.fromEntries(list.map((name) => [name, true]));

/**
 * Describes how a class differs.
 * @param {any} before
 * @param {any} after
 * @returns {string[]}
 */
function describeClass(before, after) {
  const isSame = JSON.stringify(before.bases) === JSON.stringify(after.bases);
  return [
    ...(isSame ? [] : [`bases ${joined(before.bases ?? [])} -> ${joined(after.bases ?? [])}`]),
    ...describeChanges(
      'default of',
      before.defaults,
      after.defaults,
      (name) => `default of ${name} ${before.defaults[name]} -> ${after.defaults[name]}`,
    ),
    ...describeChanges('setting', asSet(before.kwargs), asSet(after.kwargs), (name) => name),
    ...describeChanges('method', before.methods, after.methods, (name) => `body of ${name}`),
  ];
}

/** @type {(value: any) => string} */
const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * Compares two tables.
 * @param {Table} before
 * @param {Table} after
 * @returns {string[]} a line for each row that differs, by section and name
 */
export function compareTables(before, after) {
  return Object.keys({ ...before, ...after }).flatMap((section) => {
    const [old, fresh] = [before[section] ?? {}, after[section] ?? {}];
    if (section === 'model types')
      return Object.keys(fresh).flatMap((kind) => compareRows(`${kind} model type`, old[kind] ?? {}, fresh[kind]));
    return compareRows(section, old, fresh);
  });
}

/**
 * Compares the rows of a section.
 * @param {string} section
 * @param {Record<string, any>} before
 * @param {Record<string, any>} after
 * @returns {string[]}
 */
function compareRows(section, before, after) {
  const { added, gone, changed } = changes(before, after);
  const describe = (name) => {
    const [old, fresh] = [before[name], after[name]];
    if (section === 'shared code') return 'changed';
    return old?.methods || old?.kwargs ? describeClass(old, fresh).join('; ') : `${shown(old)} -> ${shown(fresh)}`;
  };
  return [
    ...added.map((name) => `${section}: ${name}: new`),
    ...gone.map((name) => `${section}: ${name}: gone`),
    ...changed.map((name) => `${section}: ${name}: ${describe(name)}`),
  ];
}

/**
 * Leaves only the rows that differ between some of the tables, so that few are left.
 * @param {readonly Table[]} tables
 * @returns {Table[]}
 */
export function differingRows(tables) {
  const sections = Object.keys(Object.assign({}, ...tables));
  /** @type {(rows: readonly any[]) => any[]} */
  const keep = (rows) => {
    const names = Object.keys(Object.assign({}, ...rows));
    const differs = names.filter((name) => new Set(rows.map((row) => JSON.stringify(row[name]))).size > 1);
    return rows.map((row) =>
      Object.fromEntries(differs.filter((name) => name in row).map((name) => [name, row[name]])),
    );
  };
  const bySection = sections.map((section) => {
    const parts = tables.map((table) => table[section] ?? {});
    if (section !== 'model types') return keep(parts);
    const kinds = Object.keys(Object.assign({}, ...parts));
    const rows = kinds.map((kind) => keep(parts.map((part) => part[kind] ?? {})));
    return tables.map((_, i) => Object.fromEntries(kinds.map((kind, k) => [kind, rows[k][i]])));
  });
  return tables.map((_, i) => Object.fromEntries(sections.map((section, s) => [section, bySection[s][i]])));
}
