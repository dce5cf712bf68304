/** Random classes, matches, instances and boxes of text against plain loops. */
import { beforeAll, test } from '@jest/globals';
import { classify, init, postProcessor, textDetection } from 'onnx-layout/postprocess';
import { selection } from './plain-selection.js';
import { compare, f, int32, range, rowsOf, sigmoid, softmax, tensor } from './plain.js';

beforeAll(() => init());

test('classify: the best classes in the order of torch, with ties and names of three kinds', () =>
  compare(150, ({ below, list }) => {
    const [count, classes] = [1 + below(3), 1 + below([20, 200][below(2)])];
    const [levels, most] = [[3, 9, 4096][below(3)], 1 + below(below(2) ? 4 : classes + 2)];
    const logits = list(count * classes, () => f((16 * below(levels)) / levels - 8));
    const scoresOf = { softmax, sigmoid: (row) => row.map(sigmoid), none: (row) => row };
    const called = ['softmax', 'sigmoid', 'none', undefined][below(4)];
    const names = range(classes).map((i) => `class ${i}`);
    const id2label = [undefined, names, { ...names }][below(3)];
    const isRow = count === 1 && below(2) === 1;
    const made = classify(tensor(logits, isRow ? [classes] : [count, classes]), {
      ...(most === 5 ? {} : { top_k: most }),
      ...(called && { function_to_apply: called }),
      ...(id2label && { id2label }),
    });
    const wanted = rowsOf(logits, classes).map((row) => {
      const scores = scoresOf[called ?? (classes === 1 ? 'sigmoid' : 'softmax')](row);
      return selection(scores, Math.min(most, classes), true).map((i) => ({
        label: id2label ? names[i] : `LABEL_${i}`,
        score: scores[i],
      }));
    });
    return [[made], [wanted]];
  }));

/** Points of a pair of pictures, and scores of which some equal the threshold when it is rounded. */
function pair({ next, below, list }, points) {
  const batch = 1 + below(2);
  const threshold = [0, 0.1, 0.25, 0.7][below(4)];
  const scores = [0, f(threshold), f(threshold + 1e-6), 0.5, 1];
  const outputs = {
    keypoints: tensor(
      list(4 * batch * points, () => f(next() - 0.1)),
      [batch, 2, points, 2],
    ),
    matches: int32(
      list(2 * batch * points, () => below(points + 1) - 1),
      [batch, 2, points],
    ),
    matching_scores: tensor(
      list(2 * batch * points, () => scores[below(5)]),
      [batch, 2, points],
    ),
    mask: int32(
      list(2 * batch * points, () => Number(below(4) > 0)),
      [batch, 2, points],
    ),
  };
  const target_sizes = list(batch, () => list(2, () => [1 + below(900), 1 + below(900)]));
  const sides = target_sizes.map((pictures, i) =>
    pictures.map(([height, width], j) => {
      const half = ({ data }, width_) =>
        [...data].slice((2 * i + j) * points * width_, (2 * i + j + 1) * points * width_);
      return {
        points: rowsOf(half(outputs.keypoints, 2), 2).map(([x, y]) => [f(x * width), f(y * height)].map(Math.trunc)),
        matches: half(outputs.matches, 1),
        scores: half(outputs.matching_scores, 1),
        mask: half(outputs.mask, 1),
      };
    }),
  );
  return { outputs, options: { target_sizes, threshold }, sides };
}

const matchLists = (answer) =>
  answer.flatMap((one) => [one.keypoints0.data, one.keypoints1.data, one.matching_scores.data]);

test('matches of valid points, above a threshold that scores have', () =>
  compare(150, (random, seed) => {
    const { outputs, options, sides } = pair(random, 1 + random.below(20));
    const config = { image_processor_type: ['LightGlueImageProcessor', 'SuperGlueImageProcessor'][seed % 2] };
    const found = postProcessor(config).post_process_keypoint_matching(outputs, options);
    const valid = ({ mask }, list) => list.filter((_, i) => mask[i]);
    const wanted = sides.flatMap(([own, other]) => {
      const others = valid(other, other.points);
      const rows = range(own.mask.length).filter(
        (i) =>
          own.mask[i] && own.scores[i] > f(options.threshold) && own.matches[i] >= 0 && own.matches[i] < others.length,
      );
      return [
        rows.flatMap((i) => own.points[i]),
        rows.flatMap((i) => others[own.matches[i]]),
        rows.map((i) => own.scores[i]),
      ];
    });
    return [matchLists(found), wanted];
  }));

