/**
 * The calls that OpenCV's users make on pictures, with bars: upper limits of our time as a multiple of another's time
 * in the same run, as [must, aim]. `resident`: pictures stay in opencv-js's memory; `opencv-js` copies them in and out,
 * as ours does.
 */
const hd = [1920, 1080];
const icon = [224, 224];

export const openCvWorkloads = [
  { name: 'letterbox', channels: 3, from: hd, to: [640, 640], bars: { 'opencv-js': [1 / 2.5], cv2: [undefined, 2] } },
  { name: 'yolo', channels: 4, from: hd, to: [640, 640], bars: { 'opencv-js': [1 / 3, 1 / 5] } },
  { name: 'linear', channels: 3, from: hd, to: icon, bars: { resident: [1, 1 / 2] } },
  { name: 'area', channels: 3, from: hd, to: icon, bars: { 'opencv-js': [1 / 3, 1 / 6], cv2: [1 / 2.5] } },
  { name: 'cubic', channels: 3, from: icon, to: [1024, 1024], bars: { 'opencv-js': [1 / 4], cv2: [undefined, 1] } },
];
