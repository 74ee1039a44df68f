import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { readMarkdownFolder } from '#corpus/markdown-folder';
import { type EvalCorpus, readEvalCorpus } from '#eval/eval-corpus';
import { readAnswers } from '#eval-chat/read-answers';

/** A corpus with questions and expected answers. */
export interface ChatCorpus extends EvalCorpus {
  /** The words of each answer by question id; undefined if unknown. */
  readonly answers: ReadonlyMap<string, readonly string[]> | undefined;
}

/** The sources of a chat corpus. */
export interface ChatCorpusPlace {
  readonly data: string;
  readonly split?: string | undefined;
  /** A file of questions about a folder of Markdown files, instead of a BEIR folder. */
  readonly questions?: string | undefined;
}

const label = z.object({ id: z.string(), doc: z.string(), label: z.string() });
const question = z.object({ _id: z.string(), text: z.string(), file: z.string(), answers: z.array(z.string()) });

/**
 * Reads a BEIR folder, or a folder of Markdown files with a file of questions. If a folder lists
 * the documents that decide its claims (`claims_labels.jsonl` of SciFact), uses only decided claims
 * and counts only those documents as answers.
 */
export async function readChatCorpus({ data, split, questions }: ChatCorpusPlace): Promise<ChatCorpus> {
  if (questions !== undefined) return readFiles(data, questions);
  const corpus = await readEvalCorpus(data, { split });
  const answers = await readAnswers(data);
  const labels = join(data, 'claims_labels.jsonl');
  if (!existsSync(labels)) return { ...corpus, answers };
  const rows = (await readLines(labels, label)).filter((row) => row.label !== 'NOT_ENOUGH_INFO');
  const deciding = Map.groupBy(rows, ({ id }) => id);
  const queries = corpus.queries.flatMap((query) => {
    const documents = deciding.get(query.id);
    return documents === undefined ? [] : [{ ...query, judgments: new Map(documents.map(({ doc }) => [doc, 1])) }];
  });
  return { ...corpus, queries, answers };
}

async function readFiles(folder: string, file: string): Promise<ChatCorpus> {
  const documents = await readMarkdownFolder(folder);
  const questions = await readLines(file, question);
  return {
    name: basename(resolve(folder)),
    documents,
    queries: questions.map(({ _id, text, file: id }) => ({ id: _id, text, judgments: new Map([[id, 1]]) })),
    answers: new Map(questions.map(({ _id, answers }) => [_id, answers])),
  };
}

async function readLines<T>(file: string, schema: z.ZodType<T>): Promise<T[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((text) => text.trim() !== '');
  return lines.map((text) => schema.parse(JSON.parse(text)));
}
