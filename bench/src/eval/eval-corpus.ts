import { join } from 'node:path';
import { readBeirCorpus, readJudgments } from '#corpus/beir';
import type { CorpusDocument } from '#corpus/corpus';
import type { Judgments } from '#eval/metrics';

/** A query with judgments. */
export interface JudgedQuery {
  readonly id: string;
  readonly text: string;
  /** Relevant documents, at least one. */
  readonly judgments: Judgments;
}

/** The documents, queries and judgments of an evaluation. */
export interface EvalCorpus {
  /** The name for reports and comparisons, without a path. */
  readonly name: string;
  readonly documents: readonly CorpusDocument[];
  readonly queries: readonly JudgedQuery[];
}

/** The part of a folder to evaluate. Evaluates everything by default. */
export interface EvalPart {
  /**
   * The first documents only. Ignores judgments of others, which makes the task easier: for trials
   * only.
   */
  readonly documents?: number | undefined;
  /** The first judged queries only. */
  readonly queries?: number | undefined;
  /** Reads `queries_<split>.jsonl` and `qrels_<split>.tsv`. */
  readonly split?: string | undefined;
}

/**
 * Reads a BEIR folder. Skips queries without judgments and empty documents. Throws if no query
 * remains.
 */
export async function readEvalCorpus(folder: string, part: EvalPart = {}): Promise<EvalCorpus> {
  const suffix = part.split === undefined ? '' : `_${part.split}`;
  const files = { queries: `queries${suffix}.jsonl`, judgments: `qrels${suffix}.tsv` };
  const corpus = await readBeirCorpus(folder, { documents: part.documents }, files);
  const judged = await readJudgments(join(folder, files.judgments));
  const documents = corpus.documents.filter(({ title, text }) => /\S/.test(title + text));
  const subset = part.documents === undefined ? undefined : new Set(documents.map(({ id }) => id));
  const queries = corpus.queries.flatMap(({ id, text }) => {
    const grades = [...(judged.get(id) ?? [])].filter(([document]) => subset?.has(document) ?? true);
    return grades.length === 0 ? [] : [{ id, text, judgments: new Map(grades) }];
  });
  if (queries.length === 0) throw new Error(`No query of ${files.queries} is judged in ${files.judgments}.`);
  // Runs of a part are only compared with runs of the same part.
  const name = `${corpus.name}${suffix}${part.documents === undefined ? '' : `_first-${part.documents}`}`;
  return { name, documents, queries: queries.slice(0, part.queries) };
}
