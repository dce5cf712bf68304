/** Random calls of answers against plain loops: ties, thresholds that are hit exactly, tails of vectors. */
import { beforeAll, test } from '@jest/globals';
import { run } from 'onnx-layout/operators';
import * as answers from 'onnx-layout/postprocess';
import {
  area,
  bool,
  compare,
  f,
  overlap,
  range,
  resized,
  rowsOf,
  sigmoid,
  softmax,
  suppressed,
  tensor,
} from './plain.js';

const { init, operators, postProcessor } = answers;

beforeAll(() => init());

test('softmax and sigmoid of rows of every length', () =>
  compare(300, ({ next, below, list }) => {
    const length = 1 + below(40);
    const x = list(3 * length, () => f(12 * next() - 6));
    const input = tensor(x, [3, length]);
    const rows = rowsOf(x, length).flatMap(softmax);
    return [
      [answers.softmax(input).data, answers.sigmoid(input).data],
      [rows, x.map(sigmoid)],
    ];
  }));

test('boxes: formats, edges, areas, hulls, small sides', () =>
  compare(300, ({ below, list }) => {
    const count = below(12);
    const rows = list(count, () => {
      const [x, y] = [below(40) - 10, below(40) - 10];
      return [x, y, x + 1 + below(9), y + 1 + below(9)];
    });
    const boxes = tensor(rows.flat(), [count, 4]);
    const centers = rows.map(([a, b, c, d]) => [(a + c) / 2, (b + d) / 2, c - a, d - b]);
    const cut = (value, most) => Math.min(Math.max(value, 0), most);
    const pairs = rows.flatMap((a) =>
      rows.map((b) => {
        const [least, most] = [range(4).map((i) => Math.min(a[i], b[i])), range(4).map((i) => Math.max(a[i], b[i]))];
        const common = Math.max(least[2] - most[0], 0) * Math.max(least[3] - most[1], 0);
        const both = area(a) + area(b) - common;
        const hull = (most[2] - least[0]) * (most[3] - least[1]);
        return f(f(common / both) - f((hull - both) / hull));
      }),
    );
    const back = answers.boxConvert(tensor(centers.flat(), [count, 4]), 'cxcywh', 'xyxy');
    return [
      [
        answers.boxConvert(boxes, 'xyxy', 'cxcywh').data,
        back.data,
        answers.clipBoxesToImage(boxes, [20, 30]).data,
        answers.boxArea(boxes).data,
        answers.generalizedBoxIou(boxes, boxes).data,
        answers.removeSmallBoxes(boxes, 5).data,
      ],
      [
        centers.flat(),
        rows.flat(),
        rows.flatMap(([a, b, c, d]) => [cut(a, 30), cut(b, 20), cut(c, 30), cut(d, 20)]),
        rows.map(area),
        pairs,
        range(count).filter((i) => rows[i][2] - rows[i][0] >= 5 && rows[i][3] - rows[i][1] >= 5),
      ],
    ];
  }));

test('boxes around masks', () =>
  compare(300, ({ below, list }) => {
    const [count, h, w] = [1 + below(3), 1 + below(7), 1 + below(20)];
    const data = list(count * h * w, () => Number(below(9) === 0));
    const boxes = rowsOf(data, h * w).flatMap((mask) => {
      const set = range(h * w).filter((i) => mask[i]);
      const [xs, ys] = [set.map((i) => i % w), set.map((i) => Math.floor(i / w))];
      return set.length ? [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] : [0, 0, 0, 0];
    });
    return [[answers.masksToBoxes(bool(data, [count, h, w])).data], [boxes]];
  }));

const detr = { image_processor_type: 'DetrImageProcessor' };

test('DETR: the best class but the last, above a threshold that a score has', () =>
  compare(200, ({ below, list }) => {
    const [queries, classes] = [1 + below(9), 2 + below(12)];
    const logits = list(queries * classes, () => below(5) - 2);
    const boxes = list(queries * 4, () => f(below(64) / 64));
    const best = rowsOf(logits, classes).map((row) => {
      const scores = softmax(row).slice(0, -1);
      const score = scores.reduce((a, b) => Math.max(a, b));
      return { score, label: scores.indexOf(score) };
    });
    const threshold = best[below(queries)].score;
    const kept = range(queries).filter((query) => best[query].score > threshold);
    const size = [1 + below(500), 1 + below(500)];
    const [found] = postProcessor(detr).post_process_object_detection(
      { logits: tensor(logits, [1, queries, classes]), pred_boxes: tensor(boxes, [1, queries, 4]) },
      { threshold, target_sizes: [size] },
    );
    const corners = kept.flatMap((query) => {
      const [x, y, w, h] = boxes.slice(4 * query, 4 * query + 4);
      const own = [f(x - f(w / 2)), f(y - f(h / 2)), f(x + f(w / 2)), f(y + f(h / 2))];
      return own.map((side, i) => f(side * size[1 - (i % 2)]));
    });
    return [
      [found.scores.data, found.labels.data, found.boxes.data],
      [kept.map((query) => best[query].score), kept.map((query) => best[query].label), corners],
    ];
  }));