test('dense matches: each picture keeps its own points', () =>
  compare(150, (random) => {
    const { outputs, options, sides } = pair(random, 1 + random.below(20));
    const { mask: _, ...dense } = outputs;
    const processor = postProcessor({ image_processor_type: 'EfficientLoFTRImageProcessor' });
    const wanted = sides.flatMap((both) => {
      const [own, others] = both.map(({ scores, matches }) =>
        range(scores.length).filter((i) => scores[i] > f(options.threshold) && matches[i] > -1),
      );
      return [
        own.flatMap((i) => both[0].points[i]),
        others.flatMap((i) => both[1].points[i]),
        own.map((i) => both[0].scores[i]),
      ];
    });
    return [matchLists(processor.post_process_keypoint_matching(dense, options)), wanted];
  }));

/** The runs of each value of a map, over rows, from 1. */
const runsOf = (map) =>
  [...new Set(map)]
    .sort((a, b) => a - b)
    .map((value) => {
      const starts = range(map.length).filter((i) => map[i] === value && map[i - 1] !== value);
      return starts.flatMap((i) => {
        const end = range(map.length).find((k) => k > i && map[k] !== value);
        return [i + 1, (end ?? map.length) - i];
      });
    });

/** Scores of instances with torch's choice of queries and labels, and their masks. */
function instances(logits, masks, classes) {
  const queries = masks.length;
  const all = rowsOf(logits, classes).flatMap((row) => softmax(row).slice(0, -1));
  return selection(all, queries, false).map((at) => {
    const mask = masks[Math.floor(at / (classes - 1))];
    const inside = mask.filter((value) => value > 0);
    const mean = f(f(inside.reduce((sum, value) => sum + sigmoid(value), 0)) / f(inside.length + f(1e-6)));
    return { label: at % (classes - 1), score: f(all[at] * mean), mask };
  });
}

/** A threshold that a score has where scores are sure to the bit, else one far from all. */
function chosen(found, isSure, below) {
  const scores = found.map(({ score }) => score).sort((a, b) => a - b);
  const at = below(scores.length);
  if (isSure) return scores[at];
  return at > 0 && scores[at] - scores[at - 1] > 1e-4 ? (scores[at] + scores[at - 1]) / 2 : 0;
}

test('instances of MaskFormer and Mask2Former: later masks win, in the order of an unsorted selection', () =>
  compare(150, ({ next, below, list }, seed) => {
    const isSecond = seed % 75 === 0;
    const [queries, classes] = [1 + below(isSecond ? 2 : 12), 2 + below(below(8) ? 12 : 90)];
    const [h, w] = isSecond ? [384, 384] : [1 + below(7), 1 + below(20)];
    // Sigmoids of 20 are 1, and a sum of ones has no order.
    const isSure = isSecond || below(2) === 1;
    const levels = below(2) ? 3 : 4096;
    const logits = list(queries * classes, () => f((6 * below(levels)) / levels));
    const wide = isSecond ? 32 : 1;
    const cells = list(queries, () =>
      list((h * w) / wide ** 2, () => (isSure ? [20, 0, -20][below(3)] : f(4 * next() - 2))),
    );
    const masks = cells.map((own) =>
      range(h * w).map((i) => own[Math.floor(i / w / wide) * (w / wide) + Math.floor((i % w) / wide)]),
    );
    const found = instances(logits, masks, classes);
    const threshold = chosen(found, isSure, below);
    const size = isSecond || below(2) ? [1 + below(30), 1 + below(40)] : undefined;
    const form = [undefined, 'return_binary_maps', 'return_coco_annotation'][below(3)];
    const names = ['MaskFormerImageProcessor', 'Mask2FormerImageProcessor'];
    const [{ segmentation, segments_info: made }] = postProcessor({
      image_processor_type: names[Number(isSecond)],
    }).post_process_instance_segmentation(
      {
        class_queries_logits: tensor(logits, [1, queries, classes]),
        masks_queries_logits: tensor(masks.flat(), [1, queries, h, w]),
      },
      { threshold, ...(size && { target_sizes: [size] }), ...(form && { [form]: true }) },
    );
    const [rows, columns] = (size ?? [h, w]).map((count, axis) =>
      range(count).map((i) => Math.min(Math.floor(f(i * f([h, w][axis] / count))), [h, w][axis] - 1)),
    );
    const kept = found
      .map((one) => ({ ...one, own: rows.flatMap((y) => columns.map((x) => Number(one.mask[y * w + x] > 0))) }))
      .filter(({ own, score }) => own.includes(1) && score >= threshold);
    const map = range(rows.length * columns.length).map((i) => kept.findLastIndex(({ own }) => own[i]));
    const maps = form === 'return_binary_maps' && kept.length > 0 ? kept.flatMap(({ own }) => own) : map;
    const isRuns = form === 'return_coco_annotation';
    const isNear = made.every(({ score }, i) => Math.abs(score - kept[i]?.score) <= 1.5e-6);
    return [
      [
        isRuns ? segmentation.map((runs) => [...runs]) : segmentation.data,
        made.map((one) => [one.id, one.label_id]),
        [isNear],
      ],
      [isRuns ? runsOf(map) : maps, kept.map(({ label }, id) => [id, label]), [true]],
    ];
  }));

