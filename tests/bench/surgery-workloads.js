/**
 * The workloads of tensor surgery, with their bars: upper limits of the time of a call that writes to `out`, as a
 * multiple of memcpy of the result's bytes, [must, aim].
 *
 * Of each: its tensors and the result, the call, a plain loop, and what the peers run. A box says what ndarray-ops
 * assigns: [input, extents, strides in the input, first element there, strides in the result, first element there].
 */

/** @type {(count: number) => number[]} */
const upTo = (count) => Array.from({ length: count }, (_, i) => i);

/** One input, and the result. */
const shapes = (type, from, to) => ({ inputs: [[type, from]], result: [type, to] });

/** Eight tensors, joined along an axis: runs of `run` elements of each, `rows` times. */
const concat = (type, axis, rows, run, loop) => ({
  name: `concat${axis}`,
  title: `concat of 8 ${type} [1,512,64,64], axis ${axis}`,
  inputs: upTo(8).map(() => [type, [1, 512, 64, 64]]),
  result: [type, [1, 512, 64, 64].with(axis, axis === 1 ? 4096 : 512)],
  run: (build, x, options) => build.concat(x, { axis, ...options }),
  loop,
  boxes: upTo(8).map((i) => [i, [rows, run], [run, 1], 0, [8 * run, 1], i * run]),
  numpyTs: (np, x) => np.concatenate(x, axis),
  nodes: [['Concat', upTo(8).map((i) => `x${i}`), { axis }]],
  NumPy: `np.concatenate(x, ${axis}, out)`,
  einops: `einops.rearrange(x, "n b c h w -> ${axis === 1 ? 'b (n c) h w' : 'b c h (n w)'}")`,
});

const concatFirst = (type) =>
  concat(type, 1, 1, 2 ** 21, (x, out) => x.forEach((array, i) => out.set(array, i * array.length)));

const concatLast = concat('float32', 3, 512 * 64, 64, (x, out) => {
  for (let i = 0; i < 8; i++) {
    const from = x[i];
    for (let row = 0; row < 512 * 64; row++)
      for (let k = 0; k < 64; k++) out[row * 512 + i * 64 + k] = from[row * 64 + k];
  }
});

const crop = (type) => ({
  name: 'crop',
  title: `slice of ${type} [8,3,1080,1920] to [..., 100:900, 200:1400]`,
  ...shapes(type, [8, 3, 1080, 1920], [8, 3, 800, 1200]),
  run: ({ slice }, [x], options) => slice(x, [100, 200], [900, 1400], [2, 3], undefined, options),
  loop([x], out) {
    for (let plane = 0, to = 0; plane < 24; plane++)
      for (let y = 100; y < 900; y++, to += 1200) {
        const from = (plane * 1080 + y) * 1920;
        out.set(x.subarray(from + 200, from + 1400), to);
      }
  },
  boxes: [[0, [24, 800, 1200], [1080 * 1920, 1920, 1], 100 * 1920 + 200, [960_000, 1200, 1], 0]],
  numpyTs: (np, [x]) => np.ascontiguousarray(x.slice(':', ':', '100:900', '200:1400')),
  nodes: [['Slice', ['x0', 'starts', 'ends', 'axes']]],
  constants: { starts: [100, 200], ends: [900, 1400], axes: [2, 3] },
  NumPy: 'np.copyto(out, x[0][..., 100:900, 200:1400])',
});

const everySecond = {
  name: 'step2',
  title: 'slice of float32 [8,3,1080,1920], every second of the last axis',
  ...shapes('float32', [8, 3, 1080, 1920], [8, 3, 1080, 960]),
  run: ({ slice }, [x], options) => slice(x, [0], [1920], [3], [2], options),
  loop([x], out) {
    for (let i = 0; i < out.length; i++) out[i] = x[2 * i];
  },
  boxes: [[0, [24 * 1080, 960], [1920, 2], 0, [960, 1], 0]],
  numpyTs: (np, [x]) => np.ascontiguousarray(x.slice(':', ':', ':', '::2')),
  nodes: [['Slice', ['x0', 'starts', 'ends', 'axes', 'steps']]],
  constants: { starts: [0], ends: [1920], axes: [3], steps: [2] },
  NumPy: 'np.copyto(out, x[0][..., ::2])',
};

/** The loop of both modes: the border's rows, then each row with its sides. */
function padLoop(isEdge) {
  return ([x], out) => {
    for (let plane = 0; plane < 3; plane++)
      for (let y = 0; y < 1096; y++) {
        const to = (plane * 1096 + y) * 1936;
        const row = Math.min(Math.max(y - 8, 0), 1079);
        const from = (plane * 1080 + row) * 1920;
        if (!isEdge && row !== y - 8) out.fill(0, to, to + 1936);
        else {
          out.fill(isEdge ? x[from] : 0, to, to + 8);
          out.set(x.subarray(from, from + 1920), to + 8);
          out.fill(isEdge ? x[from + 1919] : 0, to + 1928, to + 1936);
        }
      }
  };
}

