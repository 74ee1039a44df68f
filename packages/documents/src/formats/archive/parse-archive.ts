import { type ArchiveEntry, nestedArchive, readContents } from '#formats/archive/entries';
import { ParseError } from '#parse-error';
import type { FormatParser, ParseSource } from '#parsed-document';
import { oneLine } from '#text/clean-text';
import { DocumentWriter } from '#text/document-writer';

/** The maximum number of files of an archive that are read. */
const maxFiles = 1_000;
/** The most names of unread files that are listed. */
const maxListedNames = 50;
const maxPathChars = 300;
/** Files of version control, of installed packages, and of the operating system. */
const hiddenFolders = /(?:^|\/)(?:\.[^/]+|node_modules|__pycache__|__MACOSX)(?:\/|$)/;

/** Returns a path without parts that lead out of the archive, and without control characters. */
export const safePath = (name: string): string =>
  oneLine(name.replaceAll('\\', '/'))
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .join('/')
    .slice(0, maxPathChars)
    .toWellFormed();

/** Returns a text with its headings one level lower, so that they are below the heading of their file. */
export const lowerHeadings = (text: string): string => {
  let fence = '';
  return text
    .split('\n')
    .map((line) => {
      const [mark = ''] = /^(?:`{3,}|~{3,})/.exec(line) ?? [];
      if (fence === '') fence = mark;
      else if (mark.startsWith(fence) && line === mark) fence = '';
      else return line;
      return mark === '' ? line.replace(/^#{1,5}(?=[ \t])/, '#$&') : line;
    })
    .join('\n');
};

interface NamedEntry extends ArchiveEntry {
  readonly path: string;
}

/** Writes the files of an archive, and collects the names of those that it could not read. */
class ArchiveWriter {
  readonly #source: ParseSource;
  readonly writer: DocumentWriter;
  readonly unread: string[] = [];
  failure: ParseError | undefined;
  filesWritten = 0;
  #charsLeft: number;

  constructor(source: ParseSource) {
    this.#source = source;
    this.writer = new DocumentWriter(source.limits.maxTextChars);
    // The rest is for headings and the list of unread files.
    this.#charsLeft = source.limits.maxTextChars * 0.8;
  }

  async write(entry: NamedEntry): Promise<void> {
    try {
      const bytes = await entry.read();
      if (bytes.length === 0) return;
      const { text } = await this.#source.parseNested({ bytes, fileName: entry.path, mimeType: '' });
      this.#charsLeft -= text.length;
      if (this.#charsLeft < 0) this.unread.push(entry.path);
      else {
        this.writer.heading(1, entry.path);
        this.writer.normalized(lowerHeadings(text));
        this.filesWritten++;
      }
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      this.failure ??= error;
      this.unread.push(entry.path);
    }
  }

  /** Writes which files were not read. */
  finish(): void {
    if (this.unread.length === 0) return;
    const more = this.unread.length - maxListedNames;
    const names = this.unread.slice(0, maxListedNames).join(', ');
    this.writer.paragraph(`Files that were not read: ${names}${more > 0 ? `, and ${more} more` : ''}.`);
  }
}

/** Returns the files to read, in the order of their paths. */
const readable = (entries: readonly ArchiveEntry[]): NamedEntry[] =>
  entries
    .map((entry) => ({ ...entry, path: safePath(entry.name) }))
    .filter(({ path }) => path !== '' && !hiddenFolders.test(path))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));

/**
 * Parses an archive of text files, for example the source of a program: one section per file, with
 * its path as the heading. Archives inside are not opened. A gzip file without a tar archive is read
 * like the file in it.
 */
export const parseArchive: FormatParser = async (source) => {
  if (source.depth > 0) throw nestedArchive();
  const contents = await readContents(source);
  if (contents.kind === 'file') return await source.parseNested({ ...contents, mimeType: '' });
  const files = readable(contents.entries);
  const archive = new ArchiveWriter(source);
  for (const entry of files.slice(0, maxFiles)) await archive.write(entry);
  for (const { path } of files.slice(maxFiles)) archive.unread.push(path);
  if (archive.filesWritten === 0) {
    // The problem of one file is more useful than its consequence.
    const { failure } = archive;
    if (failure !== undefined && (files.length === 1 || failure.code === 'encrypted')) throw failure;
    throw new ParseError(
      'no_text',
      'This archive contains no files in a supported format. Upload documents, or an archive of text files.',
    );
  }
  archive.finish();
  return archive.writer.finish();
};
