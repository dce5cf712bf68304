/** VideoLLaMA 3's videos: which tokens differ from those of the frame before. */
import { bytesOf } from '../../arguments/index.js';
import { encoded } from '../../image/internal.js';
import { dtypes, newData, tensorOf } from '../../tensor/index.js';
import { edgeKeys, patchVideo, videoLlamaSize } from './video-patches.js';
import { int64 } from '../results.js';
import { dtypeOfVideos, joined } from './written-frames.js';

/** @import { Call } from '../types.js' */
/** @import { WrittenVideo } from './types.js' */

/** VideoLLaMA 3: a mask of the tokens that differ from the frame before. */
export const videoLlama3 = patchVideo({
  size: videoLlamaSize,
  reads: [...edgeKeys, 'min_pixels', 'max_pixels', 'use_token_compression'],
  countsFrames: () => true,
  isFloat: true,
  outputs({ settings, dtype }, videos) {
    const masks = videos.map((video) => ({
      data: changedTokens(video, settings.merge_size, settings.use_token_compression),
    }));
    const mask = joined(masks);
    return {
      ...inType(dtype, videos),
      video_merge_sizes: int64(videos.map(() => settings.merge_size)),
      video_compression_mask: tensorOf(dtypes.bool, mask, [mask.length]),
    };
  },
});

/** @type {(dtype: Call['dtype'], videos: WrittenVideo[]) => any} The rows in the type that the caller asks for. */
function inType(dtype, videos) {
  if (dtype === undefined || dtype === dtypeOfVideos(videos)) return {};
  const { data: own, layout, groups } = videos[0];
  const length = own.length / (groups * layout.rows * layout.columns);
  const all = joined(videos);
  const data = newData(dtype, all.length, undefined);
  bytesOf(data).set(encoded(all, dtype));
  return { pixel_values_videos: tensorOf(dtype, data, [all.length / length, length]) };
}

/** Marks tokens that differ from the frame before by more than a tenth of a level on average, and at least one a frame.
 * The loop takes 3 ns a number (measured: 16 frames of 1024 patches).
 * @type {(video: WrittenVideo, merge: number, compresses: boolean) => Uint8Array} */
function changedTokens({ data, groups, layout: { rows, columns } }, merge, compresses) {
  const count = (rows * columns) / merge ** 2;
  const mask = new Uint8Array(groups * count).fill(1);
  if (!compresses) return mask;
  const length = data.length / (groups * count);
  for (let frame = 1; frame < groups; frame++) {
    let isAny = false;
    for (let token = 0; token < count; token++) {
      const first = (frame * count + token) * length;
      let sum = 0;
      for (let at = first; at < first + length; at++) sum += Math.abs(data[at] - data[at - count * length]);
      const changes = (sum / length) * 255 > 0.1;
      mask[frame * count + token] = Number(changes);
      isAny ||= changes;
    }
    if (!isAny) mask[frame * count] = 1;
  }
  return mask;
}
