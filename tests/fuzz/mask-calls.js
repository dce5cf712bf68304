/** Calls of the wrappers of masks, maps and pictures: see result-calls.js. */
import * as engine from '../../js/engines/results/index.js';

const points = (d, count) => d.floats(2 * count).map((x) => (d.isOdd ? x : Math.round(x)));

/** A mask of blots. */
const blots = (d, most = 12) => {
  const [height, width] = [d.size(most), d.size(most)];
  return [d.bytes(height * width, 2), height, width];
};

const rules = (d) => ({
  mode: d.one(engine.interpolations),
  coordinate: d.one(engine.coordinates),
  nearest: d.one([...engine.nearestRules, 'simple']),
  antialias: d.flag(),
  excludesOutside: d.flag(),
  cubic: -0.75,
  extrapolation: d.number(),
});

/** Steps along some axes. */
const axisSteps = (d, dims) =>
  dims.flatMap((_, axis) => {
    const [count, start] = [d.size(9), d.below(5) / 8];
    const step = { axis, count, scale: d.one([0.25, 0.7, 1, 2.5]), start, end: start + 0.5 };
    return d.change || d.flag() ? [step] : [];
  });

export const maskCalls = {
  countRuns: (d) => {
    const [mask, height, width] = blots(d);
    return engine.countRuns(mask, d.fit(height), d.fit(width));
  },
  fillRuns: (d) => {
    const [height, width] = [d.size(), d.size()];
    // Without a count no extent is large enough to be refused for its memory.
    const counts = d.wholes(d.size(20), d.one([9, 2 ** 32 - 1]), Uint32Array);
    const wrong = [() => 2 ** 31, () => 2 ** 32, () => 2 ** 53, () => Infinity, () => -1, () => 0.5, () => NaN];
    return engine.fillRuns(counts, d.fit(height, wrong), d.fit(width, wrong));
  },
  valueRuns: (d) => engine.valueRuns(d.wholes(d.size(30), 3), [0, 1, 7]),
  boxesOfMasks: (d) => {
    const [count, height, width] = [d.size(4), d.size(), d.size()];
    return engine.boxesOfMasks(d.bytes(count * height * width, 2), d.fit(count), d.fit(height), d.fit(width));
  },
  contoursOf: (d) => {
    const [mask, height, width] = blots(d, 40);
    return engine.contoursOf(mask, [d.fit(height), d.fit(width)], d.flag());
  },
  hullOf: (d) => engine.hullOf(points(d, d.size(20))),
  smallestRect: (d) => engine.smallestRect(points(d, d.size(20))),
  cornersOfRect: (d) => engine.cornersOfRect(d.floats(5)),
  areaInside: (d) => engine.areaInside(points(d, d.size(20))),
  approximationOf: (d) => engine.approximationOf(points(d, d.size(20)), d.below(40) / 8, d.flag()),
  filledPolygon: (d) => {
    const [mask, height, width] = blots(d);
    const places = d.exact(Int32Array.from(d.any(2 * d.size())));
    return engine.filledPolygon(mask, [d.fit(height), d.fit(width)], places, d.below(256));
  },
  textOf: (d) => {
    const [height, width] = [d.size(40), d.size(40)];
    const map = d.floats(height * width).map((x) => (Number.isFinite(x) ? (Math.abs(x) / 2) % 1 : x));
    const settings = { threshold: 0.3, dilate: d.flag(), most: d.below(9), score: 0.2, ratio: d.one([1.5, 2, 40]) };
    const size = [d.size(99), d.size(99)];
    return engine.textOf(map, [d.fit(height), d.fit(width)], { ...settings, side: 1, size, isRound: d.flag() });
  },
  scalePoints: (d) => engine.scalePoints(d.floats(2 * d.size()), [d.number(), d.number()]),
  refinedPeaks: (d) => {
    const [count, height, width] = [d.size(4), d.size(), d.size()];
    const blur = { weights: d.any(d.size(6), Float64Array), isMirrored: d.flag(), keepsPeaks: d.flag() };
    return engine.refinedPeaks(d.floats(count * height * width), [d.fit(count), d.fit(height), d.fit(width)], blur);
  },
  unitVectors: (d) => engine.unitVectors(d.floats(3 * d.size()), d.number()),
  mirroredMean: (d) => {
    const [rows, width] = [d.size(), d.size(9, 2)];
    return engine.mirroredMean(d.floats(rows * width), d.floats(rows * width), d.width(width));
  },
  nearestColors: (d) => {
    const size = d.size(20);
    return engine.nearestColors(d.floats(3 * size), d.floats(6), d.floats(3 * d.size(5)), d.out(size, Int32Array));
  },
  separated: (d) => {
    const [size, count] = [d.size(20), d.size(5, 2)];
    return engine.separated(d.floats(size * count), d.width(count));
  },
  blended: (d) => {
    const size = d.size(20);
    return engine.blended(d.floats(4 * size), d.floats(3 * size));
  },
  sampled: (d) => {
    const [channels, height, width] = [d.size(4), d.size(), d.size()];
    const [picture, mesh] = [d.floats(channels * height * width), d.floats(2 * height * width)];
    const out = d.out(channels * height * width, Uint8Array);
    const dims = [d.fit(channels), d.fit(height), d.fit(width)];
    return engine.sampled(
      picture,
      dims,
      mesh.map((x) => x / 9),
      d.number(),
      out,
    );
  },
  paintedLabels: (d) => {
    const labels = d.wholes(d.size(20), 9).map((label) => label - 2);
    return engine.paintedLabels(labels, d.bytes(4 * d.size()), d.out(4 * labels.length, Uint8Array));
  },
  withAlpha: (d) => {
    const [length, channels, type] = [d.size(20), 3 + d.below(2), d.one(['uint8', 'bool', 'float32'])];
    const mask = type === 'float32' ? d.any(length) : d.wholes(length, 2, Uint8Array);
    const pixels = d.bytes(channels * length);
    return engine.withAlpha(pixels, d.fit(channels), mask, type, d.out(4 * length, Uint8Array));
  },
  warped: (d) => {
    const [height, width, channels] = [d.size(), d.size(), d.size(4)];
    const dims = [d.fit(height), d.fit(width), d.fit(channels)];
    const matrix = d.floats(9).map((x) => x / 8);
    return engine.warped(d.bytes(height * width * channels), dims, matrix, [d.size(), d.size()], d.flag());
  },
  resizedAxes: (d) => {
    const dims = Array.from({ length: 1 + d.below(4) }, () => d.size(5));
    const length = dims.reduce((a, b) => a * b, 1);
    const data = d.flag() ? d.floats(length) : d.bytes(length);
    return engine.resizedAxes(
      data,
      dims.map((n) => d.fit(n)),
      axisSteps(d, dims),
      rules(d),
    );
  },
  'resizedAxes, a count': (d) => {
    const wrong = [2 ** 30, 2 ** 31, 2 ** 32, 2 ** 53, Infinity, -1, 0.5, NaN].map((n) => () => n);
    const step = { axis: 1, count: d.fit(4, wrong), scale: 2, start: 0, end: 1 };
    return engine.resizedAxes(d.any(6), [3, 2], [step], rules(d));
  },
  dividedBytes: (d) => engine.dividedBytes(d.wholes(d.size(40), 256, Uint8Array), d.number()),
};
