/** PP-DocLayout 4's order of reading. Boxes are the nodes of a graph, whose edges lead from a box to those that may be
 * read directly after it. All sums are float32, as NumPy's. */
import { rangeError } from '../../arguments/index.js';

/** Limit of boxes: a larger graph takes seconds if every box follows every other. */
const mostBoxes = 500;

/** Rounds to float32, in which NumPy computes each step. */
const f = Math.fround;

/** @typedef {{ from: number, to: number, weight: number }} Edge */

/** Ranks queries in the order of reading, from 0 on. Edges of the graph are dropped until it has no cycles. Then its
 * connected parts are sorted by how many boxes probably come before theirs, and the boxes of each part topologically.
 * @param {Float32Array} relative logits [queries, queries]: whether a row's box comes before a column's
 * @param {Float32Array} successor logits [queries, queries]: whether a row's box comes directly before a column's
 * @param {number} queries
 * @param {Int32Array} chosen the queries that are ranked, each perhaps several times
 * @returns {Map<number, number>} from a query to its rank */
export function readingOrder(relative, successor, queries, chosen) {
  const nodes = [...new Set(chosen)].sort((a, b) => a - b);
  if (nodes.length > mostBoxes) rangeError(`threshold must leave at most ${mostBoxes} queries, got ${nodes.length}`);
  // An edge for each logit above 0, that is a probability above a half.
  const edges = nodes.flatMap((from) =>
    nodes
      .map((to) => ({ from, to, weight: successor[from * queries + to] }))
      .filter(({ to, weight }) => from !== to && weight > 0),
  );
  const acyclic = new Set(
    withoutCycles(
      nodes,
      [...edges].sort((a, b) => a.weight - b.weight),
    ),
  );
  const graph = edges.filter((edge) => acyclic.has(edge));
  // The probability that box `a` comes before `b`.
  const scoreOf = (/** @type {number} */ a, /** @type {number} */ b) =>
    a === b ? 0 : sigmoid(relative[a * queries + b]);
  // How many boxes come before each, probably.
  const votes = new Map(nodes.map((node) => [node, nodes.reduce((sum, other) => f(sum + scoreOf(other, node)), 0)]));
  const components = connected(nodes, graph).map((part) => ({
    order: topological(part, graph, scoreOf),
    vote: f(part.reduce((sum, node) => f(sum + (votes.get(node) ?? 0)), 0) / part.length),
  }));
  const order = components.sort((a, b) => a.vote - b.vote).flatMap((part) => part.order);
  return new Map(order.map((node, rank) => [node, rank]));
}

/** Computes the sigmoid in NumPy's float32 steps: of a number below 0 as exp(x) / (1 + exp(x)), so that nothing
 * overflows.
 */
function sigmoid(/** @type {number} */ x) {
  const power = f(Math.exp(-Math.abs(x)));
  return f((x >= 0 ? 1 : power) / f(1 + power));
}

/** Drops edges until the graph has no cycles, and returns the others: of each strongly connected part of several nodes,
 * in which every node is reached from every other, the weakest edges go one by one until it falls apart, and the same
 * is done with the parts that are left. `edges` are sorted, the weakest first; a binary search finds how many have to
 * go.
 * @type {(nodes: number[], edges: Edge[]) => Edge[]} */
function withoutCycles(nodes, edges) {
  const partOf = strongParts(nodes, edges);
  const between = edges.filter(({ from, to }) => partOf.get(from) !== partOf.get(to));
  for (const component of new Set(partOf.values())) {
    const part = nodes.filter((node) => partOf.get(node) === component);
    const inner = edges.filter(({ from, to }) => partOf.get(from) === component && partOf.get(to) === component);
    if (part.length === 1) continue;
    // The number of edges to drop is from `fewest` to `maxEdges`.
    let [fewest, maxEdges] = [1, inner.length];
    while (fewest < maxEdges) {
      const middle = (fewest + maxEdges) >> 1;
      const isWhole = new Set(strongParts(part, inner.slice(middle)).values()).size === 1;
      if (isWhole) fewest = middle + 1;
      else maxEdges = middle;
    }
    for (const edge of withoutCycles(part, inner.slice(fewest))) between.push(edge);
  }
  return between;
}

