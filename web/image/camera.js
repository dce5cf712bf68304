/** The camera, as a source of pictures. */

/**
 * Plays the camera.
 * @param {HTMLVideoElement} video shows it
 * @param {(frame: ImageBitmap) => Promise<void>} onFrame called with the next frame once it is done with the one before
 * @returns {Promise<() => void>} stops it
 * @throws {Error} no camera, or no permission
 */
export async function playCamera(video, onFrame) {
  if (!navigator.mediaDevices) throw new Error('browsers give it to pages over https and from localhost only');
  const stream = await navigator.mediaDevices.getUserMedia({ video: { width: { ideal: 640 } } });
  video.srcObject = stream;
  await video.play();
  let isOn = true;
  const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
  (async () => {
    while (isOn) {
      // This waits while the tab is hidden.
      await next();
      if (isOn && video.videoWidth > 0) await onFrame(await createImageBitmap(video));
    }
  })();
  return () => {
    isOn = false;
    stream.getTracks().forEach((track) => track.stop());
    video.srcObject = null;
  };
}
