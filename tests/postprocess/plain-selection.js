/** The order of torch's topk: that of `nth_element`, `partial_sort` and `sort` of libstdc++. */

const swap = (list, a, b) => ([list[a], list[b]] = [list[b], list[a]]);
const isBefore = (a, b) => a.value > b.value;
const depthOf = (length) => 2 * Math.floor(Math.log2(length));

/** Lets a hole sink to a leaf of the heap [first, first + length), and the value rise from there. */
function sink(list, first, { hole, length, value }) {
  let at = hole;
  for (let child = 2 * at + 2; child <= length; child = 2 * at + 2) {
    const isLeft = child === length || isBefore(list[first + child], list[first + child - 1]);
    const next = isLeft ? child - 1 : child;
    list[first + at] = list[first + next];
    at = next;
  }
  for (let up = (at - 1) >> 1; at > hole && isBefore(list[first + up], value); up = (at - 1) >> 1) {
    list[first + at] = list[first + up];
    at = up;
  }
  list[first + at] = value;
}

/** The best values of [first, last) as a heap in [first, middle), whose first is the worst of them. */
function heapSelect(list, first, middle, last) {
  const length = middle - first;
  for (let hole = (length >> 1) - 1; hole >= 0; hole--) sink(list, first, { hole, length, value: list[first + hole] });
  for (let i = middle; i < last; i++) {
    if (!isBefore(list[i], list[first])) continue;
    const value = list[i];
    list[i] = list[first];
    sink(list, first, { hole: 0, length, value });
  }
}

function heapSort(list, first, last) {
  for (let end = last - 1; end > first; end--) {
    const value = list[end];
    list[end] = list[first];
    sink(list, first, { hole: 0, length: end - first, value });
  }
}

/** Divides [first, last) by the median of its second, middle and last value. */
function partition(list, first, last) {
  const three = [first + 1, first + ((last - first) >> 1), last - 1];
  const [a, b, c] = three.map((at) => list[at]);
  const median = isBefore(a, b)
    ? [isBefore(b, c), isBefore(a, c)].indexOf(true)
    : [isBefore(a, c), isBefore(b, c)].indexOf(true);
  const places = isBefore(a, b) ? [three[1], three[2], three[0]] : [three[0], three[2], three[1]];
  swap(list, first, places.at(median));
  for (let [low, high] = [first + 1, last]; ; low++) {
    while (isBefore(list[low], list[first])) low++;
    do high--;
    while (isBefore(list[first], list[high]));
    if (low >= high) return low;
    swap(list, low, high);
  }
}

/** Insertion keeps the order of equals. */
function insertionSort(list, first, last) {
  const part = list.slice(first, last).sort((a, b) => b.value - a.value);
  list.splice(first, part.length, ...part);
}

function nthElement(list, nth) {
  let [first, last] = [0, list.length];
  for (let depth = depthOf(last); last - first > 3; depth--) {
    if (depth === 0) {
      heapSelect(list, first, nth + 1, last);
      swap(list, first, nth);
      return;
    }
    const cut = partition(list, first, last);
    [first, last] = cut <= nth ? [cut, last] : [first, cut];
  }
  insertionSort(list, first, last);
}

function sortFirst(list, count) {
  const loop = (first, end, limit) => {
    for (let [last, depth] = [end, limit]; last - first > 16; depth--) {
      if (depth === 0) {
        heapSelect(list, first, last, last);
        heapSort(list, first, last);
        return;
      }
      const cut = partition(list, first, last);
      loop(cut, last, depth - 1);
      last = cut;
    }
  };
  loop(0, count, depthOf(count));
  insertionSort(list, 0, count);
}

/**
 * The indices of the greatest values in torch's order.
 * @type {(values: number[], count: number, isSorted: boolean) => number[]}
 */
export function selection(values, count, isSorted) {
  const list = values.map((value, i) => ({ value, i }));
  if (64 * count <= list.length) {
    heapSelect(list, 0, count, list.length);
    heapSort(list, 0, count);
  } else {
    nthElement(list, count - 1);
    if (isSorted) sortFirst(list, count - 1);
  }
  return list.slice(0, count).map(({ i }) => i);
}
