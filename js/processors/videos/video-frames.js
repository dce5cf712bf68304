/** Chooses the frames of the videos of a call, reads them, and passes them to the writers of the class. */
import * as args from '../../arguments/index.js';
import { classNameOf, imagesOf, withDecoded } from '../../image/internal.js';
import { pictureOf } from '../pictures/index.js';
import { checkFrameSize, isStream, isTensor, tensorFrames } from './read-videos.js';
import { checkApart } from './video-call.js';
import { checkCallerOut } from './written-frames.js';

/** @import { Image } from '../../engines/images/types.js' */
/** @import { Decoding } from '../../image/types.js' */
/** @import { Frames, VideoFacts } from './read-videos.js' */
/** @import { Call, Picture, Size, VideoCall, VideoMaker, VideoWriter } from './types.js' */

/** The frames of a video that are written.
 * @typedef {object} ChosenFrames
 * @property {number | undefined} sourceCount how many frames the video has, if that is known
 * @property {number | undefined} writtenCount how many are written, if that is known
 * @property {Map<number, number[]> | undefined} writtenIndices by the index of each chosen frame, its indices in the
 *   written video; undefined: all frames are written, in their order
 */

/** The indices of a frame in the written video, several if it was chosen several times; undefined if it was not.
 * @type {(writtenIndices: ChosenFrames['writtenIndices'], frame: number) => readonly number[] | undefined} */
const indicesOf = (writtenIndices, frame) => (writtenIndices ? writtenIndices.get(frame) : [frame]);

/** Chooses the frames of videos in memory and writes them, as the class's rule says; returns each video as the rule's
 * writer gives it. All writers are opened, and the caller's `out` is checked, before any pixel is read. `metadata`: of
 * each video
 * @type {(maker: VideoMaker, call: VideoCall, videos: readonly Frames[], metadata: readonly VideoFacts[]) =>
 *   unknown[]} */
export function writeVideos(maker, call, videos, metadata) {
  const plans = videos.map((video, i) => {
    const { argument, width, height, count } = video;
    const { duration } = metadata[i];
    const { writtenCount, writtenIndices } = chooseFrames(maker, call, argument, { ...metadata[i], count });
    const shape = { argument, frames: writtenCount, width, height, duration };
    const writer = maker.row.rule.open(call, shape);
    return { video, writtenIndices, writer };
  });
  const writers = plans.map(({ writer }) => writer);
  checkCallerOut(call, writers);
  return plans.map(({ video, writtenIndices, writer }, i) => {
    for (let frame = 0; frame < video.count; frame++) {
      const indices = indicesOf(writtenIndices, frame);
      if (indices) putFrame(call, writer, indices, video.imageAt(frame), { video: i, frame });
    }
    return writer.close();
  });
}

/** Decodes the frames of a video one after the other, up to the last one that is chosen, and writes them as the class's
 * rule says. Returns the video as the rule's writer gives it. Refuses a video whose number of frames differs from that
 * of its metadata, or whose frames differ in size. `from`: the video, its number, what was chosen of it, how to decode
 * @param {VideoMaker} maker
 * @param {VideoCall} call
 * @param {{ argument: string, value: unknown, duration: number | undefined, video: number, decoding: Decoding,
 *   budget: args.Budget } & ChosenFrames} from */
export async function readVideo(
  maker,
  call,
  { argument, value, duration, video, decoding, budget, sourceCount, writtenCount, writtenIndices },
) {
  const writer = lazyWriter((size) =>
    maker.row.rule.open(call, { argument, frames: writtenCount, ...size, duration, isStream: true }),
  );
  const lastChosen = writtenIndices ? args.largest([...writtenIndices.keys()]) : Infinity;
  let frame = 0;
  for await (const image of framesOf(argument, value)) {
    if (sourceCount !== undefined && frame >= sourceCount)
      args.rangeError(`${argument} must give ${sourceCount} frames, as video_metadata says, got more`);
    const indices = indicesOf(writtenIndices, frame);
    if (indices) {
      const name = `${argument}[${frame}]`;
      const entry = { argument: name, value: image, className: classNameOf(image) };
      await withDecoded([entry], decoding, (entries) => {
        // The frames of a tensor are pixels already.
        const [pixels] = isTensor(value) ? [/** @type {Image} */ (image)] : imagesOf(entries, 'videoProcessorAsync');
        args.spending(budget, () => {
          const opened = writer.openedFor(name, pixels);
          checkApart(call, name, pixels.data);
          putFrame(call, opened, indices, pixels, { video, frame });
        });
      });
    }
    frame += 1;
    if (frame > lastChosen) break;
  }
  const framesRead = frame;
  // A stream may end early: all chosen frames, or as many as metadata states, or at least one have to be there.
  const least = writtenIndices ? lastChosen + 1 : (sourceCount ?? 1);
  const opened = writer.opened();
  if (framesRead < least || !opened) return args.rangeError(`${argument} must give ${least} frames, got ${framesRead}`);
  return args.spending(budget, opened.close);
}