test('semantic segmentation: the first of equal classes, of few values and near ones', () =>
  compare(60, ({ next, below, list }, seed) => {
    const [classes, h, w] = [1 + below(18), 1 + below(9), 1 + below(9)];
    const size = seed % 4 ? [1 + below(40), 1 + below(40)] : [125 + below(5), 6];
    const values = list(classes * h * w, () => (seed % 2 ? below(3) : f(1 + 1e-6 * next())));
    const { post_process_semantic_segmentation: method } = postProcessor({
      image_processor_type: 'SegformerImageProcessor',
    });
    const [labels] = method({ logits: tensor(values, [1, classes, h, w]) }, { target_sizes: [size] });
    const planes = rowsOf(resized(values, [classes, h, w], size), size[0] * size[1]);
    const best = range(size[0] * size[1]).map((i) =>
      range(classes).reduce((most, label) => (planes[label][i] > planes[most][i] ? label : most), 0),
    );
    return [[labels.data], [best]];
  }));

test('masks of SAM: resized to the square, cut, resized, above a threshold that pixels have', () =>
  compare(60, ({ below, list }) => {
    const [side, square] = [2 + below(6), 16 + below(20)];
    const [cut, size] = [
      [1 + below(square), square + below(3)],
      [1 + below(60), 1 + below(90)],
    ];
    const values = list(3 * side * side, () => below(3) - 1);
    const config = { image_processor_type: 'SamImageProcessor', pad_size: { height: square, width: square } };
    const options = { original_sizes: [size], reshaped_input_sizes: [cut], mask_threshold: below(2) };
    const masks = { pred_masks: tensor(values, [1, 1, 3, side, side]) };
    const [mask] = postProcessor(config).post_process_masks(masks, options);
    const whole = rowsOf(resized(values, [3, side, side], [square, square]), square);
    const inner = rowsOf(whole, square).flatMap((plane) => plane.slice(0, cut[0]).flat());
    // A size beyond the square is cut as Python's slice cuts it.
    const wanted = resized(inner, [3, cut[0], square], size).map((value) => Number(value > options.mask_threshold));
    return [[mask.data], [wanted]];
  }));

/** Python's get_size_with_aspect_ratio. */
function sizeWithin([height, width], shortest, longest) {
  const [low, high] = [Math.min(height, width), Math.max(height, width)];
  const isLong = (high / low) * shortest > longest;
  const raw = isLong ? (longest * low) / high : shortest;
  const even = raw % 2 === 0.5 ? Math.floor(raw) : Math.round(raw);
  const short = isLong ? even : shortest;
  if (low === short) return [height, width];
  return width < height ? [Math.trunc((raw * height) / width), short] : [short, Math.trunc((raw * width) / height)];
}

test("instances of EoMT: the padding is cut off, and a portrait's rows that the masks lack", () =>
  compare(60, ({ next, below, list }) => {
    const [queries, h, w] = [1 + below(5), 1 + below(6), 1 + below(6)];
    const [shortest, longest] = [
      [8, 12],
      [16, 16],
      [9, 30],
    ][below(3)];
    const size = [2 + below(60), 2 + below(60)];
    const cut = sizeWithin(size, shortest, longest);
    if (cut.includes(0)) return [[], []];
    const values = list(queries * h * w, () => f(4 * next() - 2));
    const outputs = {
      class_queries_logits: tensor(
        list(2 * queries, () => 0),
        [1, queries, 2],
      ),
      masks_queries_logits: tensor(values, [1, queries, h, w]),
    };
    const config = {
      image_processor_type: 'EomtImageProcessor',
      size: { shortest_edge: shortest, longest_edge: longest },
    };
    const options = { target_sizes: [size], threshold: 0 };
    const [{ segmentation }] = postProcessor(config).post_process_instance_segmentation(outputs, options);
    const rows = rowsOf(resized(values, [queries, h, w], [shortest, longest]), longest);
    const there = [Math.min(cut[0], shortest), Math.min(cut[1], longest)];
    const inner = rowsOf(rows, shortest).flatMap((plane) =>
      plane.slice(0, cut[0]).flatMap((row) => row.slice(0, cut[1])),
    );
    const planes = rowsOf(resized(inner, [queries, ...there], size), size[0] * size[1]);
    const map = new Array(size[0] * size[1]).fill(-1);
    let id = 0;
    for (const plane of planes) {
      if (!plane.some((value) => value > 0)) continue;
      plane.forEach((value, i) => value > 0 && (map[i] = id));
      id++;
    }
    return [[segmentation.data], [map]];
  }));

