/** PP-DocLayout 4's order of reading. Boxes are the nodes of a graph, whose edges lead from a box to those that may be
 * read directly after it. All sums are float32, as NumPy's. */
import { rangeError } from '../../arguments/index.js';

/** Limit of boxes: a larger graph takes seconds if every box follows every other. */
const maxBoxes = 500;

/** Rounds to float32, in which NumPy computes each step. */
const { fround } = Math;

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
  if (nodes.length > maxBoxes) rangeError(`threshold must leave at most ${maxBoxes} queries, got ${nodes.length}`);
  // An edge for each logit above 0, that is a probability above a half.
  const edges = nodes.flatMap((from) =>
    nodes
      .map((to) => ({ from, to, weight: successor[from * queries + to] }))
      .filter(({ to, weight }) => from !== to && weight > 0),
  );
  const weakestFirst = [...edges].sort((a, b) => a.weight - b.weight);
  const acyclic = new Set(withoutCycles(nodes, weakestFirst));
  const graph = edges.filter((edge) => acyclic.has(edge));
  // The probability that box `a` comes before `b`.
  const scoreOf = (/** @type {number} */ a, /** @type {number} */ b) =>
    a === b ? 0 : sigmoid(relative[a * queries + b]);
  // How many boxes come before a box, probably.
  const voteOf = (/** @type {number} */ node) => sumOf(nodes, (other) => scoreOf(other, node));
  const components = connectedParts(nodes, graph).map((part) => ({
    order: sortTopologically(part, graph, scoreOf),
    meanVote: fround(sumOf(part, voteOf) / part.length),
  }));
  const order = components.sort((a, b) => a.meanVote - b.meanVote).flatMap((part) => part.order);
  return new Map(order.map((node, rank) => [node, rank]));
}

/** Sums a number of each node in float32. @type {(nodes: number[], numberOf: (node: number) => number) => number} */
const sumOf = (nodes, numberOf) => nodes.reduce((sum, node) => fround(sum + numberOf(node)), 0);

/** Computes the sigmoid in NumPy's float32 steps, without overflow: below 0 as exp(x) / (1 + exp(x)).
 * @type {(x: number) => number} */
function sigmoid(x) {
  const power = fround(Math.exp(-Math.abs(x)));
  const numerator = x >= 0 ? 1 : power;
  return fround(numerator / fround(1 + power));
}

/** Drops edges until the graph has no cycles, and returns the others: of each strongly connected part of several nodes,
 * in which every node is reached from every other, the weakest edges go one by one until it falls apart, and the same
 * is done with the parts that are left. `edges` are sorted, the weakest first.
 * @type {(nodes: number[], edges: Edge[]) => Edge[]} */
function withoutCycles(nodes, edges) {
  const partOf = strongParts(nodes, edges);
  const remaining = edges.filter(({ from, to }) => partOf.get(from) !== partOf.get(to));
  for (const component of new Set(partOf.values())) {
    const part = nodes.filter((node) => partOf.get(node) === component);
    if (part.length === 1) continue;
    const inner = edges.filter(({ from, to }) => partOf.get(from) === component && partOf.get(to) === component);
    const dropped = countToFallApart(part, inner);
    for (const edge of withoutCycles(part, inner.slice(dropped))) remaining.push(edge);
  }
  return remaining;
}

/** Finds how many of the first edges have to go until a strongly connected part falls apart, by a binary search.
 * @type {(part: number[], edges: Edge[]) => number} */
function countToFallApart(part, edges) {
  let [minDropped, maxDropped] = [1, edges.length];
  while (minDropped < maxDropped) {
    const dropped = (minDropped + maxDropped) >> 1;
    const isConnected = new Set(strongParts(part, edges.slice(dropped)).values()).size === 1;
    if (isConnected) minDropped = dropped + 1;
    else maxDropped = dropped;
  }
  return minDropped;
}

/** Lists for each node the nodes to which edges lead from it and, if `isUndirected`, those from which edges lead to it.
 * @type {(nodes: number[], edges: Edge[], rules?: { isUndirected: boolean }) => Map<number, number[]>} */
function neighborsOf(nodes, edges, { isUndirected } = { isUndirected: false }) {
  /** @type {Map<number, number[]>} */
  const neighbors = new Map(nodes.map((node) => [node, []]));
  for (const { from, to } of edges) {
    neighbors.get(from)?.push(to);
    if (isUndirected) neighbors.get(to)?.push(from);
  }
  return neighbors;
}

/** Finds the strongly connected parts of a graph (Tarjan), and returns for each node one that stands for its part.
 * @type {(nodes: number[], edges: Edge[]) => Map<number, number>} */
function strongParts(nodes, edges) {
  const neighbors = neighborsOf(nodes, edges);
  // By node: the order of its visit, that of the earliest node that it reaches, and its part.
  const [visits, earliest, components] = [new Map(), new Map(), new Map()];
  /** @type {number[]} */
  const path = [];
  // Visits a node and all that it reaches, and completes the parts that end there.
  const visit = (/** @type {number} */ node) => {
    const turn = visits.size;
    visits.set(node, turn);
    earliest.set(node, turn);
    path.push(node);
    for (const next of neighbors.get(node) ?? []) {
      if (!visits.has(next)) visit(next);
      // A node whose part is complete leads back to none on the path.
      if (!components.has(next)) earliest.set(node, Math.min(earliest.get(node), earliest.get(next)));
    }
    // A node that reaches no earlier one ends a part, whose nodes are behind it on the path.
    if (earliest.get(node) !== turn) return;
    for (const member of path.splice(path.indexOf(node))) components.set(member, node);
  };
  for (const node of nodes) if (!visits.has(node)) visit(node);
  return components;
}

/** Lists the connected parts of a graph, whose edges count in both directions. The nodes of a part are in rising order.
 * @type {(nodes: number[], edges: Edge[]) => number[][]} */
function connectedParts(nodes, edges) {
  const neighbors = neighborsOf(nodes, edges, { isUndirected: true });
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
function sortTopologically(nodes, edges, scoreOf) {
  // No edge leaves a part, so one end tells whether it lies in it.
  const innerEdges = edges.filter(({ from }) => nodes.includes(from));
  const successors = neighborsOf(nodes, innerEdges);
  // How many edges lead to each node from nodes that are not in the order yet.
  const openEdges = new Map(nodes.map((node) => [node, 0]));
  const openEdgesTo = (/** @type {number} */ node) => /** @type {number} */ (openEdges.get(node));
  for (const { to } of innerEdges) openEdges.set(to, openEdgesTo(to) + 1);
  const candidates = nodes.filter((node) => openEdges.get(node) === 0);
  const order = [];
  while (candidates.length > 0) {
    const next = likeliestNext(candidates, scoreOf);
    candidates.splice(candidates.indexOf(next), 1);
    order.push(next);
    for (const successor of successors.get(next) ?? []) {
      openEdges.set(successor, openEdgesTo(successor) - 1);
      if (openEdgesTo(successor) === 0) candidates.push(successor);
    }
  }
  return order;
}

/** Finds the node whose probabilities of coming before the others have the greatest sum; of equals, the lower number.
 * @type {(nodes: number[], scoreOf: (a: number, b: number) => number) => number} */
function likeliestNext(nodes, scoreOf) {
  // Sums of probabilities are above -1.
  let [best, maxScore] = [nodes[0], -1];
  for (const node of nodes) {
    const score = sumOf(nodes, (other) => scoreOf(node, other));
    if (score > maxScore || (score === maxScore && node < best)) [best, maxScore] = [node, score];
  }
  return best;
}
