/** Models with packed weights, and one file for all of their data. */
import { checkSaving } from '../../weights/index.js';
import { editFiles } from '../edit-model.js';
import { bytesTable, externalName, savingTable } from '../read-choice.js';

/** @import { FileWriter } from '../../weights/index.js' */
/** @import { OpenExternal, Outside } from '../../io/types.js' */
/** @import { SaveOptions } from '../../weights/types.js' */
/** @import { ModelLike, Step } from '../types.js' */

export const filesTable = { ...bytesTable, externalName, ...savingTable };

/** @typedef {SaveOptions & { external?: OpenExternal, externalName?: string }} ReadFileOptions by `filesTable` */

/** Places all data in one file, however many there are. @type {(location: string) => Outside} */
const inOneFile = (location) => ({ location, maxBytes: Infinity, files: [{ location, content: [], end: 0 }] });

/** Edits a model of any size by a step. All data go to one `externalFile` if `externalName` is given.
 * @template Row
 * @param {string} name of the public function
 * @param {ModelLike} model
 * @param {Step<Row>} step
 * @param {ReadFileOptions} options
 * @returns {Promise<{ model: FileWriter, externalFile?: FileWriter, report: Row[] }>} */
export async function editIntoOneFile(name, model, step, { external, externalName: location, ...options }) {
  const outside = location === undefined ? undefined : inOneFile(location);
  const saving = checkSaving(options);
  const { externalFiles, ...edited } = await editFiles(name, model, [step], { external, outside, ...saving });
  const [externalFile] = externalFiles?.values() ?? [];
  return { ...edited, ...(externalFile && { externalFile }) };
}
