/** The bar chart: one bar for each contender, in GB/s. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

const height = 300;

/** A name in two lines, because the axis has no room for more. */
const label = (name) =>
  name
    .replace(/^(onnx-layout, |best plain |the )/, '')
    .replace(' ', '\n')
    .replace('onnxruntime-web', 'onnxruntime\n-web');

const font = '12px "Geist Variable", system-ui';

/** @typedef {{ name: string, value: number, text: string, isOurs: boolean }} Bar */

/** The axis of the names, and that of the numbers. */
const axesOf = (bars, color) => [
  {
    splits: () => bars().map((_, i) => i),
    values: () => bars().map(({ name }) => label(name)),
    size: 44,
    gap: 8,
    stroke: () => color('text'),
    font,
    grid: { show: false },
    ticks: { show: false },
  },
  {
    label: 'GB/s',
    labelSize: 20,
    labelFont: font,
    size: 40,
    space: 44,
    stroke: () => color('text'),
    font,
    grid: { stroke: () => color('grid'), width: 1 },
    ticks: { show: false },
  },
];

/** uPlot gives bars colors of their own only if they have no outline. */
const seriesOf = (bars, color) => ({
  width: 0,
  paths: uPlot.paths.bars({
    size: [0.62, 110],
    radius: 0.06,
    disp: { fill: { unit: 3, values: () => bars().map(({ isOurs }) => color(isOurs ? 'ours' : 'other')) } },
  }),
  points: { show: false },
});

/** Writes each bar's number above it. */
function drawNumbers({ ctx, valToPos }, bars, color) {
  const scale = devicePixelRatio;
  ctx.save();
  ctx.fillStyle = color('text');
  ctx.font = `600 ${13 * scale}px "Geist Variable", system-ui`;
  ctx.textAlign = 'center';
  bars.forEach(({ value, text }, i) =>
    ctx.fillText(text, valToPos(i, 'x', true), valToPos(value, 'y', true) - 8 * scale),
  );
  ctx.restore();
}

/**
 * @param {HTMLElement} node
 * @returns {(bars: Bar[]) => void} draws the chart again
 */
export function createChart(node) {
  /** @type {Bar[]} */
  let bars = [];
  const now = () => bars;
  const style = getComputedStyle(node);
  const color = (name) => style.getPropertyValue(`--chart-${name}`).trim();
  const options = {
    width: 300,
    height,
    legend: { show: false },
    cursor: { show: false },
    padding: [28, 8, 0, 0],
    scales: {
      x: { time: false, range: () => [-0.5, bars.length - 0.5] },
      y: { range: (_, __, most) => [0, (most || 1) * 1.05] },
    },
    axes: axesOf(now, color),
    series: [{}, seriesOf(now, color)],
    hooks: { draw: [(plot) => drawNumbers(plot, bars, color)] },
  };
  const plot = new uPlot(options, [[], []], node);
  const resize = () => {
    if (node.clientWidth > 0) plot.setSize({ width: node.clientWidth, height });
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => plot.redraw());
  new ResizeObserver(resize).observe(node);
  return (given) => {
    bars = given;
    plot.setData([bars.map((_, i) => i), bars.map(({ value }) => value)]);
  };
}
