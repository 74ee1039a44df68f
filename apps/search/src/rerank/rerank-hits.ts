import type { DocumentHit, PassageHit } from '@lectern/vector-store';
import type { Reranker } from '#rerank/create-reranker';

/** A hit with the reranker's score of its best passage. */
export type RerankedHit<Hit extends DocumentHit> = Hit & {
  readonly scores: { readonly rerank?: number };
};

/** Characters to score per passage. */
const MAX_LENGTH = 4_000;

/**
 * Returns the documents in the reranker's order. A document's score is that of its best passage,
 * which comes first. Documents after those that it reads keep their place. `score` belongs to the position, not to the document, so that `minScore` and
 * totals mean the same with and without reranking.
 */
export async function rerankHits<Hit extends DocumentHit>(
  reranker: Reranker,
  query: string,
  hits: readonly Hit[],
  signal: AbortSignal,
): Promise<RerankedHit<Hit>[]> {
  const { passagesPerDocument } = reranker;
  const read = hits.slice(0, reranker.documents);
  const texts = read.flatMap(({ payload, passages }) =>
    passages
      .slice(0, passagesPerDocument)
      .map(({ heading, text }) => [payload.title, heading, text].filter(Boolean).join('\n').slice(0, MAX_LENGTH)),
  );
  if (texts.length === 0) return [...hits];
  const scores = [...(await reranker.score(query, texts, signal))];
  const scored = read.map((hit) =>
    withBestFirst(hit, scores.splice(0, Math.min(passagesPerDocument, hit.passages.length))),
  );
  return [...inOrderOf(scored, ({ scores: { rerank = 0 } }) => rerank), ...hits.slice(read.length)];
}

function withBestFirst<Hit extends DocumentHit>(hit: Hit, scores: readonly number[]): RerankedHit<Hit> {
  const scored = hit.passages.slice(0, scores.length);
  const scoreOf = new Map(scored.map((passage, at) => [passage.chunk, scores[at] ?? 0]));
  const passages = inOrderOf(scored, ({ chunk }) => scoreOf.get(chunk) ?? 0);
  const [best] = passages;
  if (best === undefined) return hit;
  return {
    ...hit,
    scores: { ...hit.scores, rerank: Math.max(...scores) },
    passages: [...passages, ...hit.passages.slice(scores.length)],
    payload: { ...hit.payload, ...placeOf(best) },
  };
}

/** Sorts best first and keeps the order of ties. Each item gets the score of its new position. */
function inOrderOf<T extends { readonly score: number }>(items: readonly T[], scoreOf: (item: T) => number): T[] {
  const ordered = items.toSorted((a, b) => scoreOf(b) - scoreOf(a));
  return ordered.map((item, at) => ({ ...item, score: items[at]?.score ?? item.score }));
}

function placeOf({ chunk, heading, text, language, start, end }: PassageHit) {
  return { chunk, heading, text, language, start, end };
}
