import { hasTarHeader, tarBlock, tarNumber } from '#detect/tar-header';

// https://www.gnu.org/software/tar/manual/html_node/Standard.html
// https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html

/** A file of a tar archive; without data if it is stored in a way that is not read. */
export interface TarFile {
  readonly name: string;
  readonly data: Uint8Array | undefined;
}

/** Longer lists of attributes are not those of a file. */
const maxAttributeBytes = 1_000_000;

const textAt = (bytes: Uint8Array, at: number, length: number): string => {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end === -1 ? field : field.subarray(0, end));
};

/** Reads the records of a pax header: `length name=value`. */
const attributesOf = (data: Uint8Array): Map<string, string> => {
  const attributes = new Map<string, string>();
  for (let at = 0; at < data.length; ) {
    const [whole, digits] = /^(\d{1,9}) /.exec(textAt(data, at, 10)) ?? [];
    const length = Number(digits);
    if (whole === undefined || length <= whole.length) break;
    const record = new TextDecoder().decode(data.subarray(at + whole.length, at + length - 1));
    const equals = record.indexOf('=');
    if (equals > 0) attributes.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return attributes;
};

/** Only headers with this mark have the beginning of a long path: GNU tar has other fields at its place. */
const posixMark = 'ustar\0';

const nameOf = (header: Uint8Array): string => {
  const name = textAt(header, 0, 100);
  const isPosix = Buffer.from(header.subarray(257, 263)).toString('latin1') === posixMark;
  const prefix = isPosix ? textAt(header, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
};

/** Returns the number of blocks after the header of a sparse file that list where its data is. */
const mapBlocks = (bytes: Uint8Array, at: number): number => {
  let isExtended = bytes[at + 482] === 1;
  let count = 0;
  while (isExtended && at + (count + 2) * tarBlock <= bytes.length) {
    count++;
    isExtended = bytes[at + count * tarBlock + 504] === 1;
  }
  return count;
};

const files = new Set(['0', '\0', '7']);
/** Parts of sparse files, and of files in several archives. */
const partial = new Set(['S', 'M']);

/**
 * Returns up to `limit` files of a tar archive, in its order, without links and directories.
 *
 * @throws Error if the archive is damaged
 */
export const readTar = (bytes: Uint8Array, limit: number): TarFile[] => {
  const found: TarFile[] = [];
  let [longName, attributes]: [string | undefined, ReadonlyMap<string, string>] = [undefined, new Map()];
  for (let at = 0; at + tarBlock <= bytes.length && found.length < limit; ) {
    const header = bytes.subarray(at, at + tarBlock);
    // A block of zeros is the end.
    if (header[0] === 0 && header.every((byte) => byte === 0)) break;
    if (!hasTarHeader(header)) throw new Error('A header of this tar archive is damaged.');
    const type = String.fromCharCode(header[156] ?? 0);
    const size = Number(attributes.get('size') ?? Math.max(0, tarNumber(header, 124, 12)));
    const start = at + tarBlock * (1 + (type === 'S' ? mapBlocks(bytes, at) : 0));
    if (!Number.isSafeInteger(size) || size < 0) throw new Error('The size of a file in this tar archive is wrong.');
    // Links declare the size of their file, but have no data.
    const stored = /^[12]$/.test(type) ? 0 : size;
    if (start + stored > bytes.length) throw new Error('This tar archive is not complete.');
    const data = bytes.subarray(start, start + stored);
    at = start + Math.ceil(stored / tarBlock) * tarBlock;
    if (type === 'L') longName = textAt(data, 0, Math.min(data.length, maxAttributeBytes));
    else if (type === 'x') attributes = attributesOf(data.subarray(0, maxAttributeBytes));
    else if (type !== 'g' && type !== 'K') {
      const name = attributes.get('GNU.sparse.name') ?? attributes.get('path') ?? longName ?? nameOf(header);
      const isSparse = [...attributes.keys()].some((key) => key.startsWith('GNU.sparse.'));
      if (partial.has(type) || (files.has(type) && isSparse)) found.push({ name, data: undefined });
      else if (files.has(type) && !name.endsWith('/')) found.push({ name, data });
      [longName, attributes] = [undefined, new Map()];
    }
  }
  return found;
};
