/**
 * Draws photo.jpg, a lake below snowy mountains, by ray marching over fractal noise.
 * `node tests/demo/draw.mjs [file] [width]`
 *
 * The demo needs a picture with the statistics of a photograph (gradients, texture, grain) that belongs to nobody else.
 * Lengths are in metres. y points up, the surface of the lake is y = 0, and the camera looks along z. Colors are
 * linear light until the last step.
 */
import { writeFileSync } from 'node:fs';
import jpeg from 'jpeg-js';

const [file = new URL('photo.jpg', import.meta.url), widthText = '1920'] = process.argv.slice(2);
const width = Number(widthText);
const height = Math.round((width * 9) / 16);

const mix = (a, b, t) => a + (b - a) * t;
const mix3 = (a, b, t) => [mix(a[0], b[0], t), mix(a[1], b[1], t), mix(a[2], b[2], t)];
const smoothstep = (low, high, x) => {
  const t = Math.min(1, Math.max(0, (x - low) / (high - low)));
  return t * t * (3 - 2 * t);
};
const normalize = (v) => v.map((x) => x / Math.hypot(...v));

/** A repeatable number in [0, 1) for each point of the integer lattice. */
function hash(x, z) {
  let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(z, 0x165667b1);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return ((h ^ (h >>> 15)) >>> 0) / 2 ** 32;
}

// The derivatives by x and z of the latest noise(). It returns them here, because an array for each call takes half the
// time.
let slopeX = 0;
let slopeZ = 0;
function noise(x, z) {
  const i = Math.floor(x),
    j = Math.floor(z),
    u = x - i,
    v = z - j;
  const a = hash(i, j),
    b = hash(i + 1, j),
    c = hash(i, j + 1),
    d = hash(i + 1, j + 1);
  const su = u * u * u * (u * (u * 6 - 15) + 10),
    sv = v * v * v * (v * (v * 6 - 15) + 10),
    k = a - b - c + d;
  slopeX = 30 * u * u * (u * (u - 2) + 1) * (b - a + k * sv);
  slopeZ = 30 * v * v * (v * (v - 2) + 1) * (c - a + k * su);
  return a + (b - a) * su + (c - a) * sv + k * su * sv;
}

/** Fractal noise in about [0, 1]. Each octave is turned by 37 degrees, so that the lattice does not show. */
function fractal(x, z, octaves) {
  let sum = 0,
    weight = 0.5;
  for (let octave = 0; octave < octaves; octave++, weight /= 2) {
    sum += weight * noise(x, z);
    [x, z] = [1.6 * x - 1.2 * z + 7.3, 1.2 * x + 1.6 * z - 3.1];
  }
  return sum;
}

/**
 * The height of the ground. Steep ground takes less of the finer octaves, which leaves ridges and smooth screes, as
 * erosion does.
 */
function ground(x, z, octaves) {
  let sum = 0,
    weight = 1,
    dx = 0,
    dz = 0,
    px = x / 2600 + 3.7,
    pz = z / 2600 + 1.9;
  for (let octave = 0; octave < octaves; octave++, weight /= 2) {
    const value = noise(px, pz);
    dx += slopeX;
    dz += slopeZ;
    sum += (weight * value) / (1 + dx * dx + dz * dz);
    [px, pz] = [1.6 * px - 1.2 * pz, 1.2 * px + 1.6 * pz];
  }
  const shore = smoothstep(2200, 9500, z + 0.9 * Math.abs(x + 300) + 700 * Math.sin(x / 900));
  return -140 + 1850 * sum * shore ** 0.8 + 120 * shore;
}

/** The distance along a ray to the ground, or Infinity. */
function march(ox, oy, oz, dx, dy, dz, far, octaves) {
  let t = 5,
    last = 0;
  for (let step = 0; step < 320 && t < far; step++) {
    const y = oy + t * dy;
    if (y > 2700 && dy > 0) return Infinity;
    const above = y - ground(ox + t * dx, oz + t * dz, octaves);
    if (above < 0.0008 * t) return t - (t - last) * 0.3;
    last = t;
    t += Math.max(above * 0.42, 0.0012 * t);
  }
  return Infinity;
}

const sun = normalize([-0.72, 0.36, 0.28]);
const sunlight = [3.3, 2.55, 1.75];
const skylight = [0.32, 0.45, 0.7];

function sky(dx, dy, dz) {
  const toSun = Math.max(0, dx * sun[0] + dy * sun[1] + dz * sun[2]);
  const up = Math.max(0, dy);
  let color = mix3([0.7, 0.72, 0.76], [0.07, 0.2, 0.56], 1 - Math.exp(-5 * up));
  color = color.map((c, i) => c + sunlight[i] * (0.12 * toSun ** 6 + 0.25 * toSun ** 48));
  if (up < 0.01) return color;
  const t = 2600 / (up + 0.03),
    x = (t * dx) / 5200 + 11,
    z = (t * dz) / 5200 + 4;
  const cover = (px, pz) => smoothstep(0.45, 0.64, fractal(px + 0.5 * fractal(2 * px, 2 * pz, 4), pz, 8));
  const density = cover(x, z);
  const shade = Math.max(0, Math.min(1, 0.75 - 0.9 * (cover(x + 0.08 * sun[0], z + 0.08 * sun[2]) - 0.35)));
  const cloud = [0.55 + 0.75 * shade, 0.56 + 0.62 * shade, 0.62 + 0.5 * shade];
  return mix3(color, cloud, density * smoothstep(0.01, 0.14, up) * 0.92);
}

