/** The bar chart: the speed of each workload relative to memcpy, the package's bar above that of its best peer. */

const width = 840;
const labelWidth = 250;
const valueWidth = 130;
const rowHeight = 30;
const barHeight = 10;
const top = 64;
const axisEnd = 1.2;

const x = (ratio) => labelWidth + (Math.min(ratio, axisEnd) / axisEnd) * (width - labelWidth - valueWidth);
const labelOf = ({ operator, name, title, type }) => (operator === 'Cast' ? title : `${name} ${title}, ${type}`);

function bar(ratio, y, className) {
  const length = Math.max(1, x(ratio) - labelWidth).toFixed(1);
  return `<rect class="${className}" x="${labelWidth}" y="${y}" width="${length}" height="${barHeight}" rx="2"/>`;
}

function rowOf(row, i) {
  const y = top + i * rowHeight;
  const peerRatio = row.memcpy / row.bestMs;
  const shortName = row.best.replace('onnxruntime', 'ort').replace('tuned ', '');
  const end = Math.max(x(row.ratio), x(peerRatio)) + 8;
  const value = `<tspan class="strong">${row.ratio.toFixed(2)}</tspan> · ${row.timesBest.toFixed(1)}× ${shortName}`;
  return `<text class="label" x="${labelWidth - 10}" y="${y + 14}">${labelOf(row)}</text>
${bar(row.ratio, y, 'ours')}
${bar(peerRatio, y + barHeight + 1, 'peer')}
<text class="value" x="${end.toFixed(1)}" y="${y + 14}">${value}</text>`;
}

/**
 * @param results of a run
 * @returns {string} SVG without a background; its colors follow the reader's light or dark scheme
 */
export function chart({ rows, machine, node, date }) {
  // A latency has no place on an axis of throughput.
  const shown = rows.filter(({ mostMs }) => !mostMs);
  const bottom = top + shown.length * rowHeight;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((ratio) => {
    const [className, label] = ratio === 1 ? ['memcpy', 'memcpy'] : ['grid', ratio];
    return `<line class="${className}" x1="${x(ratio)}" x2="${x(ratio)}" y1="${top - 8}" y2="${bottom}"/>
<text class="tick" x="${x(ratio)}" y="${top - 14}">${label}</text>`;
  });
  const height = bottom + 28;
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  const legendY = `y="11" width="12" height="${barHeight}" rx="2"`;
  const where = `${machine.cpu}, Node ${node}, ${date.slice(0, 10)}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img"
  aria-label="Speed relative to memcpy: onnx-layout and the best peer">
<style>
text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #57606a; }
.label { text-anchor: end; fill: #1f2328; }
.strong { font-weight: 600; fill: #1f2328; }
.tick { text-anchor: middle; }
.ours { fill: #0969da; }
.peer { fill: #afb8c1; }
.grid { stroke: #d0d7de; stroke-width: 1; }
.memcpy { stroke: #57606a; stroke-width: 1; stroke-dasharray: 4 3; }
@media (prefers-color-scheme: dark) {
text { fill: #9198a1; }
.label, .strong { fill: #f0f6fc; }
.ours { fill: #4493f8; }
.peer { fill: #59636e; }
.grid { stroke: #30363d; }
.memcpy { stroke: #9198a1; }
}
</style>
<rect class="ours" x="10" ${legendY}/><text x="28" y="20">onnx-layout</text>
<rect class="peer" x="112" ${legendY}/><text x="130" y="20">best peer callable from JavaScript</text>
${ticks.join('\n')}
${shown.map(rowOf).join('\n')}
<text x="10" y="${bottom + 18}">Speed relative to memcpy, from typed array to given typed array. ${where}</text>
</svg>
`;
}
