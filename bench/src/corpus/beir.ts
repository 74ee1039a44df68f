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
  readonly judgements: string;
}

const FILES: BeirFiles = { queries: 'queries.jsonl', judgements: 'qrels.tsv' };

/** Reads a folder in BEIR format: corpus.jsonl, queries and judgements. Ignores judgements of omitted documents. */
export async function readBeirCorpus(folder: string, part: BeirPart = {}, files = FILES): Promise<Corpus> {
  const documents: CorpusDocument[] = [];
  for await (const line of linesOf(join(folder, 'corpus.jsonl'), part.documents)) {
    const { _id: id, title, text } = documentLine.parse(JSON.parse(line));
    documents.push({ id, title, text });
  }
  const judgements = await readJudgements(join(folder, files.judgements));
  // Omitted documents cannot be found.
  const left = part.documents === undefined ? undefined : new Set(documents.map(({ id }) => id));
  const queries: CorpusQuery[] = [];
  for await (const line of linesOf(join(folder, files.queries), part.queries)) {
    const { _id: id, text } = queryLine.parse(JSON.parse(line));
    const relevant = [...(judgements.get(id)?.keys() ?? [])].filter((document) => left?.has(document) ?? true);
    queries.push({ id, text, relevant: new Set(relevant) });
  }
  return { name: basename(resolve(folder)), documents, queries };
}

/**
 * Reads judgements in BEIR's format: a header, then query, document and grade separated by tabs. By query, then document; only what is relevant, with
 * a grade above 0.
 */
export async function readJudgements(file: string): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const judgements = new Map<string, Map<string, number>>();
  for await (const line of linesOf(file)) {
    const [query, document, score] = line.split('\t');
    const grade = Number(score);
    if (query === undefined || document === undefined || !(grade > 0)) continue;
    const known = judgements.get(query) ?? new Map<string, number>();
    judgements.set(query, known.set(document, grade));
  }
  return judgements;
}

async function* linesOf(file: string, most = Number.POSITIVE_INFINITY): AsyncGenerator<string> {
  let read = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line.trim() === '') continue;
    if (read === most) return;
    read += 1;
    yield line;
  }
}