/** The color of the ground at a point that the camera sees from `distance` away. */
function surface(x, z, distance) {
  const e = Math.max(1.5, distance * 0.0007),
    y = ground(x, z, 12);
  const normal = normalize([y - ground(x + e, z, 12), e, y - ground(x, z + e, 12)]);
  const grit = fractal(x / 19, z / 19, 5),
    patches = fractal(x / 240, z / 240, 5);
  let color = mix3([0.11, 0.095, 0.085], [0.23, 0.2, 0.17], grit);
  color = mix3(color, [0.085, 0.1, 0.035], smoothstep(0.62, 0.8, normal[1]) * smoothstep(900, 450, y + 300 * patches));
  const tree =
    smoothstep(0.5, 0.66, normal[1] + 0.25 * (patches - 0.5)) * smoothstep(620, 380, y + 500 * (patches - 0.5));
  color = mix3(
    color,
    mix3([0.008, 0.016, 0.008], [0.06, 0.08, 0.03], smoothstep(0.25, 0.75, grit) * (0.4 + 0.9 * patches)),
    tree,
  );
  const snow = smoothstep(0.52, 0.7, normal[1] + 0.12 * (grit - 0.5)) * smoothstep(600, 860, y + 420 * (patches - 0.5));
  color = mix3(color, [0.82, 0.85, 0.9], snow);
  color = mix3([0.07, 0.065, 0.055], color, smoothstep(0, 2 + 12 * patches, y));
  const facing = Math.max(0, normal[0] * sun[0] + normal[1] * sun[1] + normal[2] * sun[2]);
  const lit = facing > 0 && march(x + 6 * normal[0], y + 6, z, ...sun, 9000, 6) === Infinity ? facing : 0;
  const open = 0.45 + 0.55 * normal[1];
  return color.map((c, i) => c * (sunlight[i] * lit * 1.15 + skylight[i] * open + 0.05));
}

/** The light along a ray from (ox, oy, oz); the lake reflects once. */
function look(ox, oy, oz, dx, dy, dz, mirrored) {
  const lake = dy < 0 ? -oy / dy : Infinity;
  const t = march(ox, oy, oz, dx, dy, dz, Math.min(lake, 26000), mirrored ? 7 : 10);
  const air = sky(dx, Math.abs(dy) * 0.4, dz);
  if (t < lake)
    return t === Infinity
      ? sky(dx, dy, dz)
      : mix3(surface(ox + t * dx, oz + t * dz, t), air, 1 - Math.exp(-((t / 26000) ** 1.4)));
  if (mirrored || lake > 26000) return sky(dx, dy, dz);
  const x = ox + lake * dx,
    z = oz + lake * dz;
  const calm = 0.02 * smoothstep(0.35, 0.6, fractal(x / 400, z / 900, 4)) + 0.006,
    fade = 1 / (1 + lake / 900);
  noise(x / 1.6, z / 2.4);
  let nx = slopeX,
    nz = slopeZ;
  noise(x / 7 + 31, z / 9);
  nx = calm * (nx + slopeX) * (0.25 + fade);
  nz = calm * (nz + slopeZ) * (0.25 + fade);
  const [mx, my, mz] = normalize([dx + nx, Math.abs(dy) + 1.6 * Math.abs(nz), dz]);
  const fresnel = 0.03 + 0.97 * (1 - my) ** 5;
  const water = mix3([0.012, 0.04, 0.045], look(x, 0.5, z, mx, my, mz, true), Math.min(1, fresnel * 1.02));
  return mix3(water, air, 1 - Math.exp(-((lake / 26000) ** 1.4)));
}

const data = Buffer.alloc(width * height * 4, 255);
for (let row = 0; row < height; row++)
  for (let column = 0; column < width; column++) {
    const u = ((column + 0.5) / width) * 2 - 1,
      v = ((((row + 0.5) / height) * 2 - 1) * 9) / 16;
    const light = look(0, 55, 0, ...normalize([u * 0.62, 0.085 - v * 0.62, 1]), false);
    const vignette = 1 - 0.22 * (u * u + v * v);
    const grain = (hash(column, row) + hash(row + 9999, column) - 1) * 0.016;
    for (let channel = 0; channel < 3; channel++) {
      const x = light[channel] * vignette * 0.8;
      const film = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14); // Narkowicz's fit of the ACES film curve
      data[(row * width + column) * 4 + channel] = 255 * Math.min(1, Math.max(0, film ** (1 / 2.2) + grain));
    }
  }
writeFileSync(file, jpeg.encode({ width, height, data }, 84).data);
