/**
 * The video processors of transformers: for each its defaults, what it makes of frames, and which frames it
 * takes. To add one is to add a row.
 */
import {
  bicubic,
  bilinear,
  clip,
  gemma4,
  half,
  imagenet,
  lanczos,
  miniCpm,
  miniCpmNulls,
  on,
  qwenPatches,
  squareSize,
  torchvisionAlone,
  withPixelEdges,
} from '../classes/defaults.js';
import { multipleAbove, square } from '../pictures/index.js';
import * as sampling from './sampling.js';
import * as chains from './video-chains.js';
import * as patches from './video-patches.js';
import * as sizes from './video-sizes.js';
import { videoReaders } from '../settings/index.js';
import { videoLlama3 } from './video-changes.js';
import { nemotronKeys, videoMolmo2, videoNemotron } from './video-floats.js';
import { videoMiniCpm } from './video-slices.js';
import { videoGemma, videoGemmaUnified } from './video-tokens.js';

/** @import { Settings, VideoRow } from './types.js' */

/** Makes a row of the table of video processors: the class's default settings, the rule that makes its outputs, and the
 * sampler that chooses frames. `make` is never called: image processors name in it the settings that a class reads.
 * @type {(defaults: Settings, rule: VideoRow['rule'], sample?: VideoRow['sample'], more?: Partial<VideoRow>) =>
 *   VideoRow} */
function row(defaults, rule, sample = sampling.sampleEvenly, more = {}) {
  const make = Object.assign(() => ({}), { reads: ['do_sample_frames', ...rule.reads, ...sample.reads] });
  return { defaults, rule, sample, make, readers: videoReaders, backends: torchvisionAlone, ...more };
}

const rgb = { ...on, do_convert_rgb: true };
const shortestEdge = (/** @type {number} */ edge) => ({ shortest_edge: edge });
const cropped = { default_to_square: false, crop_size: square(224), do_center_crop: true };
const chainRule = chains.videoChain();
const pixelValuesRule = chains.videoChain({ outputName: 'pixel_values' });

/** Makes a function that turns `min_pixels` and `max_pixels` of a file or a call into the shortest and longest edge of
 * `size`. Where that is no object with edges, the edges are those of `classSize`, the class's own.
 * @type {(classSize: Record<string, number>) => (settings: Settings) => Settings} */
const pixelEdges =
  (classSize) =>
  ({ min_pixels: min, max_pixels: max, ...settings }) => {
    const isObject = typeof settings.size === 'object' && !Array.isArray(settings.size);
    const size = isObject ? settings.size : classSize;
    return { ...settings, size: withPixelEdges(size, { min, max }) };
  };

/** @type {(settings: Settings) => number} */
const framesPerPatch = ({ temporal_patch_size: frames }) => frames;

const qwen2Size = { shortest_edge: 128 * 28 * 28, longest_edge: 28 * 28 * 768 };
const qwen2Like = { ...qwenPatches, size: qwen2Size, min_frames: 4, do_sample_frames: false };
const qwen3Like = {
  ...qwenPatches,
  ...half,
  patch_size: 16,
  size: { shortest_edge: 128 * 1024, longest_edge: 768 * 1024 },
  fps: 2,
  min_frames: 4,
  max_frames: 768,
  max_video_tokens: 768,
  do_sample_frames: true,
};
const glmLike = {
  ...qwenPatches,
  size: { shortest_edge: 12544, longest_edge: 47040000 },
  fps: 2,
  num_frames: 16,
  max_duration: 300,
  do_sample_frames: true,
};
const gemmaLike = { ...gemma4, do_normalize: true, max_soft_tokens: 70, do_sample_frames: true };
const miniCpmLike = { ...miniCpm, max_num_frames: 128, stack_frames: 1, do_sample_frames: true };
const clipLike = { ...rgb, ...clip, resample: bicubic, do_sample_frames: false };
const llavaLike = { ...clipLike, ...cropped, size: shortestEdge(224) };
const videoLlama = { ...qwen2Like, ...half, temporal_patch_size: 1, max_frames: 180, use_token_compression: true };
const qwen3More = { fileOnly: ['max_video_tokens'], patches: sizes.patchCounter(sizes.qwen3Size, framesPerPatch) };
const patchesOfFrames = sizes.patchCounter(sizes.frameSize, () => 1);
const glmMore = { patches: sizes.patchCounter(sizes.glmSize, framesPerPatch) };

