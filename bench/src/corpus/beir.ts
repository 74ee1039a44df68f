import { createReadStream } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Corpus, CorpusDocument, CorpusQuery } from '#corpus/corpus';

/** The part of a folder to read. Reads everything by default. */
export interface BeirPart {
  readonly documents?: number | undefined;
  readonly queries?: number | undefined;
}

const documentLine = z.object({ _id: z.string(), title: z.string().default(''), text: z.string() });
const queryLine = z.object({ _id: z.string(), text: z.string() });

/** The files of a folder in addition to `corpus.jsonl`. */
interface BeirFiles {
  readonly queries: string;
  readonly judgments: string;
}

const FILES: BeirFiles = { queries: 'queries.jsonl', judgments: 'qrels.tsv' };

/**
 * Reads a folder in BEIR format: corpus.jsonl, queries and judgments. Ignores judgments of
 * omitted documents.
 */
export async function readBeirCorpus(folder: string, part: BeirPart = {}, files = FILES): Promise<Corpus> {
  const documents: CorpusDocument[] = [];
  for await (const line of linesOf(join(folder, 'corpus.jsonl'), part.documents)) {
    const { _id: id, title, text } = documentLine.parse(JSON.parse(line));
    documents.push({ id, title, text });
  }
  const judgments = await readJudgments(join(folder, files.judgments));
  // Omitted documents cannot be found.
  const included = part.documents === undefined ? undefined : new Set(documents.map(({ id }) => id));
  const queries: CorpusQuery[] = [];
  for await (const line of linesOf(join(folder, files.queries), part.queries)) {
    const { _id: id, text } = queryLine.parse(JSON.parse(line));
    const relevant = [...(judgments.get(id)?.keys() ?? [])].filter((document) => included?.has(document) ?? true);
    queries.push({ id, text, relevant: new Set(relevant) });
  }
  return { name: basename(resolve(folder)), documents, queries };
}

/**
 * Reads judgments in BEIR's format: a header, then query, document and grade separated by tabs.
 * Returns grades above 0 by query and document.
 */
export async function readJudgments(file: string): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const judgments = new Map<string, Map<string, number>>();
  for await (const line of linesOf(file)) {
    const [query, document, score] = line.split('\t');
    const grade = Number(score);
    if (query === undefined || document === undefined || !(grade > 0)) continue;
    const known = judgments.get(query) ?? new Map<string, number>();
    judgments.set(query, known.set(document, grade));
  }
  return judgments;
}

async function* linesOf(file: string, maxLines = Number.POSITIVE_INFINITY): AsyncGenerator<string> {
  let read = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line.trim() === '') continue;
    if (read === maxLines) return;
    read += 1;
    yield line;
  }
}
