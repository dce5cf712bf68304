/** Inputs from a seed: the twin of tests/goldens/postprocess/recipes.py, which gives the same bytes. */

// Looked up once: a global of Jest's takes longer than the arithmetic.
const { imul, floor, min, max, abs } = Math;
const mix = (x) => {
  x ^= x >>> 16;
  x = imul(x, 0x7feb352d);
  x ^= x >>> 15;
  x = imul(x, 0x846ca68b);
  x ^= x >>> 16;
  return x >>> 0;
};
/** Uniform in [0, 1), a multiple of 2^-24. */
const u = (seed, i) => (mix(mix(i) ^ mix(seed)) >>> 8) * 2 ** -24;
/** Nearly normal, mean 0, deviation 1. */
const n = (seed, i) =>
  (u(seed, 4 * i) + u(seed, 4 * i + 1) + u(seed, 4 * i + 2) + u(seed, 4 * i + 3) - 2) * 1.7320508075688772;
const product = (dims) => dims.reduce((a, b) => a * b, 1);
const fill = (dims, f) => {
  const v = new Float64Array(product(dims));
  for (let i = 0; i < v.length; i++) v[i] = f(i);
  return v;
};

const KINDS = {
  uniform: ({ dims, seed, lo = 0, hi = 1 }) => fill(dims, (i) => lo + (hi - lo) * u(seed, i)),
  normal: ({ dims, seed, mean = 0, std = 1 }) => fill(dims, (i) => mean + std * n(seed, i)),
  ints: ({ dims, seed, lo, hi }) => fill(dims, (i) => lo + floor(u(seed, i) * (hi - lo))),
  smooth({ dims, seed, cell, amp = 1, mean = 0, noise = 0 }) {
    const [h, w] = dims.slice(-2),
      planes = product(dims.slice(0, -2)),
      gy = floor((h - 1) / cell) + 2,
      gx = floor((w - 1) / cell) + 2;
    const lattice = fill([planes, gy, gx], (i) => n(seed, i)),
      v = new Float64Array(product(dims));
    for (let p = 0, at = 0; p < planes; p++)
      for (let y = 0; y < h; y++) {
        const iy = floor(y / cell),
          ty = (y - iy * cell) / cell,
          top = (p * gy + iy) * gx,
          bottom = top + gx;
        for (let x = 0; x < w; x++, at++) {
          const ix = floor(x / cell),
            tx = (x - ix * cell) / cell;
          const a = lattice[top + ix] + (lattice[top + ix + 1] - lattice[top + ix]) * tx,
            b = lattice[bottom + ix] + (lattice[bottom + ix + 1] - lattice[bottom + ix]) * tx;
          v[at] = (a + (b - a) * ty) * amp + mean;
          if (noise) v[at] += noise * n(seed + 1, at);
        }
      }
    return v;
  },
  blobs({ dims, seed, amp = 4, limit = 10, noise = 0 }) {
    const [h, w] = dims.slice(-2),
      planes = product(dims.slice(0, -2)),
      v = new Float64Array(product(dims));
    for (let p = 0, at = 0; p < planes; p++) {
      const [a, b, c, d] = [0, 1, 2, 3].map((j) => u(seed, 4 * p + j)),
        cx = 0.1 + 0.8 * a,
        cy = 0.1 + 0.8 * b,
        rx = 0.06 + 0.3 * c,
        ry = 0.06 + 0.3 * d;
      for (let y = 0; y < h; y++) {
        const dy = ((y + 0.5) / h - cy) / ry;
        for (let x = 0; x < w; x++, at++) {
          const dx = ((x + 0.5) / w - cx) / rx;
          v[at] = min(max(amp * (1 - dx * dx - dy * dy), -limit), limit);
          if (noise) v[at] += noise * n(seed + 1, at);
        }
      }
    }
    return v;
  },
  classes({ dims, seed, mean = 0, std = 1, p = 0.2, boost = 6, none }) {
    const c = dims.at(-1),
      rows = product(dims) / c,
      v = fill(dims, (i) => mean + std * n(seed, i)),
      last = none ? 1 : 0;
    for (let r = 0; r < rows; r++) {
      const more = boost * (0.4 + 0.6 * u(seed + 1, 3 * r + 2));
      if (u(seed + 1, 3 * r) < p) v[r * c + floor(u(seed + 1, 3 * r + 1) * (c - last))] += more;
      else if (last) v[r * c + c - 1] += more;
    }
    return v;
  },
  boxes({ dims, seed, near, corners, scale = 1 }) {
    const v = new Float64Array(product(dims));
    let old;
    for (let r = 0; r < v.length / 4; r++) {
      let b = [
        0.05 + 0.9 * u(seed, 4 * r),
        0.05 + 0.9 * u(seed, 4 * r + 1),
        0.03 + 0.4 * u(seed, 4 * r + 2),
        0.03 + 0.4 * u(seed, 4 * r + 3),
      ];
      if (near && r % 3) {
        const d = [0, 1, 2, 3].map((j) => near * (u(seed + 1, 4 * r + j) - 0.5));
        b = [old[0] + d[0], old[1] + d[1], old[2] * (1 + d[2]), old[3] * (1 + d[3])];
      }
      old = b;
      const [cx, cy, w, h] = b,
        out = corners ? [cx - w * 0.5, cy - h * 0.5, cx + w * 0.5, cy + h * 0.5] : b;
      for (let j = 0; j < 4; j++) v[4 * r + j] = out[j] * scale;
    }
    return v;
  },
  yolo({ dims, seed, nc, size, extra = 0, objects, second, keypoints, angle }) {
    const cells = [];
    for (const st of [8, 16, 32])
      for (let y = 0; y < floor(size / st); y++) for (let x = 0; x < floor(size / st); x++) cells.push([st, y, x]);
    const a = cells.length,
      v = new Float64Array(product(dims)),
      objs = [];
    for (let k = 0; k < objects; k++) {
      const q = 6 * k;
      objs.push({
        x: size * (0.1 + 0.8 * u(seed, q)),
        y: size * (0.1 + 0.8 * u(seed, q + 1)),
        w: size * (0.05 + 0.35 * u(seed, q + 2)),
        h: size * (0.05 + 0.35 * u(seed, q + 3)),
        c: floor(u(seed, q + 4) * nc),
        top: 0.3 + 0.65 * u(seed, q + 5),
      });
    }
    for (let r = 0; r < nc; r++)
      for (let t = 0; t < a; t++) {
        const f = u(seed + 2, r * a + t);
        v[(4 + r) * a + t] = f * f * f * f * 0.05;
      }
    cells.forEach(([st, gy, gx], t) => {
      const px = (gx + 0.5) * st,
        py = (gy + 0.5) * st;
      let d = Infinity,
        o;
      for (const k of objs) {
        const e = max(abs(px - k.x) / k.w, abs(py - k.y) / k.h);
        if (e < d) {
          d = e;
          o = k;
        }
      }
      const j = [0, 1, 2, 3].map((m) => u(seed + 1, 4 * t + m) - 0.5),
        near = d < 0.5;
      v[t] = near ? o.x + j[0] * o.w * 0.15 : px + j[0] * st;
      v[a + t] = near ? o.y + j[1] * o.h * 0.15 : py + j[1] * st;
      v[2 * a + t] = near ? o.w * (1 + 0.2 * j[2]) : st * (1 + 4 * (j[2] + 0.5));
      v[3 * a + t] = near ? o.h * (1 + 0.2 * j[3]) : st * (1 + 4 * (j[3] + 0.5));
      if (near) {
        v[(4 + o.c) * a + t] = o.top * (1 - 1.2 * d) * (0.9 + 0.1 * u(seed + 3, t));
        if (second) v[(4 + ((o.c + 1) % nc)) * a + t] = o.top * (1 - 1.3 * d) * 0.8;
      }
    });
    for (let r = 0; r < extra; r++)
      for (let t = 0; t < a; t++) {
        const z = u(seed + 4, r * a + t),
          to = (4 + nc + r) * a + t;
        if (keypoints)
          v[to] = r % 3 === 0 ? v[t] + (z - 0.5) * v[2 * a + t] : r % 3 === 1 ? v[a + t] + (z - 0.5) * v[3 * a + t] : z;
        else v[to] = angle && r === extra - 1 ? (z - 0.25) * 3 : 2 * z - 1;
      }
    return v;
  },
  text({ dims, seed, lines, thin = 3 }) {
    const [h, w] = dims.slice(-2),
      v = new Float64Array(h * w),
      turns = [
        [1, 0],
        [1, 0],
        [0.96, 0.28],
        [0.96, -0.28],
        [0.8, 0.6],
        [0.6, -0.8],
        [0, 1],
      ];
    for (let k = 0; k < lines; k++) {
      const p = [0, 1, 2, 3, 4, 5].map((t) => u(seed, 8 * k + t)),
        cx = w * (0.08 + 0.84 * p[0]),
        cy = h * (0.08 + 0.84 * p[1]);
      const a = w * (0.015 + 0.14 * p[2]),
        b = thin + h * 0.02 * p[3],
        [c, s] = turns[floor(p[4] * turns.length)],
        peak = 0.45 + 0.55 * p[5];
      for (let y = 0, at = 0; y < h; y++)
        for (let x = 0; x < w; x++, at++) {
          const X = x + 0.5,
            Y = y + 0.5,
            du = abs((X - cx) * c + (Y - cy) * s) - a,
            dv = abs((Y - cy) * c - (X - cx) * s) - b;
          v[at] = max(v[at], min(max(0.5 - max(du, dv) / 6, 0), 1) * peak);
        }
    }
    for (let i = 0; i < v.length; i++) v[i] = v[i] * (0.9 + 0.1 * u(seed + 1, i)) + 0.02 * u(seed + 2, i);
    return v;
  },
  ctc({ dims: [b, t, c], seed }) {
    const v = fill([b, t, c], (i) => 0.001 * u(seed, i));
    let last = 0;
    for (let j = 0; j < b * t; j++) {
      const r = u(seed + 1, 3 * j),
        cls = r < 0.3 ? last : r < 0.55 ? 0 : floor(u(seed + 1, 3 * j + 1) * c);
      v[j * c + cls] = 0.35 + 0.65 * u(seed + 1, 3 * j + 2);
      last = cls;
    }
    return v;
  },
  heat({ dims, seed, empty = 0, noise = 0.003 }) {
    const [h, w] = dims.slice(-2),
      planes = product(dims.slice(0, -2)),
      v = new Float64Array(product(dims));
    for (let p = 0, at = 0; p < planes; p++) {
      const cx = w * (0.02 + 0.96 * u(seed, 4 * p)),
        cy = h * (0.02 + 0.96 * u(seed, 4 * p + 1)),
        pk = u(seed, 4 * p + 3) < empty ? -1 : 0.15 + 0.85 * u(seed, 4 * p + 2);
      for (let y = 0; y < h; y++)
        for (let x = 0; x < w; x++, at++) {
          const dx = x - cx,
            dy = y - cy;
          v[at] = pk / (1 + (dx * dx + dy * dy) / 6) + noise * u(seed + 1, at);
        }
    }
    return v;
  },
};
/** [1, n, 6 + extras]: corners, score, class, best first, then noise. */
KINDS.e2e = ({ dims, seed }) => {
  const [, rows, width] = dims;
  const corners = make({ kind: 'boxes', dims: [rows, 4], seed, corners: 1, scale: 640 }).data;
  const scores = Array.from({ length: rows }, (_, i) => u(seed + 3, i)).sort((a, b) => b - a);
  const rest = fill([rows, width - 6], (i) => 2 * u(seed + 5, i) - 1);
  return scores.flatMap((s, i) => [
    ...[...corners.subarray(4 * i, 4 * i + 4), s * s * s, floor(u(seed + 4, i) * 80)],
    ...rest.subarray(i * (width - 6), (i + 1) * (width - 6)),
  ]);
};

const ARRAYS = {
  float32: Float32Array,
  float64: Float64Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  bool: Uint8Array,
};
/** Uniform in [0, 1), a multiple of 2^-24. */
export const uniform = u;

/** The tensor of a recipe; of a list of recipes, a list. */
export function make(g) {
  if (Array.isArray(g)) return g.map(make);
  const type = g.type ?? 'float32',
    v = g.values ? g.values.flat(Infinity) : KINDS[g.kind](g);
  const data =
    type === 'int64'
      ? BigInt64Array.from(v, (x) => BigInt(x))
      : type === 'bool'
        ? Uint8Array.from(v, (x) => (x ? 1 : 0))
        : ARRAYS[type].from(v);
  return { type, dims: g.dims, data };
}
