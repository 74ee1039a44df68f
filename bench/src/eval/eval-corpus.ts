import { join } from 'node:path';
import { readBeirCorpus, readJudgements } from '#corpus/beir';
import type { CorpusDocument } from '#corpus/corpus';
import type { Judgements } from '#eval/metrics';

/** A query that somebody has judged. */
export interface JudgedQuery {
  readonly id: string;
  readonly text: string;
  /** At least one document. */
  readonly judgements: Judgements;
}

/** What is indexed, what is asked, and what should be found. */
export interface EvalCorpus {
  /** For the report and for comparisons; no path. */
  readonly name: string;
  readonly documents: readonly CorpusDocument[];
  readonly queries: readonly JudgedQuery[];
}

/** Which part of a folder is evaluated; all of it where nothing is said. */
export interface EvalPart {
  /** The first ones; judgements of the others are left out, which makes the task easier: for trials alone. */
  readonly documents?: number | undefined;
  /** The first ones that are judged. */
  readonly queries?: number | undefined;
  /** Reads `queries_<split>.jsonl` and `qrels_<split>.tsv`. */
  readonly split?: string | undefined;
}

/** Reads a BEIR folder. Queries that nobody judged are left out, and documents without a word. Throws where nothing is left to ask. */
export async function readEvalCorpus(folder: string, part: EvalPart = {}): Promise<EvalCorpus> {
  const suffix = part.split === undefined ? '' : `_${part.split}`;
  const files = { queries: `queries${suffix}.jsonl`, judgements: `qrels${suffix}.tsv` };
  const corpus = await readBeirCorpus(folder, { documents: part.documents }, files);
  const judged = await readJudgements(join(folder, files.judgements));
  const documents = corpus.documents.filter(({ title, text }) => /\S/.test(title + text));
  const left = part.documents === undefined ? undefined : new Set(documents.map(({ id }) => id));
  const queries = corpus.queries.flatMap(({ id, text }) => {
    const grades = [...(judged.get(id) ?? [])].filter(([document]) => left?.has(document) ?? true);
    return grades.length === 0 ? [] : [{ id, text, judgements: new Map(grades) }];
  });
  if (queries.length === 0) throw new Error(`No query of ${files.queries} is judged in ${files.judgements}.`);
  // Runs of a part are compared with runs of the same part.
  const name = `${corpus.name}${suffix}${part.documents === undefined ? '' : `_first-${part.documents}`}`;
  return { name, documents, queries: queries.slice(0, part.queries) };
}
