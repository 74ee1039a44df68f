import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { z } from 'zod';
import { readMarkdownFolder } from '#corpus/markdown-folder';
import type { EvalCorpus } from '#eval/eval-corpus';

const question = z.object({ _id: z.string(), text: z.string(), files: z.array(z.string()).min(1) });

/**
 * Reads a folder of Markdown files, and questions with the files that answer them. Throws if a
 * question names a file that does not exist.
 */
export async function readQuestionCorpus(folder: string, file: string): Promise<EvalCorpus> {
  const documents = await readMarkdownFolder(folder);
  const known = new Set(documents.map(({ id }) => id));
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const queries = lines.map((line) => {
    const { _id: id, text, files } = question.parse(JSON.parse(line));
    const missing = files.find((name) => !known.has(name));
    if (missing !== undefined) throw new Error(`The question ${id} names ${missing}, which is not in the folder.`);
    return { id, text, judgments: new Map(files.map((name) => [name, 1])) };
  });
  return { name: basename(file, extname(file)), documents, queries };
}
