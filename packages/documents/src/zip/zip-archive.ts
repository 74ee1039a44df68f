import { pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { zipSync } from 'fflate';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { ParseError } from '#parse-error';

const maxEntries = 20_000;
const stored = 0;
const deflated = 8;

/** The entries of a ZIP file, inflated on request and within a budget for the whole file. */
export interface ZipArchive {
  readonly names: readonly string[];
  has(name: string): boolean;
  /**
   * @throws ParseError `corrupt_file` if the entry is missing or damaged, `encrypted`, or `too_large`
   * if the budget is exceeded
   */
  read(name: string): Promise<Uint8Array>;
}

const damaged = (cause?: unknown): ParseError =>
  new ParseError(
    'corrupt_file',
    'This file is damaged, or only part of it was uploaded. Save it again and upload the new copy.',
    { cause },
  );

const encrypted = (): ParseError =>
  new ParseError('encrypted', 'This file is protected by a password. Remove the password and upload the file again.');

export const overBudget = (maxBytes: number): ParseError =>
  new ParseError(
    'too_large',
    `The contents of this file expand to more than the limit of ${Math.floor(maxBytes / 1024 / 1024)} MiB. Split the file and upload the parts.`,
  );

const endRecord = Buffer.from('PK\x05\x06', 'latin1');
const endRecordBytes = 22;
const maxCommentBytes = 65_535;

/** yauzl rejects bytes after the end record, which some mail servers and programs append. */
const withoutTrailingBytes = (bytes: Buffer): Buffer => {
  const end = bytes.lastIndexOf(endRecord, bytes.length - endRecordBytes);
  if (end === -1 || end < bytes.length - endRecordBytes - maxCommentBytes) return bytes;
  return bytes.subarray(0, end + endRecordBytes + bytes.readUInt16LE(end + 20));
};

// Many programs write UTF-8 names without the flag for it, so names are not decoded by yauzl.
const nameOf = (entry: Entry): string => new TextDecoder().decode(entry.fileNameRaw).replaceAll('\\', '/');

const readDirectory = async (zip: ZipFile): Promise<Map<string, Entry>> => {
  const entries = new Map<string, Entry>();
  let count = 0;
  for await (const entry of zip.eachEntry()) {
    entries.set(nameOf(entry), entry);
    count++;
    if (count === maxEntries) break;
  }
  return entries;
};

/** Opens a ZIP file. @throws ParseError `corrupt_file` or `encrypted` */
export const openZip = async (bytes: Uint8Array, maxInflatedBytes: number): Promise<ZipArchive> => {
  let zip: ZipFile;
  let entries: Map<string, Entry>;
  try {
    const buffer = withoutTrailingBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    zip = await fromBufferPromise(buffer, { decodeStrings: false, validateEntrySizes: false });
    entries = await readDirectory(zip);
  } catch (error) {
    throw error instanceof Error && /encrypt/i.test(error.message) ? encrypted() : damaged(error);
  }
  let usedBytes = 0;

  /** Counts the bytes as they come out: the size that an entry declares can be wrong. */
  const inflate = async (entry: Entry): Promise<Uint8Array> => {
    const raw = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    // An error arrives through the iteration.
    const stream = entry.compressionMethod === stored ? raw : pipeline(raw, createInflateRaw(), () => undefined);
    const pieces: Uint8Array[] = [];
    for await (const piece of stream) {
      usedBytes += piece.length;
      if (usedBytes > maxInflatedBytes) throw overBudget(maxInflatedBytes);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  };

  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    read: async (name) => {
      const entry = entries.get(name);
      if (!entry) throw damaged();
      if (entry.isEncrypted()) throw encrypted();
      if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated) {
        throw new ParseError('corrupt_file', 'This file uses an unsupported compression method. Save it again.');
      }
      try {
        return await inflate(entry);
      } catch (error) {
        throw error instanceof ParseError ? error : damaged(error);
      }
    },
  };
};

/**
 * Copies some entries of an archive without compression, for libraries that inflate
 * without a limit. The entries are inflated within the budget first.
 */
export const repackZip = async (zip: ZipArchive, keep: (name: string) => boolean): Promise<Uint8Array> => {
  const entries: Record<string, Uint8Array> = {};
  for (const name of zip.names) if (!name.endsWith('/') && keep(name)) entries[name] = await zip.read(name);
  return zipSync(entries, { level: 0 });
};
