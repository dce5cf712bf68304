/** Answers as a page makes them without a library: one loop a step. */

/** Of each result, the two source places around its half-pixel center, and the weight of the second. */
function placesOf(length, count) {
  return Array.from({ length: count }, (_, i) => {
    const place = Math.max(((i + 0.5) * length) / count - 0.5, 0);
    const first = Math.floor(place);
    return { first, second: Math.min(first + 1, length - 1), weight: place - first };
  });
}

/** A bilinear resize of one plane. */
function resizePlane(plane, [height, width], [toHeight, toWidth]) {
  const columns = placesOf(width, toWidth);
  const out = new Float32Array(toHeight * toWidth);
  placesOf(height, toHeight).forEach(({ first, second, weight }, y) => {
    const [upper, lower] = [first * width, second * width];
    for (let x = 0; x < toWidth; x++) {
      const at = columns[x];
      const top = plane[upper + at.first] * (1 - at.weight) + plane[upper + at.second] * at.weight;
      const bottom = plane[lower + at.first] * (1 - at.weight) + plane[lower + at.second] * at.weight;
      out[y * toWidth + x] = top * (1 - weight) + bottom * weight;
    }
  });
  return out;
}

/** The class with the greatest resized logit, class by class. */
export function loopLabels({ data, dims: [, classes, height, width] }, size) {
  const labels = new Int32Array(size[0] * size[1]);
  const best = new Float32Array(labels.length).fill(-Infinity);
  for (let k = 0; k < classes; k++) {
    const plane = resizePlane(data.subarray(k * height * width, (k + 1) * height * width), [height, width], size);
    for (let i = 0; i < plane.length; i++) {
      if (!(plane[i] > best[i])) continue;
      best[i] = plane[i];
      labels[i] = k;
    }
  }
  return labels;
}

/** Masks to the padded square, cut, and to the picture. */
export function loopMasks({ data, dims: [, , count, side] }, { square, cut, size }) {
  const masks = new Uint8Array(count * size[0] * size[1]);
  for (let k = 0; k < count; k++) {
    const padded = resizePlane(data.subarray(k * side * side, (k + 1) * side * side), [side, side], [square, square]);
    const inner = new Float32Array(cut[0] * cut[1]);
    for (let y = 0; y < cut[0]; y++) inner.set(padded.subarray(y * square, y * square + cut[1]), y * cut[1]);
    const mask = resizePlane(inner, cut, size);
    for (let i = 0; i < mask.length; i++) masks[k * mask.length + i] = Number(mask[i] > 0);
  }
  return masks;
}

const overlap = (a, b) => {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  const common = Math.max(width, 0) * Math.max(height, 0);
  return common / (a.area + b.area - common);
};

/** How many boxes a head of YOLO gives, by the loop that pages copy: the best class of each anchor, a sort, then the
 * best box is taken and those over it are filtered out, until 300 are taken or none is left. */
export function loopBoxes({ data, dims: [, rows, anchors] }, { conf, iou }) {
  let boxes = [];
  for (let a = 0; a < anchors; a++) {
    let [score, label] = [-Infinity, 0];
    for (let k = 4; k < rows; k++) {
      if (!(data[k * anchors + a] > score)) continue;
      score = data[k * anchors + a];
      label = k - 4;
    }
    if (!(score > conf)) continue;
    const [x, y, width, height] = [0, 1, 2, 3].map((k) => data[k * anchors + a]);
    const [x0, y0] = [x - width / 2, y - height / 2];
    boxes.push({ score, label, left: x0, top: y0, right: x0 + width, bottom: y0 + height, area: width * height });
  }
  boxes.sort((a, b) => b.score - a.score);
  const kept = [];
  while (boxes.length > 0 && kept.length < 300) {
    const best = boxes[0];
    kept.push(best);
    boxes = boxes.filter((box) => box !== best && (box.label !== best.label || overlap(best, box) <= iou));
  }
  return kept.length;
}
