import { gunzipSync } from 'node:zlib';
import { fileTypes } from '#detect/file-formats';
import { hasTarHeader } from '#detect/tar-header';
import { readTar } from '#formats/archive/read-tar';
import { ParseError } from '#parse-error';
import type { ParseSource } from '#parsed-document';
import { openZip, overBudget } from '#zip/zip-archive';

/** A file of an archive, unpacked on request. */
export interface ArchiveEntry {
  /** The path in the archive, as the archive writes it. */
  readonly name: string;
  read(): Promise<Uint8Array>;
}

/** More files than this are not source text but data. */
const maxListed = 20_000;

const entriesOfZip = async ({ bytes, limits }: ParseSource): Promise<ArchiveEntry[]> => {
  const zip = await openZip(bytes, limits.maxInflatedBytes);
  return zip.names
    .filter((name) => !name.endsWith('/'))
    .slice(0, maxListed)
    .map((name) => ({ name, read: () => zip.read(name) }));
};

const sparseFile = (): ParseError =>
  new ParseError(
    'unsupported_format',
    'A file in this archive has holes, or continues in another archive. Pack it again without the option for sparse files.',
  );

const entriesOfTar = (bytes: Uint8Array): ArchiveEntry[] =>
  readTar(bytes, maxListed).map(({ name, data }) => ({
    name,
    read: async () => {
      if (data === undefined) throw sparseFile();
      return data;
    },
  }));

const isTooLarge = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

/** Decompresses within the budget. */
const gunzip = ({ bytes, limits }: ParseSource): Uint8Array => {
  try {
    return gunzipSync(bytes, { maxOutputLength: limits.maxInflatedBytes });
  } catch (error) {
    throw isTooLarge(error) ? overBudget(limits.maxInflatedBytes) : error;
  }
};

/** What is in an archive: files, or only one without a name of its own. */
export type ArchiveContents =
  | { readonly kind: 'files'; readonly entries: readonly ArchiveEntry[] }
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly fileName: string };

/**
 * Returns the files of an archive in its order. A gzip file that contains no tar archive is one file,
 * with its name without `.gz`.
 *
 * @throws ParseError, or any error for a damaged archive
 */
export const readContents = async (source: ParseSource): Promise<ArchiveContents> => {
  if (source.mimeType === fileTypes.zip.mimeType) return { kind: 'files', entries: await entriesOfZip(source) };
  if (source.mimeType === fileTypes.tar.mimeType) return { kind: 'files', entries: entriesOfTar(source.bytes) };
  const bytes = gunzip(source);
  if (hasTarHeader(bytes)) return { kind: 'files', entries: entriesOfTar(bytes) };
  return { kind: 'file', bytes, fileName: source.fileName.replace(/\.gz$/i, '') };
};

/** Archives in archives could be nested without end. */
export const nestedArchive = (): ParseError =>
  new ParseError('unsupported_format', 'This is an archive in another file. Unpack it and upload its files.');