/** Of two halves the even one. */
const round = (x) => (x - Math.floor(x) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));
/** Of two halves the one that is farther from 0. */
const away = (x) => Math.sign(x) * Math.floor(Math.abs(x) + 0.5);

test('boxes of text around rectangles apart: sides, scores and thresholds that are hit exactly, growth', () =>
  compare(150, ({ below, list }) => {
    const [cell, down, across] = [6 + below(12), 1 + below(3), 1 + below(3)];
    const [h, w] = [down * cell - 2, across * cell - 2];
    const size = below(2) ? [h, w] : [1 + below(200), 1 + below(200)];
    const [thresh, ratio, dilate] = [[0.25, 0.3][below(2)], [0.5, 1.6, 2, 3][below(4)], below(2) === 1];
    const map = list(h * w, () => [0, 0.125, f(thresh)][below(3)]);
    const texts = list(down * across, (i) => {
      const [wide, high] = [1 + below(cell - 2), 1 + below(cell - 2)];
      const [left, top] = [below(cell - 1 - wide), below(cell - 1 - high)];
      const [x, y] = [(i % across) * cell + left, Math.floor(i / across) * cell + top];
      const values = [[0.5], [0.75], [0.5, 0.75], [0.375, 1]][below(4)];
      for (let row = y; row < y + high; row++)
        for (let column = x; column < x + wide; column++) map[row * w + column] = values[below(values.length)];
      const more = Number(dilate);
      return { x, y, ends: [Math.min(x + wide - 1 + more, w - 1), Math.min(y + high - 1 + more, h - 1)] };
    });
    texts.sort((a, b) => b.y - a.y || b.x - a.x);
    const scored = texts.map(({ x, y, ends: [right, bottom] }) => {
      const values = map.filter((_, i) => i % w >= x && i % w <= right && i >= y * w && i < (bottom + 1) * w);
      const score = values.reduce((sum, value) => sum + value, 0) / values.length;
      return { ends: [x, y, right, bottom], sides: [right - x, bottom - y], score };
    });
    const box_thresh = scored[below(scored.length)].score;
    const max_candidates = 1 + below(10);
    const boxes = scored.slice(0, max_candidates).flatMap(({ ends, sides: [a, b], score }) => {
      if (Math.min(a, b) < 3 || box_thresh > score) return [];
      const far = (a * b * ratio) / (2 * (a + b));
      const grown = ends.map((at, i) => away(i < 2 ? at - far : at + far));
      if (Math.min(grown[2] - grown[0], grown[3] - grown[1]) < 5) return [];
      const [x0, y0, x1, y1] = grown.map((at, i) => {
        const [from, to] = i % 2 ? [h, size[0]] : [w, size[1]];
        return Math.min(Math.max(round(f(f(at / from) * to)), 0), to - 1);
      });
      return x1 - x0 <= 3 || y1 - y0 <= 3 ? [] : [{ box: [x0, y0, x1, y0, x1, y1, x0, y1], score: f(score) }];
    });
    const made = textDetection(tensor(map, [h, w]), {
      ...{ thresh, box_thresh, max_candidates, unclip_ratio: ratio, use_dilation: dilate, size },
    });
    return [
      [made.boxes.data, made.scores.data],
      [boxes.flatMap(({ box }) => box), boxes.map(({ score }) => score)],
    ];
  }));
