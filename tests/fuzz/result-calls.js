/**
 * Calls of all wrappers of the postprocess module, whose extents and numbers a `Draw` chooses. `d.fit` and `d.width`
 * mark extents that no other number may take the place of; `d.floats`, `d.bytes`, `d.exact` and `d.out` are arrays that
 * lack nothing.
 */
import * as engine from '../../js/engines/results/index.js';

const boxes = (d, count, width = 4) =>
  d.floats(width * count).map((x, i, all) => (i % width === 2 || i % width === 3 ? all[i - 2] + Math.abs(x) : x));
const size = (d) => [d.size(), d.size()];

/** Wrong indices. */
const beyond = [(n) => n + 1, () => -1, () => 2 ** 31 - 1];

const axes = (d, Class = Float32Array, least = 1) => {
  const [outer, length, inner] = [d.size(4), d.size(), d.size(3, least)];
  const x = d.floats(outer * length * inner, Class);
  return { x, axes: { outer: d.fit(outer), length: d.fit(length), inner: d.fit(inner) } };
};

const steps = [
  (d, rows) => rows.resize([d.size(d.one([9, 90])), d.size(d.one([9, 90]))], d.one(engine.resizeModes), d.flag()),
  (d, rows) => {
    const [height, width] = [1 + d.below(rows.height), 1 + d.below(rows.width)];
    return rows.crop(d.below(rows.height - height + 1), d.below(rows.width - width + 1), height, width);
  },
  (d, rows) => {
    const planes = d.size(4);
    return rows.gather(d.wholes(planes, rows.planes), d.one([1, planes]));
  },
  (_, rows) => rows.sigmoid(),
  (d, rows) => rows.scale(d.number(), d.number()),
  (d, rows) => rows.clamp(d.number(), d.number()),
  (_, rows) => rows.invert(),
  (d, rows) => {
    const stride = d.size(4);
    return rows.mix(d.floats(rows.planes * stride), stride, 1 + d.below(stride));
  },
];

/** Planes behind up to three steps.
 * @type {(d: any) => any} */
function planes(d) {
  const [count, height, width] = [d.size(4), d.size(7), d.size(7)];
  const data = d.floats(count * height * width);
  const extents = { planes: d.fit(count), channels: d.one([1, count]), height: d.fit(height), width: d.fit(width) };
  let rows = new engine.Planes(data, extents);
  // Extents that do not fit are refused where the planes are computed.
  for (let left = d.change ? 0 : d.below(4); left > 0; left--) rows = d.one(steps)(d, rows);
  return rows;
}

const planeCalls = {
  'Planes.numbers': (d) => planes(d).numbers(),
  'Planes.numbers, out': (d) => {
    const length = d.size(40);
    return new engine.Planes(d.floats(length), { planes: 1, channels: 1, height: 1, width: d.fit(length) }).numbers(
      d.out(length),
    );
  },
  'Planes.above': (d) => planes(d).above(d.number(), d.one([Uint8Array, Int32Array, Float32Array])),
  'Planes.labels': (d) => planes(d).labels(d.flag()),
  'Planes.owners': (d) => {
    const rows = planes(d);
    return rows.owners(d.floats(Math.min(rows.planes, 4)), d.number(), d.flag());
  },
  'Planes.means': (d) => planes(d).means(),
  'Planes.paint': (d) => {
    const rows = planes(d);
    return rows.paint(d.number(), { firstWins: d.flag() }, (paint) => {
      for (let i = 0; i < 3; i++) paint(d.below(rows.planes), i);
    });
  },
  'Planes.crop': (d) => {
    const [height, width, top, left] = [d.size(), d.size(), d.size(), d.size()];
    const extents = { planes: 1, channels: 1, height: height + top, width: width + left };
    const rows = new engine.Planes(d.any((height + top) * (width + left)), extents);
    return rows.crop(d.fit(top), d.fit(left), d.fit(height), d.fit(width)).numbers();
  },
  'Planes.gather': (d) => {
    const count = d.size(4);
    const rows = new engine.Planes(d.any(count), { planes: count, channels: 1, height: 1, width: 1 });
    return rows.gather(Int32Array.of(0, d.fit(count - 1, beyond), 0)).numbers();
  },
  'Planes.mix': (d) => {
    const [count, stride] = [d.size(4), d.size(4)];
    const rows = new engine.Planes(d.any(count), { planes: count, channels: 1, height: 1, width: 1 });
    return rows.mix(d.floats(count * stride), d.fit(stride), stride).numbers();
  },
  'Planes.mix, classes': (d) => {
    const [count, stride] = [d.size(4), d.size(4)];
    const rows = new engine.Planes(d.any(count), { planes: count, channels: 1, height: 1, width: 1 });
    return rows.mix(d.floats(count * stride), stride, d.fit(stride)).numbers();
  },
  replaceOwners: (d) => {
    const known = d.size();
    const owners = d.wholes(d.size(30), known + 1).map((owner) => owner - 1);
    return engine.replaceOwners(
      Int32Array.of(...owners, d.fit(known - 1, [(n) => n + 1, () => 2 ** 31 - 1])),
      d.wholes(known, 99),
    );
  },
  resizedLabels: (d) => {
    const [planes, [height, width]] = [d.size(4), size(d)];
    const logits = d.floats(planes * height * width);
    const extents = { planes: d.fit(planes), channels: planes, height: d.fit(height), width: d.fit(width) };
    const to = d.change ? [3, 5] : [d.size(90), d.size(90)];
    return engine.resizedLabels(logits, extents, to, d.out(to[0] * to[1], Int32Array));
  },
};

