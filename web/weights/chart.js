/** Draws a histogram. */
import { element, svgElement } from '../shared/elements.js';
import { shortValue } from './rate.js';

const [width, height] = [640, 180];
const counted = new Intl.NumberFormat('en');

/** Enough digits to tell the edges of bars apart. */
const edge = (value) => shortValue(value, 5);

/** A bar of a height, in a column that shows its title. */
const column = (x, across, tall, title) =>
  svgElement(
    'g',
    {},
    svgElement('title', {}, title),
    svgElement('rect', { class: 'column', x, y: 0, width: across, height }),
    svgElement('rect', { class: 'bar', x, y: height - tall, width: Math.max(across - 1, 0.5), height: tall }),
  );

/** As arguments of Math.max, a hundred thousand bars would overflow the stack. */
const largestOf = (numbers) => numbers.reduce((a, b) => Math.max(a, b), -Infinity);

/**
 * @param {{ from: number, width: number, bars: number[] }} histogram
 * @param {boolean} isLog whether a bar's height is the logarithm of its count
 * @returns {HTMLElement}
 */
export function histogramChart({ from, width: step, bars }, isLog) {
  const scaled = isLog ? bars.map((count) => Math.log10(1 + count)) : bars;
  const highest = largestOf(scaled);
  const most = counted.format(largestOf(bars));
  const across = width / bars.length;
  const edges = Array.from({ length: bars.length + 1 }, (_, i) => edge(from + i * step));
  const [first, last] = [edges[0], edges.at(-1)];
  const columns = bars.map((count, i) => {
    // Draw a bar of any count at least one pixel high.
    const tall = count === 0 ? 0 : Math.max(1, (scaled[i] / highest) * height);
    return column(i * across, across, tall, `${edges[i]} to ${edges[i + 1]}: ${counted.format(count)}`);
  });
  const zero = (-from / step) * across;
  if (zero > 0 && zero < width)
    columns.push(svgElement('line', { class: 'zero', x1: zero, x2: zero, y1: 0, y2: height }));
  const label = `Histogram of ${bars.length} bars from ${first} to ${last}, the highest of ${most} values`;
  const box = { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none' };
  const captions = [first, `bars of ${shortValue(step, 3)}, the highest ${most}`, last];
  return element(
    'figure',
    { class: 'histogram' },
    svgElement('svg', { ...box, role: 'img', 'aria-label': label }, columns),
    element(
      'figcaption',
      {},
      captions.map((caption) => element('span', {}, caption)),
    ),
  );
}
