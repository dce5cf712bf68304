/** The known name that a misspelt one was probably meant to be. */

/** Finds the known name with the fewest typing errors, ignoring case. It may have one error for every three letters of
 * the longer name, and at least 1. Names whose lengths differ by more are not compared: one of megabytes costs nothing.
 * @type {(name: string, known: readonly string[]) => string | undefined} */
export function nearest(name, known) {
  let best;
  let least = Infinity;
  for (const candidate of known) {
    const longer = Math.max(name.length, candidate.length);
    const maxErrors = Math.max(1, Math.floor(longer / 3));
    // Skip one-letter names: one edit makes any of them another.
    if (longer < 2 || Math.abs(name.length - candidate.length) > maxErrors) continue;
    const errors = typingErrors(name.toLowerCase(), candidate.toLowerCase());
    if (errors <= maxErrors && errors < least) [best, least] = [candidate, errors];
  }
  return best;
}

/** How much of an unknown name is compared: one of a configuration may have megabytes. */
const comparedCharacters = 100;

/** Finds the `count` known names that are the fewest typing errors away from a name, ignoring case, the nearest first.
 * @type {(name: string, known: readonly string[], count: number) => string[]} */
export function nearestNames(name, known, count) {
  const beginning = name.slice(0, comparedCharacters).toLowerCase();
  const ranked = known.map((candidate) => ({ candidate, errors: typingErrors(beginning, candidate.toLowerCase()) }));
  ranked.sort((a, b) => a.errors - b.errors);
  return ranked.slice(0, count).map(({ candidate }) => candidate);
}

/** Counts how many typing errors lead from one text to another: a letter missing, added, or wrong, or two neighbors
 * swapped. This is the optimal string alignment distance (Boytsov, "Indexing methods for approximate dictionary
 * searching", 2011, section 2.1): no letter is changed twice.
 * @type {(a: string, b: string) => number} */
function typingErrors(a, b) {
  /** rows[i][j]: the errors from the first i letters of `a` to the first j letters of `b`. */
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const above = rows[i - 1];
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const missing = above[j] + 1;
      const added = row[j - 1] + 1;
      const replaced = above[j - 1] + (isSame ? 0 : 1);
      row[j] = Math.min(missing, added, replaced);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j], rows[i - 2][j - 2] + 1);
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}