/** Owners of pixels by the greatest product of score and mask, of queries that have enough of their pixels. */
function mergedSegments(kept, planes, { mask_threshold: least, overlap_mask_area_threshold: part }, fused) {
  const products = kept.map(({ score }, k) => planes[k].map((value) => f(value * score)));
  const owners = range(planes[0].length).map((i) =>
    range(kept.length).reduce((best, k) => (products[k][i] > products[best][i] ? k : best), 0),
  );
  const first = new Map();
  let id = 0;
  const ids = kept.map(({ label }, k) => {
    const own = owners.filter((owner) => owner === k).length;
    const whole = products[k].filter((value) => value >= f(least)).length;
    if (own === 0 || whole === 0 || !(f(own / whole) > part)) return 0;
    id = first.get(label) ?? id + 1;
    if (fused.includes(label)) first.set(label, id);
    return id;
  });
  return { map: owners.map((k) => ids[k]), ids: ids.filter((one) => one > 0) };
}

test('panoptic segmentation of DETR, with fused labels and ties', () =>
  compare(100, ({ below, list }) => {
    const [queries, classes, h, w] = [1 + below(6), 2 + below(3), 1 + below(5), 1 + below(5)];
    const logits = list(queries * classes, () => below(4));
    const masks = list(queries * h * w, () => below(5) - 2);
    const fused = below(2) ? [0] : [];
    const options = {
      threshold: 0.25,
      mask_threshold: 0.25,
      overlap_mask_area_threshold: 0.5,
      label_ids_to_fuse: fused,
    };
    const outputs = { logits: tensor(logits, [1, queries, classes]), pred_masks: tensor(masks, [1, queries, h, w]) };
    const [{ segmentation, segments_info: found }] = postProcessor(detr).post_process_panoptic_segmentation(
      outputs,
      options,
    );
    const kept = rowsOf(logits, classes).flatMap((row, query) => {
      const scores = softmax(row);
      const score = scores.reduce((a, b) => Math.max(a, b));
      const label = scores.indexOf(score);
      return label < classes - 1 && score > 0.25 ? [{ query, score, label }] : [];
    });
    const planes = kept.map(({ query }) => masks.slice(query * h * w, (query + 1) * h * w).map(sigmoid));
    const none = { map: range(h * w).map(() => -1), ids: [] };
    const { map, ids } = kept.length ? mergedSegments(kept, planes, options, fused) : none;
    return [
      [segmentation.data, found.map(({ id }) => id)],
      [map, ids],
    ];
  }));

test('ctcDecode: repeats, blanks, equal classes', () =>
  compare(300, ({ below, list }) => {
    const [steps, classes] = [1 + below(20), 2 + below(20)];
    const blank = below(classes);
    const rows = list(steps, () => list(classes, () => below(4)));
    const characters = range(classes).map((i) => String.fromCharCode(97 + i));
    const [{ text, score }] = answers.ctcDecode(tensor(rows.flat(), [1, steps, classes]), {
      ...{ character_list: characters, blank },
    });
    const best = rows.map((row) => row.indexOf(Math.max(...row)));
    const kept = range(steps).filter((i) => best[i] !== blank && best[i] !== best[i - 1]);
    const sum = kept.reduce((all, i) => all + rows[i][best[i]], 0);
    return [
      [text, [f(score)]],
      [kept.map((i) => characters[best[i]]), [f(sum / kept.length)]],
    ];
  }));

test('NonMaxSuppression of classes, with both forms of boxes', () =>
  compare(200, ({ below, list }) => {
    const [count, classes] = [1 + below(12), 1 + below(3)];
    const rows = list(count, () => list(4, () => below(8)));
    const scores = list(count * classes, () => below(5));
    const [iou, least, most] = [below(4) / 4, below(4), below(5)];
    const center = below(2);
    const sides = rows.map(([a, b, c, d]) =>
      center
        ? [a - c / 2, b - d / 2, a + c / 2, b + d / 2]
        : [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)],
    );
    const wanted = range(classes).flatMap((klass) => {
      const own = scores.slice(klass * count, (klass + 1) * count);
      const order = range(count).filter((i) => own[i] > least);
      order.sort((a, b) => own[b] - own[a] || a - b);
      const kept = suppressed(order, (j, i) => overlap(sides[j], sides[i]) > iou);
      return kept.slice(0, most).flatMap((i) => [0, klass, i]);
    });
    const inputs = [tensor(rows.flat(), [1, count, 4]), tensor(scores, [1, classes, count]), most];
    const made = run(operators.NonMaxSuppression, [...inputs, tensor([iou]), tensor([least])], {
      center_point_box: center,
    });
    return [[[...made.data].map(Number)], [wanted]];
  }));
