import { z } from 'zod';
import type { JudgedQuery } from '#eval/eval-corpus';
import type { Judged } from '#eval/eval-result';
import type { EvalCollection } from '#eval/index-corpus';
import type { Mode } from '#eval/modes';
import type { Api } from '#system/api';

/** Documents per response: the maximum page size and the depth of recall@100. */
const DEPTH = 100;
/** The maximum length of a query in code points. Longer ones are cut. */
const MAX_QUERY = 2_000;

const answer = z.object({
  data: z.object({ results: z.array(z.object({ documentId: z.string(), score: z.number() })) }),
});

/** A search result. */
export interface Found {
  readonly documentId: string;
  readonly score: number;
}

/** Sends one query to `POST /api/v1/search`. */
export async function search(api: Api, collection: string, text: string, mode: Mode): Promise<readonly Found[]> {
  const query = [...text].slice(0, MAX_QUERY).join('');
  const body = { query, collections: [collection], mode, limit: DEPTH, maxPassagesPerDocument: 1 };
  return answer.parse(await api.call('POST', '/api/v1/search', body)).data.results;
}

/**
 * Runs all queries sequentially. Latency is that of a single client, from the first byte sent to
 * the parsed response.
 */
export async function searchAll(
  api: Api,
  { id: collection, corpusIds }: EvalCollection,
  queries: readonly JudgedQuery[],
  mode: Mode,
  signal: AbortSignal,
): Promise<readonly Judged[]> {
  const answers: Judged[] = [];
  for (const query of queries) {
    signal.throwIfAborted();
    const startedAt = performance.now();
    const found = await search(api, collection, query.text, mode);
    const latencyMs = performance.now() - startedAt;
    answers.push({
      ...query,
      latencyMs,
      ranking: found.map(({ documentId }) => corpusIds.get(documentId) ?? documentId),
    });
  }
  return answers;
}
