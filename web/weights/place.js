/** Where a result goes: a file that the user chooses, or a download. */

/** Whether the browser can write a file piece by piece. */
export const canStream = 'showSaveFilePicker' in globalThis;

/**
 * Asks where to write files: where to put one file, or a folder for several.
 * @param {{ name: string }[]} files
 * @returns {Promise<FileSystemFileHandle[] | undefined>} undefined where they are to be downloaded
 * @throws {DOMException} an AbortError if the user has chosen nothing
 */
export async function askPlaces(files) {
  if (!canStream) return undefined;
  if (files.length === 1) return [await showSaveFilePicker({ suggestedName: files[0].name })];
  const folder = await showDirectoryPicker({ mode: 'readwrite' });
  const handles = [];
  for (const { name } of files) handles.push(await folder.getFileHandle(name, { create: true }));
  return handles;
}
