/** Draws a histogram. */
import { element, svgElement } from '../elements.js';
import { shortValue } from './rate.js';

const [width, height] = [640, 180];
const counted = new Intl.NumberFormat('en');

/** Enough digits to tell the edges of bars apart. */
const edge = (value) => shortValue(value, 5);

/**
 * @param {{ from: number, width: number, bars: number[] }} histogram
 * @param {boolean} isLog whether a bar's height is the logarithm of its count
 * @returns {HTMLElement}
 */
export function histogramChart({ from, width: step, bars }, isLog) {
  const scaled = isLog ? bars.map((count) => Math.log10(1 + count)) : bars;
  const highest = Math.max(...scaled);
  const most = Math.max(...bars);
  const each = width / bars.length;
  const start = (i) => from + i * step;
  const range = `${edge(start(0))} to ${edge(start(bars.length))}`;
  const rects = bars.map((count, i) => {
    // A bar that counts anything is seen.
    const tall = count === 0 ? 0 : Math.max(1, (scaled[i] / highest) * height);
    return svgElement(
      'g',
      {},
      svgElement('title', {}, `${edge(start(i))} to ${edge(start(i + 1))}: ${counted.format(count)}`),
      // The whole column shows the title.
      svgElement('rect', { class: 'column', x: i * each, y: 0, width: each, height }),
      svgElement('rect', { class: 'bar', x: i * each, y: height - tall, width: Math.max(each - 1, 0.5), height: tall }),
    );
  });
  const zero = -from / step;
  const isInside = zero > 0 && zero < bars.length;
  return element(
    'figure',
    { class: 'histogram' },
    svgElement(
      'svg',
      {
        viewBox: `0 0 ${width} ${height}`,
        preserveAspectRatio: 'none',
        role: 'img',
        'aria-label': `Histogram of ${bars.length} bars from ${range}, the highest of ${counted.format(most)} values`,
      },
      ...rects,
      ...(isInside ? [svgElement('line', { class: 'zero', x1: zero * each, x2: zero * each, y1: 0, y2: height })] : []),
    ),
    element(
      'figcaption',
      {},
      element('span', {}, edge(start(0))),
      element('span', {}, `bars of ${shortValue(step, 3)}, the highest ${counted.format(most)}`),
      element('span', {}, edge(start(bars.length))),
    ),
  );
}
