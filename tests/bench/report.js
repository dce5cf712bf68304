/** The results of a run as text, for the terminal and as Markdown. */
import { words } from '../support/tables.js';

const dash = '-';

/** Milliseconds with three significant digits; latencies below 10 us have five decimals. */
export function showMs(ms) {
  if (ms === undefined) return dash;
  return ms < 0.01 ? ms.toFixed(5) : ms < 1 ? ms.toFixed(3) : ms < 100 ? ms.toFixed(2) : ms.toFixed(0);
}

export const showBytes = (bytes) =>
  bytes < 1e5 ? `${(bytes / 1e3).toPrecision(2)} kB` : `${(bytes / 1e6).toPrecision(3)} MB`;

const mark = (pass) => (pass ? '✓' : '✗');
const shapeOf = ({ operator, type, dims, perm, axis, size, to }) => {
  if (operator === 'Cast') return `${type} to ${to}, ${dims[0] / 2 ** 20}M`;
  return `${type} [${dims}] ${operator === 'Transpose' ? `perm ${perm}` : `axis ${axis} by ${size}`}`;
};
const barOf = ({ must, mostMs }) => (mostMs ? `${mostMs * 1000} us` : must.toFixed(2));

/** Aligns cells in columns, the first two to the left and the others to the right. */
function align(lines) {
  const widths = lines[0].map((_, i) => Math.max(...lines.map((cells) => cells[i].length)));
  return lines
    .map((cells) =>
      cells
        .map((cell, i) => (i < 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const shortNames = {
  'tuned JS loop': 'tuned',
  'JS loop': 'loop',
  'onnxruntime-web': 'ort-web',
  'onnxruntime-node': 'ort-node',
  'tfjs-wasm': 'tfjs',
};

/** The rows and the checks for a terminal. All times are in milliseconds. */
export function terminalTable({ rows, checks, machine, node, date, samples }) {
  const peers = Object.keys(shortNames);
  const figures = words('workload copied memcpy slice into ratio must');
  const head = ['', ...figures, '', 'fresh', ...Object.values(shortNames), 'x best'];
  const lines = rows.map((row) => [
    row.operator === 'Cast' ? '' : row.name,
    shapeOf(row),
    showBytes(row.bytes),
    showMs(row.memcpy),
    showMs(row.slice),
    showMs(row.into),
    row.ratio.toFixed(2),
    barOf(row),
    mark(row.pass),
    showMs(row.fresh),
    ...peers.map((name) => showMs(row.peers[name])),
    `${row.timesBest.toFixed(1)} ${shortNames[row.best]}`,
  ]);
  const where = `${machine.cpu}, ${machine.cores} cores, Node ${node}, ${date.slice(0, 10)}`;
  const parts = [`${where}. Milliseconds; all contenders in turn, each figure is ${samples}.`];
  if (lines.length > 0) parts.push(align([head, ...lines]));
  parts.push(...Object.values(checks).map((results) => [results].flat().map(raceLines).join('\n')));
  const failed = failures({ rows, checks });
  parts.push(failed.length ? `Below the bar: ${failed.join(', ')}` : 'Every bar is reached.');
  return parts.join('\n\n');
}

/** The names of the rows and checks that miss their bars. */
export function failures({ rows, checks }) {
  const missed = Object.entries(checks).filter(([, result]) => [result].flat().some(({ pass }) => !pass));
  return [...rows.filter(({ pass }) => !pass), ...missed.map(([name]) => ({ name }))].map(({ name }) => name);
}

const showBar = (bar) => String(Number(bar.toFixed(3)));

/** The time of each contender, and below it each ratio to a peer beside its bars. */
function raceLines({ title, unit = 'ms', times, ratios, pass }) {
  const all = Object.entries(times).map(([name, ms]) => `${name} ${showMs(ms)}`);
  const lines = ratios.map(({ backend, against, ratio, must, aim, pass: isReached }) => {
    const bar =
      [must && `at most ${showBar(must)}`, aim && `aim ${showBar(aim)}`].filter(Boolean).join(', ') || 'no bar';
    return `    ${mark(isReached)} ${backend} / ${against}: ${ratio.toFixed(2)}, ${bar}`;
  });
  const shown = all.length > 0 ? `, ${unit}: ${all.join(', ')}` : '';
  return [`${mark(pass)} ${title}${shown}`, ...lines].join('\n');
}

/** The rows as a Markdown table, and how they were measured. */
export function markdownTable({ rows, machine, node, date, peers, samples }) {
  const lines = rows.map((row) => {
    const gbPerSecond = (2 * row.bytes) / row.into / 1e6;
    // A latency has no throughput.
    const speed = row.mostMs ? [dash, dash] : [gbPerSecond.toFixed(gbPerSecond < 10 ? 1 : 0), row.ratio.toFixed(2)];
    const cells = [
      row.operator === 'Cast' ? shapeOf(row) : `${row.name} ${shapeOf(row)}`,
      showMs(row.memcpy),
      `**${showMs(row.into)}**`,
      ...speed,
      showMs(row.fresh),
      `${showMs(row.bestMs)} ${row.best}`,
      showMs(row.peers['onnxruntime-web']),
      row.timesBest.toFixed(1),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const versions = Object.entries(peers)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
  const columns = ['memcpy ms', 'into `out` ms', 'GB/s', 'of memcpy', 'into new memory ms', 'best peer ms'];
  const head = ['Workload', ...columns, 'onnxruntime-web ms', 'times the best peer'];
  return `| ${head.join(' | ')} |
|---|${'--:|'.repeat(head.length - 1)}
${lines.join('\n')}

${machine.cpu}, ${machine.cores} cores, Node ${node}, ${date.slice(0, 10)}.
${versions}.

All contenders run in one process, in turn; each figure is ${samples}.
Before that, their results are compared byte for byte. Each call goes from a JavaScript typed array to typed arrays.
memcpy is \`TypedArray.prototype.set\` between two buffers, of half the bytes in and out. GB/s counts the bytes in
and out.
`;
}
