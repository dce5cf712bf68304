/** Configurations of checkpoints: those of the goldens, and three more. */
import { readFileSync } from 'node:fs';

const goldens = JSON.parse(readFileSync(new URL('../goldens/transformers/configs.json', import.meta.url), 'utf8'));
const { vit, clip, detr } = goldens;
const { image_mean, image_std } = detr;
const square = (side) => ({ height: side, width: side });

/** @type {Record<string, any>} */
export const configurations = {
  ...goldens,
  siglip: { ...vit, resample: 3, do_convert_rgb: true },
  donut: {
    ...vit,
    image_processor_type: 'DonutImageProcessor',
    do_align_long_axis: false,
    do_pad: true,
    do_thumbnail: true,
    size: { height: 1280, width: 960 },
  },
  florence2: { ...clip, image_mean, image_std, crop_size: square(768), do_center_crop: false, size: square(768) },
};
