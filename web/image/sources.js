/** The sources of pictures: files that are dropped or pasted, and the camera. */

const isImage = ({ type }) => type.startsWith('image/');

/**
 * The first file of a kind in a drop or in the clipboard.
 * @param {DataTransfer | null} transfer
 * @param {(file: File) => boolean} isWanted
 */
const fileOf = (transfer, isWanted) => [...(transfer?.files ?? [])].find(isWanted);

/**
 * Takes files that are dropped or pasted anywhere on the page. Otherwise a file that misses the target would replace
 * the page.
 * @param {(file: File) => void} onFile
 * @param {(isOver: boolean) => void} onOver called when a file is dragged over the page and when it leaves
 * @param {() => boolean} isShown whether the files are meant for this panel
 * @param {(file: File) => boolean} [isWanted] pictures if omitted
 */
export function acceptFiles(onFile, onOver, isShown, isWanted = isImage) {
  const over = (event) => {
    event.preventDefault();
    onOver(true);
  };
  document.addEventListener('dragenter', over);
  document.addEventListener('dragover', over);
  document.addEventListener('dragleave', ({ relatedTarget }) => onOver(relatedTarget !== null));
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    onOver(false);
    const file = isShown() && fileOf(event.dataTransfer, isWanted);
    if (file) onFile(file);
  });
  document.addEventListener('paste', ({ clipboardData }) => {
    const file = isShown() && fileOf(clipboardData, isWanted);
    if (file) onFile(file);
  });
}

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
