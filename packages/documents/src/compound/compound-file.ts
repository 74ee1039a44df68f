import { CFB } from '@e965/xlsx';
import { ParseError } from '#parse-error';

/** The streams of a compound file (MS-CFB), the container of old Office files, by path. */
export interface CompoundFile {
  /** Paths without the root, for example `WordDocument`. */
  readonly paths: readonly string[];
  /** Returns undefined if there is no such stream. */
  read(path: string): Buffer | undefined;
  /** Throws ParseError if there is no such stream. */
  require(path: string): Buffer;
}

interface Container {
  readonly FullPaths: readonly string[];
  readonly FileIndex: readonly { readonly type: number; readonly content?: Uint8Array }[];
}

const STREAM = 2;

const withoutRoot = (path: string): string => path.slice(path.indexOf('/') + 1);

/** Opens a compound file. An error of the library means that it is damaged. */
export function openCompoundFile(bytes: Uint8Array): CompoundFile {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { FullPaths, FileIndex }: Container = CFB.read(buffer, { type: 'buffer' });
  const streams = new Map<string, Buffer>();
  for (const [at, path] of FullPaths.entries()) {
    const { type, content } = FileIndex[at] ?? {};
    if (type !== STREAM || content === undefined) continue;
    streams.set(withoutRoot(path), Buffer.from(content));
  }
  const read = (path: string) => streams.get(path);
  return {
    paths: [...streams.keys()],
    read,
    require: (path) => {
      const found = read(path);
      if (found !== undefined) return found;
      throw new ParseError(
        'corrupt_file',
        'This file is damaged: a part of it is missing. Save it again and upload the new copy.',
      );
    },
  };
}
