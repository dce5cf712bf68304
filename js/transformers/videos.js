/** Video processors of transformers.js with Python's pixels. */
import { videoProcessorAsync } from '../processors/index.js';
import { exportedName } from './classes.js';
import { inTheirForm } from './forms.js';
import { pythonCall } from './images.js';

/** @import { PythonCall } from './images.js' */
/** @import { Context, Patchable } from './types.js' */

/** `duration`: in seconds. Numbers that transformers.js does not know are undefined.
 * @typedef {{ frames: { image: ImageData }[], fps?: number, duration?: number }} TheirVideo */

/** Makes the function that replaces a video processor's call, which takes one video or a list: it computes Python's
 * pixels, in the types that the model of `object` takes. Python chooses frames by a video's metadata.
 * @type {(context: Context, object: Patchable, className: string) => PythonCall} */
function videoCall(context, object, className) {
  const { decode, sessions } = context;
  const processor = videoProcessorAsync({ video_processor_type: className, ...object.config }, { decode });
  return async (videos) => {
    const list = /** @type {TheirVideo[]} */ ([videos].flat());
    const frames = list.map((video) => video.frames.map(({ image }) => image));
    const video_metadata = list.map((video) => ({
      total_num_frames: video.frames.length,
      fps: video.fps,
      duration: video.duration,
    }));
    const outputs = await processor(frames, { video_metadata });
    return inTheirForm(context, outputs, { className, sessions: sessions.get(object) ?? [] });
  };
}

/** Makes the function that replaces a video processor's call, and notes for the report who computes it. Undefined if
 * transformers.js keeps its own call: {@link pythonCall} says when.
 * @type {(context: Context, object: Patchable) => PythonCall | undefined} */
export function pythonVideoCall(context, object) {
  const className = exportedName(context.hf, object);
  return pythonCall(context, { part: 'video_processor', className }, () => videoCall(context, object, className));
}