/** Lists for each node the nodes to which edges lead from it and, if `isUndirected`, those from which edges lead to it.
 * @type {(nodes: number[], edges: Edge[], isUndirected?: boolean) => Map<number, number[]>} */
function neighborsOf(nodes, edges, isUndirected = false) {
  /** @type {Map<number, number[]>} */
  const neighbors = new Map(nodes.map((node) => [node, []]));
  for (const { from, to } of edges) {
    neighbors.get(from)?.push(to);
    if (isUndirected) neighbors.get(to)?.push(from);
  }
  return neighbors;
}

/** Finds the strongly connected parts of a graph by Tarjan's algorithm, and returns for each node one node that stands
 * for its part.
 * @type {(nodes: number[], edges: Edge[]) => Map<number, number>} */
function strongParts(nodes, edges) {
  const neighbors = neighborsOf(nodes, edges);
  // By node: the order of its visit, the earliest visited node that it reaches, and its part.
  const [seen, low, components] = [new Map(), new Map(), new Map()];
  /** @type {number[]} */
  const path = [];
  // Visits a node and all that it reaches, and completes the parts that end there.
  const visit = (/** @type {number} */ node) => {
    low.set(node, seen.size);
    seen.set(node, seen.size);
    path.push(node);
    for (const next of neighbors.get(node) ?? []) {
      if (!seen.has(next)) visit(next);
      // A node whose part is complete leads back to none on the path.
      if (!components.has(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    // A node that reaches no earlier one ends a part, whose nodes are behind it on the path.
    if (low.get(node) !== seen.get(node)) return;
    for (const member of path.splice(path.indexOf(node))) components.set(member, node);
  };
  for (const node of nodes) if (!seen.has(node)) visit(node);
  return components;
}

/** Lists the connected parts of a graph, whose edges count in both directions. The nodes of a part are in rising order.
 * @type {(nodes: number[], edges: Edge[]) => number[][]} */
function connected(nodes, edges) {
  const neighbors = neighborsOf(nodes, edges, true);
  const seen = new Set();
  return nodes.flatMap((first) => {
    if (seen.has(first)) return [];
    // The part grows while the loop runs over it.
    const part = [first];
    seen.add(first);
    for (const node of part) {
      for (const next of neighbors.get(node) ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        part.push(next);
      }
    }
    return [part.sort((a, b) => a - b)];
  });
}

/** Sorts the nodes of a part so that edges lead from earlier nodes to later ones. Of the nodes that may come next, that
 * one does whose probabilities of coming before the others, `scoreOf`, have the greatest sum; of equal sums, the node
 * with the lower number.
 * @type {(nodes: number[], edges: Edge[], scoreOf: (a: number, b: number) => number) => number[]} */
function topological(nodes, edges, scoreOf) {
  // No edge leaves a part, so one end tells whether it lies in it.
  const neighbors = neighborsOf(
    nodes,
    edges.filter(({ from }) => nodes.includes(from)),
  );
  // How many edges lead to each node from nodes that are not in the order yet.
  const degrees = new Map(nodes.map((node) => [node, 0]));
  for (const list of neighbors.values()) for (const to of list) degrees.set(to, (degrees.get(to) ?? 0) + 1);
  // The nodes that may come next.
  const left = nodes.filter((node) => degrees.get(node) === 0);
  const order = [];
  while (left.length > 0) {
    const scores = left.map((node) => left.reduce((sum, other) => f(sum + scoreOf(node, other)), 0));
    // Sums of probabilities are above -1.
    let [best, maxScore] = [left[0], -1];
    scores.forEach((score, i) => {
      if (score > maxScore || (score === maxScore && left[i] < best)) [best, maxScore] = [left[i], score];
    });
    left.splice(left.indexOf(best), 1);
    order.push(best);
    for (const next of neighbors.get(best) ?? []) {
      const degree = (degrees.get(next) ?? 0) - 1;
      degrees.set(next, degree);
      if (degree === 0) left.push(next);
    }
  }
  return order;
}