/** @type {Record<string, VideoRow>} */
export const videoRows = {
  CohereCompass: row(qwen3Like, patches.videoQwen3, sampling.sampleQwen3, qwen3More),
  Cosmos3Edge: row(
    { ...qwen3Like, temporal_patch_size: 1, size: { shortest_edge: 4096, longest_edge: 25165824 } },
    patches.videoCosmos,
    sampling.sampleQwen3,
    glmMore,
  ),
  EmbeddingGemma2: row(
    { ...gemmaLike, fps: 1, max_frames: 32, overflow_strategy: 'uniform' },
    videoGemma,
    sampling.sampleEmbeddingGemma2,
  ),
  Ernie4_5_VLMoe: row(
    {
      ...qwenPatches,
      size: { shortest_edge: 234416, longest_edge: 937664 },
      min_frames: 16,
      max_frames: 180,
      draw_on_frames: false,
      do_sample_frames: true,
    },
    patches.videoErnie,
    sampling.sampleErnie,
    {
      nullIsDefault: ['size'],
      /** The patches of single frames, whose number is filled up to a multiple of the file's `temporal_patch_size`. */
      patches(call, shape) {
        const frames = multipleAbove(Number(shape.frames), call.file.temporal_patch_size);
        return patchesOfFrames(call, { ...shape, frames });
      },
    },
  ),
  Gemma4: row({ ...gemmaLike, num_frames: 32 }, videoGemma),
  Gemma4Unified: row({ ...gemmaLike, num_frames: 32 }, videoGemmaUnified),
  Glm46V: row(glmLike, patches.videoGlm, sampling.sampleGlm46V, glmMore),
  Glm4v: row(glmLike, patches.videoGlm, sampling.sampleGlm4v, glmMore),
  Glm5Next: row(
    {
      ...glmLike,
      size: { longest_edge: 1 },
      max_duration: 0,
      max_frames: 2048,
      min_image_tokens: 16,
      max_image_tokens: 240000,
      patch_expand_factor: 1,
    },
    patches.videoGlm5,
    sampling.sampleGlm5,
    { patches: sizes.patchCounter(sizes.glm5Size, framesPerPatch) },
  ),
  Glmga: row(
    { ...glmLike, size: { shortest_edge: 12544, longest_edge: 87478720 }, max_frames: 640, patch_expand_factor: 1 },
    patches.videoGlm,
    sampling.sampleGlmga,
    glmMore,
  ),
  HYV4VL: row(
    {
      ...qwenPatches,
      ...half,
      patch_size: 16,
      temporal_patch_size: 1,
      size: { shortest_edge: 4096, longest_edge: 2 ** 25 },
      max_image_size: { longest_edge: 2 ** 20 },
      fps: 2,
      min_frames: 2,
      max_frames: 1024,
      do_sample_frames: false,
    },
    patches.videoHyV4,
    sampling.sampleQwen3,
    { patches: sizes.hyV4Patches },
  ),
  InstructBlipVideo: row({ ...clipLike, size: square(384) }, pixelValuesRule),
  InternVL: row({ ...clipLike, size: square(384), initial_shift: true }, chainRule, sampling.sampleInternVL),
  Kimi_K25: row(
    {
      ...qwenPatches,
      ...half,
      temporal_patch_size: 4,
      size: { max_height: 512, max_width: 512 },
      max_patches: 4096,
      fps: 2,
      do_sample_frames: true,
    },
    patches.videoKimi,
    sampling.sampleEvenly,
    { patches: sizes.patchCounter(sizes.kimiSize, () => 1), patchOptions: squareSize },
  ),
  LlavaNextVideo: row(llavaLike, chainRule),
  LlavaOnevision: row({ ...clipLike, size: square(384), default_to_square: false }, chainRule),
  MiniCPMOcr: row({ ...miniCpmLike, downsample_mode: '4x' }, videoMiniCpm, sampling.sampleMiniCpm, miniCpmNulls),
  MiniCPMV4_6: row({ ...miniCpmLike, downsample_mode: '16x' }, videoMiniCpm, sampling.sampleMiniCpm, miniCpmNulls),
  MiniMaxM3VL: row(
    {
      ...qwenPatches,
      default_to_square: false,
      min_pixels: 56 * 56,
      max_pixels: 28 * 28 * 768,
      vision_segment_max_frames: 4,
      fps: 1,
      do_sample_frames: false,
    },
    patches.videoMiniMax,
    sampling.sampleEvenly,
    { patches: sizes.patchCounter(sizes.miniMaxSize, framesPerPatch) },
  ),
  Molmo2: row(
    {
      ...half,
      rescale_factor: 1 / 255,
      resample: bilinear,
      size: square(378),
      patch_size: 14,
      pooling_size: [3, 3],
      num_frames: 64,
      max_fps: 2,
      do_sample_frames: true,
    },
    videoMolmo2,
    sampling.sampleMolmo2,
  ),
  MuseGlimmer: row(
    {
      ...qwenPatches,
      ...half,
      resample: lanczos,
      max_video_frame_tokens: 144,
      num_frames: 96,
      fps: 2,
      do_sample_frames: true,
    },
    patches.videoMuse,
    sampling.sampleMuse,
    { nulls: { both: { resample: 'bilinear' } } },
  ),
  NemotronH_Omni_Reasoning_V3: row(
    {
      patch_size: 16,
      downsample_ratio: 0.5,
      video_target_num_patches: 1024,
      video_maintain_aspect_ratio: true,
      temporal_patch_size: 2,
    },
    videoNemotron,
    sampling.sampleEvenly,
    { fileOnly: nemotronKeys },
  ),
  PeVideo: row({ rescale_factor: 1 / 255, resample: bilinear }, chains.videoPe, sampling.samplePeVideo),
  PerceptionLM: row({ ...rgb, ...half, resample: bicubic, size: square(448), do_center_crop: false }, chainRule),
  Qwen2VL: row({ ...qwen2Like, max_frames: 768, max_video_tokens: 128000 }, patches.videoQwen2, sampling.sampleQwen2, {
    ofFile: pixelEdges(qwen2Size),
    adjust: pixelEdges(qwen2Size),
    fileOnly: ['max_video_tokens'],
    patches: sizes.patchCounter(sizes.frameSize, framesPerPatch),
  }),
  Qwen3VL: row(qwen3Like, patches.videoQwen3, sampling.sampleQwen3, qwen3More),
  Sam2Video: row({ ...rgb, ...imagenet, resample: bilinear, size: square(1024) }, chains.videoSam2),
  SmolVLM: row(
    {
      ...rgb,
      ...half,
      resample: lanczos,
      size: { longest_edge: 1456 },
      max_image_size: { longest_edge: 364 },
      do_pad: true,
      do_sample_frames: false,
    },
    chains.videoSmolVlm,
    sampling.sampleSmolVlm,
    {
      fileOnly: ['max_image_size'],
      /** Takes the settings of an older file's `video_sampling`, whose size counts where the file has no other. */
      ofFile: ({ video_sampling: videoSampling, ...settings }) => ({
        ...(videoSampling?.size && { size: videoSampling.size }),
        ...settings,
        ...videoSampling?.times,
      }),
    },
  ),
  Timesformer: row(
    { ...rgb, ...imagenet, ...cropped, resample: bilinear, size: shortestEdge(224), do_sample_frames: false },
    pixelValuesRule,
  ),
  VJEPA2: row(
    { ...on, ...imagenet, resample: bilinear, crop_size: square(256), do_center_crop: true, size: shortestEdge(292) },
    chainRule,
    sampling.sampleEvenly,
    {
      /** Frames are resized to 256 / 224 of the crop, whatever the file's size says. */
      ofFile: (settings) => ({ ...settings, size: shortestEdge(Math.trunc((cropHeight(settings) * 256) / 224)) }),
    },
  ),
  VideoLlama3: row(videoLlama, videoLlama3, sampling.sampleQwen2, {
    ofFile: pixelEdges(qwen2Size),
    adjust: pixelEdges(qwen2Size),
    patches: sizes.patchCounter(sizes.videoLlamaSize, framesPerPatch),
  }),
  VideoLlava: row(llavaLike, chainRule),
  VideoMAE: row(
    { ...rgb, ...half, ...cropped, resample: bilinear, size: shortestEdge(224), do_sample_frames: false },
    pixelValuesRule,
  ),
  Videomt: row(
    { ...rgb, ...imagenet, resample: bilinear, size: square(640), do_center_crop: false, do_sample_frames: false },
    chainRule,
  ),
  Vivit: row(
    {
      ...rgb,
      ...half,
      ...cropped,
      resample: bilinear,
      size: shortestEdge(256),
      rescale_factor: 1 / 127.5,
      do_sample_frames: false,
    },
    chains.videoVivit,
  ),
};

/** The height of the setting `crop_size`, in whichever form a file has it; 256 if it is missing.
 * @type {(settings: Settings) => number} */
function cropHeight({ crop_size: size = 256 }) {
  if (typeof size === 'number') return size;
  return Array.isArray(size) ? size[0] : size.height;
}