const numberCalls = {
  widen: (d) => {
    const count = d.size();
    return engine.widen(d.exact(d.wholes(count, 65536, Uint16Array)), d.fit(count));
  },
  narrow: (d) => engine.narrow(d.any(d.size())),
  sigmoidOf: (d) => {
    const count = d.size(40);
    return engine.sigmoidOf(d.floats(count), d.out(count));
  },
  productOf: (d) => {
    const count = d.size();
    return engine.productOf(d.any(count), d.floats(count));
  },
  softmaxOf: (d) => {
    const [rows, length] = [d.size(), d.size(9, 2)];
    return engine.softmaxOf(d.floats(rows * length), d.width(length), d.out(rows * length));
  },
  outerSoftmaxOf: (d) => {
    const [length, inner] = [d.size(9, 2), d.size()];
    return engine.outerSoftmaxOf(d.floats(length * inner), d.width(length));
  },
  extremesOf: (d) => {
    const { x, axes: extents } = axes(d);
    return engine.extremesOf(x, { ...extents, isLeast: d.flag(), isLast: d.flag() });
  },
  greatestOf: (d) => {
    const [rows, length] = [d.size(), d.size(9, 2)];
    return engine.greatestOf(d.floats(rows * length), d.width(length), d.change ? 1 : d.below(length + 1), d.flag());
  },
  'greatestOf, the count': (d) => {
    const [rows, length] = [d.size(), d.size()];
    return engine.greatestOf(d.any(rows * length), length, d.fit(length), d.flag());
  },
  descendingOrder: (d) => engine.descendingOrder(d.any(d.size(40))),
  swapped: (d) => {
    const { x, axes: extents } = axes(d);
    return engine.swapped(x, extents.outer, extents.length, extents.inner);
  },
  softmaxAlong: (d) => {
    // With an inner extent of 1 it is softmaxOf.
    const { x, axes: extents } = axes(d, Float32Array, 2);
    return engine.softmaxAlong(x, extents);
  },
  logSoftmaxAlong: (d) => {
    const { x, axes: extents } = axes(d);
    return engine.logSoftmaxAlong(x, extents);
  },
  softmaxDoubles: (d) => {
    const { x, axes: extents } = axes(d, Float64Array);
    return engine.softmaxDoubles(x, extents, d.flag());
  },
  sortedAlong: (d) => {
    const { x, axes: extents } = axes(d);
    return engine.sortedAlong(x, { ...extents, count: d.change ? 1 : d.below(extents.length + 1), isLeast: d.flag() });
  },
  'sortedAlong, the count': (d) => {
    const [outer, length, inner] = [d.size(4), d.size(), d.size(3)];
    const count = d.fit(length);
    return engine.sortedAlong(d.any(outer * length * inner), { outer, length, inner, count, isLeast: d.flag() });
  },
  indicesAbove: (d) => engine.indicesAbove(d.any(d.size(40)), d.number(), d.flag()),
  countsAbove: (d) => {
    const [rows, length] = [d.size(9, 2), d.size()];
    return engine.countsAbove(d.floats(rows * length), d.width(rows), d.number());
  },
  gatherRows: (d) => {
    const [rows, width] = [d.size(), d.size(9, 2)];
    const x = d.exact(d.flag() ? d.any(rows * width) : d.wholes(rows * width, 99));
    return engine.gatherRows(x, d.width(width), d.wholes(d.size(), rows));
  },
  'gatherRows, an index': (d) => {
    const [rows, width] = [d.size(), d.size()];
    return engine.gatherRows(d.any(rows * width), width, Int32Array.of(0, d.fit(rows - 1, beyond)));
  },
  cutRows: (d) => {
    const [rows, length] = [d.size(), d.size(9, 2)];
    return engine.cutRows(d.floats(rows * length), d.width(length), d.change ? 1 : d.below(length + 1));
  },
  'cutRows, the numbers': (d) => {
    const [rows, length] = [d.size(), d.size()];
    return engine.cutRows(d.any(rows * length), length, d.fit(length));
  },
  votesOf: (d) => {
    const count = d.size();
    return engine.votesOf(d.floats(count * count), d.fit(count));
  },
};

