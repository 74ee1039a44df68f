import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { CorpusDocument } from '#corpus/corpus';

/** Reads the Markdown files of a folder. Their names are the ids, their first headings the titles. */
export async function readMarkdownFolder(folder: string): Promise<CorpusDocument[]> {
  const names = (await readdir(folder)).filter((name) => extname(name) === '.md').sort();
  return Promise.all(
    names.map(async (id) => {
      const text = await readFile(join(folder, id), 'utf8');
      return { id, title: /^#\s+(.+)$/m.exec(text)?.[1]?.trim() ?? id, text };
    }),
  );
}
