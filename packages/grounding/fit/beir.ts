import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** A document to rank and to judge. */
export interface FitDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** The file that it is a section of, and the headings above it. */
  readonly file?: string;
  readonly heading?: string;
}

/** A question or claim with known answers. */
export interface FitQuestion {
  readonly id: string;
  readonly text: string;
  /** The documents that answer it. */
  readonly gold: ReadonlySet<string>;
}

/** Documents and questions about them. */
export interface FitCorpus {
  readonly name: string;
  readonly documents: readonly FitDocument[];
  readonly questions: readonly FitQuestion[];
}

const document = z.object({ _id: z.string(), title: z.string().default(''), text: z.string() });
const query = z.object({ _id: z.string(), text: z.string() });

/**
 * Reads a BEIR folder (corpus.jsonl, queries.jsonl, qrels.tsv; with a split queries_SPLIT.jsonl and
 * qrels_SPLIT.tsv), without questions that have no judgments.
 */
export async function readBeir(folder: string, name: string, split?: string): Promise<FitCorpus> {
  const suffix = split === undefined ? '' : `_${split}`;
  const documents = await readLines(join(folder, 'corpus.jsonl'), document);
  const queries = await readLines(join(folder, `queries${suffix}.jsonl`), query);
  const gold = await readGold(join(folder, `qrels${suffix}.tsv`));
  return {
    name,
    documents: documents.map(({ _id, title, text }) => ({ id: _id, title, text })),
    questions: queries.flatMap(({ _id, text }) => {
      const answers = gold.get(_id);
      return answers === undefined ? [] : [{ id: _id, text, gold: answers }];
    }),
  };
}

const label = z.object({ id: z.string(), doc: z.string(), label: z.string() });

/**
 * Returns the documents that support or contradict each claim, by claim id, from SciFact's
 * `claims_labels.jsonl`.
 */
export async function readDecided(folder: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const labels = await readLines(join(folder, 'claims_labels.jsonl'), label);
  const decided = labels.filter(({ label }) => label !== 'NOT_ENOUGH_INFO');
  return new Map(
    [...Map.groupBy(decided, ({ id }) => id)].map(([id, rows]) => [id, new Set(rows.map(({ doc }) => doc))]),
  );
}

async function readGold(file: string): Promise<Map<string, Set<string>>> {
  const [, ...rows] = (await readFile(file, 'utf8')).split('\n');
  const gold = new Map<string, Set<string>>();
  for (const row of rows) {
    const [question, answer, grade] = row.trim().split('\t');
    if (question === undefined || answer === undefined || !(Number(grade) > 0)) continue;
    gold.set(question, (gold.get(question) ?? new Set()).add(answer));
  }
  return gold;
}

async function readLines<T>(file: string, schema: z.ZodType<T>): Promise<T[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => schema.parse(JSON.parse(line)));
}
