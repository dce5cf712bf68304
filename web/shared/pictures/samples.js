/** Sample pictures, drawn here so that they belong to nobody else. The channels of each look different. */

const stops = (gradient, colors) => {
  colors.forEach((color, i) => gradient.addColorStop(i / (colors.length - 1), color));
  return gradient;
};
const vertical = (context, from, to, ...colors) => stops(context.createLinearGradient(0, from, 0, to), colors);

function disc(context, x, y, radius, fill) {
  context.fillStyle = fill;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

function cloud(context, x, y, size) {
  for (const [dx, dy, radius] of [
    [-1.1, 0.1, 0.5],
    [-0.5, -0.2, 0.7],
    [0.25, -0.35, 0.8],
    [0.95, 0, 0.6],
    [0, 0.15, 0.7],
  ]) {
    disc(context, x + dx * size, y + dy * size, radius * size, 'rgb(255 255 255 / 0.72)');
  }
}

/** A hot-air balloon: gores of two colors between meridians, drawn as ellipses that get narrower. */
function balloon(context, x, y, radius, colors) {
  context.save();
  context.beginPath();
  context.arc(x, y, radius, Math.PI * 0.8, Math.PI * 0.2);
  context.quadraticCurveTo(x + radius * 0.62, y + radius * 1.1, x + radius * 0.2, y + radius * 1.42);
  context.lineTo(x - radius * 0.2, y + radius * 1.42);
  context.quadraticCurveTo(
    x - radius * 0.62,
    y + radius * 1.1,
    x + radius * Math.cos(Math.PI * 0.8),
    y + radius * Math.sin(Math.PI * 0.8),
  );
  context.clip();
  [1.05, 0.8, 0.52, 0.2].forEach((part, i) => {
    context.fillStyle = colors[i % colors.length];
    context.beginPath();
    context.ellipse(x, y + radius * 0.2, radius * part, radius * 1.5, 0, 0, 2 * Math.PI);
    context.fill();
  });
  const light = context.createRadialGradient(x - radius * 0.4, y - radius * 0.45, radius * 0.1, x, y, radius * 1.5);
  stops(light, ['rgb(255 255 255 / 0.5)', 'rgb(255 255 255 / 0)', 'rgb(0 0 40 / 0.45)']);
  context.fillStyle = light;
  context.fillRect(x - radius, y - radius, 2 * radius, 2.6 * radius);
  context.restore();
  context.strokeStyle = '#4a3728';
  context.lineWidth = Math.max(1, radius * 0.025);
  context.beginPath();
  for (const side of [-1, 1]) {
    context.moveTo(x + side * radius * 0.19, y + radius * 1.42);
    context.lineTo(x + side * radius * 0.13, y + radius * 1.7);
  }
  context.stroke();
  context.fillStyle = '#7a4f2b';
  context.fillRect(x - radius * 0.15, y + radius * 1.68, radius * 0.3, radius * 0.22);
}

/** A ridge as a sum of sines, filled down to the lower edge. */
function ridge(context, [width, height], { top, swing, phase, fill }) {
  context.fillStyle = fill;
  context.beginPath();
  context.moveTo(0, height);
  for (let x = 0; x <= width; x += 4) {
    const t = (x / width) * 6 + phase;
    context.lineTo(x, top + swing * (Math.sin(t) + 0.5 * Math.sin(2.3 * t + 1) + 0.22 * Math.sin(5.1 * t)));
  }
  context.lineTo(width, height);
  context.fill();
}

function balloons(context, width, height) {
  context.fillStyle = vertical(context, 0, height, '#1f6fd0', '#6fb7f0', '#d9efff');
  context.fillRect(0, 0, width, height);
  cloud(context, 120, 330, 46);
  cloud(context, 545, 250, 38);
  cloud(context, 330, 95, 24);
  ridge(context, [width, height], { top: 400, swing: 14, phase: 1, fill: '#5b9a68' });
  ridge(context, [width, height], { top: 432, swing: 10, phase: 4, fill: '#3f7a43' });
  balloon(context, 215, 165, 108, ['#d7263d', '#ffe9c7']);
  balloon(context, 470, 220, 72, ['#f5b700', '#1b4bb5']);
  balloon(context, 365, 330, 34, ['#12a87b', '#f4f1de']);
}

function dunes(context, width, height) {
  context.fillStyle = vertical(context, 0, height * 0.75, '#1d1b4c', '#7b2d6b', '#f0703d', '#ffd27a');
  context.fillRect(0, 0, width, height);
  disc(context, 430, 258, 62, '#fff0b8');
  ridge(context, [width, height], {
    top: 290,
    swing: 20,
    phase: 0,
    fill: vertical(context, 270, 420, '#a8433f', '#7a2c46'),
  });
  ridge(context, [width, height], {
    top: 345,
    swing: 26,
    phase: 2.2,
    fill: vertical(context, 310, 460, '#8a2f45', '#4f1d42'),
  });
  ridge(context, [width, height], {
    top: 415,
    swing: 24,
    phase: 5,
    fill: vertical(context, 380, 480, '#4a1a3f', '#1c0f2c'),
  });
}

/** A test card: bars, ramps, lines and a circle, which show a wrong order, range or aspect ratio at once. */
function testCard(context, width, height) {
  context.fillStyle = '#808080';
  context.fillRect(0, 0, width, height);
  ['#ffffff', '#ffff00', '#00ffff', '#00ff00', '#ff00ff', '#ff0000', '#0000ff', '#000000'].forEach((color, i) => {
    context.fillStyle = color;
    context.fillRect((i * width) / 8, 0, width / 8, height / 2);
  });
  ['#ff0000', '#00ff00', '#0000ff', '#ffffff'].forEach((color, i) => {
    context.fillStyle = stops(context.createLinearGradient(0, 0, width, 0), ['#000000', color]);
    context.fillRect(0, height * (0.5 + i * 0.09), width, height * 0.09);
  });
  for (let x = 0; x < width; x += 2) {
    context.fillStyle = x % 4 ? '#000000' : '#ffffff';
    context.fillRect(x, height * 0.86, 2, height * 0.07);
  }
  context.strokeStyle = '#ffffff';
  context.lineWidth = 3;
  context.beginPath();
  context.arc(width / 2, height / 2, height * 0.46, 0, 2 * Math.PI);
  context.stroke();
}

/** The sample with an alpha channel. */
function leaf(context, width, height) {
  context.translate(width / 2, height / 2);
  context.rotate(0.5);
  const outline = new Path2D('M0-205C170-120 150 110 0 190C-150 110-170-120 0-205');
  context.fillStyle = stops(context.createLinearGradient(-120, -150, 120, 150), ['#b7e36a', '#4fae3f', '#1d6b3a']);
  context.fill(outline);
  context.strokeStyle = 'rgb(240 255 200 / 0.75)';
  context.lineCap = 'round';
  context.lineWidth = 6;
  context.beginPath();
  context.moveTo(0, -180);
  context.lineTo(0, 225);
  context.stroke();
  context.lineWidth = 2.5;
  context.clip(outline);
  for (let i = -3; i <= 3; i++) {
    for (const side of [-1, 1]) {
      context.beginPath();
      context.moveTo(0, i * 48 + 40);
      context.quadraticCurveTo(side * 50, i * 48 + 10, side * (96 - 7 * Math.abs(i)), i * 48 - 24);
      context.stroke();
    }
  }
}

export const samples = { balloons, dunes, 'test card': testCard, leaf };
export const sampleNames = Object.keys(samples);

/**
 * Draws a sample.
 * @param {string} name
 * @param {number} [scale] of 640 x 480 pixels
 * @returns {HTMLCanvasElement}
 */
export function drawSample(name, scale = 1) {
  const [width, height] = [640, 480];
  const canvas = document.createElement('canvas');
  canvas.width = scale * width;
  canvas.height = scale * height;
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  samples[name](context, width, height);
  return canvas;
}
