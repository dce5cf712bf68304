/** VideoLLaMA 3's videos: which tokens differ from those of the frame before. */
import { dtypes, tensorOf } from '../../tensor/index.js';
import { edgeKeys, patchVideo } from './video-patches.js';
import { videoLlamaSize } from './video-sizes.js';
import { int64 } from '../steps/index.js';

/** @import { WrittenVideo } from './types.js' */

/** @typedef {WrittenVideo & { data: Float32Array }} FloatVideo */

/** VideoLLaMA 3's rule: patches, and a mask of the tokens that differ from the frame before. */
export const videoLlama3 = patchVideo({
  size: videoLlamaSize,
  reads: [...edgeKeys, 'min_pixels', 'max_pixels', 'use_token_compression'],
  countsFrames: () => true,
  isFloat: true,
  /** `merge_size` for each video, and the masks of all videos one after the other. */
  outputs({ settings }, videos) {
    const masks = /** @type {FloatVideo[]} */ (videos).map((video) =>
      changedTokens(video, settings.merge_size, settings.use_token_compression),
    );
    // .1 of 29 ms for 576 tokens of 16 frames of 448 x 448: all that a kernel could save (measured).
    const mask = Uint8Array.from(masks.flatMap((entries) => [...entries]));
    return {
      video_merge_sizes: int64(videos.map(() => settings.merge_size)),
      video_compression_mask: tensorOf(dtypes.bool, mask, [mask.length]),
    };
  },
});

/** Makes VideoLLaMA 3's mask of one video, a byte for each token, frame by frame: 1 for a token whose numbers, times
 * 255, differ by more than 0.1 on average from those of the same token in the frame before, as all of the first frame
 * do. A frame without such a token has its first one marked. All are 1 unless `compresses`. `merge`: the side of a
 * token in patches. The loop takes 1.4 ns a number, as a kernel of the same sums does with its staging (1024 patches,
 * measured).
 * @type {(video: FloatVideo, merge: number, compresses: boolean) => Uint8Array} */
function changedTokens({ data, groups, layout: { rows, columns } }, merge, compresses) {
  const frameTokens = (rows * columns) / merge ** 2;
  const mask = new Uint8Array(groups * frameTokens).fill(1);
  if (!compresses) return mask;
  const tokenLength = data.length / (groups * frameTokens);
  const frameLength = frameTokens * tokenLength;
  for (let frame = 1; frame < groups; frame++) {
    const firstToken = frame * frameTokens;
    let changesAny = false;
    for (let token = firstToken; token < firstToken + frameTokens; token++) {
      const first = token * tokenLength;
      let sum = 0;
      for (let at = first; at < first + tokenLength; at++) sum += Math.abs(data[at] - data[at - frameLength]);
      const meanDifference = sum / tokenLength;
      const changes = meanDifference * 255 > 0.1;
      mask[token] = Number(changes);
      changesAny ||= changes;
    }
    if (!changesAny) mask[firstToken] = 1;
  }
  return mask;
}
