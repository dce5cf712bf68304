/** The outputs of streams, joined. */

/** The parts of one output as one tensor, joined along an axis; what is no tensor comes in one part. */
export function joinParts(parts, axis) {
  const [first] = parts;
  if (!first?.dims) return first;
  const extent = parts.reduce((sum, { dims }) => sum + dims[axis], 0);
  const count = (dims) => dims.reduce((product, one) => product * one, 1);
  const numbers = first.type === 'complex64' ? 2 : 1;
  const [outer, inner] = [count(first.dims.slice(0, axis)), numbers * count(first.dims.slice(axis + 1))];
  const data = new first.data.constructor(outer * extent * inner);
  for (let o = 0, at = 0; o < outer; o++) {
    for (const part of parts) {
      const run = part.dims[axis] * inner;
      data.set(part.data.subarray(o * run, (o + 1) * run), at);
      at += run;
    }
  }
  return { type: first.type, dims: first.dims.map((one, i) => (i === axis ? extent : one)), data };
}

/** The outputs of a stream that is fed in chunks of these sizes, again from the first when the list ends. */
export function streamed(stream, samples, chunks) {
  const parts = {};
  const take = (outputs) => {
    for (const [name, part] of Object.entries(outputs ?? {})) (parts[name] ??= []).push(part);
  };
  for (let at = 0, i = 0; at < samples.length; i++) {
    const end = at + chunks[i % chunks.length];
    take(stream.push(samples.subarray(at, end)));
    at = end;
  }
  take(stream.end());
  return Object.fromEntries(Object.entries(parts).map(([name, list]) => [name, joinParts(list, stream.axes[name])]));
}
