/** A search for more names would take as long as reading the archive. */
const maxNames = 20_000;
const endMark = 0x06054b50;
const end64Mark = 0x06064b50;
const locatorMark = 0x07064b50;
const entryMark = 0x02014b50;
const endBytes = 22;
const maxCommentBytes = 65_535;

interface Directory {
  readonly offset: number;
  readonly end: number;
}

const markAt = (file: Buffer, at: number): number | undefined =>
  at >= 0 && at + 4 <= file.length ? file.readUInt32LE(at) : undefined;

/** Returns where the directory of a ZIP file is, from the record at its end (APPNOTE 4.3). */
const findDirectory = (file: Buffer): Directory | undefined => {
  let end = file.length - endBytes;
  const least = Math.max(0, end - maxCommentBytes);
  while (end >= least && markAt(file, end) !== endMark) end--;
  if (end < least) return undefined;
  let [size, offset] = [file.readUInt32LE(end + 12), file.readUInt32LE(end + 16)];
  if (markAt(file, end - 20) === locatorMark) {
    const record = Number(file.readBigUInt64LE(end - 12));
    if (markAt(file, record) === end64Mark && record + 56 <= file.length)
      [size, offset] = [Number(file.readBigUInt64LE(record + 40)), Number(file.readBigUInt64LE(record + 48))];
  }
  // Bytes before the archive, for example of a program that unpacks it, move the directory.
  return [offset, end - size]
    .map((start) => ({ offset: start, end }))
    .find((directory) => markAt(file, directory.offset) === entryMark);
};

/** Returns the names in the directory of a ZIP file; none if the end of the file is missing. */
export const zipNames = (bytes: Uint8Array): Set<string> => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const names = new Set<string>();
  const directory = findDirectory(file);
  let at = directory?.offset ?? file.length;
  while (names.size < maxNames && at + 46 <= (directory?.end ?? 0) && markAt(file, at) === entryMark) {
    const nameEnd = at + 46 + file.readUInt16LE(at + 28);
    names.add(file.toString('utf8', at + 46, nameEnd).replaceAll('\\', '/'));
    at = nameEnd + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return names;
};

const localMark = 0x04034b50;
const typeName = 'mimetype';
const maxTypeChars = 100;

/** Returns the type that a ZIP file declares in its first entry, which is not compressed (OCF 3.3, ODF 3.3). */
export const declaredType = (bytes: Uint8Array): string => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.length < 30 || markAt(file, 0) !== localMark || file.readUInt16LE(26) !== typeName.length) return '';
  const start = 30 + typeName.length;
  if (file.toString('latin1', 30, start) !== typeName) return '';
  const content = start + file.readUInt16LE(28);
  return file.toString('latin1', content, content + maxTypeChars);
};