/** ndarray-ops fills all, and then assigns the middle; it has no edges. */
const middle = [[0, [3, 1080, 1920], [1080 * 1920, 1920, 1], 0, [1096 * 1936, 1936, 1], 8 * 1936 + 8]];
const widths = [0, 0, 8, 8].map((width) => [width, width]);

const pad = (mode) => ({
  name: `pad-${mode}`,
  title: `pad of float32 [1,3,1080,1920] to 1096 x 1936, ${mode}`,
  ...shapes('float32', [1, 3, 1080, 1920], [1, 3, 1096, 1936]),
  run: ({ pad: call }, [x], options) => call(x, [8, 8, 8, 8], undefined, [2, 3], { mode, ...options }),
  loop: padLoop(mode === 'edge'),
  fill: 0,
  boxes: mode === 'constant' ? middle : undefined,
  numpyTs: (np, [x]) => np.pad(x, widths, mode),
  nodes: [['Pad', ['x0', 'pads', '', 'axes'], { mode }]],
  constants: { pads: [8, 8, 8, 8], axes: [2, 3] },
  NumPy: `np.pad(x[0], ((0, 0), (0, 0), (8, 8), (8, 8)), "${mode}")`,
});

const gather = {
  name: 'gather',
  title: 'gather of 2048 rows of float16 [50000,768]',
  inputs: [
    ['float16', [50_000, 768]],
    ['int64', [2048], 50_000],
  ],
  result: ['float16', [2048, 768]],
  run: ({ gather: call }, [x, indices], options) => call(x, indices, options),
  loop([x, indices], out) {
    for (let i = 0; i < 2048; i++) {
      const from = Number(indices[i]) * 768;
      out.set(x.subarray(from, from + 768), i * 768);
    }
  },
  nodes: [['Gather', ['x0', 'x1']]],
  NumPy: 'np.take(x[0], x[1], 0, out, "wrap")',
};

const tile = {
  name: 'tile',
  title: 'tile of float32 [256,256] by 8 x 8',
  ...shapes('float32', [256, 256], [2048, 2048]),
  run: ({ tile: call }, [x], options) => call(x, [8, 8], options),
  loop([x], out) {
    for (let y = 0; y < 256; y++)
      for (let k = 0; k < 8; k++) out.set(x.subarray(y * 256, y * 256 + 256), y * 2048 + k * 256);
    for (let k = 1; k < 8; k++) out.copyWithin(k * 256 * 2048, 0, 256 * 2048);
  },
  boxes: [[0, [8, 256, 8, 256], [0, 256, 0, 1], 0, [256 * 2048, 2048, 256, 1], 0]],
  numpyTs: (np, [x]) => np.tile(x, [8, 8]),
  nodes: [['Tile', ['x0', 'repeats']]],
  constants: { repeats: [8, 8] },
  NumPy: 'np.tile(x[0], (8, 8))',
  einops: 'einops.repeat(x[0], "h w -> (a h) (b w)", a=8, b=8)',
};

const expand = {
  name: 'expand',
  title: 'expand of float32 [1,512,1] to [64,512,512]',
  ...shapes('float32', [1, 512, 1], [64, 512, 512]),
  run: ({ expand: call }, [x], options) => call(x, [64, 512, 512], options),
  loop([x], out) {
    for (let row = 0; row < 64 * 512; row++) out.fill(x[row % 512], row * 512, row * 512 + 512);
  },
  boxes: [[0, [64, 512, 512], [0, 1, 0], 0, [512 * 512, 512, 1], 0]],
  numpyTs: (np, [x]) => np.ascontiguousarray(np.broadcast_to(x, [64, 512, 512])),
  nodes: [['Expand', ['x0', 'shape']]],
  constants: { shape: [64, 512, 512] },
  NumPy: 'np.copyto(out, x[0])',
  einops: 'einops.repeat(x[0], "1 c 1 -> n c w", n=64, w=512)',
};

const depthToSpace = {
  name: 'depthToSpace',
  title: 'depthToSpace of float32 [1,256,128,128] by 2',
  ...shapes('float32', [1, 256, 128, 128], [1, 64, 256, 256]),
  run: ({ depthToSpace: call }, [x], options) => call(x, { blocksize: 2, ...options }),
  loop([x], out) {
    const plane = 128 * 128;
    for (let c = 0, to = 0; c < 64; c++)
      for (let y = 0; y < 256; y++) {
        const from = ((y & 1) * 128 + c) * plane + (y >> 1) * 128;
        for (let k = 0; k < 128; k++, to += 2) {
          out[to] = x[from + k];
          out[to + 1] = x[from + 64 * plane + k];
        }
      }
  },
  boxes: [[0, [64, 128, 2, 128, 2], [16_384, 128, 128 * 16_384, 1, 64 * 16_384], 0, [65_536, 512, 256, 2, 1], 0]],
  numpyTs: (np, [x]) => np.ascontiguousarray(x.reshape(2, 2, 64, 128, 128).transpose([2, 3, 0, 4, 1])),
  nodes: [['DepthToSpace', ['x0'], { blocksize: 2 }]],
  NumPy: 'np.copyto(out.reshape(64, 128, 2, 128, 2), x[0].reshape(2, 2, 64, 128, 128).transpose(2, 3, 0, 4, 1))',
  einops: 'einops.rearrange(x[0], "b (r s c) h w -> b c (h r) (w s)", r=2, s=2)',
};

