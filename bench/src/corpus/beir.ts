import { createReadStream } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Corpus, CorpusDocument, CorpusQuery } from '#corpus/corpus';

/** Which part of a folder is read; all of it where nothing is said. */
export interface BeirPart {
  readonly documents?: number | undefined;
  readonly queries?: number | undefined;
}

const documentLine = z.object({ _id: z.string(), title: z.string().default(''), text: z.string() });
const queryLine = z.object({ _id: z.string(), text: z.string() });

/** Reads a folder in BEIR's format: corpus.jsonl, queries.jsonl, qrels.tsv (header; query, document, score above 0 for relevant). */
export async function readBeirCorpus(folder: string, part: BeirPart = {}): Promise<Corpus> {
  const documents: CorpusDocument[] = [];
  for await (const line of linesOf(join(folder, 'corpus.jsonl'), part.documents)) {
    const { _id: id, title, text } = documentLine.parse(JSON.parse(line));
    documents.push({ id, title, text });
  }
  const relevant = await readJudgements(join(folder, 'qrels.tsv'));
  const queries: CorpusQuery[] = [];
  for await (const line of linesOf(join(folder, 'queries.jsonl'), part.queries)) {
    const { _id: id, text } = queryLine.parse(JSON.parse(line));
    queries.push({ id, text, relevant: relevant.get(id) ?? new Set() });
  }
  return { name: basename(resolve(folder)), documents, queries };
}

async function readJudgements(file: string): Promise<Map<string, Set<string>>> {
  const relevant = new Map<string, Set<string>>();
  for await (const line of linesOf(file)) {
    const [query, document, score] = line.split('\t');
    if (query === undefined || document === undefined || !(Number(score) > 0)) continue;
    const known = relevant.get(query) ?? new Set();
    relevant.set(query, known.add(document));
  }
  return relevant;
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