const boxCalls = {
  convertBoxes: (d) => engine.convertBoxes(boxes(d, d.size()), d.one(engine.boxFormats), d.one(engine.boxFormats)),
  scaleBoxes: (d) => engine.scaleBoxes(boxes(d, d.size()), d.number(), d.number()),
  sortCorners: (d) => engine.sortCorners(boxes(d, d.size())),
  clipBoxes: (d) => engine.clipBoxes(boxes(d, d.size()), d.number(), d.number()),
  areasOf: (d) => engine.areasOf(boxes(d, d.size())),
  overlapsOf: (d) => engine.overlapsOf(boxes(d, d.size()), boxes(d, d.size()), d.flag()),
  largeBoxes: (d) => engine.largeBoxes(boxes(d, d.size()), d.number()),
  suppressBoxes: (d) => {
    const count = d.size(70);
    const labels = d.flag() ? d.exact(d.wholes(count, 3)) : undefined;
    return engine.suppressBoxes(boxes(d, count), d.any(count), d.below(10) / 10, labels);
  },
  suppressScores: (d) => {
    const count = d.size(30);
    return engine.suppressScores(boxes(d, count), d.any(count), d.below(10) / 10);
  },
  yoloRows: (d) => {
    const [anchors, classes, extras, byRows] = [d.size(30), d.size(4), d.size(3), d.flag()];
    const data = d.floats(anchors * (4 + Number(byRows) + classes + extras));
    const allowed = d.flag() ? d.bytes(classes, 2) : undefined;
    const settings = { conf: d.number() / 16, iou: d.below(10) / 10, most: d.below(40), allowed };
    return engine.yoloRows(
      { data, anchors: d.fit(anchors), classes: d.fit(classes), extras: d.fit(extras), byRows },
      { ...settings, all: d.flag(), agnostic: d.flag(), isRotated: d.flag() },
    );
  },
  scoredRows: (d) => {
    const [count, width] = [d.size(), d.size(9, 6)];
    const allowed = d.flag() ? d.wholes(d.size(), 2, Uint8Array) : undefined;
    return engine.scoredRows(d.floats(count * width), d.width(width), { conf: d.number(), allowed, most: d.below(9) });
  },
  leaveLetterbox: (d) => {
    const [count, width, kind] = [d.size(), d.size(7, 4), d.one(['point', 'corners', 'centerAndSize'])];
    return engine.leaveLetterbox(d.floats(count * width), d.width(width), kind, d.floats(6));
  },
  regularizeBoxes: (d) => engine.regularizeBoxes(d.floats(5 * d.size())),
  cutMasks: (d) => {
    const [count, [height, width]] = [d.size(), size(d)];
    return engine.cutMasks(d.bytes(count * height * width), [d.fit(height), d.fit(width)], boxes(d, count));
  },
};

export const resultCalls = { ...planeCalls, ...numberCalls, ...boxCalls };