const pattern = 'b c (h p) (w q) -> b (h w) (p q c)';

const patchify = (type) => ({
  name: `patchify-${type}`,
  title: `rearrange ${pattern} of ${type} [8,3,224,224], p = q = 16`,
  ...shapes(type, [8, 3, 224, 224], [8, 196, 768]),
  run: ({ rearrange }, [x], options) => rearrange(x, pattern, { p: 16, q: 16 }, options),
  loop([x], out) {
    for (let b = 0, to = 0; b < 8; b++)
      for (let h = 0; h < 14; h++)
        for (let w = 0; w < 14; w++)
          for (let p = 0; p < 16; p++) {
            const from = b * 150_528 + (h * 16 + p) * 224 + w * 16;
            for (let q = 0; q < 16; q++, to += 3) {
              out[to] = x[from + q];
              out[to + 1] = x[from + 50_176 + q];
              out[to + 2] = x[from + 100_352 + q];
            }
          }
  },
  boxes: [[0, [8, 14, 14, 16, 16, 3], [150_528, 3584, 16, 224, 1, 50_176], 0, [150_528, 10_752, 768, 48, 3, 1], 0]],
  numpyTs: (np, [x]) => np.ascontiguousarray(x.reshape(8, 3, 14, 16, 14, 16).transpose([0, 2, 4, 3, 5, 1])),
  nodes: [
    ['Reshape', ['x0', 'apart']],
    ['Transpose', ['n0'], { perm: [0, 2, 4, 3, 5, 1] }],
    ['Reshape', ['n1', 'together']],
  ],
  constants: { apart: [8, 3, 14, 16, 14, 16], together: [8, 196, 768] },
  NumPy: 'np.copyto(out.reshape(8, 14, 14, 16, 16, 3), x[0].reshape(8, 3, 14, 16, 14, 16).transpose(0, 2, 4, 3, 5, 1))',
  einops: `einops.rearrange(x[0], "${pattern}", p=16, q=16)`,
});

export const surgeryWorkloads = [
  [concatFirst('float32'), 1.3, 1.05],
  [concatLast, 2, 1.4],
  [crop('float32'), 1.5, 1.2],
  [everySecond, 2.8, 2],
  [pad('constant'), 1.4, 1.1],
  [pad('edge'), 1.4, 1.1],
  [gather, 2.3, 1.5],
  [tile, 1.3, 0.9],
  [expand, 1.3, 1],
  [depthToSpace, 4.5, 3],
  [patchify('uint8'), 6, 3.5],
  [patchify('float32'), 5, 3],
].map(([workload, must, aim]) => ({ ...workload, results: [workload.result], bars: [must, aim] }));

/** The calls that are timed with int4 beside int8; a byte of int4 may take three times as long. */
export const packedWorkloads = Object.entries({ concat: concatFirst, slice: crop, rearrange: patchify }).map(
  ([name, of]) => ({
    name,
    // No version of most operators lists int4; the calls beside ONNX take it as it is.
    int4: { ...of('int4'), options: name === 'rearrange' ? undefined : { strict: false } },
    int8: of('int8'),
  }),
);
export const packedMost = 3;

/**
 * Latencies of 12 elements, in microseconds, [must, aim]. Squeeze shares its input's data, so that it has no `out`.
 */
export const tinyBars = [0.6, 0.3];
export const tinyWorkloads = [
  {
    name: 'slice',
    inputs: [['float32', [3, 8]]],
    result: ['float32', [3, 4]],
    run: ({ slice }, [x], options) => slice(x, [2], [6], [1], undefined, options),
  },
  {
    name: 'concat',
    inputs: [0, 1].map(() => ['float32', [3, 2]]),
    result: ['float32', [3, 4]],
    options: { axis: 1 },
    run: ({ concat }, x, options) => concat(x, options),
  },
  { name: 'squeeze', inputs: [['float32', [1, 3, 1, 4]]], run: ({ squeeze }, [x]) => squeeze(x, [0, 2]) },
];

/** Four nodes that together are one slice: the time of `runModel` as a multiple of that slice's, [must, aim]. */
export const chain = {
  bars: [1.1, 1.02],
  inputs: [['float32', [2048, 2048]]],
  results: [['float32', [1, 2048, 1536]]],
  nodes: [
    ['Transpose', ['x0'], { perm: [1, 0] }],
    ['Slice', ['n0', 'starts', 'ends', 'axes']],
    ['Unsqueeze', ['n1', 'front']],
    ['Transpose', ['n2'], { perm: [0, 2, 1] }],
  ],
  constants: { starts: [256], ends: [1792], axes: [0], front: [0] },
  run: ({ slice }, [x]) => slice(x, [256], [1792], [1]),
};