/** Opens the writer of a stream by `open` when its first frame comes, because only then its size is known. `openedFor`:
 * gives the writer for a frame of this name in messages; `opened`: gives the writer, undefined if no frame came
 * @type {(open: (size: Size) => VideoWriter<unknown>) => { openedFor: (name: string, frame: Image) =>
 *   VideoWriter<unknown>, opened: () => VideoWriter<unknown> | undefined }} */
function lazyWriter(open) {
  /** @type {{ writer: VideoWriter<unknown>, size: Size } | undefined} */
  let first;
  return {
    /** Opens the writer at the first frame; refuses a later one of another size. */
    openedFor(name, { width, height }) {
      first ??= { writer: open({ width, height }), size: { width, height } };
      checkFrameSize(name, { width, height }, first.size);
      return first.writer;
    },
    opened: () => first?.writer,
  };
}

/** The frames of a video, in any form that a call takes, as something to iterate over: images of a tensor, entries of a
 * list, or the stream itself.
 * @type {(argument: string, value: unknown) => Iterable<unknown> | AsyncIterable<unknown>} */
function framesOf(argument, value) {
  if (!isTensor(value) || isStream(value)) return /** @type {Iterable<unknown> | AsyncIterable<unknown>} */ (value);
  const { count, imageAt } = tensorFrames(argument, value);
  return Array.from({ length: count }, (_, i) => imageAt(i));
}

/** Passes a frame to the video's writer, once for each of its `indices` in the written video: as a picture that reports
 * its steps to the caller's `onStep`, with the numbers of the video and of the frame (`at`)
 * @type {(call: VideoCall, writer: VideoWriter<unknown>, indices: readonly number[], image: Image,
 *   at: { video: number, frame: number }) => void} */
function putFrame({ settings, onStep }, writer, indices, image, at) {
  // Memory that the caller's function takes counts towards no budget of this call.
  /** @type {Picture['onStep']} */
  const listener = onStep && ((step) => args.spending(undefined, () => onStep({ ...step, ...at })));
  const picture = pictureOf(image, { isOnWhite: settings.do_convert_rgb, onStep: listener });
  for (const index of indices) writer.put(index, picture);
}

/** Chooses the frames of a video: those of the class's sampler where `do_sample_frames` is on, else all. `argument`:
 * the video's name in messages, and in `video` its metadata's; `count`: how many frames it has, undefined for a stream;
 * `total`: how many its metadata says. Refuses a video whose number of frames is not known where it is needed, or
 * differs from its metadata's.
 * @type {(maker: VideoMaker, call: Call, argument: string, video: VideoFacts & { count: number | undefined }) =>
 *   ChosenFrames} */
export function chooseFrames({ row, file }, call, argument, { argument: metadataName, count, total, fps, duration }) {
  const frameCount = count ?? total;
  if (!call.settings.do_sample_frames) {
    if (frameCount === undefined && row.rule.countsFrames?.(call))
      args.rangeError(
        `${metadataName} total_num_frames must be given, on which the sizes of ${argument} depend, got undefined`,
      );
    return { sourceCount: frameCount, writtenCount: frameCount, writtenIndices: undefined };
  }
  if (frameCount === undefined)
    args.rangeError(`${metadataName} total_num_frames must be given to choose frames of ${argument}, got undefined`);
  if (total !== undefined && total !== frameCount)
    args.rangeError(`${metadataName} total_num_frames must be ${frameCount}, as many as ${argument} has, got ${total}`);
  const sampled = { argument: metadataName, total: frameCount, fps, duration };
  const chosen = row.sample({ settings: call.settings, file }, sampled);
  if (chosen.length === 0) args.rangeError(`${argument} must keep at least one frame, got none of ${frameCount}`);
  return { sourceCount: frameCount, writtenCount: chosen.length, writtenIndices: indicesByFrame(chosen) };
}

/** For each frame of a list, its indices in the list: two for a frame that was chosen twice.
 * @type {(frames: readonly number[]) => Map<number, number[]>} */
function indicesByFrame(frames) {
  /** @type {Map<number, number[]>} */
  const indices = new Map();
  frames.forEach((frame, index) => {
    const ofFrame = indices.get(frame);
    if (ofFrame) ofFrame.push(index);
    else indices.set(frame, [index]);
  });
  return indices;
}
