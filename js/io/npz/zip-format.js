/** Numbers of the zip format (APPNOTE 6.3.10). */

/** The four bytes that each record begins with. `local`: the header in front of a member; `entry`: a member's entry in
 * the directory; `end`, `end64` and `locator`: the records behind the directory */
export const signatures = {
  local: 0x04034b50,
  descriptor: 0x08074b50,
  entry: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator: 0x07064b50,
};

/** Bytes of the header in front of a member, without its name. */
export const localBytes = 30;

/** The largest number of 32 bits, which stands for a number of 64 bits in another field. */
export const max32 = 0xffffffff;

/** Numbers of extra fields. */
export const extraFields = { zip64: 1, zipalign: 0xd935 };
